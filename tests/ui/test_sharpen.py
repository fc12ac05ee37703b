"""The lab on one row of scores: its own row in the link, its controls, its questions, its words."""

from __future__ import annotations

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from attention_core import AttentionError, Cell
from tests.ui.test_pages import board, open_page, prose
from ui.board.edits import edited
from ui.given import inputs_of, typed_over
from ui.lesson import graph_of
from ui.pages import SCORE, SHARPEN
from ui.settings import Settings, read_settings
from ui.words import PARTS

LOW = "s:0,0=-5;s:0,1=-6;s:0,2=-5;s:0,3=-4"
LARGE = "s:0,0=10000;s:0,1=-10000"


def lab(**query: str) -> AppTest:
    return open_page(SHARPEN.file, **query)


def shown(app: AppTest, key: str) -> list[str]:
    cells: list[list[str]] = board(app)["matrices"][key]["cells"]
    return cells[0]


def notes(app: AppTest) -> str:
    return json.dumps(board(app)["equations"], ensure_ascii=False)


def right(app: AppTest) -> list[str]:
    return [text for text, is_right in board(app)["ask"]["options"] if is_right]


def test_the_row_is_the_last_tokens_scores_until_it_is_typed_over() -> None:
    assert shown(lab(), "s") == ["2", "4", "3"]
    assert shown(lab(edits="s:0,1=-7.5"), "s") == ["2", "−7.500", "3"]
    assert shown(lab(row="64"), "s") == ["16", "5", "0", "4.500"]


def test_the_row_follows_the_numbers_behind_it_where_it_is_not_typed_over() -> None:
    behind = Settings(edits=((Cell("s", 0, 0), 9.0), (Cell("X", 2, 1), 2.0)))
    (row,) = graph_of(behind, "sharpen")["s"].value.tolist()
    S = graph_of(Settings(edits=((Cell("X", 2, 1), 2.0),)))["S"].value[-1].tolist()
    assert row == [9.0, *S[1:]]


def test_a_mask_and_a_scale_leave_the_row_alone_and_a_mask_is_told() -> None:
    app = lab(mask="padding", scale="off")
    assert shown(app, "s") == ["2", "4", "3"]
    assert "The row is taken before the mask" in prose(app)
    assert "The row is taken before the mask" not in prose(lab())


def test_scores_may_be_larger_than_other_numbers() -> None:
    settings, refused = edited(Settings(), {"typed": {"s:0,0": "10000", "s:0,1": "-1e4"}})
    assert refused == []
    assert read_settings(settings.query()) == (settings, [])
    assert board(lab(edits=LARGE))["matrices"]["s"]["limit"] == 10_000
    assert edited(Settings(), {"typed": {"s:0,0": "10001"}})[1] == [
        "s:0,0 was not changed: s: 10001.0 is not a number from −10000 to 10000."
    ]
    assert "is not a number from −1000" in edited(Settings(), {"typed": {"X:0,0": "10000"}})[1][0]


@pytest.mark.parametrize(
    ("cell", "why"),
    [
        (Cell("s", 0, 9), r"s has no row 1, column 10: it is 1×3\."),
        (Cell("s", 1, 0), r"s has no row 2, column 1: it is 1×3\."),
        (Cell("A", 0, 0), "A is computed and cannot be typed over"),
    ],
)
def test_what_is_not_there_cannot_be_typed_over(cell: Cell, why: str) -> None:
    with pytest.raises(AttentionError, match=why):
        typed_over(Settings(), cell, 1.0)


def test_the_score_that_stood_there_is_no_edit() -> None:
    typed = typed_over(Settings(), Cell("s", 0, 1), 9.0)
    assert typed.edits == ((Cell("s", 0, 1), 9.0),)
    assert typed_over(typed, Cell("s", 0, 1), 4.0).edits == ()


def test_a_typed_score_is_no_news_on_other_pages_and_stays_in_the_link() -> None:
    app = open_page(SCORE.file, edits="s:0,1=9")
    assert "left out" not in prose(app)
    assert "s:0,1=9.0" in board(app)["link"].replace("%3A", ":").replace("%2C", ",").replace(
        "%3D", "="
    )
    assert shown(app, "S") == ["1", "5", "3"]


def test_an_edit_of_a_score_that_is_not_there_is_told() -> None:
    app = lab(edits="s:0,9=1;s:0,1=8")
    assert "The edit s:0,9=1 was left out. s has no row 1, column 10" in prose(app)
    assert shown(app, "s") == ["2", "8", "3"]


def test_all_edits_that_can_be_made_are_made_whatever_their_order() -> None:
    edits = ((Cell("s", 0, 0), 1.0), (Cell("X", 0, 0), 2.0), (Cell("s", 0, 1), 3.0))
    inputs, notices, used = inputs_of(Settings(edits=edits))
    assert (notices, used.edits) == ((), edits)
    assert inputs.given["s"][0, :2].tolist() == [1.0, 3.0]


def test_dragging_a_score_types_it_over() -> None:
    app = lab(drag="1")
    assert app.slider(key="set_score").value == 4.0
    app.slider(key="set_score").set_value(-2.5).run()
    assert app.query_params["edits"] == "s:0,1=-2.5"
    assert shown(app, "s") == ["2", "−2.500", "3"]
    app.selectbox(key="set_drag").set_value(2).run()
    assert app.slider(key="set_score").value == 3.0
    assert app.query_params["edits"] == "s:0,1=-2.5"


