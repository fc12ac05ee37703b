"""What a viewer can set, as it stands in the link: one table reads it and one function writes it.

A value that cannot be used is replaced by the default and named in a notice. Nothing here touches
Streamlit: a query string goes in, settings and notices come out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import Any

from attention_core import EXAMPLES, MASKS, AttentionError, Cell, Inputs, tokenize, toy_inputs
from attention_core.inputs import MAX_SIZE

VERSION = 1
OWN = "own"
OWN_D_K = 3
CHOICES = {key: example.title for key, example in EXAMPLES.items()} | {OWN: "My own sentence"}
MAX_TEXT = 400
MAX_EDITS = 100
MAX_DECIMALS = 4
MAX_SEED = 9999

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


def _one_of(*options: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in options:
            raise Unusable("wanted one of " + ", ".join(options))
        return text

    return read


def _text(text: str) -> str:
    if len(text) > MAX_TEXT:
        raise Unusable(f"wanted at most {MAX_TEXT} characters, got {len(text)}")
    if not text.strip():
        raise Unusable("wanted at least one word")
    return text


def _switch(text: str) -> bool:
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


def _edits(text: str) -> Edits:
    found: dict[Cell, float] = {}
    for part in filter(None, text.split(";")):
        cell, equals, number = part.partition("=")
        if not equals or len(found) >= MAX_EDITS:
            raise Unusable(f"wanted at most {MAX_EDITS} edits such as X:0,1=2.5;W_Q:1,0=-1")
        found[read_cell(cell)] = read_number(number)
    return tuple(found.items())


def _write(value: Any) -> str:
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, tuple):
        return ";".join(f"{cell}={number!r}" for cell, number in value)
    return str(value)


@dataclass(frozen=True)
class Settings:
    """Everything that decides the numbers on screen, and how they are shown.

    ``d_k`` and the other sizes are 0 where the example's own size is meant.
    """

    v: int = field(default=VERSION, metadata={"read": whole(1, VERSION)})
    example: str = field(default="love", metadata={"read": _one_of(*EXAMPLES, OWN)})
    text: str = field(default="The bank of the river", metadata={"read": _text})
    split: str = field(default="words", metadata={"read": _one_of("words", "characters")})
    seed: int = field(default=42, metadata={"read": whole(0, MAX_SEED)})
    d_model: int = field(default=4, metadata={"read": whole(1, MAX_SIZE)})
    d_k: int = field(default=0, metadata={"read": whole(1, MAX_SIZE)})
    d_v: int = field(default=3, metadata={"read": whole(1, MAX_SIZE)})
    mask: str = field(default="none", metadata={"read": _one_of(*MASKS)})
    decimals: int = field(default=3, metadata={"read": whole(0, MAX_DECIMALS)})
    largest: bool = field(default=False, metadata={"read": _switch})
    maths: bool = field(default=False, metadata={"read": _switch})
    edits: Edits = field(default=(), metadata={"read": _edits})

    @property
    def own(self) -> bool:
        """Whether the viewer's own sentence is used and not a worked example."""
        return self.example == OWN

    def query(self) -> dict[str, str]:
        """The parameters that differ from the defaults, with the version.

        Sizes and sentence of the viewer's own only count where the own sentence is used.

        >>> Settings(example="cat", mask="causal", d_model=7).query()
        {'v': '1', 'example': 'cat', 'mask': 'causal'}
        """
        skip = set() if self.own else {"text", "split", "seed", "d_model", "d_v"}
        return {
            f.name: _write(getattr(self, f.name))
            for f in fields(self)
            if f.name == "v" or (getattr(self, f.name) != f.default and f.name not in skip)
        }


# Parameters of a link that are read elsewhere: the viewer's place on the board (`ui.board.view`).
VIEW = ("cell", "seen", "step", "open", "edit")


def read_settings(query: Mapping[str, str]) -> tuple[Settings, list[str]]:
    """Read a link. What cannot be used is named in a notice, with what is used instead.

    >>> settings, notices = read_settings({"d_k": "99"})
    >>> settings.d_k, notices
    (0, ['The link says d_k=99: wanted a whole number from 1 to 8. Used the default instead.'])
    """
    known = {f.name: f for f in fields(Settings)}
    values: dict[str, Any] = {}
    notices = []
    for name, text in query.items():
        if name in VIEW:
            continue
        said = f"The link says {_clip(name)}={_clip(text)}"
        if name not in known:
            notices.append(f"{said}: there is no such setting. It was left out.")
            continue
        try:
            values[name] = known[name].metadata["read"](text)
        except Unusable as why:
            if name == "text" and len(text) > MAX_TEXT:
                values[name] = text[:MAX_TEXT]
                notices.append(
                    f"The sentence has {len(text)} characters. The first {MAX_TEXT} are used."
                )
            elif name == "v":
                notices.append(
                    f"{said}: it was made by another version of this page. "
                    "What is understood is used; check the numbers."
                )
            else:
                notices.append(f"{said}: {why}. Used the default instead.")
    if "text" in values and "example" not in values:
        values["example"] = OWN
    return Settings(**values), notices


def _clip(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"


@lru_cache(maxsize=256)
def inputs_of(settings: Settings) -> tuple[Inputs, tuple[str, ...], Settings]:
    """The numbers that the settings stand for, with notices, and the settings that were used.

    Cached, since a class of learners opens the same few links; inputs are never changed.
    """
    notices: list[str] = []
    if settings.own:
        try:
            tokens = tokenize(settings.text, settings.split)
        except AttentionError as why:
            fallback = replace(settings, example="love", edits=())
            inputs, more, used = inputs_of(fallback)
            return inputs, (f"{why} Showing «I love AI» instead.", *more), used
        notices.extend(tokens.notices)
        inputs = toy_inputs(
            tokens.tokens, settings.seed, settings.d_model, settings.d_k or OWN_D_K, settings.d_v
        )
    else:
        inputs = EXAMPLES[settings.example].inputs
        if settings.d_k and settings.d_k != inputs.sizes["d_k"]:
            own = inputs.sizes["d_k"]
            inputs = inputs.with_d_k(settings.d_k, settings.seed)
            if settings.d_k > own:
                notices.append(
                    f"The example has d_k = {own}. Columns beyond {own} are toy numbers, not the "
                    "source's."
                )
    kept: list[tuple[Cell, float]] = []
    for cell, number in settings.edits:
        try:
            inputs = inputs.with_edit(cell, number)
            kept.append((cell, number))
        except AttentionError as why:
            notices.append(f"The edit {cell}={number:g} was left out. {why}")
    return inputs, tuple(notices), replace(settings, edits=tuple(kept))
