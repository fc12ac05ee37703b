"""e to the power of what is left when a column is taken off."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from attention_core.errors import AttentionError
from attention_core.explain import Derivation
from attention_core.expression import Difference, Exp, Expr, Num
from attention_core.matrix import Array, Matrix
from attention_core.ops.columns import check_column
from attention_core.ops.multiply import multiply
from attention_core.ops.op import Block, Op, apply
from attention_core.ops.row_sum import row_sum
from attention_core.ops.scale import scale


@dataclass(frozen=True)
class ExpLess(Op):
    """B[i, j] = e^(A[i, j] − c[i]); shapes (n, m) (n, 1) → (n, m).

    e^−∞ is 0, so a blocked entry gives 0 also where c is −∞: nothing was open there, and nothing
    counts.
    """

    name = "exp_less"
    takes_minus_infinity = True
    numpy_setup = """\
def exp_less(A, c):
    return np.exp(A - np.where(np.isneginf(c), 0.0, c))  # -inf gives 0, whatever c is
"""
    torch_setup = """\
def exp_less(A, c):
    return torch.exp(A - torch.where(torch.isneginf(c), 0.0, c))  # -inf gives 0, whatever c is
"""

    def check(self, *inputs: Matrix) -> None:
        check_column(self.name, *inputs)
        of, column = inputs
        for row in np.flatnonzero(np.isneginf(column.value[:, 0])).tolist():
            if row not in of.undefined and np.isfinite(of.value[row]).any():
                raise AttentionError(
                    f"exp_less: {column.symbol.text} is −∞ for «{of.rows.unique(row)}», and an "
                    f"entry of {of.symbol.text} there is not. Only −∞ may have −∞ taken off."
                )

    def forward(self, *arrays: Array) -> Array:
        of, column = arrays
        result: Array = np.exp(of - np.where(np.isneginf(column), 0.0, column))
        return result

    def sources(self, out: Matrix, row: int, col: int) -> tuple[Block, ...]:
        if np.isneginf(out.inputs[0].value[row, col]):
            return ()  # 0 whatever is taken off
        return Block(0, (row,), (col,)), Block(1, (row,), (0,))

    def explain(self, out: Matrix, row: int, col: int) -> Derivation:
        of, column = out.inputs
        power, less = of.num(row, col), column.num(row, 0)
        words = None
        if np.isneginf(less.value):  # −∞ − (−∞) is no number, so none is shown
            words = f"{of.symbol.text} and {column.symbol.text} are −∞: no key is open so far."
            return Derivation(out.entry_name(row, col), Num(0.0), words)
        if np.isneginf(power.value):
            words = f"{of.symbol.text} is −∞ here, and e^−∞ is 0."
        elif out.value[row, col] == 0.0:
            words = "e to so low a power is too small for a float64 and is 0."
        formula = Difference(of.entry_name(row, col), column.entry_name(row, 0))
        return Derivation(Exp(formula), Exp(Difference(power, less)), words)

    def definition(self, *inputs: Matrix) -> Expr:
        return Exp(Difference(*(m.name() for m in inputs)))

    def numpy(self, *names: str) -> str:
        return f"exp_less({', '.join(names)})"

    def torch(self, *names: str) -> str:
        return f"exp_less({', '.join(names)})"

    def vjp(self, g: Matrix, out: Matrix, *inputs: Matrix) -> tuple[Matrix, ...]:
        # dA = dB ∘ B, and dc[i] = −Σ_j dB[i, j]·B[i, j].
        of, column = inputs
        grown = multiply(g, out, f"P_{out.key}")
        total = row_sum(grown, f"r_{out.key}")
        return scale(grown, 1.0, f"d{of.key}"), scale(total, -1.0, f"d{column.key}")


def exp_less(of: Matrix, column: Matrix, key: str) -> Matrix:
    """e to the power of every entry less the one number that ``column`` has for its row.

    Errors: :class:`AttentionError` for a power above 709, and for a number less −∞.

    >>> from attention_core.matrix import given
    >>> S = given("S", [[5, 4, -float("inf")]], minus_infinity=True)
    >>> exp_less(S, given("m", [[5]]), "E").value.round(3).tolist()
    [[1.0, 0.368, 0.0]]
    """
    return apply(ExpLess(), key, of, column)
