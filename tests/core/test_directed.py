"""Scores with one matrix, lengths and cosines, against PyTorch; zeros; refusals."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch

from attention_core import (
    EXAMPLES,
    AttentionError,
    Graph,
    attention,
    cosines,
    gradients,
    one_for_both,
    one_matrix,
)
from attention_core.matrix import given
from attention_core.ops import divide, row_length
from tests.core.test_derivations import check_cell
from tests.core.test_emit import attention_of, check_programs, cross_attention_of, self_attention_of

Build = Callable[[str | None], Graph]
pytestmark = pytest.mark.filterwarnings("error")
GRAPHS: dict[str, Build] = {
    "self": self_attention_of,
    "cross": cross_attention_of,
    "given": attention_of,
}


def _all(graph: Graph) -> Graph:
    graph = cosines(one_for_both(graph))
    return one_matrix(graph) if "X" in graph else graph


@pytest.mark.parametrize("build", GRAPHS.values(), ids=GRAPHS)
def test_cosines_are_those_of_pytorch(build: Build) -> None:
    graph = _all(build("causal"))
    Q, K = (torch.tensor(graph[key].value) for key in "QK")
    truth = torch.nn.functional.cosine_similarity(Q[:, None], K[None], dim=2)
    np.testing.assert_allclose(graph["C"].value, truth.numpy(), rtol=1e-12)
    assert abs(graph["C"].value).max() <= 1.0 + 1e-12


@pytest.mark.parametrize("build", [self_attention_of, cross_attention_of])
def test_one_matrix_gives_the_same_scores(build: Build) -> None:
    graph = one_matrix(build(None))
    np.testing.assert_allclose(graph["S_X"].value, graph["S"].value, rtol=1e-12, atol=1e-14)
    assert np.linalg.matrix_rank(graph["W_QK"].value) <= graph["Q"].shape[1]


def test_the_integers_of_an_example_are_the_same_to_the_last_digit() -> None:
    for key in ("love", "cat"):
        graph = one_matrix(EXAMPLES[key].graph())
        assert (graph["S_X"].value == graph["S"].value).all()


def test_one_matrix_for_both_is_symmetric_and_is_s_where_they_are_tied() -> None:
    graph = one_for_both(EXAMPLES["love"].inputs.with_tied().graph())
    assert (graph["S_tied"].value == graph["S"].value).all()
    assert graph.unlike("S_tied") is None
    assert one_matrix(graph).unlike("W_QK") is None
    assert graph.unlike("S") is None


@pytest.mark.parametrize("build", GRAPHS.values(), ids=GRAPHS)
def test_every_cell_explains_itself_and_the_program_runs(
    build: Callable[[str | None], Graph],
) -> None:
    graph = _all(build("causal"))
    check_programs(graph)
    for matrix in graph.steps:
        for row, col in np.ndindex(*matrix.shape):
            for decimals in (0, 3):
                check_cell(graph.explain(matrix.key, row, col, decimals))


def test_rows_of_zeros_have_no_direction_and_stand_as_0() -> None:
    graph = cosines(attention([[0, 0], [3, 4]], [[0, 0], [-3, -4]], [[1], [2]]))
    assert graph["C"].value.tolist() == [[0.0, 0.0], [0.0, -1.0]]
    assert graph["len_Q"].value.tolist() == [[0.0], [5.0]]
    assert graph.undefined_rows == (), "no key is blocked"
    why = graph.explain("C", 1, 0)
    assert (why.text, why.sources) == ("C[2, 1] = 0", ())
    assert why.words == "S and len_QK are both 0 here. 0/0 has no value, and 0 stands here."
    assert graph.explain("len_K", 0, 0).words == "All numbers of «1» are 0: the row points nowhere."
    check_programs(graph)


def test_the_gradient_of_cosines_with_zeros_is_finite_and_that_of_pytorch_elsewhere() -> None:
    Q, K = [[0.0, 0.0], [3.0, 4.0]], [[0.0, 0.0], [-1.0, 2.0]]
    graph = gradients(cosines(attention(Q, K, [[1], [2]])), "C")
    leaves = [torch.tensor(rows[1:], dtype=torch.float64, requires_grad=True) for rows in (Q, K)]
    truth = torch.nn.functional.cosine_similarity(leaves[0], leaves[1]).sum()
    for key, grad in zip(("dQ", "dK"), torch.autograd.grad(truth, leaves), strict=True):
        assert np.isfinite(graph[key].value).all()
        assert not graph[key].value[0].any()
        np.testing.assert_allclose(graph[key].value[1:], grad.numpy(), rtol=1e-12)


def test_a_number_over_0_is_refused_by_name() -> None:
    with pytest.raises(AttentionError) as error:
        divide(given("S", [[1.0, 2.0]]), given("B", [[1.0, 0.0]]), "C")
    assert str(error.value) == (
        "divide: B is 0 in row 1, column 2, and the entry of S there cannot be divided by 0. Only "
        "0 may stand over a 0."
    )


def test_other_shapes_and_too_large_numbers_are_refused_by_name() -> None:
    with pytest.raises(AttentionError, match="must have the same shape"):
        divide(given("S", [[1.0, 2.0]]), given("B", [[1.0]]), "C")
    with pytest.raises(AttentionError, match="row_length: len is too large for float64"):
        row_length(given("A", [[1e200, 1.0]]), "len")


def test_a_length_below_its_digits_is_shown_without_a_fault() -> None:
    """Half a unit may make a square negative: hand arithmetic never takes the root of that."""
    why = cosines(attention([[0.3]], [[1.0]], [[1.0]])).explain("len_Q", 0, 0, decimals=0)
    low, high = why.expression.bounds(0.5)
    assert low == 0.0
    assert high == pytest.approx(0.8)


def test_without_embeddings_there_is_no_one_matrix() -> None:
    with pytest.raises(AttentionError, match="this graph starts from Q, K and V"):
        one_matrix(EXAMPLES["hand"].graph())
