"""The hyperbolic tangent of every entry: what is large comes near 1."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from attention_core.explain import Derivation
from attention_core.expression import Expr, Tanh
from attention_core.formula import Call
from attention_core.matrix import Array, Matrix, given
from attention_core.ops.add import subtract
from attention_core.ops.multiply import multiply
from attention_core.ops.op import Block, Op, apply


@dataclass(frozen=True)
class HyperbolicTangent(Op):
    """B = tanh A with B[i, j] = tanh A[i, j]; shape (n, m) → (n, m)."""

    name = "tanh"

    def forward(self, *arrays: Array) -> Array:
        result: Array = np.tanh(arrays[0])
        return result

    def sources(self, out: Matrix, row: int, col: int) -> tuple[Block, ...]:
        return (Block(0, (row,), (col,)),)

    def explain(self, out: Matrix, row: int, col: int) -> Derivation:
        (of,) = out.inputs
        return Derivation(Call(of.entry_name(row, col), "tanh"), Tanh(of.num(row, col)))

    def definition(self, *inputs: Matrix) -> Expr:
        return Call(inputs[0].name(), "tanh")

    def numpy(self, *names: str) -> str:
        return f"np.tanh({names[0]})"

    def torch(self, *names: str) -> str:
        return f"torch.tanh({names[0]})"

    def vjp(self, g: Matrix, out: Matrix, *inputs: Matrix) -> tuple[Matrix, ...]:
        # The slope of tanh is 1 − tanh².
        ones = given(f"open_{out.key}", np.ones(out.shape))
        slope = subtract(ones, multiply(out, out, f"{out.key}_squared"), f"slope_{out.key}")
        return (multiply(g, slope, f"d{inputs[0].key}"),)


def tanh(of: Matrix, key: str) -> Matrix:
    """The hyperbolic tangent of every entry, between −1 and 1.

    >>> from attention_core.matrix import given
    >>> tanh(given("S", [[0, 1, 100]]), "T").value.round(3).tolist()
    [[0.0, 0.762, 1.0]]
    """
    return apply(HyperbolicTangent(), key, of)
