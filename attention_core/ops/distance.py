"""How far apart the places of two sequences are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from attention_core.axes import Axis
from attention_core.errors import AttentionError
from attention_core.explain import Derivation
from attention_core.expression import Difference, Expr
from attention_core.formula import Call, Transposed
from attention_core.matrix import Array, Matrix, given
from attention_core.ops.multiply import multiply
from attention_core.ops.op import Block, Op, apply, size
from attention_core.ops.row_sum import row_sum
from attention_core.ops.scale import scale
from attention_core.ops.transpose import flip


@dataclass(frozen=True)
class Distance(Op):
    """D[i, j] = |p[i] − r[j]|: from every place of one column to every one of another.

    Shapes: (n, 1) (m, 1) → (n, m).
    """

    name = "distance"

    def check(self, *inputs: Matrix) -> None:
        for column in inputs:
            if column.shape[1] != 1:
                raise AttentionError(
                    f"distance: {column.symbol.text} is {size(column)}, wanted one column of "
                    "places."
                )

    def axes(self, *inputs: Matrix) -> tuple[Axis, Axis]:
        return inputs[0].rows, inputs[1].rows

    def forward(self, *arrays: Array) -> Array:
        left, right = arrays
        result: Array = abs(left - right.T)
        return result

    def undefined(self, out: Array, *inputs: Matrix) -> frozenset[int]:
        return frozenset()  # a distance has a value, whatever stands at a place

    def sources(self, out: Matrix, row: int, col: int) -> tuple[Block, ...]:
        left, right = out.inputs
        here = (Block(0, (row,), (0,)),)
        return here if left is right and row == col else (*here, Block(1, (col,), (0,)))

    def explain(self, out: Matrix, row: int, col: int) -> Derivation:
        left, right = out.inputs
        # The larger less the smaller: so no sign has to be dropped.
        ends = ((left, row), (right, col))
        if left.value[row, 0] < right.value[col, 0]:
            ends = ends[::-1]
        (far, i), (near, j) = ends
        return Derivation(
            Difference(far.row_name(i), near.row_name(j)),
            Difference(far.num(i, 0), near.num(j, 0)),
        )

    def definition(self, *inputs: Matrix) -> Expr:
        left, right = inputs
        if left is right:
            return Call(left.name(), "distances")
        return Call(Difference(left.name(), Transposed(right.name())), "distances")

    def numpy(self, *names: str) -> str:
        return f"abs({names[0]} - {names[1]}.T)"

    def torch(self, *names: str) -> str:
        return f"abs({names[0]} - {names[1]}.T)"

    def vjp(self, g: Matrix, out: Matrix, *inputs: Matrix) -> tuple[Matrix, ...]:
        # The later of two places adds to their distance, the earlier takes off.
        left, right = inputs
        later = np.sign(left.value - right.value.T)
        passed = multiply(g, given(f"open_{out.key}", later, out.rows, out.cols), f"G_{out.key}")
        down = row_sum(flip(passed), f"r_{out.key}")
        return row_sum(passed, f"d{left.key}"), scale(down, -1.0, f"d{right.key}")


def distance(left: Matrix, right: Matrix, key: str) -> Matrix:
    """How far each place of ``left`` is from each of ``right``.

    >>> from attention_core.matrix import given
    >>> distance(given("p", [[0], [2]]), given("r", [[0], [1]]), "D").value.tolist()
    [[0.0, 1.0], [2.0, 1.0]]
    """
    return apply(Distance(), key, left, right)
