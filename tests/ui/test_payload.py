"""What the board is told: every number as computed, every source, and no more bytes than needed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from attention_core import Cell
from attention_core.rounding import show
from ui.board.payload import contents, numbers
from ui.lesson import graph_of
from ui.settings import Settings

LOVE = Settings()
LONG = Settings(example="own", text="a b c d e f g h i j k l", d_k=8, d_model=8)


def spread(span: str) -> list[str]:
    """The cells of a span such as ``Q:0,0-2``."""
    key, _, place = span.partition(":")
    rows, cols = (part.split("-") for part in place.split(","))
    return [
        f"{key}:{i},{j}"
        for i in range(int(rows[0]), int(rows[-1]) + 1)
        for j in range(int(cols[0]), int(cols[-1]) + 1)
    ]


@pytest.mark.parametrize("settings", [LOVE, LONG, Settings(example="hand", decimals=2)])
def test_every_cell_shows_the_computed_number(settings: Settings) -> None:
    graph, message = graph_of(settings), contents(settings, "S")
    assert set(message["matrices"]) == {m.key for m in graph.behind("S")}
    for key, matrix in message["matrices"].items():
        wanted = [[show(x, settings.decimals).text for x in row] for row in graph[key].value]
        assert matrix["cells"] == wanted


@pytest.mark.parametrize("settings", [LOVE, LONG, Settings(example="cat", mask="causal")])
@pytest.mark.parametrize("main", ["S", "A", "O"])
def test_every_cell_names_exactly_its_sources(settings: Settings, main: str) -> None:
    graph, message = graph_of(settings), contents(settings, main)
    for key, matrix in message["matrices"].items():
        for place, spans in matrix.get("from", {}).items():
            row, col = map(int, place.split(","))
            told = [cell for span in spans for cell in spread(span)]
            assert sorted(told) == sorted(map(str, graph.explain(key, row, col).sources))


def terms_of(node: Any) -> list[list[Any]]:
    """The numbers with a cell in a derivation, in reading order."""
    if not isinstance(node, list):
        return []
    if node and node[0] == "num":
        return [node]
    return [found for child in node for found in terms_of(child)]


def test_a_derivation_shows_its_terms_with_their_cells() -> None:
    why = contents(LOVE, "S")["why"]["S:0,1"]
    assert why["title"] == "How «I» scores «love»"
    assert why["text"] == "S[I, love] = q_I · k_love = 2·2 + 0·1 + 1·1 = 5"
    terms = [(text, cell, role) for _, text, cell, role in terms_of(why["line"])]
    assert terms == [
        ("2", "Q:0,0", "q"),
        ("2", "K_T:0,1", "k"),
        ("0", "Q:0,1", "q"),
        ("1", "K_T:1,1", "k"),
        ("1", "Q:0,2", "q"),
        ("1", "K_T:2,1", "k"),
    ]
    assert why["line"][-1] == ["res", "5"]


def test_small_boards_bring_all_derivations_and_large_ones_none() -> None:
    small, large = contents(LOVE, "S"), contents(LONG, "S")
    cells = sum(m.value.size for m in graph_of(LOVE).behind("S"))
    assert len(small["why"]) == cells
    assert large["why"] == {}
    assert len(json.dumps(small)) < 60_000
    assert len(json.dumps(large)) < 60_000


def test_masked_cells_are_marked_and_the_largest_too() -> None:
    settings = Settings(mask="causal", largest=True)
    S = contents(settings, "S")["matrices"]["S"]
    assert S["blocked"] == [[0, 1], [0, 2], [1, 2]]
    assert S["marks"] == [[1], [0, 1, 2], [1]]
    masked = contents(settings, "S_masked")["matrices"]["S_masked"]
    assert masked["cells"][0] == ["0.577", "−∞", "−∞"]
    assert masked["marks"][0] == [0]


def test_equal_numbers_have_equal_colours_on_every_board() -> None:
    levels: dict[tuple[str, str], set[int]] = {}
    for settings in (LOVE, LONG, Settings(example="cat")):
        for matrix in contents(settings, "S")["matrices"].values():
            for texts, colours in zip(matrix["cells"], matrix["level"], strict=True):
                for text, level in zip(texts, colours, strict=True):
                    levels.setdefault((matrix["role"], text), set()).add(level)
    assert all(len(found) == 1 for found in levels.values())
    assert levels["s", "0"] == {0}


def test_edited_cells_are_marked_as_such() -> None:
    settings = Settings(edits=((Cell("X", 0, 1), 2.5),))
    matrices = contents(settings, "S")["matrices"]
    assert matrices["X"]["edited"] == {"0,1": 2.5}
    assert matrices["X"]["cells"][0][1] == "2.500"
    assert "edited" not in matrices["W_Q"]


def test_equal_boards_have_one_name_and_different_ones_two() -> None:
    assert numbers(LOVE, "S").id == numbers(Settings(d_k=0, edits=()), "S").id
    assert numbers(LOVE, "S").id != numbers(Settings(decimals=2, mask="causal"), "S").id


def test_the_text_that_travels_holds_the_contents() -> None:
    sent = numbers(LOVE, "S")
    assert json.loads(sent.text) == contents(LOVE, "S")
    assert sent.explained == set(contents(LOVE, "S")["why"])
