"""The page on heads: how many fit, what it asks, and what it says of parameters."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import parse_qsl, urlsplit

import pytest

from tests.ui.test_pages import board, open_page, prose
from ui.pages import variant

HEADS = variant("heads")


def heads_on(**query: str) -> int:
    matrices = board(open_page(HEADS.file, **query))["matrices"]
    return max(int(key[2:]) for key in matrices if re.fullmatch(r"A_\d", key))


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ({}, 3),
        ({"h": "1"}, 1),
        ({"example": "cat"}, 2),
        ({"example": "cat", "h": "3"}, 4),
        ({"example": "cat", "h": "8"}, 4),
        ({"text": "a b", "d_k": "8", "d_v": "8", "h": "8"}, 8),
        ({"text": "a b", "d_k": "5", "d_v": "4"}, 1),
    ],
)
def test_so_many_heads_stand_on_the_board_as_the_columns_allow(
    query: dict[str, str], count: int
) -> None:
    assert heads_on(**query) == count


def test_what_is_said_of_w_o_is_read_off_it() -> None:
    cat = {"example": "cat"}
    assert "each feature hears of one head at most. Choose" in prose(open_page(HEADS.file, **cat))
    mixed = prose(open_page(HEADS.file, **cat, edits="W_O:3,0=1"))
    assert "some feature hears of several heads" in mixed
    assert "hear of the last head, too" not in mixed
    few = {"text": "a b c", "d_model": "2", "d_k": "4", "d_v": "8", "h": "4"}
    said = prose(open_page(HEADS.file, **few))
    assert "Nothing at all is heard of heads 2, 3 and 4." in said
    one = prose(open_page(HEADS.file, **cat, h="1"))
    assert "With one head there is nothing to mix" in one
    assert "last head, too" not in one
    assert "and so no <i>W<sub>O</sub></i>" in prose(open_page(HEADS.file, example="hand"))


def test_the_size_of_a_head_is_said_to_be_one() -> None:
    values = [value for _, value in board(open_page(HEADS.file, example="cat"))["facts"]]
    assert values.count("2 in each head") == 2
    whole = board(open_page("pages/3_Score.py", example="cat"))["facts"]
    assert not [value for _, value in whole if "in each head" in value]


def test_a_number_of_heads_that_does_not_fit_is_named() -> None:
    assert "8 heads cannot share" in prose(open_page(HEADS.file, example="cat", h="8"))
    assert "There is one head only" in prose(open_page(HEADS.file, text="a b", d_k="5", d_v="4"))
    assert "cannot share" not in prose(open_page(HEADS.file))


@pytest.mark.parametrize("query", [{"example": "cat"}, {"example": "cat", "h": "4"}, {}])
def test_what_the_question_hides_is_nowhere_else(query: dict[str, str]) -> None:
    message = board(open_page(HEADS.file, **query))
    ask, hidden = message["ask"], set(message["hidden"])
    key, _, place = ask["pin"].partition(":")
    last = int(place.partition(",")[0])
    telling = {key, "O_" + key[2:]} | ({"U", "X_out"} & set(message["matrices"]))
    widths = {name: len(message["matrices"][name]["cells"][last]) for name in telling}
    told = {f"{name}:{last},{col}" for name in telling for col in range(widths[name])}
    head, width = int(key[2:]), widths["O_" + key[2:]]
    told |= {f"O_heads:{last},{col}" for col in range((head - 1) * width, head * width)}
    assert hidden == told, "and what other heads hand over stays in view"
    weights = message["matrices"][key]["cells"][last]
    best = max(map(float, weights))
    assert [right for _, right in ask["options"]] == [float(w) == best for w in weights]


def test_heads_hold_as_many_numbers_as_one() -> None:
    text = re.sub("<[^>]+>", "", prose(open_page(HEADS.file, example="cat"))).replace("\u00a0", " ")
    assert "has 8 × 4 = 32 numbers. 2 heads get 8 × 2 each: 2 · 16 = 32." in text
    assert "67,108,864" in text
    assert "numbers in WQ, WK, WV and WO of one layer" in text
    assert "Where each head also has its own keys and values" in text


def test_a_link_mixes_two_heads() -> None:
    app = open_page(HEADS.file, example="cat")
    (link,) = re.findall(r'href="([^"]*)">Let feature', prose(app))
    query = dict(parse_qsl(urlsplit(unescape(link)).query))
    before = board(app)["matrices"]["U"]["cells"]
    after = board(open_page(HEADS.file, **query))["matrices"]["U"]["cells"]
    assert [a[0] for a in after] != [b[0] for b in before]
    assert [a[1:] for a in after] == [b[1:] for b in before]


def test_without_embeddings_it_ends_at_the_outputs() -> None:
    message = board(open_page(HEADS.file, example="hand", h="2"))
    assert "O_heads" in message["matrices"]
    assert "U" not in message["matrices"]


@pytest.mark.parametrize("mask", ["none", "causal", "padding"])
@pytest.mark.parametrize(
    "query", [{"example": "cat"}, {}, {"text": "a b a b c", "d_v": "6", "d_k": "6"}]
)
def test_the_answer_names_what_both_heads_do(query: dict[str, str], mask: str) -> None:
    message = board(open_page(HEADS.file, **query, mask=mask))
    ask, matrices = message["ask"], message["matrices"]
    key, _, place = ask["pin"].partition(":")
    row = int(place.partition(",")[0])

    def best(name: str) -> list[int]:
        weights = [float(w) for w in matrices[name]["cells"][row]]
        return [col for col, weight in enumerate(weights) if weight == max(weights)]

    other = max(name for name in matrices if re.fullmatch(r"A_\d", name)) if key == "A_1" else "A_1"
    assert ("attends to the same most." in ask["given"]) == (best(key) == best(other))


@pytest.mark.parametrize("decimals", ["0", "1", "3"])
@pytest.mark.parametrize(
    "query",
    [
        {},
        {"example": "hand"},
        {"example": "cat", "h": "4"},
        {"mask": "window"},
        {"mask": "padding"},
        {"mask": "causal"},
        {"scale": "0"},
        {"scale": "-1"},
        {"text": "no no yes", "d_k": "4", "d_v": "4"},
    ],
    ids=str,
)
def test_it_asks_only_what_the_shown_numbers_answer(query: dict[str, str], decimals: str) -> None:
    message = board(open_page(HEADS.file, **query, decimals=decimals))
    ask, matrices = message["ask"], message["matrices"]
    if ask is None:
        return
    key, _, place = ask["pin"].partition(":")
    row = int(place.partition(",")[0])

    def weights(name: str) -> list[float]:
        return [float(weight) for weight in matrices[name]["cells"][row]]

    def can(name: str) -> list[float]:
        scores = matrices[f"S_masked_{name[2:]}"]["cells"][row]
        return [w for w, s in zip(weights(name), scores, strict=True) if s != "−∞"]

    shown = weights(key)
    assert [right for _, right in ask["options"]] == [weight == max(shown) for weight in shown]
    assert len(set(can(key))) > 1, "not all open keys are alike"
    for name in matrices:
        if re.fullmatch(r"A_\d", name) and f"Head {name[2:]} attends alike" in ask["given"]:
            assert len(set(can(name))) == 1


def test_it_asks_where_something_is_shown_to_be_largest() -> None:
    for query in (
        {"example": "cat", "h": "4"},
        {"example": "hand"},
        {"mask": "causal"},
        {"mask": "padding"},
    ):
        assert board(open_page(HEADS.file, **query))["ask"] is not None, query
    for query in ({"scale": "0"}, {"example": "hand", "decimals": "0", "scale": "0.01"}):
        assert board(open_page(HEADS.file, **query))["ask"] is None, query


def test_one_head_and_one_token_are_not_asked_about() -> None:
    assert board(open_page(HEADS.file, h="1"))["ask"] is None
    assert board(open_page(HEADS.file, text="one"))["ask"] is None
    assert board(open_page(HEADS.file, mask="custom", allow="000.000.000"))["ask"] is None
