"""e to the power of every entry."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from attention_core.explain import Derivation
from attention_core.expression import Exp, Expr
from attention_core.matrix import Array, Matrix
from attention_core.ops.multiply import multiply
from attention_core.ops.op import Block, Op, apply


@dataclass(frozen=True)
class Exponential(Op):
    """B = e^A with B[i, j] = e^A[i, j]; shape (n, m) → (n, m). e^−∞ is 0."""

    name = "exponential"
    takes_minus_infinity = True
    by_row = False

    def forward(self, *arrays: Array) -> Array:
        result: Array = np.exp(arrays[0])
        return result

    def sources(self, out: Matrix, row: int, col: int) -> tuple[Block, ...]:
        if np.isneginf(out.inputs[0].value[row, col]):
            return ()  # 0 whatever the score behind it is
        return (Block(0, (row,), (col,)),)

    def explain(self, out: Matrix, row: int, col: int) -> Derivation:
        (of,) = out.inputs
        words = None
        if np.isneginf(of.value[row, col]):
            words = f"«{out.pair(row, col)[1]}» is blocked: e^−∞ is 0."
        elif out.value[row, col] == 0.0:
            words = "e to so low a power is too small for a float64 and is 0."
        return Derivation(Exp(of.entry_name(row, col)), Exp(of.num(row, col)), words)

    def definition(self, *inputs: Matrix) -> Expr:
        return Exp(inputs[0].name())

    def numpy(self, *names: str) -> str:
        return f"np.exp({names[0]})"

    def torch(self, *names: str) -> str:
        return f"torch.exp({names[0]})"

    def vjp(self, g: Matrix, out: Matrix, *inputs: Matrix) -> tuple[Matrix, ...]:
        return (multiply(g, out, f"d{inputs[0].key}"),)


def exponential(of: Matrix, key: str) -> Matrix:
    """e to the power of every entry; −∞ gives 0.

    Errors: :class:`AttentionError` for a power above 709, which is too large for float64.

    >>> from attention_core.matrix import given
    >>> S = given("S", [[0, 1, -float("inf")]], minus_infinity=True)
    >>> exponential(S, "E").value.round(3).tolist()
    [[1.0, 2.718, 0.0]]
    """
    return apply(Exponential(), key, of)
