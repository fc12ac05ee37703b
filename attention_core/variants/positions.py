"""Positions: sines and cosines added to X, queries and keys turned, or distances off the scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from attention_core.again import made_again, marked
from attention_core.axes import Axis, numbered
from attention_core.bounds import whole
from attention_core.errors import AttentionError
from attention_core.graph import Graph
from attention_core.inputs import Inputs
from attention_core.matrix import Matrix, given
from attention_core.ops import add, compare, distance, matmul, rotate, scale
from attention_core.order import frequencies, places, with_positions
from attention_core.plain import rows as rows_needed
from attention_core.variants.position_checks import (
    finite_slopes,
    keys_of_heads,
    one_sequence,
    true_or_false,
    whole_places,
)
from attention_core.variants.variant import Chosen, Option, Variant

_HEADS_OF_SLOPES = 8
_MAX_MOVED = 100


def with_rotary(graph: Graph, *, halves: bool = False, first: int = 0) -> Graph:
    """The same attention on queries and keys that are turned by the angles of their places.

    Pair t of a row at place p is turned by the angle Phi[p, t] = p·10000^(−2t/d): Q_rot and K_rot
    score in place of Q and K, and V stays. So the score of i for j depends on i − j, not on where
    the two stand. Pairs are neighbours (Su et al. 2021, RoFormer), or with ``halves`` a component
    of the first half and the one at its place in the second (GPT-NeoX, and Llama as Transformers
    runs it). For an odd d_k the last component stays as it is, and d = d_k − 1. Places are counted
    from ``first``.

    Shapes: Q, K (n, d_k), Phi (n, d_k // 2) → Q_rot, K_rot (n, d_k).

    On several heads (`multi_head`, `split_heads`) each head is turned by itself, all by the same
    angles, with d = d_k of one head: Q_i (n, d_k) → Q_rot_i (n, d_k) for each of the h heads, and
    K_i (n, d_k) → K_rot_i (n, d_k) for each head of keys. Q (n, h·d_k) and K (n, h_kv·d_k) stay;
    so does the wide head that `split_heads` keeps beside them.

    Errors: :class:`AttentionError` for d_k = 1, where there is no pair, where queries and keys are
    two sequences, for a graph with positions, gradients, more attention (`layered`, `cached`, …) or
    tokens as columns, and where ``halves`` is not True or False or ``first`` no whole number.

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
    pairs = turned[0].shape[1] // 2
    if not pairs:
        raise AttentionError(
            "with_rotary: queries have one component, and a rotation turns two. Use d_k = 2 or "
            "more."
        )
    halves = true_or_false("with_rotary", "halves", halves)
    p = places(rows, whole_places("with_rotary", "first", first))  # (n, 1)
    theta = frequencies(numbered("pair", pairs), range(pairs), 2 * pairs)  # (1, d_k // 2)
    Phi = matmul(p, theta, "Phi")  # (n, 1) (1, d_k // 2) -> (n, d_k // 2)
    instead = {  # (n, d_k) (n, d_k // 2) -> (n, d_k), of each head
        m.key: rotate(m, Phi, f"{m.key[0]}_rot{m.key[1:]}", halves=halves) for m in turned
    }
    return _from(graph, instead, (p, theta, Phi))


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
    everywhere give ``(slope,) * h``. The wide head that `split_heads` keeps stays as it is.

    Errors: :class:`AttentionError` where queries and keys are two sequences, for a graph with
    positions, gradients, more attention (`layered`, `cached`, …) or tokens as columns, for a slope
    that is not a finite number or another number of slopes than heads, and where ``first`` is no
    whole number.

    >>> from attention_core import EXAMPLES, split_heads
    >>> graph = with_alibi(EXAMPLES["love"].graph(), 0.5)
    >>> graph.explain("B_alibi", 2, 0).text
    'B_alibi[AI, I] = (−0.500)·dist[AI, I] = (−0.500)·2 = −1'
    >>> heads = with_alibi(split_heads(EXAMPLES["cat"].graph(), 2), alibi_slopes(2))
    >>> heads.definition("S_alibi_2")
    'S_{alibi,2} = S_{scaled,2} + B_{alibi,2}'
    """
    rows = one_sequence(graph, "with_alibi")
    scores = [graph[key] for key in keys_of_heads(graph, "S_scaled")]
    slopes = finite_slopes(slope, len(scores))
    p = places(rows, whole_places("with_alibi", "first", first))  # (n, 1)
    dist = distance(p, p, "dist")  # (n, 1) (n, 1) -> (n, n)
    biases, instead = [], {}
    for S, of_head in zip(scores, slopes, strict=True):
        head = S.key.removeprefix("S_scaled")
        B = scale(dist, -of_head, f"B_alibi{head}")  # (n, n) -> (n, n)
        biases.append(B)
        instead[S.key] = add(S, B, f"S_alibi{head}")  # (n, n) (n, n) -> (n, n)
    return _from(graph, instead, (p, dist, *biases))


def moved_on(graph: Graph, by: int) -> Graph:
    """The same tokens ``by`` places further on, and what that changes in their scores.

    All that is made from the places p is made again, under names that end in ``_moved``. S_diff is
    what the scores (as they go into the mask) are more than before: 0 where a score depends on the
    distance of two tokens only. Head i has a difference of its own, S_i_diff (n, n).

    Errors: :class:`AttentionError` for a graph without places, or with tokens as columns, one that
    is moved on already, and where ``by`` is no whole number.

    >>> from attention_core import EXAMPLES
    >>> graph = EXAMPLES["love"].graph()
    >>> moved_on(with_rotary(graph), 5)["S_diff"].value.any()
    np.False_
    >>> moved_on(with_positions(graph), 5).explain("S_diff", 0, 0).text
    'S_diff[I, I] = S_scaled,moved[I, I] − S_scaled[I, I] = 2.378 − 6.928 = −4.550'
    """
    rows_needed(graph, "moved_on")
    if "p" not in graph:
        raise AttentionError(
            "moved_on: this graph has no places p. Use with_positions, with_rotary or with_alibi."
        )
    if "p_moved" in graph:
        raise AttentionError(
            "moved_on: this graph is moved on already. Start from the one before, and move it by "
            "the sum."
        )
    p = graph["p"]
    there = p.value + whole_places("moved_on", "by", by)
    labels = tuple(f"{place:.0f}" for place in there[:, 0])
    rows = p.rows if p.rows.tokens else Axis(p.rows.name, labels)
    made = made_again(
        graph, {"p": given("p_moved", there, rows, p.cols)}, partial(marked, mark="_moved")
    )
    masked, differences = {"S_masked", *keys_of_heads(graph, "S_masked")}, []
    for m in graph.steps:
        if m.key in masked and m.inputs[0].key in made:
            (scores, _), head = m.inputs, m.key.removeprefix("S_masked")
            K_T = graph[f"S{head}"].inputs[1]  # its columns say how large the terms of a score are
            S_diff = compare(made[scores.key], scores, f"S{head}_diff", K_T)  # (n, n)
            differences.append(S_diff)
    between = {m.key for key, m in made.items() if key in graph.between}
    return Graph((*graph.steps, *made.values(), *differences), graph.between | between)


def _from(graph: Graph, instead: dict[str, Matrix], made_of: tuple[Matrix, ...]) -> Graph:
    """What is made from some matrices made again from others, which stand beside them."""
    named = {f"{key}_T": f"{matrix.key}_T" for key, matrix in instead.items()}
    made = made_again(graph, instead, lambda key: named.get(key, key))
    kept = (m for m in graph.steps if m.key not in made or m.key in instead)
    between = {named.get(key, key) for key in graph.between} | {"p", "theta", "Phi", "dist"}
    return Graph((*kept, *made_of, *made.values()), frozenset(between))


def _positions(graph: Graph, inputs: Inputs, options: Chosen) -> Graph:
    graph = _ENCODINGS[str(options["encoding"])](graph, options)
    return moved_on(graph, int(options["moved"])) if "p" in graph else graph


_ENCODINGS: dict[str, Callable[[Graph, Chosen], Graph]] = {
    "none": lambda graph, options: graph,
    "sinusoidal": lambda graph, options: with_positions(graph),
    "rotary": lambda graph, options: with_rotary(graph),
    "halves": lambda graph, options: with_rotary(graph, halves=True),
    "alibi": lambda graph, options: with_alibi(graph, float(options["slope"])),
}


def _encodings(inputs: Inputs) -> tuple[str, ...]:
    """Which kinds of positions there can be: no X is no sum with it, and one component no pair.

    >>> from attention_core import EXAMPLES
    >>> _encodings(EXAMPLES["hand"].inputs)
    ('rotary', 'halves', 'alibi', 'none')
    """
    added = ("sinusoidal",) if "X" in inputs.given else ()
    turned = ("rotary", "halves") if inputs.sizes["d_k"] > 1 else ()
    return (*added, *turned, "alibi", "none")


ENCODING = Option(
    "encoding",
    "Positions",
    "rotary",
    among={
        "sinusoidal": "sinusoidal",
        "rotary": "rotary",
        "halves": "rotary, halves",
        "alibi": "ALiBi",
        "none": "none",
    },
    fits=lambda inputs, _: _encodings(inputs),
)
SLOPE = Option(
    "slope",
    "Slope of ALiBi",
    0.5,
    among={slope: f"1/{1 / slope:.0f}" for slope in alibi_slopes(_HEADS_OF_SLOPES)},
)
MOVED = Option("moved", "Move all tokens on by", 5, low=0, high=_MAX_MOVED)
POSITIONS = Variant("positions", "Positions", _positions, (ENCODING, MOVED, SLOPE))
