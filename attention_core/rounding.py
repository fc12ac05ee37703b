"""The one place that rounds for display, and the ledger that says when rounding shows.

Values keep full precision. A number is rounded once, here, when it is shown. Where the shown terms
do not give the shown result, :func:`ledger_note` says so.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from attention_core.expression import Expr

MAX_DECIMALS = 6
_INTEGER_WITHIN = 1e-9
_PLAIN_BELOW = 1e6


@dataclass(frozen=True)
class Shown:
    """A number as it stands on screen, and the value that this text denotes."""

    text: str
    value: float


@lru_cache(maxsize=4096)
def show(value: float, decimals: int = 3) -> Shown:
    """Round a number for display.

    Integers show without decimals, other numbers with ``decimals`` of them, large ones as a power
    of ten. Halves round away from 0, as at school, also where a float misses the half by less than
    it can tell: 0.15·3. The minus sign is U+2212; −0 shows as 0.

    >>> [show(x).text for x in (5.0, -1.2345, 0.07, -0.0, 0.00001, float("-inf"))]
    ['5', '−1.235', '0.070', '0', '0.000', '−∞']
    >>> show(1234567.8).text, show(0.15 * 3, 1).text
    ('1.235×10⁶', '0.5')
    """
    if math.isinf(value):
        return Shown("∞" if value > 0 else "−∞", value)
    whole = round(value)
    near = abs(value - whole) <= _INTEGER_WITHIN and whole != 0
    if abs(value) >= _PLAIN_BELOW:
        return scientific(value, decimals)
    if near or value == 0:
        return Shown(_signed(str(whole)), float(whole))
    exact = Decimal(repr(_without_dust(value)))
    text = f"{exact.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP):f}"
    if float(text) == 0:
        text = text.lstrip("-")
    return Shown(_signed(text), float(text))


def _without_dust(value: float) -> float:
    """Floats multiply 0.15 and 3 to a little less than 0.45: at school it is exactly that."""
    return round(float(value), 12)


def as_given(value: float) -> Shown:
    """A number as one types it: without zeros at its end, and with no more than 6 decimals.

    One that is smaller than that, and not 0, is written as a power of ten.

    >>> [as_given(x).text for x in (2.0, -0.125, 0.1 + 0.2, 1 / 3, 1234567.5, float("-inf"), 2e-8)]
    ['2', '−0.125', '0.3', '0.333333', '1234567.5', '−∞', '2×10⁻⁸']
    """
    if math.isinf(value):
        return show(value)
    number = round(value, MAX_DECIMALS) + 0.0  # + 0.0: −0 is 0
    if value and not number:
        return scientific(value)
    return Shown(_signed(f"{number:.{MAX_DECIMALS}f}".rstrip("0").rstrip(".")), number)


def apart(one: float, other: float, decimals: int) -> tuple[Shown, Shown]:
    """Two numbers as they are shown, with more decimals where they would look alike and are not.

    >>> [shown.text for shown in apart(0.99997, 1.0, 3)]
    ['0.99997', '1']
    >>> [shown.text for shown in apart(0.5, 0.5, 3)]
    ['0.500', '0.500']
    """
    shown = [(show(one, d), show(other, d)) for d in range(decimals, MAX_DECIMALS + 1)]
    return next((pair for pair in shown if pair[0].value != pair[1].value), shown[0])


def scientific(value: float, decimals: int = 0) -> Shown:
    """A number as a power of ten, however small.

    >>> scientific(4.44e-16).text
    '4×10⁻¹⁶'
    """
    mantissa, power = f"{value:.{decimals}e}".split("e")
    exponent = str(int(power)).translate(_SUPERSCRIPTS)
    return Shown(_signed(f"{mantissa}×10{exponent}"), float(f"{mantissa}e{power}"))


_SUPERSCRIPTS = str.maketrans("0123456789-+", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺")


def _signed(text: str) -> str:
    return text.replace("-", "−")


def ledger_note(expression: Expr, result: float, decimals: int) -> str | None:
    """Say it when the shown terms, computed as shown, do not give the shown result.

    >>> from attention_core.expression import Num, Sum
    >>> ledger_note(Sum((Num(0.24826), Num(0.24826))), 0.49652, 3)
    '0.248 + 0.248 gives 0.496. Before rounding the result is 0.4965, shown as 0.497.'
    >>> ledger_note(Sum((Num(2.0), Num(1.0))), 3.0, 3) is None
    True
    """
    as_shown = _without_dust(expression.evaluate(lambda num: num.shown(decimals).value))
    wanted = show(result, decimals)
    # No number: the shown bottom of a quotient is 0.
    got = Shown("no number", as_shown) if math.isnan(as_shown) else show(as_shown, decimals)
    # Compared as values: «1.000» that denotes 1 is no disagreement with «1».
    if got.value == wanted.value:
        return None
    text = expression.text(decimals)
    terms = text if len(text) <= 80 else "The line with the numbers as shown"
    if wanted.value == _without_dust(result):
        return f"{terms} gives {got.text}. The result is exactly {wanted.text}."
    return (
        f"{terms} gives {got.text}. Before rounding the result is "
        f"{_finer(result, wanted, decimals).text}, shown as {wanted.text}."
    )


def _finer(result: float, wanted: Shown, decimals: int) -> Shown:
    """The result with as many more decimals as it takes to see that it rounds to what is shown.

    0.79747 rounds to 0.797; its own rounding 0.7975 would seem to round to 0.798.
    """
    for more in range(1, 7):
        finer = show(result, decimals + more)
        if finer.value != wanted.value and show(finer.value, decimals).value == wanted.value:
            return finer
    return show(result, decimals + 6)


def reach(expression: Expr, decimals: int) -> tuple[float, float]:
    """The lowest and highest result that hand arithmetic on rounded numbers can give.

    Each number may be off by half a unit of its last shown decimal. A source that rounds before it
    goes on prints a number inside this range, not necessarily the rounded true one.

    >>> from attention_core.expression import Exp, Num
    >>> low, high = reach(Exp(Num(2.886751)), 3)
    >>> low < 17.940 < high
    True
    """
    return expression.bounds(0.5 * 10.0**-decimals)
