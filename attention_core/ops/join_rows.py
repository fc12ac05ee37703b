"""Rows of a matrix taken out, and matrices put one above another. Each is the other's gradient."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from attention_core.axes import Axis
from attention_core.errors import AttentionError
from attention_core.explain import Derivation
from attention_core.expression import Expr
from attention_core.formula import Beside, Call
from attention_core.matrix import Array, Matrix, given
from attention_core.ops.op import Block, Op, apply, size


@dataclass(frozen=True)
class TakeRows(Op):
    """B[i, j] = A[start + i, j]: the rows from ``start`` up to ``stop``; (n, m) → (k, m).

    ``size`` names the number of rows taken, where it is another one than of the whole.
    """

    start: int
    stop: int
    size: str = ""
    name = "take_rows"
    grows = False

    def check(self, *inputs: Matrix) -> None:
        (of,) = inputs
        if not 0 <= self.start < self.stop <= of.shape[0]:
            raise AttentionError(
                f"take_rows: there are no rows {self.start + 1} to {self.stop} in "
                f"{of.symbol.text}, which is {size(of)}."
            )

    def axes(self, *inputs: Matrix) -> tuple[Axis, Axis]:
        rows, cols = inputs[0].rows, inputs[0].cols
        return Axis(self.size or rows.name, rows.labels[self.start : self.stop], rows.tokens), cols

    def forward(self, *arrays: Array) -> Array:
        return arrays[0][self.start : self.stop]

    def undefined(self, out: Array, *inputs: Matrix) -> frozenset[int]:
        rows = inputs[0].undefined
        return frozenset(row - self.start for row in rows if self.start <= row < self.stop)

    def sources(self, out: Matrix, row: int, col: int) -> tuple[Block, ...]:
        return (Block(0, (self.start + row,), (col,)),)

    def explain(self, out: Matrix, row: int, col: int) -> Derivation:
        (of,) = out.inputs
        return Derivation(of.entry_name(self.start + row, col), of.num(self.start + row, col))

    def definition(self, *inputs: Matrix) -> Expr:
        one = self.stop == self.start + 1
        which = f"row {self.stop}" if one else f"rows {self.start + 1}–{self.stop}"
        return Call(inputs[0].name(), which)

    def numpy(self, *names: str) -> str:
        return f"{names[0]}[{self.start}:{self.stop}]"

    def torch(self, *names: str) -> str:
        return f"{names[0]}[{self.start}:{self.stop}]"

    def vjp(self, g: Matrix, out: Matrix, *inputs: Matrix) -> tuple[Matrix, ...]:
        (of,) = inputs
        n, m = of.shape
        above, below = (
            (given(f"open_{out.key}_{side}", np.zeros((height, m))),) if height else ()
            for side, height in (("above", self.start), ("below", n - self.stop))
        )
        return (join_rows((*above, g, *below), of.rows, f"d{of.key}"),)


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
        places = (_place(inputs, row) for row in range(len(out)))
        return frozenset(r for r, (at, row) in enumerate(places) if row in inputs[at].undefined)

    def sources(self, out: Matrix, row: int, col: int) -> tuple[Block, ...]:
        at, inner = _place(out.inputs, row)
        return (Block(at, (inner,), (col,)),)

    def explain(self, out: Matrix, row: int, col: int) -> Derivation:
        at, inner = _place(out.inputs, row)
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


def _place(inputs: Sequence[Matrix], row: int) -> tuple[int, int]:
    """Which matrix a row of the whole comes from, and which of its rows it is there."""
    at = 0
    while row >= inputs[at].shape[0]:
        row -= inputs[at].shape[0]
        at += 1
    return at, row


def take_rows(of: Matrix, start: int, stop: int, key: str, size: str = "") -> Matrix:
    """The rows from ``start`` up to ``stop``, counted from 0 and without ``stop``.

    >>> from attention_core.matrix import given
    >>> take_rows(given("A", [[1, 2], [3, 4], [5, 6]]), 1, 3, "B").value.tolist()
    [[3.0, 4.0], [5.0, 6.0]]
    """
    return apply(TakeRows(start, stop, size), key, of)


def join_rows(parts: Sequence[Matrix], over: Axis, key: str) -> Matrix:
    """Matrices one above another; ``over`` names the rows of the whole.

    >>> from attention_core.axes import numbered
    >>> from attention_core.matrix import given
    >>> parts = given("A", [[1, 2]]), given("B", [[3, 4], [5, 6]])
    >>> join_rows(parts, numbered("n", 3), "C").value.tolist()
    [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
    """
    return apply(JoinRows(over), key, *parts)
