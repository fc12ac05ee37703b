"""Several heads: against PyTorch's own attention with heads, for values and gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from attention_core import (
    AttentionError,
    gradients,
    head_weights,
    multi_head,
    self_attention,
    split_heads,
)

RNG = np.random.default_rng(7)


def numbers(*shape: int) -> Any:
    return RNG.normal(size=shape)


def reference(
    X: Any, weights: tuple[Any, ...], heads: int, kv_heads: int, allowed: Any = None
) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
    """PyTorch, from packed weights, and the gradients of the sum of all outputs."""
    x, W_Q, W_K, W_V = (torch.tensor(m, requires_grad=True) for m in (X, *weights))
    q, k, v = (
        (x @ W).reshape(len(x), count, -1).transpose(0, 1)[None]
        for W, count in ((W_Q, heads), (W_K, kv_heads), (W_V, kv_heads))
    )
    mask = None if allowed is None else torch.tensor(allowed)
    out = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask, enable_gqa=True)
    O = out[0].transpose(0, 1).reshape(len(x), -1)
    names = ("dX", "dW_Q", "dW_K", "dW_V")
    return O.detach(), dict(
        zip(names, torch.autograd.grad(O.sum(), (x, W_Q, W_K, W_V)), strict=True)
    )


CASES = [(1, 1), (2, 2), (4, 4), (4, 2), (4, 1), (6, 3)]


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize(("heads", "kv_heads"), CASES)
@pytest.mark.parametrize(("n", "d_k", "d_v"), [(1, 1, 1), (5, 3, 2), (3, 2, 4)])
def test_values_and_gradients_are_those_of_pytorch(
    n: int, d_k: int, d_v: int, heads: int, kv_heads: int, causal: bool
) -> None:
    X = numbers(n, 6)
    weights = numbers(6, heads * d_k), numbers(6, kv_heads * d_k), numbers(6, kv_heads * d_v)
    mask = "causal" if causal else None
    graph = multi_head(X, *weights, heads=heads, kv_heads=kv_heads, mask=mask)
    allowed = np.tri(n, dtype=bool) if causal else None
    truth, slopes = reference(X, weights, heads, kv_heads, allowed)
    np.testing.assert_allclose(graph["O"].value, truth.numpy(), atol=1e-12)
    back = gradients(graph, "O")
    for key, gradient in slopes.items():
        np.testing.assert_allclose(back[key].value, gradient.numpy(), atol=1e-11)


def test_with_output_weights_it_is_the_module_of_pytorch() -> None:
    n, d_model, heads = 4, 6, 3
    X, (W_Q, W_K, W_V, W_O) = numbers(n, d_model), numbers(4, d_model, d_model)
    module = torch.nn.MultiheadAttention(d_model, heads, bias=False, dtype=torch.float64)
    with torch.no_grad():
        module.in_proj_weight.copy_(torch.tensor(np.hstack([W_Q, W_K, W_V]).T))
        module.out_proj.weight.copy_(torch.tensor(W_O.T))
    x = torch.tensor(X)
    out, weights = module(x, x, x, average_attn_weights=False)
    graph = multi_head(X, W_Q, W_K, W_V, W_O, heads=heads)
    np.testing.assert_allclose(graph["U"].value, out.detach().numpy(), atol=1e-12)
    for head in range(heads):
        A = graph[f"A_{head + 1}"].value
        np.testing.assert_allclose(A, weights[head].detach().numpy(), atol=1e-12)


def test_one_head_is_self_attention() -> None:
    X, W_Q, W_K, W_V = numbers(3, 4), numbers(4, 2), numbers(4, 2), numbers(4, 3)
    one = multi_head(X, W_Q, W_K, W_V, heads=1, mask="causal", scale=0.5)
    plain = self_attention(X, W_Q, W_K, W_V, "causal", 0.5)
    np.testing.assert_array_equal(one["O"].value, plain["O"].value)
    np.testing.assert_array_equal(one["S_masked_1"].value, plain["S_masked"].value)


def test_each_head_is_an_attention_of_its_own() -> None:
    X, W = numbers(3, 4), (numbers(4, 4), numbers(4, 4), numbers(4, 4))
    graph = multi_head(X, *W, heads=2)
    for head, columns in ((1, slice(0, 2)), (2, slice(2, 4))):
        alone = self_attention(X, *(w[:, columns] for w in W))
        np.testing.assert_allclose(graph[f"O_{head}"].value, alone["O"].value)


def test_a_row_without_keys_is_0_in_every_head() -> None:
    allowed = [[False, False], [True, True]]
    graph = multi_head(
        numbers(2, 4), numbers(4, 4), numbers(4, 4), numbers(4, 4), heads=2, mask=allowed
    )
    assert graph.undefined_rows == (0,)
    assert not graph["O"].value[0].any()
    assert graph["O"].undefined == {0}


@pytest.mark.parametrize(
    ("heads", "kv_heads", "says"),
    [
        (0, None, "heads is 0, wanted a whole number from 1 on"),
        (2.0, None, "heads is 2.0, wanted a whole number"),
        (3, None, "Q has 4 columns, and 3 heads cannot share them"),
        (8, None, "Q has 4 columns, and 8 heads cannot share them"),
        (4, 3, "4 heads cannot share 3 heads of keys"),
        (2, 4, "2 heads cannot share 4 heads of keys"),
        (2, 0, "kv_heads is 0"),
        (2, 1, "a query has 2 components and a key has 4. W_K needs 1·2 columns"),
    ],
)
def test_what_cannot_be_shared_out_is_refused(heads: Any, kv_heads: Any, says: str) -> None:
    X, W = numbers(3, 4), (numbers(4, 4), numbers(4, 4), numbers(4, 4))
    with pytest.raises(AttentionError, match=says):
        multi_head(X, *W, heads=heads, kv_heads=kv_heads)


def test_output_weights_of_another_shape_are_refused() -> None:
    X, W = numbers(3, 4), (numbers(4, 4), numbers(4, 4), numbers(4, 4))
    with pytest.raises(AttentionError, match="W_O: is 3×4, wanted 4×4"):
        multi_head(X, *W, numbers(3, 4), heads=2)


def test_columns_that_do_not_divide_go_to_the_first_heads() -> None:
    graph = self_attention(numbers(2, 3), numbers(3, 7), numbers(3, 7), numbers(3, 2))
    cut = head_weights(graph, 3)
    assert [cut[f"W_Q_{head}"].shape[1] for head in (1, 2, 3)] == [3, 2, 2]
    np.testing.assert_array_equal(
        np.hstack([cut[f"W_Q_{head}"].value for head in (1, 2, 3)]), graph["W_Q"].value
    )
    with pytest.raises(AttentionError, match="heads is 8, wanted a whole number from 1 to 7"):
        head_weights(graph, 8)


@pytest.mark.parametrize("kv_heads", [1, 2, 4])
@pytest.mark.parametrize("scale", [None, 0.3])
def test_one_wide_head_is_shared_out(kv_heads: int, scale: float | None) -> None:
    X, W = numbers(3, 5), (numbers(5, 8), numbers(5, 8), numbers(5, 4))
    wide = self_attention(X, *W, "causal", scale)
    split = split_heads(wide, 4, kv_heads)
    narrow = W[0], W[1][:, : 2 * kv_heads], W[2][:, :kv_heads]
    alone = multi_head(X, *narrow, heads=4, kv_heads=kv_heads, mask="causal", scale=scale)
    np.testing.assert_allclose(split["O_heads"].value, alone["O"].value)
    np.testing.assert_array_equal(split["O"].value, wide["O"].value)


def test_the_scores_of_the_heads_add_up_to_those_of_one_wide_head() -> None:
    wide = self_attention(numbers(3, 5), numbers(5, 6), numbers(5, 6), numbers(5, 3))
    split = split_heads(wide, 3)
    together = sum(split[f"S_{head}"].value for head in (1, 2, 3))
    np.testing.assert_allclose(together, wide["S"].value)
