"""Entry-wise product."""

from __future__ import annotations

from dataclasses import dataclass

from attention_core.explain import Derivation
from attention_core.expression import Expr, Product
from attention_core.matrix import Array, Matrix
from attention_core.ops.op import Entrywise, apply


@dataclass(frozen=True)
class Multiply(Entrywise):
    """C = A ∘ B with C[i, j] = A[i, j]·B[i, j]; shapes (n, m) (n, m) → (n, m)."""

    name = "multiply"

    def forward(self, *arrays: Array) -> Array:
        left, right = arrays
        return left * right

    def explain(self, out: Matrix, row: int, col: int) -> Derivation:
        return Derivation(
            Product(tuple(m.entry_name(row, col) for m in out.inputs), " · "),
            Product(tuple(m.num(row, col) for m in out.inputs)),
        )

    def definition(self, *inputs: Matrix) -> Expr:
        return Product(tuple(m.name() for m in inputs), "∘")

    def numpy(self, *names: str) -> str:
        return " * ".join(names)

    def torch(self, *names: str) -> str:
        return " * ".join(names)

    def vjp(self, g: Matrix, out: Matrix, *inputs: Matrix) -> tuple[Matrix, ...]:
        left, right = inputs
        return multiply(g, right, f"d{left.key}"), multiply(g, left, f"d{right.key}")


def multiply(left: Matrix, right: Matrix, key: str) -> Matrix:
    """The product, entry by entry.

    >>> from attention_core.matrix import given
    >>> multiply(given("A", [[1, 2]]), given("B", [[3, 4]]), "C").value.tolist()
    [[3.0, 8.0]]
    """
    return apply(Multiply(), key, left, right)
