"""How each parameter of a link is read: text goes in; a value, or why not, comes out."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Any
from urllib.parse import parse_qsl

from attention_core import AttentionError, Cell, Option, mask_from_text
from attention_core.inputs import EDIT_LIMIT, MAX_TOKENS

MAX_TEXT = 400
MAX_EDITS = 100
MAX_QUERY = 12_000  # characters of a state inside a link; one that was written here has fewer
# Words for «1/√d_k» and «no scaling».
ROOT, OFF = "root", "off"
LEAST_SCALE = 0.001  # smaller ones show as 0

Edits = tuple[tuple[Cell, float], ...]


class Unusable(ValueError):  # noqa: N818 - a reason, not a fault
    """Why a parameter cannot be used: «wanted …»."""


def whole(low: int, high: int) -> Callable[[str], int]:
    """A reader of whole numbers in a range."""

    def read(text: str) -> int:
        if not re.fullmatch("-?[0-9]{1,6}", text) or not low <= int(text) <= high:
            raise Unusable(f"wanted a whole number from {low} to {high}")
        return int(text)

    return read


def within(low: float, high: float) -> Callable[[str], float]:
    """A reader of numbers in a range."""

    def read(text: str) -> float:
        try:
            number = read_number(text)
        except Unusable:
            number = float("inf")
        if not low <= number <= high:
            raise Unusable(f"wanted a number from {low:g} to {high:g}")
        return number

    return read


def one_of(*options: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in options:
            raise Unusable("wanted one of " + ", ".join(options))
        return text

    return read


def number_of(*options: int) -> Callable[[str], int]:
    """A reader of one of a few whole numbers."""

    def read(text: str) -> int:
        return int(one_of(*map(str, options))(text))

    return read


def reader(option: Option) -> Callable[[str], Any]:
    """The reader of an option of a variant."""
    if option.among:
        values = {written(value): value for value in option.among}
        return lambda text: values[one_of(*values)(text)]
    if isinstance(option.default, bool):
        return read_switch
    if option.token:
        return whole(0, MAX_TOKENS - 1)
    if isinstance(option.default, int):
        return whole(int(option.low), int(option.high))
    return read_text if isinstance(option.default, str) else within(option.low, option.high)


def read_text(text: str) -> str:
    if len(text) > MAX_TEXT:
        raise Unusable(f"wanted at most {MAX_TEXT} characters, got {len(text)}")
    if not text.strip():
        raise Unusable("wanted at least one word")
    return text


def read_scale(text: str) -> str:
    if text in (ROOT, OFF):
        return text
    try:
        number = read_number(text)
    except Unusable:
        raise Unusable(f"wanted {ROOT}, {OFF} or a number") from None
    if abs(number) > EDIT_LIMIT or 0 < abs(number) < LEAST_SCALE:
        raise Unusable(
            f"wanted 0, or a number from {LEAST_SCALE} to {EDIT_LIMIT:.0f}, also below 0"
        )
    return f"{number:g}" if float(f"{number:g}") == number else repr(number)


def read_allow(text: str) -> str:
    try:
        mask_from_text(text)
    except AttentionError:
        raise Unusable("wanted rows of 1 (may attend) and 0, such as 10.11") from None
    return text


def read_switch(text: str) -> bool:
    if text not in ("0", "1"):
        raise Unusable("wanted 0 or 1")
    return text == "1"


def read_cell(text: str) -> Cell:
    """A cell from its form in a link, such as ``S:0,1``.

    >>> read_cell("S:0,1")
    Cell(symbol='S', row=0, col=1)
    """
    key, colon, place = text.partition(":")
    row, comma, col = place.partition(",")
    digits = row.isascii() and row.isdigit() and col.isascii() and col.isdigit()
    if not (key and colon and comma and digits and len(place) < 12):
        raise Unusable("wanted a cell such as S:0,1")
    return Cell(key, int(row), int(col))


def read_number(text: str) -> float:
    """A number as people type it: decimal comma or point, − or -.

    >>> read_number("−2,5")
    -2.5
    """
    try:
        if "_" in text:  # Python would read 1_000
            raise ValueError
        number = float(text.strip().replace("−", "-").replace(",", "."))
    except ValueError:
        raise Unusable("wanted a number such as 2 or -0.5") from None
    if not abs(number) < float("inf"):
        raise Unusable("wanted a finite number")
    return number


def read_edits(text: str) -> Edits:
    found: dict[Cell, float] = {}
    for part in filter(None, text.split(";")):
        cell, equals, number = part.partition("=")
        if not equals or len(found) >= MAX_EDITS:
            raise Unusable(f"wanted at most {MAX_EDITS} edits such as X:0,1=2.5;W_Q:1,0=-1")
        found[read_cell(cell)] = read_number(number)
    return tuple(found.items())


def read_query(text: str, names: Collection[str]) -> dict[str, str]:
    """A state inside a link, as a query of its own with some of the ``names``.

    >>> read_query("v=1&mask=causal", ("v", "mask"))
    {'v': '1', 'mask': 'causal'}
    """
    if len(text) > MAX_QUERY:
        raise Unusable(f"wanted at most {MAX_QUERY} characters, got {len(text)}")
    clean = text.encode("utf-8", "replace").decode()
    try:
        query = dict(parse_qsl(clean, keep_blank_values=True, max_num_fields=2 * len(names)))
    except ValueError:  # too many
        query = {}
    if not query.keys() & set(names):
        raise Unusable("wanted the settings of a state, such as v=1&mask=causal")
    return query


def written(value: Any) -> str:
    """A value as a link writes it: what its reader reads.

    >>> written(True), written(2.0), written(((Cell("X", 0, 1), 2.5),))
    ('1', '2', 'X:0,1=2.5')
    """
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    if isinstance(value, tuple):
        return ";".join(f"{cell}={number!r}" for cell, number in value)
    return str(value)


def clipped(text: str) -> str:
    """A text of a link as a notice quotes it."""
    return text if len(text) <= 40 else text[:39] + "…"
