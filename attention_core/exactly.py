"""What a cell is exactly: its derivation, computed with exact numbers instead of floats.

No op has a word to say about it. The derivation of a cell is a tree whose leaves are numbers with
the cells they came from; here the same tree is computed with the exact numbers of those cells.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from typing import Any

from attention_core.exact_number import ExactNumber, exact
from attention_core.exact_terms import NotExact
from attention_core.exact_tree import in_short, tree
from attention_core.explain import Explanation
from attention_core.expression import Exp, Expr, Num, Quotient, Sum
from attention_core.graph import Graph
from attention_core.latex import latex
from attention_core.matrix import Matrix

_Known = dict[tuple[Matrix, int, int], ExactNumber | NotExact]
_SAYS = "exactly: "


@dataclass(frozen=True, repr=False)
class Exactly:
    """One cell without rounding.

    >>> from attention_core import EXAMPLES
    >>> graph = EXAMPLES["love"].graph()
    >>> print(exactly(graph, "S_scaled", 0, 1))
    exactly: S_scaled[I, love] = 5 / √3
    >>> print(exactly(graph, "A", 0, 1))
    exactly: A[I, love] = e^(5 / √3) / (e^(1 / √3) + e^(5 / √3) + e^√3)
    >>> print(exactly(graph, "A", 1, 0))
    exactly: A[love, I] = e^√3 / (e^√3 + e^√3 + e^√3) = e^√3 / (3·e^√3) = 1 / 3
    """

    explanation: Explanation
    known: _Known

    @cached_property
    def _found(self) -> ExactNumber | NotExact:
        e = self.explanation
        return _value(e.matrix, e.row, e.col, self.known)

    @property
    def value(self) -> ExactNumber | None:
        """The number, where it has an exact form."""
        return None if isinstance(self._found, NotExact) else self._found

    @property
    def words(self) -> str | None:
        """Why it has no exact form, where it has none."""
        return str(self._found) if isinstance(self._found, NotExact) else None

    def parts(self, most: int | None = None) -> tuple[Expr, ...]:
        """What stands between the signs of equality, up to the number itself.

        Of a sum only the first ``most`` terms, and in words how many more there are.
        """
        every, kept = self._whole
        parts = every if most is None else self._all(most)
        return tuple(parts[k] for k in kept)

    @cached_property
    def _whole(self) -> tuple[tuple[Expr, ...], tuple[int, ...]]:
        """All parts in full, and which of them read unlike the derivation and what follows."""
        parts = self._all(None)
        texts = [part.text() for part in parts]
        said = self.explanation.substituted
        last = len(parts) - 1
        kept = (k for k, t in enumerate(texts) if k == last or t not in (said, *texts[k + 1 :]))
        return parts, tuple(kept)

    def _all(self, most: int | None) -> tuple[Expr, ...]:
        """The derivation with exact numbers put in, its quotient worked out, and the number."""
        if self.value is None:
            return ()
        return (*self._way(most), tree(self.value, most))

    def _way(self, most: int | None) -> tuple[Expr, ...]:
        """What leads to the number. Nothing where a number in it is a quotient of sums.

        It would be longer than it helps.
        """
        e, expression = self.explanation, self.explanation.expression
        nothing = isinstance(expression, Quotient) and _is_blocked(expression.top)
        if e.given or e.undefined or nothing:
            return ()
        read = _reader(e.matrix, self.known)
        if not all(read(leaf).plain for leaf in _leaves(expression)):
            return ()
        put_in = _put_in(expression, lambda leaf: tree(read(leaf), most), most)
        if not isinstance(expression, Quotient):
            return (put_in,)
        top, bottom = (side.evaluate(read) for side in (expression.top, expression.bottom))
        return put_in, Quotient(tree(top, most), tree(bottom, most))

    @property
    def text(self) -> str:
        """The line as plain text; why there is none, where there is none."""
        if self.value is None:
            return f"{self.words}"
        name = self.explanation.matrix.entry_name(self.explanation.row, self.explanation.col)
        return _SAYS + " = ".join(part.text() for part in (name, *self.parts()))

    @property
    def latex(self) -> str:
        r"""The line as LaTeX, without words.

        >>> from attention_core import EXAMPLES
        >>> exactly(EXAMPLES["love"].graph(), "S_scaled", 0, 1).latex
        '(S_{\\text{scaled}})_{\\text{I},\\text{love}} = \\frac{5}{\\sqrt{3}}'
        """
        if self.value is None:
            return ""
        name = self.explanation.matrix.entry_name(self.explanation.row, self.explanation.col)
        return " = ".join(map(latex, (name, *self.parts())))

    def __repr__(self) -> str:
        return f"<{self.text}>"

    def __str__(self) -> str:
        return self.text


def exactly(graph: Graph, key: str, row: int, col: int) -> Exactly:
    """What a cell is without rounding: a fraction, a root, powers of e over their sum.

    Given numbers count as exact where they are whole or have at most three decimals. What is made
    of others has no exact form here, and ``words`` say why.

    >>> from attention_core import EXAMPLES
    >>> graph = EXAMPLES["love"].graph()
    >>> exactly(graph, "O", 0, 0).text, float(exactly(graph, "S_scaled", 0, 1).value)
    ('exactly: O[I, 1] = 1', 2.8867513459481287)
    >>> exactly(EXAMPLES["love"].graph(scale=0.3333), "A", 0, 0).words
    '0.3333 has more than three decimals, so it may be rounded.'
    """
    return Exactly(Explanation(graph[key], row, col), _known(graph))


@lru_cache(maxsize=8)
def _known(graph: Graph) -> _Known:
    """What was found of a graph: each cell is worked out once."""
    return {}


def _value(matrix: Matrix, row: int, col: int, known: _Known) -> ExactNumber | NotExact:
    at = (matrix, row, col)
    if at not in known:
        try:
            if matrix.op is None:
                known[at] = exact(float(matrix.value[row, col]))
            else:
                expression = matrix.op.explain(matrix, row, col).expression
                known[at] = expression.evaluate(_reader(matrix, known))
        except NotExact as why:
            known[at] = why
    return known[at]


def _reader(matrix: Matrix, known: _Known) -> Callable[[Num], ExactNumber]:
    """What the leaves of a derivation are exactly: numbers of the inputs, and constants."""
    inputs = {m.key: m for m in matrix.inputs}

    def read(leaf: Num) -> ExactNumber:
        if leaf.cell is None:
            return exact(leaf.value)
        found = _value(inputs.get(leaf.cell.symbol, matrix), *leaf.cell[1:], known)
        if isinstance(found, NotExact):
            raise found
        return found

    return read


def _leaves(expression: Expr) -> list[Num]:
    found: list[Num] = []

    def note(leaf: Num) -> Num:
        found.append(leaf)
        return leaf

    _put_in(expression, note)
    return found


def _put_in(expression: Expr, put: Callable[[Num], Expr], most: int | None = None) -> Expr:
    """The same tree with other leaves, and without what a blocked key adds to a sum: nothing."""
    if isinstance(expression, Num):
        return put(expression)
    changed: dict[str, Any] = {}
    for field in fields(expression):  # type: ignore[arg-type]
        found = getattr(expression, field.name)
        if isinstance(found, tuple):
            open_ones = [x for x in found if not _is_blocked(x)] or found
            changed[field.name] = tuple(_put_in(x, put, most) for x in open_ones)
        elif isinstance(found, Expr):
            changed[field.name] = _put_in(found, put, most)
    if isinstance(expression, Sum):
        return in_short(changed["terms"], most)
    return replace(expression, **changed)  # type: ignore[type-var]


def _is_blocked(term: Expr) -> bool:
    return isinstance(term, Exp) and any(leaf.value == -math.inf for leaf in _leaves(term))
