"""Law 5: emitted code runs, without a warning, and gives the same matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given as generated
from hypothesis import strategies as st

from attention_core import (
    Graph,
    attention,
    cross_attention,
    gradients,
    numpy_code,
    numpy_line,
    padding,
    self_attention,
    sliding_window,
    torch_code,
    torch_line,
)
from attention_core.matrix import Array
from attention_core.ops import OPS
from tests.core.op_cases import EXTREME, INF, drawn

pytestmark = pytest.mark.filterwarnings("error")

MASKS: dict[str, str | Array | None] = {
    "none": None,
    "causal": "causal",
    "bottom-right": "causal-bottom-right",
    "boolean": np.array([[True, False, True], [True, True, False], [False, True, True]]),
    "blocked row": np.array([[True, False, False], [False, False, False], [True, True, True]]),
    "added": np.array([[0.5, -INF, 1.25], [0.0, -3.0, 0.0], [-INF, -INF, -INF]]),
    "padding": padding([True, True, False]),
    "window": sliding_window(3, 2),
}
WORDS = {"none": None, "causal": "causal", "bottom-right": "causal-bottom-right"}


def _normal(seed: int, *shapes: tuple[int, int]) -> list[Array]:
    rng = np.random.default_rng(seed)
    return [rng.normal(size=shape) for shape in shapes]


def self_attention_of(mask: str | Array | None) -> Graph:
    X, W_Q, W_K, W_V = _normal(0, (3, 4), (4, 2), (4, 2), (4, 3))
    return self_attention(X, W_Q, W_K, W_V, mask)


def cross_attention_of(mask: str | Array | None) -> Graph:
    X, Y, W_Q, W_K, W_V = _normal(1, (3, 4), (3, 5), (4, 2), (5, 2), (5, 3))
    return cross_attention(X, Y, W_Q, W_K, W_V, mask)


def attention_of(mask: str | Array | None) -> Graph:
    Q, K, V = _normal(2, (3, 2), (3, 2), (3, 1))
    return attention(Q, K, V, mask, scale=-0.75)


def run(code: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(code, names)
    return names


def check_programs(graph: Graph) -> None:
    for names in (run(numpy_code(graph)), run(torch_code(graph))):
        for matrix in graph.steps:
            got = np.asarray(names[matrix.key])
            assert got.dtype == np.float64
            np.testing.assert_allclose(got, matrix.value, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("build", [self_attention_of, cross_attention_of, attention_of])
def test_whole_programs(build: Callable[[str | Array | None], Graph], mask: str) -> None:
    check_programs(build(MASKS[mask]))


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("build", [self_attention_of, cross_attention_of, attention_of])
def test_whole_programs_of_gradients(
    build: Callable[[str | Array | None], Graph], mask: str
) -> None:
    graph = build(MASKS[mask])
    check_programs(gradients(graph, "O", _normal(3, graph["O"].shape)[0]))


@pytest.mark.parametrize("mask", WORDS)
@pytest.mark.parametrize("shape", [(1, 1), (2, 5), (5, 2)])
def test_programs_of_other_shapes(mask: str, shape: tuple[int, int]) -> None:
    n_q, n_k = shape
    Q, K, V = _normal(4, (n_q, 3), (n_k, 3), (n_k, 2))
    check_programs(attention(Q, K, V, WORDS[mask]))


@pytest.mark.parametrize("size", [1e4, 1e6])
def test_programs_of_large_logits(size: float) -> None:
    Q, K, V = _normal(5, (3, 2), (3, 2), (3, 2))
    check_programs(attention(Q * size, K, V, "causal"))


@pytest.mark.parametrize("name", OPS)
@generated(data=st.data())
def test_one_line(name: str, data: st.DataObject) -> None:
    out = data.draw(drawn(name, EXTREME)).matrix
    op = out.op
    assert op is not None
    top = max(abs(m.value[np.isfinite(m.value)]).max(initial=1.0) for m in out.inputs)
    atol = {"matmul": 3e-15 * top**2, "row_sum": 3e-15 * top}.get(name, 0.0)
    numpy_names: dict[str, Any] = {"np": np, **{m.key: m.value.copy() for m in out.inputs}}
    torch_names: dict[str, Any] = {
        "torch": torch,
        **{m.key: torch.tensor(m.value) for m in out.inputs},
    }
    exec(f"{op.numpy_setup}\n{numpy_line(out)}", numpy_names)
    exec(f"{op.torch_setup}\n{torch_line(out)}", torch_names)
    assert numpy_line(out).startswith("Z = ")
    for got in (numpy_names["Z"], torch_names["Z"].numpy()):
        np.testing.assert_allclose(got, out.value, rtol=1e-12, atol=atol)
    for matrix in out.inputs:  # and the inputs are as they were
        assert np.array_equal(numpy_names[matrix.key], matrix.value)
        assert np.array_equal(torch_names[matrix.key].numpy(), matrix.value)


def test_a_setup_stands_once_and_before_its_use() -> None:
    code = numpy_code(self_attention_of("causal"))
    assert code.count("def row_softmax(S):") == 1
    assert code.index("def row_softmax(S):") < code.index("A = row_softmax(S_masked)")


def test_golden_program() -> None:
    graph = attention([[1, 0]], [[1, 2], [3, 4]], [[1], [2]], mask=[[True, False]])
    lines = [line for line in numpy_code(graph).splitlines() if line and line[0].isupper()]
    assert lines == [
        "Q = np.array([[1.0, 0.0]])  # (1, 2)",
        "K = np.array([[1.0, 2.0], [3.0, 4.0]])  # (2, 2)",
        "V = np.array([[1.0], [2.0]])  # (2, 1)",
        "K_T = K.T  # (2, 2)",
        "S = Q @ K_T  # (1, 2)",
        "S_scaled = S / np.sqrt(2)  # (1, 2)",
        "M = np.array([[0.0, -inf]])  # (1, 2)",
        "S_masked = S_scaled + M  # (1, 2)",
        "A = row_softmax(S_masked)  # (1, 2)",
        "O = A @ V  # (1, 1)",
    ]
    torch_lines = torch_code(graph).splitlines()
    assert "S_scaled = S / 2 ** 0.5  # (1, 2)" in torch_lines
    assert "M = torch.tensor([[0.0, -inf]], dtype=torch.float64)  # (1, 2)" in torch_lines
