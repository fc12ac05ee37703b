"""The controls: what can be set in the sidebar, and in the page that it is about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

import streamlit as st

from attention_core import (
    MASKS,
    MAX_DEPTH,
    MAX_HEADS,
    MAX_LAYERS,
    MAX_N,
    MAX_PAIRS,
    MAX_WIDTH,
    ORDERS,
    Option,
)
from attention_core.axes import token_axis
from attention_core.inputs import EDIT_LIMIT, MAX_SIZE
from ui.charts.costs import NUMBERS
from ui.given import inputs_of
from ui.lesson import Lesson
from ui.options import OPTIONS
from ui.pages import Page
from ui.readers import MAX_TEXT, OFF, ROOT
from ui.settings import CHOICES, CUSTOM, MAX_DECIMALS, MAX_SEED, Settings
from ui.tied import tied

# Special settings that mean nothing but on the page that chooses them.
_ONLY_THERE: tuple[str, ...] = ("order", "positions", "layers", "pairs", "pull", "heads", "depth")
_SCALES = {ROOT: "÷ √dₖ", OFF: "off", CUSTOM: "custom"}
_NUMBERS = {size: f"{size} {name}" for size, name in NUMBERS.items()}
_Draw = Callable[[Settings, Page, bool], object]  # draws a special setting


def sidebar(settings: Settings, page: Page) -> None:
    """Draw the controls that every page has, and what is special to this one.

    A page with neither a board nor special settings has no use for most of them. A special setting
    that is not at its default can be changed on every page.
    """
    if not (page.board or page.controls):
        st.slider("Decimals", 0, MAX_DECIMALS, **tied("decimals"))
        return
    st.radio("Example", list(CHOICES), format_func=lambda key: CHOICES[key], **tied("example"))
    st.text_input("Sentence: type your own", max_chars=MAX_TEXT, **tied("text"))
    if settings.own:
        st.caption(
            "These are toy numbers: small integers that depend on the token’s text and the seed. "
            "They are not learned."
        )
        st.segmented_control(
            "One token is a",
            ["words", "characters"],
            required=True,
            format_func=lambda split: split.removesuffix("s"),
            **tied("split"),
        )
    st.slider("d_k: query and key size", 1, MAX_SIZE, **tied("d_k"))
    if settings.own:
        st.slider("d_model: embedding size", 1, MAX_SIZE, **tied("d_model"))
        st.slider("d_v: value size", 1, MAX_SIZE, **tied("d_v"))
        st.number_input(
            "Seed",
            0,
            MAX_SEED,
            help="Another seed gives other toy numbers. The same seed always gives the same ones.",
            **tied("seed"),
        )
    default = {f.name: f.default for f in fields(Settings)}
    for name, draw in _SPECIAL.items():
        wanted = name in page.controls or getattr(settings, name) != default[name]
        if wanted and name not in (*page.chooses, *_ONLY_THERE):
            draw(settings, page, False)
    st.slider("Decimals", 0, MAX_DECIMALS, **tied("decimals"))
    if not page.exact:
        st.toggle("Exact numbers in derivations", **tied("exact"))
    if page.board and not page.marks:
        st.toggle("Mark the largest for each query", **tied("largest"))


def choose(lesson: Lesson, name: str) -> None:
    """Draw a special control in the page itself: what the page is about is changed there."""
    draw = _option(lesson, OPTIONS[name]) if name in OPTIONS else _SPECIAL[name]
    draw(lesson.settings, lesson.page, True)


def _option(lesson: Lesson, option: Option) -> _Draw:
    """What draws an option."""
    name, label, default = option.name, option.label, option.default
    fitting = option.fitting(lesson.inputs, lesson.chosen)
    if option.token:
        return _token(name, label)
    if option.among:
        return _choice(name, label, {value: option.among[value] for value in fitting})
    if isinstance(default, bool):
        return _switch(name, label)
    if isinstance(default, str):
        return lambda *_: st.text_input(label, max_chars=MAX_TEXT, **tied(name))
    if isinstance(default, int):
        return lambda *_: st.slider(label, int(option.low), int(option.high), **tied(name))
    return lambda *_: st.number_input(
        label, option.low, option.high, step=0.1, format="%g", **tied(name)
    )


def _mask(settings: Settings, page: Page, in_page: bool) -> None:
    titles = {key: title for key, (title, _) in MASKS.items()}
    # Where its cells can be clicked, a mask of one's own starts from the present one.
    if page.mask_edit:
        titles[CUSTOM] = "custom: the cells of M that you click"
    elif settings.mask == CUSTOM:
        titles[CUSTOM] = "custom"
    st.radio(
        "Mask",
        list(titles),
        format_func=lambda key: titles[key],
        horizontal=in_page,
        **tied("mask"),
    )


def _scale(settings: Settings, page: Page, in_page: bool) -> None:
    _choice("scale", "Scale", _SCALES)(settings, page, in_page)
    if settings.scale not in (ROOT, OFF):
        st.number_input(
            "Multiply scores by",
            -EDIT_LIMIT,
            EDIT_LIMIT,
            step=0.1,
            format="%g",
            **tied("factor"),
        )


def _choice(name: str, label: str, titles: Mapping[Any, str]) -> _Draw:
    """What draws a setting that is one of a few."""
    return lambda settings, page, in_page: st.segmented_control(
        label, list(titles), required=True, format_func=lambda key: titles[key], **tied(name)
    )


def _switch(name: str, label: str) -> _Draw:
    """What draws a setting that is on or off."""
    return lambda settings, page, in_page: st.toggle(label, **tied(name))


def _pairs(settings: Settings, page: Page, in_page: bool) -> None:
    left, right = st.columns(2)
    left.number_input("Pairs of q and k", 2, MAX_PAIRS, step=100, **tied("pairs"))
    right.number_input(
        "Sample",
        1,
        MAX_SEED,
        help="Another number draws other pairs. The same number always draws the same ones.",
        **tied("sample"),
    )


def _heads(settings: Settings, page: Page, in_page: bool) -> None:
    left, middle, right = st.columns((1, 1, 2))
    left.number_input("Heads h", 1, MAX_HEADS, **tied("heads"))
    middle.number_input("d_k of a head", 1, MAX_WIDTH, **tied("width"))
    with right:
        _choice("size", "Bytes of a number", _NUMBERS)(settings, page, in_page)


def _depth(settings: Settings, page: Page, in_page: bool) -> None:
    left, middle, _ = st.columns((1, 1, 2))
    left.number_input("Layers", 1, MAX_DEPTH, **tied("depth"))
    middle.number_input("Tokens n", 1, MAX_N, step=1024, **tied("context"))


def _token(name: str, label: str) -> _Draw:
    """What draws the choice of a token."""

    def draw(settings: Settings, page: Page, in_page: bool) -> None:
        # Not a radio: its options are read as Markdown, and a token may be anything.
        tokens = inputs_of(settings)[0].tokens
        names = token_axis(tokens, len(tokens)).unique
        st.selectbox(label, range(len(tokens)), format_func=names, **tied(name))

    return draw


_SPECIAL: dict[str, _Draw] = {
    "tied": _switch("tied", "Make keys the same as queries: W_K = W_Q"),
    "scale": _scale,
    "mask": _mask,
    "shift": _switch("shift", "Subtract the row maximum first"),
    "order": _choice("order", "The other order", {key: title[0] for key, title in ORDERS.items()}),
    "positions": _switch("positions", "Add positions to X"),
    "layers": _choice("layers", "Layers", {n: str(n) for n in range(1, MAX_LAYERS + 1)}),
    "pairs": _pairs,
    "pull": _token("pull", "Move the score of"),
    "heads": _heads,
    "depth": _depth,
}
