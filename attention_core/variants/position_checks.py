"""What can be given positions, head by head, and what is refused by name."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count, takewhile
from typing import Any

import numpy as np

from attention_core.axes import Axis
from attention_core.bounds import finite, shown, whole
from attention_core.errors import AttentionError
from attention_core.graph import Graph
from attention_core.plain import before_positions

FARTHEST = 10**9  # beyond it float64 no longer tells the angles of neighbours apart well


def keys_of_heads(graph: Graph, key: str) -> tuple[str, ...]:
    """The keys of one quantity in all heads; the key itself where heads are not numbered.

    >>> from attention_core import EXAMPLES, split_heads
    >>> graph = EXAMPLES["cat"].graph()
    >>> keys_of_heads(graph, "K"), keys_of_heads(split_heads(graph, 4, 2), "K")
    (('K',), ('K_1', 'K_2'))
    """
    if "Q_1" not in graph:  # then numbers count something else, such as blocks of keys
        return (key,)
    return tuple(takewhile(graph.__contains__, (f"{key}_{i}" for i in count(1))))


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


def finite_slopes(slope: Any, heads: int) -> tuple[float, ...]:
    """The slopes of ALiBi, one a head, from one number or several.

    >>> finite_slopes(0.5, 1), finite_slopes([1, 0.5], 2)
    ((0.5,), (1.0, 0.5))
    """
    plain = slope.tolist() if hasattr(slope, "tolist") else slope  # arrays and tensors
    several = isinstance(plain, Sequence) and not isinstance(plain, str | bytes)
    slopes = tuple(
        finite("with_alibi", f"slope {place}" if several else "slope", number)
        for place, number in enumerate(plain if several else (plain,), 1)
    )
    if len(slopes) != heads:
        raise AttentionError(
            f"with_alibi: got {len(slopes)} slope{'s' * (len(slopes) != 1)} for {heads} "
            f"head{'s' * (heads != 1)}. Give one a head, such as alibi_slopes({heads})."
        )
    return slopes
