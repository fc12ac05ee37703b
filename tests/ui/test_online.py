"""The page on the online softmax: what stands on its board, what it asks, and what it measures."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from tests.ui.test_numbers import by_blocks, read, rounded
from tests.ui.test_pages import board, open_page, parts, prose
from ui.pages import variant

ONLINE = variant("online")
TWELVE = {"text": "a b c d e f g h i j k l", "d_k": "8", "d_model": "8", "d_v": "8"}


def on_the_board(message: dict[str, Any]) -> set[str]:
    return {key for stage in message["stages"] for column in stage["columns"] for key in column}


def chosen(**query: str) -> str | None:
    """The right answer to the question of the page."""
    ask = board(open_page(ONLINE.file, **query))["ask"]
    return ask and next((text for text, right in ask["options"] if right), "typed")


@pytest.mark.parametrize("block", [1, 2, 5, 12])
def test_one_block_stands_in_full_however_many_there_are(block: int) -> None:
    count = -(-12 // block)
    for shown in {1, 2, count}:
        query = TWELVE | {"block": str(block), "shown": str(shown)}
        standing = on_the_board(board(open_page(ONLINE.file, **query)))
        used = min(shown, count)
        assert {key for key in standing if key.startswith("S_masked")} == {f"S_masked_{used}"}
        assert {f"m_run_{used - 1}", f"o_run_{count}", "O_online", "O_row"} <= standing
        assert len(standing) <= 24


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ({}, "They stay: c = 1"),
        ({"query": "0", "block": "1"}, "They get smaller: c < 1"),
        ({"query": "0", "block": "1", "scale": "-1"}, "They stay: c = 1"),
        ({"query": "0", "block": "1", "scale": "1000"}, "They get smaller: c < 1"),
        ({"query": "0", "block": "1", "scale": "0.001"}, "They get smaller: c < 1"),
        ({"query": "0", "block": "1", "scale": "0.001", "decimals": "1"}, None),
        ({"scale": "0"}, "They stay: c = 1"),
        ({"shown": "1"}, "typed"),
        ({"text": "one"}, "typed"),
        ({"mask": "custom", "allow": "001.001.001"}, "typed"),
        ({"mask": "custom", "allow": "001.001.001", "shown": "1"}, None),
        ({"mask": "custom", "allow": "111.111.000"}, None),
    ],
)
def test_it_asks_what_has_one_answer_at_the_shown_precision(
    query: dict[str, str], answer: str | None
) -> None:
    assert chosen(**query) == answer


@pytest.mark.parametrize("query", [{}, {"query": "0", "block": "1"}, {"shown": "1"}])
def test_what_would_tell_the_answer_is_hidden(query: dict[str, str]) -> None:
    message = board(open_page(ONLINE.file, **query))
    b = message["ask"]["pin"].partition(":")[0].rpartition("_")[2]
    telling = ("E_run", "Z_added", "o_added", "Z_run", "o_run")
    for key in telling:
        width = len(message["matrices"][f"{key}_{b}"]["cells"][0])
        assert {f"{key}_{b}:0,{col}" for col in range(width)} <= set(message["hidden"])
    assert message["ask"]["pin"] in message["hidden"]
    assert message["ask"]["above"]


def test_the_answer_names_the_factor() -> None:
    ask = board(open_page(ONLINE.file, query="0", block="1"))["ask"]
    assert "m grows from 0.577 to 2.887" in ask["given"]
    assert "c = e^(0.577 − 2.887) = 0.099" in ask["given"]


def test_how_far_the_rows_are_apart_is_measured() -> None:
    far = r"the largest difference is ([\d.]+)×10⁻(\d+|[⁰¹²³⁴⁵⁶⁷⁸⁹]+)"
    said = [
        prose(open_page(ONLINE.file, example=example, query=str(row), block="1"))
        for example, row in (("love", 0), ("cat", 1), ("cat", 3))
    ]
    for text in said:
        found = re.search(far, text)
        assert found or "agree to the last bit" in text
        assert not found or found[2] in ("¹⁶", "¹⁷")
    blocked = prose(open_page(ONLINE.file, mask="custom", allow="111.111.000"))
    assert "Every key is blocked for «AI»" in blocked
    assert "both rows stand as 0" in blocked


@pytest.mark.parametrize(
    "query",
    [
        {"example": "cat", "query": "3"},
        {"query": "0", "block": "1", "decimals": "2"},
        TWELVE | {"block": "5", "mask": "window"},
    ],
)
def test_every_block_is_in_the_table_with_the_computed_numbers(query: dict[str, str]) -> None:
    text = prose(open_page(ONLINE.file, **query))
    body = text[text.index("What every block hands on</caption>") :].partition("</table>")[0]
    rows = [re.findall(r"<t[hd][^>]*>([^<]*)</t", row) for row in body.split("<tr>")[2:]]
    expected, decimals = by_blocks(query), int(query.get("decimals", "3"))
    assert [row[0] for row in rows] == [str(b) for b in range(1, len(rows) + 1)]
    assert f"m_run_{len(rows)}" in expected
    assert f"m_run_{len(rows) + 1}" not in expected
    for b, (_, _, *cells) in enumerate(rows, start=1):
        for key, cell in zip(("m_run", "c_run", "Z_run", "o_run"), cells, strict=True):
            shown = [read(number) for number in cell.split(", ")]
            wanted = [float(rounded(x, decimals)) for x in expected[f"{key}_{b}"][0].tolist()]
            assert shown == pytest.approx(wanted, abs=1e-9)
    assert "The, cat" in rows[0][1] or query.get("example") != "cat"


def test_it_says_what_is_held_here() -> None:
    text = prose(open_page(ONLINE.file, **TWELVE, block="3"))
    assert "1 + 1 + 8 = 10 numbers. With the 3 scores of a block, 13 are held" in text
    assert "12 · 12 = 144 numbers here" in text
    assert "save nothing" not in text
    assert "save nothing" in prose(open_page(ONLINE.file, text="a b"))


def test_blocked_blocks_are_named() -> None:
    text = prose(open_page(ONLINE.file, **TWELVE, block="4", mask="window"))
    assert "every key of blocks 1 and 2 is blocked" in text
    assert "is blocked. Such a block" not in prose(open_page(ONLINE.file, **TWELVE))


def test_the_links_to_try_ask_what_they_promise() -> None:
    text = prose(open_page(ONLINE.file))
    links = dict(re.findall(r'href="(Online[^"]*)">([^<]*)</a>', text.replace("&amp;", "&")))
    asked = {
        title: chosen(**dict(parse_qsl(urlsplit(link).query)))
        for link, title in links.items()
        if title != ONLINE.label
    }
    smaller = "They get smaller: c < 1"
    assert asked["One key at a time"] == asked["The largest score comes last"] == smaller
    assert asked["Twelve tokens, blocks of three"] == smaller
    assert asked["Blocks with nothing open"] == asked["All keys in one block"] == "typed"


def test_the_loop_runs() -> None:
    code = open_page(ONLINE.file, code="loop", mask="causal", query="1", block="1").code[-1].value
    assert "for start in range(0, len(K), 1):" in code
    exec(code, {})


def test_the_chart_counts_what_is_held() -> None:
    (chart,) = json.loads(parts(open_page(ONLINE.file))["charts"]["text"])
    rows = {row[0]: row[1:] for row in chart["table"]["rows"]}
    assert rows["8,192"] == ["67,108,864", "1,589,248", "8,192", "194"]
    assert rows["1,000,000"] == ["1,000,000,000,000", "194,000,000", "1,000,000", "194"]
    assert rows["64"] == ["4,096", "8,320", "64", "130"]
