"""The classic mistakes with a mask: which one is looked at, its board, its question, its tables."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

import attention_core as core
from attention_core import Graph
from attention_core.matrix import Array
from attention_core.rounding import show
from ui.asks import Ask
from ui.board.layout import Layout, Line
from ui.controls import choose
from ui.given import mask_now
from ui.lesson import Lesson
from ui.mask_asks import ask_big, ask_corner, ask_late, ask_sign, half_open
from ui.panels import presets
from ui.sayings import table, weights_add_up
from ui.settings import CUSTOM
from ui.tied import tied
from ui.words import MASK_ERRORS


@dataclass(frozen=True)
class _Error:
    """One mistake: what it is called, its board, its question, whether the viewer's mask counts."""

    title: str
    board: Callable[[Lesson], Layout]
    ask: Callable[[Lesson], Ask | None]
    masked: bool = True


def choose_error(lesson: Lesson) -> None:
    """Draw the control of the mistake that is looked at, and of the mask where one counts."""
    st.segmented_control(
        "Look at",
        list(MASK_ERRORS),
        required=True,
        format_func=lambda name: _ERRORS[name].title,
        **tied("error"),
    )
    if _error(lesson).masked:
        choose(lesson, "mask")


def error_board(lesson: Lesson) -> Layout:
    """The right way, and below it the mistake that is looked at.

    While nothing is blocked, both would be the same numbers: then the right way alone.
    """
    if _nothing(lesson):
        return Layout("A", lines=_right(lesson), mask_edit=True)
    return _error(lesson).board(lesson)


def error_ask(lesson: Lesson) -> Ask | None:
    """What is asked about the mistake before it is told."""
    return _error(lesson).ask(lesson)


def of_error(lesson: Lesson, **parts: str) -> str:
    """The part of a page about the mistake that is looked at, once something is blocked."""
    return "" if _nothing(lesson) else parts[lesson.settings.error]


def block_a_query(lesson: Lesson) -> str:
    """Links that block every key of the last query: what is made of it, also with −10⁹.

    None where the viewer's mask does not count. Where nothing is blocked, a mask comes first.
    """
    if not _error(lesson).masked:
        return ""
    rows = mask_now(lesson.settings).split(".")
    rows[lesson.last] = "0" * len(rows)
    blocked = replace(lesson.settings, mask=CUSTOM, allow=".".join(rows))
    who = lesson.graph["A"].rows.unique(lesson.last)
    first = (("With a causal mask", replace(lesson.settings, mask="causal")),)
    return presets(
        lesson.page,
        *(first if _nothing(lesson) and lesson.last else ()),
        (f"Block every key of «{who}»", replace(blocked, error="late")),
        ("The same with −10⁹", replace(blocked, error="big")),
    )


def nothing_blocked(lesson: Lesson) -> str:
    """What to do first where the viewer's mask counts and blocks nothing."""
    if not _nothing(lesson):
        return ""
    return (
        "Nothing is blocked yet, so nothing can go wrong. Choose a mask, or click cells of M on "
        "the board: the mistake then stands below the right way."
    )


def large_does(lesson: Lesson) -> str:
    """Whether −10⁹ blocks here, in rows that have an open key; nothing where none has."""
    A, A_big = lesson.graph["A"], lesson.graph["A_big"]
    rows = [i for i in range(A.shape[0]) if i not in A.undefined]
    if not rows:
        return ""
    if np.array_equal(A_big.value[rows], A.value[rows]):
        return "Where a row has an open key, −10⁹ does its work here: the weights are those of A."
    return "Some scores are so large here that −10⁹ does not block, even beside an open key."


def _nothing(lesson: Lesson) -> bool:
    return _error(lesson).masked and not lesson.graph["M"].blocked


def precisions(lesson: Lesson) -> str:
    """One row under a mask of −10⁹, as computers of three precisions get it, as a table."""
    graph, row = lesson.graph, _telling_row(lesson.graph)
    rows = [
        ["score", *_numbers(lesson, graph["S_scaled"].value[row])],
        ["mask", *_numbers(lesson, graph["M_big"].value[row])],
        *([name, *_numbers(lesson, core.weights_in(graph, row, name))] for name in core.PRECISIONS),
    ]
    caption = (
        f"The row of «{_who(graph, row)}»: scaled scores, mask and weights in three precisions"
    )
    return table(caption, ["", *_keys(graph)], rows)


