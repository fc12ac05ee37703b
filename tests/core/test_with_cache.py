"""Chunks with a cache: the rows of computing everything at once, by PyTorch, for every cut."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given as drawn
from hypothesis import strategies as st

from attention_core import (
    AttentionError,
    Graph,
    as_columns,
    as_rows,
    attention,
    base_two,
    cached,
    cached_step,
    gradients,
    layered,
    look_up,
    moved_on,
    multi_head,
    multi_head_attention,
    numpy_function,
    reordered,
    residual,
    self_attention,
    sink,
    sliding_window,
    softcap,
    split_heads,
    torch_module,
    with_alibi,
    with_cache,
    with_masks,
    with_positions,
    with_rotary,
)
from attention_core.matrix import Array
from attention_core.symbols import symbol
from tests.core.test_derivations import check_cell
from tests.core.test_emit import check_programs, run
from tests.core.test_multi_head import COUNTS
from tests.core.test_positions_on_heads import turned
from tests.core.test_sdpa import expect_same

pytestmark = pytest.mark.filterwarnings("error")
SIZES = st.tuples(st.integers(1, 4), st.integers(1, 4))


def whole_by_torch(
    arrays: list[Any], counts: tuple[int, int], scale: float | None, halves: bool | None
) -> Array:
    """All updates under a causal mask."""
    X, W_Q, W_K, W_V, W_O = map(torch.tensor, arrays)
    heads, kv_heads = counts
    q, k, v = (
        (X @ W).reshape(len(X), count, -1).transpose(0, 1)
        for W, count in ((W_Q, heads), (W_K, kv_heads), (W_V, kv_heads))
    )
    if halves is not None:
        q, k = turned(q, halves), turned(k, halves)
    mask = torch.ones(len(X), len(X), dtype=torch.bool).tril()
    O = torch.nn.functional.scaled_dot_product_attention(
        q[None], k[None], v[None], attn_mask=mask, scale=scale, enable_gqa=True
    )
    updates: Array = (O[0].transpose(0, 1).flatten(1) @ W_O).numpy()
    return updates


@drawn(
    st.integers(1, 6),
    st.sets(st.integers(1, 5)),
    st.sampled_from(COUNTS),
    SIZES,
    st.sampled_from([None, 0.3, -1.0, 0.0]),
    st.sampled_from([None, False, True]),
    st.integers(0, 99),
)
def test_chunks_of_any_length_give_the_rows_of_the_whole(
    n: int,
    cuts: set[int],
    counts: tuple[int, int],
    widths: tuple[int, int],
    scale: float | None,
    halves: bool | None,
    seed: int,
) -> None:
    (heads, kv_heads), (d_k, d_v), rng = counts, widths, np.random.default_rng(seed)
    halves = halves if d_k > 1 else None
    shapes = (n, 3), (3, heads * d_k), (3, kv_heads * d_k), (3, kv_heads * d_v), (heads * d_v, 3)
    arrays: list[Any] = [rng.normal(size=shape) for shape in shapes]
    truth = whole_by_torch(arrays, counts, scale, halves)
    edges = [0, *sorted(cut for cut in cuts if cut < n), n]
    cache: tuple[Array, ...] = ()
    for start, stop in pairwise(edges):
        chunk: list[Any] = [arrays[0][start:stop], *arrays[1:]]
        new = multi_head(*chunk, heads=heads, kv_heads=kv_heads, scale=scale)
        new = new if halves is None else with_rotary(new, halves=halves, first=start)
        step = with_cache(new, *cache)
        cache = step["K_all"].value, step["V_all"].value
        assert step["A_1"].shape == (stop - start, stop)
        np.testing.assert_allclose(step["U"].value, truth[start:stop], atol=1e-11)
    np.testing.assert_allclose(cache[1], arrays[0] @ arrays[3], atol=1e-12)
    if halves is not None:  # turned keys are kept
        keys = (arrays[0] @ arrays[2]).reshape(n, kv_heads, d_k).swapaxes(0, 1)
        wanted = turned(torch.tensor(keys), halves).transpose(0, 1).flatten(1)
        np.testing.assert_allclose(cache[0], wanted.numpy(), atol=1e-12)


@drawn(st.integers(1, 4), st.integers(1, 4), st.sampled_from(COUNTS), SIZES, st.integers(0, 99))
def test_gradients_reach_the_cache_and_the_new_rows(
    kept: int, new: int, counts: tuple[int, int], widths: tuple[int, int], seed: int
) -> None:
    (heads, kv_heads), (d_k, d_v), rng = counts, widths, np.random.default_rng(seed)
    rows = (new, heads * d_k), (new, kv_heads * d_k), (new, kv_heads * d_v)
    before = (kept, kv_heads * d_k), (kept, kv_heads * d_v)
    Q, K, V, K_kept, V_kept = (rng.normal(size=shape) for shape in (*rows, *before))
    graph = multi_head_attention(Q, K, V, heads=heads, kv_heads=kv_heads)
    graph = with_cache(graph, K_kept, V_kept)
    leaves = [torch.tensor(a, requires_grad=True) for a in (Q, K, V, K_kept, V_kept)]
    wide = leaves[0], torch.cat([leaves[3], leaves[1]]), torch.cat([leaves[4], leaves[2]])
    q, k, v = (
        m.reshape(len(m), count, -1).transpose(0, 1)[None]
        for m, count in zip(wide, (heads, kv_heads, kv_heads), strict=True)
    )
    mask = torch.ones(new, kept + new, dtype=torch.bool).tril(kept)
    O = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask, enable_gqa=True)
    truth = O[0].transpose(0, 1).flatten(1)
    np.testing.assert_allclose(graph["O"].value, truth.detach().numpy(), atol=1e-12)
    upstream = rng.normal(size=truth.shape)
    back = gradients(graph, "O", upstream)
    slopes = torch.autograd.grad((truth * torch.tensor(upstream)).sum(), leaves)
    for key, slope in zip(("Q", "K", "V", "K_kept", "V_kept"), slopes, strict=True):
        np.testing.assert_allclose(back[f"d{key}"].value, slope.numpy(), atol=1e-10)


def numbers(*shapes: tuple[int, int]) -> list[Any]:
    rng = np.random.default_rng(12)
    return [rng.normal(size=shape) for shape in shapes]


X, *W = numbers((5, 3), (3, 4), (3, 4), (3, 2))
W_O = numbers((4, 3))[0]
CACHE = X[:3] @ W[1], X[:3] @ W[2]


def one_head(rows: slice = slice(3, 5)) -> Graph:
    return self_attention(X[rows], W[0], W[1], W[2], tokens=None)


def heads_of(rows: slice = slice(3, 5)) -> Graph:
    given: list[Any] = [X[rows], W[0], W[1], np.hstack([W[2], W[2]]), W_O]
    return multi_head(*given, heads=2, tokens=("d", "e"))


HEADS_CACHE = X[:3] @ W[1], X[:3] @ np.hstack([W[2], W[2]])


def test_one_row_of_one_head_is_the_step_with_a_cache() -> None:
    row = X[3:4]
    step = cached_step(row, W[0], W[1], W[2], *CACHE)
    graph = with_cache(one_head(slice(3, 4)), *CACHE)
    for key, same in (("O", "O_new"), ("S", "S_new"), ("K_all", "K_all"), ("V_all", "V_all")):
        np.testing.assert_array_equal(graph[key].value, step[same].value)


BUILDS = {
    "one head": lambda: with_cache(one_head(), *CACHE),
    "heads": lambda: with_cache(heads_of(), *HEADS_CACHE, kept_tokens=("a", "b", "c")),
    "first": lambda: with_cache(heads_of()),
    "turned": lambda: with_cache(with_rotary(heads_of(), first=3), *HEADS_CACHE),
    "capped": lambda: softcap(with_cache(heads_of(), *HEADS_CACHE), 2.0),
    "sink": lambda: sink(with_cache(one_head(), *CACHE), 1.0),
    "far": lambda: with_alibi(with_cache(heads_of(), *HEADS_CACHE), (0.5, 1), first=3),
    "masks": lambda: with_masks(with_cache(heads_of(), *HEADS_CACHE), (None, np.ones((2, 5)))),
    "stream": lambda: residual(with_cache(one_head(), *CACHE), W[2].T),
    "places": lambda: with_positions(with_cache(one_head(), *CACHE), 3),
}


@pytest.mark.parametrize("name", BUILDS)
def test_programs_cells_and_columns(name: str) -> None:
    graph = BUILDS[name]()
    check_programs(graph)
    expect_same(graph)
    run(numpy_function(graph))
    columns = as_columns(graph)
    check_programs(columns)
    for matrix in graph.steps:
        np.testing.assert_array_equal(as_rows(columns)[matrix.key].value, matrix.value)
        assert symbol(matrix.key).title != matrix.key
        for row, col in np.ndindex(matrix.shape):
            check_cell(graph.explain(matrix.key, row, col))


def test_turning_before_or_after_is_the_same() -> None:
    before = with_cache(with_rotary(heads_of(), first=3), *HEADS_CACHE)
    after = with_rotary(with_cache(heads_of(), *HEADS_CACHE), first=3)
    np.testing.assert_array_equal(before["U"].value, after["U"].value)


def test_rows_are_called_by_their_tokens() -> None:
    graph = BUILDS["heads"]()
    assert graph["A_2"].rows.labels == ("d", "e")
    assert graph["A_2"].cols.labels == ("a", "b", "c", "d", "e")
    assert with_cache(one_head(), *CACHE)["A"].cols.labels[:4] == (
        "kept 1",
        "kept 2",
        "kept 3",
        "1",
    )
    assert graph.explain("K_1_all", 4, 0).text.startswith("K_1,all[e, 1] = K_1[e, 1] = ")
    assert graph.explain("K_1_kept", 2, 1).text.startswith("K_1,kept[c, 2] = K_kept[c, 2] = ")


def test_any_mask_has_a_column_for_every_key() -> None:
    window = sliding_window(5, 2)
    whole = self_attention(X, W[0], W[1], W[2], window)
    step = with_cache(one_head(), *CACHE, mask=window[3:])
    np.testing.assert_allclose(step["O"].value, whole["O"].value[3:], atol=1e-12)
    open_to_all = with_cache(one_head(), *CACHE, mask=None)
    assert not open_to_all["M"].value.any()
    nothing = with_cache(one_head(), *CACHE, mask=np.zeros((2, 5), dtype=bool))
    assert nothing.undefined_rows == (0, 1)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda: with_cache(one_head(), CACHE[0]), "with_cache: give both K_cache and V_cache"),
        (lambda: with_cache(one_head(), CACHE[0][:2], CACHE[1]), "K_cache has 2 rows and V_cache"),
        (lambda: with_cache(one_head(), CACHE[1], CACHE[1]), "K_cache has 2 columns, wanted 4"),
        (lambda: with_cache(heads_of(), *CACHE), "V_cache has 2 columns, wanted 4: those of 2"),
        (lambda: with_cache(one_head(), *CACHE, mask=np.ones((2, 2))), "mask: is 2×2, wanted 2×5"),
        (lambda: with_cache(one_head(), *CACHE, kept_tokens=("a",)), "kept_tokens: got 1 tokens"),
        (lambda: with_cache(with_cache(one_head())), "has a cache already"),
        (lambda: with_cache(split_heads(one_head(), 2)), "with_cache: this graph leads to O_heads"),
        (lambda: with_cache(softcap(one_head(), 1.0)), r"leads to O_cap \(softcap\)"),
        (lambda: with_cache(with_alibi(one_head())), "S_masked is made from S_alibi and M"),
        (lambda: with_cache(with_masks(heads_of(), (None, None))), "a mask for each head"),
        (lambda: with_cache(gradients(one_head())), "Call with_cache before gradients"),
        (lambda: with_cache(cached(one_head(), 2)), r"leads to O_new"),
        (lambda: with_cache(as_columns(one_head())), "with_cache: tokens stand as columns"),
        (lambda: moved_on(BUILDS["turned"](), 1), "moved_on: kept keys keep their places"),
        (lambda: reordered(BUILDS["one head"](), (1, 0)), "reordered: queries and keys are two"),
        (lambda: layered(BUILDS["one head"](), 2), "layered: O is made from A and V_all here"),
        (lambda: look_up(BUILDS["one head"]()), "look_up: O is made from A and V_all here"),
        (lambda: base_two(BUILDS["one head"]()), "base_two: O is made from A and V_all here"),
        (lambda: torch_module(BUILDS["one head"]()), "this graph has kept keys between K"),
        (lambda: split_heads(BUILDS["one head"](), 2), "this graph has kept keys between K"),
        (lambda: cached_step(X, W[0], W[1], W[2]), "or read several with with_cache"),
        (lambda: with_cache(attention(X, X, X), [], []), "K_kept: "),
    ],
)
def test_what_cannot_be_is_refused(change: Any, says: str) -> None:
    with pytest.raises(AttentionError, match=says):
        change()
