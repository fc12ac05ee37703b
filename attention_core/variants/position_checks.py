"""What positions are given to, and the places and switches that callers give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from attention_core.axes import Axis
from attention_core.bounds import shown, whole
from attention_core.errors import AttentionError
from attention_core.graph import Graph
from attention_core.matrix import Matrix
from attention_core.order import at_places, places
from attention_core.plain import before_positions

FARTHEST = 10**9  # beyond it float64 no longer tells the angles of neighbours apart well


def one_sequence(graph: Graph, what: str) -> Axis:
    """The rows of queries and keys, in a graph that can be given positions."""
    before_positions(graph, what)
    if graph["Q"].rows != graph["K"].rows:
        raise AttentionError(
            f"{what}: queries and keys are two sequences. Use self-attention, and with_cache for "
            "keys from before."
        )
    return graph["Q"].rows


def whole_places(what: str, name: str, value: Any) -> int:
    """A number of places as it was given: whole, and at most 10⁹ to either side.

    >>> whole_places("moved_on", "by", -3)
    -3
    """
    return whole(what, name, value, -FARTHEST, FARTHEST)


def places_of(what: str, rows: Axis, first: Any, at: Any) -> Matrix:
    """The column p of the places of some rows: counted from ``first``, or one given for each.

    >>> places_of("with_rotary", Axis("n", ("I", "love")), 0, [3, 3]).value.tolist()
    [[3.0], [3.0]]
    """
    first = whole_places(what, "first", first)
    if at is None:
        return places(rows, first)
    found = at.tolist() if hasattr(at, "tolist") else at  # arrays and tensors
    if first or not isinstance(found, Sequence) or len(found) != rows.size:
        raise AttentionError(
            f"{what}: first is {first} and places is {shown(at)}, wanted a list of {rows.size} "
            "places, one a row, and no first with it."
        )
    return at_places(rows, (whole_places(what, f"place {i}", p) for i, p in enumerate(found, 1)))


def true_or_false(what: str, name: str, value: object) -> bool:
    """A switch as it was given: True or False and nothing else.

    >>> true_or_false("with_rotary", "halves", True)
    True
    """
    if not isinstance(value, bool | np.bool_):
        raise AttentionError(f"{what}: {name} is {shown(value)}, wanted True or False.")
    return bool(value)
