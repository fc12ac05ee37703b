"""The chart of the lab «What a blend can be»: values as points, and the output among them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import combinations

import numpy as np

from attention_core import Cell, Graph, Pulled, hull, hull_area, pull
from attention_core.matrix import Array
from attention_core.rounding import show
from ui.charts.figure import Axis, Chart, Panel, Question, Stop, Table, Trace, line, points
from ui.charts.places import labelled, placed
from ui.lesson import Lesson, graph_of
from ui.panels import choices, presets
from ui.readers import ROOT
from ui.settings import CHART_VIEWS, Settings

# What is added to the score: fine steps, then ever wider ones.
_BY = tuple(step / 4 for step in range(-40, 41))
# A lead that leaves the other keys less than the last digit of a computer's number.
_ALL = 40.0


def blend_charts(lesson: Lesson) -> tuple[Chart, ...]:
    """The output of the last token while the score of the chosen token is moved."""
    return _charts(lesson.settings, _key(lesson))


@lru_cache(maxsize=64)
def _charts(settings: Settings, key: int) -> tuple[Chart, ...]:
    return (_Blend(graph_of(settings), key, settings.decimals).chart(),)


def _key(lesson: Lesson) -> int:
    return min(lesson.settings.pull, lesson.last)


@dataclass(frozen=True)
class _Blend:
    """The output of the last query, while the score of one key is moved."""

    graph: Graph
    key: int
    decimals: int

    @cached_property
    def query(self) -> int:
        return self.graph["A"].shape[0] - 1

    @cached_property
    def values(self) -> Array:
        return self.graph["V"].value

    @cached_property
    def names(self) -> list[str]:
        return [f"«{self.graph['A'].cols.unique(i)}»" for i in range(len(self.values))]

    @cached_property
    def others(self) -> list[int]:
        """The other keys that the query may attend to."""
        keys = range(len(self.values))
        return [i for i in keys if i != self.key and not self.graph.blocked(self.query, i)]

    @cached_property
    def still(self) -> str:
        """Why the slider moves nothing, where it moves nothing."""
        if self.query in self.graph["A"].undefined:
            return "Every key is blocked here, so there is no output that could move."
        if self.graph.blocked(self.query, self.key):
            return (
                "This token is blocked: whatever its score, its weight stays 0. Choose another one."
            )
        if len(self.values) == 1:
            return "There is one token only, so it has all of the weight, whatever its score."
        if not self.others:
            return "All other keys are blocked, so this one has all of the weight, at any score."
        if len({self._shown(self.values[i]) for i in (self.key, *self.others)}) == 1:
            return "The values that count here are shown alike, and so is every blend of them."
        return ""

    @cached_property
    def by(self) -> tuple[float, ...]:
        """What is added: up to where the key has all of the weight, down to where it has none."""
        if self.graph.blocked(self.query, self.key) or not self.others:
            return _BY
        row = self.graph["S_masked"].value[self.query]
        gap = float(row[self.others].max() - row[self.key])
        up, down = _wider(gap + _ALL), _wider(_ALL - gap)
        return (*(-step for step in reversed(down)), *_BY, *up)

    def _shown(self, numbers: Array) -> tuple[str, ...]:
        return tuple(show(float(x), self.decimals).text for x in numbers)

    def chart(self) -> Chart:
        """What the page draws, says and asks."""
        who, whom = f"«{self.graph['A'].rows.unique(self.query)}»", self.names[self.key]
        found = pull(self.graph, self.query, self.key, self.by)
        pairs = _seen(self.values)
        moves = "" if self.still else f" As the score of {whom} grows, it moves to that value."
        size = self.values.shape[1]
        return Chart(
            title=f"The values as points, and the output of {who} among them",
            alt="Each token’s value is a point, and the shape that the values span is filled. The "
            f"output of {who} is a point inside the shape.{moves}"
            if any(one.weights.any() for one in found)
            else "Each token’s value is a point, and the shape that the values span is filled.",
            panels=tuple(_panel(self.values, pair) for pair in pairs),
            stops=tuple(self._stop(one, pairs) for one in found),
            table=Table(
                (
                    "added",
                    *(f"weight of {name}" for name in self.names),
                    *(f"output, component {i + 1}" for i in range(size)),
                ),
                tuple(
                    (_label(one.by), *self._shown(one.weights[0]), *self._shown(one.output[0]))
                    for one in found
                ),
            ),
            sweep=f"Added to the score of {whom}",
            start=_label(0.0),
            tall=True,
            notes=("All other scores stay as they are.", self.still, _dimensions(size)),
            question=None if self.still else self._question(who, whom),
        )

    def _question(self, who: str, whom: str) -> Question:
        value = self._shown(self.values[self.key])
        open_keys = sorted((self.key, *self.others))
        middles = (self._shown(self.values[some].mean(axis=0)) for some in (open_keys, slice(None)))
        options = [(f"To the value of {whom}, and no further", True), ("Ever further out", False)]
        if value not in middles:
            options.append(("To the middle of all values", False))
        return Question(
            f"The score of {whom} grows and grows. Where does the output of {who} go?",
            tuple(options),
            right=f"Yes. In the end {whom} has all of the weight, and the output is its value.",
            wrong="Not there. What is the largest weight that a token can get, and what is the "
            "output then?",
        )

    def _stop(self, one: Pulled, pairs: list[tuple[int, ...]]) -> Stop:
        traces: list[Trace] = []
        there = [0] if one.weights.any() else []
        for panel, pair in enumerate(pairs):
            at = placed(self.values, pair)
            (xs, ys), (x, y) = at.T, placed(one.output, pair)[there].T
            corners = [*hull(at), hull(at)[0]]
            traces += [
                line(panel, xs[corners], ys[corners], "v", "what a blend can be")
                | {"fill": "toself"},
                points(panel, xs, ys, "v", "values") | labelled(at, self.names),
                points(panel, x, y, "o", "output") | {"marker": {"size": 14, "symbol": "diamond"}},
            ]
        if not there:
            return Stop(_label(one.by), tuple(traces), "There is no output: every key is blocked.")
        weight, output = self._shown(one.weights[0])[self.key], self._shown(one.output[0])
        return Stop(
            _label(one.by),
            tuple(traces),
            f"The weight of {self.names[self.key]} is {weight}, and the output is "
            f"({', '.join(output)}).",
        )


def _wider(far: float) -> tuple[float, ...]:
    """20, 50, 100, 200 and so on, until it is far enough."""
    found: list[float] = []
    while (found or [_BY[-1]])[-1] < far:
        found.append((2.0, 5.0, 10.0)[len(found) % 3] * 10.0 ** (1 + len(found) // 3))
    return tuple(found)


def _seen(values: Array) -> list[tuple[int, ...]]:
    """The pairs of components that are drawn: the two in which the values are spread most.

    Where they span no area in any, the longest line; with one component, that one alone.
    """
    pairs: list[tuple[int, ...]] = list(combinations(range(values.shape[1]), 2)) or [(0,)]
    areas = {pair: hull_area(placed(values, pair)) for pair in pairs}
    wide = sorted((pair for pair in pairs if areas[pair] > 0), key=lambda pair: -areas[pair])
    return wide[:2] or [max(pairs, key=lambda pair: float(np.ptp(values[:, pair], axis=0).sum()))]


def _dimensions(size: int) -> str:
    """How a picture, which has two dimensions, shows values that have another number of them."""
    if size == 1:
        return "The values have one component, so they stand on one line."
    if size == 2:
        return ""
    return (
        f"The values are points in {size} dimensions, and a picture has two: it leaves the other "
        "components out. What lies inside the shape lies inside in every such picture."
    )


def _label(by: float) -> str:
    return ("+" if by > 0 else "") + show(by, 2).text


def _panel(values: Array, pair: tuple[int, ...]) -> Panel:
    axes = []
    for component, margin in zip(pair, (0.3, 0.2), strict=False):
        low, high = float(values[:, component].min()), float(values[:, component].max())
        around = margin * (high - low) or 1.0
        axes.append(Axis(f"component {component + 1}", low - around, high + around))
    return Panel("", *axes) if len(axes) == 2 else Panel("", axes[0], Axis("", -1, 1, bare=True))


def extremes(lesson: Lesson) -> str:
    """Links to the two extremes of a row of weights: all alike, and all for one key."""
    settings, (chart,) = lesson.settings, blend_charts(lesson)
    if chart.question is None:
        return ""
    sweep, told = CHART_VIEWS[0]
    blend = _Blend(lesson.graph, _key(lesson), settings.decimals)
    equal = settings.scale == "0"
    scale, title = (ROOT, "Scores that differ again") if equal else ("0", "Make all scores equal")
    most = settings.query() | {sweep: chart.labels[-1].replace("−", "-"), told: "1"}
    return choices(
        lesson.page,
        (title, replace(settings, scale=scale).query() | {told: "1"}),
        (f"Give {blend.names[blend.key]} all of the weight", most),
    )


def quiet_values(lesson: Lesson) -> str:
    """Links to an example whose most attended value is set to 0, and to the same as given."""
    given = Settings(example="hand", decimals=lesson.settings.decimals)
    graph = graph_of(given)
    n, d_v = graph["V"].shape
    most = graph.largest("A", n - 1)[0].col
    name = graph["V"].rows.unique(most)
    quiet = replace(given, edits=tuple((Cell("V", most, col), 0.0) for col in range(d_v)))
    return presets(
        lesson.page,
        (f"Three tokens by hand, with the value of «{name}» set to 0", quiet),
        ("The same, as given", given),
    )
