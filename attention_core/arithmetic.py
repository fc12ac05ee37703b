"""What derivations compute with: floats, or exact numbers."""

from __future__ import annotations

import math
from typing import TypeVar

from attention_core.exact_number import ExactNumber, added
from attention_core.exact_terms import NotExact

N = TypeVar("N", float, ExactNumber)


def total(terms: list[N]) -> N:
    """The sum of some numbers, of which there is at least one."""
    if isinstance(terms[0], ExactNumber):
        return added(terms)
    return sum(terms[1:], terms[0])


def divided(top: N, bottom: N) -> N:
    """A quotient; of floats NaN where the bottom is 0."""
    if isinstance(top, ExactNumber):
        return top / bottom
    return math.nan if bottom == 0 else top / bottom


def root(inside: N) -> N:
    """The square root."""
    return inside.sqrt() if isinstance(inside, ExactNumber) else math.sqrt(inside)


def raised(power: N, base: int | None) -> N:
    """e or 2 to a power, ∞ where float64 ends: what is shown rounded up may lie beyond."""
    if isinstance(power, ExactNumber):
        return power.raised(base)
    try:
        return math.exp(power) if base is None else math.pow(base, power)
    except OverflowError:
        return math.inf


_FUNCTIONS = {
    "sin": (math.sin, "sine"),
    "cos": (math.cos, "cosine"),
    "tanh": (math.tanh, "hyperbolic tangent"),
}


def applied(function: str, inside: N) -> N:
    """A function of a number, such as its sine. Exact is only the 0 that it makes of 0."""
    compute, name = _FUNCTIONS[function]
    if isinstance(inside, ExactNumber):
        if inside.shares or function == "cos":
            raise NotExact(f"A {name} is not written out.")
        return inside
    return compute(inside)
