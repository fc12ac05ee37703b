"""Positions, and all tokens moved on: what stays where only distances count."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from attention_core.again import made_again, marked
from attention_core.axes import Axis
from attention_core.errors import AttentionError
from attention_core.graph import Graph
from attention_core.inputs import Inputs
from attention_core.matrix import given
from attention_core.ops import compare
from attention_core.order import with_positions
from attention_core.plain import keys_of_heads
from attention_core.plain import rows as rows_needed
from attention_core.variants.alibi import alibi_slopes, with_alibi
from attention_core.variants.position_checks import (
    whole_places,
)
from attention_core.variants.rotary import with_rotary
from attention_core.variants.variant import Chosen, Option, Variant

_HEADS_OF_SLOPES = 8
_MAX_MOVED = 100


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
    if "K_all" in graph:
        raise AttentionError("moved_on: kept keys keep their places. Move before with_cache.")
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
