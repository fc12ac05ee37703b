"""Messages above the page: what was wrong with a link or an input, and what is used instead."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

import streamlit as st


def tell(notices: Iterable[str]) -> None:
    """Show notices, word for word: nothing in them is read as markup."""
    items = "".join(f"<li>{escape(notice)}</li>" for notice in notices)
    if items:
        st.html(f'<div role="status"><ul class="notices">{items}</ul></div>')
