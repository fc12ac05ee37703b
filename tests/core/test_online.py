"""The online softmax against PyTorch's attention in one go, for values and gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given as generated
from hypothesis import settings
from hypothesis import strategies as st

from attention_core import (
    EXAMPLES,
    VARIANTS,
    AttentionError,
    Graph,
    attention,
    blocks_of,
    gradients,
    loop_code,
    numpy_code,
    online_gap,
    online_softmax,
    torch_code,
)
from attention_core.matrix import Array

pytestmark = pytest.mark.filterwarnings("error")
INF = float("inf")


def reference(q: torch.Tensor, K: torch.Tensor, V: torch.Tensor, mask: Array, scale: float) -> Any:
    """One row of attention in one go, over the open keys only."""
    keep = torch.isfinite(torch.tensor(mask))
    if not keep.any():
        return torch.zeros(1, V.shape[1], dtype=torch.float64)
    scores = q @ K[keep].T * scale + torch.tensor(mask)[keep]
    return torch.softmax(scores, dim=1) @ V[keep]


@st.composite
def cases(draw: st.DrawFn, size: float = 3.0) -> tuple[Graph, int, int, float]:
    """Any shapes, masks with −∞ in any places (also everywhere) and with numbers, any block."""
    n_q, n, d_k, d_v = (draw(st.integers(1, most)) for most in (3, 12, 5, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    Q, K, V = (rng.normal(size=shape) * size for shape in ((n_q, d_k), (n, d_k), (n, d_v)))
    openness = draw(st.sampled_from([0.0, 0.2, 0.6, 1.0]))
    mask = np.where(rng.random((n_q, n)) < openness, draw(st.sampled_from([0.0, 1.5])), -INF)
    scale = draw(st.none() | st.sampled_from([0.0, -0.75, 2.0]))
    query, block = draw(st.integers(0, n_q - 1)), draw(st.integers(1, 13))
    graph = attention(Q, K, V, mask, scale)
    return graph, query, block, d_k**-0.5 if scale is None else scale


@settings(max_examples=40)
@generated(case=cases())
def test_the_row_is_that_of_the_whole_table(case: tuple[Graph, int, int, float]) -> None:
    plain, query, block, scale = case
    graph = online_softmax(plain, query, block)
    q, K, V = (torch.tensor(plain[key].value) for key in "QKV")
    mask = plain["M"].value[query]
    truth = reference(q[query : query + 1], K, V, mask, scale)
    np.testing.assert_allclose(graph["O_online"].value, truth.numpy(), rtol=1e-12, atol=1e-13)
    np.testing.assert_array_equal(graph["O_row"].value[0], plain["O"].value[query])
    assert online_gap(graph) <= 1e-13 * max(1.0, abs(plain["V"].value).max())
    shut = not np.isfinite(mask).any()
    for key in ("O_online", "O_row"):
        assert graph[key].undefined == ({0} if shut else frozenset())
        assert graph.explain(key, 0, 0).undefined == shut
    for matrix in graph.steps:
        assert not np.isnan(matrix.value).any()


@settings(max_examples=40)
@generated(case=cases())
def test_what_blocks_hand_on_is_what_was_seen_so_far(case: tuple[Graph, int, int, float]) -> None:
    plain, query, block, _ = case
    graph = online_softmax(plain, query, block)
    scores, V = plain["S_masked"].value[query], plain["V"].value
    count = blocks_of(len(scores), block)
    assert f"m_run_{count}" in graph
    assert f"m_run_{count + 1}" not in graph
    for number in range(count + 1):
        seen = scores[: number * block]
        top = max(seen, default=-INF)
        powers = np.exp(seen - top) if top > -INF else np.zeros(len(seen))
        assert graph[f"m_run_{number}"].value.item() == pytest.approx(top, rel=1e-12, abs=1e-12)
        assert graph[f"Z_run_{number}"].value.item() == pytest.approx(powers.sum(), rel=1e-12)
        o = powers @ V[: len(seen)] if len(seen) else np.zeros(V.shape[1])
        np.testing.assert_allclose(graph[f"o_run_{number}"].value[0], o, rtol=1e-11, atol=1e-11)


@settings(max_examples=30)
@generated(case=cases(size=1.0), seed=st.integers(0, 99))
def test_gradients_are_those_of_pytorch(case: tuple[Graph, int, int, float], seed: int) -> None:
    plain, query, block, scale = case
    graph = online_softmax(plain, query, block)
    q, K, V = leaves = [torch.tensor(plain[key].value, requires_grad=True) for key in "QKV"]
    mask = plain["M"].value[query]
    out = reference(q[query : query + 1], K, V, mask, scale) + sum(x.sum() for x in leaves) * 0.0
    upstream = np.random.default_rng(seed).normal(size=out.shape)
    wanted = torch.autograd.grad(out, leaves, torch.tensor(upstream))
    full = gradients(graph, "O_online", upstream)
    for key, truth in zip("QKV", wanted, strict=True):
        np.testing.assert_allclose(full[f"d{key}"].value, truth.numpy(), rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("block", [1, 2, 5])
@pytest.mark.parametrize("mask", ["none", "causal", "first blocked", "all blocked"])
def test_the_programs_run_unrolled_and_as_a_loop(mask: str, block: int) -> None:
    rng = np.random.default_rng(3)
    masks = {
        "none": None,
        "causal": "causal",
        "first blocked": np.array([[False] * 3 + [True] * 2] * 5),
        "all blocked": np.zeros((5, 5), dtype=bool),
    }
    Q, K, V = (rng.normal(size=(5, width)) for width in (3, 3, 2))
    graph = online_softmax(attention(Q, K, V, masks[mask]), 2, block)
    for code in (numpy_code(graph), torch_code(graph)):
        names: dict[str, Any] = {}
        exec(code, names)
        for matrix in graph.steps:
            got = np.asarray(names[matrix.key])
            np.testing.assert_allclose(got, matrix.value, rtol=1e-12, atol=1e-13)
    loop: dict[str, Any] = {}
    exec(loop_code(graph), loop)
    np.testing.assert_allclose(loop["result"], graph["O_online"].value, rtol=1e-12, atol=1e-13)


def test_a_graph_without_blocks_has_no_loop() -> None:
    with pytest.raises(AttentionError, match="this graph has no blocks"):
        loop_code(EXAMPLES["love"].graph())


def test_scores_far_apart_stay_exact() -> None:
    """The first block is nothing beside the second: it is corrected away, and nothing overflows."""
    graph = online_softmax(attention([[1]], [[-1e4], [1e4], [-1e4]], [[1], [2], [3]]), 0, 1)
    assert [graph[f"c_run_{b}"].value.item() for b in (1, 2, 3)] == [0.0, 0.0, 1.0]
    assert graph["O_online"].value.tolist() == [[2.0]]


def test_a_token_that_comes_twice_keeps_its_place() -> None:
    Q, K, V = (EXAMPLES["cat"].graph()[key].value for key in "QKV")
    plain = attention(Q, K, V, tokens=("no", "way", "no", "no"))
    graph = online_softmax(plain, query=2, block=2)
    assert graph.explain("S_2", 0, 1).title == "How «no (3)» scores «no (4)»"
    assert graph["V_2"].rows.labels == ("no (3)", "no (4)")
    assert graph["V_1"].rows.labels == ("no (1)", "way")
    in_one = online_softmax(plain, query=0, block=4)
    assert in_one["q"].rows.labels == ("no (1)",)
    assert in_one["V_1"].rows.labels == ("no", "way", "no", "no")


@pytest.mark.parametrize(
    ("query", "block", "says"),
    [
        (3, 2, "query is 3, .*there are 3, counted from 0"),
        (-1, 2, "query is -1"),
        (0, 0, "block is 0, wanted"),
        (0, 1.5, "block is 1.5, wanted a whole number"),
    ],
)
def test_what_is_not_there_is_refused(query: int, block: Any, says: str) -> None:
    with pytest.raises(AttentionError, match=says):
        online_softmax(EXAMPLES["love"].graph(), query, block)


def test_the_options_fit_the_sentence() -> None:
    inputs, online = EXAMPLES["love"].inputs, VARIANTS["online"]
    assert online.chosen(inputs, {}) == {"query": 2, "block": 2, "shown": 2}
    assert online.chosen(inputs, {"block": 1, "shown": 9})["shown"] == 3
    assert online.chosen(inputs, {"block": 12, "query": 1}) == {"query": 1, "block": 12, "shown": 1}
