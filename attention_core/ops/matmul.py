"""Matrix product: every entry is a row of the left times a column of the right."""

from __future__ import annotations

from dataclasses import dataclass

from attention_core.axes import Axis
from attention_core.errors import AttentionError
from attention_core.explain import Derivation
from attention_core.expression import Expr, Product, Sum
from attention_core.matrix import Array, Matrix
from attention_core.ops.op import Block, Op, apply, size
from attention_core.ops.transpose import flip


@dataclass(frozen=True)
class MatMul(Op):
    """C = A B with C[i, j] = Σ_t A[i, t]·B[t, j]; shapes (n, k) (k, m) → (n, m)."""

    name = "matmul"
    by_row = False  # but its inputs change places

    def check(self, *inputs: Matrix) -> None:
        left, right = inputs
        inner, other = left.shape[1], right.shape[0]
        if inner == other:
            return
        raise AttentionError(
            f"matmul: {left.symbol.text} is {size(left)} and {right.symbol.text} is "
            f"{size(right)}: the inner sizes {inner} and {other} differ. {_fix(left, right)}"
        )

    def axes(self, *inputs: Matrix) -> tuple[Axis, Axis]:
        return inputs[0].rows, inputs[1].cols

    def forward(self, *arrays: Array) -> Array:
        left, right = arrays
        return left @ right

    def undefined(self, out: Array, *inputs: Matrix) -> frozenset[int]:
        left, right = inputs  # a row of A B comes from a row of A, a column from a column of B
        return super().undefined(out, right if right.by_column else left)

    def sources(self, out: Matrix, row: int, col: int) -> tuple[Block, ...]:
        inner = range(out.inputs[0].shape[1])
        return Block(0, (row,), inner), Block(1, inner, (col,))

    def explain(self, out: Matrix, row: int, col: int) -> Derivation:
        left, right = out.inputs
        terms = (Product((left.num(row, t), right.num(t, col))) for t in range(left.shape[1]))
        formula = Product((left.row_name(row), right.col_name(col)), " · ")
        return Derivation(formula, Sum(tuple(terms)))

    def definition(self, *inputs: Matrix) -> Expr:
        return Product(tuple(m.name() for m in inputs), "×")

    def numpy(self, *names: str) -> str:
        return " @ ".join(names)

    def torch(self, *names: str) -> str:
        return " @ ".join(names)

    def vjp(self, g: Matrix, out: Matrix, *inputs: Matrix) -> tuple[Matrix, ...]:
        left, right = inputs
        return (
            matmul(g, flip(right), f"d{left.key}"),
            matmul(flip(left), g, f"d{right.key}"),
        )


def _fix(left: Matrix, right: Matrix) -> str:
    """The likely cure for inner sizes that differ."""
    if right.key.endswith("_T"):
        of = right.inputs[0].symbol.text if right.inputs else right.symbol.base
        return f"Give {left.symbol.text} and {of} the same number of columns."
    if left.shape[1] == right.shape[1]:
        return f"Transpose {right.symbol.text}?"
    if left.shape[0] == right.shape[0] and not right.key.startswith("W_"):
        return f"Transpose {left.symbol.text}?"
    return (
        f"Give {right.symbol.text} as many rows as {left.symbol.text} has columns "
        f"({left.shape[1]})."
    )


def matmul(left: Matrix, right: Matrix, key: str) -> Matrix:
    """The matrix product.

    >>> from attention_core.matrix import given
    >>> matmul(given("A", [[1, 2]]), given("B", [[3], [4]]), "C").value.tolist()
    [[11.0]]
    """
    return apply(MatMul(), key, left, right)
