"""The page about the residual stream: what stands on its board, and what it asks."""

from __future__ import annotations

from dataclasses import replace

from attention_core import Cell
from ui.asks import Ask, entry, row_of
from ui.board.layout import Layout, Line
from ui.given import typed_over
from ui.lesson import Lesson
from ui.settings import NONE, Settings

_END = "X_sum"


def stream_board(lesson: Lesson) -> Layout:
    """Every layer with what it writes and the sum after it, then all of it in one line."""
    lines: list[Line] = []
    for layer in range(1, lesson.settings.layers + 1):
        read, Q = ("X", "Q") if layer == 1 else (f"X_{layer - 1}", f"Q_{layer}")
        lines += [
            Line(Q, f"Layer {layer} reads {read}", "Keys and values are made from it, too."),
            Line(f"U_{layer}", f"Layer {layer} writes an update", "As long as a row of X."),
            Line(f"X_{layer}", "The update is added"),
        ]
    lines.append(Line(_END, "All of it in one line, from the start: nothing was overwritten"))
    return Layout(_END, tuple(lines) if _END in lesson.graph else ())


def no_stream(lesson: Lesson) -> str:
    """Where there is no stream, and what is shown instead."""
    if _END in lesson.graph:
        return ""
    return "So there is no stream to add to. Here are the outputs of one layer."


def stream_end(lesson: Lesson) -> str:
    """What the page is about: the whole sum, or the outputs where there is nothing to add to."""
    return _END if _END in lesson.graph else "O"


def whole_sum(lesson: Lesson, row: int) -> Ask | None:
    """Ask for one number of the whole sum; the last layer's sum, which is the same, is hidden."""
    ask = entry(
        lesson,
        _END,
        row,
        0,
        wrong="Not that. Take the same place in X and in every update, and add up.",
    )
    if ask is None:
        return None
    same = row_of(lesson.graph[f"X_{lesson.settings.layers}"], row)
    return replace(ask, cells=(*ask.cells, *same))


def streams(lesson: Lesson) -> tuple[tuple[str, Settings], ...]:
    """Settings that are worth a look."""
    plain = replace(lesson.settings, example="love", d_k=0, mask=NONE, edits=(), layers=2)
    return (
        ("I love AI, two layers", plain),
        ("Three layers", replace(plain, layers=3)),
        ("The cat sat down, looking back only", replace(plain, example="cat", mask="causal")),
        *_silent(lesson),
    )


def _silent(lesson: Lesson) -> tuple[tuple[str, Settings], ...]:
    """The viewer's own settings with a W_O that writes nothing."""
    if "W_O" not in lesson.graph:
        return ()
    settings = lesson.settings
    for row, col in zip(*lesson.graph["W_O"].value.nonzero(), strict=True):
        settings = typed_over(settings, Cell("W_O", int(row), int(col)), 0.0)
    return (("Every number of W_O set to 0", settings),)
