"""Misconceptions: each vote is on the truth, and what settles it stands on the board."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from tests.ui.test_numbers import check, everything, in_other_order, mask_errors, of_one_row
from tests.ui.test_pages import board, open_page, prose
from ui.claim_list import CLAIM_LIST
from ui.claims import _opened
from ui.pages import MISCONCEPTIONS
from ui.settings import CLAIMS, Settings

TRUE = {"maximum", "itself"}
ODD: list[dict[str, str]] = [
    {"example": "hand"},
    {"example": "cat", "mask": "causal", "decimals": "1"},
    {"text": "one"},
    {"text": "a a a a", "tied": "1"},
    {"text": "a b c d e f g h i j k l", "d_k": "8", "scale": "off"},
    {"mask": "custom", "allow": "000.000.000"},
    {"edits": "X:0,0=900;W_Q:1,1=-3.5", "scale": "0"},
]


def opened(claim: str, **query: str) -> dict[str, Any]:
    return board(open_page(MISCONCEPTIONS.file, claim=claim, **query))


def as_linked(claim: str) -> dict[str, str]:
    return _opened(Settings(), claim, CLAIM_LIST[claim]).query()


def test_there_are_at_least_twelve_and_each_has_a_composition() -> None:
    assert list(CLAIM_LIST) == list(CLAIMS)
    assert len(CLAIM_LIST) >= 12


@pytest.mark.parametrize("claim", CLAIM_LIST)
def test_a_claim_is_settled_on_the_numbers_it_opens_with(claim: str) -> None:
    ask = board(open_page(MISCONCEPTIONS.file, **as_linked(claim)))["ask"]
    assert [text for text, right in ask["options"] if right] == [str(claim in TRUE)]
    verdict = "It is true." if claim in TRUE else "It is false."
    assert ask["given"].startswith(verdict)
    assert ask["right"].startswith(f"Right. {verdict}")


@pytest.mark.parametrize("query", [{}, *ODD], ids=str)
@pytest.mark.parametrize("claim", CLAIM_LIST)
def test_every_number_of_the_sentence_stands_on_the_board(
    claim: str, query: dict[str, str]
) -> None:
    """And what cannot be settled on these numbers is not asked, but said."""
    app = open_page(MISCONCEPTIONS.file, **{**as_linked(claim), **query})
    message = board(app)
    if message["ask"] is None:
        assert "These numbers do not show whether that is so." in prose(app)
        return
    cells = {cell for m in message["matrices"].values() for row in m["cells"] for cell in row}
    said = message["ask"]["given"]
    pin = message["ask"]["pin"]
    key, _, place = pin.partition(":")
    row, col = map(int, place.split(","))
    assert message["matrices"][key]["cells"][row][col] in said, "what is pinned is what is read"
    numbers = re.findall(r"−?\d+(?:\.\d+)?(?:×10[⁰-⁹⁻]+)?", re.sub("«[^»]*»", "", said))
    allowed = {"0", "1"} | {str(n + 1) for n in range(8)} if claim == "most" else {"0", "1"}
    assert set(numbers) <= cells | allowed


@pytest.mark.parametrize("query", [{}, *ODD], ids=str)
@pytest.mark.parametrize("claim", CLAIM_LIST)
def test_every_number_of_its_board_is_the_computed_one(claim: str, query: dict[str, str]) -> None:
    query = {**as_linked(claim), **query}
    expected = everything(query)
    one_row = CLAIMS[claim] == "sharpen"
    if one_row:
        expected = of_one_row(query, expected["S"])
    else:
        expected |= in_other_order(query) | mask_errors(expected)
        expected |= short_and_cut(expected)
        expected |= {"A_T": expected["A"].T, "Z_down": expected["A"].sum(axis=0)[:, None]}
    message = opened(claim, **{name: text for name, text in query.items() if name != "claim"})
    check(message, expected, int(query.get("decimals", "3")))


def short_and_cut(m: dict[str, Any]) -> dict[str, Any]:
    """Values of one number, and the columns of W_Q for two heads."""
    short = m["V"][:, :1]
    found = {"V_short": short, "O_short": m["A"] @ short}
    if "W_Q" in m:
        half = (m["W_Q"].shape[1] + 1) // 2
        found |= {"W_Q_1": m["W_Q"][:, :half], "W_Q_2": m["W_Q"][:, half:]}
    return found


def truth(claim: str, m: dict[str, Any]) -> bool:
    """Whether a claim holds on some numbers, worked out here."""
    A, V, O, S = m["A"], m["V"], m["O"], m["S"]
    found = {
        "most": all(
            abs(A[i] * V[:, j]).argmax() == A[i].argmax()
            for i in range(len(O))
            for j in range(O.shape[1])
        ),
        "late": np.allclose(np.where(np.isfinite(m["M"]), m["A_scaled"], 0).sum(axis=1), 1),
        "columns": np.allclose(A.sum(axis=0), 1),
        "anything": bool((V.max(axis=0) + 1e-9 < O).any()),
        "ranking": [*S.argmax(axis=1)] != [*m["S_scaled"].argmax(axis=1)],
        "mutual": np.allclose(A, A.T),
        "zero": bool((A == 0).any()),
        "itself": bool(A.diagonal().any()),
        "length": not np.allclose(m["O_short"], O[:, :1]),
        "heads": sum(m[f"W_Q_{head}"].size for head in (1, 2)) > m["W_Q"].size,
    }
    return bool(found[claim])


@pytest.mark.parametrize(
    "claim",
    [
        "most",
        "late",
        "columns",
        "anything",
        "ranking",
        "mutual",
        "zero",
        "itself",
        "length",
        "heads",
    ],
)
def test_the_verdict_is_what_the_numbers_say(claim: str) -> None:
    m = everything(as_linked(claim))
    assert truth(claim, m | short_and_cut(m)) == CLAIM_LIST[claim].holds
