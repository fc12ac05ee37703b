"""ALiBi: distances taken off the scores (Press, Smith and Lewis 2022)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from attention_core.again import replaced
from attention_core.bounds import one_a_head, several, whole
from attention_core.graph import Graph
from attention_core.ops import add, distance, scale
from attention_core.order import places
from attention_core.plain import keys_of_heads
from attention_core.variants.position_checks import one_sequence, whole_places


def alibi_slopes(heads: int) -> tuple[float, ...]:
    """The slopes of ALiBi for so many heads: 2^(−8/h), 2^(−16/h), … 2^(−8) for a power of 2.

    For another number they are those of the power of 2 below, and then every second one of those
    for twice that power, from the first on, until there are enough.

    Source: Press, Smith and Lewis (2022), section 3; for other numbers their code
    (``get_slopes`` in ``fairseq/models/transformer.py`` of ofirpress/attention_with_linear_biases).

    Errors: :class:`AttentionError` where ``heads`` is not a whole number from 1.

    >>> alibi_slopes(8)[:3]
    (0.5, 0.25, 0.125)
    >>> alibi_slopes(3)  # those of 2 heads, then the first of 4
    (0.0625, 0.00390625, 0.25)
    """
    heads = whole("alibi_slopes", "heads", heads)
    below = 2 ** (heads.bit_length() - 1)
    first, second = (
        [2.0 ** (-8 * (head + 1) / power) for head in range(power)] for power in (below, 2 * below)
    )
    return (*first, *second[::2][: heads - below])


def with_alibi(graph: Graph, slope: float | Sequence[float] = 0.5, *, first: int = 0) -> Graph:
    """The same attention with −slope·|i − j| added to the score of i for j.

    Nothing else tells the place. The bias is added after the scaling: S_alibi = S_scaled + B_alibi
    (Press, Smith and Lewis 2022, with a causal mask: i − j is never negative there). Here keys
    after the query lose as much as those before it. Places are counted from ``first``.

    Shapes: p (n, 1) → dist (n, n) → B_alibi (n, n).

    On several heads (`multi_head`, `split_heads`) ``slope`` holds one slope a head, such as
    ``alibi_slopes(h)``: S_scaled_i (n, n) + B_alibi_i (n, n) → S_alibi_i (n, n) for each of the h
    heads. One number for several heads is refused, since no model does that: for the same slope
    everywhere give ``(slope,) * h``. The wide head that `split_heads` keeps stays as it is. Rows
    that `with_cache` keeps stand just before the first place, p_all (n_k, 1) → dist (n, n_k).

    Errors: :class:`AttentionError` where queries and keys are two sequences, for a graph with
    positions, gradients, more attention (`layered`, `cached`, …) or tokens as columns, for a slope
    that is not a finite number or another number of slopes than heads, and where ``first`` is no
    whole number.

    >>> from attention_core import EXAMPLES, split_heads
    >>> graph = with_alibi(EXAMPLES["love"].graph(), 0.5)
    >>> graph.explain("B_alibi", 2, 0).text
    'B_alibi[AI, I] = (−0.5)·dist[AI, I] = (−0.5)·2 = −1'
    >>> heads = with_alibi(split_heads(EXAMPLES["cat"].graph(), 2), alibi_slopes(2))
    >>> heads.definition("S_alibi_2")
    'S_{alibi,2} = S_{scaled,2} + B_{alibi,2}'
    """
    rows = one_sequence(graph, "with_alibi")
    scores = [graph[key] for key in keys_of_heads(graph, "S_scaled")]
    slopes = several("with_alibi", "slope", slope)
    one_a_head("with_alibi", "slope", len(slopes), len(scores), f"alibi_slopes({len(scores)})")
    first = whole_places("with_alibi", "first", first)
    p = places(rows, first)  # (n, 1)
    keys = scores[0].cols  # those of a cache stand before the rows
    kept = keys.size - rows.size
    p_all = replace(places(keys, first - kept), key="p_all") if kept else p  # (n_k, 1)
    dist = distance(p, p_all, "dist")  # (n, 1) (n_k, 1) -> (n, n_k)
    biases, instead = [], {}
    for S, of_head in zip(scores, slopes, strict=True):
        head = S.key.removeprefix("S_scaled")
        B = scale(dist, -of_head, f"B_alibi{head}")  # (n, n) -> (n, n)
        biases.append(B)
        instead[S.key] = add(S, B, f"S_alibi{head}")  # (n, n) (n, n) -> (n, n)
    return replaced(
        graph, instead, dict.fromkeys((p, p_all, dist, *biases)), ("p", "p_all", "dist")
    )