def test_a_score_beyond_the_slider_is_not_dragged_and_not_changed() -> None:
    app = lab(edits=LARGE)
    assert not [slider for slider in app.slider if slider.key == "set_score"]
    assert any("10000 is too far to drag" in text.value for text in app.markdown)
    assert shown(app, "s") == ["10000", "−10000", "3"]
    assert app.query_params["edits"] == LARGE


def test_another_row_forgets_what_was_typed_and_another_part_does_not() -> None:
    app = lab(edits="s:0,1=8;X:0,0=2", cell="A:0,2")
    app.button_group(key="set_part").set_value("shift").run()
    assert app.query_params["edits"] == "s:0,1=8.0;X:0,0=2.0"
    assert "cell" not in app.query_params
    app.button_group(key="set_row").set_value("64").run()
    assert app.query_params["edits"] == "X:0,0=2.0"
    assert shown(app, "s") == ["16", "5", "0", "4.500"]


def test_temperature_and_offset_are_in_the_link() -> None:
    app = lab(part="temperature")
    app.select_slider(key="set_tau").set_value(8.0).run()
    assert app.query_params["tau"] == "8"
    assert shown(app, "s_tau") == ["0.250", "0.500", "0.375"]
    app = lab(part="shift")
    app.number_input(key="set_offset").set_value(-2.5).run()
    assert app.query_params["offset"] == "-2.5"


@pytest.mark.parametrize(
    ("name", "text"),
    [("tau", "0"), ("tau", "21"), ("tau", "warm"), ("offset", "1e9"), ("offset", "nan"),
     ("row", "first"), ("part", "all"), ("drag", "12")],
)  # fmt: skip
def test_what_cannot_be_used_is_named(name: str, text: str) -> None:
    app = lab(**{name: text})
    assert f"The link says {name}={text}: wanted" in prose(app)


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("example", ["love", "hand", "cat", "own"])
def test_every_part_asks_before_it_tells(part: str, example: str) -> None:
    app = lab(part=part, example=example, row="64" if example == "own" else "last")
    message = board(app)
    assert message["ask"]["pin"] in message["hidden"]
    if message["ask"]["options"]:
        assert sum(is_right for _, is_right in message["ask"]["options"]) == 1
    assert 'class="takeaway"' in prose(app)


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ({"part": "temperature"}, "It grows"),
        ({"part": "temperature", "tau": "4"}, "It shrinks"),
        ({"part": "temperature", "tau": "1"}, "It stays"),
        ({"part": "temperature", "edits": "s:0,0=3;s:0,1=3"}, "It stays"),
        ({"part": "temperature", "edits": LARGE}, "It stays"),
        ({"part": "shift"}, "It stays"),
        ({"part": "shift", "edits": LARGE}, "It stays"),
        ({"part": "slopes"}, "Smaller"),
        ({"part": "slopes", "row": "64", "tau": "8"}, "Larger"),
        ({"part": "slopes", "tau": "1"}, "The same"),
    ],
)
def test_the_question_is_answered_as_it_is(query: dict[str, str], answer: str) -> None:
    assert right(lab(**query)) == [answer]


@pytest.mark.parametrize("part", PARTS)
def test_a_single_token_is_asked_nothing_and_explains_itself(part: str) -> None:
    message = board(lab(part=part, text="one"))
    assert message["ask"] is None
    assert message["matrices"]["A"]["cells"] == [["1"]]


@pytest.mark.parametrize(
    ("edits", "said"),
    [
        ("", "It works as long as no score is below 0"),
        ("s:0,0=-1", "It breaks: the share of «I» is below 0"),
        ("s:0,0=-9", "It breaks: the share of «love» is below 0"),
        ("s:0,0=-7", "The scores add up to 0, and nothing can be divided by 0"),
        ("s:0,0=-1;s:0,1=-2;s:0,2=-3", "the lowest score gets the largest share"),
    ],
)
def test_where_plain_shares_break_is_told(edits: str, said: str) -> None:
    app = lab(edits=edits)
    assert said in notes(app)
    assert "NaN" not in json.dumps(board(app))
    if "add up to 0" in said:
        assert shown(app, "A_plain") == ["0", "0", "0"]
        assert board(app)["ask"] is None


def test_scores_that_no_exponential_can_hold_are_told() -> None:
    app = lab(part="shift", edits=LARGE)
    assert "E" not in board(app)["matrices"]
    assert "at the limit of what a computer’s number can hold, or beyond it" in notes(app)
    assert "few digits are left" in notes(lab(part="shift", row="64", edits=LOW))
    assert shown(app, "E_m") == ["1", "0", "0.000"] or shown(app, "E_m") == ["1", "0", "0"]
    assert "E" in board(lab(part="shift"))["matrices"]


def test_the_table_of_slopes_holds_the_row_of_the_source_raw_and_scaled() -> None:
    text = prose(lab(part="slopes"))
    for number in ("0.99997", "0.00003", "0.61512", "0.23675"):
        assert f"<td>{number}</td>" in text


def test_links_to_try_change_nothing_else() -> None:
    text = prose(lab(example="cat", decimals="1", edits="X:0,0=2", part="slopes"))
    assert "Sharpen?v=1&amp;example=cat&amp;decimals=1&amp;edits=X%3A0%2C0%3D2.0" in text


def options(app: AppTest, key: str) -> list[Any]:
    return list(app.selectbox(key=key).options)


def test_a_token_is_shown_as_it_is_also_in_the_list() -> None:
    assert options(lab(text="$x$ **z** $x$"), "set_drag") == ["$x$ (1)", "**z**", "$x$ (3)"]
