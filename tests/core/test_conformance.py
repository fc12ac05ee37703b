"""Peers' cases by name: operators and layers of others, through the public functions only.

Each case is a setting of the ONNX operators ``Attention`` and ``RotaryEmbedding`` (since opset 23),
of PyTorch's ``scaled_dot_product_attention``, or of a layer of a known model. The truth is one
reference in NumPy, written here from the published definitions with heads as a dimension of their
own, and PyTorch where it says the same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
import torch

from attention_core import (
    Graph,
    alibi_slopes,
    causal,
    gradients,
    multi_head,
    multi_head_attention,
    multi_head_cross,
    padding,
    sink,
    sliding_window,
    softcap,
    with_alibi,
    with_biases,
    with_cache,
    with_masks,
    with_rotary,
)
from attention_core.matrix import Array
from tests.core.test_emit import check_programs
from tests.core.test_sdpa import expect_same

INF = np.inf


# ── the reference ────────────────────────────────────────────────────────────────────────────────


def reference(
    Q: Array,
    K: Array,
    V: Array,
    added: Any = 0.0,
    *,
    scale: float | None = None,
    cap: float | None = None,
    sinks: Any = None,
) -> Array:
    """softmax(cap(Q Kᵀ · scale) + what is added) V for arrays (heads, n, d); (n_q, heads·d_v)."""
    together = len(Q) // len(K)
    K, V = np.repeat(K, together, axis=0), np.repeat(V, together, axis=0)
    scores = np.einsum("hid,hjd->hij", Q, K) * (Q.shape[-1] ** -0.5 if scale is None else scale)
    scores = (scores if cap is None else cap * np.tanh(scores / cap)) + added
    powers = np.exp(scores - np.maximum(scores.max(axis=-1, keepdims=True), -1e300))
    total = powers.sum(axis=-1, keepdims=True)
    if sinks is not None:
        top = np.maximum(scores.max(axis=-1, keepdims=True), -1e300)
        total = total + np.exp(np.asarray(sinks, dtype=float)[:, None, None] - top)
    weights = np.divide(powers, total, out=np.zeros_like(powers), where=total > 0)
    return packed(np.einsum("hij,hjd->hid", weights, V))


def turned(
    x: Array, places: Any, *, base: float = 10000.0, width: int | None = None, halves: bool = False
) -> Array:
    """Rotary embeddings of (heads, n, d) by complex numbers: pair t turns by p·base^(−2t/width)."""
    width = x.shape[-1] if width is None else width
    angles = np.outer(places, base ** (-np.arange(0, width, 2) / width))
    if halves:
        one, other = x[..., : width // 2], x[..., width // 2 : width]
    else:
        one, other = x[..., 0:width:2], x[..., 1:width:2]
    whole = (one + 1j * other) * np.exp(1j * angles)
    result = x.copy()
    if halves:
        result[..., : width // 2], result[..., width // 2 : width] = whole.real, whole.imag
    else:
        result[..., 0:width:2], result[..., 1:width:2] = whole.real, whole.imag
    return result


def packed(heads: Array) -> Array:
    """(heads, n, d) as heads side by side, (n, heads·d)."""
    return np.swapaxes(heads, 0, 1).reshape(heads.shape[1], -1)


def apart(wide: Array, heads: int) -> Array:
    """Heads side by side as (heads, n, d)."""
    return np.swapaxes(wide.reshape(len(wide), heads, -1), 0, 1)


def blocked(allowed: Any) -> Array:
    return np.where(allowed, 0.0, -INF)


# ── ONNX Attention, and PyTorch with enable_gqa ──────────────────────────────────────────────────


@dataclass(frozen=True)
class Case:
    """Sizes of a case; ``mask`` as `attention` takes it, ``past`` rows of a cache."""

    heads: int = 3
    kv_heads: int = 3
    n_q: int = 4
    n_k: int = 6
    d_k: int = 8
    d_v: int = 8
    mask: Any = None
    masks: str = ""
    scale: float | None = None
    cap: float | None = None
    past: int = 0


RNG = np.random.default_rng(11)
ADDED, ALLOWED = RNG.normal(size=(4, 6)), RNG.random((4, 6)) < 0.7
GQA = Case(heads=9, kv_heads=3)
PAST = Case(past=12)
CASES = {
    "attention_4d": Case(),
    "attention_4d_scaled": Case(scale=0.01),
    "attention_4d_diff_heads_sizes": Case(d_v=10),
    "attention_4d_diff_heads_sizes_scaled": Case(d_v=10, scale=0.01),
    "attention_4d_diff_heads_sizes_softcap": Case(d_v=10, cap=2.0),
    "attention_4d_diff_heads_sizes_causal": Case(d_v=10, mask="causal"),
    "attention_4d_diff_heads_sizes_attn_mask": Case(d_v=10, mask=ADDED),
    "attention_4d_causal": Case(mask="causal"),
    "attention_4d_attn_mask": Case(mask=ADDED),
    "attention_4d_attn_mask_bool": Case(mask=ALLOWED),
    "attention_4d_attn_mask_4d": Case(masks="added"),
    "attention_4d_attn_mask_bool_4d": Case(masks="allowed"),
    "attention_4d_attn_mask_4d_causal": Case(masks="causal"),
    "attention_4d_softcap": Case(cap=2.0),
    "attention_4d_softcap_neginf_mask": Case(cap=0.5, mask=ALLOWED),
    "attention_4d_softcap_mask_4d": Case(cap=2.0, masks="added"),
    "attention_4d_padded_kv": Case(mask=padding([True] * 4 + [False] * 2, 4)),
    "attention_4d_fully_masked": Case(mask=np.zeros((4, 6), dtype=bool)),
    "attention_4d_gqa": GQA,
    "attention_4d_gqa_scaled": replace(GQA, scale=0.01),
    "attention_4d_gqa_causal": replace(GQA, mask="causal"),
    "attention_4d_gqa_attn_mask": replace(GQA, mask=ADDED),
    "attention_4d_gqa_softcap": replace(GQA, cap=2.0),
    "attention_4d_gqa_causal_softcap": replace(GQA, mask="causal", cap=2.0),
    "attention_4d_gqa_attn_mask_4d": replace(GQA, masks="added"),
    "attention_4d_mqa": Case(heads=4, kv_heads=1, d_v=3),
    "attention_4d_with_past_and_present": PAST,
    "attention_4d_diff_heads_with_past_and_present": replace(PAST, d_v=10),
    "attention_4d_gqa_with_past_and_present": replace(GQA, past=12),
    "attention_4d_gqa_softcap_with_past_and_present": replace(GQA, past=12, cap=2.0),
    "attention_4d_causal_with_past_and_present": Case(n_k=4, past=12, mask="causal-bottom-right"),
    "attention_4d_decoding_with_past": Case(n_q=1, n_k=1, past=5, mask="causal-bottom-right"),
    "sdpa_is_causal_more_keys": Case(heads=2, kv_heads=1, n_q=2, n_k=5, d_k=3, mask="causal"),
    "sdpa_is_causal_more_queries": Case(heads=2, kv_heads=2, n_q=5, n_k=2, d_k=3, mask="causal"),
    "sdpa_lower_right_more_keys": Case(2, 1, 2, 5, 3, 4, mask="causal-bottom-right"),
    "sdpa_lower_right_more_queries": Case(2, 2, 5, 2, 3, 4, mask="causal-bottom-right"),
    "sdpa_scale_negative": Case(2, 1, 3, 3, 3, 4, scale=-2.0),
    "sdpa_scale_zero": Case(2, 1, 3, 3, 3, 4, scale=0.0),
    "sdpa_one_of_all": Case(1, 1, 1, 1, 1, 1),
}


def added_to(case: Case) -> Any:
    """What is added to the scores: (n_q, n_k), or (heads, n_q, n_k) where each head has its own."""
    n_q, n_k = case.n_q, case.past + case.n_k
    shape = (case.heads, n_q, n_k)
    if case.masks == "allowed":
        return blocked(np.random.default_rng(5).random(shape) < 0.7)
    if case.masks:
        late = blocked(np.tri(n_q, n_k, dtype=bool)) if case.masks == "causal" else 0.0
        return np.random.default_rng(5).normal(size=shape) + late
    if isinstance(case.mask, str):
        later = n_k - n_q if case.mask == "causal-bottom-right" else 0
        return blocked(np.tri(n_q, n_k, later, dtype=bool))
    if case.mask is None or case.mask.dtype != bool:
        return 0.0 if case.mask is None else case.mask
    return blocked(case.mask)


def graph_of(case: Case, Q: Array, K: Array, V: Array, past: tuple[Array, ...]) -> Graph:
    sizes: dict[str, Any] = {"heads": case.heads, "kv_heads": case.kv_heads}
    mask = None if case.past or case.masks else case.mask
    graph = multi_head_attention(*map(packed, (Q, K, V)), **sizes, mask=mask, scale=case.scale)
    if case.past:
        graph = with_cache(graph, *map(packed, past), mask=case.mask)
    if case.masks:
        graph = with_masks(graph, list(added_to(case)))
    return graph if case.cap is None else softcap(graph, case.cap)


@pytest.mark.parametrize("name", CASES)
def test_attention_operator(name: str) -> None:
    case = CASES[name]
    rng = np.random.default_rng(3)
    shapes = (case.heads, case.n_q, case.d_k), (case.kv_heads, case.n_k, case.d_k)
    Q, K = (rng.normal(size=shape) for shape in shapes)
    V = rng.normal(size=(case.kv_heads, case.n_k, case.d_v))
    past = tuple(rng.normal(size=(case.kv_heads, case.past, d)) for d in (case.d_k, case.d_v))
    graph = graph_of(case, Q, K, V, past)
    all_K, all_V = (np.concatenate(pair, axis=1) for pair in zip(past, (K, V), strict=True))
    truth = reference(Q, all_K, all_V, added_to(case), scale=case.scale, cap=case.cap)
    output = graph["O" if case.cap is None else "O_cap"]
    np.testing.assert_allclose(output.value, truth, atol=1e-12)
    if case.past:
        np.testing.assert_array_equal(graph["K_all"].value, packed(all_K))
        np.testing.assert_array_equal(graph["V_all"].value, packed(all_V))
    if case.cap is None:
        same_as_torch(graph, case, Q, K, V, past)


def same_as_torch(graph: Graph, case: Case, Q: Array, K: Array, V: Array, past: Any) -> None:
    """The outputs and the gradients of PyTorch's own function with grouped heads."""
    q, k, v, past_k, past_v = leaves = [
        torch.tensor(a, requires_grad=True) for a in (Q, K, V, *past)
    ]
    added = np.broadcast_to(added_to(case), (case.heads, case.n_q, case.past + case.n_k))
    O = torch.nn.functional.scaled_dot_product_attention(
        q[None],
        torch.cat([past_k, k], dim=1)[None],
        torch.cat([past_v, v], dim=1)[None],
        attn_mask=torch.tensor(added)[None],
        scale=case.scale,
        enable_gqa=True,
    )[0]
    O = torch.nan_to_num(O)
    upstream = np.random.default_rng(8).normal(size=graph["O"].shape)
    np.testing.assert_allclose(graph["O"].value, packed(O.detach().numpy()), atol=1e-12)
    if graph["O"].undefined:
        return
    back = gradients(graph, "O", upstream)
    wanted = torch.autograd.grad(
        (O.transpose(0, 1).flatten(1) * torch.tensor(upstream)).sum(), leaves
    )
    for key, slope in zip(("Q", "K", "V", "K_kept", "V_kept"), wanted, strict=True):
        if key in graph:
            np.testing.assert_allclose(back[f"d{key}"].value, packed(slope.numpy()), atol=1e-11)


