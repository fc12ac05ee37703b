"""Exact numbers: fractions, square roots, powers of e and 2, and quotients of sums of these.

What attention makes of whole numbers is such a number: scores are integers, scaled scores are
fractions over a root, and weights are powers of e over sums of powers of e.
"""

from __future__ import annotations

import decimal
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from attention_core.exact_terms import (
    ONE,
    Factor,
    NotExact,
    Terms,
    as_decimal,
    collected,
    inverse,
    multiplied,
    out_of_root,
    reduced,
)

_SHORT = 1000  # a given number with more than three decimals counts as rounded …
_HALVED = 1024  # … but 1/16, halved four times, is exact
_DIGITS = 60


class Share(NamedTuple):
    """A quotient. Below stands a product of sums of two terms or more; () is 1."""

    top: Terms
    bottom: tuple[Terms, ...] = ()


@dataclass(frozen=True, eq=False)
class ExactNumber:
    """A sum of quotients, each over a bottom of its own; () is 0. ``blocked`` says that it is −∞.

    >>> from attention_core import EXAMPLES, exactly
    >>> graph = EXAMPLES["love"].graph()
    >>> score = exactly(graph, "S_scaled", 0, 1).value
    >>> float(score), (score * score).fraction
    (2.8867513459481287, Fraction(25, 3))
    >>> first, second, third = (exactly(graph, "A", 0, key).value for key in range(3))
    >>> (first + second + third).fraction
    Fraction(1, 1)
    """

    shares: tuple[Share, ...] = ()
    blocked: bool = False

    def __add__(self, other: ExactNumber) -> ExactNumber:
        return added((self, other))

    def __neg__(self) -> ExactNumber:
        return self * exact(-1)

    def __sub__(self, other: ExactNumber) -> ExactNumber:
        return self + -other

    def __mul__(self, other: ExactNumber) -> ExactNumber:
        _refuse_infinity(self, other)
        return _number(_product(one, another) for one in self.shares for another in other.shares)

    def __truediv__(self, other: ExactNumber) -> ExactNumber:
        _refuse_infinity(self, other)
        if not other.shares:
            raise NotExact("Nothing can be divided by 0.")
        if len(other.shares) > 1:
            raise NotExact("It is divided by a sum of quotients, which is not written out.")
        return _number(_divided(share, other.shares[0]) for share in self.shares)

    def __eq__(self, other: object) -> bool:
        """Whether two numbers are told to be the same: a root left below hides it."""
        if not isinstance(other, ExactNumber) or self.blocked or other.blocked:
            return isinstance(other, ExactNumber) and self.blocked == other.blocked
        return not (self - other).shares

    def raised(self, base: int | None = None) -> ExactNumber:
        """e (or ``base``, which can be 2) to the power of this."""
        if self.blocked:
            return ExactNumber()
        power: list[tuple[int, Fraction]] = []
        for share in self.shares:
            for factor, number in share.top:
                if share.bottom or factor.e or factor.two:
                    raise NotExact("An exponent holds powers itself, and is not written out.")
                power.append((factor.root, number))
        raised = tuple(sorted(power))
        term = (Factor(e=raised), Fraction(1)) if base is None else reduced(1, (), raised)
        return _number([Share((term,))])

    def sqrt(self) -> ExactNumber:
        """The square root, of a fraction."""
        number = self.fraction
        if number is None or number < 0:
            raise NotExact("A root of anything but a fraction is not written out.")
        outside, root = out_of_root(number.numerator * number.denominator)
        return _number([Share(((Factor(root), Fraction(outside, number.denominator)),))])

    @property
    def plain(self) -> bool:
        """Whether it is one sum, with no sum below it."""
        return not self.blocked and not any(share.bottom for share in self.shares)

    @property
    def fraction(self) -> Fraction | None:
        """The number where it is a fraction."""
        if self.blocked or len(self.shares) > 1:
            return None
        if not self.shares:
            return Fraction(0)
        ((top, bottom),) = self.shares
        alone = not bottom and len(top) == 1 and top[0][0] == ONE
        return top[0][1] if alone else None

    def decimal(self) -> Decimal:
        """The number to some fifty digits, however large its powers are."""
        if self.blocked:
            return Decimal("-Infinity")
        context = decimal.Context(prec=_DIGITS, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN)
        with decimal.localcontext(context):
            quotients = (
                as_decimal(top) / math.prod(map(as_decimal, bottom), start=Decimal(1))
                for top, bottom in self.shares
            )
            return sum(quotients, Decimal(0))

    def __float__(self) -> float:
        return float(self.decimal())


