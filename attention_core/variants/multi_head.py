"""Several heads from packed weights, or from given queries, keys and values."""

from __future__ import annotations

from collections.abc import Sequence

from numpy.typing import ArrayLike

from attention_core.attention import (
    Tokens,
    embedded,
    other_sequence,
    projection,
    queries_keys_values,
)
from attention_core.errors import AttentionError
from attention_core.graph import Graph
from attention_core.masks import MaskLike, mask_matrix
from attention_core.matrix import Matrix
from attention_core.ops import matmul
from attention_core.stream import output_weights
from attention_core.variants.side_by_side import check_heads, share, side_by_side

_SIZES = ("h·d_k", "h_kv·d_k", "h_kv·d_v")


def multi_head(
    X: ArrayLike,
    W_Q: ArrayLike,
    W_K: ArrayLike,
    W_V: ArrayLike,
    W_O: ArrayLike | None = None,
    *,
    heads: int,
    kv_heads: int | None = None,
    mask: MaskLike = None,
    scale: float | None = None,
    tokens: Tokens = None,
    features: Sequence[str] | None = None,
) -> Graph:
    """Self-attention with several heads: O = [O_1 | … | O_h], and U = O W_O where W_O is given.

    Head i takes the i-th share of the columns of Q, K and V, which are X times the i-th share of
    the columns of W_Q, W_K and W_V. With ``kv_heads`` fewer than ``heads``, neighbouring heads
    share keys and values (grouped queries, Ainslie et al. 2023; with one, multi-query attention,
    Shazeer 2019).

    Shapes: X (n, d_model), W_Q (d_model, h·d_k), W_K (d_model, h_kv·d_k), W_V (d_model, h_kv·d_v),
    W_O (h·d_v, d_model) → U (n, d_model). Mask and scale as in `attention`, for all heads.

    Errors: :class:`AttentionError` for columns that cannot be shared out equally, heads that
    ``kv_heads`` does not divide, and all that `self_attention` refuses.

    >>> import numpy as np
    >>> X, W = np.eye(3, 4), np.ones((4, 4))
    >>> graph = multi_head(X, W, W, W, W, heads=2)
    >>> graph["O_1"].shape, graph["O"].shape, graph["U"].shape
    ((3, 2), (3, 4), (3, 4))
    >>> graph.explain("O", 0, 2).text
    'O[1, 3] = O_2[1, 3] = 1'
    """
    stream = embedded(X, tokens, features)
    graph = _projected(stream, stream, (W_Q, W_K, W_V), (heads, kv_heads), mask, scale)
    return graph if W_O is None else _mixed(graph, output_weights(graph, W_O))


def multi_head_cross(
    X: ArrayLike,
    Y: ArrayLike,
    W_Q: ArrayLike,
    W_K: ArrayLike,
    W_V: ArrayLike,
    W_O: ArrayLike | None = None,
    *,
    heads: int,
    kv_heads: int | None = None,
    mask: MaskLike = None,
    scale: float | None = None,
    tokens: Tokens = None,
    key_tokens: Tokens = None,
) -> Graph:
    """Cross-attention with several heads: queries from X, keys and values from another sequence Y.

    Shapes: X (n_q, d_model), Y (n_k, d_Y), W_Q (d_model, h·d_k), W_K (d_Y, h_kv·d_k), W_V (d_Y,
    h_kv·d_v), W_O (h·d_v, d_model) → O (n_q, h·d_v), U (n_q, d_model). The rest as in `multi_head`.

    >>> import numpy as np
    >>> X, Y, W, W_Y = np.eye(2, 4), np.eye(3, 5), np.ones((4, 6)), np.ones((5, 2))
    >>> graph = multi_head_cross(X, Y, W, W_Y, W_Y, heads=3, kv_heads=1)
    >>> graph["A_3"].shape, graph["O"].shape
    ((2, 3), (2, 6))
    """
    X_, Y_ = embedded(X, tokens), other_sequence(Y, key_tokens)
    graph = _projected(X_, Y_, (W_Q, W_K, W_V), (heads, kv_heads), mask, scale)
    return graph if W_O is None else _mixed(graph, output_weights(graph, W_O))


