"""The Order page: what stands on its board, what it asks, and orders to start from."""

from __future__ import annotations

from dataclasses import replace

from attention_core import Cell
from ui.asks import Ask, all_of
from ui.board.layout import Layout, Line
from ui.lesson import Lesson
from ui.settings import NONE, OWN, PADDING, Settings


def order_board(lesson: Lesson) -> Layout:
    """Both runs and their difference, from the rows that are put into another order."""
    given = (
        (Line("X_P", "The same rows in another order", "P has one 1 a row: it copies a row of X."),)
        if "X" in lesson.graph
        else (
            Line("Q_P", "The same rows in another order", "P has one 1 a row: it copies a row."),
            Line("K_P"),
            Line("V_P"),
        )
    )
    return Layout(
        "A_P",
        lines=(
            *given,
            Line(
                "X_pos",
                "Positions are added, in the first order",
                "Row 0 of Pos goes to the token that stands first, whichever it is.",
            ),
            Line("X_pos_P", "The same positions are added, in the other order"),
            Line("O", "First run"),
            Line("O_P", "Second run: the same operations and the same weights"),
            Line(
                "O_back",
                "The outputs of the second run, back in the first order",
                "Pᵀ undoes P: each output returns to the row of its token.",
            ),
            Line("O_diff", "What the order has changed"),
        ),
    )


def same_output(lesson: Lesson, row: int) -> Ask | None:
    """Ask whether a token gets the same output in the other order. Not where there is one only."""
    graph = lesson.graph
    if len(lesson.inputs.tokens) == 1:
        return None
    changes = bool(graph["O_diff"].value[row].any())
    who = graph["O"].rows.unique(row)
    because = _because(lesson, who, changes)
    return Ask(
        title=f"Will «{who}» get the same output in the other order?",
        hint="Before you look: choose, and the difference opens.",
        cells=(*(cell for key in ("O_P", "O_back", "O_diff") for cell in all_of(graph[key])),),
        pin=Cell("O_diff", row, int(abs(graph["O_diff"].value[row]).argmax())),
        right=f"Right: {because}",
        wrong="Not so. Which of its query, the keys and the values are other ones now? And does a "
        "sum depend on the order of its terms?",
        given=f"The answer: {because}",
        options=(("The same", not changes), ("Another one", changes)),
    )


def _because(lesson: Lesson, who: str, changes: bool) -> str:
    """Why an output changes, or why it does not."""
    by_place, positions = lesson.settings.mask not in (NONE, PADDING), "Pos" in lesson.graph
    if not changes and (by_place or positions):
        return f"the same. With these numbers, the output of «{who}» does not tell the order."
    if not changes:
        return (
            f"the same. «{who}» has the same query, and meets the same keys and values. Only their "
            "order differs, and a sum does not depend on the order of its terms."
        )
    moved = "Positions stay where they are, so tokens that move get other ones."
    blocked = "The mask stays where it is, so it blocks other pairs of tokens."
    reasons = (moved if positions else "", blocked if by_place else "")
    return " ".join(filter(None, ("another one.", *reasons)))


def mask_of_order(lesson: Lesson) -> str:
    """What becomes of the mask in the other order; nothing where there is none."""
    mask = lesson.settings.mask
    if mask == NONE:
        return ""
    if mask == PADDING:
        return (
            "The padding mask belongs to a token, so here it moves with it: the same token is "
            "blocked in both runs."
        )
    return (
        "The mask belongs to places, so here it stays: in both runs it blocks the same cells, "
        "whichever tokens meet there."
    )


def orders(lesson: Lesson) -> tuple[tuple[str, Settings], ...]:
    """Settings that are worth a look, from the plain one on."""
    dog = replace(
        lesson.settings,
        example=OWN,
        text="dog bites man",
        split="words",
        order="reversed",
        positions=False,
        mask=NONE,
        edits=(),
    )
    return (
        ("dog bites man", dog),
        ("With positions", replace(dog, positions=True)),
        ("With a causal mask", replace(dog, mask="causal")),
        ("One word, three times", replace(dog, text="no no no", positions=True)),
    )
