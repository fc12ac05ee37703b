"""The whole computation against PyTorch: shapes, masks, large logits, blocked rows, gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from attention_core import (
    AttentionError,
    Cell,
    Graph,
    attention,
    causal,
    cross_attention,
    gradients,
    padding,
    self_attention,
    sliding_window,
)
from attention_core.masks import from_allowed
from attention_core.matrix import Array, given

pytestmark = pytest.mark.filterwarnings("error")
INF = float("inf")
SHAPES = [(1, 1, 1, 1), (1, 4, 3, 2), (3, 3, 2, 2), (2, 5, 3, 4), (5, 2, 4, 1), (4, 1, 1, 3)]
every_shape = pytest.mark.parametrize(("n_q", "n_k", "d_k", "d_v"), SHAPES)


def qkv(n_q: int, n_k: int, d_k: int, d_v: int, seed: int = 0) -> tuple[Array, Array, Array]:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n_q, d_k)), rng.normal(size=(n_k, d_k)), rng.normal(size=(n_k, d_v))


def sdpa(Q: Array, K: Array, V: Array, **options: Any) -> Array:
    """PyTorch's own attention in float64."""
    q, k, v = (torch.tensor(x) for x in (Q, K, V))
    result: Array = torch.nn.functional.scaled_dot_product_attention(q, k, v, **options).numpy()
    return result


def same(left: Array, right: Array) -> None:
    np.testing.assert_allclose(left, right, rtol=1e-12, atol=1e-13)


@every_shape
@pytest.mark.parametrize("scale", [None, 1.0, 0.3, -2, np.float32(0.5)])
def test_shapes_and_scales(n_q: int, n_k: int, d_k: int, d_v: int, scale: float | None) -> None:
    Q, K, V = qkv(n_q, n_k, d_k, d_v)
    graph = attention(Q, K, V, scale=scale)
    same(graph["O"].value, sdpa(Q, K, V, scale=None if scale is None else float(scale)))
    same(graph["S"].value, Q @ K.T)
    same(graph["S_scaled"].value, Q @ K.T * (1 / d_k**0.5 if scale is None else float(scale)))
    same(graph["A"].value.sum(axis=1), np.ones(n_q))
    assert graph["A"].value.min() >= 0
    assert graph["O"].shape == (n_q, d_v)
    assert graph.undefined_rows == ()


@every_shape
def test_causal_masks_of_both_alignments(n_q: int, n_k: int, d_k: int, d_v: int) -> None:
    Q, K, V = qkv(n_q, n_k, d_k, d_v)
    top_left = attention(Q, K, V, "causal")
    same(top_left["O"].value, sdpa(Q, K, V, is_causal=True))
    allowed = np.array([[k - (n_k - n_q) <= q for k in range(n_k)] for q in range(n_q)])
    rows = allowed.any(axis=1)
    bottom = attention(Q, K, V, "causal-bottom-right")
    hand = np.zeros((n_q, d_v))
    if rows.any():
        hand[rows] = sdpa(Q[rows], K, V, attn_mask=torch.tensor(allowed[rows]))
    same(bottom["O"].value, hand)
    assert bottom.undefined_rows == tuple(np.flatnonzero(~rows).tolist())
    assert (np.isneginf(bottom["S_masked"].value) == ~allowed).all()
    assert bottom["O"].value[-1] == pytest.approx(attention(Q, K, V)["O"].value[-1], rel=1e-12)


def test_causal_square_is_one_mask() -> None:
    assert (causal(4) == causal(4, align="bottom-right")).all()
    assert (np.isfinite(causal(3)) == np.tri(3, dtype=bool)).all()
    assert np.isfinite(causal(2, 4)).tolist() == [
        [True, False, False, False],
        [True, True, False, False],
    ]
    assert np.isfinite(causal(2, 4, align="bottom-right")).tolist() == [
        [True] * 3 + [False],
        [True] * 4,
    ]


@pytest.mark.parametrize("seed", range(8))
def test_boolean_masks_mean_may_attend(seed: int) -> None:
    Q, K, V = qkv(4, 5, 3, 2, seed)
    allowed = np.random.default_rng(seed).random((4, 5)) < 0.5
    allowed[:, seed % 5] = True
    graph = attention(Q, K, V, allowed)
    same(graph["O"].value, sdpa(Q, K, V, attn_mask=torch.tensor(allowed)))
    assert (graph["A"].value[~allowed] == 0.0).all()
    assert attention(Q, K, V, allowed.tolist())["O"].value == pytest.approx(graph["O"].value)


