"""Hard maximum of each row: the largest entry gets everything."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attention_core.explain import Derivation
from attention_core.expression import Expr, Num, Quotient
from attention_core.formula import Call
from attention_core.matrix import Array, Matrix
from attention_core.ops.op import Block, Op, apply
from attention_core.ops.scale import scale

_TIE = 1e-12  # entries that differ by less than this part are equal: it is float dust


@dataclass(frozen=True)
class HardMax(Op):
    """B[i, j] = 1/t for the t largest entries of row i, else 0; shape (n, m) → (n, m).

    The look-up in a table that softmax is the soft form of. A row of nothing but −∞ has no
    largest entry: it stands as 0 and is reported as undefined.
    """

    name = "hard_max"
    takes_minus_infinity = True
    grows = False
    numpy_setup = f"""\
def hard_max(S):
    top = S.max(axis=1, keepdims=True)
    largest = (S >= top - {_TIE} * abs(top)) & (S > -np.inf)
    ties = largest.sum(axis=1, keepdims=True)
    return largest / np.maximum(ties, 1)  # a row of nothing but -inf stays 0
"""
    torch_setup = f"""\
def hard_max(S):
    top = S.amax(dim=1, keepdim=True)
    largest = ((S >= top - {_TIE} * top.abs()) & ~torch.isneginf(S)).double()
    ties = largest.sum(dim=1, keepdim=True)
    return largest / ties.clamp(min=1)  # a row of nothing but -inf stays 0
"""

    def forward(self, *arrays: Array) -> Array:
        largest = tops(arrays[0])
        weights: Array = largest / np.maximum(largest.sum(axis=1, keepdims=True), 1)
        return weights

    def undefined(self, out: Array, *inputs: Matrix) -> frozenset[int]:
        return frozenset(np.flatnonzero(~out.any(axis=1)).tolist())

    def sources(self, out: Matrix, row: int, col: int) -> tuple[Block, ...]:
        return ()  # a small change of a score changes nothing

    def explain(self, out: Matrix, row: int, col: int) -> Derivation:
        (scores,) = out.inputs
        formula = Call(scores.row_name(row), "hardmax")
        if row in out.undefined:
            words = (
                f"Every key is blocked for «{out.rows.unique(row)}»: there is nothing to look up, "
                f"and the {scores.line} stands as 0."
            )
            return Derivation(out.entry_name(row, col), Num(0.0), words)
        largest_of = f"the largest score of the {scores.line}"
        name = f"«{out.cols.unique(col)}»"
        largest = np.flatnonzero(out.value[row]).tolist()
        others = [f"«{out.cols.unique(k)}»" for k in largest if k != col]
        if not out.value[row, col]:
            blocked = np.isneginf(scores.value[row, col])
            why = "is blocked" if blocked else f"does not have {largest_of}"
            return Derivation(formula, Num(0.0), f"{name} {why}, so it gets nothing.")
        if not others:
            words = f"{name} has {largest_of}, so it gets everything."
            return Derivation(formula, Num(1.0), words)
        ties = len(others) + 1
        words = f"{name} shares {largest_of} with {_listed(others)}: 1/{ties} each."
        return Derivation(formula, Quotient(Num(1.0), Num(float(ties))), words)

    def definition(self, *inputs: Matrix) -> Expr:
        return Call(inputs[0].name(), "hardmax")

    def numpy(self, *names: str) -> str:
        return f"hard_max({names[0]})"

    def torch(self, *names: str) -> str:
        return f"hard_max({names[0]})"

    def vjp(self, g: Matrix, out: Matrix, *inputs: Matrix) -> tuple[Matrix, ...]:
        return (scale(g, 0.0, f"d{inputs[0].key}"),)


def tops(values: Array) -> NDArray[np.bool_]:
    """Which entries are the largest of their row; more than one where they tie. −∞ never is.

    A difference may hold ∞, which is.

    >>> import numpy as np
    >>> tops(np.array([[1.0, 5.0, 5.0], [-np.inf, -np.inf, -np.inf]])).tolist()
    [[False, True, True], [False, False, False]]
    >>> tops(np.array([[1.0, np.inf]])).tolist()
    [[False, True]]
    """
    top = values.max(axis=1, keepdims=True)
    largest: NDArray[np.bool_] = (values >= top * (1.0 - _TIE * np.sign(top))) & ~np.isneginf(
        values
    )
    return largest


def _listed(names: list[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def hard_max(of: Matrix, key: str) -> Matrix:
    """Everything to the largest entry of each row; ties share equally.

    >>> from attention_core.matrix import given
    >>> hard_max(given("S", [[1, 5, 3], [2, 2, 0]]), "H").value.tolist()
    [[0.0, 1.0, 0.0], [0.5, 0.5, 0.0]]
    """
    return apply(HardMax(), key, of)
