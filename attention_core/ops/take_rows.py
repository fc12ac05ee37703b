"""Some rows of a matrix, one after another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from attention_core.axes import Axis
from attention_core.errors import AttentionError
from attention_core.explain import Derivation
from attention_core.expression import Expr
from attention_core.formula import Call
from attention_core.matrix import Array, Matrix, given
from attention_core.ops.columns import passing
from attention_core.ops.matmul import matmul
from attention_core.ops.op import Block, Op, apply, size


@dataclass(frozen=True)
class TakeRows(Op):
    """B[i, j] = A[start + i, j]: the rows from ``start`` up to ``stop``; (n, m) → (k, m).

    ``size`` names the number of rows taken, where it is another one than of the whole.
    """

    start: int
    stop: int
    size: str = ""
    name = "take_rows"
    takes_minus_infinity = True
    gives_minus_infinity = True

    def check(self, *inputs: Matrix) -> None:
        (of,) = inputs
        if not 0 <= self.start < self.stop <= of.shape[0]:
            raise AttentionError(
                f"take_rows: there are no rows {self.start + 1} to {self.stop} in "
                f"{of.symbol.text}, which is {size(of)}."
            )

    def axes(self, *inputs: Matrix) -> tuple[Axis, Axis]:
        rows, cols = inputs[0].rows, inputs[0].cols
        return rows.part(self.start, self.stop, self.size), cols

    def forward(self, *arrays: Array) -> Array:
        return arrays[0][self.start : self.stop]

    def undefined(self, out: Array, *inputs: Matrix) -> frozenset[int]:
        taken = range(self.start, self.stop)
        return frozenset(row - self.start for row in inputs[0].undefined if row in taken)

    def sources(self, out: Matrix, row: int, col: int) -> tuple[Block, ...]:
        if np.isneginf(out.value[row, col]):
            return ()  # −∞ has no slope
        return (Block(0, (self.start + row,), (col,)),)

    def explain(self, out: Matrix, row: int, col: int) -> Derivation:
        (of,) = out.inputs
        return Derivation(of.entry_name(self.start + row, col), of.num(self.start + row, col))

    def definition(self, *inputs: Matrix) -> Expr:
        one = self.stop == self.start + 1
        which = f"row {self.stop}" if one else f"rows {self.start + 1}–{self.stop}"
        return Call(inputs[0].name(), which)

    def numpy(self, *names: str) -> str:
        return f"{names[0]}[{self.start}:{self.stop}]"

    def torch(self, *names: str) -> str:
        return f"{names[0]}[{self.start}:{self.stop}]"

    def vjp(self, g: Matrix, out: Matrix, *inputs: Matrix) -> tuple[Matrix, ...]:
        # Row t of the gradient goes back to row start + t; all other rows get 0, and so does −∞.
        (of,) = inputs
        passed = passing(g, out, np.isfinite(out.value))
        back = np.eye(of.shape[0])[:, self.start : self.stop]
        through = given(f"open_{out.key}_rows", back, of.rows, out.rows)
        return (matmul(through, passed, f"d{of.key}"),)


def take_rows(of: Matrix, start: int, stop: int, key: str, size: str = "") -> Matrix:
    """The rows from ``start`` up to ``stop``, counted from 0 and without ``stop``.

    >>> from attention_core.matrix import given
    >>> take_rows(given("A", [[1, 2], [3, 4], [5, 6]]), 1, 3, "B").value.tolist()
    [[3.0, 4.0], [5.0, 6.0]]
    """
    return apply(TakeRows(start, stop, size), key, of)
