"""The parts of a page around the board: formula, question, takeaway, maths, and the way on."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from html import escape

import streamlit as st

from attention_core import numpy_line, torch_line
from attention_core.symbols import symbol
from ui import link
from ui.lesson import Lesson
from ui.pages import COURSE, PAGES, Page
from ui.settings import CHOICES

# The equation of the whole in parts, each with the keys of the matrices that it stands for.
_PARTS: tuple[tuple[str, frozenset[str]], ...] = (
    ("softmax(", frozenset({"A"})),
    ("<i>Q</i>&hairsp;<i>K</i><sup>T</sup>", frozenset({"S"})),
    ("/ √<i>d<sub>k</sub></i>", frozenset({"S_scaled"})),
    (")", frozenset({"A"})),
    ("<i>V</i>", frozenset({"O"})),
)
_SPOKEN = "softmax of Q K transposed over the root of d k, times V"


def question(page: Page, title: str, lead: str, lit: str | None = None) -> None:
    """The top of a page: the equation of the whole, what the page asks, and the intuition.

    The part of the equation that computes the matrix ``lit`` is lit.
    """
    asked = f'<h1 class="question">{escape(title)}</h1><p class="lead">{escape(lead)}</p>'
    st.html(_equation(page, lit) + asked)


@lru_cache(maxsize=64)
def _equation(page: Page, lit: str | None) -> str:
    parts = " ".join(
        f'<span class="{"lit" if lit in keys else "part"}">{part}</span>' for part, keys in _PARTS
    )
    step = f'<span class="step">step {page.step} of {len(COURSE)}</span>' if page.step else ""
    spoken = f"{_SPOKEN}. This page: {symbol(lit).title}." if lit else f"{_SPOKEN}."
    role = symbol(lit).role if lit else "x"
    return (
        f'<div class="formula role-{role}">'
        f'<span class="equation" role="img" aria-label="{spoken}">{parts}</span>{step}</div>'
    )


def heading(text: str) -> None:
    """A heading inside a page."""
    st.html(f'<h2 class="heading">{escape(text)}</h2>')


def takeaway(sentence: str) -> None:
    """The one thing to remember."""
    st.html(f'<p class="takeaway">{escape(sentence)}</p>')


def maths(lesson: Lesson, key: str, *prose: str) -> None:
    """The second depth, one click away: formula, shapes and code of a matrix, then prose.

    Drawn only while it is open: the browser's parts for formulas and code weigh 1.8 MB.
    """
    matrix = lesson.graph[key]

    def changed() -> None:
        link.write_settings(replace(link.now(), maths=st.session_state["maths"]))

    st.session_state["maths"] = lesson.settings.maths
    box = st.expander("The maths", key="maths", on_change=changed)
    if not box.open:
        return
    with box:
        st.latex(lesson.graph.definition(key))
        shapes = ", ".join(
            f"{m.symbol.text} is {m.shape[0]} × {m.shape[1]}" for m in (*matrix.inputs, matrix)
        )
        st.markdown(f"{shapes}.")
        for paragraph in prose:
            st.markdown(paragraph)
        in_numpy, in_torch = numpy_line(matrix), torch_line(matrix)
        lines = f"{in_numpy}  # NumPy\n{in_torch}  # PyTorch"
        if in_numpy == in_torch:
            lines = f"{in_numpy}  # in NumPy and in PyTorch"
        st.code(lines, language="python")


def course() -> None:
    """The eight steps in one line each: what the formula does, read from the inside out."""
    items = "".join(
        f'<li class="role-{role}"><b>{title}</b> <span class="what">{what}</span></li>'
        for title, role, what in COURSE
    )
    st.html(f'<ol class="course">{items}</ol>')


def choose_numbers(lesson: Lesson, page: Page) -> None:
    """Links that open ``page`` with each worked example, or with a sentence of one's own."""
    with st.container(key="choose", horizontal=True):
        for key, title in CHOICES.items():
            query = replace(lesson.settings, example=key, d_k=0, edits=()).query()
            st.page_link(page.file, label=title, query_params=query)


def turn_page(lesson: Lesson) -> None:
    """Links to the page before and the page after."""
    here = PAGES.index(lesson.page)
    before, after = PAGES[:here][-1:], PAGES[here + 1 :][:1]
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        for pages, arrow in ((before, "← {}"), (after, "{} →")):
            for page in pages:
                label = arrow.format(page.label)
                st.page_link(page.file, label=label, query_params=lesson.settings.query())
