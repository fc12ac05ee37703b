"""A state beside what it was: both as computed by themselves, their difference, and no NaN."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
import torch

from attention_core import (
    DIFF,
    EXAMPLES,
    WAS,
    Graph,
    beside,
    differs,
    gradients,
    numpy_function,
    residual,
    self_attention,
    torch_function,
    torch_module,
    toy_inputs,
)
from attention_core.matrix import Array, Cell
from attention_core.symbols import SYMBOLS, symbol
from tests.core.test_derivations import check_cell
from tests.core.test_emit import MASKS, check_programs

pytestmark = pytest.mark.filterwarnings("error")
TOKENS = ("dog", "bites", "man")
PAIRS = list(product(MASKS, repeat=2))


def _arrays(seed: int = 0) -> dict[str, Array]:
    rng = np.random.default_rng(seed)
    shapes = {"X": (3, 4), "W_Q": (4, 2), "W_K": (4, 2), "W_V": (4, 3)}
    return {key: rng.normal(size=shape) for key, shape in shapes.items()}


def _graph(mask: Any = None, scale: float | None = None, **other: Array) -> Graph:
    X, W_Q, W_K, W_V = (_arrays() | other).values()
    return residual(self_attention(X, W_Q, W_K, W_V, mask, scale, TOKENS))


def _less(now: Array, was: Array) -> Array:
    """Cell by cell: what is the same does not differ, also where both are −∞."""
    rows = zip(now.tolist(), was.tolist(), strict=True)
    return np.array([[0.0 if a == b else a - b for a, b in zip(*row, strict=True)] for row in rows])


@pytest.mark.parametrize(("mask", "before"), PAIRS, ids=str)
def test_both_states_are_as_they_are_alone_and_nothing_is_nan(mask: str, before: str) -> None:
    now, was = _graph(MASKS[mask]), _graph(MASKS[before])
    graph = beside(now, was)
    assert graph.steps[: len(now.steps)] == now.steps, "what is keeps keys, ops and order"
    for matrix in was.steps:
        key = f"{matrix.key}{WAS}"
        stood = graph[key] if key in graph else graph[matrix.key]
        np.testing.assert_array_equal(stood.value, matrix.value)
        assert (stood.rows, stood.cols, stood.op) == (matrix.rows, matrix.cols, matrix.op)
        assert stood.undefined == matrix.undefined
        if f"{matrix.key}{DIFF}" in graph:
            apart = graph[f"{matrix.key}{DIFF}"].value
            wanted = _less(now[matrix.key].value, matrix.value)
            np.testing.assert_allclose(apart, wanted, atol=1e-11)
        same = np.array_equal(now[matrix.key].value, matrix.value)
        assert differs(graph, matrix.key) == (not same)
    assert not any(np.isnan(m.value).any() for m in graph.steps)


@pytest.mark.parametrize(("mask", "before"), PAIRS, ids=str)
def test_every_cell_explains_itself_and_the_programs_run(mask: str, before: str) -> None:
    graph = beside(_graph(MASKS[mask]), _graph(MASKS[before], scale=-0.75))
    for matrix in graph.steps:
        for row, col in np.ndindex(matrix.shape):
            check_cell(graph.explain(matrix.key, row, col))
    check_programs(graph)


def test_what_the_change_does_not_reach_stands_once() -> None:
    graph = beside(_graph("causal"), _graph())
    doubled = [m.key.removesuffix(WAS) for m in graph.steps if m.key.endswith(WAS)]
    assert doubled == ["M", "S_masked", "A", "O", "U", "X_out"]
    plain = beside(_graph(), _graph())
    assert [m.key for m in plain.steps] == [m.key for m in _graph().steps]
    moved = beside(_graph(X=_arrays(1)["X"]), _graph())
    kept = [m.key for m in moved.steps if m.op is None and f"{m.key}{WAS}" not in moved]
    assert [key for key in kept if not key.endswith(WAS)] == ["W_Q", "W_K", "W_V", "M", "W_O"]


def test_what_was_comes_from_what_was() -> None:
    now = _graph("causal", X=_arrays(1)["X"])
    graph = beside(now, _graph())
    for key in ("O_was", "S_was", "X_out_was", "K_was_T"):
        ancestors = {m.key for m in graph.behind(key)}
        assert not {k for k in ancestors if differs(graph, k)}, f"{key} is made from what is"
        assert {"X_was"} <= ancestors
    assert {str(cell) for cell in graph.explain("S_was", 0, 1).sources} == {
        "Q_was:0,0", "Q_was:0,1", "K_was_T:0,1", "K_was_T:1,1",
    }  # fmt: skip


def test_the_same_numbers_made_otherwise_are_told_as_made() -> None:
    """Divided by √1 or multiplied by 1: the same numbers, and two derivations."""
    inputs = toy_inputs(TOKENS, seed=1, d_model=4, d_k=1, d_v=2)
    graph = beside(inputs.graph(scale=1.0), inputs.graph())
    assert graph.explain("S_scaled_was", 0, 0).symbolic != graph.explain("S_scaled", 0, 0).symbolic
    assert not any(differs(graph, key) for key in graph)


def test_other_tokens_and_sizes_have_no_difference() -> None:
    love, cat = EXAMPLES["love"].graph(), EXAMPLES["cat"].graph()
    graph = beside(cat, love)
    assert not [m.key for m in graph.steps if m.key.endswith(DIFF)]
    assert all(differs(graph, key) for key in love)
    wider = beside(EXAMPLES["love"].inputs.with_d_k(5).graph(), love)
    assert [m.key for m in wider.steps if m.key.endswith(DIFF)] == [
        f"{key}{DIFF}" for key in ("S", "S_scaled", "S_masked", "A", "O")
    ]
    hand = beside(EXAMPLES["hand"].graph(), love)
    assert hand["Q"].op is None
    assert {m.key for m in hand.behind("Q_was")} == {"X_was", "W_Q_was", "Q_was"}
    check_programs(hand)


def test_blocked_now_blocked_then_and_blocked_in_both() -> None:
    now = np.array([[True, False, False], [True, True, False], [True, True, True]])
    was = np.array([[True, True, False], [True, False, True], [True, True, True]])
    graph = beside(_graph(now), _graph(was))
    assert graph["M_diff"].value.tolist() == [
        [0.0, -np.inf, 0.0], [0.0, np.inf, -np.inf], [0.0, 0.0, 0.0],
    ]  # fmt: skip
    assert graph.largest("M_diff", 1) == (Cell("M_diff", 1, 1),)
    told = [graph.explain("S_masked_diff", *at).words for at in ((0, 1), (0, 2), (1, 1), (2, 2))]
    assert told == [
        "Blocked in S_masked only: −∞ less any number is −∞.",
        "Blocked in S_masked and in S_masked,was: there is no difference.",
        "Blocked in S_masked,was only: any number less −∞ is ∞.",
        None,
    ]
    assert not any(graph.explain("S_masked_diff", *at).sources for at in ((0, 1), (0, 2), (1, 1)))


def test_a_row_without_a_distribution_in_one_state_says_so() -> None:
    shut = np.array([[True] * 3, [False] * 3, [True] * 3])
    graph = beside(_graph(), _graph(shut))
    np.testing.assert_array_equal(graph["A_diff"].value[1], graph["A"].value[1])
    assert graph.explain("A_diff", 1, 0).words == (
        "Every key is blocked for this row of A_was: it stands as 0."
    )
    assert not graph["A_diff"].undefined
    both = beside(_graph(shut), _graph(shut, scale=1.0))
    assert both["A_diff"].undefined == {1}


def test_gradients_flow_to_both_states() -> None:
    shut = np.tril(np.ones((3, 3), dtype=bool))
    leaves = {key: torch.tensor(a, requires_grad=True) for key, a in _arrays().items()}
    X, W_Q, W_K, W_V = leaves.values()
    A = torch.softmax((X @ W_Q @ (X @ W_K).T / 2**0.5).masked_fill(~torch.tensor(shut), -np.inf), 1)
    B = torch.softmax(X @ W_Q @ (X @ W_K).T / 2**0.5, 1)
    wanted = torch.autograd.grad(((A - B) @ X @ W_V).sum(), list(leaves.values()))
    graph = beside(_graph(shut), _graph())
    full = gradients(graph, "O_diff")
    for key, truth in zip(leaves, wanted, strict=True):
        np.testing.assert_allclose(full[f"d{key}"].value, truth.numpy(), rtol=1e-9, atol=1e-11)
    # Where a cell is blocked in one state, nothing flows back.
    masked = gradients(graph, "S_masked_diff")
    np.testing.assert_array_equal(masked["dM"].value, shut.astype(float))
    np.testing.assert_array_equal(masked["dM_was"].value, -shut.astype(float))


def test_the_code_is_of_what_is() -> None:
    now = _graph("causal")
    graph = beside(now, _graph())
    for write in (numpy_function, torch_function, torch_module):
        assert write(graph) == write(now)


def test_a_large_number_elsewhere_hides_no_difference() -> None:
    cat = EXAMPLES["cat"].inputs
    for at, number in (((0, 1), 0.5), ((2, 2), 999.0)):
        cat = cat.with_edit(Cell("X", *at), number)
    for key in ("W_Q", "W_K"):
        cat = cat.with_edit(Cell(key, 2, 1), 999.0)
    graph = beside(cat.graph(), EXAMPLES["cat"].graph())
    assert 1e-12 * abs(graph["S"].value).max() > 0.5, "so large that 0.5 is dust beside it"
    why = graph.explain("S_diff", 1, 0)
    assert (why.text, why.words) == (
        "S_diff[cat, The] = S[cat, The] − S_was[cat, The] = 3.500 − 3 = 0.500",
        None,
    )
    check_programs(graph)


def test_small_numbers_differ_too_and_last_bits_do_not() -> None:
    was = toy_inputs(("a", "b"), seed=1, d_model=2, d_k=1, d_v=2)
    now = was
    for row, (before, after) in enumerate(((3e-13, 2e-13), (0.3, 0.1 + 0.2))):
        was, now = (
            each.with_edit(Cell("X", row, 0), number)
            for each, number in ((was, before), (now, after))
        )
    graph = beside(now.graph(), was.graph())
    assert graph["X_diff"].value[:, 0].tolist() == [pytest.approx(-1e-13), 0.0]
    assert graph.explain("X_diff", 0, 0).words is None
    assert graph.explain("X_diff", 1, 0).words == (
        "The two agree to 12 digits. The last bits of a computer’s numbers can do that. It counts "
        "as 0."
    )
    check_programs(graph)


def test_every_symbol_has_a_name_for_what_was_and_for_the_difference() -> None:
    for key, of in SYMBOLS.items():
        was, apart = symbol(f"{key}{WAS}"), symbol(f"{key}{DIFF}")
        assert (was.base, was.role, was.one) == (of.base, of.role, of.one)
        assert was.text == f"{of.base}_{of.sub},was" if of.sub else f"{of.base}_was"
        assert apart.one == apart.title == "difference"
        assert apart.asks == f"{of.asks}: the difference"
