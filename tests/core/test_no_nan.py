"""Whatever goes in: nothing is changed, nothing becomes NaN, and refusals are of one class."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given as generated
from hypothesis import settings
from hypothesis import strategies as st

from attention_core import AttentionError, attention, self_attention

pytestmark = pytest.mark.filterwarnings("error")
INF, NAN = float("inf"), float("nan")


def test_inputs_are_copied_and_results_are_read_only() -> None:
    X, W, mask = np.eye(2), np.ones((2, 2)), np.zeros((2, 2))
    graph = self_attention(X, W, W, W, mask)
    before = {matrix.key: matrix.value.copy() for matrix in graph.steps}
    X[:], W[:], mask[:] = 7.0, 8.0, 9.0
    for matrix in graph.steps:
        np.testing.assert_array_equal(matrix.value, before[matrix.key])
        with pytest.raises(ValueError, match="read-only"):
            matrix.value[0, 0] = 1.0
    with pytest.raises(dataclasses.FrozenInstanceError):
        graph.steps = ()  # type: ignore[misc]
    assert X.flags.writeable
    assert mask.flags.writeable


_numbers = st.one_of(
    st.floats(),
    st.integers(-(10**30), 10**30),
    st.sampled_from([NAN, INF, -INF, 1e308, -1e308, 1e200, 1e-320, -0.0, 1e4, 10**400]),
)
_cells = st.one_of(_numbers, st.booleans(), st.none(), st.text(max_size=2), st.complex_numbers())
_odd = st.one_of(_cells, st.lists(_cells, max_size=2), st.lists(st.lists(_cells, max_size=3)))


def _regular(rows: int, cols: int, cells: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    row = st.lists(cells, min_size=cols, max_size=cols)
    return st.lists(row, min_size=rows, max_size=rows)


@settings(max_examples=200)
@generated(data=st.data())
def test_odd_input_is_refused_or_gives_finite_numbers(data: st.DataObject) -> None:
    cells = data.draw(st.sampled_from([st.floats(-1e3, 1e3), st.floats(-1e155, 1e155), _numbers]))
    masks = st.sampled_from([-INF, 0.0, -1e308, 1e308, 1.0])
    inputs = [data.draw(_regular(rows, 2, cells)) for rows in (2, 3, 3)]
    options: dict[str, Any] = {
        "mask": data.draw(st.none() | _regular(2, 3, masks) | _regular(2, 3, st.booleans())),
        "scale": data.draw(st.none() | st.floats(0.01, 10.0)),
    }
    spoil = data.draw(st.sampled_from(["nothing", "nothing", "a matrix", "mask", "scale"]))
    if spoil == "a matrix":
        inputs[data.draw(st.integers(0, 2))] = data.draw(_odd)
    elif spoil != "nothing":
        options[spoil] = data.draw(_odd)
    try:
        graph = attention(*inputs, **options)
    except AttentionError:
        return
    for key in ("A", "O"):
        assert np.isfinite(graph[key].value).all()
    for matrix in graph.steps:
        assert not np.isnan(matrix.value).any()
    weights = graph["A"].value.sum(axis=1)
    blocked = np.isneginf(graph["S_masked"].value).all(axis=1)
    np.testing.assert_allclose(weights, np.where(blocked, 0.0, 1.0), rtol=1e-12)
    assert graph.undefined_rows == tuple(np.flatnonzero(blocked).tolist())
