"""Moving one score: the output stays in the hull of the values, and the hull is the hull."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from attention_core import EXAMPLES, AttentionError, Graph, hull, hull_area, inside, pull

NUMBER = st.integers(-4, 4)
POINTS = st.lists(st.tuples(NUMBER, NUMBER), min_size=1, max_size=9)
BY = (-50.0, -3.0, 0.0, 0.25, 4.0, 50.0)
GRAPHS = {key: example.graph() for key, example in EXAMPLES.items()}


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
def test_pulling_a_score_is_attention_with_that_score(graph: Graph) -> None:
    """Against PyTorch, for every query and every key."""
    scores, values = torch.tensor(graph["S_masked"].value), torch.tensor(graph["V"].value)
    n, m = scores.shape
    for query in range(n):
        for key in range(m):
            for one in pull(graph, query, key, BY):
                moved = scores[query].clone()
                moved[key] += one.by
                weights = torch.softmax(moved, 0)
                np.testing.assert_allclose(one.weights[0], weights, atol=1e-12)
                np.testing.assert_allclose(one.output[0], weights @ values, atol=1e-12)


def test_a_blocked_key_stays_blocked_and_a_blocked_row_has_no_output() -> None:
    mask = np.array([[True, True, False], [False, False, False], [True, True, True]])
    graph = EXAMPLES["love"].inputs.graph(mask)
    assert [one.weights[0, 2] for one in pull(graph, 0, 2, BY)] == [0.0] * len(BY)
    for one in pull(graph, 1, 0, BY):
        assert not one.weights.any()
        assert not one.output.any()


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
def test_no_output_ever_leaves_the_hull_of_the_values(graph: Graph) -> None:
    values = graph["V"].value
    n, m = graph["S"].shape
    for query in range(n):
        for key in range(m):
            for one in pull(graph, query, key, BY):
                for a in range(values.shape[1]):
                    for b in range(a):
                        assert inside(values[:, [a, b]], one.output[:, [a, b]])


@given(points=POINTS)
def test_every_point_is_inside_the_hull_and_every_corner_is_needed(
    points: list[tuple[int, int]],
) -> None:
    corners = hull(points)
    assert all(inside(points, [point]) for point in points)
    for corner in corners:
        others = [point for point in points if point != points[corner]]
        assert not others or not inside(others, [points[corner]])


@given(points=POINTS, weights=st.lists(st.floats(0, 1), min_size=9, max_size=9))
def test_a_blend_is_inside_and_a_step_beyond_a_corner_is_not(
    points: list[tuple[int, int]], weights: list[float]
) -> None:
    array, share = np.array(points, dtype=float), np.array(weights[: len(points)])
    if share.sum() > 0.01:
        assert inside(array, (share / share.sum()) @ array[None])
    corners = array[list(hull(array))]
    for corner in corners:
        away = corner + (corner - corners.mean(axis=0)) * 0.01
        assert len(corners) == 1 or not inside(array, away[None])


@pytest.mark.parametrize(
    ("points", "area"),
    [
        ([[0, 0], [3, 0], [3, 2], [0, 2], [1, 1]], 6.0),
        ([[0, 0], [1, 1], [2, 2]], 0.0),
        ([[5, 5]], 0.0),
        ([[5, 5], [5, 5]], 0.0),
    ],
)
def test_areas(points: list[list[float]], area: float) -> None:
    assert hull_area(points) == pytest.approx(area)


def test_what_is_not_there_is_refused() -> None:
    with pytest.raises(AttentionError, match="pull: key is 3, wanted a whole number from 0 to 2"):
        pull(GRAPHS["love"], 0, 3, BY)
    with pytest.raises(AttentionError, match="points have 3 coordinates, wanted 2"):
        hull([[1, 2, 3]])
