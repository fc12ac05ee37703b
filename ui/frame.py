"""What every page has in common: set-up, navigation, controls, notices, and the computation."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from attention_core import AttentionError
from ui import link
from ui.controls import controls, fill
from ui.lesson import Lesson, graph_of
from ui.notices import tell
from ui.pages import PAGES, Page
from ui.settings import Settings, inputs_of, read_settings

_STYLE = f"<style>{(Path(__file__).parent / 'theme.css').read_text(encoding='utf-8')}</style>"
APP = "Attention, Cell by Cell"


def frame(page: Page) -> Lesson:
    """Start a page: every page calls this first. Returns what the page works with."""
    st.set_page_config(page_title=f"{page.title} · {APP}", layout="centered")
    st.html(_STYLE)
    settings, notices = read_settings(link.query())
    inputs, more, used = inputs_of(settings)
    link.begin(used, page.file)
    refused = st.session_state.pop("refused", None)
    fill(used, inputs)
    with st.sidebar:
        _navigation(page, used)
        controls(used)
    tell([*link.repeated(), *notices, *more, *([refused] if refused else [])])
    try:
        return Lesson(page, used, inputs, graph_of(used))
    except AttentionError as why:
        tell([f"These numbers cannot be computed with. {why}"])
        st.stop()


def _navigation(here: Page, settings: Settings) -> None:
    """Our own menu: it carries the link's settings from page to page.

    A page link costs the server as much as a widget, so the page that is open is text, not a link.
    """
    text = f'<p class="app-name">{APP}</p>'
    group = ""
    for entry in PAGES:
        if entry.group != group:
            group = entry.group
            text += f'<p class="nav-group">{group}</p>'
        if entry == here:
            text += f'<p class="nav-here" aria-current="page">{entry.label}</p>'
        else:
            if text:
                st.html(text)
            text = ""
            st.page_link(entry.file, label=entry.label, query_params=settings.query())
    if text:
        st.html(text)
