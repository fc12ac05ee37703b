"""The lab «What it costs»: every number on the page, computed a second time without the core."""

from __future__ import annotations

import json
import re
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import pytest

from attention_core import Timing, timing
from tests.ui.test_pages import menu, open_page, prose
from ui.charts.costs import cell_charts, cost_charts
from ui.charts.timings import chain_charts, time_charts
from ui.given import inputs_of
from ui.lesson import Lesson, graph_of
from ui.pages import COST, SCORE
from ui.settings import Settings, read_settings

# The name of each part's charts, and a layer: as given, a large one, the least, the largest.
LAYERS: dict[str, dict[str, str]] = {
    "paper": {},
    "large": {"heads": "32", "width": "128", "size": "2", "example": "cat", "decimals": "1"},
    "least": {"heads": "1", "width": "1", "size": "1", "text": "one", "decimals": "0"},
    "one": {"heads": "1", "width": "3", "text": "a b c", "decimals": "4"},
    "most": {"heads": "128", "width": "256", "size": "8", "text": "a b c d e f g h i j k l"},
}
TIMES = tuple(
    Timing(n, 1e-4 + 2e-8 * n**2, 1e-6 + 5e-9 * n**2, 2.7e-6 * n)
    for n in (16, 32, 64, 128, 256, 512, 1024)
)


