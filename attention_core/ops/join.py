"""Columns of a matrix taken out, and matrices put side by side. Each is the other's gradient."""

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
from attention_core.ops.columns import passing
from attention_core.ops.op import Block, Op, apply, size


@dataclass(frozen=True)
class TakeColumns(Op):
    """B[i, j] = A[i, start + j]: the columns from ``start`` up to ``stop``; (n, m) → (n, k).

    ``size`` names the number of columns taken, where it is another one than of the whole.
    """

    start: int
    stop: int
    size: str = ""
    name = "take_columns"
    takes_minus_infinity = True
    gives_minus_infinity = True

    def check(self, *inputs: Matrix) -> None:
        (of,) = inputs
        if not 0 <= self.start < self.stop <= of.shape[1]:
            raise AttentionError(
                f"take_columns: there are no columns {self.start + 1} to {self.stop} in "
                f"{of.symbol.text}, which is {size(of)}."
            )

    def axes(self, *inputs: Matrix) -> tuple[Axis, Axis]:
        rows, cols = inputs[0].rows, inputs[0].cols
        return rows, cols.part(self.start, self.stop, self.size)

    def forward(self, *arrays: Array) -> Array:
        return arrays[0][:, self.start : self.stop]

    def sources(self, out: Matrix, row: int, col: int) -> tuple[Block, ...]:
        if np.isneginf(out.value[row, col]):
            return ()  # −∞ has no slope
        return (Block(0, (row,), (self.start + col,)),)

    def explain(self, out: Matrix, row: int, col: int) -> Derivation:
        (of,) = out.inputs
        return Derivation(of.entry_name(row, self.start + col), of.num(row, self.start + col))

    def definition(self, *inputs: Matrix) -> Expr:
        one = self.stop == self.start + 1
        which = f"column {self.stop}" if one else f"columns {self.start + 1}–{self.stop}"
        return Call(inputs[0].name(), which)

    def numpy(self, *names: str) -> str:
        return f"{names[0]}[:, {self.start}:{self.stop}]"

    def torch(self, *names: str) -> str:
        return f"{names[0]}[:, {self.start}:{self.stop}]"

    def vjp(self, g: Matrix, out: Matrix, *inputs: Matrix) -> tuple[Matrix, ...]:
        (of,) = inputs
        n, m = of.shape
        before, after = (
            (given(f"open_{out.key}_{side}", np.zeros((n, width))),) if width else ()
            for side, width in (("left", self.start), ("right", m - self.stop))
        )
        passed = passing(g, out, np.isfinite(out.value))
        return (join_columns((*before, passed, *after), of.cols, f"d{of.key}"),)


@dataclass(frozen=True)
class JoinColumns(Op):
    """C = [A | B | …], matrices side by side; shapes (n, a) (n, b) … → (n, a + b + …)."""

    over: Axis
    name = "join_columns"
    grows = False

    def check(self, *inputs: Matrix) -> None:
        for other in inputs[1:]:
            if other.shape[0] != inputs[0].shape[0]:
                raise AttentionError(
                    f"join_columns: {inputs[0].symbol.text} is {size(inputs[0])} and "
                    f"{other.symbol.text} is {size(other)}, and they must have as many rows."
                )
        width = sum(m.shape[1] for m in inputs)
        if width != self.over.size:
            raise AttentionError(
                f"join_columns: there are {width} columns and {self.over.size} names for them."
            )

    def axes(self, *inputs: Matrix) -> tuple[Axis, Axis]:
        return inputs[0].rows, self.over

    def forward(self, *arrays: Array) -> Array:
        return np.hstack(arrays)

    def undefined(self, out: Array, *inputs: Matrix) -> frozenset[int]:
        return frozenset.intersection(*(m.undefined for m in inputs))

    def sources(self, out: Matrix, row: int, col: int) -> tuple[Block, ...]:
        at, inner = place(out.inputs, col, 1)
        return (Block(at, (row,), (inner,)),)

    def explain(self, out: Matrix, row: int, col: int) -> Derivation:
        at, inner = place(out.inputs, col, 1)
        of = out.inputs[at]
        return Derivation(of.entry_name(row, inner), of.num(row, inner))

    def definition(self, *inputs: Matrix) -> Expr:
        return Beside(tuple(m.name() for m in inputs))

    def numpy(self, *names: str) -> str:
        return f"np.hstack([{', '.join(names)}])"

    def torch(self, *names: str) -> str:
        return f"torch.cat([{', '.join(names)}], dim=1)"

    def vjp(self, g: Matrix, out: Matrix, *inputs: Matrix) -> tuple[Matrix, ...]:
        parts, start = [], 0
        for of in inputs:
            parts.append(take_columns(g, start, start + of.shape[1], f"d{of.key}", of.cols.name))
            start += of.shape[1]
        return tuple(parts)


def place(inputs: Sequence[Matrix], index: int, axis: int) -> tuple[int, int]:
    """Which matrix a row (axis 0) or column (1) of the whole comes from, and which it is there."""
    at = 0
    while index >= inputs[at].shape[axis]:
        index -= inputs[at].shape[axis]
        at += 1
    return at, index


def take_columns(of: Matrix, start: int, stop: int, key: str, size: str = "") -> Matrix:
    """The columns from ``start`` up to ``stop``, counted from 0 and without ``stop``.

    >>> from attention_core.matrix import given
    >>> take_columns(given("A", [[1, 2, 3]]), 1, 3, "B").value.tolist()
    [[2.0, 3.0]]
    """
    return apply(TakeColumns(start, stop, size), key, of)


def join_columns(parts: Sequence[Matrix], over: Axis, key: str) -> Matrix:
    """Matrices side by side; ``over`` names the columns of the whole.

    >>> from attention_core.axes import numbered
    >>> from attention_core.matrix import given
    >>> parts = given("A", [[1], [2]]), given("B", [[3, 4], [5, 6]])
    >>> join_columns(parts, numbered("m", 3), "C").value.tolist()
    [[1.0, 3.0, 4.0], [2.0, 5.0, 6.0]]
    """
    return apply(JoinColumns(over), key, *parts)
