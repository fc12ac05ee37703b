"""The expression tree of a derivation: one tree, read as text, LaTeX, a board line or a number.

Ops build trees; a :class:`Writer` turns them into something to look at. Brackets are decided here
once, by how tightly a node binds.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from attention_core.arithmetic import N, applied, divided, raised, root, total
from attention_core.rounding import Shown, show
from attention_core.writer import TextWriter, Writer

if TYPE_CHECKING:
    from attention_core.matrix import Cell

T = TypeVar("T")
SUM, PRODUCT, ATOM = 1, 2, 3


class Expr(ABC):
    """A node. ``binds`` tells how tightly it holds together (sum, product, atom)."""

    binds: int = ATOM

    @abstractmethod
    def write(self, writer: Writer[T]) -> T:
        """This node in the writer's notation."""

    @abstractmethod
    def evaluate(self, read: Callable[[Num], N]) -> N:
        """Its number, with ``read`` saying what each leaf is worth: in full, as shown, or exact."""

    @abstractmethod
    def bounds(self, slack: float) -> tuple[float, float]:
        """Lowest and highest value when every leaf that is not whole may be off by ``slack``."""

    @property
    def value(self) -> float:
        """Its number at full precision."""
        return self.evaluate(lambda num: num.value)

    @property
    def minus(self) -> bool:
        """Whether a minus stands before it."""
        return False

    def text(self, decimals: int = 3) -> str:
        """Plain text, as in ``2·2 + 0·1 + 1·1``."""
        return self.write(TextWriter(decimals))

    def _inside(self, child: Expr, writer: Writer[T], *, first: bool = False) -> T:
        """Write a child, in brackets where it binds no tighter than this node."""
        negative = child.minus and not first
        written = child.write(writer)
        return writer.bracket(written) if child.binds < self.binds or negative else written


@dataclass(frozen=True)
class Num(Expr):
    """A number, and the cell it came from (if any)."""

    number: float
    cell: Cell | None = None

    @property
    def value(self) -> float:
        return self.number

    @property
    def minus(self) -> bool:
        return self.value < 0

    def shown(self, decimals: int) -> Shown:
        """As it stands at the shown precision."""
        return show(self.value, decimals)

    def write(self, writer: Writer[T]) -> T:
        return writer.num(self)

    def evaluate(self, read: Callable[[Num], N]) -> N:
        return read(self)

    def bounds(self, slack: float) -> tuple[float, float]:
        if math.isinf(self.number) or self.number == round(self.number):
            return self.number, self.number
        return self.number - slack, self.number + slack


@dataclass(frozen=True)
class Sum(Expr):
    """Terms added up."""

    terms: tuple[Expr, ...]
    binds = SUM

    def write(self, writer: Writer[T]) -> T:
        parts = [self._inside(t, writer, first=k == 0) for k, t in enumerate(self.terms)]
        return parts[0] if len(parts) == 1 else writer.joined(parts, "+")

    def evaluate(self, read: Callable[[Num], N]) -> N:
        return total([t.evaluate(read) for t in self.terms])

    def bounds(self, slack: float) -> tuple[float, float]:
        lows, highs = zip(*(t.bounds(slack) for t in self.terms), strict=True)
        return sum(lows), sum(highs)


@dataclass(frozen=True)
class Difference(Expr):
    """One thing less another."""

    left: Expr
    right: Expr
    binds = SUM

    def write(self, writer: Writer[T]) -> T:
        right = self._inside(self.right, writer)
        right = writer.bracket(right) if self.right.binds == SUM else right
        return writer.joined([self._inside(self.left, writer, first=True), right], "−")

    def evaluate(self, read: Callable[[Num], N]) -> N:
        return self.left.evaluate(read) - self.right.evaluate(read)

    def bounds(self, slack: float) -> tuple[float, float]:
        (a, b), (c, d) = self.left.bounds(slack), self.right.bounds(slack)
        return a - d, b - c


