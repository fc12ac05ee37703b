"""Several heads: each works with some of the columns of the projections.

Each function takes a graph and returns a larger one. Every matrix keeps its key.
"""

from __future__ import annotations

from itertools import pairwise

from attention_core.errors import AttentionError
from attention_core.graph import Graph
from attention_core.ops import take_columns


def head_weights(graph: Graph, heads: int) -> Graph:
    """W_Q cut into the columns of its heads: W_Q_1, W_Q_2, …, as equal as the columns allow.

    Where d_k does not divide by ``heads``, the first heads get one column more. Vaswani et al.
    (2017), section 3.2.2, cut d_model = 512 into 8 heads of 64.

    Errors: :class:`AttentionError` for a graph without W_Q, and for more heads than columns.

    >>> from attention_core import EXAMPLES
    >>> graph = head_weights(EXAMPLES["love"].graph(), 2)
    >>> graph["W_Q"].shape, graph["W_Q_1"].shape, graph["W_Q_2"].shape
    ((4, 3), (4, 2), (4, 1))
    """
    if "W_Q" not in graph:
        raise AttentionError(
            "head_weights: this graph starts from Q, K and V, so there is no W_Q to cut. Use "
            "self_attention(X, W_Q, W_K, W_V)."
        )
    W_Q = graph["W_Q"]
    return Graph(
        (
            *graph.steps,
            *(
                take_columns(W_Q, start, stop, f"W_Q_{head + 1}")
                for head, (start, stop) in enumerate(_shared_out(W_Q.cols.size, heads))
            ),
        ),
        graph.between,
    )


def _shared_out(columns: int, heads: int) -> list[tuple[int, int]]:
    """From which column up to which each head goes."""
    if not 1 <= heads <= columns:
        raise AttentionError(f"heads: got {heads} heads for {columns} columns. Each needs one.")
    edges = [-(-columns * head // heads) for head in range(heads + 1)]
    return list(pairwise(edges))
