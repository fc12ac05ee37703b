"""The order of the tokens: the same computation on permuted rows, and positions that tell places.

Each function takes a graph and returns a larger one. Every matrix keeps its key.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from attention_core.axes import Axis
from attention_core.errors import AttentionError
from attention_core.graph import Graph, made_again, marked
from attention_core.matrix import Array, Matrix, given
from attention_core.ops import add, compare, matmul, transpose
from attention_core.rounding import show
from attention_core.stages import embeddings

_LONGEST = 10000  # of the paper: the last pair of features turns about this much more slowly

ORDERS: dict[str, tuple[str, Callable[[int], tuple[int, ...]]]] = {
    "reversed": ("reversed", lambda n: tuple(range(n - 1, -1, -1))),
    "rotated": ("first one last", lambda n: (*range(1, n), 0)),
    "swapped": ("first two swapped", lambda n: (*range(min(n, 2) - 1, -1, -1), *range(2, n))),
}
"""The orders a viewer can choose by name: what they are called, and which token comes when."""


def angle(place: int, feature: int, d_model: int) -> float:
    """What sine and cosine are taken of: p / 10000^(2t / d_model) for the features 2t and 2t + 1.

    >>> angle(3, 0, 4), angle(3, 1, 4), angle(3, 2, 4)
    (3.0, 3.0, 0.03)
    """
    return float(place / _LONGEST ** (feature // 2 * 2 / d_model))


def sinusoids(n: int, d_model: int) -> Array:
    """The positions of Vaswani et al. (2017), section 3.5: a row for each place, counted from 0.

    Pos[p, 2t] = sin(p / 10000^(2t / d_model)) and Pos[p, 2t + 1] = cos(p / 10000^(2t / d_model)).

    >>> sinusoids(2, 4).round(3).tolist()
    [[0.0, 1.0, 0.0, 1.0], [0.841, 0.54, 0.01, 1.0]]
    """
    waves = (math.sin, math.cos)
    rows = [[waves[t % 2](angle(p, t, d_model)) for t in range(d_model)] for p in range(n)]
    return np.array(rows)


def sinusoid_text(place: int, feature: int, d_model: int, decimals: int = 3) -> str:
    """One number of the positions, with its formula.

    >>> sinusoid_text(2, 3, 4)
    'cos(2 / 10000^(2/4)) = cos(2 / 100) = 1.000'
    """
    wave, even = ("sin", "cos")[feature % 2], feature // 2 * 2
    result = getattr(math, wave)(angle(place, feature, d_model))
    return (
        f"{wave}({place} / {_LONGEST}^({even}/{d_model})) = "
        f"{wave}({place} / {show(_LONGEST ** (even / d_model), decimals).text}) = "
        f"{show(result, decimals).text}"
    )


def with_positions(graph: Graph) -> Graph:
    """The same attention on X_pos = X + Pos: the row of a place is added to the token there.

    Errors: :class:`AttentionError` for a graph without embeddings.

    >>> from attention_core import EXAMPLES
    >>> with_positions(EXAMPLES["love"].graph()).explain("X_pos", 2, 1).text
    'X_pos[AI, 2] = X[AI, 2] + Pos[2, 2] = 1 + (−0.416) = 0.584'
    """
    X = embeddings(graph, "with_positions")
    places = Axis("place", tuple(map(str, range(X.rows.size))))
    Pos = given("Pos", sinusoids(*X.shape), places, X.cols)
    X_pos = add(X, Pos, "X_pos")  # (n, d_model) (n, d_model) -> (n, d_model)
    made = made_again(graph, {"X": X_pos})
    rest = (made.get(m.key, m) for m in graph.steps if m is not X)
    return Graph((X, Pos, X_pos, *rest), graph.between)


def reordered(graph: Graph, order: Sequence[int], *, mask_moves: bool = False) -> Graph:
    """The same attention on the same rows in another order, and what that changes in the outputs.

    ``order[i]`` is the row that comes to place i. X_P = P X (or Q_P, K_P and V_P, where these are
    given), all that follows is made again with the same ops and weights, O_back = Pᵀ O_P puts the
    outputs back into the first order, and O_diff = O_back − O. What belongs to places stays:
    positions, and the mask, unless it belongs to tokens and moves with them (``mask_moves``).

    Errors: :class:`AttentionError` for an ``order`` that does not name each row once, and where
    queries and keys are two sequences.

    >>> from attention_core import EXAMPLES
    >>> graph = EXAMPLES["love"].graph()
    >>> reordered(graph, (2, 1, 0))["O_diff"].value.any()
    np.False_
    >>> reordered(with_positions(graph), (2, 1, 0)).explain("O_diff", 0, 0).text
    'O_diff[I, 1] = O_back[I, 1] − O[I, 1] = 2.513 − 2.765 = −0.252'
    """
    start = ("X",) if "X" in graph else ("Q", "K", "V")
    rows = graph[start[0]].rows
    if any(graph[key].rows != rows for key in "QKV"):
        raise AttentionError("reordered: queries and keys are two sequences. Use self-attention.")
    P = _permutation(order, rows)
    M = graph["M"]
    mask = M.value[np.ix_(order, order)] if mask_moves else M.value
    instead = {key: matmul(P, graph[key], f"{key}_P") for key in start}  # (n, n) (n, d) -> (n, d)
    instead["M"] = given("M_P", mask, P.rows, P.rows, minus_infinity=True)
    made = made_again(graph, instead, partial(marked, mark="_P"))
    P_T = transpose(P)
    O_back = matmul(P_T, made["O"], "O_back")  # (n, n) (n, d_v) -> (n, d_v)
    O_diff = compare(O_back, graph["O"], "O_diff", graph["V"])  # (n, d_v) (n, d_v) -> (n, d_v)
    steps = (*graph.steps, P, *made.values(), P_T, O_back, O_diff)
    return Graph(steps, graph.between | {"K_P_T", "M_P", "P_T"})


def _permutation(order: Sequence[int], rows: Axis) -> Matrix:
    """P with P[i, order[i]] = 1: row i of P X is row order[i] of X."""
    if sorted(order) != list(range(rows.size)):
        raise AttentionError(
            f"reordered: got the order {tuple(order)!r}, wanted each of 0 to {rows.size - 1} once."
        )
    labels = tuple(rows.labels[row] for row in order)
    there = Axis("n_P", labels, tokens=rows.tokens)
    return given("P", np.eye(rows.size)[list(order)], there, rows)
