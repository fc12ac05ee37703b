"""Positions: against complex numbers and PyTorch, and what depends on distances only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given as generated
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from attention_core import (
    EXAMPLES,
    VARIANTS,
    AttentionError,
    Graph,
    alibi_slopes,
    attention,
    cross_attention,
    gradients,
    moved_on,
    self_attention,
    toy_inputs,
    with_alibi,
    with_positions,
    with_rotary,
)
from attention_core.expression import Function, Num
from attention_core.matrix import Array
from attention_core.variants.variant import Value
from tests.core.test_derivations import check_cell
from tests.core.test_emit import MASKS, check_programs

pytestmark = pytest.mark.filterwarnings("error")
every_layout = pytest.mark.parametrize("halves", [False, True], ids=["pairs", "halves"])
NUMBERS = st.floats(-10, 10).map(lambda x: round(x, 3))


def in_the_plane(rows: Array, first: int, halves: bool) -> Array:
    """Rows with each pair as one complex number, multiplied by e^(ipθ)."""
    rows = np.asarray(rows)
    pairs = rows.shape[1] // 2
    one, other = (
        (rows[:, :pairs], rows[:, pairs : 2 * pairs])
        if halves
        else (rows[:, 0 : 2 * pairs : 2], rows[:, 1 : 2 * pairs : 2])
    )
    place = np.arange(first, first + len(rows))[:, None]
    turned = (one + 1j * other) * np.exp(1j * place / 10000.0 ** (np.arange(pairs) / pairs))
    out = rows.copy()
    if halves:
        out[:, :pairs], out[:, pairs : 2 * pairs] = turned.real, turned.imag
    else:
        out[:, 0 : 2 * pairs : 2], out[:, 1 : 2 * pairs : 2] = turned.real, turned.imag
    return out


def drawn(data: st.DataObject, n: int, width: int) -> Array:
    return data.draw(arrays(np.float64, (n, width), elements=NUMBERS))


@every_layout
@generated(data=st.data())
def test_turned_rows_are_those_of_complex_numbers(halves: bool, data: st.DataObject) -> None:
    n, d_k, d_v = (data.draw(st.integers(low, 7)) for low in (1, 2, 1))
    first, mask = data.draw(st.integers(0, 200)), data.draw(st.sampled_from([None, "causal"]))
    Q, K, V = (drawn(data, n, width) for width in (d_k, d_k, d_v))
    graph = with_rotary(attention(Q, K, V, mask), halves=halves, first=first)
    turned, found = (in_the_plane(rows, first, halves) for rows in (Q, K))
    np.testing.assert_allclose(graph["Q_rot"].value, turned, atol=1e-11)
    np.testing.assert_allclose(graph["K_rot"].value, found, atol=1e-11)
    alone = attention(turned, found, V, mask)
    np.testing.assert_allclose(graph["S"].value, alone["S"].value, atol=1e-9)
    np.testing.assert_allclose(graph["O"].value, alone["O"].value, atol=1e-7)
    if d_k % 2:
        np.testing.assert_array_equal(graph["Q_rot"].value[:, -1], Q[:, -1])


@every_layout
@generated(data=st.data())
def test_turned_scores_depend_on_the_distance_only(halves: bool, data: st.DataObject) -> None:
    n, d_k, by = (data.draw(st.integers(low, high)) for low, high in ((1, 6), (2, 8), (-50, 100)))
    q, k = drawn(data, 1, d_k), drawn(data, 1, d_k)
    same = attention(np.repeat(q, n, 0), np.repeat(k, n, 0), np.ones((n, 1)))
    S = with_rotary(same, halves=halves)["S"].value
    for i, j in np.ndindex(S.shape):
        further = with_rotary(same, halves=halves, first=by)["S"].value
        np.testing.assert_allclose(further[i, j], S[i, j], atol=1e-9)
        if min(i, j) > 0:
            np.testing.assert_allclose(S[i, j], S[i - 1, j - 1], atol=1e-9)


def test_the_two_layouts_are_one_rotation_of_other_columns() -> None:
    Q, K, V = (np.random.default_rng(s).normal(size=(4, 6)) for s in range(3))
    apart = [0, 2, 4, 1, 3, 5]  # the first of each pair, then the second of each
    pairs = with_rotary(attention(Q, K, V))
    halves = with_rotary(attention(Q[:, apart], K[:, apart], V), halves=True)
    np.testing.assert_allclose(halves["Q_rot"].value, pairs["Q_rot"].value[:, apart])
    np.testing.assert_allclose(halves["O"].value, pairs["O"].value)
    other = with_rotary(attention(Q, K, V), halves=True)
    assert not np.allclose(other["S"].value, pairs["S"].value)


@generated(data=st.data())
def test_biases_are_slopes_times_distances(data: st.DataObject) -> None:
    n, slope = data.draw(st.integers(1, 7)), data.draw(st.floats(0, 4))
    first, mask = data.draw(st.integers(0, 50)), data.draw(st.sampled_from([None, "causal"]))
    Q, K, V = (drawn(data, n, 2) for _ in range(3))
    graph = with_alibi(attention(Q, K, V, mask), slope, first=first)
    bias = np.array([[-slope * abs(i - j) for j in range(n)] for i in range(n)])
    np.testing.assert_allclose(graph["B_alibi"].value, bias, atol=1e-12)
    blocked = np.triu(np.full((n, n), -np.inf), 1) if mask else 0.0
    q, k, v = (torch.tensor(m) for m in (Q, K, V))
    truth = torch.nn.functional.scaled_dot_product_attention(
        q, k, v, attn_mask=torch.tensor(bias + blocked)
    )
    np.testing.assert_allclose(graph["O"].value, truth.numpy(), atol=1e-9)


def test_the_slopes_are_those_of_the_paper() -> None:
    assert alibi_slopes(8) == tuple(1 / 2**k for k in range(1, 9))
    assert alibi_slopes(16)[0] == pytest.approx(2**-0.5)
    assert alibi_slopes(16)[1] == 0.5


BUILDS: dict[str, Callable[[Graph], Graph]] = {
    "sinusoidal": with_positions,
    "rotary": with_rotary,
    "halves": lambda graph: with_rotary(graph, halves=True),
    "alibi": with_alibi,
}
every_kind = pytest.mark.parametrize("kind", BUILDS)


def _plain(mask: Any = None, scale: float | None = None, d_k: int = 3) -> Graph:
    rng = np.random.default_rng(3)
    shapes = ((3, 4), (4, d_k), (4, d_k), (4, 2))
    X, W_Q, W_K, W_V = (rng.normal(size=shape) for shape in shapes)
    return self_attention(X, W_Q, W_K, W_V, mask, scale, tokens=("dog", "bites", "man"))


@every_kind
@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("d_k", [2, 5])
def test_every_cell_explains_itself_and_the_code_runs(kind: str, mask: str, d_k: int) -> None:
    graph = moved_on(BUILDS[kind](_plain(MASKS[mask], d_k=d_k)), 7)
    for matrix in graph.steps:
        for row, col in np.ndindex(matrix.shape):
            check_cell(graph.explain(matrix.key, row, col))
    check_programs(graph)


def _torch_scores(kind: str, x: torch.Tensor, W_Q: torch.Tensor, W_K: torch.Tensor) -> Any:
    """Scaled scores, with the rotation written as real arithmetic, and the X that V is made of."""
    n, d_model, d_k = *x.shape, W_Q.shape[1]
    place = torch.arange(n, dtype=torch.float64)[:, None]
    if kind == "sinusoidal":
        t = torch.arange(d_model, dtype=torch.float64) // 2
        angle = place * 10000.0 ** (-2 * t / d_model)
        even = torch.arange(d_model) % 2 == 0
        x = x + torch.where(even, angle.sin(), angle.cos())
    q, k = x @ W_Q, x @ W_K
    if kind in ("rotary", "halves"):
        pairs = d_k // 2
        angle = place * 10000.0 ** (-torch.arange(pairs, dtype=torch.float64) / pairs)
        order = [*range(0, 2 * pairs, 2), *range(1, 2 * pairs, 2)]
        order = list(range(2 * pairs)) if kind == "halves" else order
        back = [*order, *range(2 * pairs, d_k)]

        def turned(rows: torch.Tensor) -> torch.Tensor:
            a, b = rows[:, order[:pairs]], rows[:, order[pairs:]]
            made = [a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()]
            whole = torch.cat([*made, rows[:, 2 * pairs :]], dim=1)
            return whole[:, [back.index(column) for column in range(d_k)]]

        q, k = turned(q), turned(k)
    scores = q @ k.T / d_k**0.5
    return scores - 0.5 * (place - place.T).abs() if kind == "alibi" else scores, x


@every_kind
@pytest.mark.parametrize("d_k", [2, 3, 4])
def test_values_and_gradients_are_those_of_pytorch(kind: str, d_k: int) -> None:
    graph = BUILDS[kind](_plain("causal", d_k=d_k))
    keys = ("X", "W_Q", "W_K", "W_V")
    leaves = [torch.tensor(graph[key].value, requires_grad=True) for key in keys]
    scores, x = _torch_scores(kind, *leaves[:3])
    shut = torch.triu(torch.ones(3, 3, dtype=torch.bool), 1)
    weights = scores.masked_fill(shut, -torch.inf).softmax(dim=1)
    O = weights @ (x @ leaves[3])
    upstream = np.random.default_rng(1).normal(size=O.shape)
    np.testing.assert_allclose(graph["A"].value, weights.detach().numpy(), atol=1e-12)
    np.testing.assert_allclose(graph["O"].value, O.detach().numpy(), atol=1e-12)
    back = gradients(graph, "O", upstream)
    truths = torch.autograd.grad((O * torch.tensor(upstream)).sum(), leaves)
    for key, truth in zip(keys, truths, strict=True):
        np.testing.assert_allclose(back[f"d{key}"].value, truth.numpy(), atol=1e-11)


@pytest.mark.parametrize("kind", ["rotary", "halves", "alibi"])
@pytest.mark.parametrize("by", [1, 100])
def test_moving_all_tokens_on_leaves_the_scores(kind: str, by: int) -> None:
    for d_k in range(2, 9):
        inputs = toy_inputs(("a", "b", "c", "a"), seed=d_k, d_model=5, d_k=d_k, d_v=2)
        graph = moved_on(BUILDS[kind](inputs.graph("causal")), by)
        assert not graph["S_diff"].value.any(), "exactly"
        np.testing.assert_allclose(graph["A_moved"].value, graph["A"].value, atol=1e-12)


def test_moving_all_tokens_on_changes_scores_of_sinusoidal_positions() -> None:
    graph = moved_on(with_positions(_plain()), 1)
    assert graph["S_diff"].value.any(axis=1).all()
    assert graph["Pos_moved"].rows.labels == ("1", "2", "3")
    alone = with_positions(_plain(), first=1)
    np.testing.assert_allclose(graph["O_moved"].value, alone["O"].value, atol=1e-12)


def test_moved_by_nothing_all_is_the_same() -> None:
    graph = moved_on(with_positions(_plain()), 0)
    np.testing.assert_array_equal(graph["O_moved"].value, graph["O"].value)


@every_layout
def test_lengths_stay_when_rows_are_turned(halves: bool) -> None:
    graph = with_rotary(_plain(d_k=7), halves=halves, first=9)
    for key in "QK":
        before, after = (np.linalg.norm(graph[k].value, axis=1) for k in (key, f"{key}_rot"))
        np.testing.assert_allclose(before, after)


@every_kind
def test_a_blocked_row_stays_blocked(kind: str) -> None:
    mask = np.array([[True] * 3, [False] * 3, [True] * 3])
    graph = moved_on(BUILDS[kind](_plain(mask)), 2)
    assert graph.undefined_rows == (1,)
    assert graph["O"].undefined == graph["O_moved"].undefined == {1}


@pytest.mark.parametrize("scale", [0.0, -2.0])
def test_the_bias_is_not_scaled(scale: float) -> None:
    graph = with_alibi(_plain(scale=scale), 0.25)
    bias = graph["S_alibi"].value - graph["S_scaled"].value
    np.testing.assert_allclose(bias[0], [0.0, -0.25, -0.5])


def test_derivations_show_the_angle_and_its_cosine() -> None:
    graph = with_rotary(EXAMPLES["cat"].graph(), halves=True)
    why = graph.explain("K_rot", 2, 3)
    assert why.symbolic == "K[sat, 2]·sin(Φ[sat, 2]) + K[sat, 4]·cos(Φ[sat, 2])"
    assert [str(cell) for cell in why.sources] == ["K:2,1", "K:2,3", "Phi:2,1"]
    steps = [(s.name, s.formula.text(), s.expression.text()) for s in why.steps]
    assert steps == [
        ("cosine", "cos(Φ[sat, 2])", "cos(0.020)"),
        ("sine", "sin(Φ[sat, 2])", "sin(0.020)"),
    ]
    assert graph.explain("S", 0, 1).symbolic == "Q_rot[The, :] · K_rotᵀ[:, cat]"
    odd = with_rotary(EXAMPLES["love"].graph()).explain("Q_rot", 1, 2)
    assert (odd.text, odd.steps) == ("Q_rot[love, 3] = Q[love, 3] = 1", ())
    assert odd.words == "This component has no partner, so it stays as it is."


@pytest.mark.parametrize("function", ["sin", "cos"])
@pytest.mark.parametrize("angle", [0.0, 0.5, 1.5708, 3.3])
def test_what_a_rounded_angle_can_give(function: str, angle: float) -> None:
    wave = Function(Num(angle), function)
    low, high = wave.bounds(0.05)
    for moved in np.linspace(angle - 0.05, angle + 0.05, 11) if angle % 1 else [angle]:
        assert low <= getattr(np, function)(moved) <= high
    assert -1.0 <= low <= high <= 1.0


def test_what_cannot_be_is_refused_by_name() -> None:
    with pytest.raises(AttentionError, match="one component, and a rotation turns two"):
        with_rotary(attention([[1]], [[1]], [[1]]))
    two = cross_attention([[1, 0]], [[1, 1], [0, 2]], [[1], [1]], [[1], [0]], [[1], [3]])
    for build in (with_rotary, with_alibi):
        with pytest.raises(AttentionError, match="two sequences"):
            build(two)
    with pytest.raises(AttentionError, match="has no places p"):
        moved_on(attention([[1]], [[1]], [[1]]), 1)
    with pytest.raises(AttentionError, match="finite number"):
        with_alibi(attention([[1]], [[1]], [[1]]), float("nan"))


@pytest.mark.parametrize("encoding", ["sinusoidal", "rotary", "halves", "alibi", "none"])
@pytest.mark.parametrize("example", EXAMPLES)
@pytest.mark.parametrize("d_k", [1, 2, 5])
def test_every_option_builds(encoding: str, example: str, d_k: int) -> None:
    inputs = EXAMPLES[example].inputs.with_d_k(d_k)
    wanted: dict[str, Value] = {"encoding": encoding, "moved": 3}
    used = VARIANTS["positions"].chosen(inputs, wanted)["encoding"]
    graph = VARIANTS["positions"].graph(inputs.graph(), inputs, wanted)
    marks = {"sinusoidal": "Pos", "rotary": "Q_rot", "halves": "Q_rot", "alibi": "B_alibi"}
    assert {key for key in marks.values() if key in graph} == {
        marks[k] for k in (used,) if k in marks
    }
    possible = encoding != "sinusoidal" or "X" in graph
    possible &= encoding not in ("rotary", "halves") or d_k > 1
    assert (used == encoding) == possible
