"""One row of scores: plain shares, temperature, shifts, and how the weights answer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given as generated
from hypothesis import strategies as st

from attention_core import AttentionError, Graph, sharpen
from attention_core.matrix import Array, given
from attention_core.ops import diagonal, row_sum, share_of_column
from tests.core.test_derivations import check_cell
from tests.core.test_emit import check_programs

pytestmark = pytest.mark.filterwarnings("error")
ROWS: dict[str, list[float]] = {
    "source": [16, 5, 0, 4.5],
    "one": [3],
    "equal": [2, 2, 2],
    "negative": [-1, -2.5],
    "sum 0": [3, -4, 1, 0],
    "dust": [0.1, 0.2, -0.3],
    "all 0": [0, 0],
    "huge": [1e4, 9999, 0, -1e4],
    "low": [-1e4, -9999],
}
every_row = pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
AT = pytest.mark.parametrize("temperature", [0.1, 0.5, 1.0, 8.0])


def _softmax(row: list[float], by: float = 1.0) -> torch.Tensor:
    return torch.softmax(torch.tensor([row], dtype=torch.float64) / by, dim=1)


def same(left: Array, right: Any) -> None:
    np.testing.assert_allclose(left, np.asarray(right), rtol=1e-12, atol=1e-15)


@every_row
@AT
def test_the_weights_are_those_of_pytorch(row: list[float], temperature: float) -> None:
    graph = sharpen([row], temperature, offset=7.25)
    for key in ("A", "A_c", "A_m"):
        same(graph[key].value, _softmax(row))
    same(graph["A_tau"].value, _softmax(row, temperature))
    assert graph["E_m"].value.max() == 1.0
    assert ("E" in graph) == (-3 <= max(row) <= 700)


@every_row
@AT
def test_the_slopes_are_those_of_pytorch(row: list[float], temperature: float) -> None:
    graph = sharpen([row], temperature)
    for key, by in (("J", 1.0), ("J_tau", temperature)):
        at = torch.tensor(row, dtype=torch.float64) / by
        jacobian = torch.func.jacrev(lambda s: torch.softmax(s, dim=0))
        truth = jacobian(at)
        np.testing.assert_allclose(graph[key].value, truth.numpy(), rtol=1e-9, atol=1e-15)
        assert abs(graph[key].value).max() <= 0.25 + 1e-15
        np.testing.assert_allclose(graph[key].value.sum(axis=1), 0.0, atol=1e-15)


@every_row
def test_every_cell_explains_itself(row: list[float]) -> None:
    graph = sharpen([row], 0.5, 10.0, "AI", tuple("abcd"[: len(row)]))
    for matrix in graph.steps:
        assert np.isfinite(matrix.value).all()
        for i, j in np.ndindex(*matrix.shape):
            why = graph.explain(matrix.key, i, j)
            check_cell(why)
            assert why.given or why.sources or why.words


@every_row
def test_programs(row: list[float]) -> None:
    check_programs(sharpen([row], 0.5, 10.0))


@pytest.mark.parametrize("name", ["sum 0", "dust", "all 0"])
def test_a_row_that_adds_up_to_0_has_no_shares_and_says_so(name: str) -> None:
    graph = sharpen([ROWS[name]], query="AI")
    assert graph["A_plain"].undefined == {0}
    assert not graph["A_plain"].value.any()
    why = graph.explain("A_plain", 0, 1)
    assert why.sources == ()
    assert why.words == (
        "r is 0 for «AI», and nothing can be divided by 0: this row has no shares, and it stands "
        "as 0."
    )


def test_plain_shares_may_be_negative_or_above_1() -> None:
    same(sharpen([[3, -2, 1]])["A_plain"].value, [[1.5, -1.0, 0.5]])
    same(sharpen([[-1, -3]])["A_plain"].value, [[0.25, 0.75]])


@pytest.mark.parametrize("value", [[[3.0, -4.0, 1.0], [1.0, 1.0, 2.0]], [[0.1, 0.2, -0.3]]])
def test_no_gradient_passes_where_there_are_no_shares(value: list[list[float]]) -> None:
    of = given("A", value)
    P = share_of_column(of, row_sum(of, "r"), "A_plain")
    assert P.op is not None
    shares = P.op.vjp(given("dP", np.ones(P.shape)), P, *P.inputs)
    assert not any(share.value[0].any() for share in shares)


@generated(st.lists(st.floats(-50, 50), min_size=1, max_size=6), st.floats(-1e4, 1e4))
def test_what_is_taken_off_every_score_changes_nothing(row: list[float], offset: float) -> None:
    graph = sharpen([row], offset=offset)
    for key in ("A_c", "A_m"):
        np.testing.assert_allclose(graph[key].value, graph["A"].value, rtol=1e-8, atol=1e-300)


@generated(st.lists(st.integers(-9, 9), min_size=2, max_size=6), st.floats(0.1, 0.99))
def test_a_lower_temperature_never_takes_from_the_largest(row: list[int], tau: float) -> None:
    graph = sharpen([row], tau)
    assert graph["A_tau"].value.max() >= graph["A"].value.max() - 1e-15


def _largest_slope(graph: Graph) -> float:
    return float(abs(graph["J"].value).max())


def test_slopes_die_where_the_row_is_nearly_one_hot() -> None:
    found = [_largest_slope(sharpen([[gap, 0, 0]])) for gap in (0, 2, 5, 10, 20)]
    assert found[0] == pytest.approx(2 / 9)
    assert found[1:] == sorted(found[1:], reverse=True)
    assert found[-1] < 1e-8


@pytest.mark.parametrize(
    ("scores", "temperature", "message"),
    [
        ([[1, 2], [3, 4]], 1.0, "sharpen: s is 2×2, wanted one row of scores."),
        ([[1, 2]], 0.0, "sharpen: the temperature is 0, wanted one above 0."),
        ([[1, 2]], -1.0, "sharpen: the temperature is -1, wanted one above 0."),
        ([[float("nan")]], 1.0, "s: the entry in row 1, column 1 is nan."),
    ],
)
def test_what_cannot_be_used_is_refused_by_name(
    scores: Any, temperature: float, message: str
) -> None:
    with pytest.raises(AttentionError) as error:
        sharpen(scores, temperature)
    assert str(error.value).startswith(message)


def test_only_one_row_stands_on_a_diagonal() -> None:
    with pytest.raises(AttentionError, match="diagonal: A is 2×1, wanted one row"):
        diagonal(given("A", [[1], [2]]), "D")
