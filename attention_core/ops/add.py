"""Entry-wise sum and difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from attention_core.explain import Derivation
from attention_core.expression import Difference, Expr, Sum
from attention_core.matrix import Array, Matrix
from attention_core.ops.op import Entrywise, apply
from attention_core.ops.scale import scale


@dataclass(frozen=True)
class Add(Entrywise):
    """C = A + B + … with C[i, j] = A[i, j] + B[i, j] + …; shapes (n, m) (n, m) → (n, m)."""

    name = "add"

    def forward(self, *arrays: Array) -> Array:
        first, *others = arrays
        return sum(others, first)

    def undefined(self, out: Array, *inputs: Matrix) -> frozenset[int]:
        # No value of its own only where none has one: O + X is X there.
        return frozenset.intersection(*(m.undefined for m in inputs))

    def explain(self, out: Matrix, row: int, col: int) -> Derivation:
        return Derivation(
            Sum(tuple(m.entry_name(row, col) for m in out.inputs)),
            Sum(tuple(m.num(row, col) for m in out.inputs)),
        )

    def definition(self, *inputs: Matrix) -> Expr:
        return Sum(tuple(m.name() for m in inputs))

    def numpy(self, *names: str) -> str:
        return " + ".join(names)

    def torch(self, *names: str) -> str:
        return " + ".join(names)

    def vjp(self, g: Matrix, out: Matrix, *inputs: Matrix) -> tuple[Matrix, ...]:
        return tuple(scale(g, 1.0, f"d{m.key}") for m in inputs)


@dataclass(frozen=True)
class Subtract(Entrywise):
    """C = A − B with C[i, j] = A[i, j] − B[i, j]; shapes (n, m) (n, m) → (n, m)."""

    name = "subtract"

    def forward(self, *arrays: Array) -> Array:
        left, right = arrays
        return left - right

    def undefined(self, out: Array, *inputs: Matrix) -> frozenset[int]:
        left, right = inputs  # no value of its own only where neither has one: O + X is X there
        return left.undefined & right.undefined

    def explain(self, out: Matrix, row: int, col: int) -> Derivation:
        left, right = out.inputs
        return Derivation(
            Difference(left.entry_name(row, col), right.entry_name(row, col)),
            Difference(left.num(row, col), right.num(row, col)),
        )

    def definition(self, *inputs: Matrix) -> Expr:
        left, right = inputs
        return Difference(left.name(), right.name())

    def numpy(self, *names: str) -> str:
        return " - ".join(names)

    def torch(self, *names: str) -> str:
        return " - ".join(names)

    def vjp(self, g: Matrix, out: Matrix, *inputs: Matrix) -> tuple[Matrix, ...]:
        left, right = inputs
        return scale(g, 1.0, f"d{left.key}"), scale(g, -1.0, f"d{right.key}")


def add(left: Matrix, right: Matrix, key: str) -> Matrix:
    """The sum, entry by entry.

    >>> from attention_core.matrix import given
    >>> add(given("A", [[1, 2]]), given("B", [[3, 4]]), "C").value.tolist()
    [[4.0, 6.0]]
    """
    return apply(Add(), key, left, right)


def add_all(terms: Sequence[Matrix], key: str) -> Matrix:
    """The sum of two matrices or more, entry by entry, from the first on.

    >>> from attention_core.matrix import given
    >>> A, B, C = (given(key, [[number]]) for key, number in (("A", 1), ("B", 2), ("C", 3)))
    >>> add_all((A, B, C), "D").value.tolist()
    [[6.0]]
    """
    return apply(Add(), key, *terms)


def subtract(left: Matrix, right: Matrix, key: str) -> Matrix:
    """The difference, entry by entry.

    >>> from attention_core.matrix import given
    >>> subtract(given("A", [[1, 2]]), given("B", [[3, 5]]), "C").value.tolist()
    [[-2.0, -3.0]]
    """
    return apply(Subtract(), key, left, right)
