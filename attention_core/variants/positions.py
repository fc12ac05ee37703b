"""Positions: sines and cosines added to X, queries and keys turned, or distances off the scores."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from attention_core.axes import Axis, numbered
from attention_core.bounds import finite, whole
from attention_core.errors import AttentionError
from attention_core.graph import Graph, made_again, marked
from attention_core.inputs import Inputs
from attention_core.matrix import Matrix, given
from attention_core.ops import add, compare, distance, matmul, rotate, scale
from attention_core.order import FAR, frequencies, places, with_positions
from attention_core.plain import before_positions
from attention_core.plain import rows as rows_needed
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

    Errors: :class:`AttentionError` for d_k = 1, where there is no pair, and where queries and keys
    are two sequences.

    >>> from attention_core import EXAMPLES
    >>> graph = with_rotary(EXAMPLES["love"].graph())
    >>> graph.explain("Q_rot", 2, 0).text
    'Q_rot[AI, 1] = Q[AI, 1]·cos(Φ[AI, 1]) − Q[AI, 2]·sin(Φ[AI, 1]) = 1·cos(2) − 1·sin(2) = −1.325'
    """
    before_positions(graph, "with_rotary", "Q", "K")
    rows, Q, K = _one_sequence(graph, "with_rotary"), graph["Q"], graph["K"]
    pairs = Q.shape[1] // 2
    if not pairs:
        raise AttentionError(
            "with_rotary: queries have one component, and a rotation turns two. Use d_k = 2 or "
            "more."
        )
    p = places(rows, first)  # (n, 1)
    theta = frequencies(numbered("pair", pairs), range(pairs), 2 * pairs)  # (1, d_k // 2)
    Phi = matmul(p, theta, "Phi")  # (n, 1) (1, d_k // 2) -> (n, d_k // 2)
    Q_rot = rotate(Q, Phi, "Q_rot", halves=halves)  # (n, d_k) (n, d_k // 2) -> (n, d_k)
    K_rot = rotate(K, Phi, "K_rot", halves=halves)  # (n, d_k) (n, d_k // 2) -> (n, d_k)
    return _from(graph, {"Q": Q_rot, "K": K_rot}, (p, theta, Phi))


def alibi_slopes(heads: int) -> tuple[float, ...]:
    """The slopes of ALiBi for a power of 2 of heads: 2^(−8/h), 2^(−16/h), … 2^(−8).

    Press, Smith and Lewis (2022), section 3.

    >>> alibi_slopes(8)[:3]
    (0.5, 0.25, 0.125)
    """
    return tuple(2.0 ** (-8 * (head + 1) / heads) for head in range(heads))


def with_alibi(graph: Graph, slope: float = 0.5, *, first: int = 0) -> Graph:
    """The same attention with −slope·|i − j| added to the score of i for j.

    Nothing else tells the place. The bias is added after the scaling: S_alibi = S_scaled + B_alibi
    (Press, Smith and Lewis 2022, with a causal mask: i − j is never negative there). Here keys
    after the query lose as much as those before it. Places are counted from ``first``.

    Shapes: p (n, 1) → dist (n, n) → B_alibi (n, n).

    Errors: :class:`AttentionError` where queries and keys are two sequences, and for a slope that
    is not a finite number.

    >>> from attention_core import EXAMPLES
    >>> graph = with_alibi(EXAMPLES["love"].graph(), 0.5)
    >>> graph.explain("B_alibi", 2, 0).text
    'B_alibi[AI, I] = (−0.500)·dist[AI, I] = (−0.500)·2 = −1'
    """
    before_positions(graph, "with_alibi", "Q", "K")
    slope = finite("with_alibi", "slope", slope)
    p = places(_one_sequence(graph, "with_alibi"), first)  # (n, 1)
    dist = distance(p, p, "dist")  # (n, 1) (n, 1) -> (n, n)
    B_alibi = scale(dist, -slope, "B_alibi")  # (n, n) -> (n, n)
    S_alibi = add(graph["S_scaled"], B_alibi, "S_alibi")  # (n, n) (n, n) -> (n, n)
    return _from(graph, {"S_scaled": S_alibi}, (p, dist, B_alibi))


def moved_on(graph: Graph, by: int) -> Graph:
    """The same tokens ``by`` places further on, and what that changes in their scores.

    All that is made from the places p is made again, under names that end in ``_moved``. S_diff is
    what the scores (as they go into the mask) are more than before: 0 where a score depends on the
    distance of two tokens only.

    Errors: :class:`AttentionError` for a graph without places.

    >>> from attention_core import EXAMPLES
    >>> graph = EXAMPLES["love"].graph()
    >>> moved_on(with_rotary(graph), 5)["S_diff"].value.any()
    np.False_
    >>> moved_on(with_positions(graph), 5).explain("S_diff", 0, 0).text
    'S_diff[I, I] = S_scaled,moved[I, I] − S_scaled[I, I] = 2.378 − 6.928 = −4.550'
    """
    rows_needed(graph, "moved_on", "S_masked", "S")
    by = whole("moved_on", "by", by, -FAR, FAR)
    if "p" not in graph:
        raise AttentionError(
            "moved_on: this graph has no places p. Use with_positions, with_rotary or with_alibi."
        )
    p = graph["p"]
    there = p.value + by
    labels = tuple(f"{place:.0f}" for place in there[:, 0])
    rows = p.rows if p.rows.tokens else Axis(p.rows.name, labels)
    made = made_again(
        graph, {"p": given("p_moved", there, rows, p.cols)}, partial(marked, mark="_moved")
    )
    scores = graph["S_masked"].inputs[0]
    K_T = graph["S"].inputs[1]  # its columns say how large the terms of a score are
    S_diff = compare(made[scores.key], scores, "S_diff", K_T)  # (n, n) (n, n) -> (n, n)
    between = {m.key for key, m in made.items() if key in graph.between}
    return Graph((*graph.steps, *made.values(), S_diff), graph.between | between)


def _one_sequence(graph: Graph, what: str) -> Axis:
    """The rows of queries and keys."""
    if graph["Q"].rows != graph["K"].rows:
        raise AttentionError(f"{what}: queries and keys are two sequences. Use self-attention.")
    return graph["Q"].rows


def _from(graph: Graph, instead: dict[str, Matrix], made_of: tuple[Matrix, ...]) -> Graph:
    """What is made from some matrices made again from others, which stand beside them."""
    named = {"K_T": "K_rot_T"} if "K" in instead else {}
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