def multi_head_attention(
    Q: ArrayLike,
    K: ArrayLike,
    V: ArrayLike,
    W_O: ArrayLike | None = None,
    *,
    heads: int,
    kv_heads: int | None = None,
    mask: MaskLike = None,
    scale: float | None = None,
    tokens: Tokens = None,
    key_tokens: Tokens = None,
) -> Graph:
    """Several heads from given queries, keys and values, as `attention` is one head of them.

    The columns of the heads stand side by side: head i takes the i-th share. Arrays (heads, n, d)
    become that by ``array.swapaxes(0, 1).reshape(n, -1)``. Mask, scale and tokens as in
    `attention`, the heads as in `multi_head`.

    Shapes: Q (n_q, h·d_k), K (n_k, h_kv·d_k), V (n_k, h_kv·d_v) → O (n_q, h·d_v); with W_O
    (h·d_v, d_model) → U (n_q, d_model).

    >>> Q, K, V = [[1, 0, 0, 1]], [[1, 0], [0, 1]], [[2], [4]]
    >>> graph = multi_head_attention(Q, K, V, heads=2, kv_heads=1)
    >>> graph["K_1"].shape, graph["O"].value.round(3).tolist()
    ((2, 2), [[2.66, 3.34]])
    """
    given = queries_keys_values(Q, K, V, tokens, key_tokens, _SIZES)
    graph = _attend((), given, (heads, kv_heads), mask, scale)
    if W_O is None:
        return graph
    return _mixed(graph, projection("W_O", W_O, graph["O"].cols, "d_model"))


def _projected(
    X: Matrix,
    Y: Matrix,
    weights: tuple[ArrayLike, ArrayLike, ArrayLike],
    heads: tuple[int, int | None],
    mask: MaskLike,
    scale: float | None,
) -> Graph:
    """Q from X, K and V from Y (which is X itself in self-attention), and every head of them."""
    keys, sources = ("W_Q", "W_K", "W_V"), (X, Y, Y)
    W = [
        projection(*of) for of in zip(keys, weights, (m.cols for m in sources), _SIZES, strict=True)
    ]
    Q = matmul(X, W[0], "Q")  # (n, d_model) (d_model, h·d_k) -> (n, h·d_k)
    K = matmul(Y, W[1], "K")  # (n, d_model) (d_model, h_kv·d_k) -> (n, h_kv·d_k)
    V = matmul(Y, W[2], "V")  # (n, d_model) (d_model, h_kv·d_v) -> (n, h_kv·d_v)
    before = (X, *(() if Y is X else (Y,)), *W)
    return _attend(before, (Q, K, V), heads, mask, scale)


def _attend(
    before: tuple[Matrix, ...],
    wide: tuple[Matrix, Matrix, Matrix],
    heads: tuple[int, int | None],
    mask: MaskLike,
    scale: float | None,
) -> Graph:
    """Every head of some queries, keys and values."""
    (Q, K, V), (count, shared) = wide, heads
    shared = count if shared is None else shared
    check_heads(count, shared)
    M = mask_matrix(mask, Q.rows, K.rows)  # (n, n)
    d_k, d_v = share(Q, count), share(V, shared)
    if share(K, shared) != d_k:
        raise AttentionError(
            f"multi_head: a query has {d_k} components and a key has {share(K, shared)}. "
            f"{K.inputs[1].key if K.inputs else 'K'} needs {shared}·{d_k} columns: {shared} heads "
            "of keys."
        )
    graph = Graph((*before, *wide, M), frozenset({"M"}))
    return side_by_side(graph, count, shared, (d_k, d_v), scale, "O")


def _mixed(graph: Graph, W_O: Matrix) -> Graph:
    """What the heads give, mixed by W_O."""
    U = matmul(graph["O"], W_O, "U")  # (n, h·d_v) (h·d_v, d_model) -> (n, d_model)
    return Graph((*graph.steps, W_O, U), graph.between)
