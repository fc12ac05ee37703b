"""The largest number so far: of a row, and of all that was seen before it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from attention_core.axes import Axis
from attention_core.explain import Derivation
from attention_core.expression import Expr
from attention_core.formula import Beside, Call
from attention_core.matrix import Array, Matrix, given
from attention_core.ops.columns import check_column
from attention_core.ops.multiply import multiply
from attention_core.ops.op import Block, Op, apply
from attention_core.ops.row_sum import spread


@dataclass(frozen=True)
class RunningMax(Op):
    """c'[i] = max(c[i], max_j A[i, j]); shapes (n, m) (n, 1) → (n, 1).

    −∞ where nothing but −∞ was seen so far. Where numbers tie the maximum has no derivative: what
    was seen first stands for all.
    """

    name = "running_max"
    takes_minus_infinity = True
    gives_minus_infinity = True

    def check(self, *inputs: Matrix) -> None:
        check_column(self.name, *inputs)

    def axes(self, *inputs: Matrix) -> tuple[Axis, Axis]:
        return inputs[1].rows, inputs[1].cols

    def forward(self, *arrays: Array) -> Array:
        of, before = arrays
        result: Array = np.maximum(before, of.max(axis=1, keepdims=True))
        return result

    def undefined(self, out: Array, *inputs: Matrix) -> frozenset[int]:
        return frozenset()  # −∞ is what it is: nothing is open so far

    def sources(self, out: Matrix, row: int, col: int) -> tuple[Block, ...]:
        if np.isneginf(out.value[row, 0]):
            return ()
        at = _first(out, row)
        return (Block(1, (row,), (0,)),) if at is None else (Block(0, (row,), (at,)),)

    def explain(self, out: Matrix, row: int, col: int) -> Derivation:
        of, before = out.inputs
        name, at = out.rows.unique(row), _first(out, row)
        seen = (before.entry_name(row, 0), of.row_name(row))
        formula, old = Call(Beside(seen), "max"), before.num(row, 0)
        if np.isneginf(out.value[row, 0]):
            words = f"No key is open for «{name}» so far: −∞, below every number."
            return Derivation(formula, old, words)
        if at is None:
            return Derivation(formula, old, f"No {of.symbol.one} here is larger: it stays.")
        words = f"«{of.cols.unique(at)}» has the largest {of.symbol.one} of «{name}» so far."
        return Derivation(formula, of.num(row, at), words)

    def definition(self, *inputs: Matrix) -> Expr:
        of, before = inputs
        return Call(Beside((before.name(), of.name())), "rowmax")

    def numpy(self, *names: str) -> str:
        of, before = names
        return f"np.maximum({before}, {of}.max(axis=1, keepdims=True))"

    def torch(self, *names: str) -> str:
        of, before = names
        return f"torch.maximum({before}, {of}.amax(dim=1, keepdim=True))"

    def vjp(self, g: Matrix, out: Matrix, *inputs: Matrix) -> tuple[Matrix, ...]:
        of, before = inputs
        chosen, stays = np.zeros(of.shape), np.zeros(before.shape)
        for row in np.flatnonzero(np.isfinite(out.value[:, 0])).tolist():
            at = _first(out, row)
            if at is None:
                stays[row] = 1.0
            else:
                chosen[row, at] = 1.0
        here = given(f"open_{out.key}", chosen, of.rows, of.cols)
        there = given(f"open_{out.key}_before", stays, before.rows, before.cols)
        return (
            multiply(spread(g, of.cols, f"R_{out.key}"), here, f"d{of.key}"),
            multiply(g, there, f"d{before.key}"),
        )


def _first(out: Matrix, row: int) -> int | None:
    """Which entry of the row is the largest so far; ``None`` where it was seen before."""
    of, before = (matrix.value[row] for matrix in out.inputs)
    return int(of.argmax()) if of.max() > before[0] else None


def running_max(of: Matrix, before: Matrix, key: str) -> Matrix:
    """The largest entry of each row, or what is in ``before`` for it, if that is larger.

    >>> from attention_core.matrix import given
    >>> running_max(given("S", [[1, 5], [3, 2]]), given("m", [[2], [4]]), "c").value.tolist()
    [[5.0], [4.0]]
    """
    return apply(RunningMax(), key, of, before)
