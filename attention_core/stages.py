"""What can stand beside attention: its softmax in steps, a look-up, the same with one change.

Each function takes a graph and returns a larger one. Every matrix keeps its key.
"""

from __future__ import annotations

import numpy as np

from attention_core.again import made_again
from attention_core.bounds import place
from attention_core.errors import AttentionError
from attention_core.graph import Graph
from attention_core.matrix import Matrix, given
from attention_core.ops import (
    divide_by_column,
    exponential,
    hard_max,
    matmul,
    multiply,
    row_max,
    row_softmax,
    row_sum,
    subtract_column,
    take_columns,
    transpose,
)
from attention_core.ops.row_softmax import RowSoftmax, is_plain
from attention_core.plain import plain, rows

_FITS = 700.0  # e^±700 is a float64 with room for a sum


def softmax_in_steps(graph: Graph, shift: bool = False) -> Graph:
    """The softmax written out: E = e^S_masked, Z the row sums of E, A = E / Z, and O as before.

    With ``shift`` the row maxima m are taken off first, as computers do: S_shift = S_masked − m
    and E = e^S_shift. The weights A are the same numbers; what is made from them is made anew.

    Errors: :class:`AttentionError` without ``shift`` where an exponential would not fit into
    float64, and for a graph whose A is not a softmax (it is in steps already).

    >>> from attention_core import EXAMPLES
    >>> graph = softmax_in_steps(EXAMPLES["love"].graph())
    >>> print(graph.explain("A", 0, 1))
    A[I, love] = E[I, love] / Z[I, Σ] = 17.935 / 25.368 = 0.707
    """
    S = _scores(graph, "softmax_in_steps")
    shifted = _shifted(S) if shift else ()
    if not shift:
        _check_fits(S)
    E = exponential((S, *shifted)[-1], "E")  # (n, n)
    Z = row_sum(E, "Z")  # (n, n) -> (n, 1)
    A = divide_by_column(E, Z, "A")  # (n, n) (n, 1) -> (n, n)
    return _with_weights(graph, A, (*shifted, E, Z))


def overflows(graph: Graph) -> bool:
    """Whether some row's plain exponentials cannot be shown, so that its maximum is taken off.

    They overflow, or are too small to show any digits. A row with every key blocked has none.

    >>> from attention_core import EXAMPLES, attention
    >>> overflows(EXAMPLES["love"].graph())
    False
    >>> overflows(attention([[1000]], [[1], [2]], [[1], [2]]))
    True
    """
    S = _scores(graph, "overflows")
    return any(not is_plain(S, row) for row in _open_rows(S))


def unscaled(graph: Graph) -> Graph:
    """The weights with and without the scaling, before any mask: what dividing by √d_k does.

    A_scaled = softmax(S_scaled) and A_raw = softmax(S). Shapes: (n, n) → (n, n).

    >>> from attention_core import EXAMPLES
    >>> unscaled(EXAMPLES["love"].graph())["A_raw"].value[0].round(3).tolist()
    [0.016, 0.867, 0.117]
    """
    plain(graph, "unscaled", "S")
    A_scaled = row_softmax(graph["S_scaled"], "A_scaled")  # (n, n)
    A_raw = row_softmax(graph["S"], "A_raw")  # (n, n)
    return _extended(graph, A_scaled, A_raw)


def column_sums(graph: Graph) -> Graph:
    """What the columns of the weights add up to: Z_down holds the row sums of Aᵀ.

    Shapes: A (n, n) → A_T (n, n), Z_down (n, 1). Rows of A add up to 1; columns need not.

    >>> from attention_core import EXAMPLES
    >>> column_sums(EXAMPLES["love"].graph())["Z_down"].value.round(3).tolist()
    [[0.571], [1.573], [0.855]]
    """
    plain(graph, "column_sums", "A")
    A_T = transpose(graph["A"])
    return _extended(graph, A_T, row_sum(A_T, "Z_down"))  # (n, n) -> (n, 1)


