"""The order of the tokens: what permutes, what stays, and what positions and masks change."""

from __future__ import annotations

import math
from itertools import permutations
from typing import Any

import numpy as np
import pytest
import torch

from attention_core import (
    EXAMPLES,
    ORDERS,
    AttentionError,
    Graph,
    attention,
    cross_attention,
    gradients,
    reordered,
    self_attention,
    sinusoids,
    toy_inputs,
    with_positions,
)
from attention_core.matrix import Array
from tests.core.test_derivations import check_cell
from tests.core.test_emit import MASKS, check_programs

pytestmark = pytest.mark.filterwarnings("error")
every_mask = pytest.mark.parametrize("mask", MASKS)
SHAPES = {"X": (3, 4), "W_Q": (4, 2), "W_K": (4, 2), "W_V": (4, 3)}


def _arrays(seed: int = 0) -> dict[str, Array]:
    rng = np.random.default_rng(seed)
    return {key: rng.normal(size=shape) for key, shape in SHAPES.items()}


def _plain(mask: Any = None) -> Graph:
    X, W_Q, W_K, W_V = _arrays().values()
    return self_attention(X, W_Q, W_K, W_V, mask, tokens=("dog", "bites", "man"))


def test_positions_are_those_of_the_paper() -> None:
    d_model, place = 6, torch.arange(5, dtype=torch.float64)[:, None]
    turn = torch.exp(torch.arange(0, d_model, 2).double() * (-math.log(10000.0) / d_model))
    wanted = torch.zeros(5, d_model, dtype=torch.float64)
    wanted[:, 0::2], wanted[:, 1::2] = torch.sin(place * turn), torch.cos(place * turn)
    np.testing.assert_allclose(sinusoids(5, d_model), wanted.numpy(), atol=1e-12)
    np.testing.assert_array_equal(sinusoids(5, 1)[:, 0], np.sin(np.arange(5.0)))


@every_mask
def test_attention_with_positions_is_attention_on_the_sum(mask: str) -> None:
    graph = with_positions(_plain(MASKS[mask]))
    arrays = _arrays()
    X, W_Q, W_K, W_V = arrays.values()
    moved = self_attention(X + sinusoids(3, 4), W_Q, W_K, W_V, MASKS[mask])
    np.testing.assert_allclose(graph["O"].value, moved["O"].value, atol=1e-13)
    assert graph["O"].undefined == moved["O"].undefined
    assert list(graph)[:3] == ["X", "Pos", "X_pos"]


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
def test_rows_and_columns_permute_and_nothing_else_changes(order: tuple[int, ...]) -> None:
    plain = _plain()
    graph = reordered(plain, order)
    there = list(order)
    for key in ("X", "Q", "K", "V", "O"):
        np.testing.assert_allclose(graph[f"{key}_P"].value, plain[key].value[there], atol=1e-13)
    for key in ("S", "S_scaled", "A"):
        permuted = plain[key].value[np.ix_(there, there)]
        np.testing.assert_allclose(graph[f"{key}_P"].value, permuted, atol=1e-13)
    assert graph["S_P"].rows.labels == tuple(plain["S"].rows.labels[row] for row in order)
    assert graph["O_diff"].value.tolist() == [[0.0] * 3] * 3, "exactly"


@pytest.mark.parametrize("name", ORDERS)
@pytest.mark.parametrize("n", range(1, 13))
def test_every_order_leaves_the_outputs_without_positions(name: str, n: int) -> None:
    order = ORDERS[name][1](n)
    tokens = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"][:n]
    graph = toy_inputs(tokens, seed=n, d_model=8, d_k=8, d_v=8).graph()
    assert (order == tuple(range(n))) == (n == 1)
    assert not reordered(graph, order)["O_diff"].value.any()
    assert reordered(with_positions(graph), order)["O_diff"].value.any() == (n > 1)


def test_given_queries_keys_and_values_are_permuted() -> None:
    graph = reordered(EXAMPLES["hand"].graph(), (1, 2, 0))
    assert not graph["O_diff"].value.any()
    assert {"Q_P", "K_P", "V_P"} <= set(graph)
    assert "X_P" not in graph


def test_equal_tokens_are_told_apart_by_positions_only() -> None:
    graph = toy_inputs(("no", "no", "no"), seed=42, d_model=4, d_k=3, d_v=3).graph()
    assert len({tuple(row) for row in graph["O"].value.round(9).tolist()}) == 1
    full = reordered(with_positions(graph), (2, 1, 0))
    assert len({tuple(row) for row in full["O"].value.round(9).tolist()}) == 3
    np.testing.assert_allclose(full["O_P"].value, full["O"].value, atol=1e-13)
    assert full["O_diff"].value[0].any(), "the first of them stands last now"


