"""What makes scores directed, and what they owe to lengths: compositions beside attention.

Each function takes a graph and returns a larger one. Every matrix keeps its key.
"""

from __future__ import annotations

from attention_core.errors import AttentionError
from attention_core.graph import Graph
from attention_core.ops import divide, matmul, row_length, transpose
from attention_core.plain import plain, rows


def one_for_both(graph: Graph) -> Graph:
    """The scores that queries would have with themselves: S_tied = Q Qᵀ, always symmetric.

    They are S where keys are made by the matrix that makes the queries. Shape (n, n).

    >>> from attention_core import EXAMPLES
    >>> one_for_both(EXAMPLES["love"].graph())["S_tied"].value.tolist()
    [[5.0, 1.0, 3.0], [1.0, 5.0, 3.0], [3.0, 3.0, 3.0]]
    """
    plain(graph, "one_for_both")
    Q = graph["Q"]
    Q_T = transpose(Q)  # (n, d_k) -> (d_k, n)
    S_tied = matmul(Q, Q_T, "S_tied")  # (n, d_k) (d_k, n) -> (n, n)
    return Graph((*graph.steps, Q_T, S_tied), graph.between | {"Q_T"})


def cosines(graph: Graph) -> Graph:
    """Each score without the lengths: C[i, j] = S[i, j] / (|q_i|·|k_j|), the cosine of the angle.

    len_Q and len_K are the lengths of the queries and keys, len_QK = len_Q len_Kᵀ their products.
    A query or key of zeros has no direction, and so no angle with anything: 0 stands there, and
    its derivation says so.

    >>> from attention_core import EXAMPLES
    >>> graph = cosines(EXAMPLES["love"].graph())
    >>> graph["S"].value[2].tolist(), graph["C"].value[2].round(3).tolist()
    ([2.0, 4.0, 3.0], [0.816, 0.943, 1.0])
    """
    rows(graph, "cosines", "S", "Q", "K")
    len_Q = row_length(graph["Q"], "len_Q")  # (n, d_k) -> (n, 1)
    len_K = row_length(graph["K"], "len_K")  # (n, d_k) -> (n, 1)
    len_K_T = transpose(len_K)  # (n, 1) -> (1, n)
    len_QK = matmul(len_Q, len_K_T, "len_QK")  # (n, 1) (1, n) -> (n, n)
    C = divide(graph["S"], len_QK, "C")  # (n, n) (n, n) -> (n, n)
    steps = (*graph.steps, len_Q, len_K, len_K_T, len_QK, C)
    return Graph(steps, graph.between | {"len_K_T"})


def one_matrix(graph: Graph) -> Graph:
    """The scores with one matrix between the tokens: S_X = X W_QK Xᵀ with W_QK = W_Q W_Kᵀ.

    They are the scores S, multiplied in another order. Keys of another sequence Y take its place
    on the right.

    Errors: :class:`AttentionError` for a graph without embeddings.

    >>> from attention_core import EXAMPLES
    >>> graph = one_matrix(EXAMPLES["love"].graph())
    >>> graph["W_QK"].shape, graph["S_X"].value[0].tolist()
    ((4, 4), [1.0, 5.0, 3.0])
    """
    rows(graph, "one_matrix", "S")
    if "X" not in graph:
        raise AttentionError(
            "one_matrix: this graph starts from Q, K and V, so there are no W_Q and W_K to "
            "multiply. Use self_attention(X, W_Q, W_K, W_V)."
        )
    plain(graph, "one_matrix")
    (X, W_Q), (Y, W_K) = graph["Q"].inputs, graph["K"].inputs
    W_K_T = transpose(W_K)  # (d_model, d_k) -> (d_k, d_model)
    W_QK = matmul(W_Q, W_K_T, "W_QK")  # (d_model, d_k) (d_k, d_model) -> (d_model, d_model)
    X_QK = matmul(X, W_QK, "X_QK")  # (n, d_model) (d_model, d_model) -> (n, d_model)
    Y_T = transpose(Y)  # (n, d_model) -> (d_model, n)
    S_X = matmul(X_QK, Y_T, "S_X")  # (n, d_model) (d_model, n) -> (n, n)
    steps = (*graph.steps, W_K_T, W_QK, X_QK, Y_T, S_X)
    return Graph(steps, graph.between | {W_K_T.key, Y_T.key})