@dataclass(frozen=True)
class Product(Expr):
    """Factors multiplied.

    ``sign`` is «·» between numbers, « · » between vectors, «×» between matrices, «∘» by entry,
    «↺» turned by.
    """

    factors: tuple[Expr, ...]
    sign: str = "·"
    binds = PRODUCT

    def write(self, writer: Writer[T]) -> T:
        # A negative factor always stands in brackets: the product may follow a plus.
        parts = [self._inside(f, writer) for f in self.factors]
        if not writer.stacks:  # 1 / 2·3 could be read as 1 / (2·3)
            pairs = zip(self.factors, parts, strict=True)
            parts = [writer.bracket(p) if isinstance(f, Quotient) else p for f, p in pairs]
        return writer.joined(parts, self.sign)

    def evaluate(self, read: Callable[[Num], N]) -> N:
        values: list[N] = [f.evaluate(read) for f in self.factors]
        return math.prod(values[1:], start=values[0])

    def bounds(self, slack: float) -> tuple[float, float]:
        low, high = 1.0, 1.0
        for factor in self.factors:
            a, b = factor.bounds(slack)
            corners = (low * a, low * b, high * a, high * b)
            low, high = min(corners), max(corners)
        return low, high


@dataclass(frozen=True)
class Quotient(Expr):
    """One thing divided by another."""

    top: Expr
    bottom: Expr
    binds = PRODUCT

    def write(self, writer: Writer[T]) -> T:
        top, bottom = self.top.write(writer), self.bottom.write(writer)
        if not writer.stacks:
            top = writer.bracket(top) if self.top.binds < PRODUCT else top
            bottom = writer.bracket(bottom) if self.bottom.binds < ATOM else bottom
        return writer.quotient(top, bottom)

    def evaluate(self, read: Callable[[Num], N]) -> N:
        top, bottom = self.top.evaluate(read), self.bottom.evaluate(read)
        return divided(top, bottom)

    def bounds(self, slack: float) -> tuple[float, float]:
        """Anything where the bottom may be 0; else it is positive, as roots and sums of e^x are."""
        a, b = self.top.bounds(slack)
        c, d = self.bottom.bounds(slack)
        if c <= 0:
            return -math.inf, math.inf
        corners = (a / c, a / d, b / c, b / d)
        return min(corners), max(corners)


@dataclass(frozen=True)
class Exp(Expr):
    """e to a power, or 2."""

    power: Expr
    base: int | None = None

    def write(self, writer: Writer[T]) -> T:
        base = "e" if self.base is None else str(self.base)
        return writer.exp(self.power.write(writer.small), base)

    def evaluate(self, read: Callable[[Num], N]) -> N:
        return raised(self.power.evaluate(read), self.base)

    def bounds(self, slack: float) -> tuple[float, float]:
        low, high = self.power.bounds(slack)
        return raised(low, self.base), raised(high, self.base)


@dataclass(frozen=True)
class Root(Expr):
    """A square root."""

    inside: Expr

    def write(self, writer: Writer[T]) -> T:
        return writer.root(self.inside.write(writer))

    def evaluate(self, read: Callable[[Num], N]) -> N:
        return root(self.inside.evaluate(read))

    def bounds(self, slack: float) -> tuple[float, float]:
        low, high = self.inside.bounds(slack)
        return math.sqrt(max(low, 0.0)), math.sqrt(high)


@dataclass(frozen=True)
class Function(Expr):
    """A function of one number between −1 and 1: sin and cos of an angle in radians, or tanh."""

    inside: Expr
    function: str

    def write(self, writer: Writer[T]) -> T:
        return writer.call(self.function, self.inside.write(writer))

    def evaluate(self, read: Callable[[Num], N]) -> N:
        return applied(self.function, self.inside.evaluate(read))

    def bounds(self, slack: float) -> tuple[float, float]:
        """None of them moves by more than what is inside does."""
        low, high = self.inside.bounds(slack)
        middle, reach = applied(self.function, (low + high) / 2), (high - low) / 2
        return max(middle - reach, -1.0), min(middle + reach, 1.0)
