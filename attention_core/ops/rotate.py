"""Turning pairs of components by an angle."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from attention_core.errors import AttentionError
from attention_core.explain import Derivation, Step
from attention_core.expression import Difference, Expr, Function, Product, Sum
from attention_core.matrix import Array, Matrix, given
from attention_core.ops.add import subtract
from attention_core.ops.matmul import matmul
from attention_core.ops.multiply import multiply
from attention_core.ops.op import Block, Op, apply, size
from attention_core.ops.scale import scale

_SETUP = """\
def rotate(A, angles, halves):
    pairs = angles.shape[1]
    one, other = slice(0, 2 * pairs, 2), slice(1, 2 * pairs, 2)  # neighbours are a pair
    if halves:  # the first half with the second
        one, other = slice(0, pairs), slice(pairs, 2 * pairs)
    B = A.{copy}()  # components without an angle stay as they are
    B[:, one] = A[:, one] * {lib}.cos(angles) - A[:, other] * {lib}.sin(angles)
    B[:, other] = A[:, one] * {lib}.sin(angles) + A[:, other] * {lib}.cos(angles)
    return B
"""


@dataclass(frozen=True)
class Rotate(Op):
    """Each pair of components a, b of a row turned by an angle φ; (n, m) (n, r // 2) → (n, m).

    a becomes a·cos φ − b·sin φ, and b becomes a·sin φ + b·cos φ. A pair is two neighbours (Su et
    al. 2021), or with ``halves`` a component of the first half and the one at its place in the
    second (GPT-NeoX). There is an angle for each pair of the first r components; those after them
    stay as they are, and so does the last of an odd number.
    """

    halves: bool = False
    name = "rotate"
    numpy_setup = _SETUP.format(copy="copy", lib="np")
    torch_setup = _SETUP.format(copy="clone", lib="torch")

    def check(self, *inputs: Matrix) -> None:
        of, angles = inputs
        n, pairs = of.shape[0], of.shape[1] // 2
        if angles.shape[0] != n or angles.shape[1] > pairs:
            raise AttentionError(
                f"rotate: {of.symbol.text} is {size(of)} and {angles.symbol.text} is "
                f"{size(angles)}, wanted {n}×{pairs}, or fewer columns: an angle for each row and "
                "each pair of components that is turned."
            )

    def _pair(self, col: int, pairs: int) -> tuple[int, int, int] | None:
        """The two columns of a pair and that of its angle; none for a column that stays."""
        if col >= 2 * pairs:
            return None
        if self.halves:
            return col % pairs, col % pairs + pairs, col % pairs
        return col // 2 * 2, col // 2 * 2 + 1, col // 2

    def forward(self, *arrays: Array) -> Array:
        of, angles = arrays
        pairs = angles.shape[1]
        one, other = slice(0, 2 * pairs, 2), slice(1, 2 * pairs, 2)
        if self.halves:
            one, other = slice(0, pairs), slice(pairs, 2 * pairs)
        result = of.copy()
        result[:, one] = of[:, one] * np.cos(angles) - of[:, other] * np.sin(angles)
        result[:, other] = of[:, one] * np.sin(angles) + of[:, other] * np.cos(angles)
        return result

    def sources(self, out: Matrix, row: int, col: int) -> tuple[Block, ...]:
        pair = self._pair(col, out.inputs[1].shape[1])
        if pair is None:
            return (Block(0, (row,), (col,)),)
        one, other, angle = pair
        return Block(0, (row,), (one, other)), Block(1, (row,), (angle,))

    def explain(self, out: Matrix, row: int, col: int) -> Derivation:
        of, angles = out.inputs
        pair = self._pair(col, angles.shape[1])
        if pair is None:
            words = "This component has no partner, so it stays as it is."
            return Derivation(of.entry_name(row, col), of.num(row, col), words)
        one, other, at = pair
        return Derivation(
            _turned(
                of.entry_name(row, one),
                of.entry_name(row, other),
                angles.entry_name(row, at),
                first=col == one,
            ),
            _turned(of.num(row, one), of.num(row, other), angles.num(row, at), first=col == one),
        )

    def steps(self, out: Matrix, row: int, col: int) -> tuple[Step, ...]:
        angles = out.inputs[1]
        pair = self._pair(col, angles.shape[1])
        if pair is None:
            return ()
        name, number = angles.entry_name(row, pair[2]), angles.num(row, pair[2])
        return tuple(
            Step(words, Function(name, wave), Function(number, wave))
            for words, wave in (("cosine", "cos"), ("sine", "sin"))
        )

    def definition(self, *inputs: Matrix) -> Expr:
        return Product(tuple(m.name() for m in inputs), "↺")

    def numpy(self, *names: str) -> str:
        return f"rotate({', '.join(names)}, halves={self.halves})"

    def torch(self, *names: str) -> str:
        return self.numpy(*names)

    def vjp(self, g: Matrix, out: Matrix, *inputs: Matrix) -> tuple[Matrix, ...]:
        # A gradient is turned back. With the angle, the pair a, b changes by −b, a.
        of, angles = inputs
        back = scale(angles, -1.0, f"back_{out.key}")
        one, other = (self._picked(out, angles, second) for second in (False, True))
        along = multiply(
            matmul(g, other, f"{g.key}_other"), matmul(out, one, f"{out.key}_one"), f"P_{out.key}"
        )
        against = multiply(
            matmul(g, one, f"{g.key}_one"), matmul(out, other, f"{out.key}_other"), f"R_{out.key}"
        )
        return (
            apply(self, f"d{of.key}", g, back),
            subtract(along, against, f"d{angles.key}"),
        )

    def _picked(self, out: Matrix, angles: Matrix, second: bool) -> Matrix:
        """The matrix of 0s and 1s that picks one component of each pair: (m, m // 2)."""
        m, pairs = out.shape[1], angles.shape[1]
        pick = np.zeros((m, pairs))
        for col in range(2 * pairs):
            one, other, at = self._pair(col, pairs) or (0, 0, 0)
            pick[other if second else one, at] = 1.0
        name = "other" if second else "one"
        return given(f"open_{out.key}_{name}", pick, out.cols, angles.cols)


def _turned(one: Expr, other: Expr, angle: Expr, *, first: bool) -> Expr:
    """The first or the second component of a pair, turned."""
    if first:
        return Difference(
            Product((one, Function(angle, "cos"))), Product((other, Function(angle, "sin")))
        )
    return Sum((Product((one, Function(angle, "sin"))), Product((other, Function(angle, "cos")))))


def rotate(of: Matrix, angles: Matrix, key: str, *, halves: bool = False) -> Matrix:
    """Each pair of components turned by the angle that ``angles`` has for its row and pair.

    >>> from math import pi
    >>> from attention_core.matrix import given
    >>> Q, Phi = given("Q", [[1, 0, 5]]), given("Phi", [[pi / 2]])
    >>> rotate(Q, Phi, "Q_rot").value.round(3).tolist()
    [[0.0, 1.0, 5.0]]
    """
    return apply(Rotate(halves), key, of, angles)
