"""Charts: what stands in them is what was computed, said and tabled alike."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, replace
from html import unescape
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from attention_core import dot_products
from attention_core.rounding import show
from tests.ui.test_pages import open_page, parts, prose
from ui.charts.dot_products import dot_product_charts
from ui.charts.figure import Chart
from ui.lesson import Lesson, graph_of
from ui.pages import BLEND, ROOT
from ui.settings import Settings, read_settings

SETTINGS = Settings(pairs=1000, sample=7, decimals=2)


def charts(settings: Settings = SETTINGS) -> tuple[Chart, ...]:
    lesson = Lesson(ROOT, settings, None, graph_of(Settings()))  # type: ignore[arg-type]
    return dot_product_charts(lesson)


def told(app: AppTest) -> dict[str, Any]:
    message: dict[str, Any] = parts(app)["charts"]
    return message


def number(text: str) -> float:
    return float(text.replace("−", "-"))


def test_the_table_holds_the_measures_of_the_sample() -> None:
    """Recomputed here from the products themselves."""
    clouds = charts()[0]
    sizes = [int(label) for label in clouds.labels]
    for found, row in zip(dot_products(sizes, 1000, 7), clouds.table.rows, strict=True):
        raw, scaled = found.raw, found.raw / found.d**0.5
        wanted = [
            found.d,
            np.mean(raw),
            np.var(raw, ddof=1),
            np.mean(scaled),
            np.var(scaled, ddof=1),
        ]
        np.testing.assert_allclose([number(text) for text in row], wanted, atol=0.00501)


def test_each_stop_says_what_its_row_of_the_table_says() -> None:
    clouds = charts()[0]
    for stop, (d, *measures) in zip(clouds.stops, clouds.table.rows, strict=True):
        assert stop.says.startswith(f"d = {d}: ")
        for measure in measures:
            assert re.search(rf"(?<![\d.−]){re.escape(measure)}(?![\d])", stop.says), stop.says


def test_both_clouds_stand_on_the_same_axis_and_hold_the_sample() -> None:
    clouds = charts()[0]
    assert clouds.panels[0].y == clouds.panels[1].y
    found = dot_products([int(label) for label in clouds.labels], 1000, 7)
    for stop, one in zip(clouds.stops, found, strict=True):
        raw, scaled = stop.traces[0]["y"], stop.traces[1]["y"]
        assert len(raw) == len(scaled) == 240
        np.testing.assert_allclose(raw, one.raw[:240], rtol=1e-4)
        np.testing.assert_allclose(scaled, one.scaled[:240], rtol=1e-4)


def test_every_point_of_a_chart_lies_within_its_axes() -> None:
    """All but single points far out in a cloud, where no more than 1 in 500 is cut off."""
    for sample in range(1, 12):
        for chart in charts(replace(SETTINGS, sample=sample, pairs=2 if sample > 9 else 240)):
            ys = [
                (y, chart.panels[int(trace["yaxis"][1:] or 1) - 1].y)
                for stop in chart.stops
                for trace in stop.traces
                for y in trace["y"]
            ]
            outside = [y for y, axis in ys if not axis.low <= y <= axis.high]
            assert len(outside) <= len(ys) / 500, chart.title


def test_the_page_sends_what_was_drawn_and_where_the_slider_stands() -> None:
    app = open_page(ROOT.file, pairs="1000", sample="7", decimals="2", sweep="288", told="1")
    message = told(app)
    assert json.loads(message["text"]) == [json.loads(json.dumps(asdict(c))) for c in charts()]
    assert charts()[0].labels[message["at"]] == "288"
    assert message["told"] is True


@pytest.mark.parametrize(
    "query",
    [
        {"example": "love"},
        {"example": "hand", "pull": "2", "edits": "V:0,0=0;V:0,1=0"},
        {"example": "cat", "pull": "1", "mask": "causal", "decimals": "0"},
        {"text": "one", "pull": "7"},
        {"text": "a b a b", "d_v": "1"},
        {"text": "no no no", "d_v": "8", "mask": "custom", "allow": "111.111.000"},
        {"text": "a b c", "mask": "padding", "pull": "2"},
    ],
    ids=str,
)
def test_a_moved_score_shows_what_attention_gives(query: dict[str, str]) -> None:
    """Weights and outputs of every stop, by plain NumPy from the page's own board."""
    settings, notices = read_settings(query)
    assert not notices
    graph = graph_of(settings)
    app = open_page(BLEND.file, **query)
    (chart,) = json.loads(told(app)["text"])
    n = graph["A"].shape[1]
    key = min(settings.pull, n - 1)
    for stop, row in zip(chart["stops"], chart["table"]["rows"], strict=True):
        scores = graph["S_masked"].value[-1].copy()
        scores[key] += number(row[0])
        with np.errstate(all="ignore"):
            exponentials = np.exp(scores - scores.max())
            weights = np.nan_to_num(exponentials / exponentials.sum())
        output = weights @ graph["V"].value
        half = 0.5 * 10.0**-settings.decimals + 1e-9
        shown = [number(text) for text in row[1:]]
        np.testing.assert_allclose(shown, [*weights, *output], atol=half)
        points = [trace for trace in stop["traces"] if trace["name"] == "output"]
        assert all(len(trace["x"]) == bool(weights.any()) for trace in points)
        if weights.any():
            assert (
                f"is {row[1 + key]}, and the output is ({', '.join(row[1 + n :])})" in stop["says"]
            )
    assert (chart["question"] is None) == (
        n == 1
        or not np.isfinite(graph["S_masked"].value[-1, key])
        or not np.ptp(graph["V"].value, axis=0).any()
    )