def wrong_sign(lesson: Lesson) -> str:
    """What +∞ in place of −∞ does to one row, step by step, as a table; none without a block."""
    graph = lesson.graph
    row = next(iter(half_open(graph["M"])), _telling_row(graph))
    if not np.isneginf(graph["M"].value[row]).any():
        return ""
    steps = core.wrong_sign(graph, row)
    names = ("score, masked", "less the row maximum", "e to that power", "divided by the sum")
    rows = [
        [name, *_numbers(lesson, values)]
        for name, values in zip(names, steps.values(), strict=True)
    ]
    return table(f"The row of «{_who(graph, row)}»", ["", *_keys(graph)], rows)


def _error(lesson: Lesson) -> _Error:
    return _ERRORS[lesson.settings.error]


def _right(lesson: Lesson) -> tuple[Line, ...]:
    return (
        Line("S_masked", "The right way: add −∞ before the softmax"),
        Line("A", "The weights that follow", weights_add_up(lesson)),
    )


def _late(lesson: Lesson) -> Layout:
    graph = lesson.graph
    again = np.allclose(graph["A_renorm"].value, graph["A"].value)
    return Layout(
        "A_late",
        lines=(
            *_right(lesson),
            Line("A_scaled", "The mistake: the softmax first, over all keys"),
            Line("A_late", "The mask after it: times 1 where open, times 0 where blocked"),
            Line("Z_late", "What the rows add up to now"),
            Line(
                "A_renorm",
                "A repair: divide each row by its sum",
                "The numbers of A again."
                if again
                else "Not the numbers of A: some weights were too small to be kept.",
            ),
        ),
        mask_edit=True,
    )


def _big(lesson: Lesson) -> Layout:
    return Layout(
        "A_big",
        lines=(
            *_right(lesson),
            Line("S_big", "The mistake: add −10⁹, which is only large", _alike(lesson)),
            Line("A_big", "The weights that follow"),
        ),
        mask_edit=True,
    )


def _alike(lesson: Lesson) -> str:
    """That scores beside −10⁹ only look alike, where a row of them does."""
    S_big = lesson.graph["S_big"].value
    for row in sorted(lesson.graph["A"].undefined):
        if len(set(S_big[row])) > 1 and len(set(_numbers(lesson, S_big[row]))) == 1:
            return (
                f"The row of «{_who(lesson.graph, row)}» only looks alike: −10⁹ takes up all the "
                "digits shown. Pin a number to see what it is the sum of."
            )
    return ""


def _sign(lesson: Lesson) -> Layout:
    return Layout("A", lines=_right(lesson), mask_edit=True)


def _corner(lesson: Lesson) -> Layout:
    top = "The first of these queries sees the first key only."
    bottom = "The last of these queries sees every key."
    return Layout(
        "A_bottom",
        lines=(
            Line("S_top", "Counted from the top left", top),
            Line("A_top", "The weights that follow"),
            Line("S_bottom", "Counted from the bottom right", bottom),
            Line("A_bottom", "The weights that follow"),
        ),
    )


_ERRORS: dict[str, _Error] = {
    "late": _Error("mask after the softmax", _late, ask_late),
    "big": _Error("−10⁹ for −∞", _big, ask_big),
    "sign": _Error("the wrong sign", _sign, ask_sign),
    "corner": _Error("fewer queries than keys", _corner, ask_corner, masked=False),
}


def _telling_row(graph: Graph) -> int:
    """The row that shows most: the one with most keys blocked, else the last."""
    blocked = np.isneginf(graph["M"].value).sum(axis=1)
    return int(blocked.argmax()) if blocked.any() else len(blocked) - 1


def _who(graph: Graph, row: int) -> str:
    return graph["A"].rows.unique(row)


def _keys(graph: Graph) -> list[str]:
    axis = graph["A"].cols
    return [axis.unique(col) for col in range(axis.size)]


def _numbers(lesson: Lesson, values: Array) -> list[str]:
    decimals = lesson.settings.decimals
    return ["no number" if math.isnan(x) else show(x, decimals).text for x in map(float, values)]
