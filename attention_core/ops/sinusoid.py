"""Sines and cosines of angles, column by column in turn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from attention_core.explain import Derivation
from attention_core.expression import Expr, Function, Num, Product
from attention_core.formula import Call
from attention_core.matrix import Array, Matrix
from attention_core.ops.multiply import multiply
from attention_core.ops.op import Block, Op, apply
from attention_core.ops.scale import scale


@dataclass(frozen=True)
class Sinusoid(Op):
    """B[i, j] = sin A[i, j] for j = 0, 2, …, and cos A[i, j] for j = 1, 3, …; (n, m) → (n, m).

    With ``slope`` it is how these change with the angle: cos A[i, j], and −sin A[i, j].
    Vaswani et al. (2017), section 3.5.
    """

    slope: bool = False
    name = "sinusoid"
    grows = False

    def forward(self, *arrays: Array) -> Array:
        (angles,) = arrays
        odd = np.arange(angles.shape[1]) % 2 == 1
        if self.slope:
            return np.where(odd, -np.sin(angles), np.cos(angles))
        return np.where(odd, np.cos(angles), np.sin(angles))

    def sources(self, out: Matrix, row: int, col: int) -> tuple[Block, ...]:
        return (Block(0, (row,), (col,)),)

    def explain(self, out: Matrix, row: int, col: int) -> Derivation:
        (of,) = out.inputs
        return Derivation(
            self._wave(of.entry_name(row, col), col), self._wave(of.num(row, col), col)
        )

    def _wave(self, angle: Expr, col: int) -> Expr:
        wave = Function(angle, "cos" if (col % 2 == 1) != self.slope else "sin")
        return Product((Num(-1.0), wave)) if self.slope and col % 2 else wave

    def definition(self, *inputs: Matrix) -> Expr:
        return Call(inputs[0].name(), "cos, −sin" if self.slope else "sin, cos")

    def numpy(self, *names: str) -> str:
        return self._code("np", "", names[0])

    def torch(self, *names: str) -> str:
        return self._code("torch", " == 1", names[0])

    def _code(self, library: str, true: str, angles: str) -> str:
        sine, cosine = f"{library}.sin({angles})", f"{library}.cos({angles})"
        odd, even = (f"-{sine}", cosine) if self.slope else (cosine, sine)
        which = f"{library}.arange({angles}.shape[1]) % 2{true}"
        return f"{library}.where({which}, {odd}, {even})"

    def vjp(self, g: Matrix, out: Matrix, *inputs: Matrix) -> tuple[Matrix, ...]:
        (of,) = inputs
        if self.slope:  # the slope of cos is −sin, and that of −sin is −cos
            wave = apply(Sinusoid(), f"wave_{out.key}", of)
            return (scale(multiply(g, wave, f"P_{out.key}"), -1.0, f"d{of.key}"),)
        slope = apply(Sinusoid(slope=True), f"slope_{out.key}", of)
        return (multiply(g, slope, f"d{of.key}"),)


def sinusoid(angles: Matrix, key: str) -> Matrix:
    """The sine of the first column, the cosine of the second, and so on in turn.

    >>> from attention_core.matrix import given
    >>> sinusoid(given("Phi", [[0, 0, 1]]), "Pos").value.round(3).tolist()
    [[0.0, 1.0, 0.841]]
    """
    return apply(Sinusoid(), key, angles)
