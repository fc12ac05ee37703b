"""Shared keys and values: the variant against PyTorch, and the cache against arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given as drawn
from hypothesis import strategies as st

from attention_core import (
    MAX_DEPTH,
    MAX_N,
    VARIANTS,
    AttentionError,
    cache,
    gradients,
    kv_head_counts,
    toy_inputs,
)

GROUPED = VARIANTS["grouped"]


@drawn(
    st.integers(1, 5),
    st.sampled_from([(h, kv) for h in (1, 2, 3, 4, 6, 8) for kv in kv_head_counts(h)]),
    st.integers(1, 3),
    st.integers(1, 3),
    st.integers(0, 99),
    st.booleans(),
)
def test_values_and_gradients_are_those_of_pytorch(
    n: int, counts: tuple[int, int], d_k: int, d_v: int, seed: int, causal: bool
) -> None:
    h, kv = counts
    inputs = toy_inputs([f"t{i}" for i in range(n)], seed, 4, h * d_k, h * d_v)
    plain = inputs.graph("causal" if causal else None)
    graph = GROUPED.graph(plain, inputs, {"h": h, "kv_heads": kv})
    arrays = [inputs.given[key] for key in ("X", "W_Q", "W_K", "W_V")]
    X, W_Q, W_K, W_V = parts = [torch.tensor(a, requires_grad=True) for a in arrays]
    q, k, v = (
        (X @ W[:, : count * width]).reshape(n, count, width).transpose(0, 1)[None]
        for W, count, width in ((W_Q, h, d_k), (W_K, kv, d_k), (W_V, kv, d_v))
    )
    O = torch.nn.functional.scaled_dot_product_attention(
        q, k, v, is_causal=causal, enable_gqa=True
    )[0]
    truth = O.transpose(0, 1).reshape(n, -1)
    np.testing.assert_allclose(graph["O_heads"].value, truth.detach().numpy(), atol=1e-12)
    back = gradients(graph, "O_heads")
    for key, slope in zip(
        ("X", "W_Q", "W_K", "W_V"), torch.autograd.grad(truth.sum(), parts), strict=True
    ):
        np.testing.assert_allclose(back[f"d{key}"].value, slope.numpy(), atol=1e-10)


@pytest.mark.parametrize(("h", "kv"), [(8, 1), (8, 2), (8, 8), (6, 3)])
def test_neighbours_share_and_only_so_many_pairs_are_made(h: int, kv: int) -> None:
    inputs = toy_inputs(("a", "b"), 1, 4, h, h)
    graph = GROUPED.graph(inputs.graph(), inputs, {"h": h, "kv_heads": kv})
    assert f"K_{kv}" in graph
    assert f"V_{kv}" in graph
    assert f"K_{kv + 1}" not in graph
    read = [graph[f"S_{head}"].inputs[1].inputs[0].key for head in range(1, h + 1)]
    assert read == [f"K_{group}" for group in range(1, kv + 1) for _ in range(h // kv)]
    assert [graph[f"O_{i}"].inputs[1].key[2:] for i in range(1, h + 1)] == [k[2:] for k in read]


def test_a_count_that_does_not_fit_gives_way_to_the_next() -> None:
    inputs = toy_inputs(("a",), 1, 4, 8, 8)
    assert GROUPED.chosen(inputs, {"h": 4, "kv_heads": 3}) == {"h": 4, "kv_heads": 4}
    assert GROUPED.chosen(inputs, {"h": 2, "kv_heads": 8}) == {"h": 2, "kv_heads": 2}


@pytest.mark.parametrize("n", [1, 3])
@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize(("heads", "kv"), [(4, 4), (4, 2), (4, 1)])
@pytest.mark.parametrize(("size", "kind"), [(1, "i1"), (2, "f2"), (4, "f4"), (8, "f8")])
def test_the_cache_holds_what_arrays_hold(
    n: int, layers: int, heads: int, kv: int, size: int, kind: str
) -> None:
    width = 3
    found = cache(n, layers, heads, kv, width, size)
    kept = [np.zeros((n, width), kind) for _ in range(layers) for _ in range(kv) for _ in "KV"]
    assert found.bytes == sum(array.nbytes for array in kept)
    assert found.token_numbers * n == sum(array.size for array in kept)
    assert found.token_bytes * n == found.bytes
    weights = [np.zeros((heads * width, kv * width)) for _ in range(layers) for _ in "KV"]
    assert found.parameters == sum(array.size for array in weights)


def test_the_largest_cache_is_counted_exactly() -> None:
    assert cache(MAX_N, MAX_DEPTH, 128, 128, 256, 8).bytes == 8 * 2 * 200 * 128 * 256 * 10**6


def test_models_that_were_measured() -> None:
    """Llama 2 7B keeps half a megabyte (2¹⁹ bytes) a token, and 70B less, in spite of its size."""
    assert cache(1, 32, 32, 32, 128).bytes == 2**19
    assert cache(1, 80, 64, 8, 128).bytes == 327_680


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"layers": 0}, "cache: layers is 0, wanted a whole number from 1 to 200"),
        ({"layers": True}, "cache: layers is True"),
        ({"kv_heads": 3}, "8 heads cannot share 3 heads of keys and values"),
        ({"kv_heads": 16}, "8 heads cannot share 16"),
        ({"n": 0}, "n is 0"),
        ({"size": 3}, "a number of 3 bytes"),
    ],
)
def test_what_is_no_cache_is_refused(change: dict[str, Any], says: str) -> None:
    sizes = {"n": 4, "layers": 2, "heads": 8, "kv_heads": 2, "width": 4} | change
    with pytest.raises(AttentionError, match=says):
        cache(**sizes)
