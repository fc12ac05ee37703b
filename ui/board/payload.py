"""What the board is told: matrices as text and colour levels, who made whom, and derivations.

Every number leaves Python as the text that stands on screen.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from attention_core import Cell, Graph, Matrix
from attention_core.axes import Axis
from attention_core.rounding import show
from ui.board.derivation import why
from ui.board.facts import blocked_in, pair_of
from ui.board.layout import Layout, Line
from ui.board.math import CaptionWriter, EquationWriter, symbol_math, words
from ui.board.seen import as_link
from ui.board.sources import sources_of
from ui.given import inputs_of
from ui.lab_given import limit_of
from ui.lesson import graph_of
from ui.pages import BESIDE
from ui.settings import Settings

# Above this many cells all derivations are asked for one at a time; below, so many characters of
# them are sent along.
_FEW_CELLS = 160
_SEND_ALONG = 40_000
# Half of full colour stands at this magnitude. Fixed for each role, whatever the numbers are, so
# that equal colours mean equal values on every board.
_HALF_COLOUR = {
    "x": 1.5,
    "q": 3.0,
    "k": 3.0,
    "v": 3.0,
    "s": 4.0,
    "o": 1.5,
    "m": 1.0,
    "g": 1.0,
    "j": 0.1,
}


@dataclass(frozen=True)
class Numbers:
    """The part of the message that only changes with the numbers, as text.

    ``id`` names it (equal content, equal name); ``explained`` are the cells whose derivations it
    brings. As text, because Streamlit would otherwise encode it twice for every page run.
    """

    id: str
    text: str
    explained: frozenset[str]


def numbers(settings: Settings, form: str, layout: Layout) -> Numbers:
    """The numbers of a board."""
    # Whether maths or code are open, or the course walked through, changes no number.
    was = settings.was if form == BESIDE else ""
    return _numbers(replace(settings, maths=False, code="", walk="", was=was), form, layout)


@lru_cache(maxsize=128)
def _numbers(settings: Settings, form: str, layout: Layout) -> Numbers:
    """Cached, since a class opens the same few boards."""
    message = contents(settings, form, layout)
    text = dumps(message)
    name = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return Numbers(name, text, frozenset(message["why"]))


def dumps(message: dict[str, Any]) -> str:
    """JSON as short as it gets."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))


def contents(settings: Settings, form: str, layout: Layout) -> dict[str, Any]:
    """Matrices, equations or stages, and derivations of a board."""
    graph = graph_of(settings, form)
    layout = layout.on(graph)
    behind, standing = layout.behind(graph), layout.standing(graph)
    scene = _Scene(settings, layout, graph, frozenset(m.key for m in standing))
    message: dict[str, Any] = {
        "main": layout.main,
        "decimals": settings.decimals,
        "matrices": {m.key: scene.matrix(m) for m in behind},
        "equations": [] if layout.stages else _equations(behind, layout.lines),
        "why": {},
    }
    if layout.stages:
        message["stages"] = [
            {"title": stage.title, "columns": stage.columns} for stage in layout.stages
        ]
    if sum(m.value.size for m in standing) <= _FEW_CELLS:
        message["why"] = _sent_along(graph, standing, settings)
    return message


def _sent_along(graph: Graph, standing: Sequence[Matrix], settings: Settings) -> dict[str, Any]:
    """The derivations that a click needs no server for: whole matrices, the last ones first."""
    sent: dict[str, Any] = {}
    size = 0
    for matrix in reversed(standing):
        rows, cols = matrix.shape
        told = {
            str(cell): why(graph, cell, settings)
            for cell in (Cell(matrix.key, i, j) for i in range(rows) for j in range(cols))
        }
        size += len(dumps(told))
        if size > _SEND_ALONG:
            break
        sent |= told
    return sent


