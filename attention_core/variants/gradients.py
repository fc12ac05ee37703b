"""A loss on the outputs, its gradients, and one step of gradient descent.

Going backwards is reverse mode differentiation (Linnainmaa 1970; Rumelhart, Hinton and Williams
1986): see :func:`attention_core.gradients`. The step is plain gradient descent (Cauchy 1847).
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from attention_core.again import made_again, marked
from attention_core.backward import gradients
from attention_core.bounds import finite, place
from attention_core.errors import AttentionError
from attention_core.graph import Graph
from attention_core.inputs import MAX_TOKENS, Inputs
from attention_core.matrix import Cell, Matrix, given
from attention_core.ops import (
    compare,
    diagonal,
    matmul,
    multiply,
    row_sum,
    scale,
    subtract,
    take_columns,
    transpose,
)
from attention_core.plain import plain, rows
from attention_core.variants.variant import Chosen, Option, Variant

AFTER = "_after"
_GIVEN = ("Q", "K", "V")
_STEPS = 1e-10, 1.0
EPSILON = 1e-5  # about the third root of float64's precision: there the error is smallest


def value_loss(graph: Graph, row: int, aim: int) -> Graph:
    """How far one output is from the value of a token: L = ½ Σ (O − T)².

    The target T (n, d_v) holds fixed numbers: in ``row`` those of the value of token ``aim``, in
    every other row the output as it is, so these shall stay. R = O − T are the errors, Sq their
    squares, L_row (n, 1) the sums of these, and L (1, 1) is half of all.

    Errors: :class:`AttentionError` for a token that is not there.

    >>> from attention_core import EXAMPLES
    >>> graph = value_loss(EXAMPLES["love"].graph(), row=2, aim=0)
    >>> graph["T"].value[2].tolist(), graph["L"].value.round(3).tolist()
    ([1.0, 0.0, 1.0], [[1.278]])
    """
    plain(graph, "value_loss", "A")
    O, V = graph["O"], graph["V"]
    row = place("value_loss", "row", row, O.shape[0])
    aim = place("value_loss", "aim", aim, V.shape[0])
    wanted = O.value.copy()
    wanted[row] = V.value[aim]
    T = given("T", wanted, O.rows, O.cols)
    R = subtract(O, T, "R")  # (n, d_v)
    Sq = multiply(R, R, "Sq")  # (n, d_v)
    L_row = row_sum(Sq, "L_row")  # (n, d_v) -> (n, 1)
    L_row_T = transpose(L_row)  # (n, 1) -> (1, n)
    L_sum = row_sum(L_row_T, "L_sum")  # (1, n) -> (1, 1)
    L = scale(L_sum, 0.5, "L")  # (1, 1)
    between = {"Sq", "L_row", "L_row_T", "L_sum"}
    return Graph((*graph.steps, T, R, Sq, L_row, L_row_T, L_sum, L), graph.between | between)


def descend(graph: Graph, row: int, aim: int, rate: float) -> Graph:
    """The loss of :func:`value_loss`, all gradients, and one step against them.

    Every matrix behind L gets its gradient (dO, dV, dA, …). The parameters, W_Q, W_K and W_V (or
    Q, K and V in a graph that starts from these), take one step: W_after = W − ``rate`` · dW. All
    that is made from them is made again from these (A_after, O_after, L_after, …) with T as it is,
    and A_diff = A_after − A.

    Each matrix steps on its own. W_Q and W_K with the same numbers (`Inputs.with_tied`) are two
    matrices here, and differ after the step; where one shared matrix is learned, its gradient is
    dW_Q + dW_K.

    Errors: :class:`AttentionError` for a rate that is not a finite number above 0, and where a
    number is too large for float64.

    >>> from attention_core import EXAMPLES
    >>> graph = descend(EXAMPLES["love"].graph(), row=2, aim=0, rate=0.1)
    >>> graph["L"].value.round(3).item(), graph["L_after"].value.round(3).item()
    (1.278, 0.924)
    >>> graph.explain("W_Q_after", 0, 0).symbolic
    'W_Q[1, 1] − ηdW_Q[1, 1]'
    """
    plain(graph, "descend", "A")
    rate = finite("descend", "the rate", rate, above=0)
    before = value_loss(graph, row, aim)
    full = gradients(before, "L")
    steps, moved = [], {}
    for matrix in parameters(full):
        step = scale(full[f"d{matrix.key}"], rate, f"step_{matrix.key}")
        moved[matrix.key] = subtract(matrix, step, f"{matrix.key}{AFTER}")
        steps += [step, moved[matrix.key]]
    again = made_again(_forward(full, "L"), moved, partial(marked, mark=AFTER))
    made = tuple(m for m in again.values() if m not in moved.values())
    A_diff = compare(again["A"], full["A"], "A_diff")  # (n, n)
    between = {m.key for key, m in again.items() if key in before.between}
    between |= {m.key for m in steps if m.key.startswith("step_")}
    return Graph((*full.steps, *steps, *made, A_diff), full.between | between)


def row_jacobian(graph: Graph, row: int) -> Graph:
    """The way back through the softmax for one row, with the whole Jacobian: ds = da J.

    a is the row of A, J = diag(a) − aᵀ a with J[i, j] = ∂a[i] / ∂s[j], and da the row of dA. Then
    ds is the row of dS_masked, which ``row_softmax`` gets without J. Shapes: a, da and ds (1, n),
    J (n, n).

    Errors: :class:`AttentionError` for a graph without gradients, and for a row that is not there.

    >>> from attention_core import EXAMPLES
    >>> graph = row_jacobian(descend(EXAMPLES["love"].graph(), 2, 0, 0.1), 2)
    >>> graph["ds"].value.round(3).tolist(), graph["dS_masked"].value[2].round(3).tolist()
    ([[-0.429, 0.536, -0.107]], [-0.429, 0.536, -0.107])
    """
    rows(graph, "row_jacobian")
    if "dA" not in graph or "A_T" not in graph:
        raise AttentionError("row_jacobian: this graph has no gradients. Use descend first.")
    row = place("row_jacobian", "row", row, graph["A"].shape[0])
    dA_T = transpose(graph["dA"])  # (n, n)
    a_T, da_T = (  # (n, n) -> (n, 1)
        take_columns(of, row, row + 1, key) for of, key in ((graph["A_T"], "a_T"), (dA_T, "da_T"))
    )
    a, da = transpose(a_T, "a"), transpose(da_T, "da")  # (n, 1) -> (1, n)
    D = diagonal(a, "D")  # (1, n) -> (n, n)
    B = matmul(a_T, a, "B")  # (n, 1) (1, n) -> (n, n)
    J = subtract(D, B, "J")  # (n, n)
    ds = matmul(da, J, "ds")  # (1, n) (n, n) -> (1, n)
    between = {"dA_T", "a_T", "da_T"}
    return Graph((*graph.steps, dA_T, a_T, da_T, a, da, D, B, J, ds), graph.between | between)


def parameters(graph: Graph) -> tuple[Matrix, ...]:
    """What a step of :func:`descend` changes: the weights, or Q, K and V where they are given.

    >>> from attention_core import EXAMPLES
    >>> [m.key for m in parameters(EXAMPLES["hand"].graph())]
    ['Q', 'K', 'V']
    """
    behind = graph.behind("O")
    return tuple(m for m in behind if m.op is None and (m.key[:2] == "W_" or m.key in _GIVEN))


def finite_difference(graph: Graph, cell: Cell, eps: float = EPSILON, of: str = "L") -> float:
    """How ``of`` answers to one number, measured: (L(w + ε) − L(w − ε)) / 2ε.

    The number in ``cell`` is moved up and down by ``eps``, and all that is made from it is made
    again; the rest stays, also the target. Its gradient should be the same up to an error that
    shrinks with ε² until rounding takes over.

    Errors: :class:`AttentionError` where ``of`` is not one number, the cell is not there, and for
    an ``eps`` outside 10⁻¹⁰ to 1, or too small to move the number by it.

    >>> from attention_core import EXAMPLES
    >>> graph = descend(EXAMPLES["love"].graph(), row=2, aim=0, rate=0.1)
    >>> round(finite_difference(graph, Cell("W_V", 0, 1)), 6)
    0.637574
    >>> graph["dW_V"].value[0, 1].round(6).item()
    0.637574
    """
    who = "finite_difference"
    if graph[of].shape != (1, 1):
        raise AttentionError(
            f"{who}: {of} is {graph[of].shape[0]}×{graph[of].shape[1]}, wanted one number."
        )
    eps = finite(who, "eps", eps, *_STEPS)
    matrix, forward = graph[cell.symbol], _forward(graph, of)
    row, col = (
        place(who, f"{n} of {cell.symbol}", i, m)
        for n, i, m in (("row", cell.row, matrix.shape[0]), ("column", cell.col, matrix.shape[1]))
    )
    number = float(matrix.value[row, col])
    if abs((number + eps) - (number - eps) - 2 * eps) > 0.01 * eps:
        raise AttentionError(
            f"{who}: eps is {eps:g}, too small beside {number:g}. Take a larger one."
        )
    reached = []
    for step in (eps, -eps):
        value = matrix.value.copy()
        value[row, col] += step
        moved = {matrix.key: replace(matrix, value=value)}
        reached.append(float(made_again(forward, moved).get(of, graph[of]).value[0, 0]))
    return (reached[0] - reached[1]) / (2.0 * eps)


def promised(graph: Graph, rate: float) -> float:
    """The loss after a step if the slopes stayed as they are: L − rate · Σ dW², all parameters.

    >>> from attention_core import EXAMPLES
    >>> graph = descend(EXAMPLES["love"].graph(), row=2, aim=0, rate=0.001)
    >>> round(promised(graph, 0.001), 4), graph["L_after"].value.round(4).item()
    (1.273, 1.273)
    """
    if "L" not in graph or "dL" not in graph:
        raise AttentionError("promised: this graph has no loss with gradients. Use descend first.")
    rate = finite("promised", "the rate", rate)
    squares = (np.square(graph[f"d{m.key}"].value).sum() for m in parameters(graph))
    return float(graph["L"].value[0, 0] - rate * sum(squares))


def _forward(graph: Graph, of: str) -> Graph:
    """What leads to ``of`` and nothing else, so that no gradient is made again with it."""
    return Graph(graph.behind(of))


def _descend(graph: Graph, inputs: Inputs, options: Chosen) -> Graph:
    row = int(options["whose"])
    return row_jacobian(descend(graph, row, int(options["aim"]), float(options["rate"])), row)


RATES = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0)
GRADIENTS = Variant(
    "gradients",
    "Gradients",
    _descend,
    (
        # Beyond the last token there is none: then it is the last one that counts.
        Option("whose", "Whose output shall move", MAX_TOKENS - 1, token=True),
        Option("aim", "To the value of", 0, token=True),
        Option("rate", "Rate η", 0.1, among={rate: f"{rate:g}" for rate in RATES}),
    ),
)
