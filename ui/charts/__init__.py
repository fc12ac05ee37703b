"""Charts: drawn by Plotly in the browser, swept without the server, with words and a table.

They do not use `st.plotly_chart`: its sliders cannot be reached by keyboard, and every step of a
sweep would need the server. The browser loads the Plotly of the installed package, once, and only
on pages with a chart.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import streamlit as st

from ui import link
from ui.charts.figure import Chart
from ui.component import mount, serve
from ui.notices import tell
from ui.settings import CHART_VIEWS

_FOLDER = Path(__file__).parent
_BOARD = _FOLDER.parent / "board"  # small helpers of its JavaScript serve charts too
_NAMED = 24  # so many stops are named one by one
_PLOTLY = Path(str(files("plotly"))) / "package_data"


def draw(*charts: Chart, part: int = 1) -> None:
    """Draw charts one below another, at most one of them with a sweep.

    A page with several sweeps or questions has several parts (1, 2 …), each with its own place in
    the link.
    """
    serve("plotly", _PLOTLY)
    serve("board", _BOARD)
    _Charts(charts, f"[{','.join(chart.text for chart in charts)}]", CHART_VIEWS[part - 1]).draw()


@dataclass
class _Charts:
    charts: tuple[Chart, ...]
    text: str
    # Their names in the link: where the slider stands, and that the question is answered.
    names: tuple[str, str]
    # The browser keeps what it was sent; a new page run sends it again.
    sent: bool = False

    @property
    def swept(self) -> Chart | None:
        return next((chart for chart in self.charts if chart.sweep), None)

    @property
    def key(self) -> str:
        return self.names[0] if self.swept else f"charts-{self.charts[0].title}"

    @property
    def stood(self) -> str:
        """The session's note of the stop that the viewer was last on."""
        return f"stood-{self.names[0]}-{self.swept.sweep if self.swept else ''}"

    @st.fragment
    def draw(self) -> None:
        """Mount the component. What the viewer does with it is written to the link."""
        data: dict[str, Any] = {"at": self._at(), "told": link.query().get(self.names[1]) == "1"}
        if not self.sent:
            data["text"] = self.text
            self.sent = True
        mount(
            "charts",
            _FOLDER,
            isolate=False,
            key=self.key,
            data={"charts": data},
            on_view_change=self._moved,
            on_resend_change=self._forget,
        )

    def _at(self) -> int:
        chart, name = self.swept, self.names[0]
        label = link.query().get(name)
        if chart is None or label is None:
            return chart.first if chart else 0
        if label.replace("-", "−") in chart.labels:
            st.session_state[self.stood] = label
            return chart.labels.index(label.replace("-", "−"))
        if label == st.session_state.get(self.stood):
            # A control took the stop away that the viewer stood on: the link is not to blame.
            told = {key: text for key, text in link.query().items() if key == self.names[1]}
            link.write_view(told, self.names)
            return chart.first
        used = chart.labels[chart.first]
        tell([f"The link says {name}={label[:40]}: {_stops(chart.labels)}. Used {used} instead."])
        return chart.first

    def _moved(self) -> None:
        """Anything malformed counts as not said."""
        said = (st.session_state.get(self.key) or {}).get("view")
        said = said if isinstance(said, Mapping) else {}
        at, chart, view = said.get("at"), self.swept, {}
        sweep, told = self.names
        if chart and type(at) is int and 0 <= at < len(chart.stops) and at != chart.first:
            view[sweep] = chart.labels[at].replace("−", "-")
        if said.get("told") is True:
            view[told] = "1"
        link.write_view(view, self.names)

    def _forget(self) -> None:
        self.sent = False


def _stops(labels: tuple[str, ...]) -> str:
    """Which stops of a slider there are.

    >>> _stops(("1",))
    'the slider has one stop only'
    >>> _stops(("1", "2", "4")), _stops(("1", "2", "3"))
    ('wanted one of the slider’s stops 1, 2, 4', 'wanted one of the slider’s stops from 1 to 3')
    """
    if len(labels) == 1:
        return "the slider has one stop only"
    gapless = labels == tuple(str(stop) for stop in range(1, len(labels) + 1))
    few = len(labels) <= _NAMED and not gapless
    which = ", ".join(labels) if few else f"from {labels[0]} to {labels[-1]}"
    return f"wanted one of the slider’s stops {which}"
