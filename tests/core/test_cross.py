"""Cross-attention: against PyTorch over generated shapes and values, and the other sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given as drawn
from hypothesis import strategies as st

from attention_core import (
    EXAMPLES,
    OPTIONS,
    VARIANTS,
    AttentionError,
    Inputs,
    across,
    cross_attention,
    gradients,
    padding,
    self_attention,
    source_embeddings,
    source_tokens,
    toy_inputs,
)
from attention_core.matrix import given

CROSS = VARIANTS["cross"]
sizes = st.integers(1, 5)


def reference(arrays: tuple[Any, ...], scale: float | None, keep: Any) -> tuple[Any, list[Any]]:
    """PyTorch's outputs, and the gradients of their sum."""
    X, Y, W_Q, W_K, W_V = parts = [torch.tensor(a, requires_grad=True) for a in arrays]
    mask = torch.tensor(keep)[None, :].expand(len(X), -1)
    O = torch.nn.functional.scaled_dot_product_attention(
        X @ W_Q, Y @ W_K, Y @ W_V, attn_mask=mask, scale=scale
    )
    return O.detach().numpy(), list(torch.autograd.grad(O.sum(), parts))


@drawn(sizes, sizes, sizes, sizes, sizes, st.integers(0, 99), st.sampled_from((None, 0.3, -1, 0)))
def test_values_and_gradients_are_those_of_pytorch(
    n: int, n_k: int, d_model: int, d_k: int, d_v: int, seed: int, scale: float | None
) -> None:
    rng = np.random.default_rng(seed)
    shapes = (n, d_model), (n_k, d_model), (d_model, d_k), (d_model, d_k), (d_model, d_v)
    X, Y, W_Q, W_K, W_V = arrays = tuple(rng.normal(size=shape) for shape in shapes)
    keep = [True, *(rng.random(n_k - 1) < 0.7).tolist()]
    plain = self_attention(X, W_Q, W_K, W_V, "causal", scale)
    mask = padding(keep, n)
    graph = across(plain, given("Y", Y), plain["W_K"], plain["W_V"], mask)
    truth, slopes = reference(arrays, scale, keep)
    np.testing.assert_allclose(graph["O"].value, truth, atol=1e-12)
    assert graph["A"].shape == (n, n_k)
    back = gradients(graph, "O")
    for key, slope in zip(("X", "Y", "W_Q", "W_K", "W_V"), slopes, strict=True):
        found = back[f"d{key}"].value if f"d{key}" in back else 0.0
        np.testing.assert_allclose(found, slope.numpy(), atol=1e-10)
    direct = cross_attention(X, Y, W_Q, W_K, W_V, mask, scale)
    for key in ("Q", "K", "V", "S", "S_scaled", "M", "S_masked", "A", "O"):
        np.testing.assert_array_equal(graph[key].value, direct[key].value)


def test_what_does_not_fit_is_refused() -> None:
    plain = EXAMPLES["love"].graph()
    with pytest.raises(AttentionError, match="Y is 2×3 and W_K is 4×3"):
        across(plain, given("Y", [[1, 2, 3], [4, 5, 6]]), plain["W_K"], plain["W_V"])


def built(inputs: Inputs, **options: Any) -> Any:
    return CROSS.graph(inputs.graph("causal"), inputs, options)


@pytest.mark.parametrize("key", EXAMPLES)
@pytest.mark.parametrize("text", ["a", "Die Katze setzte sich hin", "x " * 20])
def test_every_example_reads_another_sentence(key: str, text: str) -> None:
    inputs = EXAMPLES[key].inputs
    graph = built(inputs, source=text)
    words = text.split()[:12]
    assert graph["A"].rows.labels == inputs.tokens
    assert graph["A"].cols.labels == graph["V"].rows.labels == tuple(words)
    assert graph["O"].shape == (len(inputs.tokens), inputs.sizes["d_v"])
    assert not graph["M"].blocked, "the mask of the one sentence is not that of two"
    np.testing.assert_allclose(graph["A"].value.sum(axis=1), 1.0)
    given_ = {m.key for m in graph.steps if m.op is None} - {"M"}
    asks = {"X", "W_Q"} if "X" in inputs.given else {"Q"}
    assert given_ == asks | {"Y", "W_K", "W_V"}


def test_equal_words_have_equal_rows_whatever_sentence_they_stand_in() -> None:
    inputs = toy_inputs(("a", "b"), seed=7, d_model=5, d_k=2, d_v=3)
    Y = source_embeddings(inputs, ("b", "c", "a"))
    np.testing.assert_array_equal(Y[[2, 0]], inputs.given["X"])
    graph = built(inputs, source="a b")
    plain = inputs.graph()
    np.testing.assert_array_equal(graph["O"].value, plain["O"].value)


def test_padding_blocks_the_last_token_of_the_source() -> None:
    graph = built(EXAMPLES["cat"].inputs, source="Die Katze PAD", pad=True)
    assert np.isneginf(graph["M"].value).tolist() == [[False, False, True]] * 4
    assert not graph["A"].value[:, 2].any()
    alone = built(EXAMPLES["cat"].inputs, source="PAD", pad=True)
    assert alone.undefined_rows == (0, 1, 2, 3)


def test_a_source_without_a_word_is_replaced_and_said() -> None:
    usual = source_tokens(str(OPTIONS["source"].default))
    nothing = source_tokens("\u200b \u202e")
    assert nothing.tokens == usual.tokens
    assert "no word in the source sentence" in nothing.notices[0]
    assert usual.notices == ()
    assert "the first 12" in source_tokens("x " * 13).notices[0]
    assert source_tokens("我爱你").tokens == ("我", "爱", "你")
