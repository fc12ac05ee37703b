"""Everything by keyboard alone, and everything spoken."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.patience import eventually
from tests.browser.visit import Opener, Visit


def start(here: Visit, matrix: str = "S") -> None:
    """Come from the page's top into a matrix by Tab."""
    here.page.locator("h1.question").click()
    first = here.cell(matrix, 0, 0).get_attribute("aria-label") or ""
    here.tab_to(first)


def label(here: Visit, matrix: str, row: int, col: int) -> str:
    """What a cell is called."""
    return here.cell(matrix, row, col).get_attribute("aria-label") or ""


def test_one_tab_stop_a_matrix(load: Opener) -> None:
    """Tab goes from matrix to matrix, not through every number; closed origins are passed over."""
    here = load("/Score?v=1&cell=none")
    start(here, "Q")
    eventually(here.focused, gives=label(here, "Q", 0, 0))
    here.press("Tab")
    eventually(here.focused, gives=label(here, "Kᵀ", 0, 0))
    here.press("Tab")
    eventually(here.focused, gives=label(here, "S", 0, 0))
    here.press("Tab")
    expect(here.board.locator("button:focus")).to_have_count(1)
    here.press("Shift+Tab")
    eventually(here.focused, gives=label(here, "S", 0, 0))
    for matrix in ("Q", "Kᵀ", "S"):
        expect(here.grid(matrix).locator("[tabindex='0']")).to_have_count(1)


def test_arrows_home_and_end_move_in_a_matrix(load: Opener) -> None:
    """They stop at the edges, and Tab comes back to the cell that was left."""
    here = load("/Score?v=1&cell=none&example=cat")
    start(here)
    walk = {
        "ArrowRight": (0, 1),
        "ArrowDown": (1, 1),
        "ArrowLeft": (1, 0),
        "End": (1, 3),
        "ArrowRight ": (1, 3),
        "ArrowUp": (0, 3),
        "Home": (0, 0),
        "Control+End": (3, 3),
        "ArrowDown ": (3, 3),
        "Control+Home": (0, 0),
    }
    for key, place in walk.items():
        here.press(key.strip())
        eventually(here.focused, gives=label(here, "S", *place))
    here.press("ArrowRight", "Tab", "Shift+Tab")
    eventually(here.focused, gives=label(here, "S", 0, 1))


def test_labels_are_reached_by_arrows_and_keep_their_token_lit(load: Opener) -> None:
    """Up from the first row stands the key's label, left of the first column the query's."""
    here = load("/Score?v=1&cell=none")
    start(here)
    here.press("ArrowUp")
    eventually(here.focused, gives="I")
    eventually(lambda: here.every("data-band").get("S:2,0"), gives="col")
    here.press("ArrowRight", "Enter")
    here.press("ArrowDown")
    eventually(here.focused, gives=label(here, "S", 0, 1))
    eventually(lambda: here.every("data-band").get("Kᵀ:0,1"), gives="col")
    here.press("Escape")
    eventually(here.every, "data-band", gives={})


def test_focus_lights_the_sources(load: Opener) -> None:
    """What a pointer sees on hover, the keyboard sees on focus."""
    here = load("/Score?v=1&cell=none")
    start(here)
    here.press("ArrowRight")
    lit = here.every("data-lit")
    near = {f"Q:0,{t}" for t in range(3)} | {f"Kᵀ:{t},1" for t in range(3)}
    assert {ref for ref, how in lit.items() if how == "near"} == near


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_enter_pins_and_escape_releases_and_the_focus_stays(load: Opener, key: str) -> None:
    """Also after the server's answer the same cell has the focus, so that one can go on."""
    here = load("/Score?v=1&cell=none")
    start(here)
    here.press("ArrowDown", "ArrowRight", key)
    here.wait_link(cell="S:1,1")
    expect(here.live).to_have_text("How «love» scores «love»: S[love, love] is 3")
    expect(here.cell("S", 1, 1)).to_be_focused()
    here.press("ArrowRight", key)
    here.wait_link(cell="S:1,2")
    expect(here.cell("S", 1, 2)).to_be_focused()
    here.press("Escape")
    here.wait_link(cell="none")
    expect(here.live).to_have_text("Nothing pinned")
    expect(here.cell("S", 1, 2)).to_be_focused()


def test_cells_say_what_they_are(load: Opener) -> None:
    """Query, key and value in words; blocked and hidden cells too."""
    here = load("/Score?v=1&mask=causal")
    expect(here.cell("S", 1, 0)).to_have_attribute("aria-label", "query love, key I, score 3")
    blocked = here.cell("S", 0, 2)
    expect(blocked).to_have_attribute("aria-label", re.compile("^query I, key AI, .*blocked"))
    expect(here.cell("S", 2, 0)).to_have_attribute("aria-label", "query AI, key I, score hidden")


