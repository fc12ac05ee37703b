"""Heads that share keys and values: from one pair a head, over groups, to one pair for all.

With as many heads of keys and values as heads this is multi-head attention; with fewer it is
grouped-query attention (Ainslie et al. 2023), and with one multi-query attention (Shazeer 2019).
The composition is `split_heads`.
"""

from __future__ import annotations

from attention_core.bounds import whole
from attention_core.cost import MAX_HEADS
from attention_core.graph import Graph
from attention_core.inputs import MAX_SIZE, Inputs
from attention_core.variants.heads import H, split_heads
from attention_core.variants.variant import Chosen, Option, Variant


def kv_head_counts(heads: int) -> tuple[int, ...]:
    """How many heads of keys and values so many heads can share equally.

    >>> kv_head_counts(8), kv_head_counts(71)
    ((1, 2, 4, 8), (1, 71))
    """
    heads = whole("kv_head_counts", "heads", heads, 1, MAX_HEADS)
    return tuple(count for count in range(1, heads + 1) if heads % count == 0)


def _grouped(graph: Graph, inputs: Inputs, options: Chosen) -> Graph:
    return split_heads(graph, int(options["h"]), int(options["kv_heads"]))


KV_HEADS = Option(
    "kv_heads",
    "Heads of keys and values",
    1,
    among={count: str(count) for count in range(1, MAX_SIZE + 1)},
    fits=lambda inputs, chosen: kv_head_counts(int(chosen["h"])),
)
GROUPED = Variant("grouped", "Grouped keys", _grouped, (H, KV_HEADS))
