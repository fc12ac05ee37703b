"""The residual stream: layer upon layer reads the sum so far and adds to it."""

from __future__ import annotations

from functools import partial

from numpy.typing import ArrayLike

from attention_core.again import made_again, marked
from attention_core.bounds import whole
from attention_core.graph import Graph
from attention_core.matrix import Matrix
from attention_core.ops import add, add_all, matmul
from attention_core.plain import plain
from attention_core.stream import embeddings, output_weights

MAX_LAYERS = 3


def layered(graph: Graph, layers: int, W_O: ArrayLike | None = None) -> Graph:
    """Attention in layers: each reads the stream, and X_l = X_(l−1) + U_l with U_l = O_l W_O.

    The graph is the first layer. The next ones use its ops, weights and mask again, on X_1, X_2 …
    instead of X; their matrices are numbered (``Q_2``, ``A_2`` …). X_sum = X + U_1 + U_2 + … is the
    same as the last X_l, from the start. ``W_O`` and shapes as in `residual`.

    Errors: :class:`AttentionError` for a graph without embeddings, fewer than 1 layer or more than
    3, and a ``W_O`` of another shape.

    >>> from attention_core import EXAMPLES
    >>> graph = layered(EXAMPLES["love"].graph(), 2)
    >>> graph.explain("X_sum", 0, 1).text
    'X_sum[I, 2] = X[I, 2] + U_1[I, 2] + U_2[I, 2] = 0 + 1.637 + 2.711 = 4.348'
    """
    X = embeddings(graph, "layered")
    plain(graph, "layered", "A")
    layers = whole("layered", "layers", layers, 1, MAX_LAYERS)
    to_stream = output_weights(graph, W_O)
    steps: list[Matrix] = [*graph.steps, to_stream]
    updates: list[Matrix] = []
    between = set(graph.between)
    read, O = X, graph["O"]
    for layer in range(1, layers + 1):
        if layer > 1:
            made = made_again(graph, {"X": read}, partial(marked, mark=f"_{layer}"))
            O = made["O"]
            steps += [m for m in made.values() if m is not read]
            between |= {made[key].key for key in graph.between if key in made}
        U = matmul(O, to_stream, f"U_{layer}")  # (n, d_v) (d_v, d_model) -> (n, d_model)
        read = add(read, U, f"X_{layer}")  # (n, d_model) (n, d_model) -> (n, d_model)
        updates.append(U)
        steps += [U, read]
    steps.append(add_all((X, *updates), "X_sum"))  # (n, d_model), each -> (n, d_model)
    return Graph(tuple(steps), frozenset(between))
