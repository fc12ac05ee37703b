"""Entry-wise quotient."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from attention_core.errors import AttentionError
from attention_core.explain import Derivation
from attention_core.expression import Expr, Num, Quotient
from attention_core.matrix import Array, Matrix
from attention_core.ops.columns import passing
from attention_core.ops.multiply import multiply
from attention_core.ops.op import Block, Entrywise, apply
from attention_core.ops.scale import scale


@dataclass(frozen=True)
class Divide(Entrywise):
    """C[i, j] = A[i, j] / B[i, j]; shapes (n, m) (n, m) → (n, m).

    0 over 0 has no value: 0 stands there, and the derivation says so. ``zeros`` says that there
    are such entries: the code has to say what becomes of them.
    """

    zeros: bool = False
    name = "divide"

    def check(self, *inputs: Matrix) -> None:
        super().check(*inputs)
        top, bottom = inputs
        for row, col in np.argwhere((bottom.value == 0.0) & (top.value != 0.0)).tolist():
            if bottom.is_undefined(row, col):
                continue
            raise AttentionError(
                f"divide: {bottom.symbol.text} is 0 in row {row + 1}, column {col + 1}, and the "
                f"entry of {top.symbol.text} there cannot be divided by 0. Only 0 may stand over "
                "a 0."
            )

    def forward(self, *arrays: Array) -> Array:
        top, bottom = arrays
        result: Array = np.where(bottom == 0.0, 0.0, top / np.where(bottom == 0.0, 1.0, bottom))
        return result

    def undefined(self, out: Array, *inputs: Matrix) -> frozenset[int]:
        return super().undefined(out, *inputs) | inputs[1].undefined

    def sources(self, out: Matrix, row: int, col: int) -> tuple[Block, ...]:
        top, bottom = (m.value[row, col] for m in out.inputs)
        if bottom == 0.0 or out.is_undefined(row, col):
            return ()
        # 0 stays 0, whatever it is divided by.
        return super().sources(out, row, col) if top else (Block(0, (row,), (col,)),)

    def explain(self, out: Matrix, row: int, col: int) -> Derivation:
        top, bottom = out.inputs
        if out.is_undefined(row, col):
            return Derivation(out.entry_name(row, col), Num(0.0))
        if bottom.value[row, col] == 0.0:  # no equation gives this 0, so none is shown
            words = (
                f"{top.symbol.text} and {bottom.symbol.text} are both 0 here. 0/0 has no value, "
                "and 0 stands here."
            )
            return Derivation(out.entry_name(row, col), Num(0.0), words)
        return Derivation(
            Quotient(top.entry_name(row, col), bottom.entry_name(row, col)),
            Quotient(top.num(row, col), bottom.num(row, col)),
            None if top.value[row, col] else "0 stays 0, whatever it is divided by.",
        )

    def definition(self, *inputs: Matrix) -> Expr:
        return Quotient(*(m.name() for m in inputs))

    def numpy(self, *names: str) -> str:
        top, bottom = names
        return (
            f"{top} / np.where({bottom} == 0, 1, {bottom})" if self.zeros else f"{top} / {bottom}"
        )

    def torch(self, *names: str) -> str:
        top, bottom = names
        safe = f"torch.where({bottom} == 0, 1, {bottom})"
        return f"{top} / {safe}" if self.zeros else f"{top} / {bottom}"

    def vjp(self, g: Matrix, out: Matrix, *inputs: Matrix) -> tuple[Matrix, ...]:
        # dA = dC / B, and dB = −dC ∘ C / B.
        top, bottom = inputs
        passed = passing(g, out, bottom.value != 0.0)
        share = divide(multiply(passed, out, f"P_{out.key}"), bottom, f"t_{out.key}")
        return divide(passed, bottom, f"d{top.key}"), scale(share, -1.0, f"d{bottom.key}")


def divide(top: Matrix, bottom: Matrix, key: str) -> Matrix:
    """The quotient, entry by entry; 0 stands where 0 is divided by 0.

    Errors: :class:`AttentionError` for a number that is not 0 over a 0.

    >>> from attention_core.matrix import given
    >>> divide(given("S", [[6, 0]]), given("B", [[4, 0]]), "C").value.tolist()
    [[1.5, 0.0]]
    """
    return apply(Divide(bool((bottom.value == 0.0).any())), key, top, bottom)