# ── ONNX RotaryEmbedding ─────────────────────────────────────────────────────────────────────────

PLACES = [3, 0, 7, 7]
ROTARY: dict[str, dict[str, Any]] = {
    "rotary_embedding": {"halves": True, "places": PLACES},
    "rotary_embedding_interleaved": {"places": PLACES},
    "rotary_embedding_no_position_ids": {"halves": True},
    "rotary_embedding_no_position_ids_interleaved": {},
    "rotary_embedding_with_rotary_dim": {"halves": True, "places": PLACES, "width": 4},
    "rotary_embedding_with_interleaved_rotary_dim": {"places": PLACES, "width": 4},
    "rotary_embedding_no_position_ids_rotary_dim": {"halves": True, "width": 4},
    "rotary_embedding_llama_3": {"halves": True, "base": 500000.0},
    "rotary_embedding_from_a_place_on": {"first": 6, "width": 6},
}


@pytest.mark.parametrize("name", ROTARY)
def test_rotary_operator(name: str) -> None:
    options = ROTARY[name]
    Q, K, V = (np.random.default_rng(4).normal(size=(h, 4, 8)) for h in (4, 2, 2))
    plain = multi_head_attention(*map(packed, (Q, K, V)), heads=4, kv_heads=2)
    graph = with_rotary(plain, **options)
    more = {key: value for key, value in options.items() if key not in ("places", "first")}
    first = options.get("first", 0)
    places = options.get("places", range(first, first + 4))
    for heads, letter in ((Q, "Q"), (K, "K")):
        for head, wanted in enumerate(turned(heads, places, **more), start=1):
            found = graph[f"{letter}_rot_{head}"].value
            np.testing.assert_allclose(found, wanted, atol=1e-12)
    truth = reference(turned(Q, places, **more), turned(K, places, **more), V)
    np.testing.assert_allclose(graph["O"].value, truth, atol=1e-12)


