"""Predict, then reveal: what is asked shows nowhere before it is answered."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.patience import eventually
from tests.browser.visit import Opener, Visit

SEEN = "S:2"


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
    eventually(lambda: here.numbers("S")[2], gives=["2", "4", "3"])
    expect(here.cell("S", 2, 1)).to_have_attribute("aria-selected", "true")
    expect(here.line).to_have_text("SAI, love = qAI · klove = 1·2 + 1·1 + 1·1 = 4")
    expect(here.ask.get_by_role("textbox")).to_have_count(0)
    here.wait_link(seen=SEEN, cell=None)
    if text == "4":
        here.reload()
        eventually(lambda: here.numbers("S")[2], gives=["2", "4", "3"])
        expect(here.cell("S", 2, 1)).to_have_attribute("aria-selected", "true")
        expect(here.ask.get_by_role("textbox")).to_have_count(0)


def test_show_me_reveals_without_an_answer(visit: Opener) -> None:
    """Nobody is held up; it does not claim that one was right."""
    here = visit("/Score?v=1")
    here.ask.get_by_role("button", name="show me").click()
    expect(here.ask).to_contain_text("It is 4: the largest score in this row is for «love».")
    expect(here.ask).not_to_contain_text("Yes")
    eventually(lambda: here.numbers("S")[2], gives=["2", "4", "3"])
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


def options(here: Visit) -> Locator:
    """The buttons of a question that gives answers to choose from."""
    return here.ask.get_by_role("group", name="Your answer")


def test_a_wrong_option_is_crossed_out_and_another_may_be_tried(visit: Opener) -> None:
    """It says why not; nothing opens, and what is left is still to be chosen."""
    here = visit("/Mix?v=1")
    choice = options(here)
    expect(choice.get_by_role("button")).to_have_text(["I", "love", "AI", "show me"])
    expect(here.ask.get_by_role("textbox")).to_have_count(0)
    choice.get_by_role("button", name="I", exact=True).click()
    expect(here.ask).to_contain_text("Not that one. The largest weight in the row of «AI»")
    expect(here.live).to_contain_text("Not that one.")
    tried = choice.get_by_role("button", name="I: not this one")
    assert tried.evaluate("e => getComputedStyle(e).textDecorationLine") == "line-through"
    eventually(lambda: here.numbers("O")[2], gives=["?", "?", "?"])
    assert "seen" not in here.query()
    choice.get_by_role("button", name="love", exact=True).click()
    expect(here.ask).to_contain_text("Yes: «love» has the largest weight in this row, 0.533.")
    expect(here.ask).not_to_contain_text("Not that one")


def test_a_right_option_opens_the_row_and_the_link_keeps_it(visit: Opener) -> None:
    """As a typed answer does: numbers, derivation, and a reload that tells the answer."""
    here = visit("/Mix?v=1")
    options(here).get_by_role("button", name="love", exact=True).click()
    assert "?" not in here.numbers("O")[2]
    expect(here.cell("O", 2, 0)).to_have_attribute("aria-selected", "true")
    expect(options(here)).to_have_count(0)
    here.wait_link(seen="O:2", cell=None)
    here.reload()
    expect(here.ask).to_contain_text("The answer: «love» has the largest weight")
    expect(options(here)).to_have_count(0)


def test_options_are_chosen_with_the_keyboard(visit: Opener) -> None:
    """Tab reaches each of them, the focus stays on a wrong one and goes to the verdict at last."""
    here = visit("/Scale?v=1")
    here.page.locator("h1.question").click()
    here.tab_to("Another token")
    here.press("Enter")
    expect(here.ask).to_contain_text("Not so.")
    eventually(here.focused, gives="Another token: not this one")
    here.press("Shift+Tab", "Space")
    expect(here.ask).to_contain_text("Right: all scores of a row are scaled by the same positive")
    eventually(lambda: here.focused().startswith("Right:"), gives=True)


def test_options_may_be_passed_over(visit: Opener) -> None:
    """«show me» tells without claiming that one was right."""
    here = visit("/Scale?v=1")
    options(here).get_by_role("button", name="show me").click()
    expect(here.ask).to_contain_text("The answer: all scores of a row are scaled")
    assert "?" not in here.numbers("S_scaled")[2]


@pytest.mark.parametrize(
    ("text", "right"),
    [("0.333", True), ("0.334", True), ("1/3", True), ("0.33333", True), ("0.336", False)],
)
def test_hand_arithmetic_on_what_is_shown_is_right(visit: Opener, text: str, right: bool) -> None:
    """One less 0.333 and 0.333 is 0.334, though the weight shows as 0.333."""
    here = visit("/Softmax?v=1&example=own&text=no no no")
    answer(here, text)
    if right:
        expect(here.ask).to_contain_text("Yes, 0.333.")
    else:
        expect(here.ask.get_by_role("textbox")).to_be_visible()
        expect(here.ask).not_to_contain_text("Yes")


def test_the_same_holds_in_the_hidden_cell(visit: Opener) -> None:
    """Typed in place, 0.334 is right as well."""
    here = visit("/Softmax?v=1&example=own&text=no no no")
    here.cell("A", 2, 0).click()
    here.page.keyboard.type("0.334")
    here.press("Enter")
    expect(here.cell("A", 2, 0)).to_have_text("0.333")


@pytest.mark.parametrize(("path", "above"), [("/Score?v=1", False), ("/Order?v=1", True)])
def test_the_question_of_a_tall_board_stands_above_it(
    visit: Opener, path: str, above: bool
) -> None:
    """In sight, and in the order of reading and of the Tab key."""
    here = visit(path)
    follows = here.evaluate("""board => {
      const [ask, card] = [board.querySelector(".ask"), board.querySelector(".card")];
      return Boolean(ask.compareDocumentPosition(card) & Node.DOCUMENT_POSITION_FOLLOWING);
    }""")
    assert follows == above
    if above:
        here.ask.get_by_role("button", name="The same", exact=True).click()
        expect(here.ask).to_contain_text("Right: the same.")
        expect(here.cell("O_diff", 0, 0)).to_have_text("0")


def test_the_program_waits_for_the_answer(visit: Opener) -> None:
    """It holds the numbers that are asked for, on the screen and as a notebook."""
    here = visit("/Score?v=1&code=numpy")
    code, file = here.page.locator(".stCode"), here.page.get_by_role("button", name="as a notebook")
    waits = here.page.get_by_text("The program holds the numbers that are asked for.")
    expect(waits).to_be_visible()
    expect(code).to_be_hidden()
    expect(file).to_be_hidden()
    here.ask.get_by_role("button", name="show me").click()
    expect(code).to_be_visible()
    expect(file).to_be_visible()
    expect(waits).to_be_hidden()
    here.expect_clean()
