"""The order of the tokens: the same computation on permuted rows, and positions that tell places.

Each function takes a graph and returns a larger one. Every matrix keeps its key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

import numpy as np

from attention_core.again import made_again, marked
from attention_core.axes import Axis, numbered
from attention_core.bounds import whole
from attention_core.errors import AttentionError
from attention_core.graph import Graph
from attention_core.matrix import Array, Matrix, given
from attention_core.ops import add, compare, matmul, sinusoid, transpose
from attention_core.plain import before_positions, rows
from attention_core.stream import embeddings

FAR = 10**9
_MOST = 100_000  # rows or columns of sines and cosines
LONGEST = 10000.0  # of the paper: the last pair of features turns about this much more slowly

ORDERS: dict[str, tuple[str, Callable[[int], tuple[int, ...]]]] = {
    "reversed": ("reversed", lambda n: tuple(range(n - 1, -1, -1))),
    "rotated": ("first one last", lambda n: (*range(1, n), 0)),
    "swapped": ("first two swapped", lambda n: (*range(min(n, 2) - 1, -1, -1), *range(2, n))),
}
"""The orders a viewer can choose by name: what they are called, and which token comes when."""


def places(rows: Axis, first: int = 0) -> Matrix:
    """The column p of the places of some rows, one after the other from ``first`` on.

    >>> places(Axis("n", ("I", "love"), tokens=True), 5).value.tolist()
    [[5.0], [6.0]]
    """
    first = whole("positions", "first", first, -FAR, FAR)
    return at_places(rows, range(first, first + rows.size))


def at_places(rows: Axis, at: Iterable[int]) -> Matrix:
    """The column p of places that are given, one for each row.

    >>> at_places(Axis("n", ("I", "love"), tokens=True), (7, 2)).value.tolist()
    [[7.0], [2.0]]
    """
    return given("p", [[place] for place in at], rows, Axis("1", ("place",)))


def frequencies(
    columns: Axis, pairs: Sequence[int], width: int, longest: float = LONGEST
) -> Matrix:
    """The row θ of how far the angle of each column moves from place to place.

    θ[t] = longest^(−2t / width) for the t-th pair of ``width`` components; ``pairs`` tells t.

    >>> frequencies(Axis("pair", ("1", "2")), (0, 1), 4).value.round(6).tolist()
    [[1.0, 0.01]]
    """
    row = [longest ** (-2 * pair / width) for pair in pairs]
    return given("theta", [row], Axis("1", ("θ",)), columns)


def sinusoids(n: int, d_model: int) -> Array:
    """The positions of Vaswani et al. (2017), section 3.5: a row for each place, counted from 0.

    Pos[p, 2t] = sin(p / 10000^(2t / d_model)) and Pos[p, 2t + 1] = cos(p / 10000^(2t / d_model)).

    >>> sinusoids(2, 4).round(3).tolist()
    [[0.0, 1.0, 0.0, 1.0], [0.841, 0.54, 0.01, 1.0]]
    """
    n = whole("sinusoids", "n", n, 1, _MOST)
    d_model = whole("sinusoids", "d_model", d_model, 1, _MOST)
    return _positions(n, numbered("d_model", d_model), 0)[-1].value


def _positions(n: int, features: Axis, first: int) -> tuple[Matrix, Matrix, Matrix, Matrix]:
    """The places, the frequencies, the angles, and their sines and cosines."""
    d_model, first = features.size, whole("positions", "first", first, -FAR, FAR)
    p = places(Axis("place", tuple(map(str, range(first, first + n)))), first)  # (n, 1)
    theta = frequencies(features, [t // 2 for t in range(d_model)], d_model)  # (1, d_model)
    Phi = matmul(p, theta, "Phi")  # (n, 1) (1, d_model) -> (n, d_model)
    return p, theta, Phi, sinusoid(Phi, "Pos")  # (n, d_model) -> (n, d_model)


def with_positions(graph: Graph, first: int = 0) -> Graph:
    """The same attention on X_pos = X + Pos: the row of a place is added to the token there.

    Places are counted from ``first``. Pos holds sines and cosines (`sinusoids`) of the angles
    Phi = p theta: places times frequencies.

    Errors: :class:`AttentionError` for a graph without embeddings.

    >>> from attention_core import EXAMPLES
    >>> graph = with_positions(EXAMPLES["love"].graph())
    >>> graph.explain("X_pos", 2, 1).text
    'X_pos[AI, 2] = X[AI, 2] + Pos[2, 2] = 1 + (−0.416) = 0.584'
    >>> graph.explain("Pos", 1, 2).text
    'Pos[1, 3] = sin(Φ[1, 3]) = sin(0.010) = 0.010'
    >>> graph.explain("Phi", 1, 2).text
    'Φ[1, 3] = p[1, :] · θ[:, 3] = 1·0.010 = 0.010'
    """
    X = embeddings(graph, "with_positions")
    before_positions(graph, "with_positions", "X")
    made_of = _positions(X.rows.size, X.cols, first)
    X_pos = add(X, made_of[-1], "X_pos")  # (n, d_model) (n, d_model) -> (n, d_model)
    made = made_again(graph, {"X": X_pos})
    rest = (made.get(m.key, m) for m in graph.steps if m is not X)
    return Graph((X, *made_of, X_pos, *rest), graph.between | {"p", "theta", "Phi"})


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
    rows(graph, "reordered", "M", "Q", "K", "V", "O")
    start = ("X",) if "X" in graph else ("Q", "K", "V")
    tokens = graph[start[0]].rows
    if any(axis != tokens for axis in (*(graph[key].rows for key in "QKV"), graph["M"].cols)):
        raise AttentionError("reordered: queries and keys are two sequences. Use self-attention.")
    P = _permutation(order, tokens)
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
    if sorted(map(repr, order)) != sorted(map(str, range(rows.size))):
        raise AttentionError(
            f"reordered: got the order {tuple(order)!r}, wanted each of 0 to {rows.size - 1} once."
        )
    labels = tuple(rows.labels[row] for row in order)
    there = Axis("n_P", labels, tokens=rows.tokens)
    return given("P", np.eye(rows.size)[list(order)], there, rows)