# ── layers of models ─────────────────────────────────────────────────────────────────────────────

D_MODEL, D_K, N = 12, 8, 6


class Layer:
    """Packed weights of a layer, and its queries, keys and values as (heads, n, d)."""

    def __init__(self, heads: int, kv_heads: int, d_v: int = D_K, *, biases: bool = False) -> None:
        rng = np.random.default_rng(heads * 10 + kv_heads)
        widths = heads * D_K, kv_heads * D_K, kv_heads * d_v
        self.sizes: dict[str, Any] = {"heads": heads, "kv_heads": kv_heads}
        self.X = rng.normal(size=(N, D_MODEL))
        self.W = [rng.normal(size=(D_MODEL, width)) / 2 for width in widths]
        self.b = [rng.normal(size=(1, width)) * biases for width in widths]
        self.W_O = rng.normal(size=(heads * d_v, D_MODEL))
        counts = heads, kv_heads, kv_heads
        made = (self.X @ W + b for W, b in zip(self.W, self.b, strict=True))
        self.Q, self.K, self.V = (apart(m, h) for m, h in zip(made, counts, strict=True))

    def graph(
        self, mask: Any = "causal", rows: slice = slice(None), scale: float | None = None
    ) -> Graph:
        given: list[Any] = [self.X[rows], *self.W, self.W_O]
        return multi_head(*given, **self.sizes, mask=mask, scale=scale)

    def biased(self, mask: Any = "causal") -> Graph:
        return with_biases(self.graph(mask), *(bias[0].tolist() for bias in self.b))


