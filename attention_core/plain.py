"""What a function may start from: tokens as rows, and attention that nothing has changed yet.

A function that reads some matrices of a graph and makes an output from them is right only where
these lead to the graph's own output. Where they do not, what lies between would be left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count, takewhile

from attention_core.again import marked
from attention_core.errors import AttentionError
from attention_core.graph import Graph

RESULTS: dict[str, str] = {
    "residual": "X_out",
    "layered": "X_sum",
    "multi_head": "U",
    "split_heads": "O_heads",
    "softcap": "O_cap",
    "sink": "O_sink",
    "base_two": "O_two",
    "online_softmax": "O_online",
    "cached_step": "O_new",
}
"""What each function leads to, where that is not O."""

_OTHERS = {key: who for who, key in RESULTS.items() if key not in ("X_out", "U")}

# What positions add, and the function that does.
_PLACES = {"Pos": "with_positions", "Q_rot": "with_rotary", "B_alibi": "with_alibi"}

# Attention of its own beside S_scaled, made from Q, K and V or from X once more.
_LATER = {
    "O_online": "online_softmax",
    "O_new": "cached",
    "X_sum": "layered",
    "O_back": "reordered",
    "Q_few": "causal_corners",
}

# The way from queries, keys and values to the output; the softmax may be written in steps.
_WAY: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Q", ("X", "W_Q")),
    ("K_T", ("K",)),
    ("S", ("Q", "K_T")),
    ("S_scaled", ("S",)),
    ("S_masked", ("S_scaled", "M")),
    ("A", ("S_masked",)),
    ("O", ("A", "V")),
)
_STARTS = {"O": 7, "X": 0, "Q": 1, "S": 3, "S_scaled": 4, "S_masked": 5, "A": 6}


def rows(graph: Graph, who: str, *keys: str) -> None:
    """Refuse tokens as columns, what is no graph, and a graph without some matrices.

    >>> from attention_core import EXAMPLES, as_columns
    >>> rows(as_columns(EXAMPLES["love"].graph()), "look_up")
    Traceback (most recent call last):
    ...
    attention_core.errors.AttentionError: look_up: tokens stand as columns here. Call as_columns \
last, or as_rows before.
    """
    if not isinstance(graph, Graph):
        raise AttentionError(
            f"{who}: got {type(graph).__name__}, wanted a graph such as self_attention makes."
        )
    if any(matrix.by_column for matrix in graph.steps):
        raise AttentionError(
            f"{who}: tokens stand as columns here. Call as_columns last, or as_rows before."
        )
    missing = [key for key in keys if key not in graph]
    if missing:
        raise AttentionError(
            f"{who}: {_instead(graph, missing[0])} Start from attention, self_attention or "
            "cross_attention."
        )


def plain(graph: Graph, who: str, start: str = "Q", more: str = "") -> None:
    """Refuse a graph that is not plain attention from the matrix ``start`` on.

    ``start`` is the first matrix on the way from X to O that ``who`` reads: "X", "Q", "S",
    "S_scaled", "S_masked", "A" or "O". ``more`` says how to get what is wanted, if one can.

    >>> from attention_core import EXAMPLES, softcap
    >>> plain(softcap(EXAMPLES["love"].graph(), 2.0), "sink", "S_scaled")
    Traceback (most recent call last):
    ...
    attention_core.errors.AttentionError: sink: this graph leads to O_cap (softcap), and sink \
