"""The classic mistakes with a mask, beside the right way; and the two corners of a causal mask.

Each function takes a graph and returns a larger one, or what a computer makes of one row. The right
way stays as it is: S_masked = S_scaled + M and A = softmax(S_masked), with −∞ where M blocks.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from attention_core.axes import Axis
from attention_core.bounds import place
from attention_core.errors import AttentionError
from attention_core.graph import Graph
from attention_core.masks import causal
from attention_core.matrix import Array, Matrix, given
from attention_core.ops import (
    add,
    apply,
    divide_by_column,
    exponential,
    mask_scores,
    matmul,
    multiply,
    row_softmax,
    row_sum,
)
from attention_core.plain import plain

LARGE = -1e9  # what is added by mistake in place of −∞
FEW = 2  # queries of a non-square mask, where there are more keys than that

Precision = Literal["float64", "float32", "float16"]
PRECISIONS: tuple[Precision, ...] = ("float64", "float32", "float16")


def mask_after_softmax(graph: Graph) -> Graph:
    """The mask that comes too late: A_late = softmax(S_scaled) ∘ M_open, with M_open = e^M.

    M_open is 1 where a query may attend and 0 where not. Z_late are the row sums of A_late: what
    blocked keys took is missing. A_renorm = A_late / Z_late divides it out again.

    >>> from attention_core import EXAMPLES
    >>> graph = mask_after_softmax(EXAMPLES["love"].graph(mask="causal"))
    >>> print(graph.explain("Z_late", 0, 0))
    Z_late[I, Σ] = Σ_ℓ A_late[I, ℓ] = 0.070 + 0 + 0 = 0.070
    """
    plain(graph, "mask_after_softmax", "S_scaled")
    A_scaled = row_softmax(graph["S_scaled"], "A_scaled")  # (n, n)
    M_open = exponential(graph["M"], "M_open")  # (n, n)
    A_late = multiply(A_scaled, M_open, "A_late")  # (n, n) (n, n) -> (n, n)
    Z_late = row_sum(A_late, "Z_late")  # (n, n) -> (n, 1)
    A_renorm = divide_by_column(A_late, Z_late, "A_renorm")  # (n, n) (n, 1) -> (n, n)
    return _extended(graph, A_scaled, M_open, A_late, Z_late, A_renorm)


def large_negative_mask(graph: Graph) -> Graph:
    """A mask of −10⁹ in place of −∞: S_big = S_scaled + M_big and A_big = softmax(S_big).

    A row with every key blocked has a distribution then: the one that it has without a mask.

    >>> from attention_core import EXAMPLES
    >>> blocked = [[True] * 3, [False] * 3, [True] * 3]
    >>> graph = large_negative_mask(EXAMPLES["love"].graph(mask=blocked))
    >>> graph["A_big"].value[1].round(3).tolist(), graph["A"].value[1].tolist()
    ([0.333, 0.333, 0.333], [0.0, 0.0, 0.0])
    """
    plain(graph, "large_negative_mask", "S_scaled")
    M = graph["M"]
    large = np.where(np.isneginf(M.value), LARGE, M.value)
    M_big = given("M_big", large, M.rows, M.cols)  # (n, n)
    S_big = add(graph["S_scaled"], M_big, "S_big")  # (n, n) (n, n) -> (n, n)
    return _extended(graph, M_big, S_big, row_softmax(S_big, "A_big"))  # (n, n)


def causal_corners(graph: Graph) -> Graph:
    """Fewer queries than keys, and the causal mask from either corner.

    P_few picks the last queries: Q_few = P_few Q. Their scores are masked from the top left (M_top:
    query i sees keys up to i) and from the bottom right (M_bottom: the last query sees every key).

    >>> from attention_core import EXAMPLES
    >>> graph = causal_corners(EXAMPLES["love"].graph())
    >>> [[x == 0 for x in row] for row in graph["M_top"].value.tolist()]
    [[True, False, False], [True, True, False]]
    >>> [[x == 0 for x in row] for row in graph["M_bottom"].value.tolist()]
    [[True, True, False], [True, True, True]]
    """
    plain(graph, "causal_corners")
    Q, S_scaled = graph["Q"], graph["S_scaled"]
    n = Q.rows.size
    last = range(n - max(1, min(FEW, n - 1)), n)
    few = Axis("n_q", tuple(Q.rows.unique(row) for row in last), tokens=True)
    P_few = given("P_few", np.eye(n)[list(last)], few, Q.rows)  # (n_q, n)
    Q_few = matmul(P_few, Q, "Q_few")  # (n_q, n) (n, d_k) -> (n_q, d_k)
    S_few = matmul(Q_few, graph["K_T"], "S_few")  # (n_q, d_k) (d_k, n) -> (n_q, n)
    assert S_scaled.op is not None
    S_few_scaled = apply(S_scaled.op, "S_few_scaled", S_few)  # (n_q, n)
    return _extended(
        graph,
        P_few,
        Q_few,
        S_few,
        S_few_scaled,
        *_masked(S_few_scaled, "top", causal(few.size, n, "top-left")),
        *_masked(S_few_scaled, "bottom", causal(few.size, n, "bottom-right")),
    )


def mask_errors(graph: Graph) -> Graph:
    """The mask after the softmax, the mask of −10⁹ and the two corners, all beside attention.

    >>> from attention_core import EXAMPLES
    >>> "A_bottom" in mask_errors(EXAMPLES["hand"].graph())
    True
    """
    plain(graph, "mask_errors")
    return causal_corners(large_negative_mask(mask_after_softmax(graph)))


def weights_in(graph: Graph, row: int, precision: Precision) -> Array:
    """One row of weights under a mask of −10⁹, as a computer of that precision gets it.

    NaN where it gets no number. In float16 there is no −10⁹: it becomes −∞.

    >>> from attention_core import EXAMPLES
    >>> graph = EXAMPLES["love"].graph(mask=[[False] * 3] * 3)
    >>> weights_in(graph, 0, "float32").round(3).tolist()
    [0.333, 0.333, 0.333]
    >>> weights_in(graph, 0, "float16").tolist()
    [nan, nan, nan]
    """
    plain(graph, "weights_in", "S_scaled")
    row = place("weights_in", "row", row, graph["M"].shape[0])
    if precision not in PRECISIONS:
        raise AttentionError(
            f"weights_in: precision is {precision!r}, wanted one of {', '.join(PRECISIONS)}."
        )
    M = graph["M"].value[row]
    with np.errstate(all="ignore"):
        large = np.where(np.isneginf(M), LARGE, M).astype(precision)
        scores = graph["S_scaled"].value[row].astype(precision) + large
        powers = np.exp(scores - scores.max())
        weights: Array = (powers / powers.sum()).astype(np.float64)
    return weights


def wrong_sign(graph: Graph, row: int) -> dict[str, Array]:
    """One row under a mask that adds +∞ where it should block, step by step as computers do it.

    The largest score of the row is ∞, and ∞ − ∞ has no value: NaN, and through the sum the whole
    row is.

    >>> from attention_core import EXAMPLES
    >>> steps = wrong_sign(EXAMPLES["love"].graph(mask="causal"), 1)
    >>> [values.round(3).tolist() for values in steps.values()]
    [[1.732, 1.732, inf], [-inf, -inf, nan], [0.0, 0.0, nan], [nan, nan, nan]]
    """
    plain(graph, "wrong_sign", "S_scaled")
    row = place("wrong_sign", "row", row, graph["M"].shape[0])
    M = graph["M"].value[row]
    with np.errstate(all="ignore"):
        scores = graph["S_scaled"].value[row] + np.where(np.isneginf(M), np.inf, M)
        shifted = scores - scores.max()
        powers = np.exp(shifted)
        weights = powers / powers.sum()
    return {"scores": scores, "shifted": shifted, "exponentials": powers, "weights": weights}


def _masked(scores: Matrix, corner: str, mask: Array) -> tuple[Matrix, Matrix, Matrix]:
    """A mask for some scores, the scores under it, and their weights."""
    M = given(f"M_{corner}", mask, scores.rows, scores.cols, minus_infinity=True)  # (n_q, n)
    S = mask_scores(scores, M, f"S_{corner}")  # (n_q, n) (n_q, n) -> (n_q, n)
    return M, S, row_softmax(S, f"A_{corner}")


def _extended(graph: Graph, *matrices: Matrix) -> Graph:
    return Graph((*graph.steps, *matrices), graph.between)