CAUSAL = blocked(np.tri(N, dtype=bool))
NEAR = sliding_window(N, 3)
HALVES: dict[str, Any] = {"halves": True}


def close(graph: Graph, key: str, O: Array, layer: Layer) -> None:
    """The outputs and the update of a layer, and its program where PyTorch has a call for it."""
    np.testing.assert_allclose(graph[key].value, O, atol=1e-12)
    np.testing.assert_allclose(graph["U"].value, O @ layer.W_O, atol=1e-11)
    check_programs(graph)
    expect_same(graph)


def test_llama_3_grouped_heads_turned_by_halves_with_a_large_base() -> None:
    layer, turn = Layer(4, 2), HALVES | {"base": 500000.0}
    graph = with_rotary(layer.graph(), **turn)
    Q, K = (turned(m, range(N), **turn) for m in (layer.Q, layer.K))
    close(graph, "O", reference(Q, K, layer.V, CAUSAL), layer)


def test_mistral_sees_a_window() -> None:
    layer = Layer(4, 2)
    graph = with_rotary(layer.graph(NEAR), **HALVES)
    Q, K = (turned(m, range(N), **HALVES) for m in (layer.Q, layer.K))
    close(graph, "O", reference(Q, K, layer.V, NEAR), layer)


@pytest.mark.parametrize("mask", [causal(N), NEAR], ids=["whole", "window"])
@pytest.mark.parametrize("cap_first", [True, False])
def test_gemma_2_turns_then_caps(mask: Array, cap_first: bool) -> None:
    layer, scale = Layer(4, 2), 24.0**-0.5  # of a number of its own, not of d_k
    graph = layer.graph(mask, scale=scale)
    if cap_first:  # the order of the calls does not matter
        graph = with_rotary(softcap(graph, 3.0), **HALVES)
    else:
        graph = softcap(with_rotary(graph, **HALVES), 3.0)
    Q, K = (turned(m, range(N), **HALVES) for m in (layer.Q, layer.K))
    close(graph, "O_cap", reference(Q, K, layer.V, mask, scale=scale, cap=3.0), layer)


@pytest.mark.parametrize("mask", [causal(N), NEAR], ids=["whole", "window"])
def test_gpt_oss_has_a_learned_sink_a_head(mask: Array) -> None:
    layer, sinks = Layer(4, 2, biases=True), (0.5, -1.0, 2.0, 0.0)
    turn = HALVES | {"base": 150000.0}
    graph = sink(with_rotary(layer.biased(mask), **turn), sinks)
    Q, K = (turned(m, range(N), **turn) for m in (layer.Q, layer.K))
    close(graph, "O_sink", reference(Q, K, layer.V, mask, sinks=sinks), layer)


def test_softmax_off_by_one_has_a_sink_of_0_in_every_head() -> None:
    layer = Layer(4, 4)
    O = reference(layer.Q, layer.K, layer.V, CAUSAL, sinks=[0.0] * 4)
    close(sink(layer.graph()), "O_sink", O, layer)


