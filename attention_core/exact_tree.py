"""Exact numbers as expression trees, which every writer can write."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from attention_core.arithmetic import N
from attention_core.exact_number import ExactNumber, Share
from attention_core.exact_terms import Factor, Power
from attention_core.expression import (
    PRODUCT,
    Difference,
    Exp,
    Expr,
    Num,
    Product,
    Quotient,
    Root,
    Sum,
)
from attention_core.rounding import Shown
from attention_core.writer import Writer

T = TypeVar("T")
_Signed = tuple[bool, Expr]  # whether it is subtracted, and what


@dataclass(frozen=True)
class Whole(Num):
    """A whole number with all its digits, however many they are.

    >>> Whole(12345678).text(), Num(12345678).text()
    ('12345678', '1.235×10⁷')
    """

    number: int

    def shown(self, decimals: int) -> Shown:
        return Shown(str(self.number).replace("-", "−"), self.number)


@dataclass(frozen=True)
class Negative(Expr):
    """Something with a minus before it."""

    inside: Expr
    binds = PRODUCT

    @property
    def minus(self) -> bool:
        return True

    def write(self, writer: Writer[T]) -> T:
        return writer.negative(self._inside(self.inside, writer))

    def evaluate(self, read: Callable[[Num], N]) -> N:
        return -self.inside.evaluate(read)

    def bounds(self, slack: float) -> tuple[float, float]:
        low, high = self.inside.bounds(slack)
        return -high, -low


@dataclass(frozen=True)
class More(Expr):
    """What is left of a sum, in words."""

    terms: int

    def write(self, writer: Writer[T]) -> T:
        return writer.words(f"… ({self.terms} more terms)")

    def evaluate(self, read: Callable[[Num], N]) -> N:
        raise TypeError("what stands in words has no number")

    def bounds(self, slack: float) -> tuple[float, float]:
        raise TypeError("what stands in words has no number")


def tree(number: ExactNumber, most: int | None = None) -> Expr:
    """The number as a tree; of each sum only the first ``most`` terms, and in words the rest.

    >>> from attention_core.exact_number import exact
    >>> tree(exact(5) / exact(3).sqrt()).text(), tree(exact(3) / exact(3).sqrt()).text()
    ('5 / √3', '√3')
    >>> powers = [(exact(x) / exact(3).sqrt()).raised() for x in range(5)]
    >>> tree(sum(powers, exact(0)), most=2).text()
    '1 + e^(1 / √3) + … (3 more terms)'
    """
    if number.blocked:
        return Num(-math.inf)
    return _sum([_share(share, most) for share in number.shares], most)


def in_short(terms: Sequence[Expr], most: int | None) -> Expr:
    """Terms added up; of more than ``most`` the first ones, and in words how many more."""
    return _sum([(False, term) for term in terms], most)


def _share(share: Share, most: int | None) -> _Signed:
    terms = [_term(*term) for term in share.top]
    minus = all(negative for negative, _ in terms)
    top = _sum([(negative and not minus, term) for negative, term in terms], most)
    if not share.bottom:
        return minus, top
    bottom = [_sum([_term(*term) for term in factor], most) for factor in share.bottom]
    return minus, Quotient(top, bottom[0] if len(bottom) == 1 else Product(tuple(bottom)))


def _sum(terms: Sequence[_Signed], most: int | None) -> Expr:
    """Terms added and subtracted. A term that is added comes first, where there is one."""
    if not terms:
        return Whole(0)
    first = next((k for k, (negative, _) in enumerate(terms) if not negative), 0)
    in_order = [terms[first], *terms[:first], *terms[first + 1 :]]
    # «1 more term» would not be shorter than the term.
    shown = len(terms) if most is None or len(terms) <= most + 1 else most
    (negative, start), *others = in_order[:shown]
    total = _negative(start) if negative else start
    for negative, term in others:
        total = Difference(total, term) if negative else _added(total, term)
    return total if shown == len(terms) else _added(total, More(len(terms) - shown))


def _added(total: Expr, term: Expr) -> Expr:
    return Sum((*total.terms, term) if isinstance(total, Sum) else (total, term))


def _negative(of: Expr) -> Expr:
    return Whole(-of.number) if isinstance(of, Whole) else Negative(of)


def _term(factor: Factor, number: Fraction) -> _Signed:
    """One term without its sign: a fraction, a root and powers, with little below the line."""
    size, root, two = abs(number), factor.root, factor.two
    if two:  # 8·2^(1/4) is better known as 2^(13/4)
        whole = _twos(size.numerator) - _twos(size.denominator)
        size, two = size / Fraction(2) ** whole, _raised_by(two, whole)
    below: list[Expr] = []
    # 5·√3/3 is 5/√3: the root stands where it makes the whole number below smaller.
    if root > 1 and (size * root).denominator < size.denominator:
        size *= root
        below.append(Root(Whole(root)))
        root = 1
    above: list[Expr] = [Root(Whole(root))] if root > 1 else []
    above += [Exp(_power(p), base) for p, base in ((two, 2), (factor.e, None)) if p]
    if size.numerator > 1 or not above:
        above.insert(0, Whole(size.numerator))
    if size.denominator > 1:
        below.insert(0, Whole(size.denominator))
    top = _product(above)
    return number < 0, Quotient(top, _product(below)) if below else top


def _product(factors: Sequence[Expr]) -> Expr:
    return factors[0] if len(factors) == 1 else Product(tuple(factors))


def _power(power: Power) -> Expr:
    return _sum([_term(Factor(root), number) for root, number in power], None)


def _raised_by(two: Power, whole: int) -> Power:
    exponent = dict(two)
    exponent[1] = exponent.get(1, Fraction(0)) + whole
    return tuple(sorted((root, number) for root, number in exponent.items() if number))


def _twos(number: int) -> int:
    """How often 2 divides a number."""
    return (number & -number).bit_length() - 1
