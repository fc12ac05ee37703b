"""A bad, unknown, oversized or old parameter is named, and the board is there all the same."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.patience import eventually
from tests.browser.visit import Opener
from tests.ui.test_bad_links import BAD

# On the server all of them are tried; here some show that a browser comes through.
SOME = BAD[::7]


@pytest.mark.parametrize(("query", "named"), SOME, ids=[query[:24] for query, _ in SOME])
def test_a_bad_parameter_is_named_and_the_board_is_there(
    visit: Opener, query: str, named: str
) -> None:
    """A notice says what was wrong and what is used instead; never an exception, never silence."""
    here = visit("/Score?" + ("" if query.startswith("v=") else "v=1&") + query)
    expect(here.notices).to_have_count(1)
    expect(here.notices).to_contain_text(named)
    expect(here.page.get_by_test_id("stException")).to_have_count(0)
    expect(here.cell("S", 0, 0)).to_have_text(re.compile(r"\d"))
    if "own" not in query and "text" not in query:
        eventually(here.column_labels, "S", gives=["I", "love", "AI"])


def test_several_bad_parameters_are_all_named(visit: Opener) -> None:
    """One bad word does not hide another, and what is good still holds."""
    here = visit("/Score?v=9&d_k=99&mask=causal&cell=Q:8,8&example=cat&x=1")
    for name in ("v=9", "d_k=99", "Q:8,8", "x=1"):
        expect(here.notices.filter(has_text=name)).to_have_count(1)
    eventually(here.column_labels, "S", gives=["The", "cat", "sat", "down"])
    expect(here.cell("S", 0, 3)).to_have_attribute("aria-label", re.compile("blocked"))
