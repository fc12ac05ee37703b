"""Rotary positions: queries and keys turned by the angles of their places (Su et al. 2021)."""

from __future__ import annotations

from collections.abc import Sequence

from attention_core.again import replaced
from attention_core.axes import numbered
from attention_core.bounds import finite, whole
from attention_core.errors import AttentionError
from attention_core.graph import Graph
from attention_core.ops import matmul, rotate
from attention_core.order import LONGEST, frequencies
from attention_core.plain import keys_of_heads
from attention_core.variants.position_checks import one_sequence, places_of, true_or_false


def with_rotary(
    graph: Graph,
    *,
    halves: bool = False,
    first: int = 0,
    places: Sequence[int] | None = None,
    base: float = LONGEST,
    width: int | None = None,
) -> Graph:
    """The same attention on queries and keys that are turned by the angles of their places.

    Pair t of a row at place p is turned by the angle Phi[p, t] = p·base^(−2t/d): Q_rot and K_rot
    score in place of Q and K, and V stays. So the score of i for j depends on i − j, not on where
    the two stand. Pairs are neighbours (Su et al. 2021, RoFormer), or with ``halves`` a component
    of the first half and the one at its place in the second (GPT-NeoX, and Llama as Transformers
    runs it). For an odd d_k the last component stays as it is, and d = d_k − 1. Places are counted
    from ``first``, or ``places`` has one for each row. ``base`` is 10000 in the paper, and 500000
    in Llama 3. With ``width`` only so many components are turned, the first ones, as if there were
    no others (GPT-NeoX, Phi); the rest stay as they are.

    Shapes: Q, K (n, d_k), Phi (n, width // 2) → Q_rot, K_rot (n, d_k); width is d_k if not given.

    On several heads (`multi_head`, `split_heads`) each head is turned by itself, all by the same
    angles, with d = d_k of one head: Q_i (n, d_k) → Q_rot_i (n, d_k) for each of the h heads, and
    K_i (n, d_k) → K_rot_i (n, d_k) for each head of keys. Q (n, h·d_k) and K (n, h_kv·d_k) stay;
    so does the wide head that `split_heads` keeps beside them.

    Errors: :class:`AttentionError` for d_k = 1, where there is no pair, where queries and keys are
    two sequences, for a graph with positions, gradients, more attention (`layered`, `cached`, …) or
    tokens as columns, where ``halves`` is not True or False, a place no whole number, ``base`` not
    above 0 or ``width`` not from 2 to d_k, and where ``places`` are not as many as rows or
    ``first`` is given with them.

    >>> from attention_core import EXAMPLES, split_heads
    >>> graph = with_rotary(EXAMPLES["love"].graph())
    >>> graph.explain("Q_rot", 2, 0).text
    'Q_rot[AI, 1] = Q[AI, 1]·cos(Φ[AI, 1]) − Q[AI, 2]·sin(Φ[AI, 1]) = 1·cos(2) − 1·sin(2) = −1.325'
    >>> heads = with_rotary(split_heads(EXAMPLES["cat"].graph(), 2))
    >>> heads["Phi"].shape, heads["Q_rot_2"].shape, heads.definition("S_2")
    ((4, 1), (4, 2), 'S_{2} = Q_{rot,2} K_{rot,2}^{\\\\top}')
    """
    rows = one_sequence(graph, "with_rotary")
    turned = [graph[key] for letter in "QK" for key in keys_of_heads(graph, letter)]
    d_k = turned[0].shape[1]
    if d_k == 1:
        raise AttentionError(
            "with_rotary: queries have one component, and a rotation turns two. Use d_k = 2 or "
            "more."
        )
    halves = true_or_false("with_rotary", "halves", halves)
    base = finite("with_rotary", "base", base, above=0)
    pairs = whole("with_rotary", "width", d_k if width is None else width, 2, d_k) // 2
    p = places_of("with_rotary", rows, first, places)  # (n, 1)
    theta = frequencies(numbered("pair", pairs), range(pairs), 2 * pairs, base)  # (1, width // 2)
    Phi = matmul(p, theta, "Phi")  # (n, 1) (1, width // 2) -> (n, width // 2)
    instead = {  # (n, d_k) (n, width // 2) -> (n, d_k), of each head
        m.key: rotate(m, Phi, f"{m.key[0]}_rot{m.key[1:]}", halves=halves) for m in turned
    }
    return replaced(graph, instead, (p, theta, Phi), ("p", "theta", "Phi"))
