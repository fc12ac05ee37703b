"""The lab on directed scores: it asks about both ways, and its sentences hold for any numbers."""

from __future__ import annotations

import json
import re
from html import unescape
from urllib.parse import parse_qsl, urlsplit

import pytest

from tests.ui.test_pages import board, open_page, prose
from ui.directed import length_matters
from ui.given import inputs_of
from ui.lesson import Lesson, graph_of
from ui.pages import DIRECTED
from ui.settings import read_settings


def lesson_of(**query: str) -> Lesson:
    settings = read_settings(query)[0]
    inputs, _, used = inputs_of(settings)
    return Lesson(DIRECTED, used, inputs, graph_of(used, DIRECTED.form))


def doubled(text: str) -> dict[str, str]:
    """The settings of the link that doubles a row."""
    (link,) = re.findall(r'href="([^"]*)">Double the', text)
    return dict(parse_qsl(urlsplit(unescape(link)).query))


def test_it_asks_about_the_way_back_and_tells_nothing_of_it() -> None:
    message = board(open_page(DIRECTED.file))
    ask = message["ask"]
    assert ask["title"] == "«I» scores «love» 5. Will «love» score «I» 5 too?"
    assert ask["pin"] == "S:1,0"
    assert {"S:1,0", "S:2,1", "S_tied:2,0", "C:1,0", "S_X:1,0"} <= set(message["hidden"])
    assert not {"S:0,1", "S:1,1"} & set(message["hidden"])
    assert ask["options"] == [["Yes, 5 too", False], ["No, another number", True]]


@pytest.mark.parametrize("query", [{"tied": "1"}, {"example": "hand"}, {"text": "no no no"}])
def test_where_scores_are_the_same_both_ways_that_is_the_answer(query: dict[str, str]) -> None:
    ask = board(open_page(DIRECTED.file, **query))["ask"]
    assert [right for _, right in ask["options"]] == [True, False]
    assert "symmetric" in ask["given"]


def test_scores_that_look_alike_and_are_not_are_told_apart() -> None:
    query = {"example": "hand", "decimals": "0", "edits": "K:0,1=0.2;K:1,0=1.3;K:1,1=1"}
    ask = board(open_page(DIRECTED.file, **query))["ask"]
    one, other = re.findall(
        r"scores «t\d» ([\d.]+)\D", ask["title"].partition("?")[0] + ask["given"]
    )
    assert one != other
    assert [right for _, right in ask["options"]] == [False, True]


def test_a_single_token_is_asked_for_its_cosine() -> None:
    ask = board(open_page(DIRECTED.file, text="one"))["ask"]
    assert ask["pin"] == "C:0,0"


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"example": "cat"},
        {"example": "hand"},
        {"example": "hand", "tied": "1"},
        {"text": "a b"},
    ],
    ids=str,
)
def test_a_doubled_row_doubles_scores_and_leaves_cosines(query: dict[str, str]) -> None:
    text = prose(open_page(DIRECTED.file, **query))
    before, after = lesson_of(**query), lesson_of(**doubled(text))
    (row,) = {cell.row for cell, _ in after.settings.edits}
    key = after.settings.edits[0][0].symbol
    for i in range(len(before.inputs.tokens)):
        for j in range(len(before.inputs.tokens)):
            times = 2.0 ** ((i == row and key != "K") + (j == row))
            was, now = (each.graph["S"].value[i, j] for each in (before, after))
            assert now == was * times
    assert abs(after.graph["C"].value - before.graph["C"].value).max() < 1e-15
    assert "Undo all edits" in prose(open_page(DIRECTED.file, **doubled(text)))


def test_a_row_of_zeros_is_not_doubled() -> None:
    edits = "X:1,1=0;X:1,3=0"
    assert "Double the embedding of «AI»" in prose(open_page(DIRECTED.file, edits=edits))


def test_a_key_of_zeros_has_no_cosine_and_its_cells_say_so() -> None:
    app = open_page(DIRECTED.file, example="hand", edits="K:1,0=0;K:1,1=0", cell="C:0,1")
    message = board(app)
    assert [row[1] for row in message["matrices"]["C"]["cells"]] == ["0", "0", "0"]
    assert "0/0 has no value" in message["why"]["C:0,1"]["words"]
    assert "the row points nowhere" in message["why"]["len_K:1,0"]["words"]
    assert "Every key is blocked" not in prose(app)


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("d_k", ["1", "2", "5"])
def test_the_sentence_about_lengths_is_true(seed: int, d_k: str) -> None:
    lesson = lesson_of(text="a b c d e", seed=str(seed), d_k=d_k)
    said = length_matters(lesson)
    S, C, K = (lesson.graph[key].value for key in ("S", "C", "len_K"))
    found = re.match(r"Look at the row of «(\w)». It scores «(\w)» (\w+)", said)
    if not found:
        for s, c in zip(S, C, strict=True):
            assert set((s >= s.max() - 1e-9).nonzero()[0]) == set(
                (c >= c.max() - 1e-9).nonzero()[0]
            )
        return
    row, won = ("abcde".index(name) for name in found.groups()[:2])
    lost = "abcde".index(re.findall(r"«(\w)»", said)[-1])
    assert S[row, won] == S[row].max()
    assert K[won, 0] != K[lost, 0]
    if "equally nearly" in said:
        assert S[row, won] > S[row, lost]
        assert C[row, won] == pytest.approx(C[row, lost])
    else:
        assert C[row, lost] == pytest.approx(C[row].max())
        assert C[row, lost] > C[row, won] + 1e-9
        assert (S[row, won] == S[row, lost]) == ("alike" in said)


def test_one_matrix_gives_the_same_scores_and_how_nearly_is_said() -> None:
    exact = json.dumps(board(open_page(DIRECTED.file))["equations"], ensure_ascii=False)
    assert "every number is the same, to the computer’s last digit" in exact
    near = open_page(
        DIRECTED.file, edits="X:0,0=0.1;X:0,1=0.3;X:0,2=0.6;W_Q:0,0=0.7;W_K:1,0=0.9;W_Q:2,0=0.6"
    )
    said = json.dumps(board(near)["equations"], ensure_ascii=False)
    assert re.search(r"differ by at most \d×10⁻¹", said)


def test_without_embeddings_there_is_no_one_matrix_and_the_page_says_so() -> None:
    app = open_page(DIRECTED.file, example="hand")
    assert "W_QK" not in board(app)["matrices"]
    assert "begins with Q, K and V" in prose(app)
