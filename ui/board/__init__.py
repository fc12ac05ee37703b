"""The board: any matrices of a graph with their equations, every number of which can be clicked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from attention_core import AttentionError, Cell
from ui import link
from ui.asks import Ask
from ui.board.component import mount
from ui.board.payload import Numbers, numbers, why
from ui.board.view import read_view, view_of
from ui.lesson import Lesson
from ui.notices import tell
from ui.settings import Unusable, inputs_of, read_cell, read_number

_KEY = "board"


def board(lesson: Lesson, main: str, ask: Ask | None = None) -> None:
    """Draw the board that leads to the matrix ``main``, with the largest cell of row 1 pinned.

    It lives in a fragment: a click reruns this and nothing else, and answers with a few bytes,
    since the browser keeps the numbers that it was sent before.
    """
    around = {
        "originsTitle": "Where these numbers come from",
        "facts": _facts(lesson),
        "link": link.share(lesson.settings),
        "hidden": [str(cell) for cell in ask.cells] if ask else [],
        "exact": _exact(lesson, ask.cells) if ask else {},
        "ask": ask.message() if ask else None,
        "resetEdits": bool(lesson.settings.edits),
    }
    start = next((c for c in lesson.graph.largest(main, 0) if not ask or c not in ask.cells), None)
    _Board(lesson, main, start, numbers(lesson.settings, main), around).draw()


@dataclass
class _Board:
    lesson: Lesson
    main: str
    start: Cell | None
    numbers: Numbers
    around: dict[str, Any]
    # The browser keeps the numbers; a new page run makes a new `_Board` and sends them again.
    sent: bool = False

    @st.fragment
    def draw(self) -> None:
        """Mount the component, and act on what it says."""
        view, notices = read_view(link.query(), self.lesson.graph, self.main, self.start)
        tell(notices)
        data: dict[str, Any] = {"id": self.numbers.id, "view": view.message(self._seq())}
        if not self.sent:
            data |= self.around | {"numbers": self.numbers.text}
            self.sent = True
        if view.cell and str(view.cell) not in self.numbers.explained:
            graph, decimals = self.lesson.graph, self.lesson.settings.decimals
            data["why"] = {str(view.cell): why(graph.explain(*view.cell, decimals))}
        said = mount(
            key=_KEY,
            data={"board": data},  # nested: Streamlit searches the first level for data frames
            on_view_change=self._moved,
            on_edit_change=self._edited,
            on_resend_change=self._forget,
        )
        if said.edit:
            st.rerun()

    def _said(self) -> Mapping[str, Any]:
        return st.session_state.get(_KEY) or {}

    def _seq(self) -> int:
        seq = (self._said().get("view") or {}).get("seq", 0)
        return seq if isinstance(seq, int) else 0

    def _moved(self) -> None:
        said = self._said().get("view") or {}
        link.write_view(view_of(said, self.lesson.graph, self.main, self.start).query())

    def _forget(self) -> None:
        self.sent = False

    def _edited(self) -> None:
        """Numbers typed over, or all of them restored.

        The board tells every number that it has not seen taken up yet: two edits in quick
        succession are told together, and none is lost.
        """
        said = self._said().get("edit") or {}
        settings = link.now()
        edits = {} if said.get("reset") is True else dict(settings.edits)
        plain = inputs_of(replace(self.lesson.settings, edits=()))[0].given
        typed = said.get("typed")
        for place, text in typed.items() if isinstance(typed, dict) else ():
            try:
                cell, number = read_cell(str(place)), read_number(str(text))
                self.lesson.inputs.with_edit(cell, number)
            except (Unusable, AttentionError) as why_not:
                st.session_state["refused"] = f"{place} was not changed: {why_not}"
                continue
            edits.pop(cell, None)
            if number != plain[cell.symbol][cell.row, cell.col]:
                edits[cell] = number
        link.write_settings(replace(settings, edits=tuple(edits.items())))


def _exact(lesson: Lesson, cells: Iterable[Cell]) -> dict[str, float]:
    """The full numbers of hidden cells: an answer may be more exact than what is shown."""
    values = ((cell, float(lesson.graph[cell.symbol].value[cell.row, cell.col])) for cell in cells)
    return {str(cell): value for cell, value in values if abs(value) < float("inf")}


def _facts(lesson: Lesson) -> list[list[Any]]:
    """The line above the matrices: what is being computed."""
    facts: list[list[Any]] = [["tokens", list(lesson.inputs.tokens)]]
    facts += [
        [["row", ["i", "d"], ["sub", name.removeprefix("d_")]], str(size)]
        for name, size in lesson.inputs.sizes.items()
        if name != "d_v"
    ]
    mask = lesson.settings.mask
    facts.append(["mask", mask if mask == "none" else f"{mask} (will block the hatched cells)"])
    if lesson.settings.own:
        facts.append(["numbers", "toy: made from each token’s text and the seed, not learned"])
    return facts
