"""What can be given positions, head by head, and what is refused by name."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count, takewhile
from numbers import Real
from typing import Any

import numpy as np

from attention_core.axes import Axis
from attention_core.errors import AttentionError
from attention_core.graph import Graph

FARTHEST = 10**9  # beyond it float64 no longer tells the angles of neighbours apart well
# Attention that is not made from Q, K and S_scaled, and the function that adds it.
_LATER = {
    "X_sum": "layered",
    "O_new": "cached",
    "O_online": "online_softmax",
    "O_back": "reordered",
    "Q_few": "causal_corners",
}
_LONG = 40  # characters of a value that is refused
_MAKERS = {"Pos": "with_positions", "Q_rot": "with_rotary", "B_alibi": "with_alibi"}


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


def in_rows(graph: Graph, what: str) -> None:
    """Refuse a graph with tokens as columns, and what is no graph."""
    if not isinstance(graph, Graph):
        raise AttentionError(
            f"{what}: got {shown(graph)}, wanted a graph such as self_attention makes."
        )
    if any(matrix.by_column for matrix in graph.steps):
        raise AttentionError(
            f"{what}: tokens stand as columns here. Use {what} first, and as_columns after it."
        )


def one_sequence(graph: Graph, what: str) -> Axis:
    """The rows of queries and keys, in a graph that can be given positions."""
    in_rows(graph, what)
    if "p" in graph:
        made_by = (maker for key, maker in _MAKERS.items() if key in graph or f"{key}_1" in graph)
        raise AttentionError(
            f"{what}: this graph has places p already, made by {next(made_by, 'other means')}. "
            "Positions are given once: start from the graph without them."
        )
    if any(f"d{matrix.key}" in graph for matrix in graph.steps):
        raise AttentionError(
            f"{what}: this graph has gradients already. Use {what} first, and gradients after it."
        )
    for key, maker in _LATER.items():
        if key in graph:
            raise AttentionError(
                f"{what}: this graph has {key} ({maker}), which positions would not reach. "
                f"Call {what} before {maker}."
            )
    if graph["Q"].rows != graph["K"].rows:
        raise AttentionError(f"{what}: queries and keys are two sequences. Use self-attention.")
    return graph["Q"].rows


def whole_places(what: str, name: str, value: Any) -> int:
    """A number of places as it was given: whole, and at most 10⁹ to either side.

    >>> whole_places("moved_on", "by", -3)
    -3
    """
    fits = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not fits or not -FARTHEST <= value <= FARTHEST:
        raise AttentionError(
            f"{what}: {name} is {shown(value)}, wanted a whole number from −10⁹ to 10⁹."
        )
    return int(value)


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
    slopes = tuple(plain) if several else (plain,)
    numbers = tuple(map(_finite, slopes))
    for place, (got, number) in enumerate(zip(slopes, numbers, strict=True), 1):
        if number is None:
            which = f"slope {place}" if several else "slope"
            raise AttentionError(
                f"with_alibi: {which} is {shown(got)}, wanted a finite number that float64 "
                "can hold."
            )
    if len(slopes) != heads:
        raise AttentionError(
            f"with_alibi: got {len(slopes)} slope{'s' * (len(slopes) != 1)} for {heads} "
            f"head{'s' * (heads != 1)}. Give one a head, such as alibi_slopes({heads})."
        )
    return tuple(number for number in numbers if number is not None)


def shown(value: object) -> str:
    """What somebody gave, as a message quotes it.

    >>> shown("1"), shown(10**400)[-3:]
    ("'1'", '00…')
    """
    try:
        text = repr(value)
    except ValueError:  # Python writes out no whole number of more than 4300 digits
        return "a number of thousands of digits"
    return text if len(text) <= _LONG else f"{text[:_LONG]}…"


def _finite(value: object) -> float | None:
    """A real number as float64; nothing where it is none, not finite or too large."""
    if not isinstance(value, Real) or isinstance(value, bool):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if abs(number) < float("inf") else None
