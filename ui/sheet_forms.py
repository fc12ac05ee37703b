"""Powers in plain words, and the forms in which exact numbers stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import fields

from attention_core.exact_tree import Negative
from attention_core.expression import Difference, Exp, Expr, Quotient, Root, Sum

# A power in plain text: a number, or more in brackets that may hold one more pair of them.
_POWER = re.compile(r"(?<![«\w])(e|2)\^(?:\(((?:[^()]|\([^()]*\))*)\)|(−?[\w.∞]+))")


def powers(text: str) -> str:
    """Escaped text in which powers are set as powers, but for those in a token.

    >>> powers("e^−∞ is 0"), powers("2^(0.5 − (−1)) / 3, «e^2»")
    ('<i>e</i><sup>−∞</sup> is 0', '2<sup>0.5 − (−1)</sup> / 3, «e^2»')
    """
    return _POWER.sub(lambda found: raised(found[1], found[2] or found[3]), text)


def raised(base: str, power: str) -> str:
    return f"{base if base.isdigit() else f'<i>{base}</i>'}<sup>{power}</sup>"


def forms(numbers: Iterable[Expr], base: str) -> list[str]:
    """In which forms exact numbers stand, with letters for numbers; of whole numbers there is none.

    >>> from attention_core import EXAMPLES, exactly
    >>> graph = EXAMPLES["love"].graph()
    >>> forms([exactly(graph, "S_scaled", 0, col).parts()[-1] for col in range(3)], "e")
    ['√a', 'a/√b']
    """
    return sorted(
        {form for number in numbers if (form := _form(number, base))},
        key=lambda form: (len(form), form),
    )


def _form(number: Expr, base: str) -> str:
    number = number.inside if isinstance(number, Negative) else number
    top, bottom = number, None
    if isinstance(number, Quotient):
        top, bottom = number.top, number.bottom
    if any(isinstance(node, Exp) for node in _nodes(number)):
        a, b, c = (raised(base, letter) for letter in "abc")
        above = f"(k·{a} + m·{b} + …)" if isinstance(top, Sum | Difference) else a
        return above if bottom is None else f"{above}/({a} + {b} + {c} + …)"
    if isinstance(top, Sum | Difference):
        return "(a + b·√c)" if bottom is None else "(a + b·√c)/d"
    above = "√a" if isinstance(top, Root) else "a·√b" if _has_root(top) else "a"
    if bottom is None:
        return "" if above == "a" else above  # a whole number has no form
    if isinstance(bottom, Root):
        return f"{above}/√b"
    return f"{above}/{'c' if above == 'a·√b' else 'b'}"


def _has_root(expression: Expr) -> bool:
    return any(isinstance(node, Root) for node in _nodes(expression))


def _nodes(expression: Expr) -> Iterator[Expr]:
    """The node and all below it."""
    yield expression
    for field in fields(expression):  # type: ignore[arg-type]
        found = getattr(expression, field.name)
        for child in found if isinstance(found, tuple) else (found,):
            if isinstance(child, Expr):
                yield from _nodes(child)
