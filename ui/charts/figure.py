"""What a chart is: panels with axes, what stands in them at each stop, words, and a table.

Traces are Plotly's, as plain dicts: `plotly.graph_objects` would cost the server several times as
much. Colours are not named here: a trace says its ``role`` and the page's style decides.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

Trace = dict[str, Any]


@dataclass(frozen=True)
class Axis:
    """One axis: its title with the unit, and its ends. ``log`` spaces it by powers of ten.

    ``ticks`` are places with what stands there, where the usual ones would not do.
    """

    title: str
    low: float
    high: float
    log: bool = False
    bare: bool = False  # no numbers: the direction only spreads the points
    ticks: tuple[tuple[float, str], ...] = ()


@dataclass(frozen=True)
class Panel:
    """One system of axes. In a ``square`` one a unit is as long up as across: circles are round."""

    title: str
    x: Axis
    y: Axis
    square: bool = field(default=False, kw_only=True)


@dataclass(frozen=True)
class Stop:
    """What a chart shows at one place of its sweep, and what there is to say of it."""

    label: str
    traces: tuple[Trace, ...]
    says: str


@dataclass(frozen=True)
class Table:
    """The numbers of a chart for those who read. With a sweep, row i belongs to stop i."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Question:
    """What is asked before a chart is shown: options, each with whether it is right."""

    title: str
    options: tuple[tuple[str, bool], ...]
    right: str
    wrong: str


@dataclass(frozen=True)
class Chart:
    """A chart. ``alt`` says in words what one sees; a sweep moves through ``stops``.

    ``sweep`` is what the slider is called, ``start`` the label of the stop that is shown first.
    With a ``question`` nothing is shown before it is answered, also of the charts below it.
    ``lines`` are a derivation, line by line.
    """

    title: str
    alt: str
    panels: tuple[Panel, ...]
    stops: tuple[Stop, ...]
    table: Table
    sweep: str = ""
    start: str = ""
    notes: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    tall: bool = False
    question: Question | None = None

    @property
    def first(self) -> int:
        """The stop that is shown first."""
        return self.labels.index(self.start) if self.start else 0

    @property
    def labels(self) -> tuple[str, ...]:
        """What the stops are called, in the link and on the slider."""
        return tuple(stop.label for stop in self.stops)

    @cached_property
    def text(self) -> str:
        """What the browser is told, as JSON. Kept: charts are shared, and written out only once."""
        return json.dumps(asdict(self), ensure_ascii=False)


def points(panel: int, xs: Iterable[float], ys: Iterable[float], role: str, name: str) -> Trace:
    """Points in a panel (counted from 0)."""
    return _trace(panel, xs, ys, role, name) | {"mode": "markers", "marker": {"size": 5}}


def line(
    panel: int, xs: Iterable[float], ys: Iterable[float], role: str, name: str, dash: str = "solid"
) -> Trace:
    """A line through points; ``dash`` tells theory from measurement without colour."""
    return _trace(panel, xs, ys, role, name) | {"mode": "lines", "line": {"dash": dash}}


def _trace(
    panel: int, xs: Iterable[float], ys: Iterable[float], role: str, name: str
) -> dict[str, Any]:
    number = panel + 1 if panel else ""
    return {
        "type": "scatter",
        "x": _short(xs),
        "y": _short(ys),
        "xaxis": f"x{number}",
        "yaxis": f"y{number}",
        "role": role,
        "name": name,
    }


def _short(numbers: Iterable[float]) -> Sequence[float]:
    """Places on a screen: five digits are more than it has."""
    return [float(f"{number:.5g}") for number in numbers]
