"""The page on cross-attention: two sentences, what is asked, and what is said of masks."""

from __future__ import annotations

import re
from html import unescape
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from tests.ui.test_pages import board, open_page, prose
from ui.pages import variant

CROSS = variant("cross")
HOSTILE = "<b>x</b> $y$ **z** :smile: 1 2024-01-01 [[mask]]"


def on(**query: str) -> dict[str, Any]:
    return board(open_page(CROSS.file, **query))


def labels(message: dict[str, Any], key: str) -> tuple[list[str], list[str]]:
    matrix = message["matrices"][key]
    return matrix["rows"]["labels"], matrix["cols"]["labels"]


def facts(message: dict[str, Any]) -> dict[str, Any]:
    return {str(name): what for name, what in message["facts"]}


def link_of(text: str, name: str) -> dict[str, str]:
    (link,) = re.findall(rf'href="([^"]*)">{name}', text)
    return dict(parse_qsl(urlsplit(unescape(link)).query))


@pytest.mark.parametrize("query", [{}, {"example": "hand"}, {"example": "cat"}, {"text": "a b"}])
def test_rows_are_one_sentence_and_columns_the_other(query: dict[str, str]) -> None:
    message = on(**query, source="Die Katze setzte sich hin")
    asks, source = labels(message, "A")
    assert source == ["Die", "Katze", "setzte", "sich", "hin"]
    assert asks == facts(message)["tokens"]
    assert facts(message)["source"] == source
    assert labels(message, "K")[0] == labels(message, "V")[0] == labels(message, "Y")[0] == source
    assert labels(message, "O")[0] == asks
    rows, cols = (message["matrices"]["A"][side]["axis"] for side in ("rows", "cols"))
    assert rows != cols, "a label lights its own sentence only"


def test_the_source_is_only_text() -> None:
    app = open_page(CROSS.file, source=HOSTILE)
    assert labels(board(app), "A")[1] == HOSTILE.split()
    assert "<b>x</b>" not in prose(app)


def test_what_is_left_out_of_the_source_is_said() -> None:
    assert "The source sentence has 13 tokens" in prose(open_page(CROSS.file, source="x " * 13))
    assert '<ul class="notices">' not in prose(open_page(CROSS.file))


@pytest.mark.parametrize("source", ["\u200b", " ", "x" * 401])
def test_a_bad_source_is_named_and_nothing_is_lost(source: str) -> None:
    app = open_page(CROSS.file, source=source, edits="X:0,1=2.5", d_k="2")
    notices = re.findall(r'class="notices">(.*?)</ul>', prose(app))
    assert len(notices) == 1
    assert "source" in notices[0]
    assert labels(board(app), "A")[1] == ["Moi,", "j'adore", "vraiment", "l'IA"]
    assert board(app)["matrices"]["X"]["cells"][0][1] == "2.500"
    assert app.query_params["d_k"] == "2"


def test_an_empty_source_is_refused_and_the_one_before_stays() -> None:
    app = open_page(CROSS.file, source="Die Katze", edits="Y:0,0=9")
    app.text_input(key="set_source").set_value(" ").run()
    assert "Type at least one word" in prose(app)
    assert labels(board(app), "A")[1] == ["Die", "Katze"]
    app.text_input(key="set_source").set_value("Das Ufer").run()
    assert dict(app.query_params) == {"v": "1", "source": "Das Ufer"}, "what was typed into Y goes"


def test_a_long_word_is_said_to_be_one_of_the_source() -> None:
    app = open_page(CROSS.file, source="Donaudampfschifffahrtsgesellschaft " + "a " * 14)
    (notices,) = re.findall(r'class="notices">(.*?)</ul>', prose(app))
    items = re.findall("<li>(.*?)</li>", notices)
    assert len(items) == 2
    assert all("source" in item for item in items)


