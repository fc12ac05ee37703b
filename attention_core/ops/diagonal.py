"""One row on the diagonal of a square matrix."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from attention_core.axes import Axis
from attention_core.errors import AttentionError
from attention_core.explain import Derivation
from attention_core.expression import Expr, Num
from attention_core.formula import Call
from attention_core.matrix import Array, Matrix, given
from attention_core.ops.multiply import multiply
from attention_core.ops.op import Block, Op, apply, size
from attention_core.ops.row_sum import row_sum
from attention_core.ops.transpose import transpose


@dataclass(frozen=True)
class Diagonal(Op):
    """D = diag(a) with D[j, j] = a[j] and 0 elsewhere; shape (1, m) → (m, m)."""

    name = "diagonal"
    grows = False

    def check(self, *inputs: Matrix) -> None:
        (of,) = inputs
        if of.shape[0] != 1:
            raise AttentionError(f"diagonal: {of.symbol.text} is {size(of)}, wanted one row.")

    def axes(self, *inputs: Matrix) -> tuple[Axis, Axis]:
        return inputs[0].cols, inputs[0].cols

    def forward(self, *arrays: Array) -> Array:
        return np.diag(arrays[0][0])

    def undefined(self, out: Array, *inputs: Matrix) -> frozenset[int]:
        return frozenset()  # what was a column is a row now

    def sources(self, out: Matrix, row: int, col: int) -> tuple[Block, ...]:
        return (Block(0, (0,), (col,)),) if row == col else ()

    def explain(self, out: Matrix, row: int, col: int) -> Derivation:
        (of,) = out.inputs
        if row == col:
            return Derivation(of.entry_name(0, col), of.num(0, col))
        words = f"It stands beside the diagonal, so it is 0, whatever the {of.line} holds."
        return Derivation(out.entry_name(row, col), Num(0.0), words)

    def definition(self, *inputs: Matrix) -> Expr:
        return Call(inputs[0].name(), "diag")

    def numpy(self, *names: str) -> str:
        return f"np.diag({names[0]}[0])"

    def torch(self, *names: str) -> str:
        return f"torch.diag({names[0]}[0])"

    def vjp(self, g: Matrix, out: Matrix, *inputs: Matrix) -> tuple[Matrix, ...]:
        # da[j] = dD[j, j]: what stands beside the diagonal is dropped, the rest read off as a row.
        through = given(f"open_{out.key}", np.eye(out.rows.size), out.rows, out.cols)
        on_it = row_sum(multiply(g, through, f"G_{out.key}"), f"r_{out.key}")
        return (transpose(on_it, f"d{inputs[0].key}"),)


def diagonal(of: Matrix, key: str) -> Matrix:
    """The entries of one row on the diagonal, 0 elsewhere.

    >>> from attention_core.matrix import given
    >>> diagonal(given("A", [[2, 3]]), "D").value.tolist()
    [[2.0, 0.0], [0.0, 3.0]]
    """
    return apply(Diagonal(), key, of)