would leave that out. Start from attention without it.
    """
    rows(graph, who)
    _leads_elsewhere(graph, who, _OTHERS)
    way = _WAY[_STARTS[start] :]
    if start == "X" and "X" not in graph:
        way = way[1:]
    rows(graph, who, *dict.fromkeys(key for made, of in way[::-1] for key in (made, *of)))
    _unbroken(graph, who, way, more)


def plain_heads(graph: Graph, who: str, more: str = "") -> tuple[str, ...]:
    """What stands behind the keys of each head; each has to be plain attention from S_scaled on.

    That is nothing for one head, and ``_1``, ``_2`` … for several. Where its keys and values come
    from does not matter.

    >>> from attention_core import EXAMPLES, split_heads
    >>> graph = EXAMPLES["cat"].graph()
    >>> plain_heads(graph, "sink"), plain_heads(split_heads(graph, 2), "sink")
    (('',), ('_1', '_2'))
    """
    rows(graph, who)
    several = "Q_1" in graph
    _leads_elsewhere(graph, who, (key for key in _OTHERS if key != "O_heads" or not several))
    if several:
        ends_here(graph, who)
    heads = keys_of_heads(graph, "S_scaled")
    marks = tuple(key.removeprefix("S_scaled") for key in heads)
    for mark in marks:
        S_scaled, S_masked, A, O = (f"{key}{mark}" for key in ("S_scaled", "S_masked", "A", "O"))
        rows(graph, who, O, A, S_masked, S_scaled)
        M, V = (graph[key].inputs[-1].key for key in (S_masked, O))
        way = ((S_masked, (S_scaled, M)), (A, (S_masked,)), (O, (A, V)))
        _unbroken(graph, who, way, more)
    return marks


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


def is_plain(graph: Graph, mark: str = "") -> bool:
    """Whether the way from queries, keys and values to the output is attention, and no more.

    ``mark`` stands behind the keys of one head.
    """
    own = {"Q", "K_T", "K", "S", "S_scaled", "S_masked", "A", "O", "V"}
    way = tuple(
        (marked(made, mark), tuple(marked(key, mark) if key in own else key for key in of))
        for made, of in _WAY[1:]
    )
    there = all(key in graph for made, of in way for key in (made, *of))
    return there and _broken(graph, way) is None


def before_positions(graph: Graph, who: str, *keys: str) -> None:
    """Refuse a graph that has positions, or more attention that new ones would not reach."""
    rows(graph, who, *keys)
    if "p" in graph:
        made_by = (maker for key, maker in _PLACES.items() if key in graph or f"{key}_1" in graph)
        raise AttentionError(
            f"{who}: this graph has places p already, made by {next(made_by, 'other means')}. "
            "Positions are given once: start from the graph without them."
        )
    ends_here(graph, who)


def ends_here(graph: Graph, who: str) -> None:
    """Refuse more attention, or gradients, that a change would not reach."""
    later = [(key, maker) for key, maker in _LATER.items() if key in graph]
    later += [(g, "gradients") for m in graph.steps if (g := f"d{m.key}") in graph]
    if later:
        key, maker = later[0]
        raise AttentionError(
            f"{who}: this graph has {key} ({maker}), which {who} would not reach. Call {who} "
            f"before {maker}."
        )


def _leads_elsewhere(graph: Graph, who: str, others: Iterable[str]) -> None:
    """Refuse a graph that leads to another output than O already."""
    for key in others:
        if key in graph and "O" in graph:
            raise AttentionError(
                f"{who}: this graph leads to {key} ({_OTHERS[key]}), and {who} would leave that "
                "out. Start from attention without it."
            )


def _unbroken(
    graph: Graph, who: str, way: tuple[tuple[str, tuple[str, ...]], ...], more: str
) -> None:
    """Refuse a way on which a matrix is made from others than it should be."""
    broken = _broken(graph, way)
    if broken:
        key, wanted, found = broken
        raise AttentionError(
            f"{who}: {key} is made from {found} here, and not from {wanted}. {who} would leave out "
            f"what comes between. {more or 'Start from attention without it.'}"
        )


def _broken(
    graph: Graph, way: tuple[tuple[str, tuple[str, ...]], ...]
) -> tuple[str, str, str] | None:
    """The first matrix of a way that is made from others than it should be, and from which."""
    for made, wanted in way:
        of = tuple(m.key for m in graph[made].inputs)
        in_steps = made.startswith("A") and wanted[0] in {m.key for m in graph.behind(made)}
        if of != wanted and not in_steps:
            return made, " and ".join(wanted), " and ".join(of) or "nothing"
    return None


def _instead(graph: Graph, missing: str) -> str:
    """What a graph is that has no attention of one head."""
    if missing == "M" and "M_1" in graph:
        return "this graph has a mask for each head, so there is no M."
    if "A_1" in graph and "A" not in graph:
        return f"this graph has several heads, and no {missing} of one head."
    if "O_new" in graph and "O" not in graph:
        return f"this graph is one step with a cache, so there is no {missing}."
    if missing == "K_T" and "K_all" in graph:
        return "this graph has kept keys between K and the scores, so there is no K_T."
    if "p" in graph:
        return f"this graph has positions between Q, K and their scores, so there is no {missing}."
    if missing in ("X", "W_Q", "W_K", "W_V"):
        return f"this graph starts from Q, K and V, so there is no {missing}."
    return f"this graph is not attention: it has no {missing}."