def look_up(graph: Graph) -> Graph:
    """A look-up in a table beside the soft one: H gives everything to the largest score.

    >>> from attention_core import EXAMPLES
    >>> graph = look_up(EXAMPLES["love"].graph())
    >>> graph["H"].value[0].tolist(), graph["O_H"].value[0].tolist()
    ([0.0, 1.0, 0.0], [1.0, 2.0, 0.0])
    """
    plain(graph, "look_up", "S_masked")
    H = hard_max(graph["S_masked"], "H")  # (n, n)
    return _extended(graph, H, matmul(H, graph["V"], "O_H"))  # (n, n) (n, d_v) -> (n, d_v)


def short_values(graph: Graph) -> Graph:
    """Values of another length than keys: V_short, the first column of V, and O_short = A V_short.

    The weights stay as they are, and so does what they make of that column.

    >>> from attention_core import EXAMPLES
    >>> graph = short_values(EXAMPLES["love"].graph())
    >>> graph["O_short"].shape, graph["O"].value[0, 0] == graph["O_short"].value[0, 0]
    ((3, 1), np.True_)
    """
    plain(graph, "short_values", "A")
    V_short = take_columns(graph["V"], 0, 1, "V_short")  # (n, d_v) -> (n, 1)
    return _extended(graph, V_short, matmul(graph["A"], V_short, "O_short"))  # (n, n) (n, 1)


def without_value(graph: Graph, token: int) -> Graph:
    """The same weights, and the value of one token set to 0: O_zero = A V_zero.

    V_zero = V ∘ V_keep; V_keep is 0 in the row of ``token`` and 1 elsewhere. All are (n, d_v).
    The weights stay as they are, since they are made from queries and keys.

    Errors: :class:`AttentionError` for a token that is not there.

    >>> from attention_core import EXAMPLES
    >>> graph = without_value(EXAMPLES["love"].graph(), 1)
    >>> graph["O"].value[0].round(3).tolist(), graph["O_zero"].value[0].round(3).tolist()
    ([1.0, 1.637, 0.07], [0.293, 0.223, 0.07])
    """
    plain(graph, "without_value", "A")
    V = graph["V"]
    token = place("without_value", "token", token, V.shape[0])
    keep = np.ones(V.shape)
    keep[token] = 0.0
    V_keep = given("V_keep", keep, V.rows, V.cols)
    V_zero = multiply(V, V_keep, "V_zero")  # (n, d_v) (n, d_v) -> (n, d_v)
    O_zero = matmul(graph["A"], V_zero, "O_zero")  # (n, n) (n, d_v) -> (n, d_v)
    return _extended(graph, V_keep, V_zero, O_zero)


def _extended(graph: Graph, *matrices: Matrix) -> Graph:
    return Graph((*graph.steps, *matrices), graph.between)


def _with_weights(graph: Graph, A: Matrix, before: tuple[Matrix, ...]) -> Graph:
    """The graph with another A, and everything that is made from A made anew."""
    made = made_again(graph, {"A": A})
    at = graph.steps.index(graph["A"])
    steps = (*graph.steps[:at], *before, *graph.steps[at:])
    return Graph(tuple(made.get(m.key, m) for m in steps), graph.between)


def _scores(graph: Graph, who: str) -> Matrix:
    """What A is the softmax of."""
    rows(graph, who, "A")
    A = graph["A"]
    if not isinstance(A.op, RowSoftmax):
        raise AttentionError(f"{who}: A is not a softmax here. Start from attention.")
    return A.inputs[0]


def _open_rows(S: Matrix) -> list[int]:
    found: list[int] = np.flatnonzero(np.isfinite(S.value).any(axis=1)).tolist()
    return found


def _shifted(S: Matrix) -> tuple[Matrix, ...]:
    m = row_max(S, "m")  # (n, n) -> (n, 1)
    return m, subtract_column(S, m, "S_shift")  # (n, n) (n, 1) -> (n, n)


def _check_fits(S: Matrix) -> None:
    for row in _open_rows(S):
        top = float(S.value[row].max())
        if abs(top) > _FITS:
            raise AttentionError(
                f"softmax_in_steps: the largest score of «{S.rows.unique(row)}» is {top:.6g}, and "
                "its exponential does not fit into float64. Use shift=True."
            )
