"""The worksheet on paper and its answer key: the same HTML for the page and for the file."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache, partial
from html import escape
from pathlib import Path

import streamlit as st

import attention_core as core
from attention_core import ByHand, Cell, Explanation, Task, Worksheet, also_right
from attention_core.rounding import Shown
from ui.controls import choose
from ui.given import inputs_of
from ui.lesson import Lesson, graph_of
from ui.options import STARTS
from ui.pages import WORKSHEET
from ui.readers import OFF, ROOT
from ui.settings import Settings
from ui.sheet_lines import definition, derivation, line, notes
from ui.sheet_tables import BELOW, tables
from ui.sheet_words import LEAST, about, foot, how_to_do, how_to_read

_STYLE = (Path(__file__).parent / "sheet.css").read_text(encoding="utf-8")
_LINES = 3  # to work on, where one row is asked for


def choose_sheet(lesson: Lesson) -> None:
    """What is blank, where it begins, with which powers; the file; whether the key goes along."""
    with st.container(horizontal=True):
        for name in ("blanks", "start", "base"):
            choose(lesson, name)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            "Download as one file",
            partial(document, lesson.settings),
            file_name=f"worksheet{'-with-key' if lesson.option('answers') else ''}.html",
            mime="text/html",
            on_click="ignore",
        )
        choose(lesson, "answers")


def paper(lesson: Lesson) -> None:
    """The sheet as it will be printed, with its answer key where that is asked for."""
    st.html(f"<style>{_STYLE}</style>{_paper(lesson.settings, 2)}")


def document(settings: Settings) -> str:
    """A whole HTML file that asks nothing of any server."""
    title = escape(f"Attention by hand: {' '.join(inputs_of(settings)[0].tokens)}")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src '
        "'unsafe-inline'\">"
        f"<title>{title}</title><style>{_STYLE}</style></head>"
        f"<body><main>{_paper(settings, 1)}</main></body></html>\n"
    )


@lru_cache(maxsize=32)
def _made(settings: Settings) -> tuple[Lesson, Worksheet]:
    """The worksheet that settings stand for, and the settings as it has them."""
    settings = replace(settings, decimals=settings.decimals or LEAST)
    graph = graph_of(settings, WORKSHEET.form)
    lesson = Lesson(WORKSHEET, settings, inputs_of(settings)[0], graph)
    start, blanks = STARTS[str(lesson.option("start"))], str(lesson.option("blanks"))
    sheet = core.worksheet(graph, start=start, blanks=blanks, decimals=settings.decimals)
    return lesson, sheet


def about_the_sheet(lesson: Lesson) -> list[str]:
    """What there is to say of this sheet before one prints it."""
    return about(_made(lesson.settings)[1], lesson)


@lru_cache(maxsize=32)
def _paper(settings: Settings, level: int) -> str:
    """Sheet and key. ``level`` is that of their titles: 1 where nothing stands above them.

    Cached, since a class of learners opens the same few links.
    """
    lesson, sheet = _made(settings)
    settings = lesson.settings
    given = "".join(tables(matrix, sheet.graph, settings) for matrix in sheet.given)
    tasks = "".join(_task(task, sheet, settings, level + 1) for task in sheet.tasks)
    text = (
        f'<article class="sheet" lang="en"><header><h{level}>Attention by hand</h{level}>'
        f"{_sentence(lesson)}"
        '<p class="who"><span>Name</span><span>Date</span>'
        f"<span>Right, of {len(sheet.blanks)}</span></p></header>"
        f"{how_to_do(lesson, sheet)}"
        f'<section><h{level + 1}>Given</h{level + 1}><div class="tables">{given}</div></section>'
        f"{tasks}{foot(lesson)}</article>"
    )
    return text + (_key(lesson, sheet, level) if lesson.option("answers") else "")


def _sentence(lesson: Lesson) -> str:
    tokens = " ".join(f"<bdi>{escape(token)}</bdi>" for token in lesson.inputs.tokens)
    return f'<p class="tokens">«{tokens}»</p>'


def _task(task: Task, sheet: Worksheet, settings: Settings, level: int) -> str:
    """One step: its formula, a cell that is worked out, and the matrices to fill in."""
    parts = task.parts
    definitions = ", ".join(definition(part.matrix) for part in parts)
    drawn = "".join(tables(part.matrix, sheet.graph, settings, part.cells) for part in parts)
    count = sum(len(part.blanks) for part in parts)
    lines = 0 if not count else _LINES if len(sheet.lines) == 1 else _LINES + 1
    room = f'<div class="room">{"<p></p>" * lines}</div>'
    return (
        f'<section class="task"><div class="top">{_heading(task, level)}'
        f'<p class="definition">{definitions}</p>{_example(task, sheet, settings)}</div>'
        f'<div class="tables">{drawn}{room}</div>'
        f"{notes(task, sheet.graph, exact=settings.exact)}</section>"
    )


def _heading(task: Task, level: int) -> str:
    return f"<h{level}>{task.number}. {escape(task.title)}</h{level}>"


def _example(task: Task, sheet: Worksheet, settings: Settings) -> str:
    """A cell that is worked out; in symbols only where its numbers would tell an answer."""
    worked = next((part.worked for part in task.parts if part.worked), None)
    if worked:
        said = derivation(worked, sheet.graph, exact=settings.exact)
        return f'<div class="example"><span class="lead-in">For example</span>{said}</div>'
    blanks = [why for part in task.parts for why in part.blanks]
    if not blanks:
        return '<p class="example">There is nothing to work out here.</p>'
    first = blanks[0]
    said = line(*first.line[:2], why=first)
    return f'<div class="example"><span class="lead-in">Each cell as</span>{said}</div>'


def _key(lesson: Lesson, sheet: Worksheet, level: int) -> str:
    """The answers: every matrix filled in, and every blank cell derived."""
    settings, text = lesson.settings, ""
    also = {} if settings.exact else _also(sheet, settings.decimals)

    def said(why: Explanation) -> str:
        return derivation(why, sheet.graph, exact=settings.exact, also=also.get(why.cell))

    for task in sheet.tasks:
        parts = [part for part in task.parts if part.blanks]
        drawn = "".join(
            tables(part.matrix, sheet.graph, settings, part.cells, answers=True) for part in parts
        )
        lines = "".join(f"<li>{said(why)}</li>" for part in parts for why in part.blanks)
        if parts:
            text += (
                f'<section class="task">{_heading(task, level + 1)}'
                f'<div class="tables">{drawn}</div><ul class="answers">{lines}</ul></section>'
            )
    below = f"<b>{BELOW}</b>" in text
    how = how_to_read(lesson, others=any(also.values()), below=below)
    return (
        f'<article class="sheet key" lang="en"><header><h{level}>Answer key</h{level}>'
        f"{_sentence(lesson)}</header>"
        f'<p class="how">{how}</p>'
        f"{text}{foot(lesson)}</article>"
    )


def _also(sheet: Worksheet, decimals: int) -> dict[Cell, tuple[Shown, ...]]:
    """What else is right in each blank cell."""
    blanks = {why.cell for why in sheet.blanks}
    hands = [ByHand(blanks, decimals, rounds) for rounds in (False, True)]
    return {why.cell: also_right(why, hands) for why in sheet.blanks}


def sheets_to_try(lesson: Lesson) -> tuple[tuple[str, Settings], ...]:
    """Settings that make a sheet of another kind."""
    scale = ROOT if lesson.settings.scale == OFF else lesson.settings.scale
    plain = replace(lesson.settings, exact=False, scale=scale)
    plain = plain.with_options({"base": "e", "start": "X"})
    exact = replace(plain, exact=True)
    later = ("From Q, K and V on", plain.with_options({"start": "QKV"}))
    return (
        *((later,) if "X" in lesson.graph else ()),
        ("Look back only", replace(plain, mask="causal")),
        ("Exact answers", exact),
        ("Powers of 2, not scaled", replace(exact, scale=OFF).with_options({"base": "2"})),
    )
