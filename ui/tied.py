"""Ties widgets to the link. The link is the truth: widgets are filled from it and write to it."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic
from typing import Any

import streamlit as st

from attention_core import EXAMPLES, Cell, Inputs
from attention_core.variants.variant import chosen
from ui import link
from ui.given import inputs_of, mask_now, typed_over
from ui.options import OPTIONS
from ui.readers import OFF, ROOT
from ui.settings import CUSTOM, OWN, OWN_D_K, VIEW, Settings

# Settings that a widget shows as they are.
_PLAIN = (
    "example",
    "split",
    "seed",
    "d_model",
    "d_v",
    "mask",
    "error",
    "tied",
    "shift",
    "order",
    "positions",
    "layers",
    "row",
    "part",
    "tau",
    "offset",
    "decimals",
    "largest",
    "exact",
    "maths",
    "pairs",
    "sample",
    "heads",
    "width",
    "size",
    "depth",
    "context",
)
# Widgets that change the sentence or its embeddings: the pinned cell goes with them.
_NEW_NUMBERS: tuple[str, ...] = ("example", "text", "split", "seed", "d_model")
# Of these, the ones that leave the weights as they are, and so what was typed into them.
_NEW_TOKENS: tuple[str, ...] = ("text", "split")
# Another size gives other scores, so that the question is asked anew; the place stays.
_PLACE: tuple[str, ...] = ("cell", "open", "edit")
# Another mistake, order or number of layers stands on another board: no place is the same there.
_NEW_BOARD: tuple[str, ...] = ("open", "edit")
# What a scale of the viewer's own starts from.
_FACTOR = 0.5
# Widgets whose options are tokens: the browser keeps and sends the word, not its place.
_TOKENS = ("pull", "drag", *(name for name, option in OPTIONS.items() if option.token))
# Widgets that follow the example, and for how many seconds an old value may come back.
_FOLLOW: tuple[str, ...] = ("text", "d_k", "drag", "score", "pull")
_ECHO = 1.0
# How far the score of a row can be dragged; typed it can be larger.
SCORE_LIMIT = 20.0


def fill(settings: Settings, inputs: Inputs, arrived: bool) -> None:
    """Set every widget to what the link says, before it is drawn.

    Who has ``arrived`` from another page has other widgets before them, with the same keys: left
    alone they would stand at their defaults, and send these with the next click. So would a choice
    of tokens say an old word, where the sentence is another one.
    """
    state, now = st.session_state, monotonic()
    state["example_then"] = settings.example
    state["filled"] = shown = _shown(settings, inputs)
    words, state["words"] = state.get("words"), (inputs.tokens, settings.row)
    again = _TOKENS if words != state["words"] else ()
    replaced = [old for old in state.get("replaced", ()) if now - old[2] < _ECHO]
    for name, value in shown.items():
        key = f"set_{name}"
        # Only what differs: a value that is set is sent to the browser, and would undo what the
        # viewer has changed there in the meantime.
        if arrived or name in again or key not in state or state[key] != value:
            if key in state and state[key] != value:
                replaced.append((name, state[key], now))
            state[key] = value
    state["replaced"] = replaced


def _shown(settings: Settings, inputs: Inputs) -> dict[str, Any]:
    """What every widget shows for some settings."""
    own_scale = settings.scale not in (ROOT, OFF)
    scores = inputs.given["s"][0].tolist()
    drag = min(settings.drag, len(scores) - 1)
    return {name: getattr(settings, name) for name in _PLAIN} | {
        "d_k": inputs.sizes["d_k"],
        "text": settings.text if settings.own else " ".join(inputs.tokens),
        "scale": CUSTOM if own_scale else settings.scale,
        "factor": float(settings.scale) if own_scale else _FACTOR,
        "code": settings.code or None,
        "pull": min(settings.pull, len(inputs.tokens) - 1),
        "drag": drag,
        "score": max(-SCORE_LIMIT, min(SCORE_LIMIT, scores[drag])),
        **chosen(tuple(OPTIONS.values()), inputs, dict(settings.options)),
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
    if name in _TOKENS and not isinstance(value, int):
        return  # a word of the sentence before
    if isinstance(value, str) and not value.strip():
        state["refused"] = "The sentence is empty. Type at least one word."
        return
    values: dict[str, Any] = {} if name in OPTIONS else {name: value}
    if name == "text":
        values |= {"example": OWN, "d_k": 0 if settings.d_k == OWN_D_K else settings.d_k}
    elif name == "example" or (name == "d_k" and value == _own_d_k(settings.example)):
        values["d_k"] = 0
    elif name == "mask" and value == CUSTOM:
        values["allow"] = mask_now(settings)
    elif name == "score":
        values = {"edits": typed_over(settings, Cell("s", 0, state["set_drag"]), value).edits}
    elif name == "row":
        values["edits"] = tuple(edit for edit in settings.edits if edit[0].symbol != "s")
    elif name == "code":
        values = {"code": value or ""}
    elif name in ("scale", "factor"):
        own = name == "factor" or value == CUSTOM
        values = {"scale": f"{state['set_factor']!r}" if own else value}
    changed = replace(settings, **values)
    if name in OPTIONS:
        changed = changed.with_options({name: value})
    if name in _NEW_NUMBERS:
        stay = name in _NEW_TOKENS and settings.own
        kept = tuple(edit for edit in settings.edits if stay and edit[0].symbol.startswith("W_"))
        changed = replace(changed, edits=kept)
    elif name == "source":
        kept = tuple(edit for edit in settings.edits if edit[0].symbol != "Y")
        changed = replace(changed, edits=kept)
    keep = {"d_k": _PLACE, "d_v": _PLACE, "row": (), "part": ()}
    other_numbers = (name for name, option in OPTIONS.items() if not option.same)
    keep |= dict.fromkeys(("error", "order", "positions", "layers", *other_numbers), _NEW_BOARD)
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
