"""Softmax with base 2: powers of 2 divided by their sum."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from attention_core.expression import Expr
from attention_core.formula import Call
from attention_core.matrix import Matrix
from attention_core.ops.op import apply
from attention_core.ops.row_softmax import RowSoftmax
from attention_core.ops.scale import scale


@dataclass(frozen=True)
class BinarySoftmax(RowSoftmax):
    """A[i, j] = 2^S[i, j] / Σ_l 2^S[i, l]; shape (n, m) → (n, m).

    It is the softmax of ln 2 times the scores: somewhat softer, and a fraction where the scores are
    whole numbers. Rows of nothing but −∞ as in :class:`RowSoftmax`.
    """

    name = "binary_softmax"
    base = 2
    raised = np.exp2
    one = "power of 2"
    numpy_setup = """\
def binary_softmax(S):
    top = S.max(axis=1, keepdims=True)
    E = np.exp2(S - np.where(np.isneginf(top), 0.0, top))  # no power can overflow
    total = E.sum(axis=1, keepdims=True)
    return E / np.where(total == 0.0, 1.0, total)  # a row of nothing but -inf stays 0
"""
    torch_setup = f"""\
def binary_softmax(S):
    blocked = torch.isneginf(S).all(dim=1, keepdim=True)  # 0/0: such a row stands as 0
    ln_2 = {math.log(2.0)!r}  # 2^x is e^(x ln 2)
    return torch.softmax(S.masked_fill(blocked, 0.0) * ln_2, dim=1).masked_fill(blocked, 0.0)
"""

    def definition(self, *inputs: Matrix) -> Expr:
        return Call(inputs[0].name(), "softmax with base 2")

    def numpy(self, *names: str) -> str:
        return f"binary_softmax({names[0]})"

    def torch(self, *names: str) -> str:
        return f"binary_softmax({names[0]})"

    def vjp(self, g: Matrix, out: Matrix, *inputs: Matrix) -> tuple[Matrix, ...]:
        # As for base e, times ln 2: the powers of 2 grow less.
        slope = self.slope(g, out, f"N_{out.key}")
        return (scale(slope, math.log(2.0), f"d{inputs[0].key}"),)


def binary_softmax(of: Matrix, key: str) -> Matrix:
    """The softmax of each row with powers of 2 in place of powers of e.

    >>> from attention_core.matrix import given
    >>> binary_softmax(given("S", [[0, 0], [2, 1]]), "A").value.round(3).tolist()
    [[0.5, 0.5], [0.667, 0.333]]
    """
    return apply(BinarySoftmax(), key, of)
