"""The page on tokens as rows or as columns: its board, its question, both side by side."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from attention_core import Cell, Graph, Matrix, as_columns, as_rows
from attention_core.rounding import show
from ui.asks import Ask, all_of
from ui.board.layout import Layout, Stage
from ui.lesson import Lesson
from ui.sayings import by, table
from ui.settings import CUSTOM, NONE, OWN, Settings

_SHOWN = ("X", "W_Q", "Q", "K", "V", "S", "A", "O")


def in_columns(lesson: Lesson) -> bool:
    """Whether the board has tokens as columns."""
    return bool(lesson.option("columns"))


def board(lesson: Lesson) -> Layout:
    """From X to O, in the order in which the factors stand: X W_Q, or W_Q X."""
    factors = [("X",), ("W_Q", "W_K", "W_V")]
    if in_columns(lesson):
        factors.reverse()
    return Layout(
        "O",
        stages=(
            Stage("Project", (*factors, ("Q", "K", "V"))),
            Stage("Score", (("S",),)),
            Stage("Scale", (("S_scaled",),)),
            Stage("Mask", (("S_masked",),)),
            Stage("Softmax", (("A",),)),
            Stage("Mix", (("O",),)),
        ),
    )


def adds_up(lesson: Lesson) -> Ask | None:
    """Ask what adds up to 1. Not where more than one thing does, or nothing."""
    graph = lesson.graph
    A, decimals = graph["A"], lesson.settings.decimals
    if not any(show(weight, decimals).value for weight in A.value.flat):
        return None  # all are shown as 0
    lines, across = (A.value.sum(axis=axis) for axis in ((0, 1) if A.by_column else (1, 0)))
    shared = across[across > 0]  # a key that nobody attends to collects nothing
    if not lines.any() or np.allclose(shared, 1.0) or np.isclose(lines.sum(), 1.0):
        return None
    cell = next(cell for at in range(len(lines)) for cell in graph.largest("A", at))
    which = _which(graph)
    other = "row" if A.by_column else "column"
    whom = "down" if A.by_column else "along"
    because = (
        f"each {A.line} of A holds the weights of one query, and the softmax runs {whom} it. A "
        f"{other} collects what one key gets from all queries; that need not be 1."
    )
    return Ask(
        title="What will add up to 1 in A?",
        hint="Before you look: pin a number of S and read whose score it is. Then choose, and the "
        "weights open.",
        cells=(*all_of(A), *all_of(graph["O"])),
        pin=cell,
        right=f"Yes: {because}",
        wrong="Not so. One query shares out one attention. Which numbers are its shares?",
        given=f"The answer: {because}",
        options=(
            (f"Each row{which}", not A.by_column),
            (f"Each column{which}", A.by_column),
            ("All of A", False),
        ),
    )


def side_by_side(lesson: Lesson) -> str:
    """Formula and shape of each matrix in both conventions, as a table."""
    rows, columns = _both(lesson.graph)
    body = [
        [rows[key].symbol.text, *_said(rows[key]), *_said(columns[key])]
        for key in _SHOWN
        if key in rows
    ]
    which = _which(lesson.graph)
    body.append(["adds up to 1", f"each row of A{which}", "", f"each column of A{which}", ""])
    heads = ["", "tokens as rows", "shape", "tokens as columns", "shape"]
    return table("Both conventions", heads, body)


def _which(graph: Graph) -> str:
    """Which rows or columns, where some are blocked as a whole."""
    return " with an open key" if graph["A"].undefined else ""


@lru_cache(maxsize=64)
def _both(graph: Graph) -> tuple[Graph, Graph]:
    rows = as_rows(graph)
    return rows, as_columns(rows)


def _said(matrix: Matrix) -> tuple[str, str]:
    formula = matrix.op.definition(*matrix.inputs).text() if matrix.op else "given"
    axes = by((matrix.rows.name, matrix.cols.name))
    return formula.replace(" × ", " "), f"{axes} = {by(matrix.shape)}"


def one_number(lesson: Lesson) -> str:
    """Where one score stands in both conventions."""
    if len(lesson.inputs.tokens) == 1:
        return ""
    cell = Cell("S", 0, lesson.last)
    rows, _ = _both(lesson.graph)
    score = rows.explain(*cell, lesson.settings.decimals).shown
    query, key = (f"«{label}»" for label in rows["S"].pair(cell.row, cell.col))
    return (
        f"Take one score: {query} scores {key} with {score}. With tokens as rows it stands in row "
        f"{query}, column {key}. With tokens as columns it stands in row {key}, column {query}. It "
        "is the same dot product of the same query and key."
    )


def wrong_product(lesson: Lesson) -> str:
    """What becomes of W_Q and X multiplied in the order of the other convention."""
    if "X" not in lesson.graph:
        return ""
    n, d_k = len(lesson.inputs.tokens), lesson.inputs.sizes["d_k"]
    wrong = "X W_Q" if in_columns(lesson) else "W_Q X"
    if n == d_k:
        return (
            f"Here n and d_k are both {n}. So the product in the wrong order, {wrong}, can be "
            "computed, too, and no error warns you."
        )
    return (
        f"Here n is {n} and d_k is {d_k}. So the product in the wrong order, {wrong}, cannot be "
        "computed: the inner sizes differ."
    )


def blocked_corner(lesson: Lesson) -> str:
    """Where the blocked cells of a causal mask lie."""
    if lesson.settings.mask != "causal" or len(lesson.inputs.tokens) == 1:
        return ""
    here, there = ("below", "above") if in_columns(lesson) else ("above", "below")
    return (
        f"The causal mask blocks later keys. Here these lie {here} the diagonal of S; in the other "
        f"convention {there} it."
    )


def to_try(lesson: Lesson) -> tuple[tuple[str, Settings], ...]:
    """Settings that are worth a look."""
    plain = replace(lesson.settings, mask=NONE, allow="", edits=(), tied=False, d_k=0)
    cat = replace(plain, example="cat", mask="causal")
    own = replace(plain, example=OWN, text="to be or not", d_model=5, d_k=2, d_v=3)
    shut = replace(plain, example="love", mask=CUSTOM, allow="111.000.111")
    return (
        ("All sizes differ", own.with_options({"columns": True})),
        ("The same, as rows", own.with_options({"columns": False})),
        ("Look back only, as columns", cat.with_options({"columns": True})),
        ("Look back only, as rows", cat.with_options({"columns": False})),
        ("One query sees nothing", shut.with_options({"columns": True})),
    )
