"""The nodes of a derivation that stand in formulas only: symbols, and functions of symbols."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from attention_core.arithmetic import N
from attention_core.expression import PRODUCT, Expr, Num
from attention_core.symbols import Symbol
from attention_core.writer import Writer

T = TypeVar("T")


class Symbolic(Expr):
    """A node that stands in formulas only and has no number."""

    def evaluate(self, read: Callable[[Num], N]) -> N:
        raise TypeError(f"{self.text()} is a symbol and has no number")

    def bounds(self, slack: float) -> tuple[float, float]:
        raise TypeError(f"{self.text()} is a symbol and has no number")


@dataclass(frozen=True)
class Name(Symbolic):
    """A matrix, a row, a column or an entry of it. ``vector`` writes a row as q, k, v …"""

    symbol: Symbol
    row: str | None = None
    col: str | None = None
    vector: bool = False

    def write(self, writer: Writer[T]) -> T:
        return writer.name(self)


@dataclass(frozen=True)
class Transposed(Symbolic):
    """A matrix with rows and columns swapped."""

    inside: Expr

    def write(self, writer: Writer[T]) -> T:
        inside = self.inside.write(writer)
        twice = isinstance(self.inside, Name) and self.inside.symbol.sup
        return writer.transposed(writer.bracket(inside) if twice else inside)


@dataclass(frozen=True)
class Call(Symbolic):
    """A named function of a matrix or a row, such as softmax."""

    inside: Expr
    function: str

    def write(self, writer: Writer[T]) -> T:
        of = self.inside  # the brackets of the call are enough for matrices side by side
        inside = of.joined(writer) if isinstance(of, Beside) else of.write(writer)
        return writer.call(self.function, inside)


@dataclass(frozen=True)
class Total(Symbolic):
    """Σ over the running index."""

    inside: Expr
    binds = PRODUCT

    def write(self, writer: Writer[T]) -> T:
        return writer.total(self.inside.write(writer))


@dataclass(frozen=True)
class Beside(Symbolic):
    """Matrices as one: side by side with «|», one above another with «;»."""

    parts: tuple[Expr, ...]
    sign: str = "|"

    def write(self, writer: Writer[T]) -> T:
        return writer.bracket(self.joined(writer))

    def joined(self, writer: Writer[T]) -> T:
        """The parts without brackets around them."""
        return writer.joined([part.write(writer) for part in self.parts], self.sign)
