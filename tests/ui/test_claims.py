"""Misconceptions: each vote is on the truth, and what settles it stands on the board."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
import pytest

from attention_core.rounding import show
from tests.ui.test_numbers import check, everything, in_other_order, mask_errors, of_one_row, read
from tests.ui.test_pages import board, open_page, prose
from ui.asks import Ask
from ui.claim_list import CLAIM_LIST
from ui.claims import _opened, claim_board, vote
from ui.given import inputs_of
from ui.lesson import Lesson, graph_of
from ui.pages import MISCONCEPTIONS
from ui.settings import Settings, read_settings
from ui.words import CLAIMS

TRUE = {"anything", "length", "ranking", "mutual", "maximum", "zero", "itself"}
TWELVE = "a b c d e f g h i j k l"
ODD: list[dict[str, str]] = [
    {"example": "hand"},
    {"example": "cat", "mask": "causal", "decimals": "1"},
    {"text": "one"},
    {"text": "a a a a", "tied": "1"},
    {"text": TWELVE, "d_k": "8", "scale": "off"},
    {"mask": "custom", "allow": "000.000.000"},
    {"edits": "X:0,0=900;W_Q:1,1=-3.5", "scale": "0"},
    {"mask": "custom", "allow": "000.111.111"},
]
# As many settings as a link may have: they cost little where no page is run.
MORE: list[dict[str, str]] = [
    *ODD,
    *({"example": example} for example in ("love", "cat")),
    *({"text": text, "seed": seed} for text in ("dog bites man now", TWELVE) for seed in "0123"),
    *({"mask": mask} for mask in ("none", "causal", "window", "padding")),
    *({"scale": scale, "example": "cat"} for scale in ("off", "0.5", "0", "-2")),
    {"tied": "1"},
    {"tied": "1", "example": "hand"},
    {"positions": "1"},
    {"mask": "custom", "allow": "110.000.011"},
    {"mask": "custom", "allow": "010.101.000"},
    {"text": "one two", "d_model": "1", "d_v": "1", "d_k": "1"},
    {"text": "one two", "d_model": "4", "d_k": "4"},
    {"row": "64", "edits": "s:0,0=-9.5"},
    {"edits": "X:0,0=1000;X:1,0=-1000"},
    {"edits": "X:0,0=0;X:0,2=0;X:1,1=0;X:1,3=0;X:2,0=0;X:2,1=0"},
    {"example": "hand", "edits": "V:0,0=-3;V:1,1=-1.25;K:0,0=0.0004"},
]


def as_linked(claim: str) -> dict[str, str]:
    return _opened(Settings(), claim).query()


def lesson_of(query: dict[str, str]) -> Lesson:
    """What the page works with, without a page."""
    inputs, _, used = inputs_of(read_settings(query)[0])
    return Lesson(MISCONCEPTIONS, used, inputs, graph_of(used, MISCONCEPTIONS.form))


def numbers(said: str) -> list[str]:
    """The numbers of a sentence, without names of tokens."""
    return re.findall(r"−?\d+(?:\.\d+)?(?:×10[⁰-⁹⁻]+)?", re.sub("«[^»]*»", "", said))


def test_there_are_at_least_twelve_and_each_has_a_composition() -> None:
    assert list(CLAIM_LIST) == list(CLAIMS)
    assert len(CLAIM_LIST) >= 12


def test_neither_true_nor_false_is_a_strategy() -> None:
    assert {claim for claim, each in CLAIM_LIST.items() if each.holds} == TRUE
    assert 1 / 3 <= len(TRUE) / len(CLAIM_LIST) <= 2 / 3


@pytest.mark.parametrize("claim", CLAIM_LIST)
def test_a_claim_is_settled_on_the_numbers_it_opens_with(claim: str) -> None:
    app = open_page(MISCONCEPTIONS.file, **as_linked(claim))
    ask = board(app)["ask"]
    assert [text for text, right in ask["options"] if right] == [str(claim in TRUE)]
    verdict = "It is true." if claim in TRUE else "It is false."
    assert ask["given"].startswith(verdict)
    assert ask["right"].startswith(f"Right. {verdict}")
    assert re.fullmatch(r"Not so\. .+\?", ask["wrong"]), "a wrong vote is helped on"
    heading = re.search('<h1 class="question">«(.*)»</h1>', prose(app))
    assert heading, "the claim is what one reads first"
    current = re.findall('<a data-go href="[^"]*" aria-current="true">([^<].*?)</a>', prose(app))
    assert current == [heading[1]]


@pytest.mark.parametrize("claim", CLAIM_LIST)
def test_the_board_is_closed_until_the_vote_and_stays_open_after_it(claim: str) -> None:
    """Whatever is set then: what marks the vote is a cell that does not move."""
    asks = [vote(lesson_of(as_linked(claim) | more)) for more in ({}, {"seed": "5"}, *MORE)]
    assert all(ask.opens for ask in asks if ask)
    if claim not in ("normalise", "maximum"):  # the row of another source is another board
        assert len({ask.cells for ask in asks if ask}) == 1


# What the numbers of a sentence have to do with each other, as they are shown.
SAYS: dict[str, Callable[..., bool]] = {
    "normalise": lambda *found: found[0] != found[1],
    "most": lambda top, o, a, v, again, w: top == again > a and abs(a * v) > abs(top * w),
    "thinks": lambda a, zero, new, old: a > 0 and zero == 0 and new != old,
    "d_model": lambda before, after: before != after,
    "late": lambda total, one: total != one == 1,
    "columns": lambda total, one: total != one == 1,
    "anything": lambda low, high, o, *_: low < o < high,
    "length": lambda *_: True,
    "order": lambda difference: difference == 0,
    "ranking": lambda before, after: True,
    "mutual": lambda there, back: there != back,
    "cosine": lambda s, c, *limit: s != c and (not limit or (abs(s) > 1 and s * limit[0] > 0)),
    "maximum": lambda without, having: without == having,
    "zero": lambda least, *_: least > 0,
    "replaced": lambda x, total, u: round(x + u, 9) == total and x != 0 != u,
    "itself": lambda weight: weight > 0,
    "parameters": lambda q: True,
    "cached": lambda score: True,
    "heads": lambda weight: True,
}


@pytest.mark.parametrize("query", [{}, *MORE], ids=str)
@pytest.mark.parametrize("claim", CLAIM_LIST)
def test_what_is_said_is_so_at_all_decimals(claim: str, query: dict[str, str]) -> None:
    """Every number of the sentence stands on the board, and together they say what it says."""
    for decimals in "01234":
        asked = {**as_linked(claim), **query, "decimals": decimals}
        lesson = lesson_of(asked)
        ask = vote(lesson)
        if ask:
            expect_true(claim, lesson, ask)


def expect_true(claim: str, lesson: Lesson, ask: Ask) -> None:
    graph, decimals = lesson.graph, lesson.settings.decimals
    cells = {
        show(float(x), decimals).text
        for matrix in claim_board(lesson).on(graph).behind(graph)
        for x in matrix.value.flat
    }
    value = float(graph[ask.pin.symbol].value[ask.pin.row, ask.pin.col])
    found = numbers(ask.given)
    assert show(value, decimals).text in found, "what is pinned is what is read"
    assert set(found) <= cells | {"0", "1", "−1"}
    assert SAYS[claim](*map(read, found)), ask.given
    blocked = np.isneginf(graph["M"].value).all(axis=1).any() if "M" in graph else False
    if claim == "columns":
        assert ("that is not all blocked" in ask.given) == blocked
    if claim in ("ranking", "d_model"):
        assert lesson.settings.scale == "root"
    assert "different matrices" not in ask.given, "keys may be queries, or come from no matrix"


@pytest.mark.parametrize(
    "query",
    [
        {"claim": "ranking", "scale": "0"},
        {"claim": "ranking", "scale": "-1"},
        *({"claim": "d_model", "scale": scale} for scale in ("off", "0.5", "0")),
        {"claim": "d_model", "text": "one two", "d_model": "4", "d_k": "4"},
        {"claim": "late"},
        {"claim": "itself", "decimals": "0", "text": TWELVE, "mask": "padding", "scale": "0"},
        {"claim": "order", "positions": "1"},
        {"claim": "order", "mask": "causal"},
        {"claim": "parameters", "example": "hand"},
        {"claim": "columns", "text": "one"},
        {"claim": "mutual", "mask": "causal"},
        {"claim": "cached", "tied": "1", "mask": "causal"},
        {"claim": "zero", "decimals": "2", "edits": "X:0,0=4"},
    ],
    ids=str,
)
def test_what_is_not_settled_is_not_asked_and_a_link_settles_it(query: dict[str, str]) -> None:
    app = open_page(MISCONCEPTIONS.file, **query)
    assert board(app)["ask"] is None
    text = prose(app)
    assert "These numbers do not show whether that is so." in text
    link = re.search('<a data-go href="Misconceptions[?]([^"]*)">(Use|Show) ', text)
    assert link
    assert vote(lesson_of(dict(parse_qsl(unescape(link[1])))))


@pytest.mark.parametrize("example", ["love", "cat"])
def test_links_carry_over_nothing_that_keeps_a_claim_from_being_settled(example: str) -> None:
    odd = {"scale": "0", "tied": "1", "positions": "1", "row": "64", "decimals": "0"}
    text = prose(open_page(MISCONCEPTIONS.file, example=example, mask="window", **odd))
    links = re.findall('<a data-go href="Misconceptions[?]([^"]*)"', text.split("All claims")[1])
    queries = [dict(parse_qsl(unescape(link))) for link in links[: len(CLAIM_LIST)]]
    assert [each.get("claim", "parameters") for each in queries] == list(CLAIM_LIST)
    assert all(vote(lesson_of(each)) for each in queries)
    assert {each.get("example", "love") for each in queries} == {example}


def test_a_negative_score_is_below_every_cosine() -> None:
    ask = vote(lesson_of({"claim": "cosine", "text": "dog bites man now", "seed": "2"}))
    assert ask
    assert "This score is −18," in ask.given
    assert "No cosine is below −1." in ask.given


@pytest.mark.parametrize("query", [{}, *ODD], ids=str)
@pytest.mark.parametrize("claim", CLAIM_LIST)
def test_every_number_of_its_board_is_the_computed_one(claim: str, query: dict[str, str]) -> None:
    query = {**as_linked(claim), **query}
    expected = everything(query)
    if CLAIMS[claim] == "sharpen":
        expected = of_one_row(query, expected["S"])
    else:
        expected |= in_other_order(query) | mask_errors(expected)
        expected |= short_and_cut(expected)
        expected |= {"A_T": expected["A"].T, "Z_down": expected["A"].sum(axis=0)[:, None]}
    message = board(open_page(MISCONCEPTIONS.file, **query))
    check(message, expected, int(query.get("decimals", "3")))


def short_and_cut(m: dict[str, Any]) -> dict[str, Any]:
    """Values of one number, values without one, and the columns of W_Q for each head."""
    short, keep = m["V"][:, :1], np.ones_like(m["V"])
    row = next((row for row in m["A"] if row.any()), m["A"][0])
    keep[next(t for t, weight in enumerate(row) if np.isclose(weight, max(row)))] = 0
    found = {"V_short": short, "O_short": m["A"] @ short, "V_keep": keep}
    found |= {"V_zero": m["V"] * keep, "O_zero": m["A"] @ (m["V"] * keep)}
    if "W_Q" in m:
        d_k = m["W_Q"].shape[1]
        count = min(h for h in range(1, d_k + 1) if d_k % h == 0 and (h > 1 or d_k == 1))
        parts = np.split(m["W_Q"], count, axis=1)
        found |= {f"W_Q_{head}": part for head, part in enumerate(parts, 1)}
    return found


def truths(m: dict[str, Any]) -> dict[str, bool]:
    """Whether claims hold on some numbers, worked out here."""
    A, V, O, S = m["A"], m["V"], m["O"], m["S"]
    return {
        "most": all(
            abs(A[i] * V[:, j]).argmax() == A[i].argmax()
            for i in range(len(O))
            for j in range(O.shape[1])
        ),
        "thinks": np.allclose(m["O_zero"], O),
        "late": np.allclose(np.where(np.isfinite(m["M"]), m["A_scaled"], 0).sum(axis=1), 1),
        "columns": np.allclose(A.sum(axis=0), 1),
        "anything": bool((V.min(axis=0) - 1e-9 < O).all() and (V.max(axis=0) + 1e-9 > O).all()),
        "ranking": all(
            m["S_scaled"][i, a] == max(m["S_scaled"][i]) for i, a in enumerate(S.argmax(axis=1))
        ),
        "mutual": not np.allclose(A, A.T),
        "zero": bool((A > 0).all()),
        "itself": bool(A.diagonal().any()),
        "length": np.allclose(m["O_short"], O[:, :1]),
        "cosine": np.allclose(S, m["C"]),
        "heads": sum(m[f"W_Q_{head}"].size for head in (1, 2)) > m["W_Q"].size,
    }


@pytest.mark.parametrize("claim", CLAIM_LIST)
def test_the_verdict_is_what_the_numbers_say(claim: str) -> None:
    m = everything(as_linked(claim))
    found = truths(m | short_and_cut(m))
    assert claim not in found or found[claim] == CLAIM_LIST[claim].holds