def test_without_a_mask_to_click_ones_own_is_only_called_custom() -> None:
    def titles(file: str) -> list[str]:
        return open_page(file, mask="custom", allow="100.110.111").radio(key="set_mask").options

    assert "custom" in titles(variant("heads").file)
    assert [title for title in titles("pages/5_Mask.py") if "cells of M that you click" in title]


@pytest.mark.parametrize("mask", ["causal", "window", "padding", "custom"])
def test_a_mask_of_one_sentence_is_not_used_and_named(mask: str) -> None:
    app = open_page(CROSS.file, mask=mask, allow="100.010.001")
    message = board(app)
    assert "−∞" not in str(message["matrices"])
    assert "mask" not in facts(message)
    assert "It is not used here" in prose(app)
    assert "It is not used here" not in prose(open_page(CROSS.file))


def test_padding_blocks_the_last_column() -> None:
    matrices = on(pad="1")["matrices"]
    assert [row[-1] for row in matrices["S_masked"]["cells"]] == ["−∞"] * 3
    assert {"M", "A"} <= set(matrices)
    assert [row[-1] for row in matrices["A"]["cells"]] == ["0"] * 3
    alone = on(pad="1", source="PAD")
    assert alone["ask"] is None
    assert alone["matrices"]["O"]["cells"] == [["0", "0", "0"]] * 3


def test_an_example_without_embeddings_says_what_stands_in() -> None:
    app = open_page(CROSS.file, example="hand", tied="1")
    assert "W_V" in board(app)["matrices"]
    assert "toy numbers that stand in" in prose(app)
    assert "given" not in board(app)["matrices"]["W_V"], "nothing that a link could keep"
    assert "given" in board(app)["matrices"]["Y"]
    assert [] not in facts(board(app)).values(), "its keys are not the queries"
    assert [] in facts(on(tied="1")).values(), "W_K is W_Q"


@pytest.mark.parametrize("decimals", ["0", "1", "3"])
@pytest.mark.parametrize("source", ["Die Katze setzte sich hin", "a a b", "one", "x y"])
@pytest.mark.parametrize("query", [{}, {"example": "hand"}, {"scale": "0"}, {"text": "no no"}])
def test_it_asks_only_what_the_shown_numbers_answer(
    query: dict[str, str], source: str, decimals: str
) -> None:
    message = on(**query, source=source, decimals=decimals)
    ask = message["ask"]
    if ask is None:
        return
    row = int(ask["pin"].partition(":")[2].partition(",")[0])
    shown = [float(weight) for weight in message["matrices"]["A"]["cells"][row]]
    assert [right for _, right in ask["options"]] == [weight == max(shown) for weight in shown]
    assert any(weight != max(shown) for weight in shown)
    told = {cell for cell in message["hidden"] if cell.startswith(("A:", "O:"))}
    widths = {key: len(message["matrices"][key]["cells"][row]) for key in ("A", "O")}
    assert told == {f"{key}:{row},{col}" for key, width in widths.items() for col in range(width)}


def test_it_asks_where_there_is_something_to_ask() -> None:
    assert on()["ask"] is not None
    assert on(source="one")["ask"] is None
    assert on(scale="0")["ask"] is None
    assert on(source="a a")["ask"] is None


def test_with_features_that_say_what_words_are_the_cat_finds_its_verb() -> None:
    query = link_of(prose(open_page(CROSS.file)), "Type the features")
    matrices = on(**query)["matrices"]
    assert matrices["S"]["cells"][1] == ["3", "2", "3", "1", "0"]
    assert labels(on(**query), "S")[1] == ["Die", "Katze", "setzte", "sich", "hin"]


def test_another_seed_gives_the_source_other_numbers() -> None:
    one, other = (on(text="a b", seed=seed)["matrices"]["Y"]["cells"] for seed in ("1", "2"))
    assert one != other


def test_the_size_of_the_rectangle_is_told() -> None:
    text = prose(open_page(CROSS.file, text="one", source="a b c"))
    assert "1 row, one for each token that asks, and 3 columns, one for each" in re.sub(
        "<[^>]+>", "", text
    )
