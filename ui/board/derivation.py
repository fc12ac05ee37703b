"""What the board is told of how one cell was computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from attention_core import Cell, Explanation, Graph, exactly
from attention_core.rounding import show
from ui.board.blend import blend
from ui.board.math import line
from ui.settings import Settings

_ADDED = "mask entry"  # what a number of a mask is called
_MOST = 4  # terms of an exact sum that are drawn; what is copied has all of them


def why(graph: Graph, cell: Cell, settings: Settings) -> dict[str, Any]:
    """One derivation, ready to be drawn."""
    decimals = settings.decimals
    e = graph.explain(*cell, decimals)
    *parts, last = e.line
    # The result is marked, so that the board can hide it; a number with a cell is a way on.
    end = last if last is e.expression and not e.given else ["res", e.shown]
    message: dict[str, Any] = {
        "title": e.title,
        "line": line(*parts, end, decimals=decimals),
        "text": e.text,
        "latex": e.latex,
    }
    message["steps"] = [
        {
            "name": step.name,
            "line": line(
                step.formula, step.expression, show(step.result, decimals).text, decimals=decimals
            ),
            "note": e.step_note(step),
        }
        for step in e.steps
    ]
    words = _given_words(e) if e.given else e.words
    extra = {"words": words, "note": e.note, "given": e.given, "blend": blend(e)}
    message |= {key: value for key, value in extra.items() if value}
    return message | (_without_rounding(graph, e, message) if settings.exact else {})


def _without_rounding(graph: Graph, e: Explanation, message: dict[str, Any]) -> dict[str, Any]:
    """The same number exactly, or why it has no exact form; nothing where it would say nothing."""
    found = exactly(graph, *e.cell)
    parts = found.parts(_MOST)
    said = e.given and parts and parts[-1].text() == e.shown
    if said or e.undefined or np.isinf(e.result):
        return {}
    if found.value is None:
        return {"exact": {"words": f"No exact form: {found.words}"}}
    return {
        "exact": {"line": line(*parts, decimals=e.decimals)},
        "text": f"{message['text']}\n{found.text}",
        "latex": f"{message['latex']}\n{found.latex}",
    }


def _given_words(e: Explanation) -> str | None:
    """What there is to say of a number that nothing computed."""
    say = _mask_words if e.matrix.symbol.one == _ADDED else _GIVEN.get(e.cell.symbol)
    return say(e) if say else e.words


def _mask_words(e: Explanation) -> str:
    """What one entry of the mask does to the score it is added to."""
    query, key = e.matrix.pair(e.row, e.col)
    if np.isneginf(e.result):
        return f"«{key}» is blocked for «{query}»: −∞ is added to this score."
    if e.result == 0:
        return f"«{key}» is open for «{query}»: 0 is added, and the score stays as it is."
    return f"{e.shown} is added to the score of «{key}» for «{query}»."


def _permutation_words(e: Explanation) -> str:
    """What one entry of a permutation copies."""
    place, token = e.row + 1, e.matrix.cols.unique(e.col)
    if e.result == 0:
        return f"Row {place} of the other order is not «{token}»: nothing of it is taken."
    return f"Row {place} of the other order is «{token}»: its row is copied."


_GIVEN: dict[str, Callable[[Explanation], str]] = {
    "P": _permutation_words,
}
