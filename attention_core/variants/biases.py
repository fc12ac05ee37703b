"""Biases of the projections, as PyTorch's module, GPT-2 or Qwen have them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from attention_core.again import replaced
from attention_core.axes import numbered
from attention_core.errors import AttentionError
from attention_core.graph import Graph
from attention_core.matrix import given
from attention_core.ops import add, matmul
from attention_core.plain import ends_here, rows


def with_biases(
    graph: Graph,
    b_Q: Sequence[float] | None = None,
    b_K: Sequence[float] | None = None,
    b_V: Sequence[float] | None = None,
    b_O: Sequence[float] | None = None,
) -> Graph:
    """The same heads with biases: Q = X W_Q + b_Q in every row, so K and V, and U = O W_O + b_O.

    Without its bias a matrix is called Q_lin, and B_Q is the bias in every row: Q = Q_lin + B_Q.
    What follows is made again under its key. A bias has one number a column; those not given are
    none. Before or after `with_rotary`, `softcap`, `sink` and `with_masks` it is the same.

    Shapes: b_Q (h·d_k), b_K (h_kv·d_k), b_V (h_kv·d_v), b_O (d_model).

    Errors: :class:`AttentionError` for a graph that is not several heads (`multi_head` with
    ``heads=1`` is fine), one with gradients, a bias of another width, and b_O without W_O.

    >>> from attention_core import multi_head
    >>> X = [[1, 0], [0, 1]]
    >>> graph = with_biases(multi_head(X, X, X, X, heads=2), b_Q=(0, 5))
    >>> graph["Q"].value.tolist(), graph.explain("Q", 0, 1).text
    ([[1.0, 5.0], [0.0, 6.0]], 'Q[1, 2] = Q_lin[1, 2] + B_Q[1, 2] = 0 + 5 = 5')
    """
    rows(graph, "with_biases", "O")
    ends_here(graph, "with_biases")
    if "Q_1" not in graph or "O_heads" in graph:
        raise AttentionError(
            "with_biases: this graph is not several heads from packed weights. Start from "
            "multi_head; heads=1 is one of them."
        )
    if b_O is not None and "U" not in graph:
        raise AttentionError("with_biases: there is no U to add b_O to. Give multi_head its W_O.")
    for key, name, bias in (
        ("Q", "Q", b_Q),
        ("K", "K", b_K),
        ("V", "V", b_V),
        ("U", "O", b_O),
    ):
        graph = graph if bias is None else _added(graph, key, name, bias)
    return graph


def _added(graph: Graph, key: str, name: str, bias: Sequence[float]) -> Graph:
    """One matrix with its bias."""
    of = replace(graph[key], key=f"{key}_lin")
    b = replace(given(f"b_{name}", [bias]), cols=of.cols)  # (1, d)
    if b.value.shape[1] != of.shape[1]:
        raise AttentionError(
            f"with_biases: b_{name} has {b.value.shape[1]} numbers, wanted {of.shape[1]}: one for "
            f"each column of {key}."
        )
    ones = given(f"ones_{name}", np.ones((of.shape[0], 1)), of.rows, numbered("1", 1))  # (n, 1)
    B = matmul(ones, b, f"B_{name}")  # (n, 1) (1, d) -> (n, d)
    both = add(of, B, key)  # (n, d) (n, d) -> (n, d)
    return replaced(graph, {key: both}, (of, ones, b, B), (ones.key,))
