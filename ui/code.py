"""The code of a screen: programs that give the same numbers, and a notebook."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

import attention_core as core
from attention_core import AttentionError
from ui.lesson import Lesson
from ui.prose import waits
from ui.tied import tied

_Form = tuple[str, Callable[[Lesson], str]]
# The lines of all that a page computes, with a check of every number on the screen …
_LINES: dict[str, _Form] = {
    "numpy": ("NumPy", lambda here: core.checked_code(here.graph, here.settings.decimals)),
    "torch": (
        "PyTorch",
        lambda here: core.checked_code(here.graph, here.settings.decimals, torch=True),
    ),
}
# … or attention as one writes it: a function, a module, a call.
_FUNCTIONS: dict[str, _Form] = {
    "numpy": ("NumPy", lambda here: core.numpy_function(here.graph)),
    "torch": ("PyTorch", lambda here: core.torch_function(here.graph)),
    "module": ("nn.Module", lambda here: core.torch_module(here.graph)),
}
# PyTorch's own, on every page where it says the same.
_OWN: dict[str, _Form] = {
    "sdpa": (
        "PyTorch’s own attention",
        lambda here: core.sdpa_code(here.graph, here.settings.decimals),
    ),
}
# What else there is on the pages of some variants.
_MORE: dict[str, dict[str, _Form]] = {
    "heads": {"mha": ("nn.MultiheadAttention", lambda here: core.mha_code(here.graph))},
    "online": {"loop": ("NumPy, a loop", lambda here: core.loop_code(here.graph))},
}


def code(lesson: Lesson) -> None:
    """Programs that compute what is on the screen, and check that they do. Drawn when chosen.

    They hold every number: while a question of the page is open, they wait for the answer.
    """
    forms = _forms(lesson)
    if st.session_state.get("set_code") not in forms:
        st.session_state["set_code"] = None  # the link says one that another page offers
    chosen = st.segmented_control(
        "Show the code as", list(forms), format_func=lambda key: forms[key][0], **tied("code")
    )
    if not chosen:
        return
    st.html(waits("The program holds the numbers that are asked for. It opens with your answer."))
    with st.container(key="program"):
        try:
            st.code(forms[chosen][1](lesson), language="python", wrap_lines=True)
        except AttentionError as why:
            st.markdown(str(why))
        title = f"{lesson.page.title}: {' '.join(lesson.inputs.tokens)}"
        st.download_button(
            "Download as a notebook",
            partial(core.notebook, lesson.graph, title, lesson.settings.decimals),
            file_name=f"{lesson.page.address.lower()}.ipynb",
            mime="application/x-ipynb+json",
            on_click="ignore",
        )


def _forms(lesson: Lesson) -> dict[str, _Form]:
    own = _OWN if core.sdpa_calls(lesson.graph) else {}
    if "code" in lesson.page.chooses:
        return _FUNCTIONS | own
    return _LINES | own | _MORE.get(lesson.page.form, {})
