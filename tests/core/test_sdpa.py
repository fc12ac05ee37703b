"""PyTorch's own attention in a graph's program: where it stands, and that it says the same."""

from __future__ import annotations

import numpy as np
import pytest

from attention_core import (
    EXAMPLES,
    MASKS,
    VARIANTS,
    AttentionError,
    Graph,
    attention,
    gradients,
    residual,
    sdpa_calls,
    sdpa_code,
    softmax_in_steps,
    toy_inputs,
    unscaled,
)
from attention_core.masks import MaskLike
from tests.core.test_emit import MASKS as EVERY_MASK
from tests.core.test_emit import attention_of, cross_attention_of, run, self_attention_of

LONG = toy_inputs(["a", "b", "c", "a", "e", "f"], seed=3, d_model=8, d_k=8, d_v=8)
WITHOUT = "gradients"
# The outputs that each variant gets from a call, for one head of three columns or more.
OUTPUTS = {
    "heads": {"O", "O_1", "O_2", "O_3"},
    "grouped": {"O", "O_1", "O_2", "O_3"},
    "positions": {"O", "O_moved"},
    "cache": {"O", "O_was", "O_new", "O_2", "O_2_new"},
}


def expect_same(graph: Graph, decimals: int = 3) -> str:
    code = sdpa_code(graph, decimals)
    names = run(code)
    for key in [m.key for m in graph.steps if m.op is not None and m.key in names]:
        np.testing.assert_allclose(names[key].numpy(), graph[key].value, rtol=1e-9, atol=1e-11)
    assert set(sdpa_calls(graph)) <= names.keys()
    return code


def on(variant: str, mask: MaskLike) -> Graph:
    inputs = EXAMPLES["love"].inputs
    return VARIANTS[variant].graph(inputs.graph(mask), inputs, {})


@pytest.mark.parametrize("variant", sorted(set(VARIANTS) - {WITHOUT, "convention"}))
@pytest.mark.parametrize("mask", [None, "causal", "blocked"])
def test_every_variant(variant: str, mask: str | None) -> None:
    blocked = np.array([[False] * 3, [True] * 3, [True, False, True]])
    graph = on(variant, blocked if mask == "blocked" else mask)
    assert set(sdpa_calls(graph)) == OUTPUTS.get(variant, {"O"})
    code = expect_same(graph)
    assert code.count("F.scaled_dot_product_attention(") == len(sdpa_calls(graph))


@pytest.mark.parametrize("build", [self_attention_of, cross_attention_of, attention_of])
@pytest.mark.parametrize("mask", EVERY_MASK)
def test_every_mask(build: object, mask: str) -> None:
    graph = build(EVERY_MASK[mask])  # type: ignore[operator]
    code = expect_same(graph)
    assert ("attn_mask=M" in code) == graph["M"].value.any()
    assert (".nan_to_num()" in code) == bool(graph["O"].undefined)


@pytest.mark.parametrize("scale", [None, 1.0, -0.3, 0.0])
@pytest.mark.parametrize("decimals", [0, 4])
def test_every_scale(scale: float | None, decimals: int) -> None:
    graph = EXAMPLES["cat"].inputs.graph(MASKS["padding"][1](4), scale)
    assert (f"scale={scale}" in expect_same(graph, decimals)) == (scale is not None)


@pytest.mark.parametrize("encoding", ["rotary", "halves", "alibi", "sinusoidal"])
@pytest.mark.parametrize("mask", [None, "causal"])
def test_positions_go_into_the_call(encoding: str, mask: str | None) -> None:
    variant = VARIANTS["positions"]
    graph = variant.graph(LONG.graph(mask), LONG, {"encoding": encoding})
    code = expect_same(graph)
    if encoding == "alibi":
        assert f"attn_mask=B_alibi{' + M' if mask else ''})" in code
    elif encoding != "sinusoidal":
        assert "scaled_dot_product_attention(Q_rot, K_rot, V" in code


def test_what_surrounds_the_call_stands_line_by_line() -> None:
    code = expect_same(residual(EXAMPLES["love"].graph("causal")))
    assert "O = F.scaled_dot_product_attention(Q, K, V, attn_mask=M)  # 3 × 3" in code
    assert "M = torch.ones(3, 3, dtype=torch.bool).tril()  # True = may attend" in code
    assert "X_out = X + U  # 3 × 4" in code
    for hidden in ("S = ", "A = ", "K_T = "):
        assert hidden not in code


def test_weights_that_are_needed_elsewhere_are_computed() -> None:
    graph = gradients(EXAMPLES["love"].graph(), "O")
    assert not sdpa_calls(graph)
    with pytest.raises(AttentionError, match="computes nothing of this graph"):
        sdpa_code(graph)
    assert not sdpa_calls(softmax_in_steps(EXAMPLES["love"].graph()))
    beside = unscaled(EXAMPLES["love"].graph())  # A_raw without an output of its own
    assert set(sdpa_calls(beside)) == {"O"}
    assert "A_raw = " in expect_same(beside)


def test_a_wrong_number_is_found() -> None:
    code = sdpa_code(attention([[1]], [[2]], [[3]]))
    with pytest.raises(AssertionError):
        run(code.replace("check(O, [[3.0]])", "check(O, [[3.1]])"))
