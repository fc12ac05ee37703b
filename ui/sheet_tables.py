"""Matrices on paper: tables with cells to write into, no wider than a sheet."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from html import escape
from math import ceil, isclose
from unicodedata import east_asian_width

from attention_core import Cell, Graph, Matrix, exactly
from attention_core.in_full import InFull
from attention_core.symbols import symbol
from ui.board.math import MathWriter, html
from ui.prose import typeset
from ui.sayings import by
from ui.settings import Settings

# In millimetres: what fits between the margins of A4 and Letter, a digit, a bold one, a letter of a
# label, what stands around a number, and the narrowest cells that one can write into.
_PAPER, _DIGIT, _BOLD, _LETTER, _AROUND = 178, 2.0, 2.3, 1.9, 2.4
_TO_WRITE, _FOR_POWERS = 15, 29
_PHONE = 78  # wider tables scroll sideways on a phone
_SHORT = 9  # letters of an exact number that stands in a cell
BELOW = "below"  # where longer ones stand
_MOST = {"row": 13, "col": 10}  # letters of a label; longer ones go on in the next line

_Entry = tuple[str, str]  # a number as plain text, and as HTML


@dataclass(frozen=True)
class _Fit:
    """How wide cells and labels of rows are, and how many columns stand side by side.

    The labels of the columns may be turned ``upright``.
    """

    cell: float
    label: float
    upright: bool
    columns: int

    def width(self, columns: int) -> float:
        """How wide a table with some columns is."""
        return self.label + columns * self.cell


def tables(
    matrix: Matrix,
    graph: Graph,
    settings: Settings,
    blanks: Collection[Cell] = (),
    *,
    answers: bool = False,
) -> str:
    """A matrix as one table, or as several where it is too wide for the paper.

    The ``blanks`` are left empty. With ``answers`` they are filled in, bold and boxed, and rows
    without any are left out.
    """
    asked = {cell.row for cell in blanks}
    rows = [row for row in range(matrix.shape[0]) if row in asked or not answers]
    cols = range(matrix.shape[1])
    exact = settings.exact and (answers or _all_short(matrix, graph))
    at = [[Cell(matrix.key, row, col) for col in cols] for row in rows]
    entries = {
        cell: _entry(matrix, graph, cell, settings.decimals, exact, in_list=cell in blanks)
        for line in at
        for cell in line
    }
    longest = max(len(text) for text, _ in entries.values())
    to_write = _TO_WRITE if exact or not settings.exact else _FOR_POWERS
    widest = longest * (_BOLD if answers else _DIGIT)
    fit = _fit(matrix, widest, to_write if blanks and not answers else 0)
    told = [cell for cell in entries if answers or cell not in blanks]
    rounded = any(_is_rounded(matrix, cell, entries[cell][0], settings) for cell in told)
    drawn = ""
    for start in range(0, len(cols), fit.columns):
        part = cols[start : start + fit.columns]
        body = "".join(
            f"<tr>{_label(matrix.rows.unique(line[0].row), 'row')}"
            + "".join(_cell(line[col], entries[line[col]], blanks, answers) for col in part)
            + "</tr>"
            for line in at
        )
        drawn += _table(matrix, part, fit, body, rounded, answers)
    return drawn


def _fit(matrix: Matrix, number: float, least: float) -> _Fit:
    """How a matrix fits on the paper, whose longest number is so wide."""
    rows, cols = (
        min(max(_letters(axis.unique(at)) for at in range(axis.size)), most)
        for axis, most in ((matrix.rows, _MOST["row"]), (matrix.cols, _MOST["col"]))
    )
    label, count = rows * _LETTER + _AROUND, matrix.shape[1]
    numbers = max(number + _AROUND, least)
    lying = max(numbers, cols * _LETTER + _AROUND / 2)
    upright = lying * count > _PAPER - label >= numbers * count
    cell = numbers if upright else lying
    pieces = ceil(count / max(1, int((_PAPER - label) // cell)))
    return _Fit(cell, label, upright, ceil(count / pieces))


def _table(matrix: Matrix, part: range, fit: _Fit, body: str, rounded: bool, answers: bool) -> str:
    """Some columns of a matrix. Wider than a phone, they scroll there, by keyboard too."""
    said = "Answers: " if answers else ""
    said += f"{matrix.symbol.text}, {matrix.symbol.title}, columns {part[0] + 1} to {part[-1] + 1}"
    scrolls = f' class="scrolls" tabindex="0" role="region" aria-label="{escape(said)}"'
    kind = ' class="upright"' if fit.upright else ""
    head = "".join(_label(matrix.cols.unique(col), "col") for col in part)
    return (
        f"<div{scrolls if fit.width(len(part)) > _PHONE else ''}>"
        f'<table{kind} style="--cell: {fit.cell:.1f}mm; --label: {fit.label:.1f}mm">'
        f"<caption>{_caption(matrix, part, rounded)}</caption>"
        f"<thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _letters(text: str) -> float:
    """How wide a label is, in letters of the usual width."""
    wide = sum(1 for c in text if east_asian_width(c) in "WF")
    return len(text) + wide + 0.5 * sum(1 for c in text if c in "mwMW@" or c.isupper())


def _label(text: str, scope: str) -> str:
    """The label of a row or column; a long one may go on in the next line."""
    kind = ' class="long"' if _letters(text) > _MOST[scope] else ""
    return f'<th scope="{scope}"{kind}><bdi>{escape(text)}</bdi></th>'


def _all_short(matrix: Matrix, graph: Graph) -> bool:
    """Whether every number of a matrix has an exact form that fits into a cell."""
    n, m = matrix.shape
    found = (exactly(graph, matrix.key, row, col) for row in range(n) for col in range(m))
    return all(one.value is not None and len(one.parts()[-1].text()) <= _SHORT for one in found)


def _entry(
    matrix: Matrix, graph: Graph, cell: Cell, decimals: int, exact: bool, *, in_list: bool
) -> _Entry:
    """One number: exactly, or rounded; in full where it is given.

    An exact form that is too long for a cell is left to the list of answers.
    """
    found = exactly(graph, *cell) if exact and not matrix.is_undefined(*cell[1:]) else None
    if found and found.value is not None:
        number = found.parts()[-1]
        text = number.text(decimals)
        if len(text) <= _SHORT:
            return text, html(number.write(MathWriter(decimals)))
        if in_list:
            return BELOW, BELOW
    text = matrix.num(*cell[1:]).shown(decimals).text
    return text, text


def _is_rounded(matrix: Matrix, cell: Cell, text: str, settings: Settings) -> bool:
    """Whether a number that is told should be known to be rounded: if exact, or if given."""
    shown = matrix.num(*cell[1:]).shown(settings.decimals)
    differs = shown.text == text and not isclose(shown.value, matrix.value[cell[1:]], abs_tol=1e-9)
    return differs and (settings.exact or isinstance(matrix, InFull))


def _cell(cell: Cell, entry: _Entry, blanks: Collection[Cell], answers: bool) -> str:
    """One cell: printed, blank, or with its answer."""
    text, drawn = entry
    if cell in blanks:
        if answers:
            return f'<td class="answer"><b>{drawn}</b></td>'
        return '<td class="blank"><span class="unseen">to fill in</span></td>'
    kind = ' class="blocked"' if text == "−∞" else ""
    return f"<td{kind}><span>{drawn}</span></td>"


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
