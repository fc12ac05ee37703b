"""Biases of the projections, against PyTorch's own module."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given as drawn
from hypothesis import strategies as st

from attention_core import (
    AttentionError,
    as_columns,
    attention,
    gradients,
    multi_head,
    multi_head_cross,
    sink,
    softcap,
    split_heads,
    with_biases,
    with_cache,
    with_masks,
    with_rotary,
)
from attention_core.symbols import symbol
from tests.core.test_derivations import check_cell
from tests.core.test_emit import check_programs
from tests.core.test_sdpa import expect_same

pytestmark = pytest.mark.filterwarnings("error")


@drawn(
    st.integers(1, 5), st.integers(1, 5), st.integers(1, 3), st.integers(1, 3), st.integers(0, 99)
)
def test_it_is_the_module_of_pytorch_with_biases(
    n_q: int, n_k: int, heads: int, d_k: int, seed: int
) -> None:
    rng, d = np.random.default_rng(seed), heads * d_k
    X, Y = (rng.normal(size=(n, d)) for n in (n_q, n_k))
    weights: list[Any] = list(rng.normal(size=(4, d, d)))
    b = rng.normal(size=(4, d))
    module = torch.nn.MultiheadAttention(d, heads, dtype=torch.float64)
    with torch.no_grad():
        module.in_proj_weight.copy_(torch.tensor(np.hstack(weights[:3]).T))
        module.in_proj_bias.copy_(torch.tensor(b[:3].ravel()))
        module.out_proj.weight.copy_(torch.tensor(weights[3].T))
        module.out_proj.bias.copy_(torch.tensor(b[3]))
    x, y = (torch.tensor(a, requires_grad=True) for a in (X, Y))
    wanted, _ = module(x, y, y)
    given: list[Any] = [X, Y, *weights]
    graph = with_biases(multi_head_cross(*given, heads=heads), *b.tolist())
    np.testing.assert_allclose(graph["U"].value, wanted.detach().numpy(), atol=1e-11)
    upstream = rng.normal(size=wanted.shape)
    back = gradients(graph, "U", upstream)
    inner, outer = module.in_proj_bias, module.out_proj.bias
    slopes = torch.autograd.grad((wanted * torch.tensor(upstream)).sum(), (x, y, inner, outer))
    found = (
        back["dX"].value,
        back["dY"].value,
        np.hstack([back[f"db_{key}"].value for key in "QKV"])[0],
        back["db_O"].value[0],
    )
    for got, slope in zip(found, slopes, strict=True):
        np.testing.assert_allclose(got, slope.numpy(), atol=1e-10)


RNG = np.random.default_rng(2)
GIVEN: list[Any] = [RNG.normal(size=shape) for shape in ((3, 3), (3, 8), (3, 4), (3, 4), (8, 3))]
b_Q, b_K, b_V, b_O = (RNG.normal(size=d).tolist() for d in (8, 4, 4, 3))
HEADS = multi_head(*GIVEN, heads=4, kv_heads=2, mask="causal")
NO_W_O = multi_head(*GIVEN[:4], heads=4, kv_heads=2)


def test_the_order_of_the_calls_does_not_matter() -> None:
    biased = with_biases(HEADS, b_Q, b_K, b_V, b_O)
    for change in (
        with_rotary,
        lambda graph: softcap(graph, 2.0),
        lambda graph: sink(graph, (1.0, 2.0, 0.0, -1.0)),
        lambda graph: with_masks(graph, (None, "causal", None, "causal")),
    ):
        later = with_biases(change(HEADS), b_Q, b_K, b_V, b_O)
        np.testing.assert_array_equal(change(biased)["U"].value, later["U"].value)
        assert not np.allclose(later["U"].value, change(HEADS)["U"].value)


def test_a_feature_that_is_1_gives_the_same_biases() -> None:
    more: list[Any] = [np.hstack([GIVEN[0], np.ones((3, 1))])]
    more += [np.vstack(pair) for pair in zip(GIVEN[1:4], (b_Q, b_K, b_V), strict=True)]
    one = multi_head(*more, heads=4, kv_heads=2, mask="causal")
    biased = with_biases(HEADS, b_Q, b_K, b_V)
    np.testing.assert_allclose(biased["O"].value, one["O"].value, atol=1e-12)


def test_new_rows_with_a_cache_have_biases_too() -> None:
    whole = with_biases(HEADS, b_Q, b_K, b_V, b_O)
    new = multi_head(GIVEN[0][1:], *GIVEN[1:], heads=4, kv_heads=2)
    step = with_cache(
        with_biases(new, b_Q, b_K, b_V, b_O), whole["K"].value[:1], whole["V"].value[:1]
    )
    np.testing.assert_allclose(step["U"].value, whole["U"].value[1:], atol=1e-12)


def test_programs_and_cells() -> None:
    graph = with_biases(HEADS, b_Q=b_Q, b_O=b_O)
    assert "B_K" not in graph
    check_programs(gradients(graph, "U"))
    check_programs(as_columns(graph))
    expect_same(graph)
    for matrix in graph.steps:
        assert symbol(matrix.key).title != matrix.key
        for row, col in np.ndindex(matrix.shape):
            check_cell(graph.explain(matrix.key, row, col))
    assert symbol("b_Q").title == "bias of the queries"
    assert symbol("U_lin").title == "without the bias"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda: with_biases(attention([[1]], [[1]], [[1]]), [1]), "not several heads"),
        (lambda: with_biases(split_heads(attention([[1]], [[1]], [[1]]), 1), [1]), "not several"),
        (
            lambda: with_biases(multi_head(*GIVEN[:4], heads=4, kv_heads=2), b_O=b_O),
            "there is no U",
        ),
        (lambda: with_biases(HEADS, b_K), "b_Q has 4 numbers, wanted 8: one for each column of Q"),
        (
            lambda: with_biases(HEADS, [float("nan")] * 8),
            "b_Q: the entry in row 1, column 1 is nan",
        ),
        (lambda: with_biases(HEADS, 1.0), "b_Q: got 1 dimension"),  # type: ignore[arg-type]
        (lambda: with_biases(gradients(HEADS, "U"), b_Q), "Call with_biases before gradients"),
        (lambda: with_biases(as_columns(HEADS), b_Q), "with_biases: tokens stand as columns"),
        (lambda: with_biases(with_biases(HEADS, b_Q), b_Q), "two matrices are called"),
    ],
)
def test_what_cannot_be_is_refused(change: Any, says: str) -> None:
    with pytest.raises(AttentionError, match=says):
        change()
