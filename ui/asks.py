"""Predictions: a question that is asked before the answer is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from attention_core import Cell, Explanation, Graph, Matrix
from attention_core.rounding import show
from ui.lesson import Lesson
from ui.settings import CUSTOM, NONE
from ui.whom import most, named


@dataclass(frozen=True)
class Ask:
    """A question whose answer is a number on the board, or one of some options.

    ``cells`` are hidden until it is answered; ``pin`` is the cell that explains the answer. A typed
    number is right when it names the number in ``pin`` as it is shown or more exactly, or lies in
    ``within`` (hand arithmetic on the rounded numbers that are shown). Where there are ``options``,
    each with whether it is right, one of them is chosen and nothing is typed. ``{formula}`` in the
    hint is the ``formula``. Where it ``opens`` the board it stands ``above`` and all matrices wait.
    """

    title: str
    hint: str
    cells: tuple[Cell, ...]
    pin: Cell
    right: str
    wrong: str
    given: str
    within: tuple[float, float] | None = None
    formula: Explanation | None = None
    options: tuple[tuple[str, bool], ...] = ()
    opens: bool = False
    above: bool = False

    def message(self) -> dict[str, Any]:
        """What the board is told."""
        return {
            "id": f"{self.pin.symbol}:{self.pin.row}",
            "title": self.title,
            "hint": self.hint,
            "cells": [str(cell) for cell in self.cells],
            "pin": str(self.pin),
            "right": self.right,
            "wrong": self.wrong,
            "given": self.given,
            "within": self.within,
            "options": [list(option) for option in self.options],
            "opens": self.opens,
        }


def largest_in_row(lesson: Lesson, key: str, row: int, wrong: str) -> Ask | None:
    """Ask for the largest number of a row. ``None`` where all is blocked, or one number stands."""
    matrix, largest = lesson.graph[key], lesson.graph.largest(key, row)
    if not largest or matrix.shape[1] == 1:
        return None
    one, decimals = matrix.symbol.one, lesson.settings.decimals
    answer = show(float(matrix.value[largest[0].row, largest[0].col]), decimals).text
    precision = f" to {decimals} decimals" if "." in answer else ""
    who = matrix.rows.unique(row)
    names = named(matrix.cols, (cell.col for cell in largest))
    because = f"{names} share the largest {one}"
    if len(largest) == 1:
        because = f"the largest {one} in this row is for {names}"
    alike = [x for x in matrix.value[row].tolist() if show(x, decimals).text == answer]
    because += "." if len(alike) == len(largest) else ", by less than the decimals show."
    return Ask(
        title=f"How large is the largest {one} in the row of «{who}»?",
        hint=f"Before you look: type the number{precision}, then check. Right, and the row opens.",
        cells=row_of(matrix, row),
        pin=largest[0],
        right=f"Yes, {answer}: {because}",
        wrong=wrong,
        given=f"It is {answer}: {because}",
    )


def entry(lesson: Lesson, key: str, row: int, col: int, wrong: str) -> Ask | None:
    """Ask for one number, worked out by hand. ``None`` for a number that is given.

    The whole row is hidden, so that nothing of it gives the answer away.
    """
    if key not in lesson.graph or lesson.graph[key].op is None:
        return None
    matrix, decimals = lesson.graph[key], lesson.settings.decimals
    why = lesson.graph.explain(key, row, col, decimals)
    if why.undefined or not why.sources:
        return None
    within = _by_hand(why)
    asked = "Which number says" if why.title.startswith("How ") else "How large is"
    enough = "" if within[0] == within[1] else " Right to one decimal is enough."
    return Ask(
        title=f"{asked} {why.title[0].lower()}{why.title[1:]}?",
        hint=f"Before you look: work it out, {{formula}}.{enough} Then check, and the row opens.",
        formula=why,
        cells=row_of(matrix, row),
        pin=why.cell,
        right=f"Yes, {why.shown}.",
        wrong=wrong,
        given=f"It is {why.shown}: {why.substituted}.",
        within=within,
    )


def missing_share(
    lesson: Lesson, row: int, wrong: str, key: str = "A", col: int | None = None
) -> Ask | None:
    """Ask for one weight (the largest) of a row of which all others are shown: it adds up to 1."""
    graph, decimals = lesson.graph, lesson.settings.decimals
    weights, cells = graph[key], graph.largest(key, row)
    if not cells or weights.shape[1] == 1:
        return None
    cell = cells[0] if col is None else Cell(key, row, col)
    why = graph.explain(*cell, decimals)
    who, whom = weights.rows.unique(row), weights.cols.unique(cell.col)
    shares = [show(share, decimals).value for share in weights.value[row].tolist()]
    left = 1.0 - (sum(shares) - shares[cell.col])
    return Ask(
        title=f"How large is the weight of «{whom}» in the row of «{who}»?",
        hint="Before you look: the weights of a row add up to 1. Type the one that is missing.",
        cells=(cell,),
        pin=cell,
        right=f"Yes, {why.shown}.",
        wrong=wrong,
        given=f"It is {why.shown}: what the other weights of the row leave of 1.",
        within=_between(why.result, left, decimals),
    )


def order_stays(lesson: Lesson, row: int) -> Ask | None:
    """Ask whether scaling changes which key has the largest score of a row."""
    graph = lesson.graph
    before = [cell.col for cell in graph.largest("S", row)]
    after = [cell.col for cell in graph.largest("S_scaled", row)]
    if len(before) in (0, graph["S"].shape[1]):
        return None
    stays, ties = before == after, len(after) == graph["S"].shape[1]
    who = graph["S"].rows.unique(row)
    if stays:
        because = "all scores of a row are scaled by the same positive number: their order stays."
    elif ties:
        because = "the scale is 0, so all scores become equal."
    else:
        because = "the scale is negative, so the order is turned round."
    return Ask(
        title=f"Will «{who}» still score the same token highest after the scaling?",
        hint="Before you look: choose, and the row opens.",
        cells=row_of(graph["S_scaled"], row),
        pin=Cell("S_scaled", row, after[0]),
        right=f"Right: {because}",
        wrong="Not so. What happens to the larger of two numbers when both are scaled alike?",
        given=f"The answer: {because}",
        options=(
            (f"The same token{'s' if len(before) > 1 else ''}", stays),
            ("Another token", not stays and not ties),
            ("All will tie", ties),
        ),
    )


def gives_most(lesson: Lesson, row: int) -> Ask | None:
    """Ask which token has the largest share in an output: of ``row``, or where the numbers tell."""
    graph, weights = lesson.graph, lesson.graph["A"]
    rows = (row, *reversed(range(weights.shape[0])))
    row, found = next(((i, found) for i in rows if (found := most(lesson, "A", i))), (row, ()))
    if not found:
        return None
    who = weights.rows.unique(row)
    share = graph.explain("A", row, found[0], lesson.settings.decimals).shown
    verb = "has" if len(found) == 1 else "have"
    because = f"{named(weights.cols, found)} {verb} the largest weight in this row, {share}."
    return Ask(
        title=f"Whose value has the largest share in the output of «{who}»?",
        hint="Before you look: read the row of weights, choose, and the outputs open.",
        cells=row_of(graph["O"], row),
        pin=Cell("O", row, _telling(graph, row, found)),
        right=f"Yes: {because}",
        wrong=f"Not that one. The largest weight in the row of «{who}» names the token.",
        given=f"The answer: {because}",
        options=tuple((weights.cols.unique(col), col in found) for col in range(weights.shape[1])),
    )


def what_becomes(lesson: Lesson, row: int) -> Ask | None:
    """Ask what a mask does to a weight: the largest of a row. Not where a ready mask shows it.

    Asked is ``row``, or the first row in which another key is open to take what the weight leaves.
    """
    graph = lesson.graph
    is_open = graph["M"].value > float("-inf")
    rows = [i for i in (row, *range(len(is_open))) if is_open[i].sum() > 1]
    if lesson.settings.mask not in (NONE, CUSTOM) or not rows:
        return None
    row, cell = rows[0], graph.largest("S_masked", rows[0])[0]
    who, whom = graph["A"].rows.unique(row), graph["A"].cols.unique(cell.col)
    because = (
        "e to the power −∞ is 0, so the weight is exactly 0, and what it leaves goes to the others."
    )
    return Ask(
        title=f"If −∞ is added to the score of «{whom}» for «{who}», what becomes of its weight?",
        hint="Before you look: choose. Then click that cell of M, and see.",
        cells=(),
        pin=Cell("M", row, cell.col),
        right=f"Right: {because}",
        wrong="Not so. What is e to the power of a number that is below all numbers?",
        given=f"The answer: {because}",
        options=(("It gets small", False), ("It is exactly 0", True), ("It stays", False)),
    )


def most_unlike(lesson: Lesson, key: str, other: str, row: int) -> int:
    """The column in which two matrices differ most in a row."""
    one, two = lesson.graph[key].value[row], lesson.graph[other].value[row]
    return int(abs(one - two).argmax())


def all_of(matrix: Matrix) -> tuple[Cell, ...]:
    """Every cell of a matrix."""
    return tuple(cell for row in range(matrix.shape[0]) for cell in row_of(matrix, row))


def row_of(matrix: Matrix, row: int) -> tuple[Cell, ...]:
    """The cells of one row."""
    return tuple(Cell(matrix.key, row, col) for col in range(matrix.shape[1]))


def _telling(graph: Graph, row: int, most: tuple[int, ...]) -> int:
    """A component of the output to which no token adds more than those with the largest weight."""
    adds = abs(graph["A"].value[row][:, None] * graph["V"].value)
    return next((t for t, column in enumerate(adds.T) if 0 < column.max() == column[most[0]]), 0)


def _by_hand(why: Explanation) -> tuple[float, float]:
    """What hand arithmetic on the shown numbers gives, to one decimal."""
    by_hand = why.expression.evaluate(lambda num: num.shown(why.decimals).value)
    if by_hand == why.result == round(why.result):
        return why.result, why.result
    return _between(why.result, by_hand, 1)


def _between(exact: float, by_hand: float, decimals: int) -> tuple[float, float]:
    """The exact number, what hand arithmetic makes of it, and what rounds to either."""
    unit = 0.499 * 10.0**-decimals
    return min(exact, by_hand) - unit, max(exact, by_hand) + unit
