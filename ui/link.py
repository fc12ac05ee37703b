"""The link is the state: the only place that reads or writes the query string."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

import streamlit as st

from ui.settings import VIEW, Settings


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


def write_settings(settings: Settings, *, keep_view: bool) -> None:
    """Write settings, and drop the viewer's place on the board unless it still means something."""
    view = {name: value for name, value in query().items() if name in VIEW and keep_view}
    _write(settings.query() | view)


def write_view(settings: Settings, view: Mapping[str, str]) -> None:
    """Write the viewer's place on the board: the pinned cell, what is revealed, the step.

    The settings come from the last run, not from the browser's link, which may be one answer old.
    """
    _write(settings.query() | dict(view))


def _write(wanted: dict[str, str]) -> None:
    if wanted != query():
        st.query_params.from_dict(wanted)


def share(settings: Settings) -> str:
    """The query of a link that reproduces the numbers; the board adds the viewer's place."""
    return "?" + urlencode(settings.query())
