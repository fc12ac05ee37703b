"""Matrices put one above another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from attention_core.axes import Axis
from attention_core.errors import AttentionError
from attention_core.explain import Derivation
from attention_core.expression import Expr
from attention_core.formula import Beside
from attention_core.matrix import Array, Matrix
from attention_core.ops.join import place
from attention_core.ops.op import Block, Op, apply, size
from attention_core.ops.take_rows import take_rows


@dataclass(frozen=True)
class JoinRows(Op):
    """C = [A; B; …], matrices one above another; shapes (a, m) (b, m) … → (a + b + …, m)."""

    over: Axis
    name = "join_rows"
    grows = False

    def check(self, *inputs: Matrix) -> None:
        for other in inputs[1:]:
            if other.shape[1] != inputs[0].shape[1]:
                raise AttentionError(
                    f"join_rows: {inputs[0].symbol.text} is {size(inputs[0])} and "
                    f"{other.symbol.text} is {size(other)}, and they must have as many columns."
                )
        height = sum(m.shape[0] for m in inputs)
        if height != self.over.size:
            raise AttentionError(
                f"join_rows: there are {height} rows and {self.over.size} names for them."
            )

    def axes(self, *inputs: Matrix) -> tuple[Axis, Axis]:
        return self.over, inputs[0].cols

    def forward(self, *arrays: Array) -> Array:
        return np.vstack(arrays)

    def undefined(self, out: Array, *inputs: Matrix) -> frozenset[int]:
        places = (place(inputs, row, 0) for row in range(len(out)))
        return frozenset(r for r, (at, row) in enumerate(places) if row in inputs[at].undefined)

    def sources(self, out: Matrix, row: int, col: int) -> tuple[Block, ...]:
        at, inner = place(out.inputs, row, 0)
        return (Block(at, (inner,), (col,)),)

    def explain(self, out: Matrix, row: int, col: int) -> Derivation:
        at, inner = place(out.inputs, row, 0)
        of = out.inputs[at]
        return Derivation(of.entry_name(inner, col), of.num(inner, col))

    def definition(self, *inputs: Matrix) -> Expr:
        return Beside(tuple(m.name() for m in inputs), ";")

    def numpy(self, *names: str) -> str:
        return f"np.vstack([{', '.join(names)}])"

    def torch(self, *names: str) -> str:
        return f"torch.cat([{', '.join(names)}], dim=0)"

    def vjp(self, g: Matrix, out: Matrix, *inputs: Matrix) -> tuple[Matrix, ...]:
        parts, start = [], 0
        for of in inputs:
            parts.append(take_rows(g, start, start + of.shape[0], f"d{of.key}", of.rows.name))
            start += of.shape[0]
        return tuple(parts)


def join_rows(parts: Sequence[Matrix], over: Axis, key: str) -> Matrix:
    """Matrices one above another; ``over`` names the rows of the whole.

    >>> from attention_core.axes import numbered
    >>> from attention_core.matrix import given
    >>> parts = given("A", [[1, 2]]), given("B", [[3, 4], [5, 6]])
    >>> join_rows(parts, numbered("n", 3), "C").value.tolist()
    [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
    """
    return apply(JoinRows(over), key, *parts)
