"""The residual stream: outputs brought back to the length of a token's row, and added to it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from attention_core.errors import AttentionError
from attention_core.graph import Graph
from attention_core.matrix import Matrix, given
from attention_core.ops import add, matmul
from attention_core.ops.op import size
from attention_core.plain import plain, rows


def residual(graph: Graph, W_O: ArrayLike | None = None, of: str | None = None) -> Graph:
    """What happens to the outputs: U = O W_O is added to the embeddings, X_out = X + U.

    ``W_O`` has shape (d_v, d_model); without it component i of O goes to feature i of X. Where O
    is undefined U is 0, and X_out is X. ``of`` names other outputs than O.

    Errors: :class:`AttentionError` for a graph without embeddings, a ``W_O`` of another shape, and
    a graph that leads to other outputs as well, where ``of`` does not say which.

    >>> from attention_core import EXAMPLES
    >>> residual(EXAMPLES["love"].graph()).explain("X_out", 0, 1).text
    'X_out[I, 2] = X[I, 2] + U[I, 2] = 0 + 1.637 = 1.637'
    """
    X = embeddings(graph, "residual")
    if of is None:
        plain(graph, "residual", "O", "")
        of = "O"
    to_model = output_weights(graph, W_O, of)
    U = matmul(graph[of], to_model, "U")  # (n, d_v) (d_v, d_model) -> (n, d_model)
    X_out = add(X, U, "X_out")  # (n, d_model) (n, d_model) -> (n, d_model)
    return Graph((*graph.steps, to_model, U, X_out), graph.between)


def embeddings(graph: Graph, what: str) -> Matrix:
    """The embeddings X, for ``what`` adds to them.

    Errors: :class:`AttentionError` for a graph that starts from Q, K and V.
    """
    rows(graph, what, "O")
    if "X" not in graph:
        raise AttentionError(
            f"{what}: there are no embeddings X to add to: this graph starts from Q, K and V. Use "
            "self_attention(X, W_Q, W_K, W_V)."
        )
    return graph["X"]


def output_weights(graph: Graph, W_O: ArrayLike | None = None, of: str = "O") -> Matrix:
    """W_O, which brings outputs back to the length of a row of X: what is given, or 1s and 0s.

    >>> from attention_core import EXAMPLES
    >>> output_weights(EXAMPLES["love"].graph()).shape
    (3, 4)
    """
    X, O = graph["X"], graph[of]
    shape = (O.cols.size, X.cols.size)
    to_model = given("W_O", np.eye(*shape) if W_O is None else W_O, O.cols, X.cols)
    if to_model.value.shape != shape:
        n, m = to_model.value.shape
        raise AttentionError(
            f"W_O: is {n}×{m}, wanted {shape[0]}×{shape[1]}: one row for each column of "
            f"{O.symbol.text}, which is {size(O)}, and one column for each of X, which is "
            f"{size(X)}."
        )
    return to_model