@dataclass(frozen=True)
class _Scene:
    """What the matrices of one board have in common. ``standing`` are the keys that are drawn."""

    settings: Settings
    layout: Layout
    graph: Graph
    standing: frozenset[str]

    def matrix(self, matrix: Matrix) -> dict[str, Any]:
        """All that the board is told of one matrix."""
        decimals, sym = self.settings.decimals, matrix.symbol
        n, m = matrix.shape
        message: dict[str, Any] = {
            "name": symbol_math(sym),
            "text": sym.text,
            "title": sym.title,
            "one": sym.one,
            "role": sym.role,
            "shape": f"{n}\u00a0×\u00a0{m}",
            "rows": _axis(matrix.rows, sym.row),
            "cols": _axis(matrix.cols, sym.col),
            "cells": [[show(x, decimals).text for x in row] for row in matrix.value.tolist()],
            "level": _levels(matrix),
        }
        if matrix.rows.tokens and matrix.cols.tokens:
            blocked = blocked_in(self.graph, matrix)
            if blocked:
                message["blocked"] = blocked
            if self.settings.largest or self.layout.marks:
                message["marks"] = self._marks(matrix)
                message["line"] = matrix.line
        if self.layout.tags:
            message["tag"] = _tag(matrix)
        if matrix.key not in self.standing:
            message["between"] = True
        elif self.layout.stages and matrix.op is not None:
            definition = matrix.op.definition(*matrix.inputs).write(CaptionWriter(decimals))
            if definition != message["name"]:
                message["definition"] = definition
        return message | self._origin(matrix)

    def _marks(self, matrix: Matrix) -> list[list[int]]:
        """The places in each row that are the largest of their line."""
        lines = range(matrix.lines.size)
        largest = {cell for line in lines for cell in self.graph.largest(matrix.key, line)}
        return [sorted(c.col for c in largest if c.row == row) for row in range(matrix.shape[0])]

    def _origin(self, matrix: Matrix) -> dict[str, Any]:
        """Who made the matrix, or how it may be changed."""
        if matrix.op is not None:
            return {"from": sources_of(matrix)}
        if matrix.key == "M":
            return {"toggles": True} if self.layout.mask_edit else {}
        inputs = inputs_of(self.settings)[0]
        follows = self.settings.tied and matrix.key == pair_of(inputs)[1]
        if matrix.key not in inputs.given or follows:
            return {}
        edits = ((as_link(c, self.graph), x) for c, x in self.settings.edits)
        changed = {
            f"{c.row},{c.col}": x
            for c, x in edits
            if c.symbol == matrix.key and c.row < matrix.shape[0] and c.col < matrix.shape[1]
            if matrix.value[c.row, c.col] == x  # another one waits until it can be made again
        }
        message: dict[str, Any] = {"given": True, "limit": limit_of(matrix.key)}
        return message | ({"edited": changed} if changed else {})


def _tag(matrix: Matrix) -> str:
    """What a matrix is to the model: given with the sentence, learned, or computed.

    >>> from attention_core import EXAMPLES
    >>> [_tag(EXAMPLES["love"].graph()[key]) for key in ("X", "W_Q", "Q")]
    ['input', 'parameters', 'activations']
    """
    if matrix.op is not None:
        return "activations"
    return "input" if matrix.lines.tokens else "parameters"


def _axis(axis: Axis, say: str) -> dict[str, Any]:
    name = axis.name
    if axis.tokens:  # a token's label lights up its own sequence only
        name = "token" if name == "n" else f"token-{name}"
    return {"axis": name, "say": say, "labels": list(axis.labels)}


def _levels(matrix: Matrix) -> list[list[int]]:
    """Colour strength from −100 to 100: weights from 0 to 1 as they are, other numbers squeezed."""
    values = np.where(np.isinf(matrix.value), 0.0, matrix.value)
    half = _HALF_COLOUR.get(matrix.symbol.role)
    levels = values if half is None else values / (np.abs(values) + half)
    rounded: list[list[int]] = np.rint(100 * np.clip(levels, -1.0, 1.0)).astype(int).tolist()
    return rounded


def _equations(matrices: Sequence[Matrix], lines: Sequence[Line]) -> list[dict[str, Any]]:
    """The equations in front, then those that lead to them, in the order of computation."""
    writer = EquationWriter(frozenset(m.key for m in matrices))
    by_key = {m.key: m for m in matrices}
    front = [
        {"of": line.key, "items": _items(by_key[line.key], writer, line.instead)}
        | ({"title": words(line.title)} if line.title else {})
        | ({"note": words(line.note)} if line.note else {})
        for line in lines
    ]
    named = {line.key for line in lines if not line.instead}
    origins = [
        {"of": m.key, "items": _items(m, writer), "origin": True}
        for m in matrices
        if m.op is not None and m.key not in named
    ]
    return [*front, *origins]


def _items(matrix: Matrix, writer: EquationWriter, instead: str = "") -> list[dict[str, Any]]:
    """A matrix with what it is made of, or beside another one; a given one alone."""
    if instead:
        return [{"m": matrix.key}, {"sign": "instead of"}, {"m": instead}]
    if matrix.op is None:
        return [{"m": matrix.key}]
    items = matrix.op.definition(*matrix.inputs).write(writer)
    return [*items, {"sign": "="}, {"m": matrix.key}]
