"""Matrices on paper: tables with cells to write into, no wider than a sheet."""

from __future__ import annotations

from collections.abc import Collection
from html import escape
from math import ceil

from attention_core import Cell, Graph, Matrix, exactly
from attention_core.rounding import show
from attention_core.symbols import symbol
from ui.board.math import MathWriter, html
from ui.prose import typeset
from ui.sayings import by
from ui.settings import Settings

# In millimetres: what fits between the margins of A4 and Letter, a digit, a letter of a label, what
# stands around a number, and the narrowest cells that one can write into.
_PAPER, _DIGIT, _LETTER, _AROUND = 178, 2.0, 1.9, 2.4
_TO_WRITE, _FOR_POWERS = 15, 29
_PHONE = 78  # wider tables scroll sideways on a phone
_SHORT = 9  # letters of an exact number that stands in a cell
_LABEL, _HEAD = 13, 10  # letters of a label; longer ones go on in the next line

_Entry = tuple[str, str]  # a number as plain text, and as HTML


def tables(
    matrix: Matrix,
    graph: Graph,
    settings: Settings,
    blanks: Collection[Cell] = (),
    *,
    answers: bool = False,
) -> str:
    """A matrix as one table, or side by side in several where it is too wide for the paper.

    The ``blanks`` are left empty. With ``answers`` they are filled in, bold and boxed, and rows
    without any are left out.
    """
    exact = settings.exact and _all_short(matrix, graph)
    entries = [
        [
            _entry(matrix, graph, row, col, settings.decimals, exact)
            for col in range(matrix.shape[1])
        ]
        for row in range(matrix.shape[0])
    ]
    rows, cols = (list(map(axis.unique, range(axis.size))) for axis in (matrix.rows, matrix.cols))
    width = max(
        max(len(text) for line in entries for text, _ in line) * _DIGIT + _AROUND,
        0 if answers or not blanks else _TO_WRITE if exact or not settings.exact else _FOR_POWERS,
    )
    heads = min(max(map(len, cols)), _HEAD) * _LETTER + _AROUND / 2
    beside = min(max(map(len, rows)), _LABEL) * _LETTER + _AROUND
    room = _PAPER - beside
    upright = max(width, heads) * len(cols) > room >= width * len(cols)  # labels, turned on end
    width = width if upright else max(width, heads)
    pieces = ceil(len(cols) / max(1, int(room // width)))
    size = ceil(len(cols) / pieces)
    rounded = settings.exact and not exact and any("." in t for line in entries for t, _ in line)
    kind = ' class="upright"' if upright else ""
    text = ""
    for start in range(0, len(cols), size):
        part = range(start, min(start + size, len(cols)))
        head = "".join(_label(cols[col], "col", _HEAD) for col in part)
        body = "".join(
            f"<tr>{_label(label, 'row', _LABEL)}"
            + "".join(
                _cell(matrix, row, col, entries[row][col][1], blanks, answers) for col in part
            )
            + "</tr>"
            for row, label in enumerate(rows)
            if not answers or any(Cell(matrix.key, row, col) in blanks for col in range(len(cols)))
        )
        text += (
            f"<div{_scrolls(matrix, beside + len(part) * width)}>"
            f'<table{kind} style="--cell: {width:.1f}mm; --label: {beside:.1f}mm">'
            f"<caption>{_caption(matrix, part, rounded)}</caption>"
            f"<thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table></div>"
        )
    return text


def _label(text: str, scope: str, most: int) -> str:
    """The label of a row or column; a long one may go on in the next line."""
    kind = ' class="long"' if len(text) > most else ""
    return f'<th scope="{scope}"{kind}><bdi>{escape(text)}</bdi></th>'


def _all_short(matrix: Matrix, graph: Graph) -> bool:
    """Whether every number of a matrix has an exact form that fits into a cell."""
    n, m = matrix.shape
    found = (exactly(graph, matrix.key, row, col) for row in range(n) for col in range(m))
    return all(one.value is not None and len(one.parts()[-1].text()) <= _SHORT for one in found)


def _entry(matrix: Matrix, graph: Graph, row: int, col: int, decimals: int, exact: bool) -> _Entry:
    """One number: exactly, or as it stands on the board."""
    if exact and not matrix.is_undefined(row, col):
        number = exactly(graph, matrix.key, row, col).parts()[-1]
        return number.text(decimals), html(number.write(MathWriter(decimals)))
    text = show(float(matrix.value[row, col]), decimals).text
    return text, text


def _cell(
    matrix: Matrix, row: int, col: int, text: str, blanks: Collection[Cell], answers: bool
) -> str:
    """One cell: printed, blank, or with its answer."""
    if Cell(matrix.key, row, col) in blanks:
        if answers:
            return f'<td class="answer"><b>{text}</b></td>'
        return '<td class="blank"><span class="unseen">to fill in</span></td>'
    kind = ' class="blocked"' if matrix.value[row, col] == float("-inf") else ""
    return f"<td{kind}><span>{text}</span></td>"


def _caption(matrix: Matrix, part: range, rounded: bool) -> str:
    """Symbol, title and shape; which columns, where it is not all of them."""
    names = by(_size(axis.name) for axis in (matrix.rows, matrix.cols))
    text = f"<b>{typeset(matrix.symbol)}</b> {escape(matrix.symbol.title)} "
    text += f"<small>{names} = {by(matrix.shape)}"
    if len(part) < matrix.shape[1]:
        text += f"; columns {part[0] + 1} to {part[-1] + 1} of {matrix.shape[1]}"
    return text + ("; rounded" if rounded else "") + "</small>"


def _size(name: str) -> str:
    return name if name.isdigit() else typeset(symbol(name))


def _scrolls(matrix: Matrix, width: float) -> str:
    """What lets a table that is wider than a phone be scrolled there, by keyboard too."""
    if width <= _PHONE:
        return ""
    name = escape(f"{matrix.symbol.text}, {matrix.symbol.title}")
    return f' class="scrolls" tabindex="0" role="region" aria-label="{name}"'