def test_origins_and_copies_by_keyboard(load: Opener) -> None:
    """Open the origins, walk into X; copy equation, LaTeX and link, each confirmed aloud."""
    here = load("/Score?v=1&cell=S:1,2")
    start(here)
    here.tab_to("Where these numbers")
    here.press("Enter")
    here.wait_link(open="1")
    expect(here.button("Where these numbers come from")).to_be_focused()
    here.tab_to(label(here, "X", 0, 0))
    for name, spoken, wanted in (
        (
            "copy equation",
            "Copied the derivation",
            "S[love, AI] = q_love · k_AI = 0·1 + 2·1 + 1·1 = 3",
        ),
        ("copy LaTeX", "Copied the LaTeX", None),
        ("copy link", "Copied the link", None),
    ):
        here.tab_to(name)
        here.press("Enter")
        expect(here.live).to_have_text(re.compile(spoken))
        expect(here.board.locator(".copied", has_text="copied").first).to_be_visible()
        text = here.page.evaluate("navigator.clipboard.readText()")
        if wanted:
            assert text == wanted
        elif name == "copy LaTeX":
            assert text.startswith("S_{"), text
            assert r"\cdot" in text, text
        else:
            assert "cell=S" in text, text
            assert "open=1" in text, text
        eventually(here.focused, gives=name)


def test_go_deeper_and_back_by_keyboard(load: Opener) -> None:
    """The focus never falls out of the panel while one walks down and back."""
    here = load("/Score?v=1&cell=S:1,2")
    start(here)
    here.tab_to("0, from Q[love, 1]")
    here.press("Enter")
    here.wait_link(cell="Q:1,0")
    eventually(here.focused, gives="← S[love, AI]")
    here.press("Enter")
    here.wait_link(cell="S:1,2")
    assert here.why.evaluate("e => e.contains(e.getRootNode().activeElement)")


def test_step_mode_by_keyboard(load: Opener) -> None:
    """Start, forward, back and all, with the count spoken and the focus on the pressed button."""
    here = load("/Score?v=1")
    start(here)
    here.tab_to("step through")
    here.press("Enter")
    here.wait_link(step="1")
    eventually(here.focused, gives="step ▸")
    here.press("Enter")
    here.wait_link(step="2")
    expect(here.live).to_have_text("2 of 9: S[I, love] is 5")
    eventually(here.focused, gives="step ▸")
    here.press("Shift+Tab", "Enter")
    here.wait_link(step="1")
    here.tab_to("all")
    here.press("Enter")
    here.wait_link(step=None)
    eventually(here.focused, gives="step through")


def test_the_question_by_keyboard(load: Opener) -> None:
    """Type, Enter: wrong is spoken and keeps the focus; right is spoken and moves on."""
    here = load("/Score?v=1")
    start(here)
    here.tab_to("Your answer")
    here.page.keyboard.type("3")
    here.press("Enter")
    expect(here.live).to_have_text(re.compile("Not that one"))
    eventually(here.focused, gives="Your answer")
    here.page.keyboard.type("4")
    here.press("Enter")
    expect(here.live).to_have_text(re.compile("Yes, 4"))
    assert "Yes, 4" in here.focused()


def test_editing_by_keyboard(load: Opener) -> None:
    """Edit mode, type a digit on a cell, Tab commits and goes on, Enter commits and stays."""
    here = load("/Score?v=1")
    start(here)
    here.tab_to("edit numbers")
    here.press("Enter")
    here.wait_link(edit="1", open="1")
    eventually(here.focused, gives="edit numbers")
    here.tab_to(label(here, "X", 0, 0))
    here.page.keyboard.type("3")
    here.press("Tab")
    eventually(here.focused, gives="New number for X[I, 2]")
    here.page.keyboard.type("-1")
    here.press("Enter")
    here.wait_link(edits="X:0,0=3.0;X:0,1=-1.0")
    expect(here.cell("X", 0, 1)).to_be_focused()
    expect(here.cell("X", 0, 1)).to_have_text("−1")
    expect(here.cell("X", 0, 0)).to_have_text("3")
    here.press("Escape")
    here.page.locator("h1.question").click()
    here.tab_to("reset")
    here.press("Enter")
    here.wait_link(edits=None)
    expect(here.cell("X", 0, 0)).to_have_text("1")
    eventually(here.focused, gives="edit numbers")
