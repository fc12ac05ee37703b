"""A chunk of new rows with a cache: new queries, and kept keys and values before the new ones.

What is kept from before has the key of what it is with ``_kept`` behind it, and kept and new rows
together ``_all``, as in a step of one token (`cached_step`).
"""

from __future__ import annotations

from numpy.typing import ArrayLike

from attention_core.again import replaced
from attention_core.attention import Tokens
from attention_core.axes import Axis, numbered, token_axis
from attention_core.errors import AttentionError
from attention_core.graph import Graph
from attention_core.masks import MaskLike, mask_matrix
from attention_core.matrix import Matrix
from attention_core.ops import join_columns, join_rows, take_columns
from attention_core.plain import ends_here, plain_heads
from attention_core.plain import rows as rows_needed
from attention_core.variants.cached_step import given_cache


def with_cache(
    graph: Graph,
    K_cache: ArrayLike | None = None,
    V_cache: ArrayLike | None = None,
    *,
    mask: MaskLike = "causal-bottom-right",
    kept_tokens: Tokens = None,
) -> Graph:
    """The same queries with kept keys and values before their own: K_all = [K_kept; K].

    The graph is attention of the new rows alone, of one head or several. Its scores, weights and
    outputs are made again: O holds the last rows of attention over kept and new rows. Its mask is
    about the new rows only and is left behind: ``mask`` has a column for each kept and each new
    key, such as ``sliding_window(t + c, width)[t:]``. Without one every query sees all that is kept
    and, where there are as many new keys as queries, the new ones up to its own.

    What scores is kept: with `with_rotary` (``first`` is the number of kept rows) that is turned
    keys. Give ``K_all`` and ``V_all`` of the result to the next chunk; the first has none.
    `softcap`, `sink`, `with_masks` and `with_alibi` come after it.

    Shapes: K_cache (t, h_kv·d_k), V_cache (t, h_kv·d_v), for one head (t, d_k) and (t, d_v); c new
    rows → K_all (t + c, h_kv·d_k), S (c, t + c), O (c, h·d_v). In head i stand K_i_kept, K_i_all.

    Errors: :class:`AttentionError` for one cache without the other or with another number of rows
    or columns, and for a graph that has a cache or gradients, leads elsewhere (`split_heads` too),
    or is not plain attention from S_scaled on.

    >>> import numpy as np
    >>> from attention_core import multi_head
    >>> X, W = np.eye(3, 4), np.arange(16.0).reshape(4, 4)
    >>> first, rest = (multi_head(x, W, W, W, heads=2) for x in (X[:1], X[1:]))
    >>> start = with_cache(first)
    >>> graph = with_cache(rest, start["K_all"].value, start["V_all"].value)
    >>> graph.definition("K_1_all"), graph["S_2"].shape
    ('K_{1,all} = (K_{1,kept} ; K_{1})', (2, 3))
    >>> whole = multi_head(X, W, W, W, heads=2, mask="causal")
    >>> bool(np.allclose(graph["O"].value, whole["O"].value[1:]))
    True
    """
    marks = plain_heads(graph, "with_cache", "Call with_cache before.")
    ends_here(graph, "with_cache")
    rows_needed(graph, "with_cache", "M")
    for key, why in (("K_all", "has a cache already"), ("O_heads", "leads to O_heads")):
        if key in graph:
            raise AttentionError(
                f"with_cache: this graph {why}. Start from self_attention or multi_head on the new "
                "rows."
            )
    cache = given_cache("with_cache", K_cache, V_cache)
    t = cache[0].shape[0] if cache else 0
    names = [f"kept {at + 1}" for at in range(t)] if kept_tokens is None else kept_tokens
    before = token_axis(names, t, "t", "kept_tokens")
    wide = [Matrix(m.value, m.key, before, m.cols) for m in cache]
    keys = dict.fromkeys(graph[f"S{mark}"].inputs[1].inputs[0] for mark in marks)
    values = dict.fromkeys(graph[f"O{mark}"].inputs[1] for mark in marks)
    rows = Axis("n_k", (*before.labels, *next(iter(keys)).rows.labels), tokens=True)
    instead = {"M": mask_matrix(mask, graph["O"].rows, rows)}  # (c, t + c)
    kept, sides = list(wide), []
    for of, letter in ((keys, "K"), (values, "V")):
        new, heads = tuple(of), marks[: len(of)]
        parts = [part for m in wide if m.key[0] == letter for part in _cut(m, new, heads)]
        joined = [
            join_rows((*parts[at : at + 1], new[at]), rows, f"{letter}{mark}_all")
            for at, mark in enumerate(heads)  # (t, d) (c, d) -> (t + c, d), of each head
        ]
        kept += parts
        instead |= {m.key: both for m, both in zip(new, joined, strict=True)}
        if heads != ("",):  # (t + c, d), each -> (t + c, h_kv·d)
            side = numbered(f"h_kv·{new[0].cols.name}", sum(m.shape[1] for m in new))
            sides.append(join_columns(joined, side, f"{letter}_all"))
    longer = replaced(graph, instead, dict.fromkeys(kept))
    return Graph((*longer.steps, *sides), longer.between)


def _cut(wide: Matrix, new: tuple[Matrix, ...], heads: tuple[str, ...]) -> list[Matrix]:
    """What is kept for each head; all of it where there is one head without a number."""
    letter, width, size = wide.key[0], new[0].shape[1], new[0].cols.name
    if wide.shape[1] != width * len(new):
        raise AttentionError(
            f"with_cache: {letter}_cache has {wide.shape[1]} columns, wanted {width * len(new)}: "
            f"those of {len(new)} head{'s' * (len(new) != 1)} of {letter}, {width} each. Keep what "
            "the same heads made."
        )
    if heads == ("",):
        return [wide]
    return [  # (t, h_kv·d) -> (t, d), of each head
        take_columns(wide, at * width, (at + 1) * width, f"{letter}{mark}_kept", size)
        for at, mark in enumerate(heads)
    ]
