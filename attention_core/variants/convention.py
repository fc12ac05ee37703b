"""Tokens as columns: the same computation on the transposed board, as many courses write it.

The paper has a token in each row, Q = X W_Q and O = softmax(Q Kᵀ / √d_k) V. With a token in each
column the same matrices are transposed, Q = W_Q X and O = V softmax(Kᵀ Q / √d_k), and the softmax
runs down each column.
"""

from __future__ import annotations

from attention_core.graph import Graph
from attention_core.matrix import Matrix
from attention_core.ops.by_column import in_columns
from attention_core.variants.variant import Option, Variant


def as_columns(graph: Graph) -> Graph:
    """The same computation with rows and columns swapped: every matrix is the transpose.

    Keys stay. Products change the order of their factors, ops that work row by row work column by
    column, and all else stays. From X (n, d_model) and W_Q (d_model, d_k) come X (d_model, n),
    W_Q (d_k, d_model) and Q = W_Q X (d_k, n); S and A are (keys, queries), O is (d_v, n). Done
    twice, it gives the graph as it was.

    Source: (A B)ᵀ = Bᵀ Aᵀ; the form in columns is that of Phuong and Hutter (2022), «Formal
    Algorithms for Transformers».

    >>> from attention_core import EXAMPLES
    >>> graph = as_columns(EXAMPLES["love"].graph())
    >>> graph["S"].value[:, 0].tolist()
    [1.0, 5.0, 3.0]
    >>> graph.definition("Q"), graph.definition("S"), graph.definition("O")
    ('Q = W_{Q} X', 'S = K^{\\\\top} Q', 'O = V A')
    >>> print(graph.explain("S", 1, 0))
    S[love, I] = k_love · q_I = 2·2 + 1·0 + 1·1 = 5
    >>> graph.explain("S", 1, 0).title
    'How «I» scores «love»'
    """
    made: dict[int, Matrix] = {}
    return Graph(tuple(in_columns(matrix, made) for matrix in graph.steps), graph.between)


def as_rows(graph: Graph) -> Graph:
    """A graph in the paper's convention, with tokens as rows: itself, where it is in it already.

    >>> from attention_core import EXAMPLES
    >>> graph = EXAMPLES["love"].graph()
    >>> as_rows(graph) is graph, as_rows(as_columns(graph))["Q"].shape == graph["Q"].shape
    (True, True)
    """
    return as_columns(graph) if any(matrix.by_column for matrix in graph.steps) else graph


CONVENTION = Variant(
    "convention",
    "Rows or columns",
    lambda graph, inputs, options: as_columns(graph) if options["columns"] else graph,
    (Option("columns", "Tokens as columns", True, same=True),),
)
