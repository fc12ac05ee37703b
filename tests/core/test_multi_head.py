"""Several heads from given queries, keys and values, and across two sequences, against PyTorch."""

from __future__ import annotations

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
    cross_attention,
    gradients,
    multi_head,
    multi_head_attention,
    multi_head_cross,
    numpy_function,
)
from attention_core.symbols import symbol
from tests.core.test_derivations import check_cell
from tests.core.test_emit import check_programs, run
from tests.core.test_sdpa import expect_same

pytestmark = pytest.mark.filterwarnings("error")
COUNTS = [(1, 1), (2, 1), (2, 2), (4, 1), (4, 2), (6, 3)]
sizes = st.integers(1, 5)
few = st.integers(1, 3)
MASKS = st.sampled_from(["none", "causal", "causal-bottom-right", "boolean", "added", "nothing"])
SCALES = st.sampled_from([None, 0.3, -1.0, 0.0])


def mask_of(kind: str, n_q: int, n_k: int, seed: int) -> tuple[Any, Any]:
    """A mask as it is given, and what it allows or adds, for PyTorch."""
    rng = np.random.default_rng(seed)
    if kind == "none":
        return None, np.ones((n_q, n_k), dtype=bool)
    if kind.startswith("causal"):
        return kind, np.tri(n_q, n_k, n_k - n_q if kind != "causal" else 0, dtype=bool)
    if kind == "added":
        added = rng.normal(size=(n_q, n_k))
        return added, added
    allowed = rng.random((n_q, n_k)) < (0.0 if kind == "nothing" else 0.7)
    return allowed, allowed


def by_torch(
    wide: list[torch.Tensor], counts: tuple[int, int], mask: Any, scale: float | None
) -> torch.Tensor:
    """Grouped heads of packed queries, keys and values, (n_q, heads·d_v)."""
    heads, kv_heads = counts
    q, k, v = (
        m.reshape(len(m), count, -1).transpose(0, 1)[None]
        for m, count in zip(wide, (heads, kv_heads, kv_heads), strict=True)
    )
    O = torch.nn.functional.scaled_dot_product_attention(
        q, k, v, attn_mask=torch.tensor(mask), scale=scale, enable_gqa=True
    )
    return torch.nan_to_num(O[0]).transpose(0, 1).flatten(1)


def same(graph: Graph, leaves: dict[str, torch.Tensor], U: torch.Tensor) -> None:
    """Update and gradients, for a loss with weights of its own."""
    upstream = np.random.default_rng(1).normal(size=U.shape)
    np.testing.assert_allclose(graph["U"].value, U.detach().numpy(), atol=1e-11)
    back = gradients(graph, "U", upstream)
    slopes = torch.autograd.grad((U * torch.tensor(upstream)).sum(), list(leaves.values()))
    for key, slope in zip(leaves, slopes, strict=True):
        wanted = np.nan_to_num(slope.numpy())  # PyTorch's gradient of a row without keys is NaN
        np.testing.assert_allclose(back[f"d{key}"].value, wanted, atol=1e-10)


@drawn(sizes, sizes, st.sampled_from(COUNTS), few, few, MASKS, SCALES, st.integers(0, 99))
def test_given_queries_keys_and_values(
    n_q: int,
    n_k: int,
    counts: tuple[int, int],
    d_k: int,
    d_v: int,
    kind: str,
    scale: float | None,
    seed: int,
) -> None:
    heads, kv_heads = counts
    rng, (mask, wanted) = np.random.default_rng(seed), mask_of(kind, n_q, n_k, seed)
    shapes = (n_q, heads * d_k), (n_k, kv_heads * d_k), (n_k, kv_heads * d_v), (heads * d_v, 3)
    Q, K, V, W_O = (rng.normal(size=shape) for shape in shapes)
    graph = multi_head_attention(
        Q, K, V, W_O, heads=heads, kv_heads=kv_heads, mask=mask, scale=scale
    )
    leaves = {
        key: torch.tensor(a, requires_grad=True)
        for key, a in zip(("Q", "K", "V", "W_O"), (Q, K, V, W_O), strict=True)
    }
    *wide, W = leaves.values()
    same(graph, leaves, by_torch(wide, counts, wanted, scale) @ W)


@drawn(sizes, sizes, st.sampled_from(COUNTS), few, few, MASKS, SCALES, st.integers(0, 99))
def test_two_sequences(
    n_q: int,
    n_k: int,
    counts: tuple[int, int],
    d_k: int,
    d_v: int,
    kind: str,
    scale: float | None,
    seed: int,
) -> None:
    heads, kv_heads = counts
    rng, (mask, wanted) = np.random.default_rng(seed), mask_of(kind, n_q, n_k, seed)
    keys = ("X", "Y", "W_Q", "W_K", "W_V", "W_O")
    shapes = (
        (n_q, 4),
        (n_k, 3),
        (4, heads * d_k),
        (3, kv_heads * d_k),
        (3, kv_heads * d_v),
        (heads * d_v, 4),
    )
    arrays: list[Any] = [rng.normal(size=shape) for shape in shapes]
    graph = multi_head_cross(*arrays, heads=heads, kv_heads=kv_heads, mask=mask, scale=scale)
    leaves = {k: torch.tensor(a, requires_grad=True) for k, a in zip(keys, arrays, strict=True)}
    X, Y, W_Q, W_K, W_V, W_O = leaves.values()
    same(graph, leaves, by_torch([X @ W_Q, Y @ W_K, Y @ W_V], counts, wanted, scale) @ W_O)


