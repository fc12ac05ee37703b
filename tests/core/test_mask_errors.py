"""The classic mistakes with a mask: their numbers, and what is said of them, against PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from attention_core import (
    EXAMPLES,
    Graph,
    attention,
    causal_corners,
    large_negative_mask,
    mask_after_softmax,
    mask_errors,
    padding,
    weights_in,
    wrong_sign,
)
from attention_core.matrix import Array
from tests.core.test_derivations import check_cell
from tests.core.test_emit import MASKS, check_programs

pytestmark = pytest.mark.filterwarnings("error")
INF = float("inf")
LAST_BLOCKED = [[True] * 3, [True, False, True], [False] * 3]
every_mask = pytest.mark.parametrize("mask", MASKS)


def normal(mask: Any = None, n: int = 3, scale: float | None = None) -> Graph:
    rng = np.random.default_rng(n)
    Q, K, V = (rng.normal(size=(n, 2)) for _ in "QKV")
    return attention(Q, K, V, mask, scale)


def of_scores(rows: list[list[float]], mask: Any) -> Graph:
    value = np.array(rows)
    return attention(np.eye(len(value)), value.T, np.eye(value.shape[1]), mask, scale=1.0)


def same(left: Array, right: Any) -> None:
    np.testing.assert_allclose(left, np.asarray(right), rtol=1e-12, atol=1e-13)


@every_mask
def test_every_cell_explains_itself_and_the_programs_run(mask: str) -> None:
    graph = mask_errors(normal(MASKS[mask], scale=-0.75))
    for matrix in graph.steps:
        for row in range(matrix.shape[0]):
            for col in range(matrix.shape[1]):
                check_cell(graph.explain(matrix.key, row, col))
    check_programs(graph)


@pytest.mark.parametrize("name", EXAMPLES)
def test_nothing_of_the_right_way_changes(name: str) -> None:
    plain = EXAMPLES[name].graph(mask="causal")
    graph = mask_errors(plain)
    assert graph.steps[: len(plain.steps)] == plain.steps
    assert graph.between == plain.between
    assert graph["A"].undefined == plain["A"].undefined


@every_mask
def test_the_late_mask_takes_shares_away_and_dividing_brings_them_back(mask: str) -> None:
    graph = mask_after_softmax(normal(MASKS[mask]))
    weights = torch.softmax(torch.tensor(graph["S_scaled"].value), 1)
    late = weights * torch.exp(torch.tensor(graph["M"].value))
    same(graph["A_late"].value, late)
    same(graph["Z_late"].value, late.sum(1, keepdim=True))
    same(graph["A_renorm"].value, graph["A"].value)
    assert graph["A_renorm"].undefined == graph["A"].undefined


def test_a_blocked_score_speaks_along_where_the_mask_is_late() -> None:
    graph = mask_after_softmax(normal("causal"))
    blocked = ("S_scaled", 0, 2)
    for key, leads in (("A_late", True), ("A", False)):
        behind: set[tuple[str, int, int]] = set()
        waiting: list[Any] = [(key, 0, 0)]
        while waiting:
            cell = waiting.pop()
            behind.add(cell)
            waiting += map(tuple, graph.explain(*cell).sources)
        assert (blocked in behind) == leads


def test_where_the_shares_round_to_zero_there_is_nothing_to_divide() -> None:
    graph = mask_after_softmax(of_scores([[0, 1000]], [[True, False]]))
    assert graph["A"].value.tolist() == [[1.0, 0.0]]
    assert graph["A_late"].value.tolist() == graph["A_renorm"].value.tolist() == [[0.0, 0.0]]
    why = graph.explain("A_renorm", 0, 0)
    assert why.undefined
    assert why.words == (
        "All of A_late is 0 for «1», and so is the sum. 0/0 has no value: this row stands as 0."
    )


def test_large_is_as_good_as_infinite_where_something_is_open() -> None:
    graph = large_negative_mask(normal(LAST_BLOCKED))
    assert graph["A_big"].value[:2].tolist() == graph["A"].value[:2].tolist()
    assert graph["A_big"].undefined == frozenset()


def test_a_blocked_row_under_a_large_number_is_a_row_without_a_mask() -> None:
    graph = mask_errors(normal(LAST_BLOCKED))
    np.testing.assert_allclose(graph["A_big"].value[2], graph["A_scaled"].value[2], rtol=1e-6)
    assert not graph["A"].value[2].any()


def test_a_blocked_row_under_a_large_number_depends_on_the_precision() -> None:
    graph = large_negative_mask(normal(LAST_BLOCKED))
    same(weights_in(graph, 2, "float64"), graph["A_big"].value[2])
    same(weights_in(graph, 2, "float32"), np.full(3, 1 / 3, dtype=np.float32))
    assert np.isnan(weights_in(graph, 2, "float16")).all()
    # With something open all three are right.
    for precision, rtol in (("float64", 1e-12), ("float32", 1e-6), ("float16", 5e-3)):
        got = weights_in(graph, 1, precision)  # type: ignore[arg-type]
        np.testing.assert_allclose(got, graph["A"].value[1], rtol=rtol)
        assert got[1] == 0.0


def test_what_is_said_of_the_precisions() -> None:
    assert np.spacing(np.float32(1e9)) == 64
    assert np.float32(-1e9) + np.float32(31.9) == np.float32(-1e9)
    assert np.float32(-1e9) + np.float32(32.1) != np.float32(-1e9)
    assert float(np.spacing(1e9)) < 5e-7, "six decimals"
    assert np.finfo(np.float16).max == 65504
    with np.errstate(over="ignore"):
        assert np.float16(-1e9) == -INF


def test_pytorch_gives_these_rows_too() -> None:
    scores = torch.tensor(normal()["S_scaled"].value)[0]
    for dtype, expected in (
        (torch.float64, scores.softmax(0)),
        (torch.float32, torch.full((3,), 1 / 3)),
    ):
        got = (scores.to(dtype) - 1e9).softmax(0)
        torch.testing.assert_close(got.double(), expected.double(), rtol=1e-6, atol=1e-7)


def test_a_row_with_every_key_blocked_in_pytorch() -> None:
    """What the page says: NaN from the softmax, 0 from the built-in attention."""
    assert torch.full((3,), -INF).softmax(0).isnan().all()
    graph = normal(LAST_BLOCKED)
    Q, K, V = (torch.tensor(graph[key].value) for key in "QKV")
    got = scaled_dot_product_attention(Q, K, V, attn_mask=torch.tensor(LAST_BLOCKED))
    same(graph["O"].value, got)
    assert not got[2].any()


def test_the_wrong_sign_leaves_no_number_in_the_row() -> None:
    graph = normal("causal")
    for row in (0, 1):
        steps = wrong_sign(graph, row)
        assert (steps["scores"][row + 1 :] == INF).all()
        assert np.isnan(steps["weights"]).all()
        pytorch = torch.tensor(graph["S_scaled"].value[row] - graph["M"].value[row]).softmax(0)
        assert pytorch.isnan().all()
    same(wrong_sign(graph, 2)["weights"], graph["A"].value[2])


def test_a_large_number_with_the_wrong_sign_gives_all_to_the_blocked() -> None:
    scores = torch.tensor(normal()["S_scaled"].value[0]) + torch.tensor([0.0, 1e9, 0.0])
    same(scores.softmax(0).numpy(), [0.0, 1.0, 0.0])


@pytest.mark.parametrize(("n", "few"), [(1, 1), (2, 1), (3, 2), (12, 2)])
def test_both_corners_are_the_attention_of_the_last_queries(n: int, few: int) -> None:
    graph = causal_corners(normal(n=n))
    Q, K, V = (torch.tensor(graph[key].value) for key in "QKV")
    same(graph["Q_few"].value, Q[-few:])
    top = scaled_dot_product_attention(Q[-few:], K, V, is_causal=True)  # counts from the top left
    same(graph["A_top"].value @ graph["V"].value, top)
    whole = scaled_dot_product_attention(Q, K, V, is_causal=True)
    same(graph["A_bottom"].value @ graph["V"].value, whole[-few:])
    assert graph["A_top"].cols is graph["A"].cols
    assert [graph["A_top"].rows.unique(i) for i in range(few)] == [
        graph["A"].rows.unique(i) for i in range(n - few, n)
    ]


def test_padding_before_a_causal_mask_leaves_rows_without_a_key() -> None:
    mask = np.isfinite(padding([False, True, True])) & np.tri(3, dtype=bool)
    assert normal(mask).undefined_rows == (0,)
