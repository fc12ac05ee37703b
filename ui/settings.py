"""What a viewer can set, as it stands in the link: one table reads it and one function writes it.

A value that cannot be used is replaced by the default and named in a notice. Nothing here touches
Streamlit: a query string goes in, settings and notices come out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any
from urllib.parse import urlencode

from attention_core import (
    EXAMPLES,
    MASKS,
    MAX_DEPTH,
    MAX_HEADS,
    MAX_LAYERS,
    MAX_N,
    MAX_PAIRS,
    MAX_WIDTH,
    NUMBER_SIZES,
    ORDERS,
)
from attention_core.inputs import MAX_SIZE, MAX_TOKENS
from attention_core.variants.variant import Value
from ui.options import OPTIONS
from ui.readers import (
    MAX_TEXT,
    ROOT,
    Edits,
    Unusable,
    clipped,
    number_of,
    one_of,
    read_allow,
    read_edits,
    read_query,
    read_scale,
    read_switch,
    read_text,
    reader,
    whole,
    within,
    written,
)
from ui.words import CLAIMS, LAST, MASK_ERRORS, PARTS, SATURATED, TAU_FROM, TAU_TO

VERSION = 1
OWN = "own"
OWN_D_K = 3
CHOICES = {key: example.title for key, example in EXAMPLES.items()} | {OWN: "My own sentence"}
MAX_DECIMALS = 4
MAX_SEED = 9999
# The word for «the mask of the cells that the viewer clicked».
CUSTOM = "custom"
NONE, PADDING = "none", "padding"
# Words for walking through the course: page by page, or also cell by cell.
WALKS = ("pages", "cells")
# How each option is read.
OPTION_READERS = {name: reader(option) for name, option in OPTIONS.items()}
# The programs that a page can show (`ui.code`).
CODES = ("numpy", "torch", "module", "sdpa", "mha", "loop")
# What the numbers of the playground depend on: a frozen state keeps this and nothing else.
KEPT = ("v", "example", "text", "split", "seed", "d_model", "d_k", "d_v", "mask", "allow", "scale",
        "tied", "edits")  # fmt: skip


@dataclass(frozen=True)
class Settings:
    """Everything that decides the numbers on screen, and how they are shown.

    ``d_k`` and the other sizes are 0 where the example's own size is meant. ``allow`` is the mask
    of the viewer's own, ``scale`` a word or a number, ``tied`` says that W_K is W_Q, ``shift`` that
    the softmax subtracts the row maximum first, ``walk`` that the course is walked through.

    Labs: ``pairs`` and ``sample`` say which random pairs are drawn, ``error`` which mistake with a
    mask is looked at, ``pull`` which token's score is moved (counted from 0),
    ``row`` the row of scores that a softmax is tried on, ``part`` what is tried, ``drag`` the
    score that is dragged (the last one where the row is shorter), ``tau`` the temperature,
    ``offset`` what is taken off every score,
    ``claim`` the claim that is voted on, ``order`` the other order that tokens are put into,
    ``positions`` that X gets positions, ``layers`` how many layers add to the stream, ``heads``,
    ``width`` (d_k of a head) and ``size`` (bytes of a number) the layer whose cost is counted;
    ``depth`` layers of it, and the cache of ``context`` tokens.

    ``was`` is a frozen state that the playground compares with, as its own link would write it.
    ``options`` are those (`ui.options`) that are not at their default; each stands in the link by
    its own name.
    """

    v: int = field(default=VERSION, metadata={"read": whole(1, VERSION)})
    example: str = field(default="love", metadata={"read": one_of(*EXAMPLES, OWN)})
    text: str = field(default="The bank of the river", metadata={"read": read_text})
    split: str = field(default="words", metadata={"read": one_of("words", "characters")})
    seed: int = field(default=42, metadata={"read": whole(0, MAX_SEED)})
    d_model: int = field(default=4, metadata={"read": whole(1, MAX_SIZE)})
    d_k: int = field(default=0, metadata={"read": whole(1, MAX_SIZE)})
    d_v: int = field(default=3, metadata={"read": whole(1, MAX_SIZE)})
    mask: str = field(default=NONE, metadata={"read": one_of(*MASKS, CUSTOM)})
    allow: str = field(default="", metadata={"read": read_allow})
    scale: str = field(default=ROOT, metadata={"read": read_scale})
    error: str = field(default="late", metadata={"read": one_of(*MASK_ERRORS)})
    tied: bool = field(default=False, metadata={"read": read_switch})
    shift: bool = field(default=False, metadata={"read": read_switch})
    order: str = field(default="reversed", metadata={"read": one_of(*ORDERS)})
    positions: bool = field(default=False, metadata={"read": read_switch})
    layers: int = field(default=2, metadata={"read": whole(1, MAX_LAYERS)})
    decimals: int = field(default=3, metadata={"read": whole(0, MAX_DECIMALS)})
    largest: bool = field(default=False, metadata={"read": read_switch})
    exact: bool = field(default=False, metadata={"read": read_switch})
    maths: bool = field(default=False, metadata={"read": read_switch})
    code: str = field(default="", metadata={"read": one_of(*CODES)})
    walk: str = field(default="", metadata={"read": one_of(*WALKS)})
    pairs: int = field(default=240, metadata={"read": whole(2, MAX_PAIRS)})
    sample: int = field(default=1, metadata={"read": whole(1, MAX_SEED)})
    pull: int = field(default=0, metadata={"read": whole(0, MAX_TOKENS - 1)})
    claim: str = field(default="parameters", metadata={"read": one_of(*CLAIMS)})
    row: str = field(default=LAST, metadata={"read": one_of(LAST, SATURATED)})
    part: str = field(default=PARTS[0], metadata={"read": one_of(*PARTS)})
    drag: int = field(default=0, metadata={"read": whole(0, MAX_TOKENS - 1)})
    tau: float = field(default=0.5, metadata={"read": within(TAU_FROM, TAU_TO)})
    offset: float = field(default=10.0, metadata={"read": within(-10_000.0, 10_000.0)})
    heads: int = field(default=8, metadata={"read": whole(1, MAX_HEADS)})
    width: int = field(default=64, metadata={"read": whole(1, MAX_WIDTH)})
    size: int = field(default=4, metadata={"read": number_of(*NUMBER_SIZES)})
    depth: int = field(default=6, metadata={"read": whole(1, MAX_DEPTH)})
    context: int = field(default=4096, metadata={"read": whole(1, MAX_N)})
    edits: Edits = field(default=(), metadata={"read": read_edits})
    was: str = field(default="", metadata={"read": partial(read_query, names=KEPT)})
    options: tuple[tuple[str, Value], ...] = ()

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
        skip = {"options"} if self.own else {"options", "text", "split", "d_model", "d_v"}
        skip |= set() if self.own or self.d_k else {"seed"}
        skip |= set() if self.mask == CUSTOM else {"allow"}
        plain = {
            f.name: written(getattr(self, f.name))
            for f in fields(self)
            if f.name == "v" or (getattr(self, f.name) != f.default and f.name not in skip)
        }
        return plain | {name: written(value) for name, value in self.options}

    def with_options(self, values: Mapping[str, Value]) -> Settings:
        """The settings with some options changed.

        >>> Settings().with_options({"h": 4}).query()
        {'v': '1', 'h': '4'}
        """
        every = dict(self.options) | dict(values)
        kept = {name: every[name] for name in OPTIONS if name in every}
        return replace(
            self, options=tuple((n, v) for n, v in kept.items() if v != OPTIONS[n].default)
        )

    def frozen(self) -> str:
        """This state as ``was`` keeps it: the query of what its numbers depend on.

        >>> Settings(mask="causal", decimals=1, d_k=2).frozen()
        'v=1&d_k=2&mask=causal'
        """
        kept = replace(Settings(), **{name: getattr(self, name) for name in KEPT})
        return urlencode(kept.query(), safe=":;,=")


# Parameters of a link that are read elsewhere: the viewer's place on the board (`ui.board.view`)
# and on charts (`ui.charts`), which can stand in several parts of a page.
BOARD_VIEW = ("cell", "seen", "step", "open", "edit")
CHART_VIEWS = (("sweep", "told"), ("sweep2", "told2"), ("sweep3", "told3"))
CHART_VIEW = tuple(name for names in CHART_VIEWS for name in names)
VIEW = BOARD_VIEW + CHART_VIEW


def read_settings(query: Mapping[str, str]) -> tuple[Settings, list[str]]:
    """Read a link. What cannot be used is named in a notice, with what is used instead.

    >>> settings, notices = read_settings({"d_k": "99"})
    >>> settings.d_k, notices
    (0, ['The link says d_k=99: wanted a whole number from 1 to 8. Used the default instead.'])
    """
    known = {f.name for f in fields(Settings) if f.name != "options"} | OPTIONS.keys()
    told = {name: text for name, text in query.items() if name not in VIEW}
    return _read(told, known, "The link", "The sentence")


def thawed(was: str) -> Settings:
    """The settings of a frozen state.

    >>> thawed(Settings(mask="causal").frozen()).mask
    'causal'
    """
    return _read_frozen(read_query(was, KEPT))[0]


def _read_frozen(query: Mapping[str, str]) -> tuple[Settings, list[str]]:
    return _read(query, KEPT, "The frozen state of the link", "The frozen sentence")


def _read(
    query: Mapping[str, str], names: Collection[str], who: str, sentence: str
) -> tuple[Settings, list[str]]:
    """The settings of some names; ``who`` and ``sentence`` say in notices what is read."""
    readers = {f.name: f.metadata["read"] for f in fields(Settings) if "read" in f.metadata}
    readers = {n: read for n, read in (readers | OPTION_READERS).items() if n in names}
    values: dict[str, Any] = {}
    notices: list[str] = []
    for name, text in query.items():
        said = f"{who} says {clipped(name)}={clipped(text)}"
        if name not in readers:
            notices.append(f"{said}: there is no such setting. It was left out.")
            continue
        try:
            values[name] = readers[name](text)
            if name == "was":
                state, more = _read_frozen(values[name])
                values[name] = state.frozen()
                notices += more
        except Unusable as why:
            if name == "text" and len(text) > MAX_TEXT:
                values[name] = text[:MAX_TEXT]
                notices.append(
                    f"{sentence} has {len(text)} characters. The first {MAX_TEXT} are used."
                )
            elif name == "v":
                notices.append(
                    f"{said}: it was made by another version of this page. "
                    "What is understood is used; check the numbers."
                )
            else:
                instead = "Nothing is frozen." if name == "was" else "Used the default instead."
                notices.append(f"{said}: {why}. {instead}")
    if "text" in values and "example" not in values:
        values["example"] = OWN
    options = {name: values.pop(name) for name in OPTIONS if name in values}
    return Settings(**values).with_options(options), notices
