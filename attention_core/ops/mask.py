"""Mask: adding a matrix that may hold −∞, which blocks a key for a query."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from attention_core.explain import Derivation
from attention_core.expression import Expr, Sum
from attention_core.matrix import Array, Matrix, given
from attention_core.ops.multiply import multiply
from attention_core.ops.op import Block, Entrywise, apply


@dataclass(frozen=True)
class Mask(Entrywise):
    """B = A + M, where M[i, j] = −∞ blocks key j for query i; shapes (n, m) (n, m) → (n, m).

    −∞ and not −10⁹: a blocked key gets the weight 0 exactly, whatever the other scores are.
    """

    name = "mask"
    takes_minus_infinity = True
    gives_minus_infinity = True

    def forward(self, *arrays: Array) -> Array:
        scores, mask = arrays
        return scores + mask

    def sources(self, out: Matrix, row: int, col: int) -> tuple[Block, ...]:
        if np.isneginf(out.value[row, col]):
            return ()  # −∞ whatever the score is
        return super().sources(out, row, col)

    def explain(self, out: Matrix, row: int, col: int) -> Derivation:
        scores, mask = out.inputs
        formula = Sum((scores.entry_name(row, col), mask.entry_name(row, col)))
        words = None
        if np.isneginf(mask.value[row, col]):
            query, key = out.pair(row, col)
            words = f"The mask blocks «{key}» for «{query}»: whatever the score is, it becomes −∞."
        return Derivation(formula, Sum((scores.num(row, col), mask.num(row, col))), words)

    def definition(self, *inputs: Matrix) -> Expr:
        return Sum(tuple(m.name() for m in inputs))

    def numpy(self, *names: str) -> str:
        return " + ".join(names)

    def torch(self, *names: str) -> str:
        return " + ".join(names)

    def vjp(self, g: Matrix, out: Matrix, *inputs: Matrix) -> tuple[Matrix, ...]:
        # A blocked cell stays −∞, so nothing flows back through it.
        scores, mask = inputs
        open_cells = np.isfinite(out.value).astype(np.float64)
        through = given(f"open_{out.key}", open_cells, out.rows, out.cols)
        return multiply(g, through, f"d{scores.key}"), multiply(g, through, f"d{mask.key}")


def mask_scores(scores: Matrix, mask: Matrix, key: str) -> Matrix:
    """Add a mask of finite numbers and −∞ to the scores.

    >>> from attention_core.matrix import given
    >>> M = given("M", [[0, -float("inf")]], minus_infinity=True)
    >>> mask_scores(given("S", [[1, 2]]), M, "S_masked").value.tolist()
    [[1.0, -inf]]
    """
    return apply(Mask(), key, scores, mask)