@pytest.mark.parametrize("sweep", ["63.5", "513", "abc", "-1", ""])
def test_a_stop_that_does_not_exist_is_named(sweep: str) -> None:
    app = open_page(ROOT.file, sweep=sweep)
    notices = "\n".join(e.proto.body for e in app.get("html") if "notices" in e.proto.body)
    assert f"sweep={sweep}: wanted one of the slider’s stops from 1 to 512. Used 64" in notices
    assert charts()[0].labels[told(app)["at"]] == "64"


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"scale": "100"},
        {"scale": "-1000", "edits": "X:1,1=1000", "pull": "1"},
        {"text": "a b c d e f g h i j k l", "pull": "5", "decimals": "4"},
        {"example": "cat", "mask": "window", "pull": "3"},
    ],
    ids=str,
)
def test_the_ends_of_the_slider_give_a_key_all_and_nothing(query: dict[str, str]) -> None:
    """What the answer says happens «in the end» is there to be seen."""
    graph = graph_of(read_settings(query)[0])
    (chart,) = json.loads(told(open_page(BLEND.file, **query))["text"])
    n, key = graph["A"].shape[1], int(query.get("pull", "0"))
    least, most = chart["table"]["rows"][0][1:], chart["table"]["rows"][-1][1:]
    assert most[key] == "1"
    value = graph["V"].value[key]
    shown = [number(show(float(x), int(query.get("decimals", "3"))).text) for x in value]
    assert [number(text) for text in most[n:]] == shown
    assert number(least[key]) == 0.0


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ({}, 3),
        ({"text": "no no no"}, 0),  # one value three times: nothing moves
        ({"text": "a b", "mask": "causal", "pull": "1"}, 3),
        ({"mask": "custom", "allow": "111.111.001", "pull": "2"}, 0),  # it has all of the weight
        # Its value is the middle of all: 3 = (1 + 5 + 3) / 3.
        ({"example": "hand", "edits": "V:0,0=1;V:1,0=5;V:2,0=3;V:0,1=0;V:1,1=0;V:2,1=0"}, 3),
        (
            {"example": "hand", "edits": "V:0,0=3;V:1,0=5;V:2,0=1;V:0,1=0;V:1,1=0;V:2,1=0"},
            2,
        ),
    ],
    ids=str,
)
def test_no_answer_is_refused_that_is_as_right(query: dict[str, str], wanted: int) -> None:
    (chart,) = json.loads(told(open_page(BLEND.file, **query))["text"])
    assert len(chart["question"]["options"] if chart["question"] else []) == wanted


def test_the_extremes_are_a_click_away() -> None:
    said = unescape(prose(open_page(BLEND.file, pull="2")))
    assert "scale=0&pull=2&told=1" in said
    assert "Give «AI» all of the weight" in said
    (chart,) = json.loads(told(open_page(BLEND.file, scale="0", pull="2", told="1"))["text"])
    weights = next(row[1:4] for row in chart["table"]["rows"] if row[0] == "0")
    assert weights == ["0.333"] * 3
    assert "Scores that differ again" in prose(open_page(BLEND.file, scale="0", told="1"))
    for query in ({"text": "one"}, {"mask": "custom", "allow": "111.111.000"}):
        assert "Make all scores equal" not in prose(open_page(BLEND.file, **query))


def test_a_sweep_below_zero_keeps_its_sign_in_the_link_and_shows_a_minus() -> None:
    app = open_page(BLEND.file, sweep="-2")
    message = told(app)
    assert json.loads(message["text"])[0]["stops"][message["at"]]["label"] == "−2"
    assert "The link says" not in prose(app)


def test_one_component_stands_on_one_line() -> None:
    (chart,) = json.loads(told(open_page(BLEND.file, text="a b c", d_v="1"))["text"])
    assert [trace["y"] for trace in chart["stops"][0]["traces"]] == [[0, 0, 0], [0, 0, 0], [0]]
    assert chart["panels"][0]["y"]["bare"] is True
