"""Layer upon layer: what each reads, what it adds, and that the sum keeps all of it."""

from __future__ import annotations

import re

import numpy as np
import pytest
import torch

from attention_core import (
    EXAMPLES,
    AttentionError,
    Graph,
    gradients,
    layered,
    residual,
    self_attention,
)
from attention_core.matrix import Array
from tests.core.test_derivations import check_cell
from tests.core.test_emit import MASKS, check_programs

pytestmark = pytest.mark.filterwarnings("error")
SHAPES = {"X": (3, 4), "W_Q": (4, 2), "W_K": (4, 2), "W_V": (4, 3), "W_O": (3, 4)}


def _arrays() -> dict[str, Array]:
    rng = np.random.default_rng(0)
    return {key: rng.normal(size=shape) for key, shape in SHAPES.items()}


def _plain(mask: str | Array | None = None) -> Graph:
    X, W_Q, W_K, W_V, _ = _arrays().values()
    return self_attention(X, W_Q, W_K, W_V, mask)


def _stream(leaves: dict[str, torch.Tensor], layers: int) -> torch.Tensor:
    X, W_Q, W_K, W_V, W_O = leaves.values()
    for _ in range(layers):
        O = torch.nn.functional.scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V)
        X = X + O @ W_O
    return X


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_layers_and_their_gradients_against_pytorch(layers: int) -> None:
    arrays = _arrays()
    leaves = {key: torch.tensor(array, requires_grad=True) for key, array in arrays.items()}
    wanted = _stream(leaves, layers)
    graph = layered(_plain(), layers, arrays["W_O"])
    for key in (f"X_{layers}", "X_sum"):
        np.testing.assert_allclose(graph[key].value, wanted.detach().numpy(), rtol=1e-12)
    slopes = torch.autograd.grad(wanted.sum(), list(leaves.values()))
    for end in (f"X_{layers}", "X_sum"):
        full = gradients(graph, end)
        for key, slope in zip(leaves, slopes, strict=True):
            np.testing.assert_allclose(full[f"d{key}"].value, slope.numpy(), rtol=1e-9, atol=1e-11)


def test_one_layer_is_the_residual() -> None:
    W_O = _arrays()["W_O"]
    one, same = layered(_plain(), 1, W_O), residual(_plain(), W_O)
    assert one["U_1"].value.tolist() == same["U"].value.tolist()
    assert one["X_1"].value.tolist() == one["X_sum"].value.tolist() == same["X_out"].value.tolist()


def test_the_whole_sum_is_the_last_of_the_stream_and_names_every_update() -> None:
    graph = layered(_plain(), 3, _arrays()["W_O"])
    assert graph["X_sum"].value.tolist() == graph["X_3"].value.tolist(), "to the last bit"
    cells = [str(cell) for cell in graph.explain("X_sum", 1, 2).sources]
    assert cells == ["X:1,2", "U_1:1,2", "U_2:1,2", "U_3:1,2"]


def test_a_layer_reads_the_sum_before_it_and_shares_weights_and_mask() -> None:
    graph = layered(_plain("causal"), 2)
    assert graph["Q_2"].inputs == (graph["X_1"], graph["W_Q"])
    assert graph["S_masked_2"].inputs[1] is graph["M"]
    assert {"K_T", "K_2_T", "M"} == {m.key for m in graph.steps} - set(graph)
    assert graph.explain("X_2", 0, 1).title == "Feature «2» of «1» after layer 2"


@pytest.mark.parametrize("mask", MASKS)
def test_layers_explain_themselves_and_run_as_programs(mask: str) -> None:
    graph = layered(_plain(MASKS[mask]), 3, _arrays()["W_O"])
    for matrix in graph.steps:
        for row, col in np.ndindex(matrix.shape):
            check_cell(graph.explain(matrix.key, row, col))
    check_programs(graph)


@pytest.mark.parametrize("layers", [0, 4])
def test_other_numbers_of_layers_are_refused(layers: int) -> None:
    with pytest.raises(
        AttentionError, match=f"layers is {layers}, wanted a whole number from 1 to 3"
    ):
        layered(_plain(), layers)


def test_without_embeddings_there_is_no_stream() -> None:
    with pytest.raises(AttentionError, match=re.escape("layered: there are no embeddings X")):
        layered(EXAMPLES["hand"].graph(), 2)
