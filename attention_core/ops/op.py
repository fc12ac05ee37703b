"""The contract of an op, and the one function that applies one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from attention_core.axes import Axis
from attention_core.errors import AttentionError
from attention_core.explain import Derivation, Step
from attention_core.expression import Expr
from attention_core.matrix import Array, Matrix


@dataclass(frozen=True)
class Block:
    """Some cells of one input: every pairing of ``rows`` and ``cols``."""

    input: int
    rows: Sequence[int]
    cols: Sequence[int]


class Op(ABC):
    """What an op owns. It is a frozen value without state: everything comes in as arguments.

    ``takes_minus_infinity`` says that an input may hold −∞ (blocked cells),
    ``gives_minus_infinity`` that the output may (a difference also ∞). ``grows`` is false where the
    output cannot be too large for float64 when the inputs are not. ``by_row`` says that it does
    something else with rows than with columns, ``turns`` that what it makes stands as columns.
    ``numpy_setup`` and ``torch_setup`` are functions
    that the emitted line needs, if any.
    """

    name: ClassVar[str]
    takes_minus_infinity: ClassVar[bool] = False
    gives_minus_infinity: ClassVar[bool] = False
    grows: ClassVar[bool] = True
    by_row: ClassVar[bool] = True
    turns: ClassVar[bool] = False
    numpy_setup: ClassVar[str] = ""
    torch_setup: ClassVar[str] = ""

    def check(self, *inputs: Matrix) -> None:  # noqa: B027 - most ops take any shape
        """Raise :class:`AttentionError` when the shapes do not fit. Any shape fits by default."""

    def axes(self, *inputs: Matrix) -> tuple[Axis, Axis]:
        """Rows and columns of the output; those of the first input by default."""
        return inputs[0].rows, inputs[0].cols

    @abstractmethod
    def forward(self, *arrays: Array) -> Array:
        """The value of the whole matrix."""

    def undefined(self, out: Array, *inputs: Matrix) -> frozenset[int]:
        """Lines without a value of their own, which stand as 0; by default the first input's."""
        lines = out.T if inputs[0].by_column else out
        return frozenset(line for line in inputs[0].undefined if not lines[line].any())

    @abstractmethod
    def sources(self, out: Matrix, row: int, col: int) -> tuple[Block, ...]:
        """Which cells of which inputs this cell depends on: where its derivative is not zero."""

    @abstractmethod
    def explain(self, out: Matrix, row: int, col: int) -> Derivation:
        """The formula of one cell, in symbols and with numbers."""

    def steps(self, out: Matrix, row: int, col: int) -> tuple[Step, ...]:
        """Inner lines of the derivation of one cell, in order; none by default."""
        return ()

    @abstractmethod
    def definition(self, *inputs: Matrix) -> Expr:
        """The formula of the whole matrix, in symbols."""

    @abstractmethod
    def numpy(self, *names: str) -> str:
        """The NumPy expression, given the names of the inputs."""

    @abstractmethod
    def torch(self, *names: str) -> str:
        """The PyTorch expression, given the names of the inputs."""

    @abstractmethod
    def vjp(self, g: Matrix, out: Matrix, *inputs: Matrix) -> tuple[Matrix, ...]:
        """The gradient of each input, given ``g``, the gradient of the output.

        Written with ops, so that gradient cells explain themselves too.
        """


class Entrywise(Op):
    """An op on matrices of one shape in which each entry depends on those at its place."""

    by_row = False

    def check(self, *inputs: Matrix) -> None:
        left, *others = inputs
        for right in others:
            if left.shape != right.shape:
                raise AttentionError(
                    f"{self.name}: {left.symbol.text} is {size(left)} and {right.symbol.text} is "
                    f"{size(right)}, and they must have the same shape."
                )

    def sources(self, out: Matrix, row: int, col: int) -> tuple[Block, ...]:
        return tuple(Block(at, (row,), (col,)) for at in range(len(out.inputs)))


def apply(op: Op, key: str, *inputs: Matrix) -> Matrix:
    """Compute the matrix ``key`` from its inputs.

    Errors: :class:`AttentionError` when shapes do not fit or the numbers are too large for float64.
    """
    op.check(*inputs)
    for matrix in inputs:
        if matrix.blocked and not op.takes_minus_infinity:
            raise AttentionError(
                f"{op.name}: {matrix.symbol.text} holds −∞ and {op.name} needs finite numbers. "
                "Mask scores just before the softmax."
            )
    with np.errstate(all="ignore"):
        value = op.forward(*(matrix.value for matrix in inputs))
        # The sum is one fast pass and is finite almost always; only if it is not, look closer.
        whole = not op.grows or np.isfinite(value.sum())
    blocked = not whole and _check_finite(op, key, value, inputs)
    rows, cols = op.axes(*inputs)
    undefined = op.undefined(value, *inputs)
    by_column = op.turns or any(m.by_column for m in inputs)
    return Matrix(value, key, rows, cols, op, inputs, undefined, blocked, by_column)


def _check_finite(op: Op, key: str, value: Array, inputs: tuple[Matrix, ...]) -> bool:
    """Refuse what float64 cannot hold; return whether the matrix holds −∞ (or ∞).

    That is right only where an input is −∞, and only for an op that hands it on.
    """
    blocked = np.zeros_like(value, dtype=bool)
    if op.gives_minus_infinity:
        for matrix in inputs:
            if matrix.blocked:  # at the same place, or anywhere where entries are moved
                same = matrix.shape == value.shape
                blocked |= np.isneginf(matrix.value if same else value)
    wrong = ~np.isfinite(value) & ~blocked
    if wrong.any():
        row, col = np.argwhere(wrong)[0].tolist()
        raise AttentionError(
            f"{op.name}: {key} is too large for float64 in row {row + 1}, column {col + 1}. "
            "Use smaller numbers in its inputs."
        )
    return bool((blocked & ~np.isfinite(value)).any())


def size(matrix: Matrix) -> str:
    """The shape as people write it, such as ``4×3``."""
    return "×".join(map(str, matrix.shape))