@pytest.mark.parametrize("seed", range(4))
def test_a_float_mask_is_added(seed: int) -> None:
    Q, K, V = qkv(3, 4, 2, 2, seed)
    mask = np.random.default_rng(seed).normal(size=(3, 4)) * 3
    mask[1, 2] = -INF
    graph = attention(Q, K, V, mask)
    same(graph["O"].value, sdpa(Q, K, V, attn_mask=torch.tensor(mask)))
    same(graph["S_masked"].value, graph["S_scaled"].value + mask)


def test_padding_and_sliding_windows() -> None:
    Q, K, V = qkv(4, 4, 3, 2)
    keep = [True, False, True, False]
    graph = attention(Q, K, V, padding(keep))
    same(graph["O"].value, sdpa(Q, K[keep], V[keep]))
    assert padding(keep, 2).shape == (2, 4)
    near = [[max(0, q - 1) <= k <= q for k in range(4)] for q in range(4)]
    graph = attention(Q, K, V, sliding_window(4, 2))
    same(graph["O"].value, sdpa(Q, K, V, attn_mask=torch.tensor(near)))
    both = [[abs(q - k) <= 1 for k in range(5)] for q in range(3)]
    assert np.isfinite(sliding_window(3, 2, 5, look_ahead=True)).tolist() == both
    assert (from_allowed(both) == sliding_window(3, 2, 5, look_ahead=True)).all()


@pytest.mark.parametrize("size", [1e3, 1e4, 1e6, 1e150])
@pytest.mark.parametrize("seed", range(4))
def test_large_logits_are_exact(size: float, seed: int) -> None:
    scores = np.random.default_rng(seed).choice([-1.0, -0.999, 0.0, 0.5, 1.0], (4, 6)) * size
    graph = attention(np.eye(4), scores.T, np.eye(6), scale=1.0)
    same(graph["A"].value, torch.softmax(torch.tensor(scores), dim=1).numpy())
    near = attention([[1.0]], [[size], [size - 1], [-size]], np.eye(3), scale=1.0)["A"].value
    e = np.exp(size - 1 - size)
    np.testing.assert_allclose(near, [[1 / (1 + e), e / (1 + e), 0.0]], rtol=1e-15)


def test_ties_at_huge_logits_share_evenly() -> None:
    for size in (1e4, -1e4, 1e300, -1e300):
        graph = attention([[1.0]], [[size], [size]], [[2.0], [4.0]])
        assert graph["A"].value.tolist() == [[0.5, 0.5]]
        assert graph["O"].value.tolist() == [[3.0]]


def test_blocked_rows_stand_as_zero_and_say_so() -> None:
    Q, K, V = qkv(3, 2, 2, 2)
    allowed = np.array([[True, True], [False, False], [True, False]])
    graph = attention(Q, K, V, allowed, tokens=("a", "b", "c"))
    assert graph.undefined_rows == (1,)
    for key in ("A", "O"):
        assert graph[key].undefined == {1}
        assert graph[key].value[1].tolist() == [0.0, 0.0]
        why = graph.explain(key, 1, 0)
        assert why.undefined
        assert why.words is not None
        assert "Every key is blocked for «b»" in why.words
        assert why.words in str(why)
    for key in ("S", "S_masked", "V"):
        assert not graph.explain(key, 1, 0).undefined
    same(graph["O"].value[[0, 2]], sdpa(Q, K, V, attn_mask=torch.tensor(allowed))[[0, 2]])
    assert graph.largest("A", 1) == ()
    assert [str(cell) for cell in graph.largest("A", 2)] == ["A:2,0"]
    everything = attention(Q, K, V, np.zeros((3, 2), dtype=bool))
    assert everything.undefined_rows == (0, 1, 2)
    assert not everything["O"].value.any()


def test_keys_and_their_order() -> None:
    eye = np.eye(2)
    core = ["Q", "K", "V", "S", "S_scaled", "S_masked", "A", "O"]
    assert list(attention(eye, eye, eye)) == core
    assert list(self_attention(eye, eye, eye, eye)) == ["X", "W_Q", "W_K", "W_V", *core]
    assert list(cross_attention(eye, eye, eye, eye, eye)) == ["X", "Y", "W_Q", "W_K", "W_V", *core]
    graph = attention(eye, eye, eye)
    assert [m.key for m in graph.steps] == [*core[:3], "K_T", "S", "S_scaled", "M", *core[5:]]
    assert "K_T" in graph
    assert "K_T" not in list(graph)
    assert len(graph) == 8
    assert [m.key for m in graph.behind("S")] == ["Q", "K", "K_T", "S"]