def test_positions_and_masks_of_places_change_the_outputs() -> None:
    order = (2, 1, 0)
    assert reordered(with_positions(_plain()), order)["O_diff"].value.any(axis=1).all()
    causal = reordered(_plain("causal"), order)
    assert causal["M_P"].value.tolist() == causal["M"].value.tolist()
    assert causal["O_diff"].value.any(axis=1).all()


def test_terms_that_cancel_leave_last_bits_that_do_not_count() -> None:
    """Uniform weights, and values that add up to 0: the outputs are nothing but last bits."""
    rng = np.random.default_rng(3)
    V = rng.normal(size=(7, 3))
    V[-1] = -V[:-1].sum(axis=0)
    Q, K = rng.normal(size=(2, 7, 2))
    seen: set[str | None] = set()
    for order in ((6, 5, 4, 3, 2, 1, 0), (1, 2, 3, 4, 5, 6, 0)):
        graph = reordered(attention(Q, K, V, scale=0.0), order)
        assert abs(graph["O"].value).max() < 1e-15
        assert not graph["O_diff"].value.any()
        seen |= {graph.explain("O_diff", *at).words for at in np.ndindex(7, 3)}
        check_programs(graph)
    assert seen - {None} == {
        "The two differ by less than a millionth of a millionth of the largest number in that "
        "column of V. The last bits of a computer’s numbers can do that. It counts as 0."
    }


def test_a_large_value_elsewhere_hides_no_difference() -> None:
    arrays = _arrays()
    arrays["W_V"][:, 0] *= 1e13
    X, W_Q, W_K, W_V = arrays.values()
    graph = reordered(with_positions(self_attention(X, W_Q, W_K, W_V)), (2, 1, 0))
    assert graph["O_diff"].value.all()


def test_a_mask_that_moves_with_its_tokens_changes_nothing() -> None:
    keep = np.array([[True, True, False]] * 3)
    graph = reordered(_plain(keep), (2, 0, 1), mask_moves=True)
    assert np.isneginf(graph["M_P"].value).tolist() == [[True, False, False]] * 3
    assert not graph["O_diff"].value.any()


def test_the_same_positions_serve_both_runs() -> None:
    graph = reordered(with_positions(_plain()), (2, 1, 0))
    assert graph["X_pos"].inputs[1] is graph["X_pos_P"].inputs[1] is graph["Pos"]
    why = graph.explain("X_pos_P", 0, 0)
    assert why.title == "Feature «1» of «man» with its position, in the other order"


def test_a_blocked_row_stays_in_its_place() -> None:
    mask = np.array([[False] * 3, [True] * 3, [True] * 3])
    graph = reordered(_plain(mask), (2, 1, 0))
    assert graph.undefined_rows == (0,)
    assert graph["O_P"].undefined == {0}
    assert graph["O_back"].value[2].tolist() == [0.0] * 3
    assert graph.explain("A_P", 0, 1).words == (
        "Every key is blocked for «man». 0/0 has no value: this row has no distribution, and it "
        "stands as 0."
    )


@every_mask
def test_both_runs_explain_themselves_and_run_as_programs(mask: str) -> None:
    for graph in (_plain(MASKS[mask]), with_positions(_plain(MASKS[mask]))):
        full = reordered(graph, (1, 2, 0))
        for matrix in full.steps:
            for row, col in np.ndindex(matrix.shape):
                check_cell(full.explain(matrix.key, row, col))
        check_programs(full)


def test_gradients_flow_through_both_runs() -> None:
    leaves = {key: torch.tensor(a, requires_grad=True) for key, a in _arrays().items()}
    X, W_Q, W_K, W_V = leaves.values()
    Pos, P = torch.tensor(sinusoids(3, 4)), torch.eye(3, dtype=torch.float64)[[2, 0, 1]]

    def run(rows: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.scaled_dot_product_attention(rows @ W_Q, rows @ W_K, rows @ W_V)

    D = P.T @ run(P @ X + Pos) - run(X + Pos)
    wanted = torch.autograd.grad(D.sum(), list(leaves.values()))
    full = gradients(reordered(with_positions(_plain()), (2, 0, 1)), "O_diff")
    for key, truth in zip(leaves, wanted, strict=True):
        np.testing.assert_allclose(full[f"d{key}"].value, truth.numpy(), rtol=1e-9, atol=1e-11)


def test_what_cannot_be_is_refused_by_name() -> None:
    with pytest.raises(AttentionError, match="there are no embeddings X to add to"):
        with_positions(attention([[1]], [[1]], [[1]]))
    with pytest.raises(AttentionError, match="wanted each of 0 to 2 once"):
        reordered(_plain(), (0, 0, 1))
    two = cross_attention([[1, 0]], [[1, 1], [0, 2]], [[1], [1]], [[1], [0]], [[1], [3]])
    with pytest.raises(AttentionError, match="two sequences"):
        reordered(two, (0,))
