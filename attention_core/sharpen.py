"""One row of scores, and what a softmax makes of it: shares, temperature, shifts, slopes."""

from __future__ import annotations

from collections.abc import Sequence

from numpy.typing import ArrayLike

from attention_core.axes import Axis, token_axis
from attention_core.errors import AttentionError
from attention_core.graph import Graph
from attention_core.matrix import Matrix, given
from attention_core.ops import (
    diagonal,
    divide_by_column,
    exponential,
    matmul,
    row_max,
    row_softmax,
    row_sum,
    share_of_column,
    subtract,
    subtract_column,
    transpose,
)
from attention_core.ops.op import size
from attention_core.ops.row_softmax import is_plain


def sharpen(
    scores: ArrayLike,
    temperature: float = 1.0,
    offset: float = 0.0,
    query: str = "query",
    keys: Sequence[str] | None = None,
) -> Graph:
    """One row of scores s beside everything that can be made of it.

    ``A_plain`` is plain normalising, s / Σ s. ``A`` is the softmax of s, ``A_tau`` that of s / τ
    (``temperature``), ``A_c`` that of s − c (``offset``) and ``A_m`` that of s − max s, step by
    step. ``J`` and ``J_tau`` say how A and A_tau answer to the scores that they are the softmax
    of: J[i, j] = ∂a[i] / ∂s[j]. ``E``, the plain exponentials, stands there only where float64 can
    show them. Shapes: (1, n) → (1, n), and (n, n) for J. ``keys`` label the scores.

    Errors: :class:`AttentionError` for more rows than one and for a temperature that is not above
    0.

    >>> graph = sharpen([[16, 5, 0, 4.5]], temperature=8)
    >>> graph["A"].value.round(5).tolist(), graph["A_tau"].value.round(2).tolist()
    ([[0.99997, 2e-05, 0.0, 1e-05]], [[0.62, 0.16, 0.08, 0.15]])
    >>> print(graph.explain("J_tau", 0, 0))
    J_τ[1, 1] = D_τ[1, 1] − B_τ[1, 1] = 0.615 − 0.378 = 0.237
    """
    s = _row(scores, query, keys)
    tau, c = _number("tau", temperature, s), _number("c", offset, s)
    if temperature <= 0:
        raise AttentionError(f"sharpen: the temperature is {temperature:g}, wanted one above 0.")
    r = row_sum(s, "r")  # (1, n) -> (1, 1)
    A_plain = share_of_column(s, r, "A_plain")  # (1, n) (1, 1) -> (1, n)
    A = row_softmax(s, "A")  # (1, n)
    s_tau = divide_by_column(s, tau, "s_tau")  # (1, n) (1, 1) -> (1, n)
    A_tau = row_softmax(s_tau, "A_tau")  # (1, n)
    s_c = subtract_column(s, c, "s_c")  # (1, n) (1, 1) -> (1, n)
    A_c = row_softmax(s_c, "A_c")  # (1, n)
    E = (exponential(s, "E"),) if is_plain(s, 0) else ()  # (1, n)
    m = row_max(s, "m")  # (1, n) -> (1, 1)
    s_m = subtract_column(s, m, "s_m")  # (1, n) (1, 1) -> (1, n)
    E_m = exponential(s_m, "E_m")  # (1, n)
    Z_m = row_sum(E_m, "Z_m")  # (1, n) -> (1, 1)
    A_m = divide_by_column(E_m, Z_m, "A_m")  # (1, n) (1, 1) -> (1, n)
    shares = (s, r, A_plain, A, tau, s_tau, A_tau, c, s_c, A_c, *E, m, s_m, E_m, Z_m, A_m)
    return Graph((*shares, *_slopes(A, ""), *_slopes(A_tau, "_tau")), frozenset({"A_T", "A_tau_T"}))


def _slopes(A: Matrix, sub: str) -> tuple[Matrix, ...]:
    """The Jacobian of a softmax with everything behind it: J = diag(a) − aᵀ a."""
    D = diagonal(A, f"D{sub}")  # (1, n) -> (n, n)
    A_T = transpose(A)  # (1, n) -> (n, 1)
    B = matmul(A_T, A, f"B{sub}")  # (n, 1) (1, n) -> (n, n)
    return D, A_T, B, subtract(D, B, f"J{sub}")  # (n, n) (n, n) -> (n, n)


def _row(scores: ArrayLike, query: str, keys: Sequence[str] | None) -> Matrix:
    s = given("s", scores)
    if s.shape[0] != 1:
        raise AttentionError(f"sharpen: s is {size(s)}, wanted one row of scores.")
    rows = Axis("1", (query,), tokens=True)
    return Matrix(s.value, "s", rows, token_axis(keys, s.shape[1], what="keys"))


def _number(key: str, value: float, s: Matrix) -> Matrix:
    """One number for the row."""
    column = given(key, [[value]])
    return Matrix(column.value, key, s.rows, Axis("1", (column.symbol.text,)))