def test_repeated_tokens_stay_two_positions() -> None:
    X = np.random.default_rng(0).normal(size=(3, 2))
    graph = self_attention(X, np.eye(2), np.eye(2), np.eye(2), tokens=("the", "cat", "the"))
    assert graph["A"].shape == (3, 3)
    assert graph["A"].rows.labels == ("the", "cat", "the")
    same(graph["O"].value, sdpa(X, X, X))


def test_permuted_tokens_give_permuted_outputs() -> None:
    rng = np.random.default_rng(1)
    X, W_Q, W_K, W_V = (rng.normal(size=s) for s in ((5, 4), (4, 3), (4, 3), (4, 2)))
    order = np.array([3, 0, 4, 1, 2])
    plain, moved = (self_attention(x, W_Q, W_K, W_V) for x in (X, X[order]))
    same(moved["O"].value, plain["O"].value[order])
    same(moved["A"].value, plain["A"].value[np.ix_(order, order)])
    masked, moved = (self_attention(x, W_Q, W_K, W_V, "causal") for x in (X, X[order]))
    assert abs(moved["O"].value - masked["O"].value[order]).max() > 0.01  # order matters now


def test_cross_attention_and_self_attention_by_hand() -> None:
    rng = np.random.default_rng(2)
    X, Y, W_Q = (rng.normal(size=s) for s in ((2, 3), (4, 5), (3, 2)))
    W_K, W_V = rng.normal(size=(5, 2)), rng.normal(size=(5, 6))
    graph = cross_attention(X, Y, W_Q, W_K, W_V, tokens=("a", "b"), key_tokens=list("wxyz"))
    same(graph["O"].value, sdpa(X @ W_Q, Y @ W_K, Y @ W_V))
    assert graph["S"].cols.labels == ("w", "x", "y", "z")
    own: Graph = self_attention(X, W_Q, W_Q, W_Q)
    same(own["S"].value, own["S"].value.T)
    same(own["O"].value, cross_attention(X, X, W_Q, W_Q, W_Q)["O"].value)


def test_gradients_are_of_the_sum_unless_told() -> None:
    Q, K, V = qkv(2, 3, 2, 2)
    same(gradients(attention(Q, K, V))["dO"].value, np.ones((2, 2)))


def _square(rows: list[list[float]]) -> Graph:
    return Graph((given("S", rows, minus_infinity=True),))


def test_the_two_cells_that_differ_most_from_their_mirror() -> None:
    graph = _square([[0.0, 1.0, -2.0], [4.0, 9.0, 6.0], [-6.0, 5.0, 0.0]])
    assert graph.unlike("S") == (Cell("S", 0, 2), Cell("S", 2, 0))
    assert _square([[0.0, -3.0], [2.0, 0.0]]).unlike("S") == (Cell("S", 0, 1), Cell("S", 1, 0))
    assert _square([[1.0, -INF], [-5.0, 1.0]]).unlike("S") == (Cell("S", 0, 1), Cell("S", 1, 0))
    # The pair further apart counts, not the pair with larger numbers.
    graph = _square([[0.0, 900.0, 1.0], [901.0, 0.0, 0.0], [5.0, 0.0, 0.0]])
    assert graph.unlike("S") == (Cell("S", 0, 2), Cell("S", 2, 0))


@pytest.mark.parametrize(
    "rows",
    [
        [[5.0]],
        [[0.0, 0.0], [0.0, 0.0]],
        [[1.0, 0.1 + 0.2], [0.3, 7.0]],
        [[1e300, 1.0], [1.0 + 1e-15, 0.0]],
        [[1.0, -INF], [-INF, -INF]],
        [[-INF, -INF], [-INF, -INF]],
    ],
)
def test_a_symmetric_matrix_has_no_such_cells(rows: list[list[float]]) -> None:
    assert _square(rows).unlike("S") is None


def test_a_difference_above_float_dust_is_one() -> None:
    assert _square([[1.0, 2.0], [2.0 + 1e-11, 1.0]]).unlike("S") is not None


def test_only_a_square_matrix_has_a_mirror() -> None:
    with pytest.raises(AttentionError, match=r"^unlike: Q is 1×2, wanted a square matrix"):
        attention([[1.0, 2.0]], [[1.0, 2.0]], [[1.0]]).unlike("Q")
