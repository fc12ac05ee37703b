"""A mask of its own for each head, as PyTorch and ONNX take one of shape (heads, n_q, n_k)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from attention_core.again import replaced
from attention_core.bounds import one_a_head
from attention_core.errors import AttentionError
from attention_core.graph import Graph
from attention_core.masks import MaskLike, mask_matrix
from attention_core.ops import mask_scores
from attention_core.plain import ends_here, plain_heads


def with_masks(graph: Graph, masks: Iterable[MaskLike]) -> Graph:
    """The same heads, each under a mask of its own: S_masked_i = S_scaled_i + M_i.

    ``masks`` holds one for each head, in any form that `attention` takes. They take the place of
    M. Numbers that are added say what a model adds to the scores of each head, such as a bias for
    each distance (T5).

    Shapes: M_i (n_q, n_k). `softcap` and `sink` come after it, `with_cache` before.

    Errors: :class:`AttentionError` for another number of masks than heads, a mask that `attention`
    refuses, a graph of one head or with gradients, and one that is not plain attention from
    S_scaled on.

    >>> from attention_core import multi_head
    >>> X = [[1, 0], [0, 1]]
    >>> graph = with_masks(multi_head(X, X, X, X, heads=2), (None, "causal"))
    >>> graph["A_1"].value[0].round(2).tolist(), graph["A_2"].value[0].tolist()
    ([0.73, 0.27], [1.0, 0.0])
    """
    marks = plain_heads(graph, "with_masks", "Call with_masks before.")
    ends_here(graph, "with_masks")
    if marks == ("",):
        raise AttentionError(
            "with_masks: this graph has one head. Give its mask to attention, or to self_attention."
        )
    several = isinstance(masks, Iterable) and not isinstance(masks, str)
    several = several and getattr(masks, "ndim", 1) > 0  # an array of no dimension is one number
    each: list[Any] = [*masks] if several else [masks]
    one_a_head("with_masks", "mask", len(each), len(marks), f"(None,) * {len(marks)}")
    own, instead = [], {}
    for mark, mask in zip(marks, each, strict=True):
        S = graph[f"S_scaled{mark}"]
        M = replace(mask_matrix(mask, S.rows, S.cols), key=f"M{mark}")  # (n_q, n_k)
        own.append(M)
        instead[f"S_masked{mark}"] = mask_scores(S, M, f"S_masked{mark}")  # (n_q, n_k) twice
    masked = replaced(graph, instead, own, (M.key for M in own))
    used = {m.key for matrix in masked.steps for m in matrix.inputs}
    return Graph(tuple(m for m in masked.steps if m.key != "M" or "M" in used), masked.between)
