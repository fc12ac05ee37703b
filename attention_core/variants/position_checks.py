"""What can be given positions, head by head, and what is refused by name."""

from __future__ import annotations

from typing import Any

import numpy as np

from attention_core.axes import Axis
from attention_core.bounds import shown, whole
from attention_core.errors import AttentionError
from attention_core.graph import Graph
from attention_core.plain import before_positions

FARTHEST = 10**9  # beyond it float64 no longer tells the angles of neighbours apart well


def one_sequence(graph: Graph, what: str) -> Axis:
    """The rows of queries and keys, in a graph that can be given positions."""
    before_positions(graph, what)
    if graph["Q"].rows != graph["K"].rows:
        raise AttentionError(f"{what}: queries and keys are two sequences. Use self-attention.")
    return graph["Q"].rows


def whole_places(what: str, name: str, value: Any) -> int:
    """A number of places as it was given: whole, and at most 10⁹ to either side.

    >>> whole_places("moved_on", "by", -3)
    -3
    """
    return whole(what, name, value, -FARTHEST, FARTHEST)


def true_or_false(what: str, name: str, value: object) -> bool:
    """A switch as it was given: True or False and nothing else.

    >>> true_or_false("with_rotary", "halves", True)
    True
    """
    if not isinstance(value, bool | np.bool_):
        raise AttentionError(f"{what}: {name} is {shown(value)}, wanted True or False.")
    return bool(value)
