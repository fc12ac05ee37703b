"""Which cells of a worksheet are blank, so that no number that is printed gives an answer away."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from itertools import product

import numpy as np

from attention_core.axes import Axis
from attention_core.expression import Num
from attention_core.matrix import Array, Cell, Matrix
from attention_core.ops.mask import Mask
from attention_core.ops.matmul import MatMul
from attention_core.ops.transpose import Transpose

# Which cells are blank: those of one token in each matrix, every second one, or all.
BLANKS: tuple[str, ...] = ("row", "half", "all")
# Whether a cell of a matrix is blank, by its line and its place in it.
_Chooses = Callable[[Matrix, int, int], bool]


class Pattern:
    """Which cells are blank in the matrices that lead from what is given to a result.

    ``lines`` are the places of the tokens that are followed: one, and those that are given the same
    numbers; none where the blanks are of all tokens.
    """

    def __init__(
        self, blanks: str, to: Matrix, given: Collection[Matrix], made: Collection[Matrix]
    ) -> None:
        self._given = given
        self.lines = self._followed(to, made) if blanks == "row" else ()
        patterns: dict[str, _Chooses] = {
            "row": self._in_row,
            "half": self._second,
            "all": lambda matrix, at, place: True,
        }
        self._chooses = patterns[blanks]

    def hidden(self, matrix: Matrix, before: Collection[Cell]) -> Iterator[Cell]:
        """The cells of a matrix whose numbers must not be told, as those ``before`` must not."""
        mirrored = bool(self.lines) and _is_mirrored(matrix)
        for cell in cells(matrix):
            if matrix.is_undefined(cell.row, cell.col):
                continue
            at, place = (cell.col, cell.row) if matrix.by_column else (cell.row, cell.col)
            chosen = not isinstance(matrix.op, Transpose) and (
                self._chooses(matrix, at, place) or (mirrored and self._chooses(matrix, place, at))
            )
            if chosen or _copied(matrix, cell) in before:
                yield cell

    def _in_row(self, matrix: Matrix, at: int, place: int) -> bool:
        last = matrix.lines.size - 1
        return at in {min(line, last) for line in self.lines}

    def _second(self, matrix: Matrix, at: int, place: int) -> bool:
        """Every second cell; the same ones for all tokens that are given the same numbers."""
        across = matrix.rows if matrix.by_column else matrix.cols
        return (self._first(matrix.lines, at) + self._first(across, place)) % 2 == 1

    def _followed(self, to: Matrix, made: Collection[Matrix]) -> tuple[int, ...]:
        """The line that is blank in each matrix, and those that are given the same numbers.

        Rather a token whose numbers no other is given, that is not blocked for all, and with a
        blocked key of its own; of these the last one.
        """
        axis, lines = to.lines, range(to.lines.size)
        alike = [tuple(t for t in lines if self._same(axis, line, t)) for line in lines]

        def worth(line: int) -> tuple[bool, bool, bool, int]:
            padding = any(_all_blocked(m.turned, line) for m in made if m.rows == m.cols)
            blocked = any(_is_blocked(m, line) for m in made)
            return len(alike[line]) == 1, not padding, blocked, line

        defined = [line for line in lines if line not in to.undefined] or [lines[-1]]
        return alike[max(defined, key=worth)]

    def _first(self, axis: Axis, at: int) -> int:
        """The first place that is given the same numbers."""
        return next(place for place in range(at + 1) if self._same(axis, place, at))

    def _same(self, axis: Axis, one: int, other: int) -> bool:
        """Whether two tokens are given the same numbers; a mask gives them none."""
        rows = [_lines(m) for m in self._given if m.lines == axis and not m.blocked]
        same = all(np.array_equal(row[one], row[other]) for row in rows)
        return one == other or (axis.tokens and bool(rows) and same)


def cells(matrix: Matrix) -> Iterator[Cell]:
    """All cells, row by row."""
    n, m = matrix.shape
    return (Cell(matrix.key, row, col) for row, col in product(range(n), range(m)))


def _lines(matrix: Matrix) -> Array:
    return matrix.value.T if matrix.by_column else matrix.value


def _is_mirrored(matrix: Matrix) -> bool:
    """Whether one can tell that the same numbers stand on both sides of the diagonal.

    So it is in a product of a matrix with its own transpose, as Q Kᵀ is where W_K is W_Q, and in
    what is made of it number by number.
    """
    if isinstance(matrix.op, MatMul):
        left, right = matrix.inputs
        return np.array_equal(left.value, right.value.T)
    return (
        len(matrix.inputs) == 1
        and np.array_equal(matrix.value, matrix.value.T)
        and _is_mirrored(matrix.inputs[0])
    )


def _is_blocked(matrix: Matrix, line: int) -> bool:
    """Whether some cell of a line is −∞."""
    lines = _lines(matrix)
    return line < len(lines) and bool(np.isneginf(lines[line]).any())


def _all_blocked(matrix: Matrix, line: int) -> bool:
    """Whether every cell of a line is −∞."""
    lines = _lines(matrix)
    return line < len(lines) and bool(np.isneginf(lines[line]).all())


def _copied(matrix: Matrix, cell: Cell) -> Cell | None:
    """The cell that this one only copies, also by adding the 0 of a mask."""
    assert matrix.op is not None, "what is given copies nothing"
    if isinstance(matrix.op, Mask):
        scores, mask = matrix.inputs
        opened = mask.value[cell.row, cell.col] == 0.0
        return Cell(scores.key, cell.row, cell.col) if opened else None
    expression = matrix.op.explain(matrix, cell.row, cell.col).expression
    return expression.cell if isinstance(expression, Num) else None
