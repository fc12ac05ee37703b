"""Scaled dot-product attention as a composition of ops (Vaswani et al. 2017, section 3.2.1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from numpy.typing import ArrayLike

from attention_core.axes import Axis, numbered, token_axis
from attention_core.errors import AttentionError
from attention_core.graph import Graph
from attention_core.masks import MaskLike, mask_matrix
from attention_core.matrix import Matrix, given
from attention_core.ops import (
    divide_by_root,
    mask_scores,
    matmul,
    row_softmax,
    transpose,
)
from attention_core.ops import (
    scale as scale_by,
)
from attention_core.ops.scale import Scale

Tokens = Sequence[str] | None
_BETWEEN = frozenset({"K_T", "M"})


def attention(
    Q: ArrayLike,
    K: ArrayLike,
    V: ArrayLike,
    mask: MaskLike = None,
    scale: float | None = None,
    tokens: Tokens = None,
    key_tokens: Tokens = None,
) -> Graph:
    """Attention from given queries, keys and values: O = softmax(Q Kᵀ / √d_k + M) V.

    Shapes: Q (n_q, d_k), K (n_k, d_k), V (n_k, d_v) → O (n_q, d_v). ``mask`` is ``None``,
    ``"causal"``, ``"causal-bottom-right"``, a boolean array (True = may attend) or an array that is
    added; ``scale`` replaces 1/√d_k. ``tokens`` label the queries and ``key_tokens`` the keys
    (without them the keys are the queries' tokens where the numbers agree).

    Errors: :class:`AttentionError` for shapes that do not fit, entries that are not finite numbers,
    ragged or empty input, or a mask of another shape.

    >>> graph = attention([[1, 0]], [[1, 0], [0, 1]], [[2], [4]], scale=1.0)
    >>> graph["S"].value.tolist()
    [[1.0, 0.0]]
    >>> graph.explain("O", 0, 0).text
    'O[1, 1] = a_1 · V[:, 1] = 0.731·2 + 0.269·4 = 2.538'
    """
    return _attend(*queries_keys_values(Q, K, V, tokens, key_tokens), mask, scale)


def self_attention(
    X: ArrayLike,
    W_Q: ArrayLike,
    W_K: ArrayLike,
    W_V: ArrayLike,
    mask: MaskLike = None,
    scale: float | None = None,
    tokens: Tokens = None,
    features: Sequence[str] | None = None,
) -> Graph:
    """Self-attention: queries, keys and values are projections of one sequence.

    Shapes: X (n, d_model), W_Q and W_K (d_model, d_k), W_V (d_model, d_v) → O (n, d_v).
    ``features`` name the columns of X. Mask, scale and errors as in :func:`attention`.

    >>> graph = self_attention([[1, 0], [0, 2]], [[1], [1]], [[1], [0]], [[1], [3]])
    >>> graph["O"].shape
    (2, 1)
    """
    X_ = embedded(X, tokens, features)
    return _project_and_attend(X_, X_, (W_Q, W_K, W_V), mask, scale)


def cross_attention(
    X: ArrayLike,
    Y: ArrayLike,
    W_Q: ArrayLike,
    W_K: ArrayLike,
    W_V: ArrayLike,
    mask: MaskLike = None,
    scale: float | None = None,
    tokens: Tokens = None,
    key_tokens: Tokens = None,
) -> Graph:
    """Cross-attention: queries come from X, keys and values from another sequence Y.

    Shapes: X (n_q, d_model), Y (n_k, d_model_of_Y), W_Q (d_model, d_k), W_K (d_model_of_Y, d_k),
    W_V (d_model_of_Y, d_v) → O (n_q, d_v). Mask, scale and errors as in :func:`attention`.

    >>> graph = cross_attention([[1, 0]], [[1, 1], [0, 2]], [[1], [1]], [[1], [0]], [[1], [3]])
    >>> graph["S"].shape
    (1, 2)
    """
    X_, Y_ = embedded(X, tokens), other_sequence(Y, key_tokens)
    return _project_and_attend(X_, Y_, (W_Q, W_K, W_V), mask, scale)


def _project_and_attend(
    X: Matrix,
    Y: Matrix,
    weights: tuple[ArrayLike, ArrayLike, ArrayLike],
    mask: MaskLike,
    scale: float | None,
) -> Graph:
    """Q from X, K and V from Y (which is X itself in self-attention), then attend."""
    W_Q = projection("W_Q", weights[0], X.cols, "d_k")
    W_K = projection("W_K", weights[1], Y.cols, "d_k")
    W_V = projection("W_V", weights[2], Y.cols, "d_v")
    Q = matmul(X, W_Q, "Q")  # (n, d_model) (d_model, d_k) -> (n, d_k)
    K = matmul(Y, W_K, "K")  # (n, d_model) (d_model, d_k) -> (n, d_k)
    V = matmul(Y, W_V, "V")  # (n, d_model) (d_model, d_v) -> (n, d_v)
    return _attend(Q, K, V, mask, scale, before=(X, *(() if Y is X else (Y,)), W_Q, W_K, W_V))


def _attend(
    Q: Matrix,
    K: Matrix,
    V: Matrix,
    mask: MaskLike,
    scale: float | None,
    before: tuple[Matrix, ...] = (),
) -> Graph:
    """The part that every variant shares, from Q, K and V to O."""
    K_T = transpose(K)  # (n, d_k) -> (d_k, n)
    M = mask_matrix(mask, Q.rows, K.rows)  # (n, n)
    S, S_scaled, *rest = attend(Q, K_T, V, M, scale)
    return Graph((*before, Q, K, V, K_T, S, S_scaled, M, *rest), _BETWEEN)


def attend(
    Q: Matrix,
    K_T: Matrix,
    V: Matrix,
    M: Matrix,
    scale: float | None,
    name: Callable[[str], str] = str,
) -> tuple[Matrix, Matrix, Matrix, Matrix, Matrix]:
    """S, S_scaled, S_masked, A and O of one head; ``name`` says under which keys they stand."""
    S = matmul(Q, K_T, name("S"))  # (n, d_k) (d_k, n) -> (n, n)
    S_scaled = scaled(S, Q.shape[1], scale, name("S_scaled"))  # (n, n)
    S_masked = mask_scores(S_scaled, M, name("S_masked"))  # (n, n) (n, n) -> (n, n)
    A = row_softmax(S_masked, name("A"))  # (n, n)
    O = matmul(A, V, name("O"))  # (n, n) (n, d_v) -> (n, d_v)
    return S, S_scaled, S_masked, A, O


def scale_of(graph: Graph) -> float | None:
    """What the scores of a graph are multiplied by; ``None`` for 1/√d_k.

    >>> graph = attention([[1, 0]], [[1, 0]], [[2]], scale=0.5)
    >>> scale_of(graph)
    0.5
    """
    op = graph["S_scaled"].op
    return op.factor if isinstance(op, Scale) else None


def scaled(S: Matrix, d_k: int, scale: float | None, key: str) -> Matrix:
    """Scores divided by √d_k, or multiplied by a scale that is given."""
    if scale is None:
        return divide_by_root(S, d_k, key)
    try:
        factor = float("nan") if isinstance(scale, str | bytes | bool) else float(scale)
    except (TypeError, ValueError, OverflowError):
        factor = float("nan")
    if not abs(factor) < float("inf"):
        raise AttentionError(
            f"scale: got {repr(scale)[:40]}, wanted a finite number, or None for 1/√d_k."
        )
    return scale_by(S, factor, key)


def queries_keys_values(
    Q: ArrayLike,
    K: ArrayLike,
    V: ArrayLike,
    tokens: Tokens,
    key_tokens: Tokens,
    sizes: tuple[str, str, str] = ("d_k", "d_k", "d_v"),
) -> tuple[Matrix, Matrix, Matrix]:
    """Given queries, keys and values with their labels; ``sizes`` name the numbers of columns."""
    q, k, v = (given(key, value) for key, value in (("Q", Q), ("K", K), ("V", V)))
    if k.shape[0] != v.shape[0]:
        raise AttentionError(
            f"attention: K has {k.shape[0]} rows and V has {v.shape[0]}. Give one value a key."
        )
    queries = token_axis(tokens, q.shape[0])
    keys = _key_axis(queries, tokens, key_tokens, k.shape[0])
    of_q, of_k, of_v = (numbered(s, m.shape[1]) for s, m in zip(sizes, (q, k, v), strict=True))
    return (
        Matrix(q.value, "Q", queries, of_q),
        Matrix(k.value, "K", keys, of_k),
        Matrix(v.value, "V", keys, of_v),
    )


def embedded(X: ArrayLike, tokens: Tokens, features: Sequence[str] | None = None) -> Matrix:
    """The embeddings X with labels for tokens and features."""
    x = given("X", X)
    n = token_axis(tokens, x.shape[0])
    return Matrix(x.value, "X", n, feature_axis(features, x.shape[1]))


def other_sequence(Y: ArrayLike, key_tokens: Tokens = None) -> Matrix:
    """The sequence Y that keys and values come from in cross-attention."""
    y = given("Y", Y)
    rows = token_axis(key_tokens, y.shape[0], "n_k", "key_tokens")
    return Matrix(y.value, "Y", rows, numbered("d_Y", y.shape[1]))


def projection(key: str, value: ArrayLike, features: Axis, size: str) -> Matrix:
    """A weight matrix: a row for each feature, ``size`` columns."""
    matrix = given(key, value)
    rows = features if matrix.shape[0] == features.size else matrix.rows
    return Matrix(matrix.value, key, rows, numbered(size, matrix.shape[1]))


def feature_axis(features: Sequence[str] | None, size: int) -> Axis:
    """What the columns of X are called."""
    if features is None:
        return numbered("d_model", size)
    if isinstance(features, str) or not isinstance(features, Sequence):
        raise AttentionError(f"features: got {features!r}, wanted a list of names.")
    if len(features) != size:
        raise AttentionError(f"features: got {len(features)} names for {size} columns of X.")
    return Axis("d_model", tuple(map(str, features)))


def _key_axis(queries: Axis, tokens: Tokens, key_tokens: Tokens, n_k: int) -> Axis:
    """The keys' own labels; the queries' axis itself where keys and queries are one sequence."""
    if key_tokens is None and n_k == queries.size:
        return queries
    return token_axis(key_tokens, n_k, "n_k", "key_tokens")
