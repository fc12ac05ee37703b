"""The parts of a page around the board: formula, question, takeaway, maths, and the way on."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import lru_cache

import streamlit as st

from attention_core import numpy_line, torch_line
from attention_core.symbols import symbol
from ui.code import code
from ui.lesson import Lesson
from ui.pages import COURSE, PAGES, Page
from ui.prose import anchor, prose, waits
from ui.settings import CHOICES, WALKS, Settings
from ui.terms import linked
from ui.tied import tied

# The equation of the whole in parts, each with the keys of the matrices that it stands for.
_PARTS: tuple[tuple[str, frozenset[str]], ...] = (
    ("softmax(", frozenset({"A"})),
    ("<i>Q</i>&hairsp;<i>K</i><sup>T</sup>", frozenset({"S", "Q", "K"})),
    ("/ √<i>d<sub>k</sub></i>", frozenset({"S_scaled"})),
    ("+ <i>M</i>", frozenset({"S_masked"})),
    (")", frozenset({"A"})),
    ("<i>V</i>", frozenset({"O", "V"})),
)
# The same with tokens as columns.
_IN_COLUMNS = (
    _PARTS[-1],
    _PARTS[0],
    ("<i>K</i><sup>T</sup>&hairsp;<i>Q</i>", _PARTS[1][1]),
    *_PARTS[2:-1],
)
_SPOKEN = "softmax of Q K transposed over the root of d k, times V"
_SPOKEN_IN_COLUMNS = "V times softmax of K transposed Q over the root of d k"


def question(
    page: Page, title: str, lead: str, *lit: str, formula: bool = True, columns: bool = False
) -> None:
    """The top of a page: the equation of the whole, what the page asks, and the intuition.

    The parts of the equation that compute the matrices ``lit`` are lit. A page that asks what the
    equation tells does without ``formula``. With ``columns`` tokens stand as columns in it.
    """
    parts = frozenset().union(*(keys for _, keys in _PARTS))
    if not parts.issuperset(lit):
        raise ValueError(f"question: {lit} are not all parts of the formula: {sorted(parts)}")
    asked = f'<h1 class="question">{prose(title)}</h1><p class="lead">{_told(lead)}</p>'
    st.html((_equation(page, lit, columns) if formula else "") + asked)


@lru_cache(maxsize=64)
def _equation(page: Page, lit: tuple[str, ...], columns: bool) -> str:
    # The mask is no part of the formula of the paper: it shows where it is the matter.
    parts = " ".join(
        f'<span class="{"lit" if keys & set(lit) else "part"}">{part}</span>'
        for part, keys in (_IN_COLUMNS if columns else _PARTS)
        if "S_masked" not in keys or "S_masked" in lit
    )
    step = f'<span class="step">step {page.step} of {len(COURSE)}</span>' if page.step else ""
    titles = " and ".join(symbol(key).title for key in lit)
    spoken = _SPOKEN_IN_COLUMNS if columns else _SPOKEN
    spoken += f". This page: {titles}." if lit else "."
    wide = " wide" if page.wide else ""
    return (
        f'<div class="formula role-{page.role}{wide}">'
        f'<span class="equation" role="img" aria-label="{spoken}">{parts}</span>{step}</div>'
    )


def write(*parts: str) -> None:
    """Put parts of a page one below another: headings, paragraphs, tables, links.

    One element for all of them: each would cost the server as much as a small widget.
    """
    text = "".join(parts)
    if text:
        st.html(f'<div class="parts">{text}</div>')


def later(*parts: str) -> str:
    """Parts of a page that tell the answer: they show once the page's question is answered.

    Until then a line says so; a single part is not missed.
    """
    more = waits("More to read opens with your answer.") if len(parts) > 1 else ""
    return f'{more}<div class="later parts">{"".join(parts)}</div>'


def heading(text: str) -> str:
    """A heading inside a page."""
    return f'<h2 class="heading">{prose(text)}</h2>'


def say(*sentences: str) -> str:
    """Paragraphs of plain words; empty ones are left out. ``[[mask]]`` leads to the glossary."""
    return "".join(f'<p class="say">{_told(sentence)}</p>' for sentence in sentences if sentence)


def section(title: str, *sentences: str) -> str:
    """A heading with paragraphs; nothing where there is nothing to say."""
    text = say(*sentences)
    return heading(title) + text if text else ""


def takeaway(sentence: str) -> str:
    """The one thing to remember."""
    return f'<p class="takeaway">{_told(sentence)}</p>'


def maths(lesson: Lesson, key: str, *prose: str) -> None:
    """The second depth, one click away: formula, shapes and code of a matrix, then prose.

    Drawn only while it is open: the browser's parts for formulas and code weigh 1.8 MB.
    """
    matrix = lesson.graph[key]

    box = st.expander("The maths", **tied("maths"))
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
        st.code(lines, language="python", wrap_lines=True)


def course(lesson: Lesson) -> str:
    """The eight steps in one line each: what the formula does, read from the inside out."""
    query = lesson.settings.query()
    items = "".join(
        f'<li class="role-{page.role}">{_link(page, query, page.title)} '
        f'<span class="what">{page.what}</span></li>'
        for page in COURSE
    )
    return f'<ol class="course">{items}</ol>'


def ways(*ways: tuple[str, str, tuple[tuple[Page, str], ...]], lesson: Lesson) -> str:
    """Where to go, for different people: a heading, a sentence and links each."""
    query = lesson.settings.query()
    cards = "".join(
        f'<div class="way"><h3>{prose(who)}</h3><p>{prose(what)}</p>'
        + "".join(f"<p>{_link(page, query, text)}</p>" for page, text in links)
        + "</div>"
        for who, what, links in ways
    )
    return f'<div class="ways">{cards}</div>'


def choose_numbers(lesson: Lesson, page: Page) -> str:
    """Links that open ``page`` with each worked example, or with a sentence of one's own."""
    return presets(
        page,
        *(
            (title, replace(lesson.settings, example=key, d_k=0, edits=()))
            for key, title in CHOICES.items()
        ),
    )


