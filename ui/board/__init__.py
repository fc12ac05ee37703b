"""The board: any matrices of a graph with their equations, every number of which can be clicked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import streamlit as st

from attention_core import Cell
from ui import link
from ui.asks import Ask
from ui.board.derivation import why
from ui.board.edits import edited
from ui.board.facts import facts_of
from ui.board.layout import Layout, as_layout
from ui.board.math import line, words
from ui.board.payload import Numbers, numbers
from ui.board.view import read_view, view_of
from ui.component import mount
from ui.lesson import Lesson, graph_of
from ui.notices import tell
from ui.settings import BOARD_VIEW, Settings
from ui.walk import walk_of

_FOLDER = Path(__file__).parent
_TALL = 3  # lines of equations
_ANSWERED = "answered"  # the session's note of the last edit that the board told


def board(lesson: Lesson, layout: Layout | str, ask: Ask | None = None) -> None:
    """Draw the board of a layout, with the largest cell of the main matrix's first row pinned.

    A key alone stands for the board that leads to that matrix.

    It lives in a fragment: a click reruns this and nothing else, and answers with a few bytes,
    since the browser keeps the numbers that it was sent before.
    """
    layout = as_layout(layout).on(lesson.graph)
    around = {
        "originsTitle": "Where these numbers come from",
        "facts": facts_of(lesson, layout),
        "link": link.share(lesson.settings),
        "hidden": [str(cell) for cell in ask.cells] if ask else [],
        "exact": _exact(lesson, ask.cells) if ask else {},
        "ask": _asked(ask, len(layout.lines)) if ask else None,
        "resetEdits": bool(lesson.settings.edits),
        "walk": walk_of(lesson),
        "answers": st.session_state.get(_ANSWERED),
    }
    largest = lesson.graph.largest(layout.main, 0)
    start = next((cell for cell in largest if not ask or cell not in ask.cells), None)
    told = numbers(_told(lesson), lesson.page.form, layout)
    _Board(lesson, layout, start, ask, told, around).draw()


def _told(lesson: Lesson) -> Settings:
    """The settings of what is told: some pages always tell exact numbers."""
    return replace(lesson.settings, exact=lesson.settings.exact or lesson.page.exact)


@dataclass
class _Board:
    lesson: Lesson
    layout: Layout
    start: Cell | None
    ask: Ask | None
    numbers: Numbers
    around: dict[str, Any]
    # The browser keeps the numbers; a new page run makes a new `_Board` and sends them again.
    sent: bool = False

    @st.fragment
    def draw(self) -> None:
        """Mount the component, and act on what it says."""
        view, notices = read_view(
            link.query(), self.lesson.graph, self.layout, self.start, self.ask
        )
        tell(notices)
        data: dict[str, Any] = {"id": self.numbers.id, "view": view.message(self._seq())}
        if not self.sent:
            data |= self.around | {"numbers": self.numbers.text}
            self.sent = True
        if view.cell and str(view.cell) not in self.numbers.explained:
            told = _told(self.lesson), self.lesson.page.form, view.cell
            data["why"] = {str(view.cell): _why(*told)}
        said = mount(
            "board",
            _FOLDER,
            key=link.BOARD,
            data={"board": data},  # nested: Streamlit searches the first level for data frames
            on_view_change=self._moved,
            on_edit_change=self._edited,
            on_resend_change=self._forget,
        )
        link.heard()
        if said.edit:
            st.rerun()

    def _said(self) -> Mapping[str, Any]:
        return st.session_state.get(link.BOARD) or {}

    def _seq(self) -> int:
        seq = (self._said().get("view") or {}).get("seq", 0)
        return seq if isinstance(seq, int) else 0

    def _moved(self) -> None:
        said = self._said().get("view") or {}
        view = view_of(said, self.lesson.graph, self.layout, self.start, self.ask)
        link.write_view(view.query(), BOARD_VIEW)

    def _forget(self) -> None:
        self.sent = False

    def _edited(self) -> None:
        """Numbers typed over or restored, and cells of the mask that were clicked.

        The board tells every change that it has not seen taken up yet: two in quick succession are
        told together, and none is lost.
        """
        said = self._said().get("edit")
        st.session_state[_ANSWERED] = said.get("id") if isinstance(said, Mapping) else None
        settings, refused = edited(link.now(), said, self.lesson.graph)
        if refused:
            st.session_state["refused"] = refused[-1]
        link.write_settings(settings)


def _exact(lesson: Lesson, cells: Iterable[Cell]) -> dict[str, float]:
    """The full numbers of hidden cells: an answer may be more exact than what is shown."""
    values = ((cell, float(lesson.graph[cell.symbol].value[cell.row, cell.col])) for cell in cells)
    return {str(cell): value for cell, value in values if abs(value) < float("inf")}


def _asked(ask: Ask, lines: int) -> dict[str, Any]:
    hint = words(ask.hint)
    if ask.formula:
        before, after = ask.hint.split("{formula}")
        name, formula = ask.formula.line[0], ask.formula.formula
        hint = ["row", before, *line(name, formula, decimals=ask.formula.decimals), words(after)]
    replies = {name: words(getattr(ask, name)) for name in ("right", "wrong", "given")}
    # What is spoken stands as text; here is what is drawn, where symbols are in it.
    drawn = {name: reply for name, reply in replies.items() if not isinstance(reply, str)}
    # Below a tall board nobody would meet the question before what it asks about.
    above = ask.opens or ask.above or lines > _TALL
    return ask.message() | {"title": words(ask.title), "hint": hint, "drawn": drawn, "above": above}


@lru_cache(maxsize=1024)
def _why(settings: Settings, form: str, cell: Cell) -> dict[str, Any]:
    """One derivation. Cached, since a class clicks the same cells."""
    return why(graph_of(settings, form), cell, settings)
