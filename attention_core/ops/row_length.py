"""The length of each row: how far the arrow reaches that its numbers draw."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from attention_core.axes import Axis
from attention_core.explain import Derivation
from attention_core.expression import Expr, Product, Root, Sum
from attention_core.formula import Call
from attention_core.matrix import Array, Matrix
from attention_core.ops.columns import divide_by_column, passing
from attention_core.ops.multiply import multiply
from attention_core.ops.op import Block, Op, apply
from attention_core.ops.row_sum import spread


@dataclass(frozen=True)
class RowLength(Op):
    """len[i] = √(Σ_t A[i, t]²), the root of the row times itself; shape (n, m) → (n, 1).

    A row of zeros has the length 0. There the length has no derivative, and none is passed.
    """

    name = "row_length"

    def axes(self, *inputs: Matrix) -> tuple[Axis, Axis]:
        return inputs[0].rows, Axis("1", ("length",))

    def forward(self, *arrays: Array) -> Array:
        (of,) = arrays
        length: Array = np.sqrt((of * of).sum(axis=1, keepdims=True))
        return length

    def sources(self, out: Matrix, row: int, col: int) -> tuple[Block, ...]:
        return (Block(0, (row,), range(out.inputs[0].shape[1])),)

    def explain(self, out: Matrix, row: int, col: int) -> Derivation:
        (of,) = out.inputs
        numbers = (of.num(row, t) for t in range(of.shape[1]))
        words = None
        if not out.value[row, col]:
            words = f"All numbers of «{of.rows.unique(row)}» are 0: the {of.line} points nowhere."
        return Derivation(
            Root(Product((of.row_name(row), of.row_name(row)), " · ")),
            Root(Sum(tuple(Product((number, number)) for number in numbers))),
            words,
        )

    def definition(self, *inputs: Matrix) -> Expr:
        return Call(inputs[0].name(), "rowlength")

    def numpy(self, *names: str) -> str:
        return f"np.sqrt(({names[0]} * {names[0]}).sum(axis=1, keepdims=True))"

    def torch(self, *names: str) -> str:
        return f"({names[0]} * {names[0]}).sum(dim=1, keepdim=True).sqrt()"

    def vjp(self, g: Matrix, out: Matrix, *inputs: Matrix) -> tuple[Matrix, ...]:
        # dA[i, t] = dlen[i] · A[i, t] / len[i]: along the row itself.
        (of,) = inputs
        share = divide_by_column(passing(g, out, out.value != 0.0), out, f"t_{out.key}")
        return (multiply(spread(share, of.cols, f"R_{out.key}"), of, f"d{of.key}"),)


def row_length(of: Matrix, key: str) -> Matrix:
    """The length of each row, as one column.

    >>> from attention_core.matrix import given
    >>> row_length(given("A", [[3, 4], [0, 0]]), "len_A").value.tolist()
    [[5.0], [0.0]]
    """
    return apply(RowLength(), key, of)
