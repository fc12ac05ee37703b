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
    hidden = {cell.partition(",")[0] for cell in message["hidden"]}
    assert hidden == {f"{key}:{row}" for key in (f"A_{other}", f"O_{other}", "O_heads")}


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
