"""Rows of scores that are worth a look in the lab on one row."""

from __future__ import annotations

from dataclasses import replace

from attention_core import Cell
from ui.lesson import Lesson
from ui.settings import Settings
from ui.sharpen import D_K
from ui.words import LAST, PARTS, SATURATED


def masked_row(lesson: Lesson) -> str:
    """That the mask does not count here, where there is one."""
    if lesson.settings.mask == "none" or lesson.settings.row != LAST:
        return ""
    return "The row is taken before the mask: no key is blocked here."


def rows_to_try(lesson: Lesson) -> tuple[tuple[str, Settings], ...]:
    """Rows that are worth a look, the page's own one first: that is a reset."""
    default = Settings()
    others = tuple(edit for edit in lesson.settings.edits if edit[0].symbol != "s")
    start = {name: getattr(default, name) for name in ("row", "part", "drag", "tau", "offset")}
    own = replace(lesson.settings, edits=others, **start)

    def typed(part: str, *scores: float, tau: float = default.tau) -> Settings:
        edits = tuple((Cell("s", 0, col), score) for col, score in enumerate(scores))
        return replace(own, row=SATURATED, part=part, tau=tau, edits=(*others, *edits))

    shares, temperature, shift, slopes = PARTS
    return (
        ("Start again", own),
        ("A score below 0", typed(shares, 3.0, -2.0, 1.0, 2.0)),
        ("A sum of 0", typed(shares, 3.0, -4.0, 1.0, 0.0)),
        (f"16, 5, 0, 4.5 at τ = √{D_K} = 8", typed(temperature, tau=8.0)),
        ("Scores of 10000 and −10000", typed(shift, 10_000.0, 9_999.0, 0.0, -10_000.0)),
        ("Nearly one-hot", typed(slopes, tau=8.0)),
        ("Nearly equal", typed(slopes, 1.0, 1.1, 0.9, 1.0)),
    )