MINUS_INFINITY = ExactNumber(blocked=True)


def exact(number: float | Fraction) -> ExactNumber:
    """A number as it was given: a fraction, whole, halved up to ten times, or of three decimals.

    Errors: :class:`NotExact` for a float with more decimals, which may be a rounded number.

    >>> exact(2.5).fraction
    Fraction(5, 2)
    >>> exact(0.3333)
    Traceback (most recent call last):
    ...
    attention_core.exact_terms.NotExact: 0.3333 has more than three decimals, so it may be rounded.
    """
    if number == -math.inf:
        return MINUS_INFINITY
    if isinstance(number, float):
        if not math.isfinite(number):
            raise NotExact(f"{number} is no number to compute with.")
        given = Fraction(repr(float(number)))
        if _SHORT % given.denominator and _HALVED % given.denominator:
            text = repr(float(number)).replace("-", "−")
            raise NotExact(f"{text} has more than three decimals, so it may be rounded.")
        number = given
    return _number([Share(((ONE, Fraction(number)),))])


def added(numbers: Sequence[ExactNumber]) -> ExactNumber:
    """The sum of some numbers, in one go: quotients are brought together once."""
    if any(number.blocked for number in numbers):
        return MINUS_INFINITY
    return _number(share for number in numbers for share in number.shares)


def _refuse_infinity(*numbers: ExactNumber) -> None:
    if any(number.blocked for number in numbers):
        raise NotExact("−∞ is no number to compute with.")


def _product(one: Share, another: Share) -> Share:
    """The product, with what cancels crosswise left out before it is multiplied out."""
    top, below = _cancelled(Share(one.top, another.bottom))
    more, under = _cancelled(Share(another.top, one.bottom))
    return Share(multiplied(top, more), below + under)


def _divided(share: Share, by: Share) -> Share:
    top, left = share.top, [*share.bottom]
    for factor in by.bottom:
        same = next((other for other in left if frozenset(other) == frozenset(factor)), None)
        if same is None:
            top = multiplied(top, factor)
        else:
            left.remove(same)
    if len(by.top) == 1:
        return Share(multiplied(top, inverse(by.top)), tuple(left))
    return Share(top, (*left, by.top))


def _number(shares: Iterable[Share]) -> ExactNumber:
    """The sum of some quotients: those over one bottom as one, and each as short as it gets."""
    waiting = list(shares)
    while True:
        merged: dict[tuple[frozenset[tuple[Factor, Fraction]], ...], Share] = {}
        for top, unsorted in waiting:
            bottom = tuple(sorted(unsorted, key=sorted)) if len(unsorted) > 1 else unsorted
            over = tuple(map(frozenset, bottom))
            top = (*merged[over].top, *top) if over in merged else top
            merged[over] = Share(top, bottom)
        simple = [_cancelled(Share(collected(top), bottom)) for top, bottom in merged.values()]
        waiting = [share for share in simple if share.top]
        # What was cancelled may now stand over the bottom of another one.
        if len({share.bottom for share in waiting}) == len(waiting):
            return ExactNumber(tuple(waiting))


def _cancelled(share: Share) -> Share:
    """Without a sum below, where what stands above is that sum times one term."""
    top, left = share
    above = set(top)
    for at, factor in enumerate(left):
        if len(factor) != len(top):
            continue
        for term in factor:
            ratio = multiplied(top[:1], inverse((term,)))
            # One after the other: the first product that is not above ends it.
            if all(multiplied((other,), ratio)[0] in above for other in factor):
                return Share(ratio, left[:at] + left[at + 1 :])
    return share
