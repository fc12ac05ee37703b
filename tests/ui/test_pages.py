"""The pages run on the server: whatever the link says, there is a page and never a traceback."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from ui.board.derivation import why
from ui.board.view import MAX_SEEN
from ui.lesson import graph_of
from ui.pages import (
    COURSE,
    EMBED,
    MASK,
    MIX,
    ORDER,
    PAGES,
    PLAYGROUND,
    PROJECT,
    SCALE,
    SCORE,
    SOFTMAX,
    STREAM,
    WHOLE,
    Page,
)
from ui.readers import read_cell
from ui.settings import Settings

ROOT = Path(__file__).parents[2]


def open_page(file: str = SCORE.file, **query: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
    if file != "app.py":
        app.switch_page(file)
    for name, text in query.items():
        app.query_params[name] = text
    app.run()
    assert list(app.exception) == []
    return app


def parts(app: AppTest) -> dict[str, Any]:
    """What the components of a page are told, by their kind: a board, and charts."""
    found: dict[str, Any] = {}
    for component in app.get("bidi_component"):
        found |= json.loads(component.proto.json)
    return found


def board(app: AppTest) -> dict[str, Any]:
    message: dict[str, Any] = parts(app)["board"]
    numbers: dict[str, Any] = json.loads(message["numbers"])
    return numbers | message


def prose(app: AppTest) -> str:
    return "\n".join(element.proto.body for element in app.get("html"))


def test_every_file_in_pages_is_in_the_navigation() -> None:
    files = {f"pages/{path.name}" for path in (ROOT / "pages").glob("*.py")}
    assert files == {page.file for page in PAGES} - {"app.py"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.title)
@pytest.mark.parametrize(
    "query",
    [
        {},
        {"example": "hand", "decimals": "2"},
        {"example": "cat", "mask": "causal", "largest": "1"},
        {"text": "one"},
        {"text": "a b c d e f g h i j k l m n", "d_k": "8", "d_model": "8", "mask": "window"},
        {"text": "<b>x</b> $y$ **z** :smile: 1 2024-01-01", "mask": "padding"},
        {"text": "你好", "split": "characters"},
        {"edits": "X:0,1=2.5;W_Q:0,0=-1000", "cell": "S:0,1", "step": "3", "open": "1"},
        {"mask": "custom", "allow": "000.110.111", "tied": "1", "scale": "-2", "shift": "1"},
        {"scale": "1000", "edits": "X:0,0=1000;X:1,0=-1000", "code": "module", "maths": "1"},
        {"text": "no no no", "scale": "0", "walk": "cells", "step": "0"},
        {"mask": "custom", "allow": "1", "scale": "loud", "walk": "run", "code": "java"},
        {"d_k": "99", "v": "0", "cell": "S:99,99", "nonsense": "<script>", "text": " "},
    ],
    ids=str,
)
def test_every_page_opens_from_every_link(page: Any, query: dict[str, str]) -> None:
    app = open_page(page.file, **query)
    assert '<h1 class="question">' in prose(app)


def test_the_board_is_one_mount_with_the_whole_path_to_the_scores() -> None:
    app = open_page()
    assert len(app.get("bidi_component")) == 1
    message = board(app)
    assert list(message["matrices"]) == ["X", "W_Q", "W_K", "Q", "K", "K_T", "S"]
    assert message["matrices"]["S"]["cells"] == [["1", "5", "3"], ["3", "3", "3"], ["2", "4", "3"]]
    main, *origins = message["equations"]
    signs = [item.get("m", item.get("sign")) for item in main["items"]]
    assert signs == ["Q", "×", "K_T", "=", "S"]
    assert [equation["of"] for equation in origins] == ["Q", "K", "K_T"]


def test_it_asks_before_it_tells() -> None:
    message = board(open_page())
    assert message["hidden"] == ["S:2,0", "S:2,1", "S:2,2"]
    ask = message["ask"]
    assert ask["title"] == "How large is the largest score in the row of «AI»?"
    assert ask["pin"] == "S:2,1"
    assert ask["right"] == "Yes, 4: the largest score in this row is for «love»."
    assert ask["given"] == "It is 4: the largest score in this row is for «love»."


def test_ties_are_told_as_ties() -> None:
    ask = board(open_page(example="hand"))["ask"]
    assert ask["right"] == "Yes, 1: «t2» and «t3» share the largest score."


def test_the_maths_is_drawn_when_it_is_opened_and_the_link_says_so() -> None:
    assert len(open_page().latex) == 0
    app = open_page(maths="1")
    assert r"S = Q K^{\top}" in app.latex[0].value
    assert "S = Q @ K_T" in app.code[0].value
    assert "Q is 3 × 3, Kᵀ is 3 × 3, S is 3 × 3." in app.markdown[0].value


def test_a_bad_link_is_told_word_for_word_and_nothing_in_it_is_markup() -> None:
    app = open_page(d_k="99", nonsense="<script>alert(1)</script>", cell="S:9,9")
    text = prose(app)
    assert "The link says d_k=99: wanted a whole number from 1 to 8." in text
    assert "nonsense=&lt;script&gt;" in text
    assert "pins the cell S:9,9" in text
    assert "<script>alert" not in text


def test_the_controls_show_what_the_link_says() -> None:
    app = open_page(example="own", text="to be or not", d_k="5", mask="causal", decimals="1")
    assert app.radio(key="set_example").value == "own"
    assert app.text_input(key="set_text").value == "to be or not"
    assert app.slider(key="set_d_k").value == 5
    assert app.radio(key="set_mask").value == "causal"
    assert app.slider(key="set_decimals").value == 1


def test_a_control_changes_the_board_and_the_link() -> None:
    app = open_page()
    app.slider(key="set_d_k").set_value(2).run()
    assert board(app)["matrices"]["Q"]["shape"] == "3\u00a0×\u00a02"
    assert app.query_params["d_k"] == "2"
    app.radio(key="set_example").set_value("cat").run()
    assert board(app)["matrices"]["Q"]["shape"] == "4\u00a0×\u00a04"
    assert "d_k" not in app.query_params


def test_typing_a_sentence_makes_it_the_own_example() -> None:
    app = open_page(edits="X:0,1=2.5", cell="S:2,2")
    app.text_input(key="set_text").set_value("the cat the").run()
    X = board(app)["matrices"]["X"]
    assert X["rows"]["labels"] == ["the", "cat", "the"]
    assert X["cells"][0] == X["cells"][2]
    assert app.query_params["example"] == "own"
    assert "edits" not in app.query_params
    assert "cell" not in app.query_params


def test_an_empty_sentence_is_refused_and_nothing_is_lost() -> None:
    app = open_page(text="to be or not")
    app.text_input(key="set_text").set_value("   ").run()
    assert list(app.exception) == []
    assert "The sentence is empty. Type at least one word." in prose(app)
    assert board(app)["matrices"]["X"]["rows"]["labels"] == ["to", "be", "or", "not"]


def test_a_large_board_brings_the_derivation_of_the_pinned_cell() -> None:
    message = board(open_page(text="a b c d e f g h i j k l", d_k="8", d_model="8", cell="Q:3,1"))
    assert list(message["why"]) == ["Q:3,1"], "and no other"
    assert message["why"]["Q:3,1"]["title"] == "Component 2 of the query of «d»"


def test_a_link_to_share_holds_every_setting() -> None:
    link = board(open_page(example="cat", mask="causal", decimals="1", edits="X:0,0=2"))["link"]
    assert link == "?v=1&example=cat&mask=causal&decimals=1&edits=X%3A0%2C0%3D2.0"


def menu(app: AppTest) -> list[tuple[str, str, bool]]:
    """The links of the menu: text, address, and whether it is the page that is open."""
    text = next(body for body in prose(app).split("\n") if 'aria-label="Pages"' in body)
    found = re.findall(r'<a data-go(?: class="walk")? href="([^"]*)"([^>]*)>([^<]*)</a>', text)
    return [(name, unescape(address), "aria-current" in rest) for address, rest, name in found]


def test_the_menu_leads_to_every_page_and_carries_the_settings() -> None:
    app = open_page(MIX.file, example="cat", mask="causal")
    *pages, walk = menu(app)
    assert [name for name, _, _ in pages] == [page.label for page in PAGES]
    assert [name for name, _, here in pages if here] == [MIX.label]
    assert {address.partition("?")[2] for _, address, _ in pages} == {"v=1&example=cat&mask=causal"}
    assert pages[0][1].startswith("./?")
    assert walk[1] == "Mix?v=1&example=cat&mask=causal&walk=pages"


@pytest.mark.parametrize("page", COURSE, ids=lambda page: page.title)
@pytest.mark.parametrize("example", ["love", "hand", "cat", "own"])
def test_every_step_asks_before_it_tells_and_has_a_sentence_to_take_away(
    page: Page, example: str
) -> None:
    app = open_page(page.file, example=example)
    message = board(app)
    # What a mask will do can be asked while nothing is hidden yet.
    assert message["ask"]["pin"] in message["hidden"] or page == MASK
    assert 'class="takeaway"' in prose(app)
    assert f"step {page.step} of 8" in prose(app)
    assert [box.label for box in app.expander] == ["The maths"]


@pytest.mark.parametrize("page", COURSE, ids=lambda page: page.title)
def test_an_answer_is_a_number_on_the_board_or_one_of_the_options(page: Page) -> None:
    message = board(open_page(page.file))
    ask = message["ask"]
    if ask["options"]:
        assert any(right for _, right in ask["options"])
        assert not all(right for _, right in ask["options"])
        return
    key, row, col = read_cell(ask["pin"])
    shown = message["matrices"][key]["cells"][row][col]
    assert shown in ask["right"]
    assert shown in ask["given"]
    if ask["within"]:
        low, high = ask["within"]
        assert low <= float(shown.replace("−", "-")) <= high


def test_pages_turn_in_the_order_of_the_course() -> None:
    turn = next(body for body in prose(open_page(PROJECT.file)).split("\n") if "nav class=" in body)
    assert re.findall(r'href="(\w+)\?', turn) == ["Embed", "Score"]


def test_what_a_page_is_about_is_changed_in_the_page_itself() -> None:
    """On a phone the sidebar is closed."""
    for page, key in ((PROJECT, "tied"), (SCALE, "scale"), (MASK, "mask"), (SOFTMAX, "shift")):
        app = open_page(page.file)
        keys = {
            widget.key
            for kind in ("radio", "toggle", "button_group")
            for widget in app.main.get(kind)
        }
        assert f"set_{key}" in keys


def test_a_special_setting_can_be_taken_back_on_every_page() -> None:
    assert not [t for t in open_page(SCORE.file).toggle if t.key == "set_tied"]
    app = open_page(SCORE.file, tied="1")
    app.toggle(key="set_tied").set_value(False).run()
    assert "tied" not in app.query_params


def test_choosing_a_mask_of_ones_own_starts_from_the_present_one() -> None:
    app = open_page(MASK.file, mask="causal")
    app.radio(key="set_mask").set_value("custom").run()
    assert app.query_params["allow"] == "100.110.111"
    assert board(app)["matrices"]["M"]["cells"][0] == ["0", "−∞", "−∞"]


def test_a_number_typed_into_a_weight_stays_when_the_sentence_changes() -> None:
    """Parameters are the same for every sentence; embeddings are not."""
    app = open_page(PROJECT.file, text="one two", edits="X:0,0=9;W_Q:0,0=7")
    app.text_input(key="set_text").set_value("three four five").run()
    assert app.query_params["edits"] == "W_Q:0,0=7.0"
    assert board(app)["matrices"]["W_Q"]["cells"][0][0] == "7"


def test_scores_too_large_for_plain_exponentials_are_shifted_and_said_so() -> None:
    plain = open_page(SOFTMAX.file)
    assert "S_shift" not in board(plain)["matrices"]
    app = open_page(SOFTMAX.file, edits="X:0,0=1000")
    assert "S_shift" in board(app)["matrices"]
    assert "So the row maximum is subtracted first." in prose(app)


def test_symmetry_is_told_as_it_is() -> None:
    assert "«I» scores «love» 5, and «love» scores «I» 3" in json.dumps(
        board(open_page(PROJECT.file))["equations"], ensure_ascii=False
    )
    assert "S is symmetric now" in json.dumps(board(open_page(PROJECT.file, tied="1"))["equations"])


def test_an_example_without_embeddings_says_so() -> None:
    for page in (EMBED, PROJECT, WHOLE):
        assert "begins with Q, K and V" in prose(open_page(page.file, example="hand"))
        assert "begins with Q, K and V" not in prose(open_page(page.file))


def test_a_row_that_seems_not_to_add_up_is_explained() -> None:
    said = json.dumps(board(open_page(MASK.file))["equations"], ensure_ascii=False)
    assert "the row of «love» seems not to: 0.333 + 0.333 + 0.333 gives 0.999" in said
    said = json.dumps(board(open_page(MASK.file, mask="causal"))["equations"], ensure_ascii=False)
    assert "Each row of A adds up to 1" in said
    assert "seems not to" not in said


def test_a_hidden_weight_is_not_told_by_the_sum_of_its_row() -> None:
    """Three equal weights, one of them asked for: their sum would tell it."""
    message = board(open_page(SOFTMAX.file, text="no no no"))
    assert message["hidden"] == ["A:2,0"]
    said = json.dumps(message["equations"], ensure_ascii=False)
    assert "seems not to" in said, "the first row is told"
    assert "gives 0.999" in said


def test_the_answer_about_an_output_is_pinned_where_that_token_adds_most() -> None:
    app = open_page(MIX.file, example="cat")
    message = board(app)
    cell = message["ask"]["pin"]
    assert message["ask"]["given"].startswith("The answer: «sat»")
    settings = Settings(example="cat")
    parts = message["why"].get(cell) or why(graph_of(settings), read_cell(cell), settings)
    assert [p["token"] for p in parts["blend"]["parts"] if p["most"]] == ["sat"]


@pytest.mark.parametrize(
    ("scale", "answer"),
    [("root", "The same token"), ("-1", "Another token"), ("0", "All will tie")],
)
def test_scaling_is_asked_as_it_is(scale: str, answer: str) -> None:
    options = board(open_page(SCALE.file, scale=scale))["ask"]["options"]
    assert [text for text, right in options if right] == [answer]


def test_the_question_of_the_mask_stays_while_cells_are_clicked() -> None:
    none = board(open_page(MASK.file))["ask"]
    clicked = board(open_page(MASK.file, mask="custom", allow="111.101.111"))["ask"]
    assert (none["id"], none["pin"]) == (clicked["id"], clicked["pin"])
    assert board(open_page(MASK.file, mask="causal"))["ask"]["pin"] == "S_masked:1,0"


def test_a_mask_of_ones_own_is_offered_where_its_cells_can_be_clicked() -> None:
    for page, mask, offered in (
        (MASK, "none", True),
        (PLAYGROUND, "none", True),
        (MIX, "none", False),
        (MIX, "custom", True),
    ):
        options = open_page(page.file, mask=mask).radio(key="set_mask").options
        assert any(text.startswith("custom") for text in options) == offered


@pytest.mark.parametrize(
    ("query", "answer", "because"),
    [
        ({}, "The same", "a sum does not depend on the order of its terms"),
        ({"example": "hand", "positions": "1"}, "The same", "a sum does not depend"),
        ({"mask": "padding"}, "The same", "a sum does not depend"),
        ({"positions": "1"}, "Another one", "Positions stay where they are"),
        ({"mask": "causal"}, "Another one", "The mask stays where it is"),
        ({"mask": "window", "positions": "1"}, "Another one", "get other ones. The mask stays"),
        ({"text": "no way no"}, "The same", "a sum does not depend"),
        ({"text": "no way no", "positions": "1"}, "Another one", "tokens that move get other ones"),
        ({"scale": "0", "positions": "1"}, "The same", "does not tell the order"),
    ],
    ids=str,
)
def test_the_other_order_is_asked_as_it_is(
    query: dict[str, str], answer: str, because: str
) -> None:
    message = board(open_page(ORDER.file, **query))
    ask = message["ask"]
    assert [text for text, right in ask["options"] if right] == [answer]
    assert because in ask["given"]
    last = len(message["matrices"]["X" if "X" in message["matrices"] else "Q"]["cells"]) - 1
    rows = {cell.partition(",")[0] for cell in message["hidden"]}
    told = {f"{key}:{row}" for key in ("O_P", "O_back", "O_diff") for row in range(last + 1)}
    assert rows == told, "no output of the other order, and no difference"
    D = message["matrices"]["O_diff"]["cells"]
    assert all(text == "0" for text in D[0]) == (answer == "The same")


def test_another_order_is_asked_anew_and_the_question_needs_two_tokens() -> None:
    app = open_page(ORDER.file, seen="O_diff:0,0", cell="A:0,0")
    app.toggle(key="set_positions").set_value(True).run()
    assert dict(app.query_params) == {"v": "1", "positions": "1"}
    assert board(open_page(ORDER.file, text="one"))["ask"] is None
    large = board(open_page(ORDER.file, text="a b c d e f g h i j k l", d_v="8"))
    assert len(large["hidden"]) <= MAX_SEEN, "so that all of it can be revealed"
    assert "One token has no order" in prose(open_page(ORDER.file, text="one"))


def test_the_order_is_chosen_where_it_means_something() -> None:
    here = open_page(ORDER.file, order="rotated", positions="1")
    assert "set_order" in {group.key for group in here.main.get("button_group")}
    there = open_page(SCORE.file, order="rotated", positions="1")
    assert not [t for t in there.toggle if t.key == "set_positions"]
    assert "order=rotated" in menu(there)[0][1], "the menu carries it on"


def test_tokens_of_the_other_order_are_lit_by_themselves() -> None:
    message = board(open_page(ORDER.file, mask="padding"))["matrices"]
    assert message["A"]["rows"]["axis"] == message["O_back"]["rows"]["axis"] == "token"
    assert message["A_P"]["rows"]["axis"] == message["P"]["rows"]["axis"] == "token-n_P"
    assert message["A"]["blocked"] == [[0, 2], [1, 2], [2, 2]]
    assert message["A_P"]["blocked"] == [[0, 0], [1, 0], [2, 0]], "padding moves with its token"
    assert "blocked" not in message["P"]


def test_the_whole_sum_is_asked_and_told_nowhere_else() -> None:
    message = board(open_page(STREAM.file, layers="3"))
    assert message["ask"]["pin"] == "X_sum:2,0"
    assert {cell.partition(":")[0] for cell in message["hidden"]} == {"X_sum", "X_3"}
    assert list(message["matrices"]["X_sum"]["from"]["rule"]) == [
        "X:{i},{j}",
        "U_1:{i},{j}",
        "U_2:{i},{j}",
        "U_3:{i},{j}",
    ]
    app = open_page(STREAM.file, example="hand")
    assert "begins with Q, K and V" in prose(app)
    assert board(app)["ask"]["pin"].startswith("O:")


def test_two_controls_changed_at_once_are_both_taken_up() -> None:
    """The browser sends both before it has the answer to the first."""
    app = open_page(PLAYGROUND.file)
    app.slider(key="set_d_k").set_value(2)
    app.radio(key="set_mask").set_value("custom")
    app.run()
    assert list(app.exception) == []
    assert app.query_params["d_k"] == "2"
    assert app.query_params["allow"] == "111.111.111"


def test_a_sentence_that_follows_an_example_is_not_taken_for_a_typed_one() -> None:
    """Who goes through the examples quickly lets the browser send the sentence of the last one."""
    app = open_page(SCORE.file)
    app.radio(key="set_example").set_value("cat").run()
    app.radio(key="set_example").set_value("hand").run()
    app.text_input(key="set_text").set_value("The cat sat down").run()
    assert app.query_params["example"] == "hand"
    app.radio(key="set_example").set_value("cat")
    app.slider(key="set_d_k").set_value(3)
    app.run()
    assert app.query_params["example"] == "cat"
    assert "text" not in app.query_params
    assert "d_k" not in app.query_params


def test_a_mask_of_ones_own_without_a_word_blocks_nothing() -> None:
    message = board(open_page(MASK.file, mask="custom"))
    assert message["matrices"]["M"]["cells"] == [["0"] * 3] * 3


@pytest.mark.parametrize("decimals", range(5))
@pytest.mark.parametrize("text", ["a b c d e f g h i j k l", "one two three four five six"])
def test_only_what_hand_arithmetic_gives_answers_the_question_of_the_missing_weight(
    decimals: int, text: str
) -> None:
    message = board(open_page(SOFTMAX.file, text=text, decimals=str(decimals)))
    low, high = message["ask"]["within"]
    cell = read_cell(message["ask"]["pin"])
    row = [float(shown) for shown in message["matrices"]["A"]["cells"][cell.row]]
    by_hand = 1 - (sum(row) - row[cell.col])
    assert low <= by_hand <= high
    assert high - low <= abs(by_hand - row[cell.col]) + 2 * 10.0**-decimals


@pytest.mark.parametrize(
    ("page", "query", "asked"),
    [
        (MIX, {"scale": "0", "mask": "causal"}, None),  # all open keys are alike in every row
        (MIX, {"example": "cat", "scale": "0.01", "decimals": "0"}, None),  # all are shown as 0
        (MIX, {"example": "hand", "decimals": "0"}, "in the output of «t2»?"),
        (MIX, {"example": "cat", "mask": "padding"}, "Whose value has the largest share"),
    ],
    ids=str,
)
def test_whose_share_is_largest_is_asked_where_the_shown_weights_tell(
    page: Page, query: dict[str, str], asked: str | None
) -> None:
    ask = board(open_page(page.file, **query))["ask"]
    assert (ask is None) == (asked is None)
    assert asked is None or asked in ask["title"]


def test_a_largest_number_that_others_look_like_is_said_to_be_so() -> None:
    query = {"edits": "W_K:0,0=1.3", "decimals": "0"}  # AI scores love 4 and AI 4.3
    ask = board(open_page(SCORE.file, **query))["ask"]
    assert ask["right"] == (
        "Yes, 4: the largest score in this row is for «AI», by less than the decimals show."
    )
