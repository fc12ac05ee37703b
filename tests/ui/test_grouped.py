"""The page on grouped keys: who reads what, what a cache holds, and models of real size."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from tests.ui.test_costs import as_count, in_bytes
from tests.ui.test_pages import board, open_page, prose
from ui.pages import variant

GROUPED = variant("grouped")
WIDE = {"text": "The bank of the river", "d_model": "8", "d_k": "8", "d_v": "8"}
# Layers, heads, heads of keys and values, d_k, as their papers print them.
MODELS = {
    "Llama 2 7B": (32, 32, 32, 128),
    "Llama 2 70B": (80, 64, 8, 128),
    "Mistral 7B": (32, 32, 8, 128),
    "Falcon 7B": (32, 71, 1, 64),
}


def plain(text: str) -> str:
    return re.sub("<[^>]+>", "", text).replace("\u00a0", " ")


def said(**query: str) -> str:
    return plain(prose(open_page(GROUPED.file, **query)))


def chart(**query: str) -> dict[str, Any]:
    for component in open_page(GROUPED.file, **query).get("bidi_component"):
        message = json.loads(component.proto.json)
        if "charts" in message:
            (found,) = json.loads(message["charts"]["text"])
            return {**found, "at": message["charts"]["at"]}
    raise AssertionError("there is no chart")


@pytest.mark.parametrize(
    ("query", "kept", "says"),
    [
        ({}, 1, "All 3 heads read K1 and V1: multi-query attention"),
        ({"kv_heads": "3"}, 3, "Each head has keys and values of its own"),
        ({"kv_heads": "2"}, 3, "Each head has keys and values of its own"),
        ({"example": "cat", "h": "4", "kv_heads": "2"}, 2,
         "Heads 1 and 2 read K1 and V1; heads 3 and 4 read K2 and V2: grouped-query"),
        ({**WIDE, "h": "8", "kv_heads": "4"}, 4, "heads 7 and 8 read K4 and V4"),
        ({"h": "1"}, 1, "There is one head only"),
        ({"example": "hand", "h": "2"}, 1, "Both heads read K1 and V1"),
    ],
)  # fmt: skip
def test_so_many_pairs_are_kept_and_it_is_said_who_reads_them(
    query: dict[str, str], kept: int, says: str
) -> None:
    app = open_page(GROUPED.file, **query)
    stages = board(app)["stages"]
    assert stages[1]["columns"] == [[f"K_{i}", f"V_{i}"] for i in range(1, kept + 1)]
    assert says in plain(prose(app))


@pytest.mark.parametrize("query", [{}, {"example": "cat", "h": "4"}, {**WIDE, "h": "4"}])
def test_the_cache_is_counted_from_what_stands_on_the_board(query: dict[str, str]) -> None:
    text = said(**query)
    counts = [1, 3] if not query else [1, 2, 4]
    for kv in counts:
        matrices = board(open_page(GROUPED.file, **query, kv_heads=str(kv)))["matrices"]
        shown = [m["cells"] for key, m in matrices.items() if re.fullmatch(r"[KV]_\d", key)]
        assert len(shown) == 2 * kv
        token = sum(len(cells[0]) for cells in shown)
        n = len(shown[0])
        assert f"= {token}{n} · {token} = {sum(len(c) * len(c[0]) for c in shown)}" in text


def test_fewer_columns_of_the_weights_are_needed() -> None:
    query = {"example": "cat", "h": "4"}
    assert (
        "WK needs 8 × 2 = 16 numbers and not 8 × 4 = 32, and WV needs 8 × 2 = 16 numbers and "
        "not 8 × 4 = 32." in said(**query, kv_heads="2")
    )
    assert "none is shared" in said(**query, kv_heads="4")
    assert "has no weight matrices" in said(example="hand")


def test_models_keep_what_their_sizes_say() -> None:
    text = said()
    for name, (layers, heads, kv, width) in MODELS.items():
        token, full = (2 * 2 * layers * count * width for count in (kv, heads))
        weights = 2 * layers * heads * width * kv * width
        row = (layers, heads, kv, width, in_bytes(token, 3), in_bytes(4096 * token, 3))
        more = (in_bytes(4096 * full, 3), as_count(weights, 3))
        assert (name + "".join(map(str, (*row, *more)))).replace("\u00a0", " ") in text


@pytest.mark.parametrize("name", MODELS)
def test_a_link_puts_a_model_into_the_calculator(name: str) -> None:
    page = prose(open_page(GROUPED.file))
    (link,) = re.findall(rf'href="([^"]*)"[^>]*>{name}<', page)
    query = dict(parse_qsl(urlsplit(unescape(link)).query))
    layers, heads, kv, width = MODELS[name]
    found = chart(**query)
    stop = found["stops"][found["at"]]
    token = 2 * 2 * layers * kv * width
    assert stop["label"] == str(kv)
    assert f"{heads} heads, {kv} of keys and values: {in_bytes(token, 3)} for one" in stop["says"]
    assert f"{in_bytes(4096 * token, 3)} for 4,096" in stop["says"]
    assert (f"1/{heads // kv} of what" in stop["says"]) == (kv < heads)


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"heads": "1", "width": "1", "size": "1", "depth": "1", "context": "1", "decimals": "0"},
        {"heads": "12", "width": "5", "size": "8", "depth": "7", "context": "999", "decimals": "1"},
        {"heads": "128", "width": "256", "size": "8", "depth": "200", "context": "1000000"},
    ],
    ids=str,
)
def test_every_number_of_the_calculator_is_the_computed_one(query: dict[str, str]) -> None:
    usual = {"heads": 8, "width": 64, "size": 4, "depth": 6, "context": 4096, "decimals": 3}
    heads, width, size, layers, n, places = (int(query.get(k, v)) for k, v in usual.items())
    found = chart(**query)
    fits = [kv for kv in range(1, heads + 1) if heads % kv == 0]
    assert [stop["label"] for stop in found["stops"]] == [str(kv) for kv in fits]
    assert found["at"] == len(fits) - 1
    for kv, stop, row in zip(fits, found["stops"], found["table"]["rows"], strict=True):
        token = layers * kv * (width + width) * size
        weights = layers * 2 * (heads * width) * (kv * width)
        assert row == [str(kv), f"{token:,}", in_bytes(n * token, places), f"{weights:,}"]
        assert f"{in_bytes(n * token, places)} for {n:,}" in stop["says"]
        assert f"values have {as_count(weights, places)} numbers" in stop["says"]
        *_, here = stop["traces"]
        assert here["x"] == [kv]
        assert here["y"] == [pytest.approx(n * token, rel=1e-4)]


@pytest.mark.parametrize("mask", ["none", "causal"])
@pytest.mark.parametrize("decimals", ["0", "2", "3"])
@pytest.mark.parametrize(
    "query",
    [
        {},
        {"example": "cat"},
        {"example": "cat", "h": "4", "kv_heads": "2"},
        {"example": "hand", "h": "2"},
        {**WIDE, "h": "4", "kv_heads": "2"},
        {**WIDE, "h": "8", "tied": "1"},
    ],
    ids=str,
)
def test_two_heads_are_compared_as_they_are_shown(
    query: dict[str, str], decimals: str, mask: str
) -> None:
    message = board(open_page(GROUPED.file, **query, decimals=decimals, mask=mask))
    ask, matrices = message["ask"], message["matrices"]
    if ask is None:
        return
    one, other = map(int, re.findall(r"\d+", str(ask["title"]))[:2])
    row = int(ask["pin"].partition(":")[2].partition(",")[0])
    h, kv = (len(stage["columns"]) for stage in message["stages"][:2])
    assert (one - 1) // (h // kv) == (other - 1) // (h // kv), "they read the same keys"

    def best(head: int) -> set[int]:
        weights = [float(w) for w in matrices[f"A_{head}"]["cells"][row]]
        return {col for col, weight in enumerate(weights) if weight == max(weights)}

    assert other == one + 1
    assert dict(ask["options"]) == {
        "The same token": best(one) == best(other),
        "Another one": best(one) != best(other),
    }
    assert best(one) == best(other) or not best(one) & best(other)
    keys, width = len(matrices["A_1"]["cells"]), len(matrices["O_1"]["cells"][0])
    own = range((other - 1) * width, other * width)
    parts = (f"A_{other}", range(keys)), (f"O_{other}", range(width)), ("O_heads", own)
    hidden = {f"{key}:{row},{col}" for key, columns in parts for col in columns}
    assert set(message["hidden"]) == hidden
    sub, scores = (f"masked,{other}", "S_masked") if mask != "none" else (str(other), "S")
    assert ["sub", sub] in next(part for part in ask["hint"] if part[0] == "row")
    assert f"{scores}_{other}" in matrices
    one_query, other_query = (matrices[f"Q_{head}"]["cells"][row] for head in (one, other))
    if "queries are the same" in ask["given"]:
        assert one_query == other_query
    elif "queries differ" in ask["given"]:
        assert one_query != other_query


@pytest.mark.parametrize(
    "query",
    [
        {"example": "cat", "mask": "window"},
        {"example": "hand", "mask": "padding"},
        {"example": "cat", "mask": "causal", "scale": "0"},
        {"example": "cat", "mask": "causal"},
        {**WIDE, "h": "4", "mask": "causal"},
    ],
    ids=str,
)
def test_where_all_open_keys_are_alike_nobody_is_attended_to_most(query: dict[str, str]) -> None:
    message = board(open_page(GROUPED.file, **query))
    ask, matrices = message["ask"], message["matrices"]
    if ask is None:
        return
    assert "ask for much the same" not in ask["given"]
    row = int(ask["pin"].partition(":")[2].partition(",")[0])
    for head in re.findall(r"\d+", str(ask["title"]))[:2]:
        scores = matrices[f"S_masked_{head}"]["cells"][row]
        assert len({score for score in scores if score != "−∞"}) > 1


def test_heads_of_keys_that_do_not_fit_are_named() -> None:
    sizes = {"text": "The bank of the river", "d_k": "6", "d_v": "6"}
    app = open_page(GROUPED.file, **sizes, h="6", kv_heads="2")
    assert "cannot share" not in prose(app)
    query = dict(app.query_params) | {"h": "3"}
    text = said(**query)
    assert "3 heads cannot share 2 heads of keys and values equally. Here 3 are used." in text
    assert "1 head cannot share 2 heads of keys and values equally. Here 1 is used." in said(
        **sizes, h="1", kv_heads="2"
    )
    assert "Choose more heads" in said(h="1")
    assert "Choose more heads" not in said(text="a b", d_k="5", d_v="4")


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"kv_heads": "3"},
        {"example": "cat"},
        {"example": "cat", "edits": "V:0,0=1"},
        {"example": "hand", "h": "2"},
        {"text": "no no no", "d_k": "6", "d_v": "6", "h": "6", "kv_heads": "3"},
        {"text": "one", "d_k": "4", "d_v": "4"},
        {**WIDE, "h": "4", "kv_heads": "2"},
    ],
    ids=str,
)
def test_values_that_are_all_alike_are_named(query: dict[str, str]) -> None:
    app = open_page(GROUPED.file, **query)
    matrices, text = board(app)["matrices"], plain(prose(app))
    values = {key: m["cells"] for key, m in matrices.items() if re.fullmatch(r"V_\d", key)}
    alike = [
        key.replace("_", "")
        for key, cells in values.items()
        if len(cells) > 1 and all(row == cells[0] for row in cells)
    ]
    *first, last = alike or [""]
    names = f"{', '.join(first)} and {last}" if first else last
    assert (f"In {names} all rows " in text) == ("cannot differ" in text) == bool(alike)
    groups = len(values)
    h = sum(bool(re.fullmatch(r"A_\d", key)) for key in matrices)
    readers = [str(i) for i in range(1, h + 1) if f"V{(i - 1) * groups // h + 1}" in alike]
    if readers:
        *before, end = readers
        who = f"heads {', '.join(before)} and {end}" if before else f"head {end}"
        assert f"the outputs of {who} cannot differ" in text


def test_a_preset_leads_to_values_that_differ() -> None:
    page = prose(open_page(GROUPED.file, kv_heads="3", edits="X:0,0=2"))
    (link,) = re.findall(r'href="([^"]*)"[^>]*>The cat sat down, two heads share<', page)
    query = dict(parse_qsl(urlsplit(unescape(link)).query))
    app = open_page(GROUPED.file, **query)
    cells = board(app)["matrices"]["V_1"]["cells"]
    assert any(row != cells[0] for row in cells)
    assert "Both heads read K1 and V1" in plain(prose(app))
    assert "cannot differ" not in prose(app)


def notices(app: Any) -> str:
    found = (e.proto.body for e in app.get("html") if 'class="notices"' in e.proto.body)
    return plain("".join(found))


def test_a_control_that_takes_a_stop_away_is_no_bad_link() -> None:
    app = open_page(GROUPED.file, sweep="4")
    app.number_input(key="set_heads").set_value(10).run()
    assert not notices(app)
    assert dict(app.query_params) == {"v": "1", "heads": "10"}
    app.number_input(key="set_heads").set_value(8).run()
    assert not notices(app)
    kept = open_page(GROUPED.file, sweep="4", heads="16")
    kept.number_input(key="set_heads").set_value(12).run()
    assert dict(kept.query_params) == {"v": "1", "heads": "12", "sweep": "4"}


def test_a_link_to_no_stop_names_those_there_are() -> None:
    bad = notices(open_page(GROUPED.file, sweep="3"))
    assert "sweep=3: wanted one of the slider’s stops 1, 2, 4, 8. Used 8 instead." in bad
    one = notices(open_page(GROUPED.file, sweep="3", heads="1"))
    assert "sweep=3: the slider has one stop only. Used 1 instead." in one


def test_it_asks_where_heads_share_and_only_there() -> None:
    assert board(open_page(GROUPED.file))["ask"] is not None
    for query in (
        {**WIDE, "h": "4", "kv_heads": "4"},
        {"h": "1"},
        {"text": "one", "d_k": "4", "d_v": "4"},
        {"scale": "0"},
        {"mask": "custom", "allow": "000.000.000"},
    ):
        assert board(open_page(GROUPED.file, **query))["ask"] is None
