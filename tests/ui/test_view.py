"""The viewer's place on the board in the link."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_core import EXAMPLES, Cell
from ui.board.layout import Layout, Stage
from ui.board.view import View, read_view, view_of

GRAPH = EXAMPLES["love"].graph()
S = Layout("S").on(GRAPH)
START = Cell("S", 0, 1)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=5,
)


@pytest.mark.parametrize(
    "view",
    [
        View(start=START, cell=START),
        View(start=START, cell=None),
        View(start=START, cell=None, step=0),
        View(start=START, cell=START, step=0),
        View(Cell("X", 2, 3), (Cell("S", 2, 0), Cell("S", 2, 1)), 4, True, True, START),
    ],
)
def test_a_link_gives_back_the_view(view: View) -> None:
    assert read_view(view.query(), GRAPH, S, START) == (view, [])


def test_a_repeated_cell_is_no_fault() -> None:
    view, notices = read_view({"seen": "S:2,0;S:2,0"}, GRAPH, S)
    assert view.seen == (Cell("S", 2, 0),)
    assert notices == []


def test_a_whole_row_and_a_whole_matrix_stand_for_their_cells() -> None:
    view, notices = read_view({"seen": "S:2;S:0,1"}, GRAPH, S)
    assert view.seen == (*(Cell("S", 2, col) for col in range(3)), Cell("S", 0, 1))
    assert notices == []
    assert view.query()["seen"] == "S:2;S:0,1"
    everything = [str(Cell("S", row, col)) for row in range(3) for col in range(3)]
    assert view_of({"seen": everything}, GRAPH, S).query()["seen"] == "S"
    assert len(read_view({"seen": "S"}, GRAPH, S)[0].seen) == 9
    for wrong in ("S:3", "Z", "S:x", "S:2:1"):
        assert read_view({"seen": wrong}, GRAPH, S)[1], wrong


def test_without_a_word_the_page_pins_its_own_cell() -> None:
    assert read_view({}, GRAPH, S, START)[0].cell == START
    assert View(cell=START, start=START).query() == {}
    assert View(cell=None, start=START).query() == {"cell": "none"}


def test_before_the_first_step_no_cell_is_pinned() -> None:
    assert read_view({"step": "0"}, GRAPH, S, START)[0] == View(step=0, start=START)
    assert View(step=0, start=START).query() == {"step": "0"}
    assert read_view({"step": "1"}, GRAPH, S, START)[0].cell == START


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("cell", "S:7,7", "pins the cell S:7,7, which is not on this board"),
        ("cell", "O:0,0", "pins the cell O:0,0, which is not on this board"),
        ("cell", "<b>", "pins the cell <b>"),
        ("cell", "Z" * 999, "pins the cell ZZZ"),
        ("seen", "S:9,9", "reveals cells that are not on this board"),
        ("step", "10", "step=10: wanted a whole number from 0 to 9"),
        ("step", "-1", "step=-1: wanted a whole number"),
        ("step", "9" * 400, "wanted a whole number"),
        ("open", "yes", "open=yes: wanted 1 or nothing"),
        ("edit", "0", "edit=0: wanted 1 or nothing"),
    ],
)
def test_a_bad_place_is_named(name: str, text: str, said: str) -> None:
    view, notices = read_view({name: text}, GRAPH, S)
    assert view == View()
    assert len(notices) == 1
    assert said in notices[0]


@given(st.dictionaries(st.sampled_from(["seq", "cell", "seen", "step", "open", "edit"]), JSON))
def test_whatever_the_browser_says_gives_a_view_that_can_be_linked(said: dict[str, Any]) -> None:
    view = view_of(said, GRAPH, S)
    assert view.cell is None or GRAPH[view.cell.symbol].value.size
    again, notices = read_view(view.query(), GRAPH, S)
    assert again == view
    assert notices == []


@pytest.mark.parametrize("said", [{"step": True}, {"step": 3.0}, {"step": 99}, {"step": "3"}])
def test_only_a_whole_number_of_cells_is_a_step(said: dict[str, Any]) -> None:
    assert view_of(said, GRAPH, S).step is None
    assert view_of({"step": 3}, GRAPH, S).step == 3


def test_only_what_stands_on_the_board_can_be_pinned() -> None:
    layout = Layout("O", stages=(Stage("", (("S",), ("O",))),)).on(GRAPH)
    assert read_view({"cell": "S:0,1"}, GRAPH, layout)[0].cell == Cell("S", 0, 1)
    view, notices = read_view({"cell": "A:0,1"}, GRAPH, layout)
    assert view.cell is None
    assert "A:0,1, which is not on this board" in notices[0]
    assert view_of({"cell": "A:0,1"}, GRAPH, layout).cell is None
