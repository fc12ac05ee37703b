"""The page on gradients: what it asks, what it says of the step, and what it checks by trying."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import numpy as np
import pytest

from tests.ui.backwards import Array, in_gradients
from tests.ui.test_numbers import check, everything, given_of, read, rounded
from tests.ui.test_pages import board, open_page, prose
from ui.pages import variant

HERE = variant("gradients").file
ONE_KEY = {"mask": "causal", "whose": "0", "aim": "2"}
SHUT = {"mask": "custom", "allow": "111.000.111", "whose": "1"}
LINKS: dict[str, dict[str, str]] = {
    "long step": {"example": "cat", "whose": "1", "aim": "2", "rate": "3", "mask": "causal"},
    "hand": {"example": "hand", "whose": "0", "aim": "2", "rate": "1", "decimals": "2"},
    "shut": SHUT,
    "one key": ONE_KEY,
    "twelve": {"text": "a b c d e f g h i j k l", "d_k": "8", "d_model": "8", "d_v": "8"},
    "far": {"edits": "X:0,0=10000;W_Q:0,0=-10000;W_V:1,1=10000", "rate": "3"},
    "no scale": {"scale": "0", "example": "cat", "tied": "1"},
}


def computed(query: dict[str, str]) -> dict[str, Array]:
    return in_gradients(query, given_of(query), lambda given: everything(query, given))


def told(query: dict[str, str]) -> str:
    text = re.sub(r"<sub>([^<]*)</sub>", r"_\1", prose(open_page(HERE, **query)))
    return unescape(re.sub("<[^>]+>", "", text))


def tables(query: dict[str, str]) -> dict[str, list[list[str]]]:
    found = {}
    for name, body in re.findall(
        r"<caption>(.*?)</caption>.*?<tbody>(.*?)</tbody>", prose(open_page(HERE, **query)), re.S
    ):
        rows = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in body.split("</tr>")[:-1]]
        plain = [[unescape(re.sub("<[^>]+>", "", cell)) for cell in row] for row in rows]
        found[unescape(name)] = plain
    return found


@pytest.mark.parametrize("query", LINKS.values(), ids=LINKS)
def test_every_number_is_the_computed_one(query: dict[str, str]) -> None:
    message = board(open_page(HERE, **query))
    check(message, computed(query), int(query.get("decimals", "3")))


@pytest.mark.parametrize(
    "query",
    [{}, {"example": "hand"}, {"example": "cat", "whose": "2", "aim": "3"}, {"text": "a b"}],
)
def test_the_lowest_gradient_of_the_row_is_asked_for(query: dict[str, str]) -> None:
    message, expected = board(open_page(HERE, **query)), computed(query)
    ask, hidden = message["ask"], set(message["hidden"])
    row = int(ask["pin"].partition(":")[2].partition(",")[0])
    assert row == min(int(query.get("whose", "11")), len(expected["Q"]) - 1)
    slopes = [rounded(x, 3) for x in expected["dS_masked"][row].tolist()]
    assert [right for _, right in ask["options"]] == [slope == min(slopes) for slope in slopes]
    for key in ("dS_masked", "dS", "A_after", "A_diff"):
        assert {f"{key}:{row},{col}" for col in range(len(slopes))} <= hidden
    assert {f"ds:0,{col}" for col in range(len(slopes))} <= hidden
    # A key's gradient is its score's times the query, and what is left of a key tells it, too.
    for key in ("dK", *(["K_after"] if "X" not in expected else [])):
        cells = np.ndindex(*expected[key].shape)
        assert {f"{key}:{i},{j}" for i, j in cells} <= hidden


@pytest.mark.parametrize("query", [{"text": "one"}, ONE_KEY, SHUT, {"whose": "1", "aim": "1"}])
def test_it_asks_only_where_a_score_has_a_gradient(query: dict[str, str]) -> None:
    row = min(int(query.get("whose", "11")), len(computed(query)["Q"]) - 1)
    learns = (computed(query)["dS_masked"][row] < -0.0005).any()
    assert (board(open_page(HERE, **query))["ask"] is not None) == learns


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ({"text": "one"}, "The output of «one» is that value already. The loss is 0"),
        (SHUT, "Every key is blocked for «love»: its output stands as 0"),
        (ONE_KEY, "«I» sees one key only."),
        ({"mask": "causal"}, "nothing is learned through a blocked cell"),
        ({"scale": "0"}, "The scale is 0, so dS is 0"),
        ({"tied": "1"}, "A model that keeps them one matrix adds both gradients."),
        ({"example": "hand"}, "the way back ends at them: these take the step."),
        ({"rate": "0.1"}, "At η = 0.1 the loss falls from 1.278 to 0.924."),
        ({"rate": "1"}, "At η = 1 the loss rises from 1.278 to 5.372: this step is too long."),
        ({"example": "cat"}, "All tokens share these weights, so other outputs have moved, too"),
        (SHUT, "The loss stays at 1: no parameter has a gradient."),
    ],
)
def test_what_it_says_depends_on_the_numbers(query: dict[str, str], says: str) -> None:
    assert says in told(query)


@pytest.mark.parametrize("query", LINKS.values(), ids=LINKS)
def test_the_step_at_each_rate(query: dict[str, str]) -> None:
    decimals = int(query.get("decimals", "3"))
    for rate, hope, after, said in tables(query)["One step at each rate"]:
        expected = computed(query | {"rate": rate})
        learned = ("W_Q", "W_K", "W_V") if "X" in expected else ("Q", "K", "V")
        squares = sum(float((expected[f"d{key}"] ** 2).sum()) for key in learned)
        before, then = (float(expected[key][0, 0]) for key in ("L", "L_after"))
        for text, value in ((hope, before - float(rate) * squares), (after, then)):
            assert read(text) == pytest.approx(value, rel=1e-3, abs=0.51 * 10.0**-decimals)
        if abs(then - before) > 1e-9 * before:
            assert said == ("falls" if then < before else "rises")
        else:
            assert said == "stays"


def measured(query: dict[str, str], key: str, place: tuple[int, ...]) -> float:
    """What a step of 10⁻⁵ up and one down make of the loss, computed outside the core."""
    target = computed(query)["T"]
    ends: list[Any] = []
    for step in (1e-5, -1e-5):
        given = {name: value.copy() for name, value in given_of(query).items()}
        given[key][place] += step
        ends.append(((everything(query, given)["O"] - target) ** 2).sum() / 2)
    return float(ends[0] - ends[1]) / 2e-5


@pytest.mark.parametrize("query", [{}, {"example": "hand"}, LINKS["long step"]], ids=str)
def test_finite_differences_are_measured(query: dict[str, str]) -> None:
    expected = computed(query)
    rows = tables(query)["Gradients and finite differences"]
    learned = ["X", "W_Q", "W_K", "W_V"] if "X" in expected else ["Q", "K", "V"]
    assert len(rows) == len(learned)
    for key, (name, slope, tried, apart) in zip(learned, rows, strict=True):
        assert name.startswith(key.replace("_", ""))
        assert abs(read(slope)) == pytest.approx(abs(expected[f"d{key}"]).max(), abs=1e-6)
        places = np.argwhere(np.isclose(expected[f"d{key}"], read(slope), atol=1e-6))
        near = [measured(query, key, tuple(place)) for place in places]
        assert any(read(tried) == pytest.approx(x, abs=2e-6) for x in near)
        assert read(apart) < 1e-8
    count = sum(expected[key].size for key in learned)
    assert f"for all {count} numbers" in told(query)


def test_blocked_cells_are_hatched_and_the_jacobian_has_none() -> None:
    matrices = board(open_page(HERE, mask="causal"))["matrices"]
    for key in ("A", "dA", "dS_masked", "dS", "A_after"):
        assert matrices[key]["blocked"] == [[0, 1], [0, 2], [1, 2]]
    assert "blocked" not in matrices["J"]


def test_what_the_others_cost_is_told() -> None:
    after = computed({"example": "cat"})["L_row_after"][:3]
    assert f"That is {rounded(float(after.sum()) / 2, 3)} of the loss" in told({"example": "cat"})
    assert "other outputs have moved" not in told({"text": "one"})


def test_what_tells_the_answer_waits_for_it() -> None:
    waits = prose(open_page(HERE)).split('class="later parts"')[1]
    for text in ("Through the softmax", "the loss falls from"):
        assert text in waits
