"""The blend: what each token adds to one output, in texts that agree with the numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from attention_core import EXAMPLES, Graph, attention, mask_from_text
from attention_core.explain import Explanation
from attention_core.matrix import given
from attention_core.ops import divide_by_column, matmul, row_length
from attention_core.rounding import show
from ui.board.blend import blend
from ui.lesson import graph_of
from ui.settings import Settings

LOVE = EXAMPLES["love"].graph()
OWN = Settings(example="own", text="the quick brown fox jumps over", seed=5)


def made(V: list[list[float]], scores: list[float] | None = None) -> Graph:
    """Three tokens; the weights of the first are the softmax of ``scores`` (equal if none)."""
    K = [[x] for x in scores or [0.0, 0.0, 0.0]]
    return attention([[1.0]] * 3, K, V, scale=1.0, tokens=("a", "b", "c"))


def told(graph: Graph, col: int = 0, row: int = 0, decimals: int = 3) -> dict[str, Any]:
    """The blend of an output."""
    message = blend(graph.explain("O", row, col, decimals))
    assert message is not None
    return message


def test_every_token_stands_with_its_weight_and_what_it_adds() -> None:
    message = told(LOVE, 1)
    rows = [(p["token"], p["share"], p["sign"], p["product"]) for p in message["parts"]]
    assert rows == [
        ("I", "7 %", "=", "0"),
        ("love", "71 %", "=", "1.414"),
        ("AI", "22 %", "=", "0.223"),
    ]
    assert (message["sign"], message["result"]) == ("=", "1.637")
    assert message["words"] == "86 % of this number comes from «love»."
    assert message["note"] is None
    assert [p["most"] for p in message["parts"]] == [False, True, False]


@pytest.mark.parametrize("settings", [Settings(), Settings(example="cat", mask="causal"), OWN])
def test_the_numbers_are_those_of_the_computation(settings: Settings) -> None:
    graph = graph_of(settings)
    A, V = graph["A"].value, graph["V"].value
    for row, col in np.ndindex(*graph["O"].shape):
        message = told(graph, col, row)
        products = A[row] * V[:, col]
        assert [p["product"] for p in message["parts"]] == [show(x).text for x in products]
        assert [p["width"] for p in message["parts"]] == [round(100 * x, 2) for x in A[row]]
        top = np.abs(products).max()
        most = [top > 0 and bool(np.isclose(abs(x), top)) for x in products]
        assert [p["most"] for p in message["parts"]] == most


def test_only_rows_of_weights_are_blends() -> None:
    for key in ("X", "Q", "S", "A", "S_scaled"):
        assert blend(LOVE.explain(key, 0, 0)) is None, key
    for form in ("steps", "look-up"):
        graph = graph_of(Settings(), form)
        key = "O" if form == "steps" else "O_H"
        assert blend(graph.explain(key, 0, 0)) is not None, form


def test_a_row_without_a_distribution_blends_nothing() -> None:
    graph = EXAMPLES["love"].inputs.graph(mask_from_text("111.000.111"))
    assert blend(graph.explain("O", 1, 0)) is None
    assert blend(graph.explain("O", 0, 0)) is not None


def test_a_blocked_token_has_no_share() -> None:
    message = told(graph_of(Settings(mask="causal")), 0, 0)
    assert [p["share"] for p in message["parts"]] == ["100 %", "0 %", "0 %"]
    assert message["words"] == "All of this number comes from «I»."


@pytest.mark.parametrize(
    ("V", "words"),
    [
        ([[3], [6], [9]], "50 % of this number comes from «c»."),
        ([[-3], [-6], [-9]], "50 % of this number comes from «c»."),
        ([[0], [6], [0]], "All of this number comes from «b»."),
        ([[0], [0], [0]], "Every term is 0, and so is the result."),
        ([[6], [6], [3]], "40 % of this number comes from each of «a» and «b»."),
        ([[6], [6], [6]], "33 % of this number comes from each of «a», «b» and «c»."),
        (
            [[-9], [3], [3]],
            "−3, from «a», is the largest term; terms of the other sign take some of it away.",
        ),
        (
            [[6], [-6], [0]],
            "2 and −2, from «a» and «b», are the largest terms; terms of the other sign take some "
            "of it away.",
        ),
    ],
)
def test_the_words_name_who_gave_most(V: list[list[float]], words: str) -> None:
    assert told(made(V))["words"] == words


def test_equal_labels_are_told_apart() -> None:
    graph = graph_of(Settings(example="own", text="no no no"))
    assert [p["token"] for p in told(graph)["parts"]] == ["no (1)", "no (2)", "no (3)"]


def test_what_rounding_hides_is_marked_and_said() -> None:
    """A third of 2 shows as 0.667, but 0.333·2 is 0.666; three thirds shown do not add up to 1."""
    message = told(made([[2], [1], [1]]))
    assert [p["sign"] for p in message["parts"]] == ["≈", "=", "="]
    assert message["note"] == (
        "≈: computed from the numbers before they are rounded for display. The weights are rounded "
        "to whole per cent: as they are shown they add up to 99 %."
    )
    thirds = told(made([[1], [1], [1]]))
    assert [p["sign"] for p in thirds["parts"]] == ["=", "=", "="]
    assert (thirds["sign"], thirds["result"]) == ("≈", "1")
    assert thirds["note"] is not None
    assert told(made([[3], [3], [3]]))["sign"] == "="


def test_decimals_are_the_viewers() -> None:
    message = told(LOVE, 1, decimals=1)
    assert [p["product"] for p in message["parts"]] == ["0", "1.4", "0.2"]
    assert message["result"] == "1.6"


def test_weights_are_known_by_what_they_are_and_their_sum_is_told() -> None:
    """Whatever made them, such as taken columns. Unit vectors are no weights."""
    sink = graph_of(Settings(), "sink")
    message = blend(sink.explain("O_sink", 0, 1))
    assert message is not None
    total = 100 * sink["A_sink"].value[0].sum()
    assert f"The weights here add up to {total:.0f} %, not to 100 %." in message["note"]
    unit = divide_by_column(given("Q", [[3, -4]]), row_length(given("Q", [[3, -4]]), "len_Q"), "Y")
    assert blend(Explanation(matmul(unit, given("V", [[1], [2]]), "Z"), 0, 0)) is None
