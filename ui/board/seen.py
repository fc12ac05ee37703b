"""Revealed cells in a link: a matrix or a row of which all is revealed stands there as a whole."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from attention_core import Cell
from ui.readers import Unusable, read_cell

Shapes = Mapping[str, tuple[int, int]]


def written(seen: Collection[Cell], shapes: Shapes) -> str:
    """Cells as they stand in a link: ``O`` is all of O, ``S:2`` its row 2, ``S:2,0`` one cell.

    >>> written([Cell("O", 0, 0), *(Cell("S", 2, col) for col in range(3))], {"S": (3, 3)})
    'O:0,0;S:2'
    """
    parts: dict[str, None] = {}
    for cell in seen:
        rows, cols = shapes.get(cell.symbol, (0, 0))
        row = cols > 0 and all(Cell(cell.symbol, cell.row, col) in seen for col in range(cols))
        whole = row and all(
            Cell(cell.symbol, i, col) in seen for i in range(rows) for col in range(cols)
        )
        text = cell.symbol if whole else f"{cell.symbol}:{cell.row}" if row else str(cell)
        parts[text] = None
    return ";".join(parts)


def read_seen(parts: Iterable[str], shapes: Shapes) -> tuple[tuple[Cell, ...], bool]:
    """The cells that a link names, and whether all that it names is there.

    >>> read_seen(["S:1", "Z"], {"S": (2, 2)})
    ((Cell(symbol='S', row=1, col=0), Cell(symbol='S', row=1, col=1)), False)
    """
    found: dict[Cell, None] = {}
    there = True
    for part in parts:
        cells = _cells(part, shapes)
        there = there and bool(cells)
        found |= dict.fromkeys(cells)
    return tuple(found), there


def _cells(part: str, shapes: Shapes) -> list[Cell]:
    key, colon, place = part.partition(":")
    rows, cols = shapes.get(key, (0, 0))
    if not colon:
        return [Cell(key, row, col) for row in range(rows) for col in range(cols)]
    whole = "," not in place
    try:
        cell = read_cell(f"{part},0" if whole else part)
    except Unusable:
        return []
    if cell.row >= rows or cell.col >= cols:
        return []
    return [Cell(key, cell.row, col) for col in range(cols)] if whole else [cell]
