"""Tokens as columns: every op on its transpose keeps the laws, and whole graphs agree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given as generated
from hypothesis import settings
from hypothesis import strategies as st

from attention_core import (
    EXAMPLES,
    VARIANTS,
    Cell,
    Graph,
    as_columns,
    as_rows,
    attention,
    gradients,
    mha_code,
    numpy_function,
    numpy_line,
    residual,
    sdpa_code,
    self_attention,
    softmax_in_steps,
    split_heads,
    torch_function,
    torch_line,
    torch_module,
)
from attention_core.explain import Explanation
from attention_core.expression import Expr, Num
from attention_core.masks import NAMED
from attention_core.matrix import Array, Matrix, given
from attention_core.ops import OPS, Op
from attention_core.ops.by_column import in_columns
from tests.core.op_cases import EXTREME, Drawn, drawn
from tests.core.test_derivations import check_cell
from tests.core.test_emit import MASKS, check_programs, run, self_attention_of
from tests.core.test_laws import _slopes

pytestmark = pytest.mark.filterwarnings("error")
every_op = pytest.mark.parametrize("name", OPS)


def turned(use: Drawn) -> tuple[Matrix, Op]:
    matrix = in_columns(use.matrix, {})
    assert matrix.op is not None
    return matrix, matrix.op


# The ops themselves are tried on more shapes in `test_laws.py`.
few = settings(max_examples=8)


@every_op
@few
@generated(data=st.data())
def test_the_value_is_the_transpose(name: str, data: st.DataObject) -> None:
    use = data.draw(drawn(name, EXTREME))
    matrix, _ = turned(use)
    top = max(abs(a[np.isfinite(a)]).max(initial=1.0) for a in use.arrays)
    room = 3e-15 * top ** (2 if name == "matmul" else 1)
    np.testing.assert_allclose(matrix.value, use.matrix.value.T, rtol=1e-12, atol=room)
    assert (matrix.rows, matrix.cols) == (use.matrix.cols, use.matrix.rows)
    assert (matrix.blocked, matrix.undefined) == (use.matrix.blocked, use.matrix.undefined)
    assert matrix.by_column != use.matrix.by_column


@every_op
@few
@generated(data=st.data())
def test_sources_are_swapped(name: str, data: st.DataObject) -> None:
    use = data.draw(drawn(name))
    matrix, _ = turned(use)
    for row, col in np.ndindex(*use.matrix.shape):
        wanted = {(c.symbol, c.col, c.row) for c in Explanation(use.matrix, row, col).sources}
        found = [tuple(cell) for cell in Explanation(matrix, col, row).sources]
        assert len(found) == len(set(found))
        assert set(found) == wanted


def leaves_of(expression: Expr, values: dict[str, Array]) -> set[Cell]:
    """The cells of a derivation; each is worth what stands there."""
    found: set[Cell] = set()

    def read(num: Num) -> float:
        if num.cell is not None:
            assert num.value == values[num.cell.symbol][num.cell.row, num.cell.col]
            found.add(num.cell)
        return num.value

    expression.evaluate(read)
    return found


@every_op
@few
@generated(data=st.data())
def test_a_derivation_gives_the_number_of_its_cell(name: str, data: st.DataObject) -> None:
    use = data.draw(drawn(name, EXTREME))
    matrix, _ = turned(use)
    values = {m.key: m.value for m in matrix.inputs}
    for row, col in np.ndindex(*matrix.shape):
        why = Explanation(matrix, row, col, data.draw(st.integers(0, 6)))
        check_cell(why)
        assert set(why.sources) <= leaves_of(why.expression, values)


@every_op
@few
@generated(data=st.data())
def test_its_line_of_code_runs(name: str, data: st.DataObject) -> None:
    use = data.draw(drawn(name, EXTREME))
    out, op = turned(use)
    top = max(abs(m.value[np.isfinite(m.value)]).max(initial=1.0) for m in out.inputs)
    room = 3e-15 * top ** (2 if name == "matmul" else 1)
    in_numpy: dict[str, Any] = {"np": np} | {m.key: m.value for m in out.inputs}
    in_torch: dict[str, Any] = {"torch": torch}
    in_torch |= {m.key: torch.tensor(m.value.copy()) for m in out.inputs}
    exec(f"{op.numpy_setup}\n{numpy_line(out)}", in_numpy)
    exec(f"{op.torch_setup}\n{torch_line(out)}", in_torch)
    for got in (in_numpy["Z"], in_torch["Z"].numpy()):
        np.testing.assert_allclose(got, out.value, rtol=1e-12, atol=room)


@every_op
@few
@generated(data=st.data())
def test_vjp_equals_finite_differences(name: str, data: st.DataObject) -> None:
    use = data.draw(drawn(name))
    out, op = turned(use)
    seed = data.draw(st.integers(0, 2**32 - 1))
    upstream = np.random.default_rng(seed).normal(size=out.shape)
    shares = op.vjp(given("dZ", upstream, out.rows, out.cols), out, *out.inputs)
    slopes = _slopes(Drawn(use.case, use.parameter, out))
    felt = [np.zeros(m.shape) for m in out.inputs]
    for (index, row, col), slope in slopes.items():
        felt[index][row, col] = (upstream * slope).sum()
    for share, truth, of in zip(shares, felt, out.inputs, strict=True):
        assert share.key == f"d{of.key}"
        np.testing.assert_allclose(share.value, truth, rtol=1e-6, atol=1e-8)


@every_op
@few
@generated(data=st.data())
def test_turned_twice_it_is_as_it_was(name: str, data: st.DataObject) -> None:
    use = data.draw(drawn(name, EXTREME))
    again = in_columns(turned(use)[0], {})
    assert again.op == use.matrix.op
    assert again.by_column == use.matrix.by_column
    assert [m.key for m in again.inputs] == [m.key for m in use.matrix.inputs]
    np.testing.assert_array_equal(again.value, use.matrix.value)
    for row, col in np.ndindex(*again.shape):
        assert Explanation(again, row, col).text == Explanation(use.matrix, row, col).text


def reference(graph: Graph, factor: float) -> tuple[Array, dict[str, Array]]:
    """Attention of columns in PyTorch, from the transposes of X and the weights, and gradients."""
    x, w_q, w_k, w_v = (
        torch.tensor(graph[key].value.T.copy(), requires_grad=True)
        for key in ("X", "W_Q", "W_K", "W_V")
    )
    q, k, v = w_q @ x, w_k @ x, w_v @ x
    masked = k.T @ q * factor + torch.tensor(graph["M"].value.T.copy())
    a = torch.softmax(masked, dim=0)
    o = v @ a
    grads = torch.autograd.grad(o.sum(), (x, w_q, w_k, w_v))
    names = ("dX", "dW_Q", "dW_K", "dW_V")
    return o.detach().numpy(), {k: g.numpy() for k, g in zip(names, grads, strict=True)}


@settings(max_examples=30)
@generated(
    seed=st.integers(0, 2**32 - 1),
    sizes=st.tuples(*(st.integers(1, 5) for _ in range(4))),
    causal=st.booleans(),
)
def test_attention_of_columns_is_that_of_pytorch(
    seed: int, sizes: tuple[int, ...], causal: bool
) -> None:
    n, d_model, d_k, d_v = sizes
    rng = np.random.default_rng(seed)
    shapes = (n, d_model), (d_model, d_k), (d_model, d_k), (d_model, d_v)
    X, W_Q, W_K, W_V = (rng.normal(size=shape) for shape in shapes)
    rows = self_attention(X, W_Q, W_K, W_V, "causal" if causal else None)
    graph = as_columns(rows)
    out, slopes = reference(rows, d_k**-0.5)
    np.testing.assert_allclose(graph["O"].value, out, atol=1e-12)
    np.testing.assert_allclose(graph["A"].value.sum(axis=0), 1.0)
    back, plain = gradients(graph), gradients(rows)
    for key, slope in slopes.items():
        np.testing.assert_allclose(back[key].value, slope, atol=1e-10)
        np.testing.assert_allclose(back[key].value, plain[key].value.T, atol=1e-10)
        assert back[key].symbol.row == plain[key].symbol.col


@pytest.mark.parametrize("mask", MASKS)
def test_programs(mask: str) -> None:
    rows = self_attention_of(MASKS[mask])
    graph = as_columns(rows)
    check_programs(graph)
    check_programs(gradients(graph, "O"))
    for form in (numpy_function, torch_function):
        result = np.asarray(run(form(graph))["result"])
        np.testing.assert_allclose(result, graph["O"].value, atol=1e-12)
    wanting_rows: tuple[tuple[Callable[[Graph], str], str], ...]
    wanting_rows = ((torch_module, "result"), (sdpa_code, "O"))
    for write, key in wanting_rows:
        about = (
            "\n\n# PyTorch wants tokens as rows: every matrix here is the transpose of the board’s."
        )
        assert write(graph).count(about) == 1
        assert write(graph).replace(about, "") == write(rows)
        result = run(write(graph))[key].numpy()
        np.testing.assert_allclose(result, graph["O"].value.T, atol=1e-12)


def test_pytorchs_own_heads_are_given_rows() -> None:
    W = np.random.default_rng(0).normal(size=(5, 4, 4))
    rows = residual(split_heads(self_attention(*W[:4]), 2), W[4], "O_heads")
    graph = as_columns(rows)
    names = run(mha_code(graph))
    np.testing.assert_allclose(names["result"].numpy(), graph["X_out"].value.T, atol=1e-12)


@pytest.mark.parametrize(
    ("mask", "variant"),
    [*((mask, None) for mask in NAMED)]
    + [("causal", variant) for variant in sorted(VARIANTS.keys() - {"convention"})],
)
@pytest.mark.parametrize("key", ["love", "hand"])  # with embeddings and without
def test_any_graph_can_be_turned(key: str, mask: str, variant: str | None) -> None:
    inputs = EXAMPLES[key].inputs
    rows = inputs.graph(NAMED[mask][1](len(inputs.tokens)))
    if variant:
        rows = VARIANTS[variant].graph(rows, inputs, {})
    graph = as_columns(rows)
    assert tuple(graph) == tuple(rows)
    assert [m.key for m in graph.steps] == [m.key for m in rows.steps]
    for old, new in zip(rows.steps, graph.steps, strict=True):
        np.testing.assert_allclose(new.value, old.value.T, atol=1e-12)
        assert new.undefined == old.undefined
        for row, col in np.ndindex(*old.shape):
            a, b = Explanation(old, row, col), Explanation(new, col, row)
            assert a.result == pytest.approx(b.result, abs=1e-12)
            assert sorted((c.symbol, c.col, c.row) for c in a.sources) == sorted(b.sources)
            if b.result or abs(b.expression.value) > 1e-12:  # or dust that counts as 0
                check_cell(b)
    assert [m.op for m in as_rows(graph).steps] == [m.op for m in rows.steps]


def test_shapes_and_formulas() -> None:
    graph = as_columns(EXAMPLES["love"].graph())
    assert {key: graph[key].shape for key in graph} == {
        "X": (4, 3), "W_Q": (3, 4), "W_K": (3, 4), "W_V": (3, 4),
        "Q": (3, 3), "K": (3, 3), "V": (3, 3),
        "S": (3, 3), "S_scaled": (3, 3), "S_masked": (3, 3), "A": (3, 3), "O": (3, 3),
    }  # fmt: skip
    assert (graph["X"].rows.name, graph["X"].cols.name) == ("d_model", "n")
    assert (graph["W_Q"].rows.name, graph["W_Q"].cols.name) == ("d_k", "d_model")
    formulas = {key: graph.definition(key) for key in ("Q", "K_T", "S", "A", "O")}
    assert formulas == {
        "Q": "Q = W_{Q} X",
        "K_T": r"K^{\top}",
        "S": r"S = K^{\top} Q",
        "A": r"A = \operatorname{softmax}\left(S_{\text{masked}}\right)",
        "O": "O = V A",
    }
    assert numpy_line(graph["A"]) == "A = row_softmax(S_masked.T).T"


def test_words_follow() -> None:
    graph = as_columns(
        EXAMPLES["love"].graph(mask=np.array([[0, 0, 0], [1, 0, 1], [1, 1, 1]]) == 1)
    )
    assert graph.explain("S", 1, 2).title == "How «AI» scores «love»"
    assert graph.explain("S", 1, 2).symbolic == "k_love · q_AI"
    assert graph.explain("A", 1, 2).title == "How much of the attention of «AI» goes to «love»"
    assert graph.explain("Q", 1, 2).title == "Component 2 of the query of «AI»"
    assert graph.explain("Q", 1, 2).symbolic == "W_Q[2, :] · x_AI"
    assert graph.explain("O", 1, 2).symbolic == "V[2, :] · a_AI"
    assert graph.explain("W_Q", 1, 2).title.startswith("The weight from feature «")
    assert graph.explain("S_masked", 1, 1).words == (
        "The mask blocks «love» for «love»: whatever the score is, it becomes −∞."
    )
    assert graph.explain("S_masked", 2, 0).words == (
        "The mask blocks «AI» for «I»: whatever the score is, it becomes −∞."
    )
    assert graph.explain("A", 2, 0).words == (
        "Every key is blocked for «I». 0/0 has no value: this column has no distribution, and it "
        "stands as 0."
    )
    assert graph.explain("O", 0, 0).undefined
    assert not graph.explain("O", 0, 1).undefined
    names = [step.name for step in graph.explain("A", 0, 1).steps]
    assert "column sum" in names
    assert not any("row" in name for name in names)
    axes = (graph["S"].symbol.row, graph["S"].symbol.col)
    assert axes == ("key", "query")


def test_the_largest_of_a_column() -> None:
    rows = EXAMPLES["cat"].graph()
    graph = as_columns(rows)
    for line in range(4):
        found = [(c.col, c.row) for c in graph.largest("A", line)]
        assert found == [(c.row, c.col) for c in rows.largest("A", line)]
    blocked = as_columns(EXAMPLES["cat"].graph(mask=np.zeros((4, 4), dtype=bool)))
    assert blocked.largest("A", 0) == ()
    assert blocked.undefined_rows == (0, 1, 2, 3)


def test_a_softmax_in_steps_can_be_turned() -> None:
    graph = as_columns(softmax_in_steps(EXAMPLES["love"].graph(), shift=True))
    check_programs(graph)
    assert graph["Z"].shape == (1, 3)
    assert graph["Z"].symbol.title == "column sums"
    assert graph["m"].symbol.one == "column maximum"
    assert graph.explain("Z", 0, 1).symbolic == "Σ_ℓ E[ℓ, love]"
    assert graph.definition("Z") == r"Z = \operatorname{columnsum}\left(E\right)"


def test_more_queries_than_keys() -> None:
    rng = np.random.default_rng(3)
    rows = attention(rng.normal(size=(4, 2)), rng.normal(size=(3, 2)), rng.normal(size=(3, 5)))
    graph = as_columns(rows)
    assert (graph["S"].shape, graph["O"].shape) == ((3, 4), (5, 4))
    check_programs(graph)
