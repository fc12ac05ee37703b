"""The contract of ``graph.explain`` and ``graph.trace``, and labels that mean harm."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given as generated
from hypothesis import strategies as st

from attention_core import (
    AttentionError,
    Cell,
    Graph,
    attention,
    cross_attention,
    gradients,
    self_attention,
)
from attention_core.latex import label, symbol_latex
from attention_core.symbols import symbol

pytestmark = pytest.mark.filterwarnings("error")

X = [[1, 0, 1, 0], [0, 1, 0, 1], [1, 1, 0, 0]]
W_Q = [[1, 0, 1], [0, 1, 0], [1, 0, 0], [0, 1, 1]]
W_K = [[0, 1, 0], [1, 0, 1], [0, 0, 1], [1, 1, 0]]
W_V = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]]
LOVE = self_attention(X, W_Q, W_K, W_V, tokens=("I", "love", "AI"))
CAUSAL = self_attention(X, W_Q, W_K, W_V, "causal", tokens=("I", "love", "AI"))
THE = self_attention(X, W_Q, W_K, W_V, tokens=("the", "cat", "the"))


def test_the_promise() -> None:
    why = LOVE.explain("S", 0, 1)
    assert (why.symbolic, why.substituted, why.result) == ("q_I · k_love", "2·2 + 0·1 + 1·1", 5.0)
    q, k = ([Cell("Q", 0, t) for t in range(3)], [Cell("K_T", t, 1) for t in range(3)])
    assert why.sources == (*q, *k)
    assert str(why) == why.text == "S[I, love] = q_I · k_love = 2·2 + 0·1 + 1·1 = 5"
    assert why.title == "How «I» scores «love»"
    assert why.cell == Cell("S", 0, 1)
    assert not why.given
    assert isinstance(why.result, float)


def test_a_given_cell_has_nothing_behind_it() -> None:
    why = LOVE.explain("X", 0, 2)
    assert (why.given, why.sources, why.steps, why.note) == (True, (), (), None)
    assert why.text == "X[I, 3] = 1"
    assert why.latex == r"X_{\text{I},3} = 1"
    assert why.words is not None


def test_decimals_reach_every_number() -> None:
    for decimals, shown in ((0, "1"), (2, "0.71"), (5, "0.70698")):
        why = LOVE.explain("A", 0, 1, decimals)
        assert why.shown == shown
        assert why.text.endswith(f" = {shown}")
        assert f"e^{(5 / 3**0.5):.{decimals}f}" in why.substituted


@pytest.mark.parametrize(
    ("key", "row", "col", "title"),
    [
        ("X", 0, 1, "Feature «2» of «the (1)»"),
        ("W_Q", 0, 1, "The weight from feature «1» to component 2"),
        ("Q", 2, 0, "Component 1 of the query of «the (3)»"),
        ("K", 1, 0, "Component 1 of the key of «cat»"),
        ("V", 2, 2, "Component 3 of the value of «the (3)»"),
        ("K_T", 1, 2, "Component 2 of the key of «the (3)»"),
        ("S", 0, 2, "How «the (1)» scores «the (3)»"),
        ("S_scaled", 1, 2, "How «cat» scores «the (3)», scaled"),
        ("S_masked", 1, 0, "How «cat» scores «the (1)» after the mask"),
        ("M", 1, 0, "What the mask adds where «cat» looks at «the (1)»"),
        ("A", 1, 2, "How much of the attention of «cat» goes to «the (3)»"),
        ("O", 2, 0, "Component 1 of the output of «the (3)»"),
    ],
)
def test_titles_tell_repeated_tokens_apart(key: str, row: int, col: int, title: str) -> None:
    assert THE.explain(key, row, col).title == title


def test_lines_tell_repeated_tokens_apart() -> None:
    why = THE.explain("S", 0, 2)
    assert why.text.startswith("S[the (1), the (3)] = q_the (1) · k_the (3) = ")
    assert r"q_{\text{the (1)}} \cdot k_{\text{the (3)}}" in why.latex


def test_features_name_the_columns() -> None:
    graph = self_attention([[1, 2]], [[1], [2]], [[1], [1]], [[1], [1]], features=("noun", "verb"))
    assert graph.explain("X", 0, 1).title == "Feature «verb» of «1»"
    assert graph.explain("W_V", 1, 0).title == "The weight from feature «verb» to component 1"
    numbers = self_attention([[1]], [[1]], [[1]], [[1]], features=(7,))  # type: ignore[arg-type]
    assert numbers.explain("X", 0, 0).latex == "X_{1,7} = 1"


@pytest.mark.parametrize("graph", [LOVE, CAUSAL, gradients(CAUSAL)], ids=["open", "causal", "grad"])
def test_a_trace_holds_everything_behind_a_cell_once(graph: Graph) -> None:
    last = graph.steps[-1].key
    for key, row, col in (("O", 2, 1), ("O", 0, 0), (last, 0, 0)):
        trace = graph.trace(key, row, col, decimals=2)
        assert [why.cell for why in trace.levels[0]] == [Cell(key, row, col)]
        cells = list(trace.cells)
        assert len(cells) == len(set(cells))
        place = {why.cell: depth for depth, level in enumerate(trace.levels) for why in level}
        for level in trace.levels:
            for why in level:
                assert why.decimals == 2
                assert all(place[source] <= place[why.cell] + 1 for source in why.sources)
                if not why.sources:  # it ends in what was given, or says why nothing is behind it
                    assert why.given or why.words is not None
        reached = {cell for level in trace.levels for why in level for cell in why.sources}
        assert reached | {Cell(key, row, col)} == set(cells)
        assert all(graph[cell.symbol].op is None for cell in trace.inputs)
        assert all(cell in cells for cell in trace.inputs)


def test_a_trace_of_a_score_ends_in_two_tokens_and_the_weights() -> None:
    trace = LOVE.trace("S", 0, 1)
    inputs = {str(cell) for cell in trace.inputs}
    tokens = {f"X:{row},{col}" for row in (0, 1) for col in range(4)}
    weights = {f"{w}:{row},{col}" for w in ("W_Q", "W_K") for row in range(4) for col in range(3)}
    assert inputs == tokens | weights
    assert str(trace).splitlines()[0] == LOVE.explain("S", 0, 1).text
    assert str(trace).splitlines()[1].startswith("  Q[I, 1] = ")


def test_a_blocked_cell_ends_a_trace() -> None:
    trace = CAUSAL.trace("A", 0, 2)
    assert trace.cells == (Cell("A", 0, 2),)
    assert trace.levels[0][0].words is not None


def test_cross_attention_names_both_sequences() -> None:
    graph = cross_attention(
        [[1, 0]], [[1, 1], [0, 2]], [[1], [1]], [[1], [0]], [[1], [3]],
        tokens=("chat",), key_tokens=("the", "cat"),
    )  # fmt: skip
    assert graph.explain("S", 0, 1).text == "S[chat, cat] = q_chat · k_cat = 1·0 = 0"
    assert graph.explain("K", 1, 0).symbolic == "y_cat · W_K[:, 1]"


@pytest.mark.parametrize(("row", "col"), [(3, 0), (0, 3), (-1, 0), (0, -1)])
def test_a_cell_that_is_not_there(row: int, col: int) -> None:
    for call in (LOVE.explain, LOVE.trace):
        with pytest.raises(AttentionError) as error:
            call("S", row, col)
        assert str(error.value) == (
            f"S: there is no cell ({row}, {col}) in a 3×3 matrix. "
            "Rows count from 0 to 2, columns from 0 to 2."
        )


def test_a_matrix_that_is_not_there() -> None:
    for call in (lambda: LOVE["Z"], lambda: LOVE.explain("Z", 0, 0), lambda: LOVE.trace("Z", 0, 0)):
        with pytest.raises(AttentionError) as error:
            call()
        assert str(error.value) == (
            "graph: there is no matrix 'Z'. There are: X, W_Q, W_K, W_V, Q, K, V, K_T, S, "
            "S_scaled, M, S_masked, A, O."
        )


HOSTILE = {
    "$x_{1}$": r"\text{\$x\_\{1\}\$}",
    r"\frac": r"\text{\textbackslash{}frac}",
    "<b>": r"\text{<b>}",
    "50%": r"\text{50\%}",
    "a&b#c~d^e": r"\text{a\&b\#c\textasciitilde{}d\textasciicircum{}e}",
    "🙂": r"\text{🙂}",
    "שלום": r"\text{שלום}",
    "{row}": r"\text{\{row\}}",
    "2024-01-01": r"\text{2024-01-01}",
    "1": "1",
    "": r"\text{}",
}


@pytest.mark.parametrize("token", HOSTILE)
def test_hostile_labels(token: str) -> None:
    assert label(token) == HOSTILE[token]
    graph = attention([[1.0], [2.0]], [[1.0], [3.0]], [[1.0], [0.0]], tokens=(token, "ok"))
    why = graph.explain("S", 0, 1)
    shown = token or "«»"  # an empty label would read as a hole
    assert why.text == f"S[{shown}, ok] = q_{token} · k_ok = 1·3 = 3"
    assert why.title == f"How «{token}» scores «ok»"
    assert f"S_{{{HOSTILE[token]},\\text{{ok}}}}" in why.latex
    blocked = attention([[1.0], [2.0]], [[1.0]], [[1.0]], [[False], [True]], tokens=(token, "ok"))
    assert f"«{token}»" in str(blocked.explain("A", 0, 0))


@generated(st.text(max_size=12))
def test_no_label_breaks_out_of_its_latex(token: str) -> None:
    written = label(token)
    body = re.sub(r"\\(textbackslash|textasciicircum|textasciitilde)\{\}", "", written)
    body = re.sub(r"\\[{}$&#_%]", "", body)
    if body.startswith(r"\text{"):
        body = body.removeprefix(r"\text{").removesuffix("}")
    else:
        assert body.isdigit() or body == r"\ell"
        body = ""
    assert not set(body) & set("\\{}$&#^_~%")


def test_symbols_of_derived_keys() -> None:
    names = [symbol(k).text for k in ("W_Q_T", "dW_Q", "dK_T", "Q_2", "W_Q_2", "Z")]
    assert names == ["W_Qᵀ", "dW_Q", "dKᵀ", "Q_2", "W_Q,2", "Z"]
    assert symbol("dm").title == "gradient of the row maxima"
    written = [symbol_latex(symbol(k)) for k in ("W_Q_T", "dW_Q", "W_Q_2", "S_masked")]
    assert written == [r"W_{Q}^{\top}", r"\mathrm{d}W_{Q}", "W_{Q,2}", r"S_{\text{masked}}"]


def test_largest_names_every_tie() -> None:
    ties = attention([[1.0]], [[2.0], [2.0], [1.0]], np.eye(3)).largest("A", 0)
    assert ties == (Cell("A", 0, 0), Cell("A", 0, 1))


def test_large_scores_are_explained_with_the_maximum_subtracted() -> None:
    why = attention([[1e4], [1.0]], [[1.0], [0.9999]], [[1.0], [0.0]], scale=1.0).explain("A", 0, 1)
    assert why.symbolic == (
        "e^(S_masked[1, 2] − max(S_masked[1, :])) / (Σ_ℓ e^(S_masked[1, ℓ] − max(S_masked[1, :])))"
    )
    assert why.substituted == "e^(9999 − 10000) / (e^(10000 − 10000) + e^(9999 − 10000))"
    assert [step.name for step in why.steps][:2] == ["row maximum", "exponential"]


def test_a_row_without_a_distribution_shows_no_equation() -> None:
    why = attention([[1.0]], [[1.0]], [[1.0]], mask=[[False]], tokens=("cat",)).explain("A", 0, 0)
    assert why.text == "A[cat, cat] = 0"
    assert why.latex == r"A_{\text{cat},\text{cat}} = 0"
    assert "Every key is blocked for «cat»" in str(why.words)


def test_a_gradient_of_zero_is_not_called_undefined() -> None:
    full = gradients(attention([[1.0], [2.0]], [[1.0], [3.0]], [[1.0], [2.0]], [[False] * 2] * 2))
    assert full.explain("dS", 0, 0).words is None
    assert not full["dQ"].undefined
    assert full["A"].undefined == {0, 1}
