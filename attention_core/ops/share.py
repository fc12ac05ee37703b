"""Entries as shares of their row's total, which may be 0."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attention_core.explain import Derivation
from attention_core.expression import Num
from attention_core.matrix import Array, Matrix
from attention_core.ops.columns import DivideByColumn, check_column
from attention_core.ops.op import Op, apply

# A total that is this small beside the entries is what is left of 0: 0.1 + 0.2 − 0.3.
_DUST = 1e-12


@dataclass(frozen=True)
class ShareOfColumn(DivideByColumn):
    """B[i, j] = A[i, j] / c[i], and no value where c[i] is 0; shapes (n, m) (n, 1) → (n, m).

    Unlike :class:`DivideByColumn` it takes a row of any numbers over a total of 0: such a row has
    no shares, stands as 0 and is reported as undefined.
    """

    name = "share_of_column"
    numpy_setup = """\
def share_of_column(A, c):
    no_total = abs(c) <= 1e-12 * abs(A).max(axis=1, keepdims=True)  # nothing can be divided by 0
    return np.where(no_total, 0.0, A / np.where(no_total, 1.0, c))
"""
    torch_setup = """\
def share_of_column(A, c):
    no_total = abs(c) <= 1e-12 * abs(A).amax(dim=1, keepdim=True)  # nothing can be divided by 0
    return torch.where(no_total, 0.0, A / torch.where(no_total, 1.0, c))
"""

    def check(self, *inputs: Matrix) -> None:
        check_column(self.name, *inputs)

    def forward(self, *arrays: Array) -> Array:
        of, column = arrays
        zero = _no_total(of, column)
        result: Array = np.where(zero, 0.0, of / np.where(zero, 1.0, column))
        return result

    def undefined(self, out: Array, *inputs: Matrix) -> frozenset[int]:
        zero = _no_total(*(m.value for m in inputs))
        return Op.undefined(self, out, *inputs) | set(np.flatnonzero(zero).tolist())

    def explain(self, out: Matrix, row: int, col: int) -> Derivation:
        if row not in out.undefined:
            return super().explain(out, row, col)
        of, column = out.inputs
        words = (
            f"{column.symbol.text} is 0 for «{of.rows.unique(row)}», and nothing can be divided by "
            f"0: this {of.line} has no shares, and it stands as 0."
        )
        return Derivation(out.entry_name(row, col), Num(0.0), words)

    def numpy(self, *names: str) -> str:
        return f"share_of_column({', '.join(names)})"

    def torch(self, *names: str) -> str:
        return f"share_of_column({', '.join(names)})"


def _no_total(of: Array, column: Array) -> NDArray[np.bool_]:
    """Which totals are 0, as a column."""
    zero: NDArray[np.bool_] = abs(column) <= _DUST * abs(of).max(axis=1, keepdims=True)
    return zero


def share_of_column(of: Matrix, column: Matrix, key: str) -> Matrix:
    """Every entry as a share of the one number that ``column`` has for its row.

    >>> from attention_core.matrix import given
    >>> P = share_of_column(given("S", [[1, 3], [2, -2]]), given("r", [[4], [0]]), "P")
    >>> P.value.tolist(), sorted(P.undefined)
    ([[0.25, 0.75], [0.0, 0.0]], [1])
    """
    return apply(ShareOfColumn(), key, of, column)
