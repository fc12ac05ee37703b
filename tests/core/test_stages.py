"""What can stand beside attention: softmax in steps, no division, a hard look-up, the residual."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given as generated
from hypothesis import strategies as st

from attention_core import (
    EXAMPLES,
    AttentionError,
    Graph,
    attention,
    cross_attention,
    gradients,
    look_up,
    overflows,
    residual,
    self_attention,
    softmax_in_steps,
    unscaled,
    without_value,
)
from attention_core.matrix import Array
from tests.core.test_derivations import check_cell
from tests.core.test_emit import MASKS, check_programs

pytestmark = pytest.mark.filterwarnings("error")
INF = float("inf")
every_mask = pytest.mark.parametrize("mask", MASKS)
both_ways = pytest.mark.parametrize("shift", [False, True], ids=["plain", "shifted"])
SHAPES = {"X": (3, 4), "W_Q": (4, 2), "W_K": (4, 2), "W_V": (4, 3), "W_O": (3, 4)}


def _arrays(seed: int = 0) -> dict[str, Array]:
    rng = np.random.default_rng(seed)
    return {key: rng.normal(size=shape) for key, shape in SHAPES.items()}


def _plain(mask: Any, seed: int = 0, scale: float | None = None) -> Graph:
    X, W_Q, W_K, W_V, _ = _arrays(seed).values()
    return self_attention(X, W_Q, W_K, W_V, mask, scale)


def _scores(rows: list[list[float]], mask: Any = None) -> Graph:
    """Attention whose scores are the given rows."""
    value = np.array(rows)
    return attention(np.eye(len(value)), value.T, np.eye(value.shape[1]), mask, scale=1.0)


def same(left: Array, right: Any) -> None:
    np.testing.assert_allclose(left, np.asarray(right), rtol=1e-12, atol=1e-13)


def _kept(before: Graph, after: Graph) -> None:
    """Every matrix is still there, under its key and with its numbers and flags."""
    for matrix in before.steps:
        same(after[matrix.key].value, matrix.value)
        assert after[matrix.key].undefined == matrix.undefined
    order = [m.key for m in after.steps if m.key in before]
    assert order == [m.key for m in before.steps]
    assert set(before) <= set(after)
    assert not {"K_T", "M"} & set(after)


@every_mask
@both_ways
def test_the_softmax_in_steps_is_the_softmax(mask: str, shift: bool) -> None:
    plain = _plain(MASKS[mask])
    graph = softmax_in_steps(plain, shift)
    _kept(plain, graph)
    scores = torch.tensor(plain["S_masked"].value)
    if shift:
        top = torch.where(torch.isneginf(scores).all(1, True), 0.0, scores.amax(1, True))
        same(graph["m"].value, top)
        same(graph["S_shift"].value, scores - top)
        scores = scores - top
    same(graph["E"].value, scores.exp())
    same(graph["Z"].value, scores.exp().sum(1, True))
    assert [m.key for m in graph["A"].inputs] == ["E", "Z"]
    assert graph["O"].inputs[0] is graph["A"]
    assert graph.undefined_rows == plain.undefined_rows
    blocked_rows = np.isneginf(plain["S_masked"].value).all(axis=1)
    assert graph["A"].undefined == set(np.flatnonzero(blocked_rows).tolist())


@every_mask
@both_ways
def test_every_cell_of_the_stages_explains_itself(mask: str, shift: bool) -> None:
    graph = unscaled(look_up(residual(softmax_in_steps(_plain(MASKS[mask]), shift))))
    for matrix in graph.steps:
        for row, col in np.ndindex(*matrix.shape):
            why = graph.explain(matrix.key, row, col)
            check_cell(why)
            assert "«" in why.title
            if not why.sources:  # it is given, or it says why nothing is behind it
                assert why.given or why.words is not None


@every_mask
@both_ways
def test_programs_of_the_stages(mask: str, shift: bool) -> None:
    check_programs(unscaled(look_up(residual(softmax_in_steps(_plain(MASKS[mask]), shift)))))


@every_mask
@both_ways
def test_gradients_through_the_steps_are_those_of_the_softmax(mask: str, shift: bool) -> None:
    upstream = np.random.default_rng(1).normal(size=(3, 3))
    plain = gradients(_plain(MASKS[mask]), "O", upstream)
    steps = gradients(softmax_in_steps(_plain(MASKS[mask]), shift), "O", upstream)
    for key in ("dX", "dW_Q", "dW_K", "dW_V", "dA"):
        np.testing.assert_allclose(steps[key].value, plain[key].value, rtol=1e-9, atol=1e-11)
    check_programs(steps)


@both_ways
def test_a_blocked_key_leads_nowhere_behind_its_exponential(shift: bool) -> None:
    graph = softmax_in_steps(_plain("causal"), shift)
    assert [str(cell) for cell in graph.trace("A", 0, 2).cells] == ["A:0,2", "E:0,2"]
    assert graph.explain("A", 0, 2).words == "0 stays 0, whatever it is divided by."
    assert len(graph.trace("A", 2, 0).inputs) > 20


numbers = st.one_of(
    st.floats(-8, 8), st.floats(-1e3, 1e3), st.sampled_from([1e4, -1e4, 700.5, -700.5, -3.5, -INF])
)


@generated(st.lists(st.lists(numbers, min_size=3, max_size=3), min_size=1, max_size=3))
def test_any_scores_in_steps(rows: list[list[float]]) -> None:
    """Shifted always works; plain works or refuses, and never gives other weights."""
    mask = np.array(rows)
    plain = attention(np.zeros((len(rows), 1)), np.zeros((3, 1)), np.eye(3), mask)
    same(softmax_in_steps(plain, shift=True)["A"].value, plain["A"].value)
    tops = [max(row) for row in rows if max(row) > -INF]
    assert overflows(plain) == any(not -3 <= top <= 700 for top in tops)
    if any(abs(top) > 700 for top in tops):
        with pytest.raises(AttentionError, match=r"does not fit into float64\. Use shift=True\."):
            softmax_in_steps(plain)
    else:
        graph = softmax_in_steps(plain)
        same(graph["A"].value, plain["A"].value)
        assert graph["A"].undefined == plain["A"].undefined


@pytest.mark.parametrize("top", [-1e4, -701.0, 701.0, 1e4])
def test_exponentials_that_do_not_fit_are_refused_by_name(top: float) -> None:
    graph = _scores([[0.0, 1.0], [top, top - 1]])
    with pytest.raises(AttentionError) as error:
        softmax_in_steps(graph)
    assert str(error.value) == (
        f"softmax_in_steps: the largest score of «2» is {top:g}, and its exponential does not fit "
        "into float64. Use shift=True."
    )
    same(softmax_in_steps(graph, shift=True)["A"].value, graph["A"].value)


@pytest.mark.parametrize("top", [-701.0, -3.1, -3.0, 0.0, 700.0, 700.1, 1e5])
def test_it_overflows_where_the_softmax_shows_the_maximum_first(top: float) -> None:
    graph = _scores([[top, top - 1], [0.0, 0.0]])
    shown_first = graph.explain("A", 0, 0).steps[0].name == "row maximum"
    assert overflows(graph) == shown_first


def test_a_row_with_every_key_blocked_does_not_overflow() -> None:
    graph = _scores([[1e5, 0.0], [1.0, 2.0]], mask=[[False, False], [True, True]])
    assert not overflows(graph)
    assert softmax_in_steps(graph)["A"].undefined == {0}


def test_steps_are_refused_twice() -> None:
    with pytest.raises(AttentionError, match="A is not a softmax here"):
        softmax_in_steps(softmax_in_steps(_plain(None)))


@every_mask
def test_without_the_division(mask: str) -> None:
    plain = _plain(MASKS[mask])
    graph = unscaled(plain)
    _kept(plain, graph)
    same(graph["A_scaled"].value, _plain(None)["A"].value)
    same(graph["A_raw"].value, _plain(None, scale=1.0)["A"].value)


@every_mask
def test_a_look_up_in_a_table(mask: str) -> None:
    plain = _plain(MASKS[mask])
    graph = look_up(plain)
    _kept(plain, graph)
    scores = torch.tensor(plain["S_masked"].value)
    H = torch.nn.functional.one_hot(scores.argmax(dim=1), 3).double()
    H[torch.isneginf(scores).all(dim=1)] = 0.0
    same(graph["H"].value, H)
    same(graph["O_H"].value, H @ torch.tensor(plain["V"].value))
    assert graph["H"].undefined == graph["O_H"].undefined == plain["O"].undefined


def test_ties_share_what_is_looked_up_and_are_the_largest_that_are_marked() -> None:
    third = 0.1 + 0.2  # not quite 0.3: float dust does not break a tie
    graph = look_up(_scores([[0.3, third, 0.0], [2.0, 2.0, 2.0], [0.0, 1.0, 0.0]]))
    assert graph["H"].value.tolist() == [[0.5, 0.5, 0.0], [1 / 3] * 3, [0.0, 1.0, 0.0]]
    for row in range(3):
        marked = [cell.col for cell in graph.largest("S_masked", row)]
        assert marked == np.flatnonzero(graph["H"].value[row]).tolist()


def test_a_look_up_says_why_in_words() -> None:
    allowed = [[True, True, False], [False] * 3, [True] * 3]
    rows = [[5.0, 3.0, 9.0], [0.0] * 3, [4.0, 4.0, 1.0]]
    value = np.array(rows)
    graph = look_up(
        attention(np.eye(3), value.T, np.eye(3), allowed, scale=1.0, tokens=("I", "love", "AI"))
    )
    said = [graph.explain("H", row, col).words for row, col in np.ndindex(3, 3)]
    nothing = (
        "Every key is blocked for «love»: there is nothing to look up, and the row stands as 0."
    )
    assert said == [
        "«I» has the largest score of the row, so it gets everything.",
        "«love» does not have the largest score of the row, so it gets nothing.",
        "«AI» is blocked, so it gets nothing.",
        nothing,
        nothing,
        nothing,
        "«I» shares the largest score of the row with «love»: 1/2 each.",
        "«love» shares the largest score of the row with «I»: 1/2 each.",
        "«AI» does not have the largest score of the row, so it gets nothing.",
    ]


def test_no_gradient_flows_through_a_look_up() -> None:
    full = gradients(look_up(_plain("causal")), "O_H")
    assert not full["dS_masked"].value.any()
    assert full["dV"].value.any()
    assert full.explain("dS_masked", 0, 0).words == "Times 0: it is 0, whatever the number is."


@every_mask
def test_the_residual_stream_against_pytorch(mask: str) -> None:
    plain, arrays = _plain(MASKS[mask]), _arrays()
    graph = residual(plain, arrays["W_O"])
    _kept(plain, graph)
    X, W_O, O = (torch.tensor(a) for a in (arrays["X"], arrays["W_O"], plain["O"].value))
    same(graph["U"].value, O @ W_O)
    same(graph["X_out"].value, X + O @ W_O)
    for row in plain["O"].undefined:
        assert graph["U"].value[row].tolist() == [0.0] * 4
        assert graph["X_out"].value[row].tolist() == arrays["X"][row].tolist()
        assert graph.explain("U", row, 0).undefined
        assert not graph.explain("X_out", row, 0).undefined


def test_gradients_of_the_residual_stream() -> None:
    leaves = {key: torch.tensor(a, requires_grad=True) for key, a in _arrays(5).items()}
    X, W_Q, W_K, W_V, W_O = leaves.values()
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    O = torch.nn.functional.scaled_dot_product_attention(Q, K, V)
    wanted = torch.autograd.grad((X + O @ W_O).sum(), list(leaves.values()))
    graph = residual(_plain(None, 5), _arrays(5)["W_O"])
    full = gradients(graph, "X_out")
    for key, truth in zip(leaves, wanted, strict=True):
        np.testing.assert_allclose(full[f"d{key}"].value, truth.numpy(), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("d_v", [1, 3, 6])
def test_without_output_weights_component_i_goes_to_feature_i(d_v: int) -> None:
    rng = np.random.default_rng(d_v)
    X, W_Q, W_K, W_V = (rng.normal(size=s) for s in ((2, 3), (3, 2), (3, 2), (3, d_v)))
    graph = residual(self_attention(X, W_Q, W_K, W_V, features=("noun", "verb", "end")))
    kept = min(3, d_v)
    assert graph["W_O"].value.tolist() == np.eye(d_v, 3).tolist()
    same(graph["U"].value[:, :kept], graph["O"].value[:, :kept])
    assert not graph["U"].value[:, kept:].any()
    assert graph["X_out"].cols.labels == ("noun", "verb", "end")
    assert graph.explain("W_O", 0, 1).title == "The weight from component 1 to feature «verb»"


def test_the_order_of_the_stages_does_not_matter() -> None:
    one = softmax_in_steps(residual(look_up(_plain("causal"))), shift=True)
    other = look_up(residual(softmax_in_steps(_plain("causal"), shift=True)))
    assert set(one) == set(other)
    for key in one:
        assert one[key].value.tolist() == other[key].value.tolist()
    assert one["X_out"].inputs[1].inputs[0].inputs[0] is one["A"]


def test_the_residual_stream_of_cross_attention() -> None:
    X, Y, W = np.ones((1, 2)), np.eye(2), np.eye(2)
    graph = residual(cross_attention(X, Y, W, W, W))
    same(graph["X_out"].value, graph["X"].value + graph["O"].value)


@pytest.mark.parametrize(
    ("graph", "W_O", "message"),
    [
        (
            EXAMPLES["hand"].graph(),
            None,
            "residual: there are no embeddings X to add to: this graph starts from Q, K and V. "
            "Use self_attention(X, W_Q, W_K, W_V).",
        ),
        (
            EXAMPLES["love"].graph(),
            [[1.0, 2.0]],
            "W_O: is 1×2, wanted 3×4: one row for each column of O, which is 3×3, and one column "
            "for each of X, which is 3×4.",
        ),
        (
            EXAMPLES["love"].graph(),
            [[1.0], [INF]],
            "W_O: the entry in row 2, column 1 is inf. Ever",
        ),
    ],
    ids=["no X", "shape", "infinite"],
)
def test_an_impossible_residual_is_refused_by_name(graph: Graph, W_O: Any, message: str) -> None:
    with pytest.raises(AttentionError) as error:
        residual(graph, W_O)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("stage", [look_up, unscaled, residual])
def test_a_stage_is_refused_twice(stage: Any) -> None:
    with pytest.raises(AttentionError, match="two matrices are called"):
        stage(stage(_plain(None)))


def test_weights_do_not_know_the_values() -> None:
    """One value gone: the weights are the same matrix, and every output lacks that term."""
    plain = _plain("causal", 4)
    graph = without_value(plain, 2)
    check_programs(graph)
    assert graph["O_zero"].inputs[0] is plain["A"]
    term = np.outer(plain["A"].value[:, 2], plain["V"].value[2])
    np.testing.assert_allclose(graph["O"].value - graph["O_zero"].value, term, atol=1e-12)
    for token in (-1, 3):
        with pytest.raises(AttentionError, match=f"token is {token}, .*there are 3, counted"):
            without_value(plain, token)
