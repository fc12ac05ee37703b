"""A loss, its gradients and one step: against PyTorch's autograd, its optimizer and differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given as generated
from hypothesis import settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from attention_core import (
    EXAMPLES,
    AttentionError,
    Cell,
    Graph,
    attention,
    cross_attention,
    descend,
    finite_difference,
    parameters,
    promised,
    row_jacobian,
    self_attention,
    value_loss,
)
from attention_core.matrix import Array
from tests.core.test_derivations import check_cell
from tests.core.test_emit import check_programs

pytestmark = pytest.mark.filterwarnings("error")
INNER = ("Q", "K", "V", "S", "S_scaled", "A", "O")


def weights_of(scores: torch.Tensor, is_open: NDArray[np.bool_]) -> torch.Tensor:
    """A softmax over the open keys; a row without any is 0 and never enters one."""
    rows = [
        torch.softmax(row.masked_fill(~keep, -torch.inf), dim=0) if keep.any() else 0.0 * row
        for row, keep in zip(scores, torch.tensor(is_open), strict=True)
    ]
    return torch.stack(rows)


def forward(
    leaves: dict[str, torch.Tensor], is_open: NDArray[np.bool_], scale: float | None
) -> dict[str, torch.Tensor]:
    """Attention in PyTorch, with everything on the way."""
    m = dict(leaves)
    if "X" in m:
        m |= {key: m["X"] @ m[f"W_{key}"] for key in "QKV"}
    m["S"] = m["Q"] @ m["K"].T
    m["S_scaled"] = m["S"] * (m["Q"].shape[1] ** -0.5 if scale is None else scale)
    m["A"] = weights_of(m["S_scaled"], is_open)
    m["O"] = m["A"] @ m["V"]
    return m


def loss_of(m: dict[str, torch.Tensor], target: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.mse_loss(m["O"], target, reduction="sum") / 2


@st.composite
def cases(draw: st.DrawFn) -> dict[str, Any]:
    """Leaves of generated sizes and values, a mask, a scale, tokens and a rate."""
    n, d_model, d_k, d_v = (draw(st.integers(1, top)) for top in (5, 4, 4, 3))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    shapes = {
        "X": (n, d_model),
        "W_Q": (d_model, d_k),
        "W_K": (d_model, d_k),
        "W_V": (d_model, d_v),
    }
    if draw(st.booleans()):
        shapes = {"Q": (n, d_k), "K": (n, d_k), "V": (n, d_v)}
    size = draw(st.sampled_from([0.1, 1.0, 3.0]))
    arrays = {key: size * rng.normal(size=shape) for key, shape in shapes.items()}
    if draw(st.booleans()):
        arrays = {key: array.round() for key, array in arrays.items()}
    return {
        "arrays": arrays,
        "is_open": rng.random((n, n)) < draw(st.sampled_from([0.0, 0.5, 0.8, 1.0])),
        "scale": draw(st.sampled_from([None, 1.0, 0.0, -0.5])),
        "row": draw(st.integers(0, n - 1)),
        "aim": draw(st.integers(0, n - 1)),
        "rate": draw(st.sampled_from([0.001, 0.1, 1.0])),
    }


def graph_of(case: dict[str, Any]) -> Graph:
    build: Callable[..., Graph] = self_attention if "X" in case["arrays"] else attention
    return build(**case["arrays"], mask=case["is_open"], scale=case["scale"])


def same(left: Array, right: torch.Tensor, size: float = 1.0) -> None:
    np.testing.assert_allclose(left, right.detach().numpy(), rtol=1e-9, atol=1e-10 * max(1.0, size))


@settings(max_examples=60)
@generated(case=cases())
def test_loss_gradients_and_step_are_those_of_pytorch(case: dict[str, Any]) -> None:
    leaves = {key: torch.tensor(array, requires_grad=True) for key, array in case["arrays"].items()}
    rest = case["is_open"], case["scale"]
    m = forward(leaves, *rest)
    target = m["O"].detach().clone()
    target[case["row"]] = m["V"][case["aim"]].detach()
    loss = loss_of(m, target)
    keys = list(dict.fromkeys((*leaves, *INNER)))
    slopes = torch.autograd.grad(
        loss, [m[key] for key in keys], retain_graph=True, materialize_grads=True, allow_unused=True
    )
    graph = descend(graph_of(case), case["row"], case["aim"], case["rate"])
    same(graph["L"].value[0, 0], loss)
    sizes = max(float(slope.abs().max()) for slope in slopes)
    for key, slope in zip(keys, slopes, strict=True):
        same(graph[f"d{key}"].value, slope, sizes)
    shut = ~case["is_open"]
    for key in ("dS_masked", "dS_scaled", "dS"):
        assert not graph[key].value[shut].any()
    assert not graph["dQ"].value[shut.all(axis=1)].any()

    learned = [key for key in leaves if key != "X"]
    moved = dict(leaves)
    for key in learned:
        moved[key] = leaves[key] - case["rate"] * slopes[keys.index(key)]
        same(graph[f"{key}_after"].value, moved[key], sizes)
    after = forward(moved, *rest)
    same(graph["A_after"].value, after["A"], sizes)
    same(graph["A_diff"].value, after["A"] - m["A"], sizes)
    then = loss_of(after, target)
    same(graph["L_after"].value[0, 0], then, then.item())
    squares = sum(slopes[keys.index(key)].square().sum().item() for key in learned)
    assert promised(graph, 0.5) == pytest.approx(loss.item() - 0.5 * squares, rel=1e-9, abs=1e-9)


@settings(max_examples=30)
@generated(case=cases())
def test_every_gradient_is_what_a_finite_difference_measures(case: dict[str, Any]) -> None:
    graph = descend(graph_of(case), case["row"], case["aim"], case["rate"])
    for key in (*case["arrays"], "A", "S"):
        slopes = graph[f"d{key}"].value
        for (i, j), slope in np.ndenumerate(slopes):
            measured = finite_difference(graph, Cell(key, i, j))
            assert measured == pytest.approx(slope, rel=1e-6, abs=1e-6 * (1 + abs(slopes).max()))


def test_the_error_of_a_finite_difference_shrinks_with_the_square_of_the_step() -> None:
    graph = descend(EXAMPLES["love"].graph(), 2, 0, 0.1)
    cell, slope = Cell("X", 1, 1), graph["dX"].value[1, 1]
    coarse, fine = (abs(finite_difference(graph, cell, eps) - slope) for eps in (0.1, 0.01))
    assert coarse / fine == pytest.approx(100, rel=0.05)


@pytest.mark.parametrize("mask", [None, "causal"])
@pytest.mark.parametrize("name", EXAMPLES)
def test_every_cell_explains_itself_and_the_programs_run(name: str, mask: str | None) -> None:
    graph = row_jacobian(descend(EXAMPLES[name].graph(mask=mask), 1, 0, 0.5), 1)
    check_programs(graph)
    for matrix in graph.steps:
        for i, j in np.ndindex(*matrix.shape):
            check_cell(graph.explain(matrix.key, i, j))


@settings(max_examples=30)
@generated(case=cases())
def test_with_the_jacobian_it_is_the_same_row(case: dict[str, Any]) -> None:
    row = case["row"]
    graph = row_jacobian(descend(graph_of(case), row, case["aim"], case["rate"]), row)
    scores = torch.tensor(graph["S_scaled"].value[[row]])
    J = torch.func.jacrev(lambda s: weights_of(s[None], case["is_open"][[row]])[0])(scores[0])
    same(graph["J"].value, J)
    size = abs(graph["dA"].value).max()
    np.testing.assert_allclose(
        graph["ds"].value[0], graph["dS_masked"].value[row], atol=1e-12 * (1 + size)
    )


def test_by_hand() -> None:
    """One query, two keys of equal score: A = [½, ½], O = 3, T = 4, so R = −1 and L = ½."""
    graph = descend(attention([[1]], [[2], [2]], [[4], [2]], scale=1.0), 0, 0, 0.5)
    assert (graph["O"].value.item(), graph["L"].value.item()) == (3.0, 0.5)
    wanted = {
        "dO": [[-1]],
        "dV": [[-0.5], [-0.5]],
        "dA": [[-4, -2]],
        "r_A": [[-3]],
        "dS_masked": [[-0.5, 0.5]],
        "dQ": [[0]],
        "dK": [[-0.5], [0.5]],
        "K_after": [[2.25], [1.75]],
        "V_after": [[4.25], [2.25]],
    }
    assert {key: graph[key].value.tolist() for key in wanted} == wanted


def test_others_shall_stay_and_pay_only_for_what_they_move() -> None:
    graph = descend(EXAMPLES["cat"].graph(), 3, 0, 0.1)
    assert not graph["dO"].value[:3].any()
    assert not graph["dQ"].value[:3].any()
    assert graph["dK"].value[:3].any(axis=1).all()
    assert graph["L_row"].value[:3].tolist() == [[0.0], [0.0], [0.0]]
    assert (graph["L_row_after"].value[:3] > 0).all()


def test_one_token_has_nothing_to_learn() -> None:
    graph = descend(self_attention([[1, 2]], [[1], [1]], [[1], [0]], [[1], [3]]), 0, 0, 1.0)
    assert graph["L"].value.item() == 0
    assert not any(graph[f"d{m.key}"].value.any() for m in parameters(graph))


def test_keys_of_another_sequence() -> None:
    rng = np.random.default_rng(0)
    shapes = {"X": (2, 3), "Y": (4, 5), "W_Q": (3, 2), "W_K": (5, 2), "W_V": (5, 2)}
    arrays: dict[str, Any] = {key: rng.normal(size=shape) for key, shape in shapes.items()}
    graph = cross_attention(**arrays)
    full = descend(graph, 1, 3, 0.1)
    assert [m.key for m in parameters(full)] == ["W_Q", "W_K", "W_V"]
    assert finite_difference(full, Cell("Y", 3, 4)) == pytest.approx(full["dY"].value[3, 4])


def test_refusals() -> None:
    graph = EXAMPLES["love"].graph()
    for row, aim, says in ((3, 0, "row is 3"), (0, -1, "aim is -1")):
        with pytest.raises(AttentionError, match=f"value_loss: {says}.*there are 3, counted"):
            value_loss(graph, row, aim)
    for rate in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(AttentionError, match="wanted a finite number above 0"):
            descend(graph, 0, 0, rate)
    with pytest.raises(AttentionError, match="O is 3×3, wanted one number"):
        finite_difference(graph, Cell("X", 0, 0), of="O")
    with pytest.raises(AttentionError, match="eps is 0"):
        finite_difference(value_loss(graph, 0, 1), Cell("X", 0, 0), 0)


def test_tied_weights_step_each_on_its_own() -> None:
    graph = descend(EXAMPLES["love"].inputs.with_tied().graph(), 2, 0, 0.1)
    np.testing.assert_array_equal(graph["W_Q"].value, graph["W_K"].value)
    assert not np.array_equal(graph["W_Q_after"].value, graph["W_K_after"].value)
