"""Layouts fit what an example has, and the facts line says what stands there."""

from __future__ import annotations

import pytest

from attention_core import EXAMPLES
from ui.board.facts import facts_of
from ui.board.layout import Layout, Line, Stage, as_layout
from ui.given import inputs_of
from ui.lesson import Lesson, graph_of
from ui.pages import SCORE
from ui.settings import Settings

LOVE, HAND = EXAMPLES["love"].graph(), EXAMPLES["hand"].graph()


def test_a_key_alone_is_the_board_that_leads_to_it() -> None:
    layout = as_layout("S").on(LOVE)
    assert (layout.main, layout.lines) == ("S", (Line("S"),))
    assert [m.key for m in layout.standing(LOVE)] == [m.key for m in LOVE.behind("S")]


def test_what_an_example_has_not_is_left_out() -> None:
    lines = Layout("Q", (Line("X"), Line("Q"), Line("S", "Scores"))).on(HAND)
    assert lines.lines == (Line("Q"), Line("S", "Scores"))
    stages = Layout(
        "X_out",
        stages=(Stage("Before", (("X",), ("Q", "K"))), Stage("After", (("U",), ("X_out",)))),
    ).on(HAND)
    assert stages.stages == (Stage("Before", (("Q", "K"),)),)
    assert stages.main == "K", "the last that is there"


@pytest.mark.parametrize(
    ("layout", "main"),
    [
        (Layout("X_out"), "O"),
        (Layout("X_out", (Line("X_out"), Line("S"))), "S"),
        (Layout("A", (Line("Q"), Line("S"))), "S"),
        (Layout("Q", (Line("S"),)), "Q"),
        (Layout("X", stages=(Stage("", (("X_out",),)),)), "O"),
    ],
)
def test_the_main_matrix_is_one_that_stands_there(layout: Layout, main: str) -> None:
    fitted = layout.on(HAND)
    assert fitted.main == main
    assert main in {m.key for m in fitted.standing(HAND)}


def test_stages_stand_alone_and_know_what_leads_to_them() -> None:
    layout = Layout("O", stages=(Stage("", (("Q",), ("O",))),)).on(LOVE)
    assert [m.key for m in layout.standing(LOVE)] == ["Q", "O"]
    assert layout.behind(LOVE) == LOVE.behind("O")


def facts(layout: Layout | str, **settings: object) -> dict[str, object]:
    """The facts of a board; mathematics by its letters."""
    inputs, _, used = inputs_of(Settings(**settings))  # type: ignore[arg-type]
    lesson = Lesson(SCORE, used, inputs, graph_of(used))

    def plain(label: object) -> str:
        return label if isinstance(label, str) else "".join(map(plain, label[1:]))  # type: ignore[index]

    fitted = as_layout(layout).on(lesson.graph)
    return {plain(label): text for label, text in facts_of(lesson, fitted)}


def test_the_facts_name_the_sizes_of_what_stands_there() -> None:
    assert facts("S") == {
        "tokens": ["I", "love", "AI"], "dmodel": "4", "dk": "3", "mask": "none",
    }  # fmt: skip
    assert facts("V") == {"tokens": ["I", "love", "AI"], "dmodel": "4", "dv": "3"}
    assert list(facts("O", example="hand")) == ["tokens", "dk", "dv", "mask"]


def test_the_mask_will_block_only_where_it_has_not_blocked_yet() -> None:
    assert facts("S", mask="causal")["mask"] == "causal (will block the hatched cells)"
    assert facts("S_scaled", mask="causal")["mask"] == "causal (will block the hatched cells)"
    assert facts("S_masked", mask="causal")["mask"] == "causal"
    assert facts("O", mask="causal")["mask"] == "causal"
    assert "mask" not in facts("Q", mask="causal")


def test_other_settings_are_said_where_they_matter() -> None:
    assert "WK = WQ" in facts("S", tied=True)
    assert "K = Q" in facts("S", tied=True, example="hand")
    assert "WK = WQ" not in facts("Q", tied=True)
    assert facts("O", scale="off")["scale"] == "off"
    assert facts("O", scale="-0.5")["scale"] == "−0.5"
    assert "scale" not in facts("S", scale="off")
    assert "scale" not in facts("O")
