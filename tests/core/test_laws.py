"""The laws of an op, over the whole registry and generated shapes and values.

Forward, sources and gradients are here; explanations are in ``test_derivations``, emitted code in
``test_emit`` and golden strings in ``test_golden``.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given as generated
from hypothesis import strategies as st

from attention_core.explain import Explanation
from attention_core.matrix import Array, Matrix, given
from attention_core.ops import OPS, apply
from tests.core.op_cases import CASES, EXTREME, Drawn, drawn

pytestmark = pytest.mark.filterwarnings("error")
every_op = pytest.mark.parametrize("name", OPS)
STEP = 1e-5


def test_every_op_has_a_row() -> None:
    missing = sorted(OPS.keys() ^ CASES.keys())
    assert not missing, f"give {missing} a row in tests/core/op_cases.py"


@every_op
@generated(data=st.data())
def test_a_row_uses_its_op(name: str, data: st.DataObject) -> None:
    use = data.draw(drawn(name))
    assert type(use.matrix.op) is OPS[name]
    assert OPS[name].name == name


@every_op
@generated(data=st.data())
def test_forward_equals_the_truth(name: str, data: st.DataObject) -> None:
    use = data.draw(drawn(name, EXTREME))
    truth = use.case.truth(use.parameter, *(torch.tensor(a) for a in use.arrays))
    size = max((float(abs(a[np.isfinite(a)]).max(initial=1.0)) for a in use.arrays), default=1.0)
    room = 1e-15 * size**2 if name == "matmul" else 1e-15 * size
    np.testing.assert_allclose(use.matrix.value, truth.numpy(), rtol=1e-12, atol=room)
    assert use.matrix.shape == use.matrix.value.shape == truth.shape
    assert use.matrix.blocked == bool(np.isinf(truth.numpy()).any())


def _slopes(use: Drawn) -> dict[tuple[int, int, int], Array]:
    """How every output cell changes with each finite input cell, by central differences."""
    op = use.matrix.op
    assert op is not None
    slopes = {}
    for index, array in enumerate(use.arrays):
        for row, col in np.argwhere(np.isfinite(array)).tolist():
            moved = []
            for step in (STEP, -STEP):
                arrays = [a.copy() for a in use.arrays]
                arrays[index][row, col] += step
                value = op.forward(*arrays)
                moved.append(np.where(np.isfinite(value), value, 0.0))
            slopes[index, row, col] = (moved[0] - moved[1]) / (2 * STEP)
    return slopes


@every_op
@generated(data=st.data())
def test_sources_are_the_cells_that_change_it(name: str, data: st.DataObject) -> None:
    use = data.draw(drawn(name))
    slopes = _slopes(use)
    for row, col in np.ndindex(*use.matrix.shape):
        named = [str(cell) for cell in Explanation(use.matrix, row, col).sources]
        felt = {
            f"{'ABC'[index]}:{i},{j}"
            for (index, i, j), slope in slopes.items()
            if abs(slope[row, col]) > 1e-7
        }
        assert len(named) == len(set(named))
        assert set(named) == felt


@every_op
@generated(data=st.data())
def test_vjp_equals_finite_differences(name: str, data: st.DataObject) -> None:
    use = data.draw(drawn(name))
    out, op = use.matrix, use.matrix.op
    assert op is not None
    seed = data.draw(st.integers(0, 2**32 - 1))
    upstream = np.random.default_rng(seed).normal(size=out.shape)
    shares = op.vjp(given("dZ", upstream, out.rows, out.cols), out, *out.inputs)
    assert [share.key for share in shares] == [f"d{m.key}" for m in out.inputs]
    felt = [np.zeros(array.shape) for array in use.arrays]
    for (index, row, col), slope in _slopes(use).items():
        felt[index][row, col] = (upstream * slope).sum()
    for share, truth in zip(shares, felt, strict=True):
        np.testing.assert_allclose(share.value, truth, rtol=1e-6, atol=1e-8)


@every_op
@generated(data=st.data())
def test_a_row_called_undefined_stands_as_0(name: str, data: st.DataObject) -> None:
    """Whichever input has a row without a distribution: what is flagged in the output is 0."""
    use = data.draw(drawn(name))
    for index, matrix in enumerate(use.matrix.inputs):
        zeroed = matrix.value.copy()
        zeroed[0] = 0.0
        flagged = replace(matrix, value=zeroed, undefined=frozenset({0}))
        inputs = [*use.matrix.inputs[:index], flagged, *use.matrix.inputs[index + 1 :]]
        assert use.matrix.op is not None
        out = apply(use.matrix.op, "Z", *inputs)
        for line in out.undefined:
            assert not (out.value.T if out.by_column else out.value)[line].any()


@every_op
@generated(data=st.data())
def test_a_vjp_is_written_with_ops(name: str, data: st.DataObject) -> None:
    """Every matrix of a gradient has an op of the registry, back to what was given."""
    use = data.draw(drawn(name))
    out, op = use.matrix, use.matrix.op
    assert op is not None
    start = given("dZ", np.ones(out.shape), out.rows, out.cols)
    given_keys = {"dZ", out.key, *(m.key for m in out.inputs)}

    def visit(matrix: Matrix) -> None:
        if matrix.key in given_keys:
            return
        if matrix.op is None:  # which cells a mask leaves open is not differentiated
            assert matrix.key.startswith("open_"), (
                f"{matrix.key} has no op. Write the gradient with ops; a constant that is 1 where "
                "a gradient passes and 0 where not has a key that starts with open_"
            )
            return
        assert type(matrix.op) in OPS.values()
        for source in matrix.inputs:
            visit(source)

    for share in op.vjp(start, out, *out.inputs):
        assert share.op is not None, (
            f"vjp of {name} gives {share.key} back. Each share is a new matrix: where the gradient "
            "passes unchanged, scale(g, 1.0, key)"
        )
        visit(share)


@every_op
@generated(data=st.data())
def test_forward_leaves_its_inputs_alone(name: str, data: st.DataObject) -> None:
    use = data.draw(drawn(name))
    op = use.matrix.op
    assert op is not None
    copies = [a.copy() for a in use.arrays]
    op.forward(*copies)
    for array, copy in zip(use.arrays, copies, strict=True):
        np.testing.assert_array_equal(array, copy)
    assert not use.matrix.value.flags.writeable


def test_a_row_with_nothing_open_stands_as_zero_and_is_flagged() -> None:
    scores = given("A", [[-np.inf, -np.inf], [-np.inf, 3.0]], minus_infinity=True)
    weights = CASES["row_softmax"].build(0, scores)
    assert weights.value.tolist() == [[0.0, 0.0], [0.0, 1.0]]
    assert weights.undefined == {0}
    assert not weights.blocked


@pytest.mark.parametrize("name", ["add", "subtract"])
def test_a_sum_with_a_defined_row_is_defined(name: str) -> None:
    """A blocked row of O stands as 0; O + X (the residual stream) is X there, not «no value»."""
    scores = given("A", [[-np.inf, -np.inf], [1.0, 3.0]], minus_infinity=True)
    weights = CASES["row_softmax"].build(0, scores)
    other = given("X", [[5.0, 6.0], [7.0, 8.0]], weights.rows, weights.cols)
    for pair in ((weights, other), (other, weights)):
        assert CASES[name].build(0, *pair).undefined == frozenset()
    both = CASES[name].build(0, weights, CASES["row_softmax"].build(0, scores))
    assert both.undefined == {0}


def test_a_row_of_zeros_over_0_stands_as_zero_and_is_flagged() -> None:
    top, bottom = given("A", [[0.0, 0.0], [0.0, 3.0]]), given("B", [[0.0], [4.0]])
    quotient = CASES["divide_by_column"].build(0, top, bottom)
    assert quotient.value.tolist() == [[0.0, 0.0], [0.0, 0.75]]
    assert quotient.undefined == {0}
    sources = [Explanation(quotient, *at).sources for at in ((0, 0), (1, 0), (1, 1))]
    assert [[str(cell) for cell in found] for found in sources] == [
        [],
        ["A:1,0"],  # 0 stays 0, whatever it is divided by
        ["A:1,1", "B:1,0"],
    ]
    slopes = _slopes(Drawn(CASES["divide_by_column"], 0, quotient))
    assert not any(slope[0].any() for slope in slopes.values())
    assert quotient.op is not None
    shares = quotient.op.vjp(given("dZ", [[5.0, 6.0], [7.0, 8.0]]), quotient, top, bottom)
    assert [share.value.tolist() for share in shares] == [
        [[0.0, 0.0], [1.75, 2.0]],
        [[0.0], [-8.0 * 3.0 / 16.0]],
    ]


def test_a_row_over_an_undefined_0_is_undefined_too() -> None:
    bottom = replace(given("B", [[0.0]]), undefined=frozenset({0}))
    quotient = CASES["divide_by_column"].build(0, given("A", [[1.0, 2.0]]), bottom)
    assert quotient.value.tolist() == [[0.0, 0.0]]
    assert quotient.undefined == {0}


@pytest.mark.parametrize("name", ["row_max", "hard_max"])
def test_a_row_without_a_largest_entry_is_flagged_and_says_so(name: str) -> None:
    scores = given("A", [[-np.inf, -np.inf], [-np.inf, 3.0]], minus_infinity=True)
    out = CASES[name].build(0, scores)
    assert not out.value[0].any()
    assert out.value[1, -1] in (1.0, 3.0)
    assert out.undefined == {0}
    why = Explanation(out, 0, 0)
    assert (why.sources, why.substituted, why.undefined) == ((), "0", True)
    assert str(why.words).startswith("Every key is blocked for «1»: there is no")


def test_where_the_largest_tie_the_first_is_named() -> None:
    top = CASES["row_max"].build(0, given("A", [[1.0, 5.0, 5.0]]))
    assert [str(cell) for cell in Explanation(top, 0, 0).sources] == ["A:0,1"]
    assert Explanation(top, 0, 0).words == "«2» has the largest weight of «1»."
    assert top.op is not None
    (share,) = top.op.vjp(given("dZ", [[2.0]]), top, *top.inputs)
    assert share.value.tolist() == [[0.0, 2.0, 0.0]]