def numbers(*shapes: tuple[int, int]) -> list[Any]:
    rng = np.random.default_rng(6)
    return [rng.normal(size=shape) for shape in shapes]


def test_one_head_is_attention_and_cross_attention() -> None:
    Q, K, V = numbers((2, 3), (4, 3), (4, 2))
    one, plain = (
        multi_head_attention(Q, K, V, heads=1, mask="causal", scale=0.7),
        attention(Q, K, V, "causal", 0.7),
    )
    np.testing.assert_array_equal(one["O"].value, plain["O"].value)
    X, Y, W_Q, W_K, W_V = arrays = numbers((2, 4), (3, 5), (4, 2), (5, 2), (5, 3))
    across = cross_attention(X, Y, W_Q, W_K, W_V)
    np.testing.assert_array_equal(multi_head_cross(*arrays, heads=1)["O"].value, across["O"].value)


def test_projected_outside_it_is_the_same() -> None:
    X, W_Q, W_K, W_V, W_O = numbers((3, 4), (4, 8), (4, 4), (4, 2), (4, 4))
    inside = multi_head(X, W_Q, W_K, W_V, W_O, heads=4, kv_heads=2, mask="causal")
    wide = X @ W_Q, X @ W_K, X @ W_V
    outside = multi_head_attention(*wide, W_O, heads=4, kv_heads=2, mask="causal")
    np.testing.assert_array_equal(outside["U"].value, inside["U"].value)


GIVEN = numbers((3, 4), (4, 2), (4, 3))
W_O = numbers((6, 3))
TWO = multi_head_attention(
    *GIVEN, *W_O, heads=2, kv_heads=1, mask="causal-bottom-right", tokens=("a", "b", "a")
)
CROSS = multi_head_cross(
    *numbers((3, 4), (4, 5), (4, 4), (5, 2), (5, 2), (4, 4)), heads=2, kv_heads=1
)


@pytest.mark.parametrize("graph", [TWO, CROSS], ids=["given", "cross"])
def test_programs_columns_and_cells(graph: Graph) -> None:
    check_programs(graph)
    assert expect_same(graph).count("F.scaled_dot_product_attention(") == 2
    np.testing.assert_allclose(run(numpy_function(graph))["result"], graph["U"].value)
    columns = as_columns(gradients(graph, "U"))
    check_programs(columns)
    back = as_rows(columns)
    for matrix in graph.steps:
        np.testing.assert_array_equal(back[matrix.key].value, matrix.value)
        assert symbol(matrix.key).title != matrix.key
        for row, col in np.ndindex(matrix.shape):
            check_cell(graph.explain(matrix.key, row, col))


def test_labels_and_sizes_are_those_of_the_heads() -> None:
    assert TWO["A_1"].rows.labels == ("a", "b", "a")
    assert TWO["A_1"].cols.labels == ("1", "2", "3", "4")
    named = [TWO[key].cols.name for key in ("Q", "K", "V", "O", "Q_1", "K_1", "V_1")]
    assert named == ["h·d_k", "h_kv·d_k", "h_kv·d_v", "h·d_v", "d_k", "d_k", "d_v"]
    assert CROSS["W_K"].rows == CROSS["W_V"].rows == CROSS["Y"].cols != CROSS["W_Q"].rows
    same_sequence = multi_head_attention(
        GIVEN[0], GIVEN[0], GIVEN[0], heads=2, tokens=("x", "y", "z")
    )
    assert same_sequence["A_2"].cols.labels == ("x", "y", "z")


@pytest.mark.parametrize(
    ("shapes", "counts", "says"),
    [
        (((3, 4), (4, 4), (5, 4)), (2, 2), "K has 4 rows and V has 5"),
        (((3, 4), (4, 2), (4, 4)), (2, 2), r"key has 1\. K needs 2·2 columns: 2 heads of keys"),
        (((3, 5), (4, 4), (4, 4)), (2, 2), "Q has 5 columns, and 2 heads cannot share"),
        (((3, 4), (4, 2), (4, 3)), (4, 2), "V has 3 columns, and 2 heads cannot share"),
        (((3, 4), (4, 4), (4, 4)), (4, 3), "4 heads cannot share 3 heads"),
        (((3, 4), (4, 4), (4, 4)), (0, 1), "heads is 0"),
    ],
)
def test_what_does_not_fit_is_refused(
    shapes: tuple[tuple[int, int], ...], counts: tuple[int, int], says: str
) -> None:
    with pytest.raises(AttentionError, match=says):
        multi_head_attention(*numbers(*shapes), heads=counts[0], kv_heads=counts[1])


def test_other_misfits_are_refused_by_name() -> None:
    sizes: dict[str, Any] = {"heads": 2, "kv_heads": 1}
    with pytest.raises(AttentionError, match="O is 3×6 and W_O is 5×2"):
        multi_head_attention(*GIVEN, *numbers((5, 2)), **sizes)
    with pytest.raises(AttentionError, match="mask: is 3×3, wanted 3×4"):
        multi_head_attention(*GIVEN, mask=np.ones((3, 3), dtype=bool), **sizes)
    with pytest.raises(AttentionError, match="key_tokens: got 1 tokens for 4 rows"):
        multi_head_attention(*GIVEN, key_tokens=("a",), **sizes)
    with pytest.raises(AttentionError, match="Y is 2×3 and W_K is 4×2"):
        multi_head_cross(*numbers((2, 4), (2, 3), (4, 2), (4, 2), (4, 2)), heads=1)