def presets(page: Page, *starts: tuple[str, Settings], keep: Collection[str] = ()) -> str:
    """Links that open ``page`` with some settings each; nothing where there are none.

    ``keep`` names what of the viewer's place on the page goes along.
    """
    ways = ((title, settings.query()) for title, settings in starts)
    return choices(page, *ways, keep=keep)


def choices(page: Page, *ways: tuple[str, dict[str, str]], keep: Collection[str] = ()) -> str:
    """Links that open ``page`` with a query each; nothing where there are none."""
    kept = f' data-keep="{" ".join(keep)}"' if keep else ""
    links = "".join(anchor(page.link(query), title, kept) for title, query in ways)
    return f'<div class="presets">{links}</div>' if links else ""


def see(lesson: Lesson, page: Page, text: str) -> str:
    """A link to a page that goes further, with the viewer's settings."""
    return f'<p class="say">{_link(page, lesson.settings.query(), text)}</p>'


def start_walk(lesson: Lesson, page: Page) -> str:
    """The one button that walks through the whole course."""
    query = replace(lesson.settings, walk=WALKS[0]).query()
    return f'<p class="start">{_link(page, query, "Step through all eight")}</p>'


def turn_page(lesson: Lesson) -> None:
    """The end of a page: its code, where it has a board, and links to the pages beside it."""
    if lesson.page.board and "code" not in lesson.page.chooses:
        code(lesson)
    here, query = PAGES.index(lesson.page), lesson.settings.query()
    before, after = PAGES[:here][-1:], PAGES[here + 1 :][:1]
    links = "".join(_link(page, query, f"← {page.label}") for page in before)
    links += "<span></span>" + "".join(_link(page, query, f"{page.label} →") for page in after)
    st.html(f'<nav class="turn" aria-label="Previous and next page">{links}</nav>')


def _told(sentence: str) -> str:
    return linked(prose(sentence))


def _link(page: Page, query: dict[str, str], text: str) -> str:
    return anchor(page.link(query), text)
