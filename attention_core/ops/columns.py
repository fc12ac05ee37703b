"""A column against every column of a matrix: taking it off, and dividing by it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attention_core.errors import AttentionError
from attention_core.explain import Derivation
from attention_core.expression import Difference, Expr, Num, Quotient
from attention_core.matrix import Array, Matrix, given
from attention_core.ops.multiply import multiply
from attention_core.ops.op import Block, Op, apply, size
from attention_core.ops.row_sum import row_sum
from attention_core.ops.scale import scale


@dataclass(frozen=True)
class SubtractColumn(Op):
    """B[i, j] = A[i, j] − c[i]; shapes (n, m) (n, 1) → (n, m). A blocked entry stays −∞."""

    name = "subtract_column"
    takes_minus_infinity = True
    gives_minus_infinity = True

    def check(self, *inputs: Matrix) -> None:
        check_column(self.name, *inputs)
        if inputs[1].blocked:
            raise AttentionError(
                f"subtract_column: {inputs[1].symbol.text} holds −∞, and −∞ cannot be taken off. "
                "Use row_max, which gives 0 for a row of nothing but −∞."
            )

    def forward(self, *arrays: Array) -> Array:
        of, column = arrays
        return of - column

    def sources(self, out: Matrix, row: int, col: int) -> tuple[Block, ...]:
        if np.isneginf(out.value[row, col]):
            return ()  # −∞ whatever is taken off
        return Block(0, (row,), (col,)), Block(1, (row,), (0,))

    def explain(self, out: Matrix, row: int, col: int) -> Derivation:
        of, column = out.inputs
        words = None
        if np.isneginf(out.value[row, col]):
            words = f"«{out.cols.unique(col)}» is blocked: it stays −∞, whatever is taken off."
        return Derivation(
            Difference(of.entry_name(row, col), column.entry_name(row, 0)),
            Difference(of.num(row, col), column.num(row, 0)),
            words,
        )

    def definition(self, *inputs: Matrix) -> Expr:
        return Difference(*(m.name() for m in inputs))

    def numpy(self, *names: str) -> str:
        return " - ".join(names)

    def torch(self, *names: str) -> str:
        return " - ".join(names)

    def vjp(self, g: Matrix, out: Matrix, *inputs: Matrix) -> tuple[Matrix, ...]:
        of, column = inputs
        passed = passing(g, out, np.isfinite(out.value))
        total = row_sum(passed, f"r_{out.key}")
        return scale(passed, 1.0, f"d{of.key}"), scale(total, -1.0, f"d{column.key}")


@dataclass(frozen=True)
class DivideByColumn(Op):
    """B[i, j] = A[i, j] / c[i]; shapes (n, m) (n, 1) → (n, m).

    A row of zeros divided by 0 has no value (0/0): it stands as 0 and is reported as undefined.
    So does a row whose c is undefined itself. ``zeros`` says that there are such rows: the code
    has to say what becomes of them.
    """

    zeros: bool = False
    name = "divide_by_column"

    def check(self, *inputs: Matrix) -> None:
        check_column(self.name, *inputs)
        of, column = inputs
        for row in np.flatnonzero(column.value[:, 0] == 0.0).tolist():
            if row not in column.undefined and of.value[row].any():
                raise AttentionError(
                    f"divide_by_column: {column.symbol.text} is 0 for «{of.rows.unique(row)}», and "
                    f"the entries of {of.symbol.text} there cannot be divided by 0. Only a row of "
                    "zeros may stand over a 0."
                )

    def forward(self, *arrays: Array) -> Array:
        of, column = arrays
        result: Array = np.where(column == 0.0, 0.0, of / np.where(column == 0.0, 1.0, column))
        return result

    def undefined(self, out: Array, *inputs: Matrix) -> frozenset[int]:
        over_zero = np.flatnonzero(inputs[1].value[:, 0] == 0.0).tolist()
        return super().undefined(out, *inputs) | set(over_zero)

    def sources(self, out: Matrix, row: int, col: int) -> tuple[Block, ...]:
        if row in out.undefined:
            return ()
        above = Block(0, (row,), (col,))
        divided = out.inputs[0].value[row, col] != 0.0  # 0 stays 0, whatever it is divided by
        return (above, Block(1, (row,), (0,))) if divided else (above,)

    def explain(self, out: Matrix, row: int, col: int) -> Derivation:
        of, column = out.inputs
        if row in out.undefined:  # 0/0: no equation gives this 0, so none is shown
            words = _nothing_left(of, row)
            return Derivation(out.entry_name(row, col), Num(0.0), words)
        return Derivation(
            Quotient(of.entry_name(row, col), column.entry_name(row, 0)),
            Quotient(of.num(row, col), column.num(row, 0)),
            None if of.value[row, col] else "0 stays 0, whatever it is divided by.",
        )

    def definition(self, *inputs: Matrix) -> Expr:
        return Quotient(*(m.name() for m in inputs))

    def numpy(self, *names: str) -> str:
        of, column = names
        return f"{of} / np.where({column} == 0, 1, {column})" if self.zeros else f"{of} / {column}"

    def torch(self, *names: str) -> str:
        of, column = names
        safe = f"torch.where({column} == 0, 1, {column})"
        return f"{of} / {safe}" if self.zeros else f"{of} / {column}"

    def vjp(self, g: Matrix, out: Matrix, *inputs: Matrix) -> tuple[Matrix, ...]:
        # dA = dB / c, and dc[i] = −Σ_j dB[i, j]·B[i, j] / c[i].
        of, column = inputs
        defined = np.ones(out.shape, dtype=bool)
        defined[list(out.undefined)] = False
        passed = passing(g, out, defined)
        total = row_sum(multiply(passed, out, f"P_{out.key}"), f"r_{out.key}")
        share = divide_by_column(total, column, f"t_{out.key}")
        return (
            divide_by_column(passed, column, f"d{of.key}"),
            scale(share, -1.0, f"d{column.key}"),
        )


def _nothing_left(of: Matrix, row: int) -> str | None:
    """Why a row is 0/0 where that is not said already: its keys need not be blocked."""
    behind = next((m for m in of.inputs if m.shape == of.shape), of)
    if row in of.undefined or np.isneginf(behind.value[row]).all():
        return None
    return (
        f"All of {of.symbol.text} is 0 for «{of.rows.unique(row)}», and so is the sum. 0/0 has no "
        f"value: this {of.line} stands as 0."
    )


def check_column(name: str, of: Matrix, column: Matrix) -> None:
    """Refuse what is not one column with as many rows."""
    if column.shape != (of.shape[0], 1):
        raise AttentionError(
            f"{name}: {column.symbol.text} is {size(column)}, wanted one column with a number for "
            f"each of the {of.shape[0]} rows of {of.symbol.text}."
        )


def passing(g: Matrix, out: Matrix, passes: NDArray[np.bool_]) -> Matrix:
    """The gradient ``g`` where one passes, and 0 elsewhere."""
    if passes.all():
        return g
    through = given(f"open_{out.key}", passes, out.rows, out.cols)
    return multiply(g, through, f"G_{out.key}")


def subtract_column(of: Matrix, column: Matrix, key: str) -> Matrix:
    """Every entry less the one number that ``column`` has for its row.

    >>> from attention_core.matrix import given
    >>> subtract_column(given("S", [[1, 5], [3, 2]]), given("m", [[5], [3]]), "B").value.tolist()
    [[-4.0, 0.0], [0.0, -1.0]]
    """
    return apply(SubtractColumn(), key, of, column)


def divide_by_column(of: Matrix, column: Matrix, key: str) -> Matrix:
    """Every entry divided by the one number that ``column`` has for its row.

    Errors: :class:`AttentionError` for a number that is not 0 over a 0.

    >>> from attention_core.matrix import given
    >>> B = divide_by_column(given("E", [[1, 3], [0, 0]]), given("Z", [[4], [0]]), "B")
    >>> B.value.tolist(), sorted(B.undefined)
    ([[0.25, 0.75], [0.0, 0.0]], [1])
    """
    return apply(DivideByColumn(bool((column.value == 0.0).any())), key, of, column)
