"""The worksheet on paper and its answer key: the same HTML for the page and for the file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache, partial
from html import escape
from pathlib import Path

import streamlit as st

import attention_core as core
from attention_core import MASKS, Task, Worksheet, exactly
from attention_core.variants.exact import BASE
from ui.controls import choose
from ui.given import inputs_of
from ui.lesson import Lesson, graph_of
from ui.options import OPTIONS, STARTS
from ui.pages import WORKSHEET
from ui.prose import prose
from ui.readers import OFF, ROOT, written
from ui.settings import CHOICES, CUSTOM, Settings
from ui.sheet_lines import definition, derivation, line, notes
from ui.sheet_tables import tables

_STYLE = (Path(__file__).parent / "sheet.css").read_text(encoding="utf-8")
_SHORT = 58  # letters of derivations that stand in two columns
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
            file_name="worksheet.html",
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


def sheet_of(lesson: Lesson) -> Worksheet:
    """The worksheet that the settings stand for."""
    start = STARTS[str(lesson.option("start"))]
    blanks, decimals = str(lesson.option("blanks")), lesson.settings.decimals
    return core.worksheet(lesson.graph, start=start, blanks=blanks, decimals=decimals)


@lru_cache(maxsize=32)
def _paper(settings: Settings, level: int) -> str:
    """Sheet and key. ``level`` is that of their titles: 1 where nothing stands above them.

    Cached, since a class of learners opens the same few links.
    """
    graph = graph_of(settings, WORKSHEET.form)
    lesson = Lesson(WORKSHEET, settings, inputs_of(settings)[0], graph)
    sheet = sheet_of(lesson)
    given = "".join(tables(matrix, sheet.graph, settings) for matrix in sheet.given)
    tasks = "".join(_task(task, sheet, settings, level + 1) for task in sheet.tasks)
    text = (
        f'<article class="sheet" lang="en"><header><h{level}>Attention by hand</h{level}>'
        f"{_sentence(lesson)}"
        '<p class="who"><span>Name</span><span>Date</span>'
        f"<span>Right, of {len(sheet.blanks)}</span></p></header>"
        f"{_how(lesson, sheet)}"
        f'<section><h{level + 1}>Given</h{level + 1}><div class="tables">{given}</div></section>'
        f"{tasks}{_foot(lesson)}</article>"
    )
    return text + (_key(lesson, sheet, level) if lesson.option("answers") else "")


def _sentence(lesson: Lesson) -> str:
    tokens = " ".join(f"<bdi>{escape(token)}</bdi>" for token in lesson.inputs.tokens)
    return f'<p class="tokens">«{tokens}»</p>'


def _how(lesson: Lesson, sheet: Worksheet) -> str:
    """What is to be done, and in which form."""
    decimals, result = lesson.settings.decimals, sheet.tasks[-1].parts[-1].matrix
    said = [prose(f"Fill in every empty cell: {len(sheet.blanks)} in {len(sheet.tasks)} steps.")]
    if sheet.line is not None and result.lines.size > 1:
        who = f"They are those of «{result.lines.unique(sheet.line)}»"
        said.append(prose(f"{who}: you follow one token through all steps."))
    places = f"{decimals} decimal{'s' if decimals > 1 else ''}" if decimals else "whole numbers"
    rounding = f"ound to {places} when you write a number down, not before."
    if lesson.settings.exact:
        x, y = (f"{BASE.among[lesson.option('base')]}<sup>{power}</sup>" for power in "ab")
        said.append(f"Answer exactly, without decimals: a/b, √a, a/√b or {x}/({x} + {y} + …).")
        if any(exactly(sheet.graph, *why.cell).value is None for why in sheet.blanks):
            said.append(f"Where a number has no exact form, r{rounding}")
    else:
        said.append(f"R{rounding}")
    if any(matrix.blocked for matrix in sheet.given):
        said.append("−∞, hatched, stands where a key is blocked.")
    return f'<p class="how">{" ".join(said)}</p>'


def _task(task: Task, sheet: Worksheet, settings: Settings, level: int) -> str:
    """One step: its formula, a cell that is worked out, and the matrices to fill in."""
    parts = task.parts
    definitions = ", ".join(definition(part.matrix) for part in parts)
    drawn = "".join(tables(part.matrix, sheet.graph, settings, part.cells) for part in parts)
    count = sum(len(part.blanks) for part in parts)
    lines = 0 if not count else _LINES if sheet.line is not None else _LINES + 1
    room = f'<div class="room">{"<p></p>" * lines}</div>'
    return (
        f'<section class="task"><div class="top">{_heading(task, level)}'
        f'<p class="definition">{definitions}</p>{_example(task, sheet, settings)}</div>'
        f'<div class="tables">{drawn}{room}</div>{notes(task, exact=settings.exact)}</section>'
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
    for task in sheet.tasks:
        parts = [part for part in task.parts if part.blanks]
        drawn = "".join(
            tables(part.matrix, sheet.graph, settings, part.cells, answers=True) for part in parts
        )
        lines = "".join(
            f"<li>{derivation(why, sheet.graph, exact=settings.exact)}</li>"
            for part in parts
            for why in part.blanks
        )
        short = all(len(why.text) <= _SHORT for part in parts for why in part.blanks)
        kind = "answers" if settings.exact or not short else "answers short"
        if parts:
            text += (
                f'<section class="task">{_heading(task, level + 1)}'
                f'<div class="tables">{drawn}</div><ul class="{kind}">{lines}</ul></section>'
            )
    return (
        f'<article class="sheet key" lang="en"><header><h{level}>Answer key</h{level}>'
        f"{_sentence(lesson)}</header>"
        '<p class="how">Answers are bold and boxed. A note says where numbers that were rounded '
        f"before would give another last digit.</p>{text}</article>"
    )


def _foot(lesson: Lesson) -> str:
    """The settings in words, and the link that gives these numbers again."""
    settings, factor = lesson.settings, lesson.settings.scale
    scales = {ROOT: "1/√d_k", OFF: "off"}
    said = {
        "Numbers": CHOICES[settings.example],
        "Mask": "custom" if settings.mask == CUSTOM else MASKS[settings.mask][0],
        "Scale": scales.get(factor, factor),
        "Softmax": f"powers of {BASE.among[lesson.option('base')]}",
        "Decimals": str(settings.decimals),
        "Exact numbers": "on" if settings.exact else "off",
        "Typed over": ", ".join(_typed(lesson)),
    }
    said |= {
        OPTIONS[name].label: OPTIONS[name].among[lesson.option(name)]
        for name in ("start", "blanks")
    }
    words = "; ".join(f"{name}: {what}" for name, what in said.items() if what)
    link = WORKSHEET.link(settings.query())
    return (
        f"<footer><p>{prose(words)}.</p><p>The same numbers again, on any copy of the app: "
        f"<code>{escape(link)}</code></p></footer>"
    )


def _typed(lesson: Lesson) -> Iterator[str]:
    """The given numbers that were typed over, of those that the sheet is made from."""
    for (key, row, col), number in lesson.settings.edits:
        if key in lesson.graph and lesson.inputs.given[key][row : row + 1, col : col + 1] == number:
            yield f"{lesson.graph[key].entry_name(row, col).text()} = {written(number)}"


def sheets_to_try(lesson: Lesson) -> tuple[tuple[str, Settings], ...]:
    """Settings that make a sheet of another kind."""
    plain = replace(lesson.settings, exact=False).with_options({"base": "e", "start": "X"})
    exact = replace(plain, exact=True)
    later = ("From Q, K and V on", plain.with_options({"start": "QKV"}))
    return (
        *((later,) if "X" in lesson.graph else ()),
        ("Look back only", replace(plain, mask="causal")),
        ("Exact answers", exact),
        ("Powers of 2, not scaled", replace(exact, scale=OFF).with_options({"base": "2"})),
    )
