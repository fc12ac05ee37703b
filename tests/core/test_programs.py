"""Attention as a function and as a PyTorch module: each runs and agrees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from attention_core import (
    EXAMPLES,
    AttentionError,
    Graph,
    attention,
    gradients,
    look_up,
    multi_head,
    numpy_function,
    residual,
    saturated_row,
    softmax_in_steps,
    torch_function,
    torch_module,
    toy_inputs,
    unscaled,
)
from attention_core.masks import NAMED
from tests.core.test_emit import MASKS, attention_of, cross_attention_of, run, self_attention_of

pytestmark = pytest.mark.filterwarnings("error")
FORMS: dict[str, Callable[[Graph], str]] = {
    "numpy": numpy_function,
    "torch": torch_function,
    "module": torch_module,
}
every_form = pytest.mark.parametrize("form", FORMS)
every_mask = pytest.mark.parametrize("mask", MASKS)


def check(graph: Graph, form: str, key: str = "O") -> str:
    """Run a program: its own check holds, and so does a finer one. Return its text."""
    code = FORMS[form](graph)
    result = run(code)["result"]
    assert isinstance(result, np.ndarray if form == "numpy" else torch.Tensor)
    got, wanted = np.asarray(result), graph[key].value
    assert got.dtype == np.float64
    assert got.shape == wanted.shape
    np.testing.assert_allclose(got, wanted, rtol=1e-11, atol=1e-12)
    return code


@every_form
@every_mask
@pytest.mark.parametrize(
    "build", [self_attention_of, cross_attention_of, attention_of], ids=["self", "cross", "given"]
)
def test_variants_and_masks(build: Callable[[Any], Graph], mask: str, form: str) -> None:
    graph = build(MASKS[mask])
    code = check(graph, form)
    assert any(f"{name} = " in code for name in ("M", "mask")) == graph["M"].value.any()


@every_form
@every_mask
@pytest.mark.parametrize("shift", [None, False, True], ids=["whole", "steps", "shifted"])
def test_stages(mask: str, shift: bool | None, form: str) -> None:
    graph = self_attention_of(MASKS[mask])
    W_O = np.random.default_rng(9).normal(size=(3, 4))
    graph = unscaled(look_up(residual(graph, W_O)))
    code = check(graph if shift is None else softmax_in_steps(graph, shift), form, "X_out")
    assert "hard_max" not in code
    assert "_raw" not in code


@every_form
@pytest.mark.parametrize("key", EXAMPLES)
@pytest.mark.parametrize("mask", NAMED)
@pytest.mark.parametrize("scale", [None, 1.0, -0.3, 0.0])
def test_examples(key: str, mask: str, scale: float | None, form: str) -> None:
    inputs = EXAMPLES[key].inputs
    allowed = NAMED[mask][1](len(inputs.tokens))
    check(inputs.graph(allowed, scale), form)
    check(inputs.with_tied().graph(allowed, scale), form)


@every_form
@pytest.mark.parametrize("n", [1, 2, 12])
@pytest.mark.parametrize("size", [1, 5, 8])
@pytest.mark.parametrize("mask", [None, "causal"])
def test_sizes(n: int, size: int, mask: str | None, form: str) -> None:
    graph = toy_inputs([str(i) for i in range(n)], 7, size, 9 - size, 3).graph(mask)
    check(graph, form)
    check(residual(graph), form, "X_out")


@every_form
def test_everything_blocked(form: str) -> None:
    graph = attention_of(np.zeros((3, 3), dtype=bool))
    check(graph, form)
    assert not graph["O"].value.any()


@every_form
@pytest.mark.parametrize("size", [1e4, 1e6])
def test_large_logits(size: float, form: str) -> None:
    rng = np.random.default_rng(5)
    Q, K, V = (rng.integers(-3, 4, (3, 2)).astype(float) for _ in range(3))
    check(attention(Q * size, K, V, "causal"), form)


@every_form
@pytest.mark.parametrize("key", ["love", "hand"])
def test_a_program_checks_itself(key: str, form: str) -> None:
    """Another number in its inputs, or another result, and its own check fails."""
    code = FORMS[form](EXAMPLES[key].graph())
    first = "X" if key == "love" else "V"
    at = code.index("[", code.index(f"\n{first} = "))
    other = code[:at] + code[at:].replace("1.0", "1.001", 1)
    for wrong in (other, code.replace("print(", "result = result + 1e-3\nprint(")):
        assert wrong != code
        with pytest.raises(AssertionError):
            run(wrong)


@every_form
def test_a_program_prints_its_result(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(FORMS[form](EXAMPLES["love"].graph()))
    printed = capsys.readouterr().out
    assert "1.637" in printed
    assert "0.07" in printed


@every_form
def test_gradients_are_no_part_of_a_program(form: str) -> None:
    graph = self_attention_of("causal")
    assert FORMS[form](gradients(graph)) == FORMS[form](graph)


@every_form
def test_a_graph_without_outputs_has_no_program(form: str) -> None:
    with pytest.raises(AttentionError, match=r"has no (output O|M|O)\b"):
        FORMS[form](saturated_row())


def parts(code: str) -> list[str]:
    return code.split("\n\n\n")


def test_golden_function() -> None:
    graph = attention([[1, 0]], [[1, 2], [3, 4]], [[1], [2]], mask=[[True, False]])
    imports, setup, function, main = parts(numpy_function(graph))
    assert imports == "import numpy as np"
    assert setup.startswith("def row_softmax(S):")
    assert function.splitlines() == [
        "def attention(Q, K, V):",
        "    K_T = K.T  # (d_k, n_k)",
        "    S = Q @ K_T  # (n, n_k)",
        "    S_scaled = S / np.sqrt(2)  # (n, n_k)",
        "    M = np.array([[0.0, -np.inf]])  # is added: -inf blocks a key",
        "    S_masked = S_scaled + M  # (n, n_k)",
        "    A = row_softmax(S_masked)  # (n, n_k)",
        "    O = A @ V  # (n, d_v)",
        "    return O",
    ]
    assert main.splitlines() == [
        "Q = np.array([[1.0, 0.0]])",
        "K = np.array([[1.0, 2.0], [3.0, 4.0]])",
        "V = np.array([[1.0], [2.0]])",
        "",
        "result = attention(Q, K, V)",
        "print(result.round(3))",
        "assert np.allclose(result, [[1.0]])",
    ]


def test_a_mask_of_zeros_and_what_only_it_needs_are_left_out() -> None:
    function = parts(torch_function(residual(EXAMPLES["love"].graph())))[2]
    assert function.splitlines() == [
        "def self_attention(X, W_Q, W_K, W_V, W_O):",
        "    Q = X @ W_Q  # (n, d_k)",
        "    K = X @ W_K  # (n, d_k)",
        "    V = X @ W_V  # (n, d_v)",
        "    K_T = K.T  # (d_k, n)",
        "    S = Q @ K_T  # (n, n)",
        "    S_scaled = S / 3 ** 0.5  # (n, n)",
        "    A = row_softmax(S_scaled)  # (n, n)",
        "    O = A @ V  # (n, d_v)",
        "    U = O @ W_O  # (n, d_model)",
        "    X_out = X + U  # (n, d_model)",
        "    return X_out",
    ]


def test_golden_module() -> None:
    graph = residual(EXAMPLES["love"].graph([[True, True, False], [False] * 3, [True] * 3], 0.5))
    _, module, main = parts(torch_module(graph))
    assert module.splitlines() == [
        "class SelfAttention(nn.Module):",
        "    def __init__(self, d_model, d_k, d_v):",
        "        super().__init__()",
        "        self.W_Q = nn.Linear(d_model, d_k, bias=False)",
        "        self.W_K = nn.Linear(d_model, d_k, bias=False)",
        "        self.W_V = nn.Linear(d_model, d_v, bias=False)",
        "        self.W_O = nn.Linear(d_v, d_model, bias=False)",
        "",
        "    def forward(self, X, mask):",
        "        Q, K, V = self.W_Q(X), self.W_K(X), self.W_V(X)",
        "        S = Q @ K.transpose(-2, -1) * 0.5",
        '        S = S.masked_fill(~mask, float("-inf"))',
        "        A = S.softmax(dim=-1)",
        "        A = A.nan_to_num()  # a row with every key blocked is 0/0 and stands as 0",
        "        return X + self.W_O(A @ V)",
    ]
    assert "attend = SelfAttention(d_model=4, d_k=3, d_v=3).double()" in main
    assert "    attend.W_K.weight.copy_(W_K.T)" in main


def test_a_module_takes_a_batch() -> None:
    """It is written the usual way, so it works as people use it: for many sequences at once."""
    names = run(torch_module(residual(EXAMPLES["love"].graph("causal"))))
    X, mask, result = names["X"], names["mask"], names["result"]
    with torch.no_grad():
        batch = names["attend"](torch.stack([X, X.flip(0)]), mask)
    assert torch.allclose(batch[0], result)
    assert not torch.allclose(batch[1], result)


@pytest.mark.parametrize("form", ["numpy", "torch"])
@pytest.mark.parametrize("kv_heads", [1, 2])
def test_several_heads_share_one_mask(form: str, kv_heads: int) -> None:
    inputs = toy_inputs(("a", "b", "c"), 1, 4, 4, 4).given
    X, W_Q, W_K, W_V = (inputs[key] for key in ("X", "W_Q", "W_K", "W_V"))
    few = slice(0, 2 * kv_heads)
    graph = multi_head(
        X, W_Q, W_K[:, few], W_V[:, few], W_Q, heads=2, kv_heads=kv_heads, mask="causal"
    )
    code = check(graph, form, "U")
    assert code.count("-inf blocks a key") == 1
