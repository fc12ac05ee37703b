"""The largest entry of each row."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from attention_core.axes import Axis
from attention_core.explain import Derivation
from attention_core.expression import Expr, Num
from attention_core.formula import Call
from attention_core.matrix import Array, Matrix, given
from attention_core.ops.multiply import multiply
from attention_core.ops.op import Block, Op, apply
from attention_core.ops.row_sum import spread


@dataclass(frozen=True)
class RowMax(Op):
    """m[i] = max_j A[i, j]; shape (n, m) → (n, 1).

    Where entries tie the maximum has no derivative: the first of them stands for all. A row of
    nothing but −∞ has no largest number: it stands as 0 and is reported as undefined.
    """

    name = "row_max"
    takes_minus_infinity = True
    grows = False
    numpy_setup = """\
def row_max(S):
    top = S.max(axis=1, keepdims=True)
    return np.where(np.isneginf(top), 0.0, top)  # a row of nothing but -inf stands as 0
"""
    torch_setup = """\
def row_max(S):
    top = S.amax(dim=1, keepdim=True)
    return torch.where(torch.isneginf(top), 0.0, top)  # a row of nothing but -inf stands as 0
"""

    def axes(self, *inputs: Matrix) -> tuple[Axis, Axis]:
        return inputs[0].rows, Axis("1", ("max",))

    def forward(self, *arrays: Array) -> Array:
        top: Array = arrays[0].max(axis=1, keepdims=True)
        top[np.isneginf(top)] = 0.0
        return top

    def undefined(self, out: Array, *inputs: Matrix) -> frozenset[int]:
        nothing_open = np.isneginf(inputs[0].value).all(axis=1)
        return super().undefined(out, *inputs) | set(np.flatnonzero(nothing_open).tolist())

    def sources(self, out: Matrix, row: int, col: int) -> tuple[Block, ...]:
        return () if row in out.undefined else (Block(0, (row,), (_first(out, row),)),)

    def explain(self, out: Matrix, row: int, col: int) -> Derivation:
        (of,) = out.inputs
        name = of.rows.unique(row)
        if row in out.undefined:
            words = (
                f"Every key is blocked for «{name}»: there is no largest {of.symbol.one}, and 0 "
                "stands here."
            )
            return Derivation(out.entry_name(row, col), Num(0.0), words)
        top = _first(out, row)
        words = f"«{of.cols.unique(top)}» has the largest {of.symbol.one} of «{name}»."
        return Derivation(Call(of.row_name(row), "max"), of.num(row, top), words)

    def definition(self, *inputs: Matrix) -> Expr:
        return Call(inputs[0].name(), "rowmax")

    def numpy(self, *names: str) -> str:
        return f"row_max({names[0]})"

    def torch(self, *names: str) -> str:
        return f"row_max({names[0]})"

    def vjp(self, g: Matrix, out: Matrix, *inputs: Matrix) -> tuple[Matrix, ...]:
        (of,) = inputs
        chosen = np.zeros(of.shape)
        for row in set(range(of.rows.size)) - out.undefined:
            chosen[row, _first(out, row)] = 1.0
        through = given(f"open_{out.key}", chosen, of.rows, of.cols)
        return (multiply(spread(g, of.cols, f"R_{out.key}"), through, f"d{of.key}"),)


def _first(out: Matrix, row: int) -> int:
    return int(out.inputs[0].value[row].argmax())


def row_max(of: Matrix, key: str) -> Matrix:
    """The largest entry of each row, as one column.

    >>> from attention_core.matrix import given
    >>> row_max(given("S", [[1, 5, 3], [3, 3, 3]]), "m").value.tolist()
    [[5.0], [3.0]]
    """
    return apply(RowMax(), key, of)
