"""Where an output can be: inside the shape that the values span, wherever the scores move it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from attention_core.bounds import finite, place
from attention_core.errors import AttentionError
from attention_core.graph import Graph
from attention_core.matrix import Array, Matrix, as_array
from attention_core.ops import matmul, row_softmax
from attention_core.plain import plain


@dataclass(frozen=True)
class Pulled:
    """One output when ``by`` is added to one score: weights (1, n) and output (1, d_v)."""

    by: float
    weights: Array
    output: Array


def pull(graph: Graph, query: int, key: int, by: Sequence[float]) -> tuple[Pulled, ...]:
    """The output of one query while the score of one key is moved, and all others stay.

    To S_masked[query, key] each number of ``by`` is added; then softmax and values as ever. A
    blocked key stays blocked. Where every key is blocked, weights and output are 0.

    Errors: :class:`AttentionError` for a query or a key that is not there.

    >>> from attention_core import EXAMPLES
    >>> near, far = pull(EXAMPLES["love"].graph(), 0, 2, (0.0, 50.0))
    >>> near.output.round(3).tolist(), far.output.round(3).tolist()
    ([[1.0, 1.637, 0.07]], [[1.0, 1.0, 0.0]])
    """
    plain(graph, "pull", "S_masked")
    scores, values = graph["S_masked"], graph["V"]
    query = place("pull", "query", query, scores.shape[0])
    key = place("pull", "key", key, scores.shape[1])
    found = []
    for step in by:
        row = scores.value[[query]].copy()
        row[0, key] += finite("pull", "by", step)
        moved = Matrix(row, "S_masked", scores.rows, scores.cols, blocked=scores.blocked)
        A = row_softmax(moved, "A")  # (1, n)
        found.append(Pulled(step, A.value, matmul(A, values, "O").value))  # (1, n) (n, d_v)
    return tuple(found)


def hull(points: ArrayLike) -> tuple[int, ...]:
    """The corners of the convex hull of points in the plane, in order, each once.

    Andrew's monotone chain. Shape (n, 2) → the indices of up to n corners; two where all points
    lie on a line, one where all are the same.

    Errors: :class:`AttentionError` for anything but rows of two finite numbers.

    >>> hull([[0, 0], [2, 0], [1, 1], [2, 2], [0, 2]])
    (0, 1, 3, 4)
    """
    array = as_array("hull", points, hint="one row a point.")
    if array.shape[1] != 2:
        raise AttentionError(f"hull: points have {array.shape[1]} coordinates, wanted 2.")
    order = sorted(range(len(array)), key=lambda i: (array[i, 0], array[i, 1]))
    order = [i for at, i in enumerate(order) if not at or (array[i] != array[order[at - 1]]).any()]
    if len(order) < 3:
        return tuple(order)
    below, above = _chain(array, order), _chain(array, order[::-1])
    return tuple(below[:-1] + above[:-1])


def _chain(points: Array, order: list[int]) -> list[int]:
    """Half of a hull: turning left only."""
    chain: list[int] = []
    for i in order:
        while len(chain) > 1 and _turn(points, chain[-2], chain[-1], i) <= 0:
            chain.pop()
        chain.append(i)
    return chain


def _turn(points: Array, a: int, b: int, c: int) -> float:
    """Above 0 for a turn to the left at b."""
    u, v = points[b] - points[a], points[c] - points[a]
    return float(u[0] * v[1] - u[1] * v[0])


def hull_area(points: ArrayLike) -> float:
    """The area of the convex hull of points in the plane; 0 where they lie on a line.

    >>> hull_area([[0, 0], [2, 0], [2, 1]])
    1.0
    """
    corners = as_array("hull", points)[list(hull(points))]
    x, y = corners[:, 0], corners[:, 1]
    return abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2


def inside(points: ArrayLike, at: ArrayLike, slack: float = 1e-9) -> bool:
    """Whether a point of the plane lies in the convex hull of others, its edge included.

    >>> square = [[0, 0], [2, 0], [2, 2], [0, 2]]
    >>> inside(square, [[1, 2]]), inside(square, [[1, 2.1]])
    (True, False)
    """
    corners = as_array("hull", points)[list(hull(points))]
    (point,) = as_array("hull", at)
    if len(corners) < 3:
        low, high = corners.min(axis=0) - slack, corners.max(axis=0) + slack
        if len(corners) == 2:
            u, v = corners[1] - corners[0], point - corners[0]
            if abs(u[0] * v[1] - u[1] * v[0]) > slack * (1 + float(np.abs(u).max())):
                return False
        return bool((low <= point).all() and (point <= high).all())
    edges, to = np.roll(corners, -1, axis=0) - corners, point - corners
    turns = edges[:, 0] * to[:, 1] - edges[:, 1] * to[:, 0]
    return bool((turns >= -slack).all())
