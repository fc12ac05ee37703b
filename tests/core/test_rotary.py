"""Rotary positions with a base, a width and places of one's own, against PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given as drawn
from hypothesis import strategies as st

from attention_core import (
    EXAMPLES,
    AttentionError,
    gradients,
    moved_on,
    multi_head_attention,
    with_rotary,
)
from tests.core.test_derivations import check_cell
from tests.core.test_emit import check_programs
from tests.core.test_multi_head import COUNTS
from tests.core.test_sdpa import expect_same

pytestmark = pytest.mark.filterwarnings("error")


def by_torch(x: torch.Tensor, places: list[int], base: float, width: int, halves: bool) -> Any:
    """The first ``width`` components of (heads, n, d) turned, as models apply it."""
    pairs, rest = width // 2, x[..., width // 2 * 2 :]
    speeds = base ** (-torch.arange(pairs, dtype=torch.float64) / pairs)
    angles = torch.outer(torch.tensor(places, dtype=torch.float64), speeds)
    apart = (2, pairs) if halves else (pairs, 2)
    part = x[..., : 2 * pairs].reshape(*x.shape[:-1], *apart)
    one, other = part.unbind(-2 if halves else -1)
    turned = (
        one * angles.cos() - other * angles.sin(),
        one * angles.sin() + other * angles.cos(),
    )
    together = torch.stack(turned, dim=-2 if halves else -1).flatten(-2)
    return torch.cat([together, rest], dim=-1)


@drawn(
    st.lists(st.integers(-50, 3000), min_size=1, max_size=5),
    st.sampled_from(COUNTS),
    st.integers(2, 7),
    st.integers(2, 7),
    st.sampled_from([10000.0, 500000.0, 1e6, 2.5, 1.0, 0.5]),
    st.booleans(),
    st.integers(0, 99),
)
def test_values_and_gradients_are_those_of_pytorch(
    places: list[int],
    counts: tuple[int, int],
    d_k: int,
    width: int,
    base: float,
    halves: bool,
    seed: int,
) -> None:
    (heads, kv_heads), n, width = counts, len(places), min(width, d_k)
    rng = np.random.default_rng(seed)
    widths = heads * d_k, kv_heads * d_k, kv_heads * 2
    arrays: list[Any] = [rng.normal(size=(n, wide)) for wide in widths]
    graph = multi_head_attention(*arrays, heads=heads, kv_heads=kv_heads)
    graph = with_rotary(graph, halves=halves, places=places, base=base, width=width)
    leaves = [torch.tensor(a, requires_grad=True) for a in arrays]
    q, k, v = (
        m.reshape(n, count, -1).transpose(0, 1)
        for m, count in zip(leaves, (heads, kv_heads, kv_heads), strict=True)
    )
    q, k = (by_torch(m, places, base, width, halves) for m in (q, k))
    O = torch.nn.functional.scaled_dot_product_attention(q[None], k[None], v[None], enable_gqa=True)
    truth = O[0].transpose(0, 1).flatten(1)
    np.testing.assert_allclose(graph["O"].value, truth.detach().numpy(), atol=1e-9)
    assert graph["Phi"].shape == (n, width // 2)
    upstream = rng.normal(size=truth.shape)
    back = gradients(graph, "O", upstream)
    slopes = torch.autograd.grad((truth * torch.tensor(upstream)).sum(), leaves)
    for key, slope in zip("QKV", slopes, strict=True):
        np.testing.assert_allclose(back[f"d{key}"].value, slope.numpy(), atol=1e-8)


ONE = EXAMPLES["cat"].graph()
PLACES = [4, 0, 0, 9]


def test_defaults_are_the_paper_s_and_counted_places() -> None:
    plain = with_rotary(ONE, first=4)
    same = with_rotary(ONE, places=range(4, 8), base=10000, width=ONE["Q"].shape[1])
    for matrix in plain.steps:
        np.testing.assert_array_equal(same[matrix.key].value, matrix.value)
    for places in (np.arange(4, 8), torch.arange(4, 8), [4, 5, 6, 7]):
        given = with_rotary(ONE, places=places)  # type: ignore[arg-type]
        np.testing.assert_array_equal(given["O"].value, plain["O"].value)


@pytest.mark.parametrize("halves", [False, True])
def test_what_is_not_turned_stays_and_says_so(halves: bool) -> None:
    graph = with_rotary(ONE, halves=halves, places=PLACES, width=3)  # of three, two are a pair
    np.testing.assert_array_equal(graph["Q_rot"].value[:, 2:], ONE["Q"].value[:, 2:])
    assert not np.array_equal(graph["Q_rot"].value[0, :2], ONE["Q"].value[0, :2])
    np.testing.assert_array_equal(graph["Q_rot"].value[1], ONE["Q"].value[1])  # place 0
    assert "stays as it is" in (graph.explain("Q_rot", 0, 3).words or "")
    for matrix in graph.steps:
        for row, col in np.ndindex(matrix.shape):
            check_cell(graph.explain(matrix.key, row, col))
    check_programs(gradients(graph))
    expect_same(graph)


def test_moving_on_takes_places_of_ones_own_along() -> None:
    moved = moved_on(with_rotary(ONE, places=PLACES, width=2, base=50.0), 7)
    assert moved["p_moved"].value[:, 0].tolist() == [11, 7, 7, 16]
    assert not moved["S_diff"].value.any()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"base": 0}, "with_rotary: base is 0, wanted a finite number above 0"),
        ({"base": -2.0}, "with_rotary: base is -2.0"),
        ({"base": float("inf")}, "with_rotary: base is inf"),
        ({"base": "10000"}, "with_rotary: base is '10000'"),
        ({"base": None}, "with_rotary: base is None"),
        ({"width": 1}, "with_rotary: width is 1, wanted a whole number from 2 to"),
        ({"width": 99}, "with_rotary: width is 99, wanted a whole number from 2 to"),
        ({"width": 2.0}, "with_rotary: width is 2.0"),
        ({"width": True}, "with_rotary: width is True"),
        ({"places": [0, 1]}, r"places is \[0, 1\], wanted a list of 4 places"),
        ({"places": 3}, "places is 3, wanted a list of 4 places"),
        ({"places": "0123"}, "with_rotary: place 1 is '0'"),
        ({"places": [0, 1, 2, 2.5]}, "with_rotary: place 4 is 2.5, wanted a whole number"),
        ({"places": [0, 1, None, 3]}, "with_rotary: place 3 is None"),
        ({"places": [[0], [1], [2], [3]]}, r"with_rotary: place 1 is \[0\]"),
        ({"places": [0, 1, 2, 10**10]}, "with_rotary: place 4 is 10000000000"),
        ({"places": PLACES, "first": 2}, "and no first with it"),
    ],
    ids=str,
)
def test_what_cannot_be_is_refused(options: dict[str, Any], says: str) -> None:
    with pytest.raises(AttentionError, match=says):
        with_rotary(ONE, **options)
