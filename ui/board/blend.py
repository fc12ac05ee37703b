"""How an output is mixed: every token's weight, and what it adds to one number."""

from __future__ import annotations

from typing import Any

from attention_core import Explanation
from attention_core.expression import Expr, Num, Product, Sum
from attention_core.rounding import ledger_note, show
from ui.board.math import MathWriter
from ui.whom import listed

# What rows of weights are: their role, and what one of their numbers is.
_WEIGHTS = frozenset({("a", "weight"), ("a", "hard weight")})
_EQUAL = 1e-9  # terms that differ by less than this part tie
_ROUNDED = "≈: computed from the numbers before they are rounded for display."


def blend(e: Explanation) -> dict[str, Any] | None:
    """The blend that a cell is, ready to be drawn; ``None`` for a cell that mixes nothing."""
    op, terms = e.matrix.op, _terms(e.expression)
    if op is None or op.name != "matmul" or e.undefined or not terms:
        return None
    down = e.matrix.by_column  # then O is V A, and the weights stand in columns
    weights = e.matrix.inputs[down]
    if (weights.symbol.role, weights.symbol.one) not in _WEIGHTS or weights.value.min() < 0:
        return None
    keys = weights.rows if down else weights.cols
    terms = [Product(term.factors[::-1]) for term in terms] if down else terms  # weight first
    names = [keys.unique(k) for k in range(keys.size)]
    products = [term.value for term in terms]
    most = _largest(products)
    parts = [
        _part(name, term, e.decimals) | {"most": k in most}
        for k, (name, term) in enumerate(zip(names, terms, strict=True))
    ]
    total = _sign(Sum(tuple(map(Num, products))), e.result, e.decimals)
    rounded = total != "=" or any(part["sign"] != "=" for part in parts)
    weight = sum(term.factors[0].value for term in terms)
    notes = (_ROUNDED if rounded else "", _all(weight, [part["share"] for part in parts]))
    return {
        "role": weights.symbol.role,
        "parts": parts,
        "sign": total,
        "result": e.shown,
        "words": _words(names, products, most, e.decimals),
        "note": " ".join(filter(None, notes)) or None,
    }


def _terms(expression: Expr) -> list[Product]:
    terms = expression.terms if isinstance(expression, Sum) else ()
    products = [term for term in terms if isinstance(term, Product)]
    return products if len(products) == len(terms) else []


def _part(name: str, term: Product, decimals: int) -> dict[str, Any]:
    weight = term.factors[0].value
    return {
        "token": name,
        "share": percent(weight),
        "width": round(100 * weight, 2),
        "term": term.write(MathWriter(decimals)),
        "sign": _sign(term, term.value, decimals),
        "product": show(term.value, decimals).text,
    }


def _sign(shown: Expr, result: float, decimals: int) -> str:
    """«=» where the numbers as shown give the result as shown, else «≈»."""
    return "=" if ledger_note(shown, result, decimals) is None else "≈"


def percent(share: float) -> str:
    """A share in whole per cent; what is neither nothing nor all is never called so.

    >>> [percent(share) for share in (0, 0.001, 0.7069, 0.9999, 1)]
    ['0 %', '< 1 %', '71 %', '> 99 %', '100 %']
    """
    if 0 < share < 0.005:
        return "< 1 %"
    if 0.995 <= share < 1:
        return "> 99 %"
    return f"{show(100 * share, 0).text} %"


def _all(weight: float, shares: list[str]) -> str:
    """What the shares add up to, or seem to, where that is not 100 %."""
    if abs(weight - 1) > _EQUAL:
        return f"The weights here add up to {percent(weight)}, not to 100 %."
    if any(share[0] in "<>" for share in shares):
        return ""
    total = sum(int(share.removesuffix(" %")) for share in shares)
    if total == 100:
        return ""
    return f"The weights are rounded to whole per cent: as they are shown they add up to {total} %."


def _largest(products: list[float]) -> list[int]:
    """The terms that add most, up or down."""
    top = max(map(abs, products))
    return [k for k, x in enumerate(products) if top > 0 and abs(x) >= top * (1 - _EQUAL)]


def _words(names: list[str], products: list[float], most: list[int], decimals: int) -> str:
    """Which token the number comes from."""
    if not most:
        return "Every term is 0, and so is the result."
    quoted = [f"«{names[k]}»" for k in most]
    who = listed(quoted)
    if min(products) < 0 < max(products):
        what = "is the largest term" if len(most) == 1 else "are the largest terms"
        shown = " and ".join(dict.fromkeys(show(products[k], decimals).text for k in most))
        return f"{shown}, from {who}, {what}; terms of the other sign take some of it away."
    if len(most) == 1 and not any(x for k, x in enumerate(products) if k not in most):
        return f"All of this number comes from {who}."
    each = f"{percent(products[most[0]] / sum(products))} of this number comes from "
    return each + (who if len(most) == 1 else f"each of {who}") + "."
