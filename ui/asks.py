"""Predictions: a question that is asked before the answer is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from attention_core import Cell
from attention_core.rounding import show
from ui.lesson import Lesson


@dataclass(frozen=True)
class Ask:
    """A question whose answer is a number on the board.

    ``cells`` are hidden until it is answered; ``pin`` is the cell that explains the answer.
    """

    title: str
    hint: str
    answer: str
    cells: tuple[Cell, ...]
    pin: Cell
    right: str
    wrong: str
    given: str

    def message(self) -> dict[str, Any]:
        """What the board is told."""
        return {
            "id": f"{self.pin.symbol}:{self.pin.row}",
            "title": self.title,
            "hint": self.hint,
            "answer": self.answer,
            "cells": [str(cell) for cell in self.cells],
            "pin": str(self.pin),
            "right": self.right,
            "wrong": self.wrong,
            "given": self.given,
        }


def largest_in_row(lesson: Lesson, key: str, row: int, wrong: str) -> Ask | None:
    """Ask for the largest number of a row. ``None`` where there is nothing to ask.

    That is so where all of the row is blocked, and where it has one number only.
    """
    matrix = lesson.graph[key]
    largest = lesson.graph.largest(key, row)
    if not largest or matrix.shape[1] == 1:
        return None
    one = matrix.symbol.one
    decimals = lesson.settings.decimals
    answer = show(float(matrix.value[largest[0].row, largest[0].col]), decimals).text
    precision = f" to {decimals} decimals" if "." in answer else ""
    who = matrix.rows.unique(row)
    names = [f"«{matrix.cols.unique(cell.col)}»" for cell in largest]
    if len(names) == 1:
        because = f"the largest {one} in this row is for {names[0]}."
    else:
        because = f"{', '.join(names[:-1])} and {names[-1]} share the largest {one}."
    return Ask(
        title=f"How large is the largest {one} in the row of «{who}»?",
        hint=f"Before you look: type the number{precision}, then check. Right, and the row opens.",
        answer=answer,
        cells=tuple(Cell(key, row, col) for col in range(matrix.shape[1])),
        pin=largest[0],
        right=f"Yes, {answer}: {because}",
        wrong=wrong,
        given=f"It is {answer}: {because}",
    )
