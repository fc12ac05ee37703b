"""The chart of the lab «What a blend can be»: values as points, and the output among them."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from typing import Any

from attention_core import Cell, Graph, Pulled, hull, hull_area, pull
from attention_core.matrix import Array
from attention_core.rounding import show
from ui.charts.figure import Axis, Chart, Panel, Question, Stop, Table, Trace, line, points
from ui.lesson import Lesson, graph_of
from ui.panels import presets
from ui.settings import Settings

# What is added to the score: enough to give one key all or nothing, in steps that feel smooth.
_BY = tuple(step / 4 for step in range(-40, 41))
_MARGIN = 0.15  # of the span of the values, around them


def blend_charts(lesson: Lesson) -> tuple[Chart, ...]:
    """The output of the last token while the score of the chosen token is moved."""
    return _charts(lesson.settings, min(lesson.settings.pull, lesson.last))


@lru_cache(maxsize=64)
def _charts(settings: Settings, key: int) -> tuple[Chart, ...]:
    graph = graph_of(settings)
    query = graph["A"].shape[0] - 1
    return (_blend(graph, query, key, settings.decimals),)


def _blend(graph: Graph, query: int, key: int, decimals: int) -> Chart:
    values = graph["V"]
    names = [f"«{values.rows.unique(i)}»" for i in range(values.shape[0])]
    who, whom = f"«{graph['A'].rows.unique(query)}»", names[key]
    pairs = _seen(values.value)
    alive = query not in graph["A"].undefined and not graph.blocked(query, key)
    found = pull(graph, query, key, _BY)
    outputs = range(values.shape[1])
    return Chart(
        title=f"The values as points, and the output of {who} among them",
        alt="Each token’s value is a point, and the shape that the values span is filled. The "
        f"output of {who} is a point inside the shape. As the score of {whom} grows, it moves "
        f"towards the value of {whom}, and never leaves the shape.",
        panels=tuple(_panel(graph, pair) for pair in pairs),
        stops=tuple(_stop(graph, one, key, pairs, names, decimals) for one in found),
        table=Table(
            (
                "added",
                *(f"weight of {name}" for name in names),
                *(f"output, component {i + 1}" for i in outputs),
            ),
            tuple(
                (
                    _label(one.by),
                    *(show(float(x), decimals).text for x in one.weights[0]),
                    *(show(float(x), decimals).text for x in one.output[0]),
                )
                for one in found
            ),
        ),
        sweep=f"Added to the score of {whom}",
        start=_label(0.0),
        tall=True,
        notes=(
            "All other scores stay as they are.",
            _kept_still(graph, query, key),
            f"The values have {values.shape[1]} components, of which two are drawn at a time."
            if values.shape[1] > 2
            else "",
        ),
        question=None
        if len(names) == 1 or not alive
        else Question(
            f"The score of {whom} grows and grows. Where does the output of {who} go?",
            (
                (f"To the value of {whom}, and no further", True),
                ("Ever further out", False),
                ("To the middle of all values", False),
            ),
            right=f"Yes. In the end {whom} has all of the weight, and the output is its value.",
            wrong="Not there. What is the largest weight that a token can get, and what is the "
            "output then?",
        ),
    )


def _seen(values: Array) -> list[tuple[int, int]]:
    """The pairs of components that are drawn: the two in which the values are spread most.

    Where they span no area in any, the first pair; with one component, that one against itself.
    """
    pairs = list(combinations(range(values.shape[1]), 2)) or [(0, 0)]
    areas = {pair: hull_area(values[:, list(pair)]) for pair in pairs}
    wide = sorted((pair for pair in pairs if areas[pair] > 0), key=lambda pair: -areas[pair])
    return wide[:2] or pairs[:1]


def _kept_still(graph: Graph, query: int, key: int) -> str:
    """Why the slider moves nothing, where it moves nothing."""
    if query in graph["A"].undefined:
        return "Every key is blocked here, so there is no output that could move."
    if graph.blocked(query, key):
        return "This token is blocked: whatever its score, its weight stays 0. Choose another one."
    if graph["A"].shape[1] == 1:
        return "There is one token only, so it has all of the weight, whatever its score."
    return ""


def _label(by: float) -> str:
    sign = "+" if by > 0 else ""
    return sign + show(by, 2).text.replace("−", "-")


def _panel(graph: Graph, pair: tuple[int, int]) -> Panel:
    axes = []
    for component in pair:
        column = graph["V"].value[:, component]
        low, high = float(column.min()), float(column.max())
        margin = _MARGIN * (high - low) or 1.0
        axes.append(Axis(f"component {component + 1}", low - margin, high + margin))
    return Panel("", *axes)


def _stop(
    graph: Graph,
    one: Pulled,
    key: int,
    pairs: list[tuple[int, int]],
    names: list[str],
    decimals: int,
) -> Stop:
    traces: list[Trace] = []
    for panel, (a, b) in enumerate(pairs):
        value = graph["V"].value[:, [a, b]]
        corners = [*hull(value), hull(value)[0]]
        x, y = one.output[0, a], one.output[0, b]
        there = int(one.weights.any())
        traces += [
            line(panel, value[corners, 0], value[corners, 1], "v", "what a blend can be")
            | {"fill": "toself"},
            points(panel, value[:, 0], value[:, 1], "v", "values") | _named(value, names),
            points(panel, [x] * there, [y] * there, "o", "output")
            | {"marker": {"size": 13, "symbol": "diamond"}},
        ]
    if not one.weights.any():
        return Stop(_label(one.by), tuple(traces), "There is no output: every key is blocked.")
    weight = show(float(one.weights[0, key]), decimals).text
    output = ", ".join(show(float(number), decimals).text for number in one.output[0])
    return Stop(
        _label(one.by),
        tuple(traces),
        f"The weight of {names[key]} is {weight}, and the output is ({output}).",
    )


def _named(value: Any, names: list[str]) -> Trace:
    """Labels of the points; tokens with one value share a label."""
    labels: dict[tuple[float, ...], list[str]] = {}
    for place, name in zip(value.tolist(), names, strict=True):
        labels.setdefault(tuple(place), []).append(name)
    texts = [" ".join(labels.pop(tuple(place), ())) for place in value.tolist()]
    return {"mode": "markers+text", "text": texts, "textposition": "top center"}


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
