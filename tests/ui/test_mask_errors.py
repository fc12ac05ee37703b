"""The lab of mask errors: what stands there, what is asked, and what the link says."""

from __future__ import annotations

import json
from html import unescape

import pytest

from tests.ui.test_pages import board, open_page, prose
from ui.pages import MASK, MASKS_LAB
from ui.readers import read_cell
from ui.words import MASK_ERRORS

FILE = MASKS_LAB.file
every_error = pytest.mark.parametrize("error", MASK_ERRORS)
NOTHING_LEFT = {"mask": "custom", "allow": "111.110.000"}


def right(**query: str) -> list[str]:
    return [
        text for text, is_right in board(open_page(FILE, **query))["ask"]["options"] if is_right
    ]


@every_error
@pytest.mark.parametrize(
    "query",
    [
        {},
        {"example": "hand", "mask": "padding"},
        {"example": "cat", "mask": "causal", "scale": "0"},
        {"text": "one", "mask": "custom", "allow": "0"},
        {"text": "one two", "mask": "window", "tied": "1"},
        {"text": "no no no no no no no no no no no no", "d_k": "8", "mask": "causal"},
        {"mask": "custom", "allow": "000.000.000", "maths": "1"},
        {"edits": "X:0,0=1000;X:1,0=-1000", "scale": "1000", **NOTHING_LEFT},
    ],
    ids=str,
)
def test_every_mistake_has_a_board_a_story_and_no_number_that_is_none(
    error: str, query: dict[str, str]
) -> None:
    app = open_page(FILE, error=error, **query)
    message = board(app)
    assert 'class="takeaway"' in prose(app)
    cells = json.dumps([m["cells"] for m in message["matrices"].values()])
    assert "nan" not in cells.lower()
    assert '"∞"' not in json.dumps(message["matrices"], ensure_ascii=False)
    if message["ask"] and message["ask"]["options"]:
        answers = [is_right for _, is_right in message["ask"]["options"]]
        assert any(answers)
        assert not all(answers)


@every_error
def test_the_right_way_stands_beside_the_mistake(error: str) -> None:
    fronts = {
        "late": ["S_masked", "A", "A_scaled", "A_late", "Z_late", "A_renorm"],
        "big": ["S_masked", "A", "S_big", "A_big"],
        "sign": ["S_masked", "A"],
        "corner": ["S_top", "A_top", "S_bottom", "A_bottom"],
    }
    equations = board(open_page(FILE, error=error, mask="causal"))["equations"]
    assert [e["of"] for e in equations if "origin" not in e] == fronts[error]


@pytest.mark.parametrize("error", ["late", "big", "sign"])
def test_cells_of_the_mask_can_be_clicked_here(error: str) -> None:
    app = open_page(FILE, error=error)
    assert board(app)["matrices"]["M"]["toggles"]
    assert any(text.startswith("custom") for text in app.radio(key="set_mask").options)


@pytest.mark.parametrize("error", ["late", "big", "sign"])
def test_while_nothing_is_blocked_there_is_no_mistake_to_see(error: str) -> None:
    app = open_page(FILE, error=error)
    message, said = board(app), unescape(prose(app))
    assert [e["of"] for e in message["equations"] if "origin" not in e] == ["S_masked", "A"]
    assert message["ask"] is None
    assert "Nothing is blocked yet" in said
    assert ">With a causal mask</a>" in said
    for told in ("Too late", "Large is not infinite", "No number at all"):
        assert told not in said


def test_the_late_row_is_asked_where_most_is_lost() -> None:
    message = board(open_page(FILE, mask="causal"))
    assert "What does the row of «I» in " in message["ask"]["title"]
    late = [f"A_late:{row},{col}" for row in (0, 1) for col in range(3)]
    assert message["hidden"] == [*late, "Z_late:0,0", "Z_late:1,0"], "each row would tell it"
    assert message["ask"]["given"].startswith("The answer: it is 0.070: ")
    assert right(mask="causal") == ["Less than 1"]


def test_a_row_of_large_numbers_is_asked_as_it_is() -> None:
    assert right(error="big", mask="causal") == ["Exactly 0"]
    assert right(error="big", **NOTHING_LEFT) == ["The weights as without a mask"]
    even = right(error="big", mask="custom", allow="111.000.111")
    assert even == ["1/3 for each key", "The weights as without a mask"], "its scores are equal"


def test_the_wrong_sign_is_told_in_words() -> None:
    app = open_page(FILE, error="sign", mask="causal")
    assert right(error="sign", mask="causal") == ["There is no number"]
    assert "<td>no number</td>" in prose(app)
    assert (
        "take the largest score of the row off first"
        in (board(open_page(FILE, error="sign", mask="causal"))["ask"]["title"])
    )


@pytest.mark.parametrize(("text", "answer"), [("a b", "1"), ("a b c", "2"), ("a b c d e", "2")])
def test_the_corner_is_counted(text: str, answer: str) -> None:
    assert right(error="corner", text=text) == [answer]
    assert board(open_page(FILE, error="corner", text="a"))["ask"] is None


