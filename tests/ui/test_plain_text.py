"""A token is plain text: it never reaches a part of Streamlit that reads Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.ui.test_pages import open_page
from ui.pages import PAGES, Page

# What shows a text as it is: HTML is escaped by us, options of a select box and code are plain.
PLAIN = {"html", "selectbox", "text_input", "code", "bidi_component"}
TOKEN = "qzx"


def elements(block: Any) -> Iterator[Any]:
    for child in block.children.values():
        yield child
        if hasattr(child, "children"):
            yield from elements(child)


@pytest.mark.parametrize("part", ["temperature", "shift"])
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.title)
def test_no_token_is_read_as_markdown(page: Page, part: str) -> None:
    app = open_page(page.file, text=f"{TOKEN} {TOKEN} b", maths="1", mask="causal", part=part)
    found = [
        element.type
        for element in elements(app._tree)
        if getattr(element, "proto", None) is not None
        and element.type not in PLAIN
        and TOKEN in str(element.proto)
    ]
    assert found == []


def test_equal_tokens_are_told_apart_where_one_is_chosen() -> None:
    app = open_page("pages/15_Blend.py", text="no no yes")
    assert app.selectbox(key="set_pull").options == ["no (1)", "no (2)", "yes"]
