"""The questions and sentences of the small variants: the soft cap and the sink."""

from __future__ import annotations

from dataclasses import replace

from attention_core import Cell
from attention_core.rounding import show
from ui.asks import Ask, row_of
from ui.lesson import Lesson
from ui.readers import OFF
from ui.settings import Settings


def flattened(lesson: Lesson) -> Ask | None:
    """Ask what the cap does to the largest weight of a row. Not where the difference is not shown.

    Asked is the last row in which it is.
    """
    graph, decimals = lesson.graph, lesson.settings.decimals
    for row in reversed(range(graph["A"].shape[0])):
        for cell in graph.largest("A", row):
            before = show(float(graph["A"].value[row, cell.col]), decimals)
            after = show(float(graph["A_cap"].value[row, cell.col]), decimals)
            if before.value != after.value:
                return _flattened(lesson, cell, before.text, after.text)
    return None


def _flattened(lesson: Lesson, cell: Cell, before: str, after: str) -> Ask:
    graph = lesson.graph
    who, whom = graph["A"].rows.unique(cell.row), graph["A"].cols.unique(cell.col)
    capped, plain = (graph[key].value[cell.row, cell.col] for key in ("A_cap", "A"))
    smaller = bool(capped < plain)
    because = (
        f"the cap takes more from large scores than from small ones, so the leads shrink. "
        f"«{whom}» goes from {before} to {after}."
    )
    hidden = (*row_of(graph["A_cap"], cell.row), *row_of(graph["O_cap"], cell.row))
    return Ask(
        title=f"«{who}» gives «{whom}» the weight {before}. What does the cap make of it?",
        hint="Before you look: compare the row of S_cap with that of S_scaled. Choose, and the row "
        "opens.",
        cells=hidden,
        pin=Cell("A_cap", cell.row, cell.col),
        right=f"Right: {because}",
        wrong="Not so. What counts in a softmax is by how much one score leads another.",
        given=f"The answer: {because}",
        options=(("It gets larger", not smaller), ("It gets smaller", smaller), ("Nothing", False)),
    )


def caps(lesson: Lesson) -> tuple[tuple[str, Settings], ...]:
    """Caps that are worth a look."""
    loud = replace(lesson.settings, scale=OFF)
    return (
        ("A tight cap: 0.5", lesson.settings.with_options({"cap": 0.5})),
        ("A wide cap: 50", lesson.settings.with_options({"cap": 50.0})),
        ("Without the scaling, cap 2", loud.with_options({"cap": 2.0})),
    )


def largest_scores(lesson: Lesson) -> str:
    """The largest score before and after the cap, by size."""
    decimals = lesson.settings.decimals
    before, after = (
        show(float(abs(lesson.graph[key].value).max()), decimals).text
        for key in ("S_scaled", "S_cap")
    )
    cap = show(float(lesson.option("cap")), decimals).text
    return f"The largest score here is {before} in size. With the cap of {cap} it is {after}."


def sinks(lesson: Lesson) -> tuple[tuple[str, Settings], ...]:
    """Scores of a sink that are worth a look."""
    return tuple(
        (title, lesson.settings.with_options({"sink": score}))
        for title, score in (
            ("As likely as a score of 0", 0.0),
            ("A sink that draws", 3.0),
            ("As good as none: −20", -20.0),
        )
    )


def what_is_left(lesson: Lesson) -> str:
    """What the weights of the tokens add up to, in the row of the last token."""
    graph, decimals = lesson.graph, lesson.settings.decimals
    weights = graph["A_sink"]
    row = lesson.last
    left = show(float(weights.value[row].sum()), decimals).text
    gone = show(float(graph["A_all"].value[row, -1]), decimals).text
    return (
        f"In the row of «{weights.rows.unique(row)}» the sink takes {gone}, and the weights of the "
        f"tokens add up to {left}."
    )


def rescued_rows(lesson: Lesson) -> str:
    """What a sink does for rows whose every key is blocked; nothing where there is none."""
    rows = sorted(lesson.graph["A"].undefined)
    if not rows:
        return ""
    names = ", ".join(f"«{lesson.graph['A'].rows.unique(row)}»" for row in rows)
    return (
        f"Every key is blocked for {names}. Without a sink that is 0/0. With one it is a "
        "distribution: all of it goes to the sink, and the output is 0 for a reason."
    )
