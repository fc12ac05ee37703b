"""What the board is told: every number as computed, every source, and no more bytes than needed."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from attention_core import Cell
from attention_core.rounding import show
from ui.board import payload
from ui.board.layout import Layout, Line, Stage
from ui.board.payload import numbers
from ui.lesson import graph_of
from ui.settings import Settings

LOVE = Settings()
LONG = Settings(example="own", text="a b c d e f g h i j k l", d_k=8, d_model=8)


def contents(settings: Settings, layout: Layout | str, form: str = "plain") -> dict[str, Any]:
    """What a board is told; a key stands for the board that leads to it."""
    return payload.contents(
        settings, form, layout if isinstance(layout, Layout) else Layout(layout)
    )


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


def told(matrix: dict[str, Any], row: int, col: int) -> list[str]:
    """The sources of a cell, as the board reads them."""
    rule = matrix["from"].get("rule")
    spans = (
        [span.replace("{i}", str(row)).replace("{j}", str(col)) for span in rule]
        if rule is not None
        else matrix["from"].get(f"{row},{col}", [])
    )
    return sorted(cell for span in spans for cell in spread(span))


@pytest.mark.parametrize(
    "settings",
    [
        LOVE,
        LONG,
        Settings(example="cat", mask="causal"),
        Settings(mask="custom", allow="101.000.110", scale="0"),
    ],
)
@pytest.mark.parametrize(
    ("main", "form"), [("S", "plain"), ("O", "plain"), ("O_H", "look-up"), ("O", "steps")]
)
def test_every_cell_names_exactly_its_sources(settings: Settings, main: str, form: str) -> None:
    graph, message = graph_of(settings, form), contents(settings, main, form)
    computed = [key for key, matrix in message["matrices"].items() if "from" in matrix]
    assert computed == [m.key for m in graph.behind(main) if m.op is not None]
    for key in computed:
        matrix = message["matrices"][key]
        for row in range(len(matrix["cells"])):
            for col in range(len(matrix["cells"][0])):
                wanted = sorted(map(str, graph.explain(key, row, col).sources))
                assert told(matrix, row, col) == wanted, f"{key}:{row},{col}"


def test_one_rule_stands_for_all_cells_that_follow_it_and_for_no_others() -> None:
    whole = contents(LONG, "O")["matrices"]
    assert whole["S"]["from"] == {"rule": ["Q:{i},0-7", "K_T:0-7,{j}"]}
    assert whole["K_T"]["from"] == {"rule": ["K:{j},{i}"]}
    assert whole["A"]["from"] == {"rule": ["S_masked:{i},0-11"]}
    causal = contents(replace(LONG, mask="causal"), "O")["matrices"]
    assert causal["S"]["from"] == whole["S"]["from"]
    assert causal["A"]["from"]["2,1"] == ["S_masked:2,0-2"]
    assert "2,5" not in causal["A"]["from"], "a blocked weight is 0 whatever the scores are"


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


def test_derivations_are_sent_along_in_whole_matrices_and_modestly() -> None:
    message = contents(LOVE, "O")
    told = [cell.partition(":")[0] for cell in message["why"]]
    assert told.count("O") == 9
    assert "X" not in told, "too many to send them all"
    assert all(told.count(key) == graph_of(LOVE)[key].value.size for key in told)
    assert len(json.dumps(message["why"], ensure_ascii=False)) < 60_000


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
    board = "plain", Layout("S")
    assert numbers(LOVE, *board).id == numbers(Settings(example="love", d_k=3), *board).id
    assert numbers(LOVE, *board) is numbers(Settings(maths=True), *board), "computed once"
    assert numbers(LOVE, *board).id != numbers(Settings(decimals=2, mask="causal"), *board).id
    assert numbers(LOVE, *board).id != numbers(LOVE, "plain", Layout("S", tags=True)).id


def test_the_text_that_travels_holds_the_contents() -> None:
    sent = numbers(LOVE, "plain", Layout("S"))
    assert json.loads(sent.text) == contents(LOVE, "S")
    assert sent.explained == set(contents(LOVE, "S")["why"])


WHOLE = Layout(
    "X_out",
    stages=(
        Stage("Before", (("X",), ("W_Q", "W_K", "W_V"), ("Q", "K", "V"))),
        Stage("Attend", (("S", "A"), ("S_scaled", "O"))),
        Stage("After", (("U",), ("X_out",))),
    ),
)


def test_stages_draw_what_they_name_and_know_what_lies_between() -> None:
    message = contents(LOVE, WHOLE, "whole")
    matrices = message["matrices"]
    between = {key for key, matrix in matrices.items() if matrix.get("between")}
    assert between == {"K_T", "M", "S_masked", "W_O"}
    assert message["equations"] == []
    assert json.loads(json.dumps(message["stages"][1])) == {
        "title": "Attend",
        "columns": [["S", "A"], ["S_scaled", "O"]],
    }
    assert {cell.partition(":")[0] for cell in message["why"]} <= set(matrices) - between


def test_captions_of_stages_are_definitions_in_one_line() -> None:
    matrices = contents(LOVE, WHOLE, "whole")["matrices"]
    assert matrices["S"]["definition"] == [
        "row", ["i", "Q"], "\u2009", ["row", ["i", "K"], ["sup", "T"]],
    ]  # fmt: skip
    assert matrices["S_scaled"]["definition"][2] == " / "
    assert "definition" not in matrices["X"]
    assert "definition" not in contents(LOVE, "S")["matrices"]["S"], "equations say it themselves"


def test_a_whole_board_of_twelve_tokens_stays_small() -> None:
    message = contents(replace(LONG, d_v=8), WHOLE, "whole")
    size = len(json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode())
    assert size < 30_000


def test_lines_stand_in_front_with_their_titles_and_the_rest_are_origins() -> None:
    layout = Layout("Q", (Line("X"), Line("K", "Keys", "Found by them."), Line("Q"), Line("S")))
    front = [e for e in contents(LOVE, layout)["equations"] if not e.get("origin")]
    assert [e["of"] for e in front] == ["X", "K", "Q", "S"]
    assert front[0]["items"] == [{"m": "X"}]
    assert (front[1]["title"], front[1]["note"]) == ("Keys", "Found by them.")
    assert "title" not in front[2]
    origins = [e["of"] for e in contents(LOVE, layout)["equations"] if e.get("origin")]
    assert origins == ["K_T"], "what a line shows is not shown again"


def test_tags_tell_parameters_from_activations() -> None:
    tagged = contents(LOVE, Layout("O", tags=True))["matrices"]
    assert [tagged[key]["tag"] for key in ("X", "W_V", "A")] == [
        "input",
        "parameters",
        "activations",
    ]
    hand = contents(Settings(example="hand"), Layout("O", tags=True))["matrices"]
    assert hand["Q"]["tag"] == "input"
    assert "tag" not in contents(LOVE, "O")["matrices"]["X"]


def test_only_inputs_of_the_example_can_be_typed_over() -> None:
    matrices = contents(LOVE, "X_out", "whole")["matrices"]
    assert {key for key, matrix in matrices.items() if matrix.get("given")} == {
        "X", "W_Q", "W_K", "W_V", "W_O",
    }  # fmt: skip
    assert "given" not in matrices["M"]
    tied = contents(Settings(tied=True), "S")["matrices"]
    assert "given" in tied["W_Q"]
    assert "given" not in tied["W_K"], "it follows W_Q"


def test_the_mask_is_toggled_only_where_the_page_says_so() -> None:
    assert contents(LOVE, Layout("A", mask_edit=True))["matrices"]["M"]["toggles"] is True
    assert "toggles" not in contents(LOVE, "A")["matrices"]["M"]


def test_a_page_may_always_mark_the_largest() -> None:
    assert contents(LOVE, Layout("S", marks=True))["matrices"]["S"]["marks"][0] == [1]
    assert "marks" not in contents(LOVE, "S")["matrices"]["S"]
