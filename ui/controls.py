"""The sidebar's controls. The link is the truth: widgets are filled from it and write to it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from attention_core import EXAMPLES, MASKS, Inputs
from attention_core.inputs import MAX_SIZE
from ui import link
from ui.settings import (
    CHOICES,
    MAX_DECIMALS,
    MAX_SEED,
    MAX_TEXT,
    OWN,
    OWN_D_K,
    VIEW,
    Settings,
)

# Settings that a widget shows as they are.
_PLAIN = ("example", "split", "seed", "d_model", "d_v", "mask", "decimals", "largest")
# Widgets that change the sentence or its embeddings: the pinned cell and the edits go with them.
_NEW_NUMBERS: tuple[str, ...] = ("example", "text", "split", "seed", "d_model")
# Another size gives other scores, so that the question is asked anew; the place stays.
_PLACE: tuple[str, ...] = ("cell", "open", "edit")


def fill(settings: Settings, inputs: Inputs) -> None:
    """Set every widget to what the link says, before it is drawn."""
    state = st.session_state
    for name in _PLAIN:
        state[f"set_{name}"] = getattr(settings, name)
    state["set_d_k"] = inputs.sizes["d_k"]
    state["set_text"] = settings.text if settings.own else " ".join(inputs.tokens)


def controls(settings: Settings) -> None:
    """Draw the controls."""
    st.html('<p class="nav-group">Numbers</p>')
    st.radio("Example", list(CHOICES), format_func=lambda key: CHOICES[key], **_tied("example"))
    st.text_input("Sentence: type your own", max_chars=MAX_TEXT, **_tied("text"))
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
            **_tied("split"),
        )
    st.slider("d_k: query and key size", 1, MAX_SIZE, **_tied("d_k"))
    if settings.own:
        st.slider("d_model: embedding size", 1, MAX_SIZE, **_tied("d_model"))
        st.slider(
            "d_v: value size",
            1,
            MAX_SIZE,
            help="Values are mixed in the last step. Scores do not depend on them.",
            **_tied("d_v"),
        )
        st.number_input(
            "Seed",
            0,
            MAX_SEED,
            help="Another seed gives other toy numbers. The same seed always gives the same ones.",
            **_tied("seed"),
        )
    st.radio(
        "Mask",
        list(MASKS),
        format_func=lambda key: MASKS[key][0],
        help="The mask acts after the scores are scaled. Before that, the cells that it will block "
        "are hatched.",
        **_tied("mask"),
    )
    st.slider("Decimals", 0, MAX_DECIMALS, **_tied("decimals"))
    st.toggle("Mark the largest in each row", **_tied("largest"))


def _tied(name: str) -> dict[str, Any]:
    """What ties a widget to the setting ``name``: its key, and writing the link when it changes."""
    return {"key": f"set_{name}", "on_change": _write, "args": (name,)}


def _write(name: str) -> None:
    """Write all controls to the link; ``name`` is the one that was changed.

    All, not just the one: a second change may come before the browser has the first one's link.
    """
    state, settings = st.session_state, link.now()
    values = {n: state[f"set_{n}"] for n in (*_PLAIN, "d_k", "text") if f"set_{n}" in state}
    if name == "text":
        values["example"] = OWN
    elif values["example"] != OWN or name == "example":
        values["text"] = settings.text
    if name == "example" or values["d_k"] == _own_d_k(values["example"]):
        values["d_k"] = 0
    if not values["text"].strip():
        values |= {"text": settings.text, "example": settings.example}
        state["refused"] = "The sentence is empty. Type at least one word."
    changed = replace(settings, **values)
    if name in _NEW_NUMBERS:
        changed = replace(changed, edits=())
    kept = {"d_k": _PLACE, "d_v": _PLACE} | dict.fromkeys(_NEW_NUMBERS, ())
    link.write_settings(changed, keep=kept.get(name, VIEW))


def _own_d_k(example: str) -> int:
    """The size that a link need not name."""
    return OWN_D_K if example == OWN else EXAMPLES[example].inputs.sizes["d_k"]
