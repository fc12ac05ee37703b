"""The page on rows and columns: what it asks and says, and what a link means in either form."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import numpy as np
import pytest

from attention_core import Cell, as_columns
from tests.ui.test_pages import board, open_page, prose
from ui.board.edits import edited
from ui.board.layout import Layout
from ui.board.payload import contents
from ui.board.view import View, read_view, view_of
from ui.lesson import graph_of
from ui.pages import variant
from ui.settings import CUSTOM, Settings

PAGE = variant("convention")
QUERIES: dict[str, dict[str, str]] = {
    "love": {},
    "hand": {"example": "hand"},
    "cat": {"example": "cat", "mask": "causal"},
    "sizes": {"text": "to be or not", "d_model": "5", "d_k": "2", "d_v": "3"},
    "blocked": {"mask": "custom", "allow": "111.000.111"},
}
every_query = pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)


def plain(**query: str) -> str:
    text = unescape(re.sub("<[^>]+>", "", prose(open_page(PAGE.file, **query))))
    return re.sub(r"\s+", " ", text)


@every_query
def test_the_board_is_the_transpose(query: dict[str, str]) -> None:
    columns = board(open_page(PAGE.file, **query))["matrices"]
    rows = board(open_page(PAGE.file, **query, columns="0"))["matrices"]
    assert columns.keys() == rows.keys()
    for key, matrix in columns.items():
        assert matrix["cells"] == [list(cells) for cells in zip(*rows[key]["cells"], strict=True)]
        assert (matrix["rows"], matrix["cols"]) == (rows[key]["cols"], rows[key]["rows"])
        n, m = rows[key]["shape"].split("\u00a0×\u00a0")
        assert matrix["shape"] == f"{m}\u00a0×\u00a0{n}"
        turned = {(j, i) for i, j in rows[key].get("blocked", [])}
        assert {tuple(place) for place in matrix.get("blocked", [])} == turned


def test_readers_hear_what_is_a_query_and_what_a_key() -> None:
    for columns, says in (("1", ("key", "query")), ("0", ("query", "key"))):
        S = board(open_page(PAGE.file, columns=columns))["matrices"]["S"]
        assert (S["rows"]["say"], S["cols"]["say"]) == says
    why = contents(Settings(), "convention", Layout("S"))["why"]["S:1,0"]
    assert why["title"] == "How «I» scores «love»"
    assert why["text"] == "S[love, I] = k_love · q_I = 2·2 + 1·0 + 1·1 = 5"


@every_query
@pytest.mark.parametrize("columns", ["0", "1"])
def test_the_question_has_one_true_answer(query: dict[str, str], columns: str) -> None:
    message = board(open_page(PAGE.file, **query, columns=columns))
    A = np.array([[float(x) for x in row] for row in message["matrices"]["A"]["cells"]])
    options = message["ask"]["options"]
    down, along = A.sum(axis=0), A.sum(axis=1)
    if "with an open key" in options[0][0]:
        down, along = down[down > 0], along[along > 0]
    truth = [np.allclose(sums, 1, atol=0.003) for sums in (along, down, A.sum())]
    assert [right for _, right in options] == truth
    assert sum(truth) == 1
    hidden = set(message["hidden"])
    assert {f"A:{i},{j}" for i, j in np.ndindex(*A.shape)} <= hidden
    assert "O:0,0" in hidden


@pytest.mark.parametrize(
    "query",
    [
        {"text": "one"},
        {"scale": "0"},
        {"mask": "custom", "allow": "000.000.000"},
        {"mask": "custom", "allow": "111.000.000"},
    ],
    ids=["one token", "all alike", "all blocked", "one row"],
)
def test_where_the_answer_is_not_one_nothing_is_asked(query: dict[str, str]) -> None:
    for columns in ("0", "1"):
        app = open_page(PAGE.file, **query, columns=columns)
        assert board(app)["ask"] is None
        assert not app.exception


def test_the_formula_on_top_follows() -> None:
    columns, rows = (prose(open_page(PAGE.file, columns=c)) for c in ("1", "0"))
    assert "V times softmax of K transposed Q over the root of d k" in columns
    assert "softmax of Q K transposed over the root of d k, times V" in rows
    order = [
        columns.index(part) for part in ('"lit"><i>V</i>', ">softmax(<", "<i>K</i><sup>T</sup>")
    ]
    assert order == sorted(order)


@pytest.mark.parametrize("columns", ["0", "1"])
def test_what_it_says_is_computed(columns: str) -> None:
    here = plain(columns=columns)
    wrong = "X WQ" if columns == "1" else "WQ X"
    assert f"Here n and d_k are both 3. So the product in the wrong order, {wrong}" in here.replace(
        "W_Q", "WQ"
    ).replace("dk", "d_k")
    assert "«I» scores «AI» with 3." in here
    other = plain(columns=columns, **QUERIES["sizes"]).replace("dk", "d_k")
    assert "Here n is 4 and d_k is 2." in other
    cat = plain(columns=columns, **QUERIES["cat"])
    assert f"lie {'below' if columns == '1' else 'above'} the diagonal of S" in cat
    assert "begins with Q, K and V" in plain(columns=columns, **QUERIES["hand"])
    assert "wrong order" not in plain(columns=columns, **QUERIES["hand"])


def test_the_table_has_both_forms_whichever_is_shown() -> None:
    for columns in ("0", "1"):
        text = prose(open_page(PAGE.file, **QUERIES["sizes"], columns=columns))
        cells = [unescape(re.sub("<[^>]+>", "", c)) for c in re.findall(r"<td>(.*?)</td>", text)]
        said = [cell.replace("\u00a0", " ") for cell in cells]
        at = said.index("n × dmodel = 4 × 5")
        assert said[at + 2] == "dmodel × n = 5 × 4"
        assert {"X WQ", "WQ X", "Q Kᵀ", "A V", "V A"} <= {cell.replace("KT", "Kᵀ") for cell in said}
        assert {"each row of A", "each column of A"} <= set(said)


ROWS = graph_of(Settings(example="cat"))
COLUMNS = as_columns(ROWS)
BOARD = Layout("A")


def test_a_link_means_the_same_number_in_either_form() -> None:
    query = {"cell": "A:1,3", "seen": "Q:2;S:0,1"}
    (rows, _), (columns, _) = (
        read_view(query, graph, BOARD.on(graph)) for graph in (ROWS, COLUMNS)
    )
    assert (rows.cell, columns.cell) == (Cell("A", 1, 3), Cell("A", 3, 1))
    assert columns.seen == tuple(cell.turned for cell in rows.seen)
    assert rows.query() == columns.query() == query
    said = view_of({"cell": "A:3,1"}, COLUMNS, BOARD.on(COLUMNS))
    assert said.query() == {"cell": "A:1,3"}
    assert View().query() == {}


def test_a_cell_beyond_the_board_is_named_as_in_the_link() -> None:
    graph = as_columns(graph_of(Settings(example="own", text="a b", d_k=5)))
    _, notices = read_view({"cell": "Q:4,1"}, graph, BOARD.on(graph))
    assert notices == [
        "The link pins the cell Q:4,1, which is not on this board. Nothing is pinned."
    ]
    assert read_view({"cell": "Q:1,4"}, graph, BOARD.on(graph))[0].cell == Cell("Q", 4, 1)


def test_numbers_are_typed_over_where_they_stand() -> None:
    changed, refused = edited(Settings(example="cat"), {"typed": {"X:7,2": "2.5"}}, COLUMNS)
    assert (changed.edits, refused) == (((Cell("X", 2, 7), 2.5),), [])
    X = contents(changed.with_options({"columns": True}), "convention", BOARD)["matrices"]["X"]
    assert (X["edited"], X["cells"][7][2]) == ({"7,2": 2.5}, "2.500")
    blocked, _ = edited(Settings(example="cat"), {"typed": {"M:3,0": "-inf"}}, COLUMNS)
    assert (blocked.mask, blocked.allow) == (CUSTOM, "1110.1111.1111.1111")


def test_the_largest_of_each_query_is_marked() -> None:
    settings = Settings(example="cat", largest=True)
    rows = contents(settings, "plain", BOARD)["matrices"]["A"]
    columns: dict[str, Any] = contents(settings, "convention", BOARD)["matrices"]["A"]
    marked = {(i, j) for i, row in enumerate(columns["marks"]) for j in row}
    assert marked == {(j, i) for i, row in enumerate(rows["marks"]) for j in row}
    assert (rows["line"], columns["line"]) == ("row", "column")


def test_a_mix_names_its_weights() -> None:
    for settings, form, place in (
        (Settings(), "plain", "O:0,1"),
        (Settings(), "convention", "O:1,0"),
    ):
        blend = contents(settings, form, Layout("O"))["why"][place]["blend"]
        shares = [(part["token"], part["share"]) for part in blend["parts"]]
        assert shares == [("I", "7 %"), ("love", "71 %"), ("AI", "22 %")]
        assert blend["parts"][1]["term"][1][1:3] == [
            "0.707",
            "A:0,1" if form == "plain" else "A:1,0",
        ]


@pytest.mark.parametrize("code", ["numpy", "torch"])
@pytest.mark.parametrize("columns", ["0", "1"])
def test_code_is_that_of_the_board(code: str, columns: str) -> None:
    (shown,) = open_page(PAGE.file, code=code, columns=columns).code
    names: dict[str, Any] = {}
    exec(shown.value, names)
    graph = graph_of(Settings().with_options({"columns": columns == "1"}), "convention")
    for matrix in graph.steps:
        np.testing.assert_allclose(np.asarray(names[matrix.key]), matrix.value, atol=1e-9)
    product = "O = V @ A" if columns == "1" else "O = A @ V"
    assert product in shown.value


def test_what_is_pinned_and_revealed_stays_when_the_form_changes() -> None:
    app = open_page(PAGE.file, cell="S:0,1", seen="A;O")
    assert board(app)["view"]["cell"] == "S:1,0"
    app.toggle(key="set_columns").set_value(False).run()
    assert board(app)["view"]["cell"] == "S:0,1"
    assert (app.query_params["columns"], app.query_params["cell"]) == ("0", "S:0,1")
    assert app.query_params["seen"] == "A;O"
