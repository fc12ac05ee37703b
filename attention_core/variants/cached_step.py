"""One step of reading with a cache: the new token asks, kept keys and values answer.

What is kept from before has the key of what it is with ``_kept`` behind it, what the new token adds
``_new``, both together ``_all``: ``K_all = [K_kept; K_new]``.
"""

from __future__ import annotations

from numpy.typing import ArrayLike

from attention_core.attention import Tokens, projection, scaled
from attention_core.axes import Axis, numbered, token_axis
from attention_core.errors import AttentionError
from attention_core.graph import Graph
from attention_core.matrix import Matrix, given
from attention_core.ops import join_rows, matmul, row_softmax, transpose


def cached_step(
    x: ArrayLike,
    W_Q: ArrayLike,
    W_K: ArrayLike,
    W_V: ArrayLike,
    K_cache: ArrayLike | None = None,
    V_cache: ArrayLike | None = None,
    *,
    scale: float | None = None,
    tokens: Tokens = None,
) -> Graph:
    """One step of reading token by token: K_all = [K_kept; x W_K] and V_all = [V_kept; x W_V].

    O_new = softmax(x W_Q K_allᵀ / √d_k) V_all, which is the last row of causal attention over all
    tokens so far: the new token comes last and may see every key, so that it needs no mask. Give
    K_all and V_all to the next step as ``K_cache`` and ``V_cache``; the first step has none.

    Shapes, for the token number t: x (1, d_model), W_Q and W_K (d_model, d_k), W_V (d_model, d_v),
    K_cache (t − 1, d_k), V_cache (t − 1, d_v) → O_new (1, d_v). ``tokens`` are all t of them.
    Described as incremental attention by Shazeer (2019).

    Errors: :class:`AttentionError` for more than one new row, for one cache without the other or
    with another number of rows, and for shapes that do not fit.

    >>> import numpy as np
    >>> X, W = np.eye(2), np.array([[1], [2]])
    >>> first = cached_step(X[:1], W, W, W)
    >>> second = cached_step(X[1:], W, W, W, first["K_all"].value, first["V_all"].value)
    >>> second["K_all"].value.tolist(), second["S_new"].value.tolist()
    ([[1.0], [2.0]], [[2.0, 4.0]])
    """
    row = given("X_new", x)
    if row.shape[0] != 1:
        raise AttentionError(
            f"cached_step: x has {row.shape[0]} rows, and a step reads one token. Call it once for "
            "each, or read several with with_cache(self_attention(x, …), …)."
        )
    kept = given_cache("cached_step", K_cache, V_cache)
    n = token_axis(tokens, 1 + (kept[0].shape[0] if kept else 0))
    new, before = _last(n), Axis(n.name, n.labels[:-1], n.tokens)
    X_new = Matrix(row.value, "X_new", new, numbered("d_model", row.shape[1]))
    W = tuple(
        projection(key, value, X_new.cols, size)
        for key, value, size in (("W_Q", W_Q, "d_k"), ("W_K", W_K, "d_k"), ("W_V", W_V, "d_v"))
    )
    for of, w in zip(kept, W[1:], strict=False):
        if of.shape[1] != w.shape[1]:
            raise AttentionError(
                f"cached_step: {of.key[0]}_cache has {of.shape[1]} columns and {w.key} has "
                f"{w.shape[1]}. Keep what the same weights made."
            )
    cache = tuple(Matrix(m.value, m.key, before, w.cols) for m, w in zip(kept, W[1:], strict=False))
    made = tuple(matmul(X_new, w, f"{w.key[2:]}_new") for w in W)  # (1, d_model) (d_model, d)
    step = answer(made, cache, n, scale)
    return Graph((X_new, *W, *cache, *made, *step), frozenset({"K_all_T"}))


def answer(
    new: tuple[Matrix, ...],
    kept: tuple[Matrix, ...],
    rows: Axis,
    scale: float | None,
    layer: str = "",
) -> tuple[Matrix, ...]:
    """From the new query, key and value and the kept keys and values to the new output."""
    Q, K, V = new
    before_K, before_V = kept[:1], kept[1:]
    K_all = join_rows((*before_K, K), rows, f"K{layer}_all")  # (t − 1, d_k) (1, d_k) -> (t, d_k)
    V_all = join_rows((*before_V, V), rows, f"V{layer}_all")  # (t − 1, d_v) (1, d_v) -> (t, d_v)
    K_T = transpose(K_all)  # (t, d_k) -> (d_k, t)
    S = matmul(Q, K_T, f"S{layer}_new")  # (1, d_k) (d_k, t) -> (1, t)
    S_scaled = scaled(S, Q.shape[1], scale, f"S_scaled{layer}_new")  # (1, t)
    A = row_softmax(S_scaled, f"A{layer}_new")  # (1, t)
    O = matmul(A, V_all, f"O{layer}_new")  # (1, t) (t, d_v) -> (1, d_v)
    return K_all, V_all, K_T, S, S_scaled, A, O


def _last(rows: Axis) -> Axis:
    """The last token alone, as `take_rows` names it."""
    return Axis("1", rows.labels[-1:], rows.tokens)


def given_cache(who: str, K: ArrayLike | None, V: ArrayLike | None) -> tuple[Matrix, ...]:
    """What was kept from earlier steps; nothing before the first."""
    if K is None and V is None:
        return ()
    if K is None or V is None:
        raise AttentionError(f"{who}: give both K_cache and V_cache, or none at the start.")
    keys, values = given("K_kept", K), given("V_kept", V)
    if keys.shape[0] != values.shape[0]:
        raise AttentionError(
            f"{who}: K_cache has {keys.shape[0]} rows and V_cache has {values.shape[0]}. "
            "Keep one of each for every token."
        )
    return keys, values
