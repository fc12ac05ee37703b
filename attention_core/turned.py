"""A matrix seen with rows and columns swapped."""

from __future__ import annotations

from dataclasses import dataclass

from attention_core.expression import Num
from attention_core.formula import Name
from attention_core.matrix import Matrix
from attention_core.symbols import Symbol
from attention_core.writer import RUNNING


@dataclass(frozen=True, eq=False, repr=False)
class Turned(Matrix):
    """A matrix seen with rows and columns swapped, which names every cell as ``of`` does.

    Through it an op that works row by row works on columns, and its derivation speaks of them.
    """

    of: Matrix | None = None

    @property
    def _whole(self) -> Matrix:
        assert self.of is not None
        return self.of

    @property
    def symbol(self) -> Symbol:
        return self._whole.symbol

    @property
    def line(self) -> str:
        return "column"

    @property
    def turned(self) -> Matrix:
        return self._whole

    def num(self, row: int, col: int) -> Num:
        return self._whole.num(col, row)

    def entry_name(self, row: int, col: int) -> Name:
        return self._whole.entry_name(col, row)

    def row_name(self, row: int) -> Name:
        return self._whole.col_name(row)

    def col_name(self, col: int) -> Name:
        return self._whole.row_name(col)

    def any_name(self, row: int) -> Name:
        return Name(self.symbol, RUNNING, self.rows.unique(row))
