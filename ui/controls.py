"""The controls. The link is the truth: widgets are filled from it and write to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from time import monotonic
from typing import Any

import streamlit as st

from attention_core import EXAMPLES, MASKS, MAX_LAYERS, ORDERS, Inputs
from attention_core.inputs import EDIT_LIMIT, MAX_SIZE
from ui import link
from ui.given import inputs_of, mask_now
from ui.lesson import Lesson
from ui.pages import Page
from ui.readers import MAX_TEXT, OFF, ROOT
from ui.settings import CHOICES, CUSTOM, MAX_DECIMALS, MAX_SEED, OWN, OWN_D_K, VIEW, Settings

# Settings that a widget shows as they are.
_PLAIN = (
    "example",
    "split",
    "seed",
    "d_model",
    "d_v",
    "mask",
    "tied",
    "shift",
    "order",
    "positions",
    "layers",
    "decimals",
    "largest",
    "maths",
)
# Widgets that change the sentence or its embeddings: the pinned cell goes with them.
_NEW_NUMBERS: tuple[str, ...] = ("example", "text", "split", "seed", "d_model")
# Of these, the ones that leave the weights as they are, and so what was typed into them.
_NEW_TOKENS: tuple[str, ...] = ("text", "split")
# Another size or order gives other numbers, so that the question is asked anew; the place stays.
_PLACE: tuple[str, ...] = ("cell", "open", "edit")
# Special settings that mean nothing but on the page that chooses them. They change what stands on
# its board, so that the pinned cell may be gone.
_ONLY_THERE: tuple[str, ...] = ("order", "positions", "layers")
_SCALES = {ROOT: "÷ √dₖ", OFF: "off", CUSTOM: "custom"}
# What a scale of the viewer's own starts from.
_FACTOR = 0.5
# Widgets that follow the example, and for how many seconds an old value may come back.
_FOLLOW: tuple[str, ...] = ("text", "d_k")
_ECHO = 1.0
_Draw = Callable[[Settings, Page, bool], object]  # draws a special setting


def fill(settings: Settings, inputs: Inputs) -> None:
    """Set every widget to what the link says, before it is drawn."""
    state, now = st.session_state, monotonic()
    state["example_then"] = settings.example
    replaced = [old for old in state.get("replaced", ()) if now - old[2] < _ECHO]
    for name, value in _shown(settings, inputs).items():
        key = f"set_{name}"
        # Only what differs: a value that is set is sent to the browser, and would undo what the
        # viewer has changed there in the meantime.
        if key not in state or state[key] != value:
            if key in state:
                replaced.append((name, state[key], now))
            state[key] = value
    state["replaced"], state["filled"] = replaced, _shown(settings, inputs)


def _shown(settings: Settings, inputs: Inputs) -> dict[str, Any]:
    """What every widget shows for some settings."""
    own_scale = settings.scale not in (ROOT, OFF)
    return {name: getattr(settings, name) for name in _PLAIN} | {
        "d_k": inputs.sizes["d_k"],
        "text": settings.text if settings.own else " ".join(inputs.tokens),
        "scale": CUSTOM if own_scale else settings.scale,
        "factor": float(settings.scale) if own_scale else _FACTOR,
        "code": settings.code or None,
    }


def sidebar(settings: Settings, page: Page) -> None:
    """Draw the controls that every page has, and what is special to this one.

    A special setting that is not at its default can be changed on every page.
    """
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
    if not page.marks:
        st.toggle("Mark the largest in each row", **tied("largest"))


def choose(lesson: Lesson, name: str) -> None:
    """Draw a special control in the page itself: what the page is about is changed there."""
    _SPECIAL[name](lesson.settings, lesson.page, True)


def _mask(settings: Settings, page: Page, in_page: bool) -> None:
    titles = {key: title for key, (title, _) in MASKS.items()}
    # Where its cells can be clicked, a mask of one's own starts from the present one.
    if page.mask_edit or settings.mask == CUSTOM:
        titles[CUSTOM] = "custom: the cells of M that you click"
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


_SPECIAL: dict[str, _Draw] = {
    "tied": _switch("tied", "Make keys the same as queries: W_K = W_Q"),
    "scale": _scale,
    "mask": _mask,
    "shift": _switch("shift", "Subtract the row maximum first"),
    "order": _choice("order", "The other order", {key: title[0] for key, title in ORDERS.items()}),
    "positions": _switch("positions", "Add positions to X"),
    "layers": _choice("layers", "Layers", {n: str(n) for n in range(1, MAX_LAYERS + 1)}),
}


def tied(name: str) -> dict[str, Any]:
    """What ties a widget to the setting ``name``: its key, and writing the link when it changes."""
    return {"key": f"set_{name}", "on_change": _write, "args": (name,)}


def _write(name: str) -> None:
    """Write the control that was changed to the link."""
    state, settings = st.session_state, link.now()
    value = state[f"set_{name}"]
    # The sentence and d_k follow the example: changed together, theirs are only the old ones.
    if name in _FOLLOW and state["set_example"] != state["example_then"]:
        return
    if value == _shown(settings, inputs_of(settings)[0])[name] or _is_echo(name, value):
        return
    if name == "text" and not value.strip():
        state["refused"] = "The sentence is empty. Type at least one word."
        return
    values: dict[str, Any] = {name: value}
    if name == "text":
        values |= {"example": OWN, "d_k": 0 if settings.d_k == OWN_D_K else settings.d_k}
    elif name == "example" or (name == "d_k" and value == _own_d_k(settings.example)):
        values["d_k"] = 0
    elif name == "mask" and value == CUSTOM:
        values["allow"] = mask_now(settings)
    elif name == "code":
        values = {"code": value or ""}
    elif name in ("scale", "factor"):
        own = name == "factor" or value == CUSTOM
        values = {"scale": f"{state['set_factor']!r}" if own else value}
    changed = replace(settings, **values)
    if name in _NEW_NUMBERS:
        stay = name in _NEW_TOKENS and settings.own
        kept = tuple(edit for edit in settings.edits if stay and edit[0].symbol.startswith("W_"))
        changed = replace(changed, edits=kept)
    keep = {"d_k": _PLACE, "d_v": _PLACE} | dict.fromkeys(_ONLY_THERE, _PLACE[1:])
    keep |= dict.fromkeys(_NEW_NUMBERS, ())
    link.write_settings(changed, keep=keep.get(name, VIEW))


def _is_echo(name: str, value: Any) -> bool:
    """Whether the browser only sends back what was replaced a moment ago.

    Every message of the browser holds all widgets. One that was sent before the browser had the
    last answer, such as a click on the board, still holds the values before it. Only the sentence
    may come back alone, when its field is left.
    """
    state = st.session_state
    recent = any(
        (name, value) == (old_name, old_value) and monotonic() - when < _ECHO
        for old_name, old_value, when in state.get("replaced", ())
    )
    return recent and (name == "text" or link.board_spoke() or _others_changed(name))


def _others_changed(name: str) -> bool:
    filled: dict[str, Any] = st.session_state.get("filled", {})
    return any(
        st.session_state.get(f"set_{other}", value) != value
        for other, value in filled.items()
        if other != name
    )


def _own_d_k(example: str) -> int:
    """The size that a link need not name."""
    return OWN_D_K if example == OWN else EXAMPLES[example].inputs.sizes["d_k"]
