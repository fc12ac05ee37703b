"""A worksheet done with a calculator: what one gets from the numbers as they stand on paper."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, field

from attention_core.explain import Explanation
from attention_core.expression import Num
from attention_core.in_full import InFull
from attention_core.matrix import Cell, Matrix
from attention_core.rounding import Shown, show


@dataclass(frozen=True)
class ByHand:
    """Somebody who fills in ``blanks``, and writes ``decimals`` of a number.

    Printed numbers are taken as they are printed. With ``rounds`` one goes on with what one has
    written, too, and without it with the unrounded number.

    >>> from attention_core import EXAMPLES, worksheet
    >>> sheet = worksheet(EXAMPLES["love"].graph(), decimals=1)
    >>> blanks = [why.cell for why in sheet.blanks]
    >>> A = sheet.graph["A"]
    >>> [round(ByHand(blanks, 1, r).number(A, 2, 0), 3) for r in (False, True)]
    [0.168, 0.2]
    """

    blanks: Collection[Cell]
    decimals: int
    rounds: bool
    _known: dict[Cell, float] = field(default_factory=dict, compare=False, repr=False)

    def number(self, matrix: Matrix, row: int, col: int) -> float:
        """The number that one goes on with."""
        cell = Cell(matrix.key, row, col)
        if cell not in self._known:
            self._known[cell] = self._find(matrix, cell)
        return self._known[cell]

    def answer(self, why: Explanation) -> Shown | None:
        """What one writes into a blank cell; ``None`` where it is no number, such as 0/0."""
        number = self._worked_out(why.matrix, why.row, why.col)
        return None if math.isnan(number) else show(number, self.decimals)

    def _find(self, matrix: Matrix, cell: Cell) -> float:
        number = matrix.num(cell.row, cell.col)
        if matrix.op is None or isinstance(matrix, InFull):
            return number.shown(self.decimals).value
        source = matrix.op.explain(matrix, cell.row, cell.col).expression
        if cell not in self.blanks and not isinstance(source, Num):  # not only read off
            return number.shown(self.decimals).value
        found = self._worked_out(matrix, cell.row, cell.col)
        rounds = self.rounds and cell in self.blanks and math.isfinite(found)
        return show(found, self.decimals).value if rounds else found

    def _worked_out(self, matrix: Matrix, row: int, col: int) -> float:
        """The derivation of a cell, computed from the numbers that one goes on with."""
        assert matrix.op is not None, "a blank cell is computed"
        inputs = {m.key: m for m in matrix.inputs}

        def read(leaf: Num) -> float:
            if leaf.cell is None or leaf.cell.symbol not in inputs:
                return leaf.shown(self.decimals).value
            return self.number(inputs[leaf.cell.symbol], leaf.cell.row, leaf.cell.col)

        return matrix.op.explain(matrix, row, col).expression.evaluate(read)


def also_right(why: Explanation, hands: Collection[ByHand]) -> tuple[Shown, ...]:
    """Other numbers that one can get for a blank cell: from rounded numbers, or by other hands."""
    as_shown = why.expression.evaluate(lambda num: num.shown(why.decimals).value)
    once = None if math.isnan(as_shown) else show(as_shown, why.decimals)
    found = [once, *(hand.answer(why) for hand in hands)]
    values = dict.fromkeys(shown for shown in found if shown is not None)
    right = show(why.result, why.decimals).value
    return tuple(sorted((s for s in values if s.value != right), key=lambda s: s.value))
