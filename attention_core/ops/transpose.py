"""Transpose: rows become columns."""

from __future__ import annotations

from dataclasses import dataclass

from attention_core.axes import Axis
from attention_core.explain import Derivation
from attention_core.expression import Expr
from attention_core.formula import Transposed
from attention_core.matrix import Array, Matrix
from attention_core.ops.op import Block, Op, apply


@dataclass(frozen=True)
class Transpose(Op):
    """B = Aᵀ with B[i, j] = A[j, i]; shape (n, m) → (m, n)."""

    name = "transpose"
    by_row = False
    grows = False

    def axes(self, *inputs: Matrix) -> tuple[Axis, Axis]:
        return inputs[0].cols, inputs[0].rows

    def forward(self, *arrays: Array) -> Array:
        return arrays[0].T

    def undefined(self, out: Array, *inputs: Matrix) -> frozenset[int]:
        return frozenset()  # what was a row is a column now

    def sources(self, out: Matrix, row: int, col: int) -> tuple[Block, ...]:
        return (Block(0, (col,), (row,)),)

    def explain(self, out: Matrix, row: int, col: int) -> Derivation:
        (of,) = out.inputs
        return Derivation(of.entry_name(col, row), of.num(col, row))

    def definition(self, *inputs: Matrix) -> Expr:
        return Transposed(inputs[0].name())

    def numpy(self, *names: str) -> str:
        return f"{names[0]}.T"

    def torch(self, *names: str) -> str:
        return f"{names[0]}.T"

    def vjp(self, g: Matrix, out: Matrix, *inputs: Matrix) -> tuple[Matrix, ...]:
        return (transpose(g, f"d{inputs[0].key}"),)


def transpose(of: Matrix, key: str | None = None) -> Matrix:
    """The transposed matrix, named ``…_T`` unless told otherwise.

    >>> from attention_core.matrix import given
    >>> transpose(given("K", [[1, 2]])).value.tolist()
    [[1.0], [2.0]]
    """
    return apply(Transpose(), key or f"{of.key}_T", of)


def flip(of: Matrix) -> Matrix:
    """The transpose, without a new matrix where ``of`` is a transpose itself: (Kᵀ)ᵀ is K."""
    return of.inputs[0] if isinstance(of.op, Transpose) else transpose(of)
