"""Attention of one query, its keys block by block: the online softmax.

The largest score so far, the sum so far and the output so far are all that one block hands to the
next (Milakov & Gimelshein 2018; Rabe & Staats 2021; Dao et al. 2022, FlashAttention). Matrices of
block b are numbered: ``m_run_1``, ``Z_run_1``, ``o_run_1``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from attention_core.axes import Axis, numbered
from attention_core.bounds import place, whole
from attention_core.graph import Graph
from attention_core.inputs import MAX_TOKENS, Inputs
from attention_core.matrix import Matrix, given
from attention_core.ops import (
    add,
    apply,
    divide_by_column,
    exp_less,
    mask_scores,
    matmul,
    row_sum,
    running_max,
    take_columns,
    take_rows,
)
from attention_core.plain import plain
from attention_core.variants.variant import Chosen, Option, Variant


def online_softmax(graph: Graph, query: int, block: int = 2) -> Graph:
    """One row of the output from blocks of keys, beside the row that the whole table gives.

    Before the first block m = −∞, Z = 0 and o = 0. A block of ``block`` keys (the last may be
    shorter) makes its scores s = q Kᵀ scaled and masked, and with them

    - m' = max(m, max s), the largest score so far,
    - c = e^(m − m'), which corrects what was made with the old maximum,
    - E = e^(s − m'), Z' = c Z + Σ E, o' = c o + E V.

    After the last block O_online = o / Z; O_row is the same row of O. In exact arithmetic the two
    are equal; in float64 they are so up to rounding (see :func:`online_gap`). Where every key is
    blocked Z is 0, and the row stands as 0.

    Shapes: s, E (1, block); m, c, Z (1, 1); o (1, d_v). Sources: Milakov & Gimelshein
    (2018), algorithm 3, for m and Z; Rabe & Staats (2021) for o.

    Errors: :class:`AttentionError` for a query that is not there and a block without keys.

    >>> from attention_core import EXAMPLES
    >>> graph = online_softmax(EXAMPLES["love"].graph(), query=0, block=2)
    >>> [graph[f"m_run_{b}"].value.item() for b in (0, 1, 2)]
    [-inf, 2.886751345948129, 2.886751345948129]
    >>> print(graph.explain("c_run_1", 0, 0))
    c_1[I, 1] = e^(m_0[I, 1] − m_1[I, 1]) = e^(−∞ − 2.887) = 0
    m_0 is −∞ here, and e^−∞ is 0.
    >>> graph["O_online"].value.round(3).tolist()
    [[1.0, 1.637, 0.07]]
    """
    plain(graph, "online_softmax")
    query = place("online_softmax", "query", query, graph["Q"].shape[0])
    block = whole("online_softmax", "block", block)
    q, M, O = (take_rows(graph[of], query, query + 1, key, "1") for of, key in _ROWS)  # (1, …)
    state = _start(q.rows, graph["V"].cols)
    steps: list[Matrix] = [*graph.steps, q, M, *state]
    n = graph["K"].shape[0]
    for number, start in enumerate(range(0, n, block), start=1):
        stop = min(start + block, n)
        made, state = _block(graph, (q, M), state, number, (start, stop))
        steps += made
    O_online = divide_by_column(state.o, state.Z, "O_online")  # (1, d_v) (1, 1) -> (1, d_v)
    return Graph((*steps, O_online, O), graph.between)


_ROWS = (("Q", "q"), ("M", "M_row"), ("O", "O_row"))


class _State(NamedTuple):
    """What one block hands to the next: the largest score, the sum and the output so far."""

    m: Matrix
    Z: Matrix
    o: Matrix


def _start(query: Axis, components: Axis) -> _State:
    """Nothing was seen: the largest score is below all numbers, and the sums are 0."""
    return _State(
        given("m_run_0", [[-np.inf]], query, numbered("1", 1), minus_infinity=True),
        given("Z_run_0", [[0.0]], query, Axis("1", ("Σ",))),
        given("o_run_0", np.zeros((1, components.size)), query, components),
    )


def _block(
    graph: Graph,
    query: tuple[Matrix, Matrix],
    before: _State,
    number: int,
    keys: tuple[int, int],
) -> tuple[list[Matrix], _State]:
    """All that is made from one block of keys, and what it hands on."""
    (q, M_row), (start, stop), size = query, keys, f"b_{number}"

    def key(name: str) -> str:
        return f"{name}_{number}"

    scaling = graph["S_scaled"].op
    assert scaling is not None  # attention scales its scores by an op
    K_T = take_columns(graph["K_T"], start, stop, f"K_{number}_T", size)  # (d_k, n) -> (d_k, b)
    V = take_rows(graph["V"], start, stop, key("V"), size)  # (n, d_v) -> (b, d_v)
    M = take_columns(M_row, start, stop, key("M"), size)  # (1, n) -> (1, b)
    S = matmul(q, K_T, key("S"))  # (1, d_k) (d_k, b) -> (1, b)
    S_scaled = apply(scaling, key("S_scaled"), S)  # (1, b)
    S_masked = mask_scores(S_scaled, M, key("S_masked"))  # (1, b) (1, b) -> (1, b)
    m = running_max(S_masked, before.m, key("m_run"))  # (1, b) (1, 1) -> (1, 1)
    c = exp_less(before.m, m, key("c_run"))  # (1, 1) (1, 1) -> (1, 1)
    E = exp_less(S_masked, m, key("E_run"))  # (1, b) (1, 1) -> (1, b)
    Z_kept = matmul(c, before.Z, key("Z_kept"))  # (1, 1) (1, 1) -> (1, 1)
    Z_added = row_sum(E, key("Z_added"))  # (1, b) -> (1, 1)
    Z = add(Z_kept, Z_added, key("Z_run"))  # (1, 1) (1, 1) -> (1, 1)
    o_kept = matmul(c, before.o, key("o_kept"))  # (1, 1) (1, d_v) -> (1, d_v)
    o_added = matmul(E, V, key("o_added"))  # (1, b) (b, d_v) -> (1, d_v)
    o = add(o_kept, o_added, key("o_run"))  # (1, d_v) (1, d_v) -> (1, d_v)
    scores = [K_T, V, M, S, S_scaled, S_masked]
    return [*scores, m, c, E, Z_kept, Z_added, Z, o_kept, o_added, o], _State(m, Z, o)


def online_gap(graph: Graph) -> float:
    """The largest difference between the row from blocks and the row of the whole table.

    >>> from attention_core import EXAMPLES
    >>> online_gap(online_softmax(EXAMPLES["cat"].graph(), query=1, block=1)) < 1e-15
    True
    """
    return float(abs(graph["O_online"].value - graph["O_row"].value).max())


def blocks_of(n: int, block: int) -> int:
    """How many blocks n keys make.

    >>> blocks_of(12, 5)
    3
    """
    return -(-whole("blocks_of", "n", n, 0) // whole("blocks_of", "block", block))


QUERY = Option("query", "Row of", MAX_TOKENS - 1, token=True)  # the last token
BLOCK = Option("block", "Keys in a block", 2, low=1, high=MAX_TOKENS)
SHOWN = Option(
    "shown",
    "Block to see in full",
    2,
    among={b: str(b) for b in range(1, MAX_TOKENS + 1)},
    fits=lambda inputs, chosen: range(1, blocks_of(len(inputs.tokens), int(chosen["block"])) + 1),
)


def _online(graph: Graph, inputs: Inputs, options: Chosen) -> Graph:
    return online_softmax(graph, int(options["query"]), int(options["block"]))


ONLINE = Variant("online", "Online softmax", _online, (QUERY, BLOCK, SHOWN))
