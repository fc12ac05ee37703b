"""The code of a screen: programs that give the same numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

import attention_core as core
from attention_core import Graph
from ui import link
from ui.lesson import Lesson

_FORMS: dict[str, tuple[str, Callable[[Graph], str]]] = {
    "numpy": ("NumPy", lambda graph: core.numpy_function(graph)),
    "torch": ("PyTorch", lambda graph: core.torch_function(graph)),
    "module": ("nn.Module", lambda graph: core.torch_module(graph)),
    "sdpa": ("PyTorch’s own attention", lambda graph: core.sdpa_code(graph)),
}


def code(lesson: Lesson) -> None:
    """Programs that compute what is on the screen, and check that they do. Drawn when chosen."""

    def changed() -> None:
        link.write_settings(replace(link.now(), code=st.session_state["code"] or ""))

    st.session_state["code"] = lesson.settings.code or None
    chosen = st.segmented_control(
        "Show the code as",
        list(_FORMS),
        format_func=lambda key: _FORMS[key][0],
        key="code",
        on_change=changed,
    )
    if chosen:
        st.code(_FORMS[chosen][1](lesson.graph), language="python", wrap_lines=True)
