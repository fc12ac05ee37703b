"""One wide head cut into several narrow ones, and into how many it can be."""

from __future__ import annotations

from itertools import pairwise
from math import gcd

from attention_core.attention import scale_of
from attention_core.bounds import whole
from attention_core.errors import AttentionError
from attention_core.graph import Graph
from attention_core.inputs import MAX_SIZE, Inputs
from attention_core.ops import take_columns
from attention_core.plain import plain, rows
from attention_core.stream import residual
from attention_core.variants.side_by_side import check_heads, key_of_head, share, side_by_side
from attention_core.variants.variant import Chosen, Option, Variant


def split_heads(graph: Graph, heads: int, kv_heads: int | None = None) -> Graph:
    """The queries, keys and values of one wide head, shared out among several narrow ones.

    O_heads = [O_1 | … | O_h] stands beside O. A head's scores are divided by the root of its own
    d_k, unless the scale is given. With ``kv_heads`` only so many heads of keys and values are
    made: the first columns of K and V.

    Errors: :class:`AttentionError` for columns that cannot be shared out equally.

    >>> from attention_core import EXAMPLES
    >>> graph = split_heads(EXAMPLES["cat"].graph(), 2)
    >>> graph["Q_1"].shape, graph["A_2"].shape, graph["O_heads"].shape
    ((4, 2), (4, 4), (4, 4))
    """
    plain(graph, "split_heads")
    shared = heads if kv_heads is None else kv_heads
    check_heads(heads, shared)
    widths = share(graph["Q"], heads), share(graph["V"], heads)
    return side_by_side(graph, heads, shared, widths, scale_of(graph), "O_heads")


def head_weights(graph: Graph, heads: int) -> Graph:
    """W_Q cut into the columns of its heads: W_Q_1, W_Q_2, …, as equal as the columns allow.

    Errors: :class:`AttentionError` for a graph without W_Q, and for more heads than columns.

    >>> from attention_core import EXAMPLES
    >>> graph = head_weights(EXAMPLES["love"].graph(), 2)
    >>> graph["W_Q"].shape, graph["W_Q_1"].shape, graph["W_Q_2"].shape
    ((4, 3), (4, 2), (4, 1))
    """
    rows(graph, "head_weights")
    if "W_Q" not in graph:
        raise AttentionError(
            "head_weights: this graph starts from Q, K and V, so there is no W_Q to cut. Use "
            "self_attention(X, W_Q, W_K, W_V)."
        )
    W_Q = graph["W_Q"]
    columns = W_Q.shape[1]
    heads = whole("head_weights", "heads", heads, 1, columns)
    edges = [-(-columns * head // heads) for head in range(heads + 1)]
    cut = (
        take_columns(W_Q, start, stop, key_of_head("W_Q", head), "d_k")
        for head, (start, stop) in enumerate(pairwise(edges))
    )
    return Graph((*graph.steps, *cut), graph.between)


def head_counts(inputs: Inputs) -> tuple[int, ...]:
    """Into how many heads the columns of queries, keys and values can be shared out equally.

    >>> from attention_core import EXAMPLES
    >>> head_counts(EXAMPLES["cat"].inputs)
    (1, 2, 4)
    """
    both = gcd(inputs.sizes["d_k"], inputs.sizes["d_v"])
    return tuple(h for h in range(1, both + 1) if both % h == 0)


def _heads(graph: Graph, inputs: Inputs, options: Chosen) -> Graph:
    graph = split_heads(graph, int(options["h"]))
    return residual(graph, inputs.given["W_O"], "O_heads") if "X" in graph else graph


H = Option(
    "h",
    "Heads",
    2,
    among={h: str(h) for h in range(1, MAX_SIZE + 1)},
    fits=lambda inputs, _: head_counts(inputs),
)
HEADS = Variant("heads", "Heads", _heads, (H,))
