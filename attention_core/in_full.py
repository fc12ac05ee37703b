"""Numbers that stand as they were given, with all their decimals."""

from __future__ import annotations

from dataclasses import dataclass, fields

from attention_core.expression import Num
from attention_core.matrix import Cell, Matrix
from attention_core.rounding import Shown, as_given


@dataclass(frozen=True)
class Full(Num):
    """A number with all its decimals, whatever the shown precision is.

    >>> Full(0.3333).text(1), Num(0.3333).text(1)
    ('0.3333', '0.3')
    """

    def shown(self, decimals: int) -> Shown:
        return as_given(self.value)

    def bounds(self, slack: float) -> tuple[float, float]:
        return self.value, self.value


@dataclass(frozen=True, eq=False, repr=False)
class InFull(Matrix):
    """A matrix whose numbers stand with all their decimals in every derivation."""

    def num(self, row: int, col: int) -> Num:
        return Full(float(self.value[row, col]), Cell(self.key, row, col))


def in_full(matrix: Matrix) -> Matrix:
    """The same matrix, with all decimals of its numbers.

    >>> from attention_core.matrix import given
    >>> in_full(given("X", [[0.125]])).num(0, 0).text(1)
    '0.125'
    """
    return InFull(**{field.name: getattr(matrix, field.name) for field in fields(Matrix)})
