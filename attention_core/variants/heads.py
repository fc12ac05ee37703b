"""Several heads side by side (Vaswani et al. 2017, section 3.2.2), and heads that share keys.

Each head is one attention on some columns of the projections. Matrices of head i are numbered:
``Q_1``, ``A_1``, ``O_1``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from math import gcd

from numpy.typing import ArrayLike

from attention_core.attention import Tokens, attend, feature_axis, projection, scale_of
from attention_core.axes import numbered, token_axis
from attention_core.bounds import whole
from attention_core.errors import AttentionError
from attention_core.graph import Graph
from attention_core.inputs import MAX_SIZE, Inputs
from attention_core.masks import MaskLike, mask_matrix
from attention_core.matrix import Matrix, given
from attention_core.ops import join_columns, matmul, take_columns, transpose
from attention_core.plain import plain, rows
from attention_core.stages import output_weights, residual
from attention_core.variants.variant import Chosen, Option, Variant


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
    shared = heads if kv_heads is None else kv_heads
    _check_heads(heads, shared)
    x = given("X", X)
    n = token_axis(tokens, x.shape[0])
    stream = Matrix(x.value, "X", n, feature_axis(features, x.shape[1]))
    W_Q_, W_K_, W_V_ = (
        projection("W_Q", W_Q, stream.cols, "h·d_k"),
        projection("W_K", W_K, stream.cols, "h·d_k"),
        projection("W_V", W_V, stream.cols, "h·d_v"),
    )
    Q = matmul(stream, W_Q_, "Q")  # (n, d_model) (d_model, h·d_k) -> (n, h·d_k)
    K = matmul(stream, W_K_, "K")  # (n, d_model) (d_model, h_kv·d_k) -> (n, h_kv·d_k)
    V = matmul(stream, W_V_, "V")  # (n, d_model) (d_model, h_kv·d_v) -> (n, h_kv·d_v)
    M = mask_matrix(mask, n, n)  # (n, n)
    d_k, d_v = _share(Q, heads), _share(V, shared)
    if _share(K, shared) != d_k:
        raise AttentionError(
            f"multi_head: a query has {d_k} components and a key has {_share(K, shared)}. W_K "
            f"needs {shared}·{d_k} columns: {shared} heads of keys."
        )
    graph = Graph((stream, W_Q_, W_K_, W_V_, Q, K, V, M), frozenset({"M"}))
    graph = _side_by_side(graph, heads, shared, (d_k, d_v), scale, "O")
    if W_O is None:
        return graph
    to_model = output_weights(graph, W_O)
    U = matmul(graph["O"], to_model, "U")  # (n, h·d_v) (h·d_v, d_model) -> (n, d_model)
    return Graph((*graph.steps, to_model, U), graph.between)


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
    _check_heads(heads, shared)
    widths = _share(graph["Q"], heads), _share(graph["V"], heads)
    return _side_by_side(graph, heads, shared, widths, scale_of(graph), "O_heads")


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
        take_columns(W_Q, start, stop, _numbered("W_Q", head), "d_k")
        for head, (start, stop) in enumerate(pairwise(edges))
    )
    return Graph((*graph.steps, *cut), graph.between)


def _side_by_side(
    graph: Graph,
    heads: int,
    kv_heads: int,
    widths: tuple[int, int],
    scale: float | None,
    key: str,
) -> Graph:
    """Attention of every head on its columns of Q, K and V, and all outputs in one matrix."""
    d_k, d_v = widths
    Qs = _cut(graph["Q"], heads, d_k, "d_k")  # (n, h·d_k) -> h times (n, d_k)
    Ks = _cut(graph["K"], kv_heads, d_k, "d_k")  # (n, h_kv·d_k) -> h_kv times (n, d_k)
    Vs = _cut(graph["V"], kv_heads, d_v, "d_v")  # (n, h_kv·d_v) -> h_kv times (n, d_v)
    K_Ts = [transpose(K) for K in Ks]  # (n, d_k) -> (d_k, n)
    steps, outputs = [*graph.steps, *Qs, *Ks, *Vs, *K_Ts], []
    for head, Q in enumerate(Qs):
        group = head * kv_heads // heads
        name = partial(_numbered, head=head)
        made = attend(Q, K_Ts[group], Vs[group], graph["M"], scale, name)
        steps += made
        outputs.append(made[-1])
    O = join_columns(outputs, numbered("h·d_v", heads * d_v), key)  # (n, d_v), each -> (n, h·d_v)
    return Graph((*steps, O), graph.between | {K_T.key for K_T in K_Ts})


def _cut(of: Matrix, heads: int, width: int, size: str) -> list[Matrix]:
    """The columns of each head."""
    return [
        take_columns(of, head * width, (head + 1) * width, _numbered(of.key, head), size)
        for head in range(heads)
    ]


def _share(of: Matrix, heads: int) -> int:
    """How many columns each head gets."""
    if of.shape[1] % heads:
        raise AttentionError(
            f"heads: {of.key} has {of.shape[1]} columns, and {heads} heads cannot share them out "
            "equally. Give each head as many."
        )
    return of.shape[1] // heads


def _numbered(key: str, head: int) -> str:
    """The key of a matrix of a head: ``Q`` becomes ``Q_1``, counted from 1 as people do."""
    return f"{key}_{head + 1}"


def _check_heads(heads: int, kv_heads: int) -> None:
    for name, number in (("heads", heads), ("kv_heads", kv_heads)):
        whole("heads", name, number)
    if heads % kv_heads:
        raise AttentionError(
            f"multi_head: {heads} heads cannot share {kv_heads} heads of keys and values equally. "
            "Take a divisor of the heads."
        )


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