@pytest.fixture(autouse=True)
def _measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Times that are the same on every machine."""
    monkeypatch.setattr(timing, "_measured_once", lambda: TIMES)


def charts(query: dict[str, str]) -> list[dict[str, Any]]:
    """The five charts that the page sends, from the top."""
    found: list[dict[str, Any]] = []
    for component in open_page(COST.file, **query).get("bidi_component"):
        found += json.loads(json.loads(component.proto.json)["charts"]["text"])
    assert len(found) == 5
    return found


def rounded(number: Decimal, places: int) -> str:
    """As at school; a whole number stands without decimals."""
    if number == number.to_integral_value() and number != 0:
        return str(int(number))
    return f"{number.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP):f}"


def with_unit(amount: Decimal, units: str, places: int) -> str:
    """In the unit that leaves less than 1000 as it is shown."""
    unit, *larger = units.split()
    while larger and amount.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP) >= 1000:
        amount, unit, *larger = amount / 1000, *larger
    return f"{rounded(amount, places)}\u00a0{unit}"


def in_bytes(amount: int, places: int) -> str:
    return with_unit(Decimal(amount), "B kB MB GB TB PB", places)


def as_count(amount: int, places: int) -> str:
    if amount < 1_000_000:
        return f"{amount:,}"
    return with_unit(Decimal(amount) / 10**6, "million billion trillion quadrillion", places)


def layer(query: dict[str, str]) -> tuple[int, int, int, int]:
    """Heads, d_k, bytes of a number and decimals of a link."""
    names = {"heads": 8, "width": 64, "size": 4, "decimals": 3}
    heads, width, size, decimals = (int(query.get(name, usual)) for name, usual in names.items())
    return heads, width, size, decimals


@pytest.mark.parametrize("query", LAYERS.values(), ids=LAYERS)
def test_the_cells_drawn_are_the_cells_counted(query: dict[str, str]) -> None:
    chart = charts(query)[0]
    n = len(inputs_of(read_settings(query)[0])[0].tokens)
    assert chart["start"] == str(n)
    assert f"{n} × {n} = {n * n} cell" in chart["question"]["title"]
    assert [text for text, right in chart["question"]["options"] if right] == ["×4"]
    assert [stop["label"] for stop in chart["stops"]] == [str(n) for n in range(1, 13)]
    for n, (stop, row) in enumerate(zip(chart["stops"], chart["table"]["rows"], strict=True), 1):
        assert row == [str(n), str(n * n), str(2 * n), str(4 * n * n), "×4"]
        left, kept, added = (set(zip(t["x"], t["y"], strict=True)) for t in stop["traces"])
        block = {(x, y) for x in range(1, n + 1) for y in range(1, n + 1)}
        whole = {(x, y) for x in range(1, 2 * n + 1) for y in range(1, 2 * n + 1)}
        assert left == kept == block
        assert added == whole - block
        assert f"{n} × {n} = {n * n} cell" in stop["says"]
        assert f"{2 * n} × {2 * n} = {4 * n * n} cells, ×4 as many" in stop["says"]


@pytest.mark.parametrize("query", LAYERS.values(), ids=LAYERS)
def test_multiplications_and_bytes_are_the_computed_ones(query: dict[str, str]) -> None:
    chart = charts(query)[1]
    heads, width, size, decimals = layer(query)
    sizes = [2**power for power in range(20)] + [1_000_000]
    assert [int(stop["label"]) for stop in chart["stops"]] == sizes
    for n, stop, row in zip(sizes, chart["stops"], chart["table"]["rows"], strict=True):
        # A head makes 3·n·d_k numbers of d_model products each; n² scores of d_k; n·d_v of n.
        making = heads * 3 * n * width * (heads * width)
        scores, mixing = heads * n * n * width, heads * n * width * n
        rows_kept, scores_kept = heads * 3 * n * width * size, heads * n * n * size
        assert row == [
            f"{n:,}",
            *(f"{number:,}" for number in (n * n, making, scores, mixing)),
            in_bytes(rows_kept, decimals),
            in_bytes(scores_kept, decimals),
        ]
        assert stop["says"] == (
            f"n = {n:,}: S of one head has {as_count(n * n, decimals)} cell{'s' * (n > 1)}. "
            f"Multiplications: {as_count(making, decimals)} to make Q, K and V, "
            f"{as_count(scores + mixing, decimals)} for scores and mixing. "
            f"Memory: {in_bytes(rows_kept, decimals)} for Q, K and V, "
            f"{in_bytes(scores_kept, decimals)} for S of all heads. "
            "Twice the tokens: ×2 for Q, K and V, ×4 for S and its use."
        )
        drawn = [t["y"][0] for t in stop["traces"] if t["mode"] == "markers"]
        wanted = [making, scores + mixing, rows_kept, scores_kept]
        assert drawn == pytest.approx(wanted, rel=1e-4)


@pytest.mark.parametrize("query", LAYERS.values(), ids=LAYERS)
def test_the_derivation_and_the_question_are_in_the_viewers_numbers(query: dict[str, str]) -> None:
    chart = charts(query)[1]
    heads, width, size, decimals = layer(query)
    lines, d_model = chart["lines"], heads * width
    assert f"h·d_k = {heads}·{width} = {d_model:,}." in lines[1]
    equal = f"{3 * d_model // 2:,}{'.5' * (d_model % 2)}"
    assert f"beyond n = 1.5·d_model = {equal}. With the product with W_O" in lines[3]
    assert lines[3].endswith(f"beyond n = 2·d_model = {2 * d_model:,}.")
    assert lines[4].endswith(f"beyond n = 3·d_k = {3 * width}.")
    right = in_bytes(heads * 10**12 * size, decimals)
    options = dict(chart["question"]["options"])
    assert [text for text, is_right in options.items() if is_right] == [right]
    assert len(options) == 3
    assert f"{heads} · 1,000,000 · 1,000,000 · {size} byte" in chart["question"]["right"]


@pytest.mark.parametrize("query", LAYERS.values(), ids=LAYERS)
def test_a_chain_is_counted_and_asked_as_it_is(query: dict[str, str]) -> None:
    chart = charts(query)[3]
    heads, width, _, decimals = layer(query)
    d, here = heads * width, len(inputs_of(read_settings(query)[0])[0].tokens)
    for row in chart["table"]["rows"]:
        n = int(row[0].replace(",", ""))
        assert row[1:] == [f"{n:,}", f"{2 * n * d * d:,}", "4", f"{2 * n * n * d:,}"]
    answer = "The chain" if here < d else "QKᵀ and AV" if here > d else "Both the same"
    assert [text for text, right in chart["question"]["options"] if right] == [answer]
    told = f"{2 * here * d * d:,} for the chain, n·2·d²; {2 * here * here * d:,} for QKᵀ and AV"
    assert told in chart["question"]["right"]
    (stop,) = chart["stops"]
    assert as_count(2 * 10**6 * d * d, decimals) in stop["says"]
    assert as_count(2 * 10**12 * d, decimals) in stop["says"]
    assert f"Beyond n = d = {d:,}" in stop["says"]


def test_ratios_and_units_of_the_measured_times_are_the_computed_ones() -> None:
    """The times are given; what is said of them follows from them."""

    def times(more: float, less: float) -> str:
        return f"×{rounded(Decimal(more / less), 2)}"

    def told(seconds: float) -> str:
        return with_unit(Decimal(seconds) * 10**6, "µs ms s", 2)

    _, _, attention, _, race = charts({})
    for half, one, row, pair in zip(
        (None, *TIMES), TIMES, attention["table"]["rows"], race["table"]["rows"], strict=False
    ):
        assert row[:2] == [str(one.n), told(one.attention)]
        assert [pair[1], pair[3]] == [told(one.chain), told(one.square)]
        found = [row[2], pair[2], pair[4]]
        assert found == (
            [
                times(one.attention, half.attention),
                times(one.chain, half.chain),
                times(one.square, half.square),
            ]
            if half
            else ["–"] * 3
        )
    (stop,) = attention["stops"]
    dashed, measured = stop["traces"][:2]
    assert dashed["y"][-1] == measured["y"][-1]
    for n, more in zip((16, 64, 512), (4096, 256, 4), strict=True):
        at = dashed["x"].index(n)
        assert dashed["y"][-1] / dashed["y"][at] == pytest.approx(more, rel=1e-3)
    before, last = TIMES[-2:]
    assert f"512 to 1024 it changes by {times(last.attention, before.attention)}." in stop["says"]
    says = race["stops"][0]["says"]
    assert f"takes {times(TIMES[2].chain, TIMES[2].square)} as long" in says
    assert f"multiply ×16 as often, and take {times(last.square, last.chain)} as long" in says


@pytest.mark.parametrize("query", LAYERS.values(), ids=LAYERS)
def test_every_point_lies_within_its_axes(query: dict[str, str]) -> None:
    for chart in charts(query):
        for stop in chart["stops"]:
            for trace in stop["traces"]:
                panel = chart["panels"][int(trace["xaxis"][1:] or 1) - 1]
                for places, axis in ((trace["x"], panel["x"]), (trace["y"], panel["y"])):
                    low, high = sorted((axis["low"], axis["high"]))
                    assert all(low * 0.999 <= at <= high * 1.001 for at in places), chart["title"]


def test_the_sentence_is_a_chain() -> None:
    text = re.sub("<[^>]+>", "", prose(open_page(COST.file, example="cat"))).replace("\u00a0", " ")
    assert "h₁ «The» → h₂ «cat» → h₃ «sat» → h₄ «down». The last state waits for the 3" in text
    assert "h₁\u00a0«one»: nothing waits" in prose(open_page(COST.file, text="one"))
    assert "«&lt;b&gt;»" in prose(open_page(COST.file, text="<b> x"))


def test_each_part_has_its_own_place_in_the_link() -> None:
    app = open_page(COST.file, sweep="7", sweep2="4096", told2="1", told3="0")
    messages = [json.loads(c.proto.json)["charts"] for c in app.get("bidi_component")]
    assert [message["told"] for message in messages] == [False, True, False, False]
    assert [message["at"] for message in messages] == [6, 12, 0, 0]


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ({"sweep": "13"}, "sweep=13: wanted one of the slider’s stops from 1 to 12. Used 3"),
        ({"sweep2": "1000"}, "sweep2=1000: wanted one of the slider’s stops 1, 2, 4, 8, 16"),
        ({"sweep2": "<b>"}, "sweep2=&lt;b&gt;: wanted one of"),
        ({"heads": "0"}, "heads=0: wanted a whole number from 1 to 128. Used the default"),
        ({"heads": "129"}, "heads=129: wanted a whole number from 1 to 128"),
        ({"width": "257"}, "width=257: wanted a whole number from 1 to 256"),
        ({"width": "1e2"}, "width=1e2: wanted a whole number from 1 to 256"),
        ({"size": "3"}, "size=3: wanted one of 1, 2, 4, 8. Used the default"),
        ({"size": "٤"}, "size=٤: wanted one of 1, 2, 4, 8"),
        ({"size": "04"}, "size=04: wanted one of 1, 2, 4, 8"),
    ],
    ids=str,
)
def test_a_bad_link_is_named_and_the_usual_is_used(query: dict[str, str], named: str) -> None:
    app = open_page(COST.file, **query)
    notices = "\n".join(body for body in prose(app).split("\n") if "notices" in body)
    assert named in notices
    assert app.number_input(key="set_heads").value == 8
    assert app.number_input(key="set_width").value == 64


def test_the_controls_change_the_layer_and_the_link_and_keep_the_place() -> None:
    app = open_page(COST.file, sweep2="4096", told="1", told2="1")
    app.number_input(key="set_heads").set_value(32).run()
    app.number_input(key="set_width").set_value(128).run()
    assert dict(app.query_params) == {
        "v": "1", "heads": "32", "width": "128", "sweep2": "4096", "told": "1", "told2": "1",
    }  # fmt: skip
    # What the layer costs is no matter of other pages, but goes along.
    there = open_page(SCORE.file, heads="32")
    assert not there.number_input
    assert "heads=32" in menu(there)[0][1]


def test_the_layers_to_try_are_those_that_are_told() -> None:
    text = prose(open_page(COST.file, example="cat", heads="3"))
    links = re.findall(r'<a data-go href="Cost\?([^"]*)" data-keep="([^"]*)">([^<]*)<', text)
    assert [(query.replace("&amp;", "&"), title) for query, _, title in links] == [
        ("v=1&example=cat", "The original Transformer: 8 heads of 64"),
        ("v=1&example=cat&heads=32&width=128", "A larger layer: 32 heads of 128"),
        ("v=1&example=cat&heads=32&width=128&size=2", "The same in 2 bytes a number"),
        ("v=1&example=cat&heads=1", "One head of 64"),
    ]
    assert {keep for _, keep, _ in links} == {"sweep told sweep2 told2 sweep3 told3"}


def test_charts_are_built_once_for_a_class() -> None:
    settings = Settings()
    lesson = Lesson(COST, settings, inputs_of(settings)[0], graph_of(settings))
    for build in (cell_charts, cost_charts, time_charts, chain_charts):
        assert build(lesson)[0] is build(lesson)[0]
