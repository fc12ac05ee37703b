"""Soft cap and sink against PyTorch, for values and for gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from attention_core import EXAMPLES, AttentionError, attention, gradients, sink, softcap

MASKS = [None, "causal", np.array([[False] * 4, [True, False, True, True], *[[True] * 4] * 2])]


def numbers(seed: int) -> tuple[torch.Tensor, ...]:
    drawn = np.random.default_rng(seed).normal(size=(3, 4, 3)) * 3
    return tuple(torch.tensor(part, requires_grad=True) for part in drawn)


def blocked(mask: Any) -> torch.Tensor:
    allowed = np.ones((4, 4)) if mask is None else np.tri(4) if isinstance(mask, str) else mask
    return torch.tensor(np.where(allowed, 0.0, -np.inf))


@pytest.mark.parametrize("mask", MASKS, ids=str)
@pytest.mark.parametrize("cap", [0.5, 2.0, 50.0])
def test_softcap(mask: Any, cap: float) -> None:
    Q, K, V = numbers(1)
    graph = softcap(
        attention(Q.detach().numpy(), K.detach().numpy(), V.detach().numpy(), mask), cap
    )
    scores = cap * torch.tanh(Q @ K.T / 3**0.5 / cap) + blocked(mask)
    wanted = torch.nan_to_num(scores.softmax(dim=1)) @ V
    np.testing.assert_allclose(graph["O_cap"].value, wanted.detach(), rtol=1e-12, atol=1e-13)
    if graph["A"].undefined:
        return
    wanted.sum().backward()  # type: ignore[no-untyped-call]
    found = gradients(graph, "O_cap", np.ones((4, 3)))
    for key, tensor in (("dQ", Q), ("dK", K), ("dV", V)):
        assert tensor.grad is not None
        np.testing.assert_allclose(found[key].value, tensor.grad, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("mask", MASKS, ids=str)
@pytest.mark.parametrize("score", [-5.0, 0.0, 2.5])
def test_sink(mask: Any, score: float) -> None:
    Q, K, V = numbers(2)
    graph = sink(attention(Q.detach().numpy(), K.detach().numpy(), V.detach().numpy(), mask), score)
    scores = torch.cat([Q @ K.T / 3**0.5 + blocked(mask), torch.full((4, 1), score)], dim=1)
    wanted = scores.softmax(dim=1)[:, :4] @ V
    np.testing.assert_allclose(graph["O_sink"].value, wanted.detach(), rtol=1e-12, atol=1e-13)
    wanted.sum().backward()  # type: ignore[no-untyped-call]
    found = gradients(graph, "O_sink", np.ones((4, 3)))
    for key, tensor in (("dQ", Q), ("dK", K), ("dV", V)):
        assert tensor.grad is not None
        np.testing.assert_allclose(found[key].value, tensor.grad, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("cap", [0.0, -1.0, float("inf"), float("nan")])
def test_a_cap_is_a_finite_number_above_0(cap: float) -> None:
    with pytest.raises(AttentionError, match="softcap: the cap is"):
        softcap(attention([[1]], [[1]], [[1]]), cap)


def test_the_tokens_beside_a_sink_are_called_as_everywhere() -> None:
    Q, K, V = (part.detach().numpy() for part in numbers(1))
    plain = attention(Q, K, V, tokens=("no", "way", "no", "no"))
    graph = sink(plain, 0.0)
    assert graph["A_sink"].cols == graph["A"].cols


def test_the_gradient_of_one_learned_sink_is_the_sum_of_its_column() -> None:
    graph = EXAMPLES["cat"].inputs.graph("causal")
    slopes = gradients(sink(graph, 0.5), "O_sink")["dsink"].value
    assert slopes.shape == (4, 1)
    up, down = (sink(graph, 0.5 + step)["O_sink"].value.sum() for step in (1e-6, -1e-6))
    assert slopes.sum() == pytest.approx((up - down) / 2e-6, abs=1e-7)
