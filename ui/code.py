"""The code of a screen: programs that give the same numbers."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

import attention_core as core
from attention_core import Graph
from ui.lesson import Lesson
from ui.tied import tied

_FORMS: dict[str, tuple[str, Callable[[Graph], str]]] = {
    "numpy": ("NumPy", core.numpy_function),
    "torch": ("PyTorch", core.torch_function),
    "module": ("nn.Module", core.torch_module),
    "sdpa": ("PyTorch’s own attention", core.sdpa_code),
}


def code(lesson: Lesson) -> None:
    """Programs that compute what is on the screen, and check that they do. Drawn when chosen."""
    chosen = st.segmented_control(
        "Show the code as",
        list(_FORMS),
        format_func=lambda key: _FORMS[key][0],
        **tied("code"),
    )
    if chosen:
        st.code(_FORMS[chosen][1](lesson.graph), language="python", wrap_lines=True)
