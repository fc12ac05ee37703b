"""What the board is told: matrices as text and colour levels, who made whom, and derivations.

Every number leaves Python as the text that stands on screen.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from attention_core import Cell, Explanation, Graph, Matrix
from attention_core.inputs import EDIT_LIMIT
from attention_core.rounding import show
from ui.board.math import EquationWriter, line, symbol_math
from ui.lesson import graph_of
from ui.settings import Settings

# Above this many cells the derivations are asked for one at a time.
_SEND_ALONG = 160
# Half of full colour stands at this magnitude. Fixed for each role, whatever the numbers are, so
# that equal colours mean equal values on every board.
_HALF_COLOUR = {"x": 1.5, "q": 3.0, "k": 3.0, "v": 3.0, "s": 4.0, "o": 1.5, "m": 1.0, "g": 1.0}


@dataclass(frozen=True)
class Numbers:
    """The part of the message that only changes with the numbers, as text.

    ``id`` names it (equal content, equal name); ``explained`` are the cells whose derivations it
    brings. As text, because Streamlit would otherwise encode it twice for every page run.
    """

    id: str
    text: str
    explained: frozenset[str]


@lru_cache(maxsize=128)
def numbers(settings: Settings, main: str) -> Numbers:
    """The numbers of a board. Cached, since a class opens the same few boards."""
    message = contents(settings, main)
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
    name = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return Numbers(name, text, frozenset(message["why"]))


def contents(settings: Settings, main: str) -> dict[str, Any]:
    """Matrices, equations and derivations of the board that leads to ``main``."""
    graph = graph_of(settings)
    matrices = graph.behind(main)
    message: dict[str, Any] = {
        "matrices": {m.key: _matrix(m, graph, settings) for m in matrices},
        "equations": _equations(matrices, main),
        "main": main,
        "why": {},
    }
    if sum(m.value.size for m in matrices) <= _SEND_ALONG:
        message["why"] = {
            str(Cell(m.key, i, j)): why(graph.explain(m.key, i, j, settings.decimals))
            for m in matrices
            for i in range(m.shape[0])
            for j in range(m.shape[1])
        }
    return message


def why(explanation: Explanation) -> dict[str, Any]:
    """One derivation, ready to be drawn."""
    e, decimals = explanation, explanation.decimals
    *parts, last = e.line
    # The result is marked, so that the board can hide it; a number with a cell is a way on.
    end = last if last is e.expression and not e.given else ["res", e.shown]
    message: dict[str, Any] = {
        "title": e.title,
        "line": line(*parts, end, decimals=decimals),
        "text": e.text,
        "latex": e.latex,
    }
    message["steps"] = [
        {
            "name": step.name,
            "line": line(
                step.formula, step.expression, show(step.result, decimals).text, decimals=decimals
            ),
            "note": e.step_note(step),
        }
        for step in e.steps
    ]
    extra = {"words": e.words, "note": e.note, "given": e.given}
    return message | {key: value for key, value in extra.items() if value}


def _matrix(matrix: Matrix, graph: Graph, settings: Settings) -> dict[str, Any]:
    decimals, sym = settings.decimals, matrix.symbol
    n, m = matrix.shape
    cells = [[show(x, decimals).text for x in row] for row in matrix.value.tolist()]
    message: dict[str, Any] = {
        "name": symbol_math(sym),
        "text": sym.text,
        "title": sym.title,
        "one": sym.one,
        "role": sym.role,
        "shape": f"{n} × {m}",
        "rows": _axis(matrix.rows.tokens, matrix.rows.name, sym.row, matrix.rows.labels),
        "cols": _axis(matrix.cols.tokens, matrix.cols.name, sym.col, matrix.cols.labels),
        "cells": cells,
        "level": _levels(matrix),
    }
    if matrix.rows.tokens and matrix.cols.tokens:
        blocked = [[i, j] for i in range(n) for j in range(m) if graph.blocked(i, j)]
        if blocked:
            message["blocked"] = blocked
        if settings.largest:
            message["marks"] = [[c.col for c in graph.largest(matrix.key, i)] for i in range(n)]
    if matrix.op is None:
        message |= {"given": True, "limit": EDIT_LIMIT}
        changed = {f"{c.row},{c.col}": x for c, x in settings.edits if c.symbol == matrix.key}
        if changed:
            message["edited"] = changed
    else:
        message["from"] = {f"{i},{j}": _sources(matrix, i, j) for i in range(n) for j in range(m)}
    return message


def _axis(tokens: bool, name: str, say: str, labels: Sequence[str]) -> dict[str, Any]:
    return {"axis": "token" if tokens else name, "say": say, "labels": list(labels)}


def _levels(matrix: Matrix) -> list[list[int]]:
    """Colour strength from −100 to 100: weights from 0 to 1 as they are, other numbers squeezed."""
    values = np.where(np.isneginf(matrix.value), 0.0, matrix.value)
    half = _HALF_COLOUR.get(matrix.symbol.role)
    levels = values if half is None else values / (np.abs(values) + half)
    rounded: list[list[int]] = np.rint(100 * levels).astype(int).tolist()
    return rounded


def _sources(matrix: Matrix, row: int, col: int) -> list[str]:
    assert matrix.op is not None
    return [
        f"{matrix.inputs[block.input].key}:{rows},{cols}"
        for block in matrix.op.sources(matrix, row, col)
        for rows in _spans(block.rows)
        for cols in _spans(block.cols)
    ]


def _spans(indices: Sequence[int]) -> list[str]:
    """Rising indices as spans.

    >>> _spans([0, 1, 2, 5])
    ['0-2', '5']
    """
    spans: list[tuple[int, int]] = []
    for index in indices:
        if spans and index == spans[-1][1] + 1:
            spans[-1] = (spans[-1][0], index)
        else:
            spans.append((index, index))
    return [str(a) if a == b else f"{a}-{b}" for a, b in spans]


def _equations(matrices: Sequence[Matrix], main: str) -> list[dict[str, Any]]:
    """The main equation, then those that lead to it, in the order of computation."""
    writer = EquationWriter(frozenset(m.key for m in matrices))
    made = [m for m in matrices if m.op is not None]
    equations = []
    for matrix in sorted(made, key=lambda m: m.key != main):
        assert matrix.op is not None
        items = matrix.op.definition(*matrix.inputs).write(writer)
        equation: dict[str, Any] = {
            "of": matrix.key,
            "items": [*items, {"sign": "="}, {"m": matrix.key}],
        }
        equations.append(equation if matrix.key == main else equation | {"origin": True})
    return equations
