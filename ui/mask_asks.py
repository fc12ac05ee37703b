"""What is asked about the classic mistakes with a mask, before it is told."""

from __future__ import annotations

import numpy as np

from attention_core import Cell, Graph, Matrix
from attention_core.rounding import MAX_DECIMALS, scientific, show
from ui.asks import Ask, row_of
from ui.lesson import Lesson


def ask_late(lesson: Lesson) -> Ask | None:
    """What a row adds up to, where the late mask takes most from it, and it shows."""
    graph, decimals = lesson.graph, lesson.settings.decimals
    rows = half_open(graph["M"])
    if not rows:
        return None
    row = min(rows, key=lambda i: float(graph["Z_late"].value[i, 0]))
    left = float(graph["Z_late"].value[row, 0])
    shown = (show(left, places) for places in range(decimals, MAX_DECIMALS + 1))
    less = next((one.text for one in shown if one.value < 1), None)
    if less is None:
        return None
    because = f"it is {less}: the shares that the blocked keys took are gone, and nobody got them."
    return Ask(
        title=f"What does the row of «{_who(graph, row)}» in A_late add up to?",
        hint="Before you look: choose, and the rows open.",
        cells=_rows(graph, rows, "A_late", "Z_late"),
        pin=Cell("Z_late", row, 0),
        right=f"Right: {because}",
        wrong="Not so. Compare it with the row of A_scaled: what was taken away?",
        given=f"The answer: {because}",
        options=(("Less than 1", True), ("Exactly 1", False), ("More than 1", False)),
    )


def ask_big(lesson: Lesson) -> Ask | None:
    """What a row with every key blocked holds under −10⁹; else what a blocked key gets."""
    graph, n = lesson.graph, lesson.graph["A"].shape[1]
    blocked = sorted(graph["A"].undefined)
    if not blocked or n == 1:
        return _ask_big_weight(lesson)
    row = blocked[0]
    weights = graph["A_big"].value[row]
    if not np.allclose(weights, graph["A_scaled"].value[row], rtol=1e-5):
        return None
    even = bool(np.allclose(weights, 1 / n, rtol=1e-5))
    because = (
        "−10⁹ is added to every score of the row. A softmax only sees how the scores differ, and "
        "in float64 that stays. The row is spread over keys that it must not see."
    )
    return Ask(
        title=f"Every key of «{_who(graph, row)}» is blocked by −10⁹. What does its row hold, in "
        "float64 as here?",
        hint="Before you look: choose, and the rows of A_big open.",
        cells=_rows(graph, [*blocked, *half_open(graph["M"])], "A_big"),
        pin=Cell("A_big", row, int(weights.argmax())),
        right=f"Right: {because}",
        wrong="Not so. What does a softmax make of scores that are all lowered alike?",
        given=f"The answer: {because}",
        options=(
            ("Zeros", False),
            (f"1/{n} for each key", even),
            ("The weights as without a mask", True),
        ),
    )


def _ask_big_weight(lesson: Lesson) -> Ask | None:
    """The weight of the blocked key that keeps most, in a row where another is open."""
    graph, decimals = lesson.graph, lesson.settings.decimals
    rows = half_open(graph["M"])
    if not rows:
        return None
    kept = np.where(np.isneginf(graph["M"].value), graph["A_big"].value, -1.0)
    row = max(rows, key=lambda i: float(kept[i].max()))
    col = int(kept[row].argmax())
    weight = float(kept[row, col])
    shown = show(weight, decimals)
    text = shown.text if shown.value else scientific(weight, decimals).text
    because = (
        f"it is {text}. The scores here are so large that −10⁹ does not push the key far enough "
        "down."
        if weight
        else "e to the power of a number so far below 0 is smaller than any number that a computer "
        "has, and becomes 0."
    )
    return Ask(
        title=f"−10⁹ blocks «{graph['A'].cols.unique(col)}» for «{_who(graph, row)}». What is its "
        "weight, in float64 as here?",
        hint="Before you look: choose, and the rows of A_big open.",
        cells=_rows(graph, rows, "A_big"),
        pin=Cell("A_big", row, col),
        right=f"Right: {because}",
        wrong="Not so. Look at the row of S_big: how far below the largest score is this one?",
        given=f"The answer: {because}",
        options=(("Exactly 0", not weight), ("More than 0", bool(weight))),
    )


def _rows(graph: Graph, rows: list[int], *keys: str) -> tuple[Cell, ...]:
    """The cells of some rows: the mistake would show in each of them."""
    return tuple(cell for key in keys for row in rows for cell in row_of(graph[key], row))


def ask_sign(lesson: Lesson) -> Ask | None:
    """What +∞ in place of −∞ does to the weight of a key that is open."""
    graph = lesson.graph
    rows = half_open(graph["M"])
    if not rows:
        return None
    row = rows[0]
    col = int(np.isfinite(graph["M"].value[row]).argmax())
    because = (
        "the largest score is ∞, and ∞ − ∞ has no value. It gets into the sum of the row, and that "
        "sum divides every weight. If the largest were not taken off, open keys would get a number "
        "over ∞, which is 0, and the blocked ones ∞/∞."
    )
    return Ask(
        title=f"Add +∞ where −∞ is meant, and compute as computers do: take the largest score of "
        f"the row off first. In the row of «{_who(graph, row)}», what is the weight of "
        f"«{graph['A'].cols.unique(col)}», which is open?",
        hint="Before you look: choose, and a table opens below the board.",
        cells=(),
        pin=Cell("A", row, col),
        right=f"Right: {because}",
        wrong="Not so. What is the largest score of the row, and what is left of ∞ without it?",
        given=f"The answer: {because}",
        options=(
            ("As before", False),
            ("Exactly 0", False),
            ("There is no number", True),
        ),
    )


def ask_corner(lesson: Lesson) -> Ask | None:
    """How many keys the last query sees from the top left."""
    graph = lesson.graph
    few, n = graph["A_top"].shape
    if few == n:
        return None
    last = few - 1
    because = (
        f"{few}. It is query {few} here, so from the top left it is taken for token {few} of the "
        f"sentence, though it is token {n}."
    )
    return Ask(
        title=f"Counted from the top left, how many keys does «{_who(graph, n - 1)}» see?",
        hint=f"Before you look: Q_few holds {few} of {n} queries. Choose, and the row opens.",
        cells=tuple(c for key in ("M_top", "S_top", "A_top") for c in row_of(graph[key], last)),
        pin=Cell("A_top", last, 0),
        right=f"Right: {because}",
        wrong="Not so. Count in M_top which row it stands in.",
        given=f"The answer: {because}",
        options=tuple((str(count), count == few) for count in sorted({1, few, n})),
    )


def half_open(mask: Matrix) -> list[int]:
    """The rows in which some keys are blocked and some are not."""
    blocked = np.isneginf(mask.value)
    rows: list[int] = np.flatnonzero(blocked.any(axis=1) & ~blocked.all(axis=1)).tolist()
    return rows


def _who(graph: Graph, row: int) -> str:
    return graph["A"].rows.unique(row)
