"""Law 6: exact texts and exact LaTeX of small integer cases of every op."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from attention_core.axes import Axis, numbered, token_axis
from attention_core.explain import Explanation
from attention_core.latex import latex
from attention_core.matrix import Matrix, given
from attention_core.ops import (
    OPS,
    add,
    binary_softmax,
    by_column,
    compare,
    diagonal,
    distance,
    divide,
    divide_by,
    divide_by_column,
    divide_by_root,
    exp_less,
    exponential,
    hard_max,
    join_columns,
    join_rows,
    mask_scores,
    matmul,
    multiply,
    rotate,
    row_length,
    row_max,
    row_softmax,
    row_sum,
    running_max,
    scale,
    share_of_column,
    sinusoid,
    spread,
    subtract,
    subtract_column,
    take_columns,
    take_rows,
    tanh,
    transpose,
)
from attention_core.ops.join import JoinColumns, TakeColumns
from attention_core.ops.row_softmax import RowSoftmax

INF = float("inf")
ONE = token_axis(("I",), 1)
TWO, THREE = token_axis(("I", "love"), 2), token_axis(("I", "love", "AI"), 3)
D_K, D_MODEL = numbered("d_k", 3), numbered("d_model", 2)


def _m(key: str, value: list[list[float]], rows: Axis = TWO, cols: Axis = TWO) -> Matrix:
    return given(key, value, rows, cols, minus_infinity=True)


Q = _m("Q", [[2, 0, 1], [0, 2, 1]], TWO, D_K)
K = _m("K", [[0, 1, 1], [2, 1, 1], [1, 1, 1]], THREE, D_K)
A = _m("A", [[1, 0], [-3, 2]])
V = _m("V", [[4, 5], [-6, 7]], TWO, numbered("d_v", 2))
S = _m("S", [[2, -4], [6, 8]])
M = _m("M", [[0, -INF], [1, 0]])
S_MASKED = _m("S_masked", [[0, -INF], [0, 0]])
X = _m("X", [[1, 2], [3, 4]], TWO, D_MODEL)
W_Q = given("W_Q", [[1, 0], [0, 1]], D_MODEL, D_MODEL)
O = _m("O", [[5, -6], [7, 8]], TWO, D_MODEL)


@dataclass(frozen=True)
class Golden:
    """One cell, its line as text, the same as LaTeX, and the definition of its matrix."""

    matrix: Matrix
    row: int
    col: int
    text: str
    latex: str
    definition: str
    definition_latex: str


PHI = _m("Phi", [[0, 0], [1, 2]], TWO, numbered("pair", 2))
P = _m("p", [[0], [1]], TWO, Axis("1", ("place",)))

GOLDEN = (
    Golden(
        matmul(Q, transpose(K), "S"), 0, 1,
        "S[I, love] = q_I · k_love = 2·2 + 0·1 + 1·1 = 5",
        r"S_{\text{I},\text{love}} = q_{\text{I}} \cdot k_{\text{love}}"
        r" = 2 \cdot 2 + 0 \cdot 1 + 1 \cdot 1 = 5",
        "Q × Kᵀ", r"Q K^{\top}",
    ),
    Golden(
        matmul(A, V, "O"), 1, 0,
        "O[love, 1] = a_love · V[:, 1] = (−3)·4 + 2·(−6) = −24",
        r"O_{\text{love},1} = a_{\text{love}} \cdot V_{:,1}"
        r" = (-3) \cdot 4 + 2 \cdot (-6) = -24",
        "A × V", "A V",
    ),
    Golden(
        matmul(X, W_Q, "Q"), 1, 0,
        "Q[love, 1] = x_love · W_Q[:, 1] = 3·1 + 4·0 = 3",
        r"Q_{\text{love},1} = x_{\text{love}} \cdot (W_{Q})_{:,1}"
        r" = 3 \cdot 1 + 4 \cdot 0 = 3",
        "X × W_Q", "X W_{Q}",
    ),
    Golden(
        transpose(K), 2, 1,
        "Kᵀ[3, love] = K[love, 3] = 1",
        r"(K^{\top})_{3,\text{love}} = K_{\text{love},3} = 1",
        "Kᵀ", r"K^{\top}",
    ),
    Golden(
        scale(S, -2, "S_scaled"), 0, 1,
        "S_scaled[I, love] = (−2)·S[I, love] = (−2)·(−4) = 8",
        r"(S_{\text{scaled}})_{\text{I},\text{love}} = (-2) \cdot S_{\text{I},\text{love}}"
        r" = (-2) \cdot (-4) = 8",
        "(−2)·S", r"(-2) \cdot S",
    ),
    Golden(
        divide_by(S, 2, "S_ratio"), 0, 1,
        "S_ratio[I, love] = S[I, love] / 2 = −4 / 2 = −2",
        r"(S_{\text{ratio}})_{\text{I},\text{love}} = \frac{S_{\text{I},\text{love}}}{2}"
        r" = \frac{-4}{2} = -2",
        "S / 2", r"\frac{S}{2}",
    ),
    Golden(
        divide_by_root(S, 4, "S_scaled"), 0, 1,
        "S_scaled[I, love] = S[I, love] / √d_k = −4 / √4 = −2",
        r"(S_{\text{scaled}})_{\text{I},\text{love}} = \frac{S_{\text{I},\text{love}}}"
        r"{\sqrt{d_{k}}} = \frac{-4}{\sqrt{4}} = -2",
        "S / √d_k", r"\frac{S}{\sqrt{d_{k}}}",
    ),
    Golden(
        mask_scores(S, M, "S_masked"), 1, 0,
        "S_masked[love, I] = S[love, I] + M[love, I] = 6 + 1 = 7",
        r"(S_{\text{masked}})_{\text{love},\text{I}} = S_{\text{love},\text{I}}"
        r" + M_{\text{love},\text{I}} = 6 + 1 = 7",
        "S + M", "S + M",
    ),
    Golden(
        mask_scores(S, M, "S_masked"), 0, 1,
        "S_masked[I, love] = S[I, love] + M[I, love] = −4 + (−∞) = −∞",
        r"(S_{\text{masked}})_{\text{I},\text{love}} = S_{\text{I},\text{love}}"
        r" + M_{\text{I},\text{love}} = -4 + (-\infty) = -\infty",
        "S + M", "S + M",
    ),
    Golden(
        row_softmax(S_MASKED, "A"), 1, 0,
        "A[love, I] = e^(S_masked[love, I]) / (Σ_ℓ e^(S_masked[love, ℓ]))"
        " = e^0 / (e^0 + e^0) = 0.500",
        r"A_{\text{love},\text{I}} = \frac{e^{(S_{\text{masked}})_{\text{love},\text{I}}}}"
        r"{\sum_{\ell} e^{(S_{\text{masked}})_{\text{love},\ell}}}"
        r" = \frac{e^{0}}{e^{0} + e^{0}} = 0.500",
        "softmax(S_masked)", r"\operatorname{softmax}\left(S_{\text{masked}}\right)",
    ),
    Golden(
        binary_softmax(S_MASKED, "A"), 0, 1,
        "A[I, love] = 2^(S_masked[I, love]) / (Σ_ℓ 2^(S_masked[I, ℓ]))"
        " = 2^−∞ / (2^0 + 2^−∞) = 0",
        r"A_{\text{I},\text{love}} = \frac{2^{(S_{\text{masked}})_{\text{I},\text{love}}}}"
        r"{\sum_{\ell} 2^{(S_{\text{masked}})_{\text{I},\ell}}}"
        r" = \frac{2^{-\infty}}{2^{0} + 2^{-\infty}} = 0",
        "softmax with base 2 of S_masked",
        r"\text{softmax with base 2 of }S_{\text{masked}}",
    ),
    Golden(
        row_softmax(S_MASKED, "A"), 0, 1,
        "A[I, love] = e^(S_masked[I, love]) / (Σ_ℓ e^(S_masked[I, ℓ]))"
        " = e^−∞ / (e^0 + e^−∞) = 0",
        r"A_{\text{I},\text{love}} = \frac{e^{(S_{\text{masked}})_{\text{I},\text{love}}}}"
        r"{\sum_{\ell} e^{(S_{\text{masked}})_{\text{I},\ell}}}"
        r" = \frac{e^{-\infty}}{e^{0} + e^{-\infty}} = 0",
        "softmax(S_masked)", r"\operatorname{softmax}\left(S_{\text{masked}}\right)",
    ),
    Golden(
        add(X, O, "Y"), 0, 1,
        "Y[I, 2] = X[I, 2] + O[I, 2] = 2 + (−6) = −4",
        r"Y_{\text{I},2} = X_{\text{I},2} + O_{\text{I},2} = 2 + (-6) = -4",
        "X + O", "X + O",
    ),
    Golden(
        subtract(X, O, "Y"), 0, 1,
        "Y[I, 2] = X[I, 2] − O[I, 2] = 2 − (−6) = 8",
        r"Y_{\text{I},2} = X_{\text{I},2} - O_{\text{I},2} = 2 - (-6) = 8",
        "X − O", "X - O",
    ),
    Golden(
        multiply(X, O, "Y"), 0, 1,
        "Y[I, 2] = X[I, 2] · O[I, 2] = 2·(−6) = −12",
        r"Y_{\text{I},2} = X_{\text{I},2} \cdot O_{\text{I},2} = 2 \cdot (-6) = -12",
        "X ∘ O", r"X \circ O",
    ),
    Golden(
        row_sum(X, "r"), 1, 0,
        "r[love, Σ] = Σ_ℓ X[love, ℓ] = 3 + 4 = 7",
        r"r_{\text{love},\text{Σ}} = \sum_{\ell} X_{\text{love},\ell} = 3 + 4 = 7",
        "rowsum(X)", r"\operatorname{rowsum}\left(X\right)",
    ),
    Golden(
        spread(row_sum(X, "r"), THREE, "R"), 1, 2,
        "R[love, AI] = r[love, Σ] = 7",
        r"R_{\text{love},\text{AI}} = r_{\text{love},\text{Σ}} = 7",
        "spread(r)", r"\operatorname{spread}\left(r\right)",
    ),
    Golden(
        exponential(S_MASKED, "E"), 1, 0,
        "E[love, I] = e^(S_masked[love, I]) = e^0 = 1",
        r"E_{\text{love},\text{I}} = e^{(S_{\text{masked}})_{\text{love},\text{I}}} = e^{0} = 1",
        "e^S_masked", r"e^{S_{\text{masked}}}",
    ),
    Golden(
        exponential(S_MASKED, "E"), 0, 1,
        "E[I, love] = e^(S_masked[I, love]) = e^−∞ = 0",
        r"E_{\text{I},\text{love}} = e^{(S_{\text{masked}})_{\text{I},\text{love}}}"
        r" = e^{-\infty} = 0",
        "e^S_masked", r"e^{S_{\text{masked}}}",
    ),
    Golden(
        tanh(S, "T"), 0, 0,
        "T[I, I] = tanh(S[I, I]) = tanh(2) = 0.964",
        r"T_{\text{I},\text{I}} = \operatorname{tanh}\left(S_{\text{I},\text{I}}\right)"
        r" = \operatorname{tanh}\left(2\right) = 0.964",
        "tanh(S)", r"\operatorname{tanh}\left(S\right)",
    ),
    Golden(
        row_max(S, "m"), 1, 0,
        "m[love, max] = max(s_love) = 8",
        r"m_{\text{love},\text{max}} = \operatorname{max}\left(s_{\text{love}}\right) = 8",
        "rowmax(S)", r"\operatorname{rowmax}\left(S\right)",
    ),
    Golden(
        subtract_column(S, row_max(S, "m"), "S_shift"), 0, 1,
        "S_shift[I, love] = S[I, love] − m[I, max] = −4 − 2 = −6",
        r"(S_{\text{shift}})_{\text{I},\text{love}} = S_{\text{I},\text{love}}"
        r" - m_{\text{I},\text{max}} = -4 - 2 = -6",
        "S − m", "S - m",
    ),
    Golden(
        divide_by_column(S, row_sum(S, "Z"), "A"), 1, 0,
        "A[love, I] = S[love, I] / Z[love, Σ] = 6 / 14 = 0.429",
        r"A_{\text{love},\text{I}} = \frac{S_{\text{love},\text{I}}}"
        r"{Z_{\text{love},\text{Σ}}} = \frac{6}{14} = 0.429",
        "S / Z", r"\frac{S}{Z}",
    ),
    Golden(
        compare(X, O, "D"), 0, 1,
        "D[I, 2] = X[I, 2] − O[I, 2] = 2 − (−6) = 8",
        r"D_{\text{I},2} = X_{\text{I},2} - O_{\text{I},2} = 2 - (-6) = 8",
        "X − O", "X - O",
    ),
    Golden(
        compare(M, S_MASKED, "D"), 0, 1,
        "D[I, love] = 0",
        r"D_{\text{I},\text{love}} = 0",
        "M − S_masked", r"M - S_{\text{masked}}",
    ),
    Golden(
        compare(S, M, "D"), 0, 1,
        "D[I, love] = S[I, love] − M[I, love] = −4 − (−∞) = ∞",
        r"D_{\text{I},\text{love}} = S_{\text{I},\text{love}} - M_{\text{I},\text{love}}"
        r" = -4 - (-\infty) = \infty",
        "S − M", "S - M",
    ),
    Golden(
        hard_max(S, "H"), 1, 1,
        "H[love, love] = hardmax(s_love) = 1",
        r"H_{\text{love},\text{love}}"
        r" = \operatorname{hardmax}\left(s_{\text{love}}\right) = 1",
        "hardmax(S)", r"\operatorname{hardmax}\left(S\right)",
    ),
    Golden(
        hard_max(S_MASKED, "H"), 1, 0,
        "H[love, I] = hardmax(S_masked[love, :]) = 1 / 2 = 0.500",
        r"H_{\text{love},\text{I}} = \operatorname{hardmax}"
        r"\left((S_{\text{masked}})_{\text{love},:}\right) = \frac{1}{2} = 0.500",
        "hardmax(S_masked)", r"\operatorname{hardmax}\left(S_{\text{masked}}\right)",
    ),
    Golden(
        diagonal(_m("A", [[3, 4]], ONE), "D"), 1, 1,
        "D[love, love] = A[I, love] = 4",
        r"D_{\text{love},\text{love}} = A_{\text{I},\text{love}} = 4",
        "diag(A)", r"\operatorname{diag}\left(A\right)",
    ),
    Golden(
        diagonal(_m("A", [[3, 4]], ONE), "D"), 0, 1,
        "D[I, love] = 0",
        r"D_{\text{I},\text{love}} = 0",
        "diag(A)", r"\operatorname{diag}\left(A\right)",
    ),
    Golden(
        share_of_column(S, row_sum(S, "r"), "P"), 1, 0,
        "P[love, I] = S[love, I] / r[love, Σ] = 6 / 14 = 0.429",
        r"P_{\text{love},\text{I}} = \frac{S_{\text{love},\text{I}}}"
        r"{r_{\text{love},\text{Σ}}} = \frac{6}{14} = 0.429",
        "S / r", r"\frac{S}{r}",
    ),
    Golden(
        divide(X, O, "Y"), 0, 1,
        "Y[I, 2] = X[I, 2] / O[I, 2] = 2 / −6 = −0.333",
        r"Y_{\text{I},2} = \frac{X_{\text{I},2}}{O_{\text{I},2}} = \frac{2}{-6} = -0.333",
        "X / O", r"\frac{X}{O}",
    ),
    Golden(
        take_columns(Q, 1, 3, "Q_1"), 1, 0,
        "Q_1[love, 2] = Q[love, 2] = 2",
        r"(Q_{1})_{\text{love},2} = Q_{\text{love},2} = 2",
        "columns 2–3 of Q", r"\text{columns 2–3 of }Q",
    ),
    Golden(
        take_columns(Q, 1, 2, "Q_1"), 0, 0,
        "Q_1[I, 2] = Q[I, 2] = 0",
        r"(Q_{1})_{\text{I},2} = Q_{\text{I},2} = 0",
        "column 2 of Q", r"\text{column 2 of }Q",
    ),
    Golden(
        take_rows(K, 1, 3, "K_1"), 0, 2,
        "K_1[love, 3] = K[love, 3] = 1",
        r"(K_{1})_{\text{love},3} = K_{\text{love},3} = 1",
        "rows 2–3 of K", r"\text{rows 2–3 of }K",
    ),
    Golden(
        running_max(S, _m("m", [[3], [9]], TWO, numbered("1", 1)), "c"), 0, 0,
        "c[I, 1] = max(m[I, 1] | s_I) = 3",
        r"c_{\text{I},1} = \operatorname{max}\left(m_{\text{I},1} \mid s_{\text{I}}\right) = 3",
        "rowmax(m | S)", r"\operatorname{rowmax}\left(m \mid S\right)",
    ),
    Golden(
        exp_less(S, _m("m", [[2], [8]], TWO, numbered("1", 1)), "E"), 1, 0,
        "E[love, I] = e^(S[love, I] − m[love, 1]) = e^(6 − 8) = 0.135",
        r"E_{\text{love},\text{I}} = e^{S_{\text{love},\text{I}} - m_{\text{love},1}}"
        r" = e^{6 - 8} = 0.135",
        "e^(S − m)", r"e^{S - m}",
    ),
    Golden(
        join_columns((X, O), numbered("m", 4), "Y"), 1, 2,
        "Y[love, 3] = O[love, 1] = 7",
        r"Y_{\text{love},3} = O_{\text{love},1} = 7",
        "(X | O)", r"(X \mid O)",
    ),
    Golden(
        by_column(RowSoftmax(), "A", S_MASKED), 1, 0,
        "A[love, I] = e^(S_masked[love, I]) / (Σ_ℓ e^(S_masked[ℓ, I]))"
        " = e^0 / (e^0 + e^0) = 0.500",
        r"A_{\text{love},\text{I}} = \frac{e^{(S_{\text{masked}})_{\text{love},\text{I}}}}"
        r"{\sum_{\ell} e^{(S_{\text{masked}})_{\ell,\text{I}}}}"
        r" = \frac{e^{0}}{e^{0} + e^{0}} = 0.500",
        "softmax(S_masked)", r"\operatorname{softmax}\left(S_{\text{masked}}\right)",
    ),
    Golden(
        by_column(JoinColumns(numbered("m", 4)), "Y", X, O), 2, 1,
        "Y[3, 2] = O[I, 2] = −6",
        r"Y_{3,2} = O_{\text{I},2} = -6",
        "(Xᵀ | Oᵀ)ᵀ", r"(X^{\top} \mid O^{\top})^{\top}",
    ),
    Golden(
        by_column(TakeColumns(1, 2), "Q_1", Q), 0, 0,
        "Q_1[love, 1] = Q[love, 1] = 0",
        r"(Q_{1})_{\text{love},1} = Q_{\text{love},1} = 0",
        "row 2 of Q", r"\text{row 2 of }Q",
    ),
    Golden(
        take_rows(K, 1, 2, "k", "1"), 0, 2,
        "k[love, 3] = K[love, 3] = 1",
        r"k_{\text{love},3} = K_{\text{love},3} = 1",
        "row 2 of K", r"\text{row 2 of }K",
    ),
    Golden(
        join_rows((X, O), numbered("n", 4), "Y"), 3, 1,
        "Y[4, 2] = O[love, 2] = 8",
        r"Y_{4,2} = O_{\text{love},2} = 8",
        "(X ; O)", r"(X ; O)",
    ),
    Golden(
        row_length(O, "len_O"), 0, 0,
        "len_O[I, length] = √(o_I · o_I) = √(5·5 + (−6)·(−6)) = 7.810",
        r"(\mathrm{len}_{O})_{\text{I},\text{length}} = \sqrt{o_{\text{I}} \cdot o_{\text{I}}}"
        r" = \sqrt{5 \cdot 5 + (-6) \cdot (-6)} = 7.810",
        "rowlength(O)", r"\operatorname{rowlength}\left(O\right)",
    ),
    Golden(
        sinusoid(PHI, "Pos"), 1, 0,
        "Pos[love, 1] = sin(Φ[love, 1]) = sin(1) = 0.841",
        r"(\mathrm{Pos})_{\text{love},1} = \operatorname{sin}\left(Φ_{\text{love},1}\right)"
        r" = \operatorname{sin}\left(1\right) = 0.841",
        "sin, cos of Φ", r"\text{sin, cos of }Φ",
    ),
    Golden(
        rotate(Q, _m("Phi", [[0], [1]], TWO, numbered("pair", 1)), "Q_rot"), 1, 1,
        "Q_rot[love, 2] = Q[love, 1]·sin(Φ[love, 1]) + Q[love, 2]·cos(Φ[love, 1])"
        " = 0·sin(1) + 2·cos(1) = 1.081",
        r"(Q_{\text{rot}})_{\text{love},2} = Q_{\text{love},1} \cdot \operatorname{sin}"
        r"\left(Φ_{\text{love},1}\right) + Q_{\text{love},2} \cdot \operatorname{cos}"
        r"\left(Φ_{\text{love},1}\right) = 0 \cdot \operatorname{sin}\left(1\right)"
        r" + 2 \cdot \operatorname{cos}\left(1\right) = 1.081",
        "Q ↺ Φ", r"Q \circlearrowleft Φ",
    ),
    Golden(
        rotate(_m("Q", [[2, 5, 1, 0], [1, 2, 3, 4]], TWO, numbered("d_k", 4)), PHI, "Q_rot",
               halves=True), 0, 0,
        "Q_rot[I, 1] = Q[I, 1]·cos(Φ[I, 1]) − Q[I, 3]·sin(Φ[I, 1]) = 2·cos(0) − 1·sin(0) = 2",
        r"(Q_{\text{rot}})_{\text{I},1} = Q_{\text{I},1} \cdot \operatorname{cos}"
        r"\left(Φ_{\text{I},1}\right) - Q_{\text{I},3} \cdot \operatorname{sin}"
        r"\left(Φ_{\text{I},1}\right) = 2 \cdot \operatorname{cos}\left(0\right)"
        r" - 1 \cdot \operatorname{sin}\left(0\right) = 2",
        "Q ↺ Φ", r"Q \circlearrowleft Φ",
    ),
    Golden(
        distance(P, P, "dist"), 0, 1,
        "dist[I, love] = p_love − p_I = 1 − 0 = 1",
        r"(\mathrm{dist})_{\text{I},\text{love}} = p_{\text{love}} - p_{\text{I}} = 1 - 0 = 1",
        "distances(p)", r"\operatorname{distances}\left(p\right)",
    ),
    Golden(
        distance(P, _m("r", [[4]], ONE, Axis("1", ("place",))), "dist"), 1, 0,
        "dist[love, I] = r_I − p_love = 4 − 1 = 3",
        r"(\mathrm{dist})_{\text{love},\text{I}} = r_{\text{I}} - p_{\text{love}} = 4 - 1 = 3",
        "distances(p − rᵀ)", r"\operatorname{distances}\left(p - r^{\top}\right)",
    ),
)  # fmt: skip


def test_every_op_has_a_golden_string() -> None:
    missing = set(OPS.values()) - {type(golden.matrix.op) for golden in GOLDEN}
    assert not missing, f"give {missing} a row in GOLDEN, in tests/core/test_golden.py"


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda g: g.text.split(" = ")[0])
def test_golden(golden: Golden) -> None:
    why = Explanation(golden.matrix, golden.row, golden.col)
    op = golden.matrix.op
    assert op is not None
    definition = op.definition(*golden.matrix.inputs)
    assert why.text == golden.text
    assert why.latex == golden.latex
    assert definition.text() == golden.definition
    assert latex(definition) == golden.definition_latex
    assert why.note is None


def test_the_inner_lines_of_a_softmax() -> None:
    why = Explanation(row_softmax(S_MASKED, "A"), 1, 0)
    lines = [(s.name, s.formula.text(), s.expression.text(), s.result) for s in why.steps]
    assert lines[:4] == [
        ("exponential", "e^(S_masked[love, I])", "e^0", 1.0),
        ("exponential", "e^(S_masked[love, love])", "e^0", 1.0),
        ("row sum", "Σ_ℓ e^(S_masked[love, ℓ])", "1 + 1", 2.0),
        ("weight", "e^(S_masked[love, I]) / (Σ_ℓ e^(S_masked[love, ℓ]))", "1 / 2", 0.5),
    ]
    assert "row maximum" in lines[4][0]
    assert lines[4][2:] == ("e^(0 − 0) / (e^(0 − 0) + e^(0 − 0))", 0.5)


def test_large_scores_show_the_maximum_first() -> None:
    why = Explanation(row_softmax(_m("S", [[10000, 9999], [0, 0]]), "A"), 0, 1)
    top, first = why.steps[:2]
    assert (top.name, top.formula.text(), top.expression.text()) == (
        "row maximum",
        "max(s_I)",
        "10000",
    )
    assert (first.name, first.expression.text()) == ("exponential", "e^(10000 − 10000)")
    assert why.substituted == "e^(9999 − 10000) / (e^(10000 − 10000) + e^(9999 − 10000))"
    assert why.shown == "0.269"


def test_words() -> None:
    masked, weights = mask_scores(S, M, "S_masked"), row_softmax(S_MASKED, "A")
    assert Explanation(masked, 0, 1).words == (
        "The mask blocks «love» for «I»: whatever the score is, it becomes −∞."
    )
    assert Explanation(weights, 0, 1).words == (
        "«love» is blocked: e^−∞ is 0, so its weight is exactly 0."
    )
    assert Explanation(weights, 0, 0).words == (
        "«I» is the only key that is not blocked, so it gets the whole weight, whatever its score."
    )
    assert Explanation(masked, 1, 0).words is None
    assert Explanation(compare(M, S_MASKED, "D"), 0, 1).words == (
        "Blocked in M and in S_masked: there is no difference."
    )
    assert Explanation(compare(M, S, "D"), 0, 1).words == (
        "Blocked in M only: −∞ less any number is −∞."
    )
    assert Explanation(compare(S, M, "D"), 0, 1).words == (
        "Blocked in M only: any number less −∞ is ∞."
    )
    assert Explanation(compare(M, S, "D"), 0, 0).words is None
    assert Explanation(weights, 1, 0).words is None
