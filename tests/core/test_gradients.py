"""Gradients of whole graphs against PyTorch's autograd."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import ArrayLike

from attention_core import (
    AttentionError,
    Graph,
    attention,
    cross_attention,
    gradients,
    self_attention,
)
from attention_core.matrix import Array

pytestmark = pytest.mark.filterwarnings("error")
INF = float("inf")
MASKS: dict[str, Array] = {
    "none": np.zeros((3, 3)),
    "causal": np.where(np.tri(3, dtype=bool), 0.0, -INF),
    "added": np.array([[0.5, -1.0, 2.0], [0.0, 1.0, -INF], [3.0, 0.25, -2.0]]),
    "blocked row": np.array([[0.0, -INF, 0.5], [-INF, -INF, -INF], [0.0, 1.0, -INF]]),
    "all blocked": np.full((3, 3), -INF),
}
every_mask = pytest.mark.parametrize("mask", MASKS.values(), ids=MASKS.keys())


def _output(
    Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor, mask: Array, scale: float | None
) -> torch.Tensor:
    """Attention whose blocked rows never enter a softmax, so autograd meets no 0/0."""
    factor = Q.shape[1] ** -0.5 if scale is None else scale
    rows = [
        torch.softmax(q @ K[keep].T * factor + torch.tensor(m)[keep], dim=0) @ V[keep]
        if (keep := torch.isfinite(torch.tensor(m))).any()
        else torch.zeros(V.shape[1], dtype=torch.float64)
        for q, m in zip(Q, mask, strict=True)
    ]
    return torch.stack(rows)


def _arrays(leaves: dict[str, torch.Tensor]) -> dict[str, Any]:
    return {key: leaf.detach().numpy() for key, leaf in leaves.items()}


def _leaves(seed: int, shapes: dict[str, tuple[int, int]]) -> dict[str, torch.Tensor]:
    rng = np.random.default_rng(seed)
    return {k: torch.tensor(rng.normal(size=s), requires_grad=True) for k, s in shapes.items()}


def _check(graph: Graph, output: torch.Tensor, leaves: dict[str, torch.Tensor], seed: int) -> Graph:
    upstream = np.random.default_rng(seed).normal(size=output.shape)
    np.testing.assert_allclose(graph["O"].value, output.detach().numpy(), rtol=1e-12, atol=1e-13)
    wanted = torch.autograd.grad(
        output,
        list(leaves.values()),
        torch.tensor(upstream),
        allow_unused=True,
        materialize_grads=True,
    )
    full = gradients(graph, "O", upstream)
    for key, truth in zip(leaves, wanted, strict=True):
        np.testing.assert_allclose(full[f"d{key}"].value, truth.numpy(), rtol=1e-10, atol=1e-12)
    for matrix in full.steps:
        assert np.isfinite(matrix.value[~np.isneginf(matrix.value)]).all()
    return full


def _with_graph(output: torch.Tensor, leaves: dict[str, torch.Tensor]) -> torch.Tensor:
    """The output, tied to every leaf also where nothing flows (all rows blocked)."""
    return output + sum(leaf.sum() for leaf in leaves.values()) * 0.0


@every_mask
@pytest.mark.parametrize("scale", [None, 0.7])
def test_attention(mask: Array, scale: float | None) -> None:
    leaves = _leaves(0, {"Q": (3, 2), "K": (3, 2), "V": (3, 4)})
    Q, K, V = leaves.values()
    graph = attention(**_arrays(leaves), mask=mask, scale=scale)
    output = _with_graph(_output(Q, K, V, mask, scale), leaves)
    full = _check(graph, output, leaves, 1)
    blocked = np.isneginf(mask).all(axis=1)
    assert not full["dQ"].value[blocked].any()
    assert not full["dS_masked"].value[np.isneginf(mask)].any()


@every_mask
def test_self_attention_down_to_x_and_the_weights(mask: Array) -> None:
    shapes = {"X": (3, 4), "W_Q": (4, 2), "W_K": (4, 2), "W_V": (4, 3)}
    leaves = _leaves(2, shapes)
    X, W_Q, W_K, W_V = leaves.values()
    graph = self_attention(**_arrays(leaves), mask=mask)
    output = _with_graph(_output(X @ W_Q, X @ W_K, X @ W_V, mask, None), leaves)
    full = _check(graph, output, leaves, 3)
    shares = sum(full[f"dX_{use}"].value for use in "QKV")
    np.testing.assert_allclose(full["dX"].value, shares, rtol=1e-12, atol=1e-13)
    for row in range(3):  # a blocked query is still a key for others: its dX has a value
        assert not full.explain("dX", row, 0).undefined or not full["dX"].value[row].any()


def test_cross_attention_rectangular() -> None:
    shapes = {"X": (2, 3), "Y": (4, 5), "W_Q": (3, 2), "W_K": (5, 2), "W_V": (5, 1)}
    leaves = _leaves(4, shapes)
    X, Y, W_Q, W_K, W_V = leaves.values()
    mask = np.where(np.tri(2, 4, 2, dtype=bool), 0.0, -INF)
    graph = cross_attention(**_arrays(leaves), mask="causal-bottom-right")
    output = _output(X @ W_Q, Y @ W_K, Y @ W_V, mask, None)
    _check(graph, output, leaves, 5)


def test_of_an_inner_matrix() -> None:
    leaves = _leaves(6, {"Q": (3, 2), "K": (3, 2), "V": (3, 4)})
    Q, K, _ = leaves.values()
    graph = attention(**_arrays(leaves))
    full = gradients(graph, "S")
    wanted = torch.autograd.grad((Q @ K.T).sum(), [Q, K])
    np.testing.assert_allclose(full["dQ"].value, wanted[0].numpy(), rtol=1e-12)
    np.testing.assert_allclose(full["dK"].value, wanted[1].numpy(), rtol=1e-12)
    assert "dV" not in full
    assert [m.key for m in full.steps[: len(graph.steps)]] == [m.key for m in graph.steps]


def test_saturated_softmax_passes_no_gradient() -> None:
    full = gradients(attention([[1.0]], [[1e6], [0.0]], [[1.0], [5.0]], scale=1.0))
    assert full["dQ"].value.tolist() == [[0.0]]
    assert full["dV"].value.tolist() == [[1.0], [0.0]]


def test_a_gradient_cell_explains_itself() -> None:
    graph = attention([[1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]], [[2.0], [4.0]], tokens=("q",))
    full = gradients(graph, "O", [[3.0]])
    why = full.explain("dA", 0, 1)
    assert why.substituted == "3·4"
    assert [str(cell) for cell in why.sources] == ["dO:0,0", "V_T:0,1"]
    ends = {cell.symbol for cell in full.trace("dQ", 0, 0).inputs}
    assert ends == {"Q", "K", "V", "M", "dO", "open_S_masked"}


@pytest.mark.parametrize(
    ("upstream", "message"),
    [
        ([[1.0]], "upstream: is 1×1, wanted the shape of O, 2×1."),
        ([[1.0], [float("nan")]], "upstream: the entry in row 2, column 1 is nan."),
        ([1.0, 2.0], "upstream: got 1 dimension (shape (2,)), wanted 2"),
    ],
)
def test_refusals(upstream: ArrayLike, message: str) -> None:
    graph = attention([[1.0], [2.0]], [[1.0]], [[1.0]])
    with pytest.raises(AttentionError) as error:
        gradients(graph, "O", upstream)
    assert str(error.value).startswith(message)
