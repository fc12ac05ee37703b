"""Keys and values that are kept: against full recomputation, PyTorch, and counts by loops."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given as generated
from hypothesis import strategies as st

from attention_core import (
    EXAMPLES,
    NUMBER_SIZES,
    VARIANTS,
    AttentionError,
    Graph,
    attention,
    cached,
    cached_layers,
    cached_step,
    cost,
    cross_attention,
    decoding,
    gradients,
    layered,
    self_attention,
)
from attention_core.masks import MaskLike
from attention_core.matrix import Array
from tests.core.test_cost import Counter, ones
from tests.core.test_derivations import check_cell
from tests.core.test_emit import check_programs

pytestmark = pytest.mark.filterwarnings("error")
SCALES = st.one_of(st.none(), st.sampled_from([0.0, 1.0, -0.7, 3.5]))
SIZES = st.tuples(*(st.integers(1, 4) for _ in range(3)))


def drawn(seed: int, n: int, sizes: tuple[int, int, int]) -> tuple[Array, ...]:
    """X, W_Q, W_K, W_V and W_O."""
    d_model, d_k, d_v = sizes
    shapes = (n, d_model), (d_model, d_k), (d_model, d_k), (d_model, d_v), (d_v, d_model)
    rng = np.random.default_rng(seed)
    return tuple(rng.normal(size=shape) for shape in shapes)


def plain(arrays: tuple[Array, ...], scale: float | None = None, mask: MaskLike = None) -> Graph:
    X, W_Q, W_K, W_V, _ = arrays
    return self_attention(X, W_Q, W_K, W_V, mask, scale)


class Torch:
    """One layer and its stream by PyTorch, over the first rows."""

    def __init__(self, arrays: tuple[Array, ...], scale: float | None, causal: bool) -> None:
        self.leaves = tuple(torch.tensor(array, requires_grad=True) for array in arrays)
        self.scale, self.causal = scale, causal

    def attend(self, Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.scaled_dot_product_attention(
            Q, K, V, is_causal=self.causal and len(Q) > 1, scale=self.scale
        )

    def layer(self, X: torch.Tensor) -> torch.Tensor:
        _, W_Q, W_K, W_V, _ = self.leaves
        return self.attend(X @ W_Q, X @ W_K, X @ W_V)

    def outputs(self, rows: int) -> Array:
        found: Array = self.layer(self.leaves[0][:rows]).detach().numpy()
        return found

    def stream(self, rows: int) -> torch.Tensor:
        X, W_O = self.leaves[0][:rows], self.leaves[-1]
        return (X + self.layer(X) @ W_O).detach()

    def new_output(self, kept: torch.Tensor, new: torch.Tensor) -> Array:
        """The output of a new row over kept rows and its own."""
        _, W_Q, W_K, W_V, _ = self.leaves
        rows = torch.cat([kept, new])
        found: Array = self.attend(new @ W_Q, rows @ W_K, rows @ W_V).detach().numpy()
        return found


@generated(st.integers(0, 2**32 - 1), st.integers(1, 6), SIZES, SCALES)
def test_steps_give_causal_attention_row_by_row(
    seed: int, n: int, sizes: tuple[int, int, int], scale: float | None
) -> None:
    arrays = drawn(seed, n, sizes)
    X, W_Q, W_K, W_V, _ = arrays
    whole = Torch(arrays, scale, causal=True).outputs(n)
    cache: tuple[Array, ...] = ()
    for t in range(n):
        step = cached_step(X[t : t + 1], W_Q, W_K, W_V, *cache, scale=scale)
        cache = step["K_all"].value, step["V_all"].value
        assert step["S_new"].shape == step["A_new"].shape == (1, t + 1)
        np.testing.assert_allclose(step["O_new"].value, whole[t : t + 1], atol=1e-12)
    np.testing.assert_allclose(cache[0], X @ W_K, atol=1e-12)
    np.testing.assert_allclose(cache[1], X @ W_V, atol=1e-12)


CASES = (st.integers(0, 2**32 - 1), st.integers(1, 6), st.integers(1, 6), SIZES, SCALES)


@generated(*CASES, st.booleans())
def test_a_step_stands_beside_computing_everything_again(
    seed: int, n: int, read: int, sizes: tuple[int, int, int], scale: float | None, causal: bool
) -> None:
    arrays, read = drawn(seed, n, sizes), min(read, n)
    graph, truth = cached(plain(arrays, scale), read, causal=causal), Torch(arrays, scale, causal)
    now = truth.outputs(read)
    np.testing.assert_allclose(graph["O"].value, now, atol=1e-12)
    np.testing.assert_allclose(graph["O_new"].value, now[-1:], atol=1e-12)
    assert not graph["O_gap"].value.any(), "also without a mask"
    np.testing.assert_allclose(graph["K_all"].value, graph["K"].value, atol=1e-12)
    np.testing.assert_allclose(graph["V_all"].value, graph["V"].value, atol=1e-12)
    if read == 1:
        assert "K_kept" not in graph
        assert "O_diff" not in graph
        return
    was = truth.outputs(read - 1)
    np.testing.assert_allclose(graph["O_was"].value, was, atol=1e-12)
    np.testing.assert_allclose(graph["O_diff"].value, now[:-1] - was, atol=1e-11)
    assert not causal or not graph["O_diff"].value.any()


@generated(*CASES, st.booleans())
def test_a_second_layer_has_a_cache_that_only_a_causal_mask_keeps_right(
    seed: int, n: int, read: int, sizes: tuple[int, int, int], scale: float | None, causal: bool
) -> None:
    arrays, read = drawn(seed, n, sizes), min(read, n)
    truth = Torch(arrays, scale, causal)
    graph = cached_layers(plain(arrays, scale), read, arrays[-1], causal=causal)
    X_1 = truth.stream(read)
    last = truth.layer(X_1)[-1:].detach().numpy()
    before = truth.stream(read - 1) if read > 1 else X_1[:0]
    stale = truth.new_output(before, X_1[-1:])
    np.testing.assert_allclose(graph["O_2_last"].value, last, atol=1e-11)
    np.testing.assert_allclose(graph["O_2_new"].value, stale, atol=1e-11)
    np.testing.assert_allclose(graph["O_2_gap"].value, stale - last, atol=1e-10)
    if causal:
        changes = [key for key in ("O_2_gap", "K_2_diff", "V_2_diff") if key in graph]
        assert [key for key in changes if graph[key].value.any()] == []


def test_without_a_mask_the_second_cache_is_out_of_date() -> None:
    arrays = drawn(1, 4, (3, 2, 2))
    graph = cached_layers(plain(arrays), 4, arrays[-1], causal=False)
    for key in ("O_diff", "K_2_diff", "V_2_diff", "O_2_gap"):
        assert graph[key].value.all(), key
    assert not graph["O_gap"].value.any()


def test_the_second_layer_is_that_of_the_residual_stream() -> None:
    arrays = drawn(2, 3, (3, 2, 2))
    one = plain(arrays, mask="causal")
    two, graph = layered(one, 2, arrays[-1]), cached_layers(one, 3, arrays[-1])
    for key in ("X_1", "K_2", "A_2", "O_2"):
        np.testing.assert_array_equal(graph[key].value, two[key].value)


@pytest.mark.parametrize("key", ["O_new", "O_last"])
def test_gradients_are_those_of_pytorch(key: str) -> None:
    arrays = drawn(3, 4, (3, 2, 2))
    truth = Torch(arrays, None, causal=True)
    slopes = torch.autograd.grad(truth.layer(truth.leaves[0])[2].sum(), truth.leaves[:4])
    back = gradients(cached(plain(arrays), 3), key)
    for name, slope in zip(("dX", "dW_Q", "dW_K", "dW_V"), slopes, strict=True):
        wanted, found = slope.numpy(), back[name].value
        np.testing.assert_allclose(found, wanted[: len(found)], atol=1e-12)
        assert not wanted[len(found) :].any(), "a token to come has no part in it"


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("read", [1, 2, 4])
def test_every_cell_explains_itself_and_the_programs_run(read: int, causal: bool) -> None:
    arrays = drawn(4, 4, (3, 2, 2))
    graph = cached_layers(plain(arrays, 0.4), read, arrays[-1], causal=causal)
    for matrix in graph.steps:
        for row, col in np.ndindex(matrix.shape):
            check_cell(graph.explain(matrix.key, row, col))
    check_programs(graph)


def test_a_step_alone_explains_itself_and_runs() -> None:
    X, W_Q, W_K, W_V, _ = drawn(5, 3, (3, 2, 1))
    graph = cached_step(X[2:], W_Q, W_K, W_V, X[:2] @ W_K, X[:2] @ W_V, tokens=("a", "b", "c"))
    assert graph["K_all"].rows.labels == graph["A_new"].cols.labels == ("a", "b", "c")
    assert graph["Q_new"].rows.labels == ("c",)
    assert "K_all_T" not in list(graph)
    for matrix in graph.steps:
        for row, col in np.ndindex(matrix.shape):
            check_cell(graph.explain(matrix.key, row, col))
    check_programs(graph)


def test_a_kept_row_depends_on_its_own_token_only() -> None:
    graph = cached(EXAMPLES["love"].graph(), 3, causal=False)
    cells = graph.trace("K_all", 1, 0).inputs
    assert {cell.row for cell in cells if cell.symbol == "X"} == {1}


@pytest.mark.parametrize("mask", ["causal", [[False] * 3] * 3])
def test_the_mask_of_the_graph_is_replaced(mask: MaskLike) -> None:
    open_, masked = (EXAMPLES["love"].graph(mask=one) for one in (None, mask))
    for causal in (True, False):
        one, other = (cached(graph, 3, causal=causal) for graph in (open_, masked))
        np.testing.assert_array_equal(one["O"].value, other["O"].value)
        assert "M" not in one


def test_from_queries_keys_and_values_rows_are_taken() -> None:
    graph = cached(EXAMPLES["hand"].graph(), 2)
    assert graph["K_kept"].value.tolist() == EXAMPLES["hand"].graph()["K"].value[:1].tolist()
    assert "X_new" not in graph
    with pytest.raises(AttentionError, match="cached_layers: there are no embeddings X"):
        cached_layers(EXAMPLES["hand"].graph(), 2)


def test_the_variant_offers_the_tokens_there_are() -> None:
    variant, inputs = VARIANTS["cache"], EXAMPLES["love"].inputs
    assert variant.options[0].fitting(inputs, {}) == (1, 2, 3)
    assert variant.chosen(inputs, {"at": 9}) == {"at": 3, "causal": True}
    for at, causal in product((1, 2, 3), (True, False)):
        graph = variant.graph(inputs.graph(), inputs, {"at": at, "causal": causal})
        assert graph["A_new"].shape == (1, at)
    hand = EXAMPLES["hand"].inputs
    for causal in (True, False):
        graph = variant.graph(hand.graph(), hand, {"causal": causal})
        assert graph["M_read"].blocked == causal


@pytest.mark.parametrize(
    ("read", "says"),
    [
        (0, "cached: read is 0, wanted a whole number from 1 to 3"),
        (4, "read is 4"),
        (1.0, "read is 1.0"),
    ],
)
def test_a_token_that_is_not_there_is_refused(read: Any, says: str) -> None:
    with pytest.raises(AttentionError, match=says):
        cached(EXAMPLES["love"].graph(), read)


def test_two_sequences_are_refused() -> None:
    one = [[1.0]]
    with pytest.raises(AttentionError, match="queries and keys are two sequences"):
        cached(cross_attention([[1.0], [2.0]], one, one, one, one), 1)
    with pytest.raises(AttentionError, match="queries and keys are two sequences"):
        cached(attention([[1.0], [2.0]], one, one), 1)


@pytest.mark.parametrize(
    ("x", "K", "V", "says"),
    [
        ([[1.0], [2.0]], None, None, "x has 2 rows, and a step reads one token"),
        ([[1.0]], [[1.0]], None, "give both K_cache and V_cache"),
        ([[1.0]], None, [[1.0]], "give both K_cache and V_cache"),
        ([[1.0]], [[1.0]], [[1.0], [2.0]], "K_cache has 1 rows and V_cache has 2"),
        ([[1.0]], [[1.0, 2.0]], [[1.0]], "K_cache has 2 columns and W_K has 1"),
    ],
)
def test_a_cache_that_does_not_fit_is_refused(x: Any, K: Any, V: Any, says: str) -> None:
    W = [[1.0]]
    with pytest.raises(AttentionError, match=says):
        cached_step(x, W, W, W, K, V)


SMALL = list(product((1, 2, 3, 6), (1, 3), (1, 2), (1, 2), (1, 2)))


@pytest.mark.parametrize(("n", "d_model", "width", "v_width", "heads"), SMALL)
def test_counts_are_those_of_loops(
    n: int, d_model: int, width: int, v_width: int, heads: int
) -> None:
    """Each step is done both ways, head by head, by loops that multiply."""
    found = decoding(n, d_model, heads * width, heads * v_width, heads, size=2)
    with_cache, again, cells, cells_again, kept = [], [], 0, 0, 0
    for t in range(1, n + 1):
        one, every = Counter(), Counter()
        cells = cells_again = kept = 0
        for _ in range(heads):
            W = ones(d_model, width), ones(d_model, width), ones(d_model, v_width)
            for counter, rows in ((one, 1), (every, t)):
                q, k, v = (counter.product(ones(rows, d_model), w) for w in W)
                K, V = ones(t - rows, width) + k, ones(t - rows, v_width) + v
                S = counter.product(q, [list(column) for column in zip(*K, strict=True)])
                counter.product(S, V)
                made = sum(len(row) for matrix in (q, k, v, S) for row in matrix)
                cells, cells_again = (
                    (cells + made, cells_again) if counter is one else (cells, cells_again + made)
                )
            kept += sum(len(row) for matrix in (K, V) for row in matrix)
        with_cache.append(one.count)
        again.append(every.count)
    assert (found.step, found.step_again) == (with_cache[-1], again[-1])
    assert (found.total, found.total_again) == (sum(with_cache), sum(again))
    assert (found.made, found.made_again, found.kept) == (2 * cells, 2 * cells_again, 2 * kept)


@pytest.mark.parametrize("size", NUMBER_SIZES)
def test_one_step_without_a_cache_is_one_layer(size: int) -> None:
    layer, step = cost(1000, 4, 16, size), decoding(1000, 64, 64, 64, 4, size)
    assert step.step_again == layer.projections + layer.square
    assert step.made_again == layer.projected_bytes + layer.score_bytes


def test_the_counts_of_a_graph() -> None:
    inputs = EXAMPLES["cat"].inputs
    graph: Graph = cached(inputs.graph(), 4)
    found = decoding(4, **inputs.sizes, size=1)
    assert found.kept == graph["K_all"].value.size + graph["V_all"].value.size
    made = ("Q_new", "K_new", "V_new", "S_new")
    assert found.made == sum(graph[key].value.size for key in made)
    assert found.made_again == sum(graph[key].value.size for key in "QKVS")


def test_twice_the_tokens_cost_four_and_eight_times_as_much_in_the_end() -> None:
    one, two = (decoding(n, 64, 64, 64) for n in (500_000, 1_000_000))
    assert two.total / one.total == pytest.approx(4, rel=1e-3)
    assert two.total_again / one.total_again == pytest.approx(8, rel=1e-3)
    assert two.kept == 2 * one.kept


@pytest.mark.parametrize(
    ("sizes", "says"),
    [
        ((0, 1, 1, 1), "decoding: n is 0, wanted a whole number from 1 to 1000000"),
        ((1, 1.5, 1, 1), "d_model is 1.5"),
        ((1, 1, 32_769, 1), "d_k is 32769"),
        ((1, 1, 1, True), "d_v is True"),
        ((1, 1, 1, 1, 129), "heads is 129"),
        ((1, 1, 1, 1, 1, 3), "decoding: a number of 3 bytes"),
    ],
)
def test_sizes_that_are_none_are_refused(sizes: Any, says: str) -> None:
    with pytest.raises(AttentionError, match=says):
        decoding(*sizes)
