"""The link is the state: the only place that reads or writes the query string."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from urllib.parse import urlencode

import streamlit as st

from ui.settings import VIEW, Settings

# What a session remembers beside its link: the latest settings and view, the page that is open, and
# the place that was left on each page.
_NOW, _PAGE, _LEFT, _HEARD = "now", "page", "left", "heard"
BOARD = "board"  # the key of the board, whose messages come with the values of all widgets


def query() -> dict[str, str]:
    """The query as it stands, one value a name (the last, where a name is repeated)."""
    return st.query_params.to_dict()


def repeated() -> list[str]:
    """Notices for names that the link gives more than once."""
    return [
        f"The link says {name} more than once. The last one is used."
        for name in st.query_params
        if len(st.query_params.get_all(name)) > 1
    ]


def begin(settings: Settings, page: str) -> bool:
    """A page run has read the link: what is changed from now on starts here.

    Who comes back from another page, with the same settings and a link that names no place on the
    board, comes back to the place that was left; the link then says so. Returns whether the viewer
    has just arrived on this page.
    """
    state = st.session_state
    view = {name: value for name, value in query().items() if name in VIEW}
    arrived = state.get(_PAGE) != page
    back = arrived and not view and _PAGE in state
    left, place = state.get(_LEFT, {}).get(page, (None, {}))
    state[_PAGE], state[_NOW] = page, (settings, view)
    if any(view.values()):
        state.setdefault(_LEFT, {})[page] = (settings, view)
    if back and left == settings and place:
        _write(settings, place)
    return arrived


def now() -> Settings:
    """The settings with every change so far.

    Two changes may come before the browser has the answer to the first: then its link is one
    answer old, and this is not.
    """
    settings: Settings = st.session_state[_NOW][0]
    return settings


def write_settings(settings: Settings, *, keep: Collection[str] = VIEW) -> None:
    """Write settings, and keep what still means something of the viewer's place on the board."""
    view = st.session_state[_NOW][1]
    _write(settings, {name: value for name, value in view.items() if name in keep})


def write_view(view: Mapping[str, str], names: Collection[str]) -> None:
    """Write the viewer's place on one part of the page, which owns ``names``."""
    others = st.session_state[_NOW][1].items()
    _write(now(), {name: value for name, value in others if name not in names} | dict(view))


def heard() -> None:
    """What the board has said so far is taken up."""
    st.session_state[_HEARD] = (st.session_state.get(BOARD) or {}).get("view")


def board_spoke() -> bool:
    """Whether the message that is being answered was sent because of the board."""
    said = st.session_state.get(BOARD) or {}
    return said.get("edit") is not None or said.get("view") != st.session_state.get(_HEARD)


def _write(settings: Settings, view: dict[str, str]) -> None:
    state = st.session_state
    before, state[_NOW] = state[_NOW], (settings, view)
    state.setdefault(_LEFT, {})[state[_PAGE]] = (settings, view)
    wanted = settings.query() | view
    # The browser's link may be one answer old: what was written last is on its way to it.
    if wanted != query() or before != state[_NOW]:
        st.query_params.from_dict(wanted)


def share(settings: Settings) -> str:
    """The query of a link that reproduces the numbers; the board adds the viewer's place."""
    return "?" + urlencode(settings.query())
