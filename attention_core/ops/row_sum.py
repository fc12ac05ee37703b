"""Summing each row, and spreading one column over many. Each is the gradient of the other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from attention_core.axes import Axis
from attention_core.errors import AttentionError
from attention_core.explain import Derivation
from attention_core.expression import Expr, Sum
from attention_core.formula import Call, Total
from attention_core.matrix import Array, Matrix
from attention_core.ops.op import Block, Op, apply, size


@dataclass(frozen=True)
class RowSum(Op):
    """r = the sum of each row, r[i] = Σ_t A[i, t]; shape (n, m) → (n, 1)."""

    name = "row_sum"

    def axes(self, *inputs: Matrix) -> tuple[Axis, Axis]:
        return inputs[0].rows, Axis("1", ("Σ",))

    def forward(self, *arrays: Array) -> Array:
        total: Array = arrays[0].sum(axis=1, keepdims=True)
        return total

    def sources(self, out: Matrix, row: int, col: int) -> tuple[Block, ...]:
        return (Block(0, (row,), range(out.inputs[0].shape[1])),)

    def explain(self, out: Matrix, row: int, col: int) -> Derivation:
        (of,) = out.inputs
        terms = tuple(of.num(row, t) for t in range(of.shape[1]))
        return Derivation(Total(of.any_name(row)), Sum(terms))

    def definition(self, *inputs: Matrix) -> Expr:
        return Call(inputs[0].name(), "rowsum")

    def numpy(self, *names: str) -> str:
        return f"{names[0]}.sum(axis=1, keepdims=True)"

    def torch(self, *names: str) -> str:
        return f"{names[0]}.sum(dim=1, keepdim=True)"

    def vjp(self, g: Matrix, out: Matrix, *inputs: Matrix) -> tuple[Matrix, ...]:
        (of,) = inputs
        return (spread(g, of.cols, f"d{of.key}"),)


@dataclass(frozen=True)
class Spread(Op):
    """B[i, j] = r[i]: one column repeated; shape (n, 1) → (n, m)."""

    over: Axis
    name = "spread"

    def check(self, *inputs: Matrix) -> None:
        if inputs[0].shape[1] != 1:
            raise AttentionError(
                f"spread: {inputs[0].symbol.text} is {size(inputs[0])}, wanted one column."
            )

    def axes(self, *inputs: Matrix) -> tuple[Axis, Axis]:
        return inputs[0].rows, self.over

    def forward(self, *arrays: Array) -> Array:
        return np.repeat(arrays[0], self.over.size, axis=1)

    def sources(self, out: Matrix, row: int, col: int) -> tuple[Block, ...]:
        return (Block(0, (row,), (0,)),)

    def explain(self, out: Matrix, row: int, col: int) -> Derivation:
        (of,) = out.inputs
        return Derivation(of.entry_name(row, 0), of.num(row, 0))

    def definition(self, *inputs: Matrix) -> Expr:
        return Call(inputs[0].name(), "spread")

    def numpy(self, *names: str) -> str:
        return f"np.repeat({names[0]}, {self.over.size}, axis=1)"

    def torch(self, *names: str) -> str:
        return f"{names[0]}.expand(-1, {self.over.size})"

    def vjp(self, g: Matrix, out: Matrix, *inputs: Matrix) -> tuple[Matrix, ...]:
        return (row_sum(g, f"d{inputs[0].key}"),)


def row_sum(of: Matrix, key: str) -> Matrix:
    """The sum of each row, as one column.

    >>> from attention_core.matrix import given
    >>> row_sum(given("A", [[1, 2], [3, 4]]), "r").value.tolist()
    [[3.0], [7.0]]
    """
    return apply(RowSum(), key, of)


def spread(of: Matrix, over: Axis, key: str) -> Matrix:
    """One column repeated for every label of ``over``.

    >>> from attention_core.axes import numbered
    >>> from attention_core.matrix import given
    >>> spread(given("r", [[3], [7]]), numbered("m", 2), "R").value.tolist()
    [[3.0, 3.0], [7.0, 7.0]]
    """
    return apply(Spread(over), key, of)
