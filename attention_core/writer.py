"""Writers: what turns an expression tree into a notation, and the plain-text one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from attention_core.expression import Num
    from attention_core.formula import Name

T = TypeVar("T")
RUNNING = "ℓ"  # the index that a Σ runs over


class Writer(ABC, Generic[T]):
    """Turns a tree into one notation. ``decimals`` is the shown precision.

    ``stacks`` says that a quotient is drawn as a fraction, which needs no brackets.
    """

    stacks = True

    def __init__(self, decimals: int = 3) -> None:
        self.decimals = decimals

    @property
    def small(self) -> Writer[T]:
        """What writes exponents."""
        return self

    @abstractmethod
    def num(self, num: Num) -> T: ...
    @abstractmethod
    def name(self, name: Name) -> T: ...
    @abstractmethod
    def joined(self, parts: Sequence[T], sign: str) -> T: ...
    @abstractmethod
    def quotient(self, top: T, bottom: T) -> T: ...
    @abstractmethod
    def negative(self, inside: T) -> T: ...
    @abstractmethod
    def exp(self, power: T, base: str) -> T: ...
    @abstractmethod
    def root(self, inside: T) -> T: ...
    @abstractmethod
    def transposed(self, inside: T) -> T: ...
    @abstractmethod
    def call(self, function: str, inside: T) -> T:
        """A function of something; one of several words, as in «row 3», is read «row 3 of …»."""

    @abstractmethod
    def total(self, inside: T) -> T: ...
    @abstractmethod
    def bracket(self, inside: T) -> T: ...
    @abstractmethod
    def words(self, text: str) -> T: ...


class TextWriter(Writer[str]):
    """Plain text for copying, for speech and for people who read strings."""

    stacks = False

    def num(self, num: Num) -> str:
        return num.shown(self.decimals).text

    def name(self, name: Name) -> str:
        if name.row is None and name.col is None:
            return name.symbol.text
        if name.vector:
            return f"{name.symbol.vector}_{name.row if name.row is not None else name.col}"
        row = ":" if name.row is None else _label(name.row)
        col = ":" if name.col is None else _label(name.col)
        return f"{name.symbol.text}[{row}, {col}]"

    def joined(self, parts: Sequence[str], sign: str) -> str:
        return (sign if sign == "·" else f" {sign.strip()} ").join(parts)

    def quotient(self, top: str, bottom: str) -> str:
        return f"{top} / {bottom}"

    def negative(self, inside: str) -> str:
        return f"−{inside}"

    def exp(self, power: str, base: str) -> str:
        return f"{base}^{power}" if not set(power) & set(" ·+×") else f"{base}^({power})"

    def root(self, inside: str) -> str:
        return f"√{inside}" if not set(inside) & set(" ·+×") else f"√({inside})"

    def transposed(self, inside: str) -> str:
        return f"{inside}ᵀ"

    def call(self, function: str, inside: str) -> str:
        return f"{function} of {inside}" if " " in function else f"{function}({inside})"

    def total(self, inside: str) -> str:
        return f"Σ_{RUNNING} {inside}"

    def bracket(self, inside: str) -> str:
        return f"({inside})"

    def words(self, text: str) -> str:
        return text


def _label(text: str) -> str:
    """A label that could be taken for notation stands in quotes."""
    return text if text.strip(": ") else f"«{text}»"
