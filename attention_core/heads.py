"""Several heads side by side (Vaswani et al. 2017, section 3.2.2), and heads that share keys.

Each head is one attention on some columns of the projections. Matrices of head i are numbered:
``Q_1``, ``A_1``, ``O_1``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from attention_core.attention import Tokens, attend, feature_axis, projection
from attention_core.axes import numbered, token_axis
from attention_core.errors import AttentionError
from attention_core.graph import Graph
from attention_core.masks import MaskLike, mask_matrix
from attention_core.matrix import Matrix, given
from attention_core.ops import join_columns, matmul, take_columns, transpose
from attention_core.stages import output_weights


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

    Head i takes the i-th share of the columns of W_Q, and so on: Q_i = X W_Q_i. With ``kv_heads``
    fewer than ``heads``, neighbouring heads share keys and values (grouped queries, Ainslie et al.
    2023; with one, multi-query attention, Shazeer 2019).

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
    shared = heads if kv_heads is None else kv_heads
    _check_heads(heads, shared)
    x = given("X", X)
    n = token_axis(tokens, x.shape[0])
    stream = Matrix(x.value, "X", n, feature_axis(features, x.shape[1]))
    packed = (
        projection("W_Q", W_Q, stream.cols, "h·d_k"),
        projection("W_K", W_K, stream.cols, "h·d_k"),
        projection("W_V", W_V, stream.cols, "h·d_v"),
    )
    queries = _projected(stream, packed[0], heads)
    keys, values = (_projected(stream, W, shared) for W in packed[1:])
    own, d_k = (of[0][1].shape[1] for of in (queries, keys))
    if own != d_k:
        raise AttentionError(
            f"multi_head: a query has {own} components and a key has {d_k}. Give W_Q {heads}·{d_k} "
            f"columns: {heads} heads; or check kv_heads, which is {shared}."
        )
    K_Ts = [transpose(K) for _, K in keys]  # (n, d_k) -> (d_k, n)
    M = mask_matrix(mask, n, n)  # (n, n)
    steps = [stream, *packed, *(m for of in (queries, keys, values) for pair in of for m in pair)]
    steps += [*K_Ts, M]
    outputs = []
    for head, (_, Q) in enumerate(queries):
        group = head * shared // heads
        made = attend(Q, K_Ts[group], values[group][1], M, scale, partial(_numbered, head=head))
        steps += made
        outputs.append(made[-1])
    width = numbered("h·d_v", sum(O.shape[1] for O in outputs))
    O = join_columns(outputs, width, "O")  # (n, d_v), each -> (n, h·d_v)
    graph = Graph((*steps, O), frozenset({"M", *(K_T.key for K_T in K_Ts)}))
    if W_O is None:
        return graph
    to_model = output_weights(graph, W_O)
    U = matmul(O, to_model, "U")  # (n, h·d_v) (h·d_v, d_model) -> (n, d_model)
    return Graph((*graph.steps, to_model, U), graph.between)


def head_weights(graph: Graph, heads: int) -> Graph:
    """W_Q cut into the columns of its heads: W_Q_1, W_Q_2, …, as equal as the columns allow.

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
    return Graph((*graph.steps, *_cut(graph["W_Q"], heads)), graph.between)


def _projected(X: Matrix, W: Matrix, heads: int) -> list[tuple[Matrix, Matrix]]:
    """The weights of each head, and what they make of X: for W_Q the pairs (W_Q_1, Q_1) …"""
    if W.shape[1] % heads:
        raise AttentionError(
            f"multi_head: {W.key} has {W.shape[1]} columns, and {heads} heads cannot share them "
            "out equally. Give each head as many."
        )
    name = W.key.removeprefix("W_")
    # (n, d_model) (d_model, d) -> (n, d)
    return [(cut, matmul(X, cut, _numbered(name, head))) for head, cut in enumerate(_cut(W, heads))]


def _cut(W: Matrix, heads: int) -> list[Matrix]:
    """The columns of each head; where they are not equally many, the first have one more."""
    columns = W.cols.size
    if heads > columns:
        raise AttentionError(
            f"heads: got {heads} heads for the {columns} columns of {W.key}. Each needs one."
        )
    edges = [-(-columns * head // heads) for head in range(heads + 1)]
    size = W.cols.name.removeprefix("h·")
    return [
        take_columns(W, start, stop, _numbered(W.key, head), size)
        for head, (start, stop) in enumerate(pairwise(edges))
    ]


def _numbered(key: str, head: int) -> str:
    """The key of a matrix of a head: ``Q`` becomes ``Q_1``, counted from 1 as people do."""
    return f"{key}_{head + 1}"


def _check_heads(heads: int, kv_heads: int) -> None:
    for name, number in (("heads", heads), ("kv_heads", kv_heads)):
        if not isinstance(number, int | np.integer) or number < 1:
            raise AttentionError(f"{name}: got {number!r}, wanted a whole number from 1.")
    if heads % kv_heads:
        raise AttentionError(
            f"multi_head: {heads} heads cannot share {kv_heads} heads of keys and values equally. "
            "Take a divisor of the heads."
        )
