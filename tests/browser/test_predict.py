"""Predict, then reveal: what is asked shows nowhere before it is answered."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.visit import Opener, Visit

SEEN = "S:2,0;S:2,1;S:2,2"


def answer(here: Visit, text: str) -> None:
    """Type into the question and check."""
    here.ask.get_by_role("textbox").fill(text)
    here.ask.get_by_role("button", name="Check").click()


def expect_hidden(here: Visit, *cols: int) -> None:
    """The asked cells show «?» and do not speak their number."""
    for col in cols or range(3):
        cell = here.cell("S", 2, col)
        expect(cell).to_have_text("?")
        expect(cell).to_have_attribute("aria-label", re.compile(r"hidden$"))


def test_the_asked_row_shows_nowhere(visit: Opener) -> None:
    """Neither in the grid nor in a derivation; formula and numbers are there to work with."""
    here = visit("/Score?v=1&cell=S:2,1")
    expect_hidden(here)
    expect(here.line).to_have_text("SAI, love = qAI · klove = 1·2 + 1·1 + 1·1 = ?")
    expect(here.button("copy equation")).to_have_count(0)
    expect(here.button("copy LaTeX")).to_have_count(0)
    expect(here.ask).to_contain_text("How large is the largest score in the row of «AI»?")
    expect(here.ask.get_by_role("textbox")).to_be_visible()
    spoken = here.board.inner_text() + (here.live.text_content() or "")
    assert "= 4" not in spoken
    assert "is 4" not in spoken


def test_a_wrong_answer_keeps_the_row_hidden_and_says_so(visit: Opener) -> None:
    """With a hint at what to do, and another try."""
    here = visit("/Score?v=1")
    no_number = "That is not a number. Type a number"
    for wrong, said in (("3", "Not that one. Multiply"), ("", no_number), ("four", no_number)):
        answer(here, wrong)
        expect(here.ask).to_contain_text(said)
        expect_hidden(here)
    assert "seen" not in here.query()
    answer(here, "4")
    expect(here.cell("S", 2, 1)).to_have_text("4")
    expect(here.ask).not_to_contain_text("Not that one")


@pytest.mark.parametrize("text", ["4", "4,0", " 4 ", "+4.00"])
def test_a_right_answer_reveals_the_row_and_explains_it(visit: Opener, text: str) -> None:
    """However the number is written; the link keeps what is revealed, so a reload keeps it."""
    here = visit("/Score?v=1")
    answer(here, text)
    expect(here.ask).to_contain_text("Yes, 4: the largest score in this row is for «love».")
    assert here.numbers("S")[2] == ["2", "4", "3"]
    expect(here.cell("S", 2, 1)).to_have_attribute("aria-selected", "true")
    expect(here.line).to_have_text("SAI, love = qAI · klove = 1·2 + 1·1 + 1·1 = 4")
    expect(here.ask.get_by_role("textbox")).to_have_count(0)
    here.wait_link(seen=SEEN, cell="S:2,1")
    if text == "4":
        here.reload()
        assert here.numbers("S")[2] == ["2", "4", "3"]
        expect(here.cell("S", 2, 1)).to_have_attribute("aria-selected", "true")
        expect(here.ask.get_by_role("textbox")).to_have_count(0)


def test_show_me_reveals_without_an_answer(visit: Opener) -> None:
    """Nobody is held up; it does not claim that one was right."""
    here = visit("/Score?v=1")
    here.ask.get_by_role("button", name="show me").click()
    expect(here.ask).to_contain_text("It is 4: the largest score in this row is for «love».")
    expect(here.ask).not_to_contain_text("Yes")
    assert here.numbers("S")[2] == ["2", "4", "3"]
    here.wait_link(seen=SEEN)


def test_typing_into_a_hidden_cell(visit: Opener) -> None:
    """Wrong stays open and says so, Esc leaves, right reveals this one cell only."""
    here = visit("/Score?v=1")
    here.cell("S", 2, 0).click()
    typed = here.cell("S", 2, 0).get_by_role("textbox")
    typed.fill("7")
    typed.press("Enter")
    expect(here.problem).to_contain_text("“7” is not S[AI, I]")
    expect(typed).to_have_value("7")
    typed.press("Escape")
    expect(typed).to_have_count(0)
    expect(here.problem).to_be_hidden()
    expect_hidden(here)
    expect(here.cell("S", 2, 0)).to_be_focused()
    here.press("Enter")
    here.page.keyboard.type("2,0")
    here.press("Enter")
    expect(here.cell("S", 2, 0)).to_have_text("2")
    expect(here.live).to_have_text("Right: S[AI, I] is 2")
    expect(here.line).to_have_text(re.compile(r"= 2$"))
    expect_hidden(here, 1, 2)
    here.wait_link(seen="S:2,0")
    here.reload()
    expect(here.cell("S", 2, 0)).to_have_text("2")
    expect_hidden(here, 1, 2)


def test_a_fraction_is_checked_at_the_decimals_shown(visit: Opener) -> None:
    """An edit makes the largest score 5.75; «5,75» and «5.750» are both that number."""
    here = visit("/Score?v=1&edits=W_Q:0,0%3D1.875")
    answer(here, "5,7")
    expect(here.ask).to_contain_text("Not that one")
    answer(here, "5,75")
    expect(here.ask).to_contain_text("Yes, 5.750")


def test_causal_rows_and_other_examples_are_asked_too(visit: Opener) -> None:
    """Every example hides the last token's row, and its own largest number answers."""
    for example, n in (("hand", 3), ("cat", 4)):
        here = visit(f"/Score?v=1&example={example}")
        hidden = [text for row in here.numbers("S") for text in row if text == "?"]
        assert len(hidden) == n
        here.ask.get_by_role("button", name="show me").click()
        expect(here.cell("S", n - 1, 0)).not_to_have_text("?")
        largest = max(here.numbers("S")[n - 1], key=lambda text: float(text.replace("−", "-")))
        expect(here.ask).to_contain_text(f"It is {largest}")
