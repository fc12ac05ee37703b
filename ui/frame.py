"""What every page has in common: set-up, navigation, controls, notices, and the computation."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import streamlit as st

from attention_core import AttentionError
from ui import link
from ui.controls import sidebar
from ui.given import frozen_of, inputs_of
from ui.lesson import Lesson, graph_of
from ui.notices import tell
from ui.pages import BESIDE, EMBED, PAGES, Page
from ui.prose import anchor
from ui.settings import WALKS, Settings, read_settings
from ui.tied import fill

_HERE = Path(__file__).parent
# The page's style, and the script that makes its links quick.
_STYLE = (
    f"<style>{(_HERE / 'theme.css').read_text(encoding='utf-8')}</style>"
    f"<script>{(_HERE / 'links.js').read_text(encoding='utf-8')}</script>"
)
APP = "Attention, Cell by Cell"


def frame(page: Page) -> Lesson:
    """Start a page: every page calls this first. Returns what the page works with."""
    st.set_page_config(page_title=f"{page.title} · {APP}", layout="centered")
    st.html(_STYLE, unsafe_allow_javascript=True)
    settings, notices = read_settings(link.query())
    inputs, more, used = inputs_of(settings)
    arrived = link.begin(used, page.file)
    refused = st.session_state.pop("refused", None)
    fill(used, inputs, arrived)
    with st.sidebar:
        st.html(_navigation(page, used))
        sidebar(used, page)
    frozen = frozen_of(used)[1] if page.form == BESIDE else ()
    tell([*link.repeated(), *notices, *more, *frozen, *([refused] if refused else [])])
    try:
        return Lesson(page, used, inputs, graph_of(used, page.form))
    except AttentionError as why:
        tell([f"These numbers cannot be computed with. {why}"])
        st.stop()


@lru_cache(maxsize=256)
def _navigation(here: Page, settings: Settings) -> str:
    """Our own menu: it carries the link's settings from page to page.

    One piece of text: each `st.page_link` would cost the server as much as a widget.
    """
    query = settings.query()
    text = f'<p class="app-name">{APP}</p><nav aria-label="Pages">'
    group = ""
    for page in PAGES:
        if page.group != group:
            group = page.group
            text += f'<p class="nav-group">{group}</p>'
        current = ' aria-current="page"' if page == here else ""
        text += anchor(page.link(query), page.label, current)
    start = here if here.step else EMBED
    walk = start.link(replace(settings, walk=WALKS[0]).query())
    text += anchor(walk, "Step through all eight", ' class="walk"')
    return text + '</nav><p class="nav-group">Numbers</p>'
