"""The page on positions: which kinds there are, what it asks, and what it says of the numbers."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import pytest

from tests.ui.test_pages import board, open_page, parts, prose
from ui.pages import variant

POSITIONS = variant("positions")
KINDS = ("sinusoidal", "rotary", "halves", "alibi")


def opened(**query: str) -> dict[str, Any]:
    return board(open_page(POSITIONS.file, **query))


def said(**query: str) -> str:
    text = re.sub("<[^>]+>", "", prose(open_page(POSITIONS.file, **query)))
    return text.replace("\u00a0", " ")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("example", ["love", "cat"])
def test_only_sums_with_x_make_scores_change(kind: str, example: str) -> None:
    message = opened(encoding=kind, example=example)
    changed = {text for row in message["matrices"]["S_diff"]["cells"] for text in row} != {"0"}
    assert changed == (kind == "sinusoidal")
    assert message["ask"]["options"] == [["They stay", not changed], ["They change", changed]]


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_question_hides_is_every_moved_score(kind: str) -> None:
    message = opened(encoding=kind)
    moved = {key for key in message["matrices"] if key.startswith("S_") and "moved" in key}
    assert moved
    for key in (*moved, "S_diff"):
        assert {f"{key}:{i},{j}" for i in range(3) for j in range(3)} <= set(message["hidden"])


def test_nothing_is_asked_where_nothing_moves() -> None:
    assert opened(moved="0")["ask"] is None
    assert opened(encoding="none")["ask"] is None
    assert "S_diff" not in opened(encoding="none")["matrices"]


def test_a_change_that_does_not_show_is_not_asked_about() -> None:
    query = {"encoding": "sinusoidal", "scale": "0.01", "decimals": "0"}
    assert opened(**query)["ask"] is None
    still = opened(encoding="sinusoidal", scale="0")["ask"]
    assert still["options"][0] == ["They stay", True]
    assert "With these numbers, the scores do not tell the place." in still["given"]


def test_the_answer_names_the_score_that_changes_most() -> None:
    message = opened(encoding="sinusoidal", example="cat")
    _, _, place = message["ask"]["pin"].partition(":")
    row, col = map(int, place.split(","))
    cells = {key: m["cells"][row][col] for key, m in message["matrices"].items() if key[0] == "S"}
    assert f"from {cells['S_scaled']} to {cells['S_scaled_moved']}." in message["ask"]["given"]
    changes = [
        abs(float(text.replace("−", "-")))
        for line in message["matrices"]["S_diff"]["cells"]
        for text in line
    ]
    assert abs(float(cells["S_diff"].replace("−", "-"))) == max(changes)


@pytest.mark.parametrize(
    ("query", "there"),
    [
        ({"example": "hand", "encoding": "sinusoidal"}, "Q_rot"),
        ({"d_k": "1"}, "Pos"),
        ({"d_k": "1", "example": "hand", "encoding": "halves"}, "B_alibi"),
        ({"example": "hand", "d_k": "2"}, "Q_rot"),
    ],
)
def test_what_cannot_be_gives_way_and_says_so(query: dict[str, str], there: str) -> None:
    assert there in opened(**query)["matrices"]
    text = said(**query)
    assert ("cannot be shown here" in text) == ("example" in query)
    assert ("a rotation turns two" in text) == (query.get("d_k") == "1")


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ({"example": "cat"}, "2 pairs of components turn: 1 with 2, 3 with 4. Values"),
        ({"example": "cat", "encoding": "halves"}, "turn: 1 with 3, 2 with 4. Values"),
        ({"d_k": "3"}, "1 pair of components turns: 1 with 2. Component 3 has no partner"),
        ({"d_k": "5", "encoding": "halves"}, "1 with 3, 2 with 4. Component 5 has no partner"),
        ({"encoding": "alibi", "slope": "0.25"}, "each place of distance takes 1/4 off the score"),
        ({"encoding": "sinusoidal", "text": "a b", "d_model": "1"}, "Pos holds the sine of an"),
        ({"encoding": "sinusoidal"}, "place to place. The angles of later features move less"),
        ({"encoding": "none"}, "Here nothing tells the places."),
        ({"d_k": "3", "example": "cat"}, "there is one pair, components 1 and 2, in either layout"),
    ],
    ids=str,
)
def test_it_says_what_the_numbers_are(query: dict[str, str], says: str) -> None:
    assert says in said(**query)


@pytest.mark.parametrize("kind", ["rotary", "halves"])
def test_equal_tokens_show_one_score_on_each_diagonal(kind: str) -> None:
    query = {"text": "no no no no", "d_k": "4", "encoding": kind}
    assert "the same, and so does the score" in said(**query)
    cells = opened(**query)["matrices"]["S"]["cells"]
    for i in range(1, 4):
        assert cells[i][1:] == cells[i - 1][:-1]
    assert "and so does the score" not in said(example="cat", encoding=kind)


def test_both_layouts_are_compared_at_the_same_score() -> None:
    text = said(example="cat")
    found = re.search(r"of «(.+?)» for «(.+?)» is (\S+) with neighb.*? (\S+) with halves", text)
    assert found
    tokens = ["The", "cat", "sat", "down"]
    row, col = tokens.index(found[2]), tokens.index(found[1])
    for kind, shown in (("rotary", found[3]), ("halves", found[4])):
        S = opened(example="cat", encoding=kind)["matrices"]["S"]["cells"]
        assert S[row][col] == shown


def charts(**query: str) -> list[dict[str, Any]]:
    found = parts(open_page(POSITIONS.file, **query)).get("charts")
    return json.loads(found["text"]) if found else []


def number(text: str) -> float:
    return float(text.rstrip("°").replace("−", "-"))


@pytest.mark.parametrize(("kind", "partners"), [("rotary", (0, 1)), ("halves", (0, 2))])
def test_the_arrows_turn_together(kind: str, partners: tuple[int, int]) -> None:
    query = {"text": "a b c", "d_k": "4", "encoding": kind, "decimals": "4", "seed": "7"}
    (chart,) = charts(**query)
    assert chart["title"] == f"Components {partners[0] + 1} and {partners[1] + 1} as arrows"
    matrices = opened(**query)["matrices"]
    found = re.search(r"query of «(.)» and the key of «(.)»", chart["alt"])
    assert found
    at = ["abc".index(name) for name in found.groups()]
    q, k = (
        complex(*(number(matrices[key]["cells"][row][column]) for column in partners))
        for key, row in zip("QK", at, strict=True)
    )
    for by, (moved, *told) in enumerate(chart["table"]["rows"]):
        assert moved == chart["stops"][by]["label"] == str(by)
        turned = [
            arrow * complex(math.cos(by + p), math.sin(by + p))
            for arrow, p in zip((q, k), at, strict=True)
        ]
        product = turned[0] * turned[1].conjugate()
        between = abs(math.degrees(math.atan2(product.imag, product.real)))
        wanted = [by + at[0], by + at[1], between, product.real]
        assert [number(text) for text in told] == pytest.approx(wanted, abs=0.06)
        tips = [t for t in chart["stops"][by]["traces"] if t["mode"] == "markers"]
        for tip, arrow in zip(tips, turned, strict=True):
            assert [tip["x"][0], tip["y"][0]] == pytest.approx([arrow.real, arrow.imag], abs=1e-3)
        assert f"add {told[-1]} to the score" in chart["stops"][by]["says"]
    assert len({tuple(row[3:]) for row in chart["table"]["rows"]}) == 1


@pytest.mark.parametrize(
    "query",
    [
        {"encoding": "alibi"},
        {"encoding": "none"},
        {"d_k": "1"},
        {"edits": ";".join(f"W_Q:{i},{j}=0" for i in range(4) for j in range(3))},
    ],
    ids=str,
)
def test_nothing_turns_where_there_is_no_arrow(query: dict[str, str]) -> None:
    assert charts(**query) == []
