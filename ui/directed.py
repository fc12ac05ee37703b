"""The lab on directed scores: its question, its sentences, and a row made twice as long."""

from __future__ import annotations

from dataclasses import replace

from attention_core import Cell
from attention_core.inputs import EDIT_LIMIT
from attention_core.rounding import apart, scientific, show
from ui.asks import Ask
from ui.lesson import Lesson
from ui.settings import Settings

# What shows whether two tokens score each other alike.
_TELLING = ("S", "S_tied", "C", "S_X")


def scored_back(lesson: Lesson) -> Ask | None:
    """Ask whether a token scores another as it is scored by it. ``None`` for a single token.

    Hidden are the lower halves of all matrices that tell.
    """
    graph, decimals = lesson.graph, lesson.settings.decimals
    rows = graph["S"].rows
    if rows.size == 1:
        return None
    pair = graph.unlike("S")
    there, back = sorted(pair or (Cell("S", 0, 1), Cell("S", 1, 0)))
    value = graph["S"].value
    one, other = (
        shown.text for shown in apart(float(value[there[1:]]), float(value[back[1:]]), decimals)
    )
    a, b = rows.unique(there.row), rows.unique(there.col)
    if pair:
        because = (
            f"«{b}» scores «{a}» {other}. Another query meets another key, so it is another number."
        )
    else:
        because = f"«{b}» scores «{a}» {other}. {why_symmetric(lesson)}"
    return Ask(
        title=f"«{a}» scores «{b}» {one}. Will «{b}» score «{a}» {one} too?",
        hint="Before you look: choose, and the lower halves open.",
        cells=tuple(
            Cell(key, row, col)
            for key in _TELLING
            if key in graph
            for row in range(rows.size)
            for col in range(row)
        ),
        pin=back,
        right=f"Right: {because}",
        wrong="Not so. Whose query and whose key make each of the two scores?",
        given=f"The answer: {because}",
        options=((f"Yes, {one} too", pair is None), ("No, another number", pair is not None)),
    )


def why_symmetric(lesson: Lesson) -> str:
    """Why any two tokens score each other alike; nothing where they do not."""
    if lesson.graph.unlike("S"):
        return ""
    if len(lesson.inputs.tokens) == 1:
        return "One token has only itself to score."
    if lesson.settings.tied:
        made = "One matrix makes both now: e" if "X" in lesson.graph else "E"
        return f"{made}ach key is its token’s query now, and S is symmetric."
    if (lesson.graph["Q"].value == lesson.graph["K"].value).all():
        return "In these numbers each key equals its token’s query, so S is symmetric."
    return "In these numbers S happens to be symmetric."


def length_matters(lesson: Lesson) -> str:
    """A row in which lengths decide, not angles. No score is told: some are hidden."""
    graph, decimals = lesson.graph, lesson.settings.decimals
    keys = graph["S"].cols
    found = []
    for row in range(graph["S"].rows.size):
        high, near = ({cell.col for cell in graph.largest(key, row)} for key in ("S", "C"))
        if high != near:
            found.append((bool(high & near), row, high, near))
    if not found:
        return (
            "In these numbers the highest score of each row is also its largest cosine. It need "
            "not be."
        )
    _, row, high, near = min(found, key=lambda each: each[:2])
    won, lost = min(high - near or high), min(near - high or near)
    who, a, b = (f"«{name}»" for name in (keys.unique(row), keys.unique(won), keys.unique(lost)))
    if lost in high:
        said = f"scores {a} and {b} alike, yet the key of {b} points more nearly its way"
    elif won in near:
        said = f"scores {a} higher than {b}, although both keys point equally nearly its way"
    else:
        said = f"scores {a} highest, yet the key of {b} points more nearly its way"
    lengths = [show(float(graph["len_K"].value[col, 0]), decimals).text for col in (won, lost)]
    return (
        f"Look at the row of {who}. It {said}. Length makes the difference: the key of {a} is "
        f"{lengths[0]} long, that of {b} {lengths[1]}."
    )


def same_product(lesson: Lesson) -> str:
    """How far the scores from one matrix are from the scores of queries and keys."""
    graph = lesson.graph
    if "S_X" not in graph:
        return ""
    gap = float(abs(graph["S_X"].value - graph["S"].value).max())
    if gap == 0.0:
        return "Compare with S: every number is the same, to the computer’s last digit."
    return (
        f"Compare with S: the numbers differ by at most {scientific(gap).text}. On paper they are "
        "the same. The computer multiplies in another order here, and so it rounds elsewhere."
    )


def doubled(lesson: Lesson) -> tuple[tuple[str, Settings], ...]:
    """Settings in which one given row is twice as long, and those in which nothing is edited.

    The row of the token that stands in the middle, or of the next one that is not all zeros.
    """
    settings, inputs = lesson.settings, lesson.inputs
    key = _row_source(lesson)
    value, names = inputs.given[key], lesson.graph["S"].rows
    n = len(inputs.tokens)
    order = [(lesson.middle + step) % n for step in range(n)]
    row = next((row for row in order if value[row].any()), None)
    starts: list[tuple[str, Settings]] = []
    if row is not None and 2 * abs(value[row]).max() <= EDIT_LIMIT:
        edits = dict(settings.edits)
        edits |= {Cell(key, row, t): 2 * float(x) for t, x in enumerate(value[row]) if x}
        title = f"Double the {_row_word(key)} of «{names.unique(row)}»"
        starts.append((title, replace(settings, edits=tuple(edits.items()))))
    if settings.edits:
        starts.append(("Undo all edits", replace(settings, edits=())))
    return tuple(starts)


def twice(lesson: Lesson) -> str:
    """What to look for when a row is doubled; it depends on what the row makes."""
    by_hand = "Or choose «edit numbers» and double a row yourself."
    key = _row_source(lesson)
    if key == "K":
        return (
            "Double a key: each of its numbers times 2. Every score in its column of S doubles. No "
            f"cosine changes. {by_hand}"
        )
    return (
        f"Double a row of {key}. The token’s query and key become twice as long. Its scores with "
        "others double, in its row and in its column. Its score with itself becomes four times as "
        f"large. No cosine changes. {by_hand}"
    )


def _row_source(lesson: Lesson) -> str:
    """What can be typed over to make one key longer."""
    if "X" in lesson.inputs.given:
        return "X"
    return "Q" if lesson.settings.tied else "K"


def _row_word(key: str) -> str:
    return {"X": "embedding", "Q": "query", "K": "key"}[key]