def test_the_corners_have_masks_of_their_own() -> None:
    """Not the viewer's: it says nothing of it, and hatches what they block."""
    app = open_page(FILE, error="corner", mask="padding", scale="off")
    message = board(app)
    assert [
        place
        for key in ("M_top", "S_top", "A_top")
        for place in [message["matrices"][key]["blocked"]]
    ] == [[[0, 1], [0, 2], [1, 2]]] * 3
    assert "blocked" not in message["matrices"]["S_few_scaled"]
    labels = [label for label, _ in message["facts"]]
    assert "mask" not in labels
    assert "scale" in labels
    assert not [radio for radio in app.radio if radio.key == "set_mask"]


def test_a_link_blocks_every_key_of_one_query() -> None:
    app = open_page(FILE, mask="causal")
    text = unescape(prose(app))
    assert "Masks?v=1&mask=custom&allow=100.110.000" in text
    assert "Masks?v=1&mask=custom&allow=100.110.000&error=big" in text
    app = open_page(FILE, mask="custom", allow="100.110.000")
    assert "Every key is blocked for «AI»." in prose(app)
    assert "<td>no number</td>" in prose(
        open_page(FILE, error="big", mask="custom", allow="100.110.000")
    )


def test_another_mistake_is_another_board() -> None:
    app = open_page(FILE, mask="causal", cell="A_late:1,0", seen="Z_late:0,0")
    app.button_group(key="set_error").set_value("big").run()
    assert list(app.exception) == []
    assert app.query_params["error"] == "big"
    assert "cell" not in app.query_params
    assert "seen" not in app.query_params
    assert "not on this board" not in prose(app)


def test_shares_that_round_to_zero_are_not_called_blocked() -> None:
    query = {"edits": "X:0,0=1000", "scale": "1000", "mask": "padding"}
    said = prose(open_page(FILE, **query))
    assert "Every key is blocked" not in said


@pytest.mark.parametrize("error", ["late", "big", "sign"])
@pytest.mark.parametrize(
    "query",
    [
        {"text": "one two", "allow": "10.10"},
        {"allow": "000.000.000"},
        {"allow": "000.111.111"},
        {"allow": "100.010.001"},
        {"text": "one", "allow": "0"},
    ],
    ids=str,
)
@pytest.mark.parametrize("file", [FILE, MASK.file])
def test_nobody_is_asked_to_block_what_is_blocked(
    file: str, query: dict[str, str], error: str
) -> None:
    """And where a weight goes, there is another key that can take it."""
    query = {"mask": "custom", **query}
    ask = board(open_page(file, error=error, **query))["ask"]
    if ask and str(ask["title"]).startswith("If −∞ is added"):
        row, col = read_cell(ask["pin"])[1:]
        allowed = query["allow"].split(".")[row]
        assert allowed[col] == "1"
        assert allowed.count("1") > 1


HUGE = {
    "scale": "1000",
    "edits": "X:1,1=1000;X:0,0=1000;X:2,1=-1000",
    "mask": "causal",
    "error": "big",
}


def test_a_weight_that_minus_a_billion_does_not_block_is_not_called_small() -> None:
    app = open_page(FILE, **HUGE)
    ask = board(app)["ask"]
    assert right(**HUGE) == ["More than 0"]
    assert ask["given"].startswith("The answer: it is 1. ")
    assert "Some scores are so large here" in prose(app)
    assert "does its work" not in prose(app)
    said = prose(open_page(FILE, error="big", mask="causal"))
    assert "−10⁹ does its work here" in said
    assert "so large here" not in said


def test_rows_that_only_look_alike_are_named() -> None:
    app = open_page(FILE, error="big", **NOTHING_LEFT)
    notes = {e["of"]: e.get("note", "") for e in board(app)["equations"]}
    assert "row of «AI» only looks alike" in notes["S_big"]
    assert "Every key" in notes["A"]
    assert "Each other row of A adds up to 1" in notes["A"]
    equal = board(open_page(FILE, error="big", scale="0", **NOTHING_LEFT))["equations"]
    assert not any("looks alike" in e.get("note", "") for e in equal)


def test_the_story_waits_for_the_answer() -> None:
    """The browser shows it once nothing is asked any more."""
    told = prose(open_page(FILE, mask="causal")).partition('<div class="later parts">')[2]
    assert "Too late" in told
    assert "a mask of −10⁹" in told


@pytest.mark.parametrize(("scale", "asked"), [("3", True), ("1000", False)])
def test_what_rounds_to_a_whole_row_is_not_asked(scale: str, asked: bool) -> None:
    """At 1000 the blocked key has no share that could be missed."""
    query = {"text": "a b", "mask": "custom", "allow": "10.11", "scale": scale}
    assert bool(board(open_page(FILE, **query))["ask"]) == asked
