"""Exact numbers: they are the numbers that are shown, and are told only where wanted."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import pytest

from tests.ui.test_numbers import with_base_two
from tests.ui.test_pages import board, open_page, prose
from ui.pages import PAGES, SOFTMAX, variant
from ui.settings import Settings

EXACT = variant("exact")
TWELVE = "a b c d e f g h i j k l"


class _Power:
    """So that «e^x» and «√x» can be read as ``E ** x`` and ``R ** x``."""

    def __init__(self, of: Any) -> None:
        self.of = of

    def __pow__(self, power: float) -> float:
        return float(self.of(power))


def read(text: str) -> float:
    """The number that a line gives to a reader who knows the order of operations."""
    for sign, code in (("−", "-"), ("·", "*"), ("e^", "E**"), ("^", "**"), ("√", "R**")):
        text = text.replace(sign, code)
    assert re.fullmatch(r"[-+*/(). \dER]*", text), text
    return float(eval(text, {"E": _Power(math.exp), "R": _Power(math.sqrt)}))


QUERIES: list[dict[str, str]] = [
    {},
    {"base": "2", "scale": "off"},
    {"base": "2", "example": "cat", "mask": "causal"},
    {"example": "hand", "mask": "padding", "decimals": "0"},
    {"text": "no one is", "d_k": "6", "scale": "-0.75"},
    {"mask": "custom", "allow": "000.110.011", "edits": "W_Q:0,0=2.5;X:0,0=-3"},
    {"text": "one", "base": "2"},
    {"scale": "0"},
]


@pytest.mark.parametrize("query", QUERIES, ids=str)
def test_every_exact_number_is_the_computed_one(query: dict[str, str]) -> None:
    told = board(open_page(EXACT.file, **query))["why"]
    expected = with_base_two(query)
    lines = {cell: one["text"].split("\nexactly: ") for cell, one in told.items() if "exact" in one}
    assert lines
    for cell, (_, line) in lines.items():
        key, row, col = re.split("[:,]", cell)
        value = expected[key][int(row), int(col)]
        for part in line.split(" = ")[1:]:
            if "∞" not in part:  # a blocked score is shown as it is derived
                assert read(part) == pytest.approx(value, rel=1e-9, abs=1e-12), line


def why(cell: str, **query: str) -> Any:
    """The derivation of a pinned cell."""
    return board(open_page(EXACT.file, cell=cell, **query))["why"][cell]


def test_the_worked_example_reads_as_on_paper() -> None:
    for cell, line in {
        "S:0,1": "S[I, love] = 5",
        "S_scaled:0,1": "S_scaled[I, love] = 5 / √3",
        "A:0,1": "A[I, love] = e^(5 / √3) / (e^(1 / √3) + e^(5 / √3) + e^√3)",
        "O:0,0": "O[I, 1] = 1",
    }.items():
        assert why(cell)["text"].endswith(f"\nexactly: {line}")
    scaled = why("S_scaled:0,1")
    assert scaled["latex"].endswith(r"= \frac{5}{\sqrt{3}}")
    assert scaled["exact"] == {"line": [["frac", "5", ["sqrt", "3"]]]}
    fraction = why("A_two:0,1", base="2", scale="off")
    assert fraction["exact"]["line"] == [["frac", "32", "42"], " = ", ["frac", "16", "21"]]


def test_exact_numbers_are_told_where_they_are_switched_on() -> None:
    assert "exact" not in json.dumps(board(open_page(SOFTMAX.file))["why"])
    told = board(open_page(SOFTMAX.file, exact="1"))["why"]
    assert told["Z:0,0"]["text"].endswith("Z[I, Σ] = e^(1 / √3) + e^(5 / √3) + e^√3")
    assert {t.key for t in open_page(SOFTMAX.file).toggle} > {"set_exact"}
    assert "set_exact" not in {t.key for t in open_page(EXACT.file).toggle}
    app = open_page(SOFTMAX.file)
    app.toggle(key="set_exact").set_value(True).run()
    assert app.query_params["exact"] == "1"
    assert Settings(exact=True).query() == {"v": "1", "exact": "1"}


@pytest.mark.parametrize("page", [p for p in PAGES if p.board], ids=lambda page: page.title)
@pytest.mark.parametrize("query", [{}, {"example": "cat", "mask": "causal"}], ids=str)
def test_every_board_can_tell_exact_numbers(page: Any, query: dict[str, str]) -> None:
    app = open_page(page.file, exact="1", **query)
    found = [one["exact"] for one in board(app)["why"].values() if "exact" in one]
    assert all(("line" in one) != ("words" in one) for one in found)


def test_what_is_not_exact_says_so() -> None:
    app = open_page(EXACT.file, scale="0.3333", cell="A:0,1")
    message = board(app)
    assert message["why"]["A:0,1"]["exact"] == {
        "words": "No exact form: 0.3333 has more than three decimals, so it may be rounded."
    }
    assert "exactly" not in message["why"]["A:0,1"]["text"]
    assert message["ask"] is None
    assert "Not all of these weights have an exact form here." in prose(app)


def test_a_row_without_a_distribution_and_blocked_scores_have_no_exact_line() -> None:
    mask = {"mask": "custom", "allow": "000.110.011"}
    empty = why("A:0,0", **mask)
    assert "exact" not in empty
    assert "0/0 has no value" in empty["words"]
    assert "exact" not in why("S_masked:1,2", **mask)
    assert why("A:1,2", **mask)["exact"] == {"line": ["0"]}


def test_long_sums_are_cut_on_screen_and_whole_when_copied() -> None:
    told = why("O:3,1", text=TWELVE)
    assert "more terms" in json.dumps(told["exact"], ensure_ascii=False)
    assert "more terms" not in told["text"] + told["latex"]
    line = told["text"].split("\nexactly: ")[1].split(" = ")[-1]
    assert read(line) == pytest.approx(with_base_two({"text": TWELVE})["O"][3, 1], rel=1e-9)


@pytest.mark.parametrize("query", [*QUERIES, {"example": "cat"}, {"text": TWELVE}], ids=str)
def test_the_question_has_one_answer_and_it_is_hidden(query: dict[str, str]) -> None:
    message = board(open_page(EXACT.file, **query))
    ask, weights = message["ask"], with_base_two(query)["A_two" if "base" in query else "A"]
    rows = [row for row in weights if len({round(float(w), 9) for w in row if w}) > 1]
    if not rows:
        assert ask is None
        return
    ((answer, _),) = [option for option in ask["options"] if option[1]]
    at = int(re.split("[:,]", ask["pin"])[1])
    by_size = sorted({round(float(w), 12) for w in weights[at]}, reverse=True)
    assert read(answer) == pytest.approx(by_size[0] / by_size[1], rel=1e-6)
    values = [read(text) for text, _ in ask["options"]]
    assert values == sorted(values)
    assert len({round(value, 9) for value in values}) == len(values) > 1
    assert f"exactly {answer}" in ask["given"]
    hidden = set(ask["cells"])
    assert {f"{ask['pin'].split(':')[0]}:{at},{col}" for col in range(len(weights))} <= hidden


def test_what_the_page_says_of_fractions_is_so() -> None:
    assert "Here 3 of 9 weights are fractions." in prose(open_page(EXACT.file))
    assert "Here every weight is a fraction. With powers of 2" in prose(
        open_page(EXACT.file, base="2", scale="off")
    )
    assert "in each row all open scores are equal" in prose(open_page(EXACT.file, scale="0"))
    assert "Here 7 of 9 weights are fractions." in prose(
        open_page(EXACT.file, mask="custom", allow="100.101.101")
    )
