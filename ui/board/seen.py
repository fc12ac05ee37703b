"""Revealed cells in a link: a matrix or a row of which all is revealed stands there as a whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from attention_core import Cell, Graph
from ui.readers import Unusable, read_cell

Shapes = Mapping[str, tuple[int, int]]


def as_link(cell: Cell, graph: Graph) -> Cell:
    """A cell of the board as links name it, and back: with tokens as rows, as the paper has them.

    So a link pins, reveals and edits the same numbers whichever way the board shows them.
    """
    turned = cell.symbol in graph and graph[cell.symbol].by_column
    return cell.turned if turned else cell


def written(seen: Collection[Cell], shapes: Shapes) -> str:
    """Cells, each once, as they stand in a link: ``O`` is all of O, ``S:2`` a row, ``S:2,0`` one.

    >>> written([Cell("O", 0, 0), *(Cell("S", 2, col) for col in range(3))], {"S": (3, 3)})
    'O:0,0;S:2'
    """
    in_matrix = Counter(cell.symbol for cell in seen)
    in_row = Counter((cell.symbol, cell.row) for cell in seen)

    def part(cell: Cell) -> str:
        rows, cols = shapes.get(cell.symbol, (0, 0))
        if in_matrix[cell.symbol] == rows * cols:
            return cell.symbol
        return f"{cell.symbol}:{cell.row}" if in_row[cell.symbol, cell.row] == cols else str(cell)

    return ";".join(dict.fromkeys(map(part, seen)))


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