def test_qwen_2_has_biases_for_queries_keys_and_values() -> None:
    layer = Layer(4, 2, biases=True)
    graph = with_rotary(layer.biased(), halves=True, base=1000000.0)
    Q, K = (turned(m, range(N), base=1000000.0, halves=True) for m in (layer.Q, layer.K))
    close(graph, "O", reference(Q, K, layer.V, CAUSAL), layer)


@pytest.mark.parametrize(("halves", "width"), [(True, 2), (True, 4), (False, 4), (False, 6)])
def test_neox_phi_and_gpt_j_turn_a_part(halves: bool, width: int) -> None:
    layer, turn = Layer(3, 3), {"halves": halves, "width": width}
    graph = with_rotary(layer.graph(), **turn)  # type: ignore[arg-type]
    Q, K = (turned(m, range(N), **turn) for m in (layer.Q, layer.K))  # type: ignore[arg-type]
    close(graph, "O", reference(Q, K, layer.V, CAUSAL), layer)


def test_falcon_shares_one_pair() -> None:
    layer = Layer(4, 1)
    close(layer.graph(), "O", reference(layer.Q, layer.K, layer.V, CAUSAL), layer)


def test_bloom_takes_distances_off() -> None:
    layer, apart_by = Layer(4, 4), abs(np.arange(N)[:, None] - np.arange(N))
    bias = -np.array(alibi_slopes(4))[:, None, None] * apart_by
    graph = with_alibi(layer.graph(), alibi_slopes(4))
    close(graph, "O", reference(layer.Q, layer.K, layer.V, CAUSAL + bias), layer)


def test_t5_adds_a_learned_bias_of_each_head_and_does_not_scale() -> None:
    layer, bias = Layer(4, 4), RNG.normal(size=(4, N, N))
    graph = with_masks(layer.graph(None, scale=1.0), bias)
    close(graph, "O", reference(layer.Q, layer.K, layer.V, bias, scale=1.0), layer)


def test_a_decoder_reads_an_encoder_with_widths_of_its_own() -> None:
    layer, rng = Layer(4, 2), np.random.default_rng(9)
    Y, W_K, W_V = (rng.normal(size=s) for s in ((3, 5), (5, 2 * D_K), (5, 2 * 3)))
    keep, W_O = np.array([True, True, False]), rng.normal(size=(4 * 3, D_MODEL))
    mask = padding(keep.tolist(), N)
    graph = multi_head_cross(layer.X, Y, layer.W[0], W_K, W_V, W_O, **layer.sizes, mask=mask)
    O = reference(layer.Q, apart(Y @ W_K, 2), apart(Y @ W_V, 2), blocked(keep))
    np.testing.assert_allclose(graph["O"].value, O, atol=1e-12)
    np.testing.assert_allclose(graph["U"].value, O @ W_O, atol=1e-11)
    check_programs(graph)


@pytest.mark.parametrize("cuts", [(2, 4), (1, 2, 3, 4, 5), (5,), ()])
@pytest.mark.parametrize("kind", ["plain", "llama", "gemma", "gpt-oss", "window", "bloom"])
def test_chunks_with_a_cache_are_the_rows_of_the_whole(kind: str, cuts: tuple[int, ...]) -> None:
    layer, keys = Layer(4, 2), {"gemma": "O_cap", "gpt-oss": "O_sink"}
    window = NEAR if kind in ("window", "gpt-oss") else CAUSAL

    def changed(graph: Graph, first: int) -> Graph:
        if kind in ("llama", "gemma", "window"):
            graph = with_rotary(graph, first=first, halves=True, base=500000.0)
        return graph

    def ended(graph: Graph, first: int) -> Graph:
        if kind == "bloom":
            return with_alibi(graph, alibi_slopes(4), first=first)
        if kind == "gemma":
            return softcap(graph, 2.0)
        return sink(graph, (1.0, 0.0, -1.0, 3.0)) if kind == "gpt-oss" else graph

    whole = ended(changed(layer.graph(window), 0), 0)
    cache: tuple[Array, ...] = ()
    for start, stop in zip((0, *cuts), (*cuts, N), strict=True):
        new = changed(layer.graph(None, slice(start, stop)), start)
        mask = window[start:stop, :stop] if window is NEAR else "causal-bottom-right"
        step = ended(with_cache(new, *cache, mask=mask), start)
        for key in (keys.get(kind, "O"), "U"):
            np.testing.assert_allclose(step[key].value, whole[key].value[start:stop], atol=1e-11)
        cache = step["K_all"].value, step["V_all"].value
