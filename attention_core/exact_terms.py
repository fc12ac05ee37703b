"""Sums of roots and of powers of e and 2, with fractions in front of them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

_MOST_TERMS = 400  # a longer sum is not worked out
_HIGHEST = 256  # nor a higher power of 2
_TRIED = 1000  # divisors up to here are tried when squares are taken out of a root

Power = tuple[tuple[int, Fraction], ...]
"""An exponent, Σ fraction·√root in ascending order of the roots; () is 0."""


class NotExact(ValueError):  # noqa: N818 - a reason, not a fault
    """Why a number has no exact form, as a sentence."""


class Factor(NamedTuple):
    """√root · e^e · 2^two, in the one form that it has.

    No square is left in the root, and of the exponent of 2 nothing that is whole or a lone half.
    """

    root: int = 1
    e: Power = ()
    two: Power = ()


ONE = Factor()
Terms = tuple[tuple[Factor, Fraction], ...]
"""A sum of factors with their coefficients, none of them 0, in the order they came up."""
UNIT: Terms = ((ONE, Fraction(1)),)


def collected(terms: Iterable[tuple[Factor, Fraction]]) -> Terms:
    """Equal factors as one term, in the order they came up."""
    found: dict[Factor, Fraction] = {}
    for factor, number in terms:
        found[factor] = found[factor] + number if factor in found else number
    kept = tuple((factor, number) for factor, number in found.items() if number)
    if len(kept) > _MOST_TERMS:
        raise NotExact(f"The exact form has more than {_MOST_TERMS} terms.")
    return kept


def multiplied(left: Terms, right: Terms) -> Terms:
    """The product of two sums, term by term."""
    if len(left) * len(right) > 40 * _MOST_TERMS:
        raise NotExact(f"The exact form has more than {_MOST_TERMS} terms.")
    if right == UNIT:
        return left
    return collected(
        (factor, a * b * more)
        for f, a in left
        for g, b in right
        for factor, more in (_together(f, g),)
    )


def _together(f: Factor, g: Factor) -> tuple[Factor, Fraction]:
    """The product of two factors, and the fraction that comes out of its root and powers."""
    shared = math.gcd(f.root, g.root)
    root = f.root * g.root // shared**2
    factor, more = reduced(root, _summed(f.e, g.e), _summed(f.two, g.two))
    return factor, more * shared


def inverse(terms: Terms) -> Terms:
    """1 over a single term."""
    ((factor, number),) = terms
    e, two = (tuple((root, -x) for root, x in power) for power in (factor.e, factor.two))
    flipped, more = reduced(factor.root, e, two)
    return ((flipped, more / (number * factor.root)),)


def _summed(left: Power, right: Power) -> Power:
    if not left or not right:
        return left or right
    found = dict(left)
    for root, number in right:
        found[root] = found.get(root, Fraction(0)) + number
    return tuple(sorted((root, number) for root, number in found.items() if number))


def reduced(root: int, e: Power, two: Power) -> tuple[Factor, Fraction]:
    """√root · e^e · 2^two in its one form, and the fraction that comes out of it."""
    if not two:
        return Factor(root, e), Fraction(1)
    exponent = dict(two)
    rest = exponent.pop(1, Fraction(0))
    if root % 2 == 0:  # √2 is a power of 2
        root, rest = root // 2, rest + Fraction(1, 2)
    whole = math.floor(rest)
    if abs(whole) > _HIGHEST:
        raise NotExact(f"A power of 2 beyond {_HIGHEST} is not written out.")
    rest -= whole
    if rest == Fraction(1, 2) and not exponent:
        root, rest = root * 2, Fraction(0)
    if rest:
        exponent[1] = rest
    return Factor(root, e, tuple(sorted(exponent.items()))), Fraction(2) ** whole


def out_of_root(number: int) -> tuple[int, int]:
    """√number as a whole number times the root of one without squares.

    >>> out_of_root(12), out_of_root(0)
    ((2, 3), (0, 1))
    """
    if number == 0:
        return 0, 1
    outside, root, rest = 1, 1, number
    for divisor in range(2, _TRIED):
        if divisor * divisor > rest:
            break
        while rest % divisor**2 == 0:
            outside, rest = outside * divisor, rest // divisor**2
        if rest % divisor == 0:
            root, rest = root * divisor, rest // divisor
    if math.isqrt(rest) ** 2 == rest:
        return outside * math.isqrt(rest), root
    if rest >= _TRIED**3:  # larger divisors may be in it twice
        raise NotExact("The root of so large a number is not written out.")
    return outside, root * rest


def as_decimal(terms: Terms) -> Decimal:
    """The sum to the digits of the context in use."""
    total = Decimal(0)
    for factor, number in terms:
        value = Decimal(number.numerator) / number.denominator * Decimal(factor.root).sqrt()
        power = _exponent(factor.e) + _exponent(factor.two) * Decimal(2).ln()
        total += value * power.exp()
    return total


def _exponent(power: Power) -> Decimal:
    terms = (Decimal(x.numerator) / x.denominator * Decimal(root).sqrt() for root, x in power)
    return sum(terms, Decimal(0))
