"""Typing over the inputs: everything downstream follows, and the link keeps it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from attention_core import EXAMPLES, Cell, Graph
from attention_core.rounding import show
from tests.browser.patience import eventually
from tests.browser.visit import Opener, Visit


def edited(example: str, *edits: tuple[str, int, int, float]) -> Graph:
    """The computation with some numbers typed over, straight from the core."""
    inputs = EXAMPLES[example].inputs
    for symbol, row, col, number in edits:
        inputs = inputs.with_edit(Cell(symbol, row, col), number)
    return inputs.graph()


def expect_numbers(here: Visit, graph: Graph, *matrices: str, hidden_row: bool = True) -> None:
    """Every cell of these matrices shows what the core computes."""
    for name in matrices:
        key = "K_T" if name == "Kᵀ" else name
        texts = [[show(x).text for x in row] for row in graph[key].value.tolist()]
        if name == "S" and hidden_row:
            texts[-1] = ["?"] * len(texts[-1])
        eventually(here.numbers, name, gives=texts)


def type_over(here: Visit, matrix: str, row: int, col: int, text: str) -> Locator:
    """Open a cell's editor and type; returns the editor."""
    cell = here.cell(matrix, row, col)
    cell.click()
    typed = cell.get_by_role("textbox")
    typed.fill(text)
    return typed


def test_an_edit_changes_everything_downstream(visit: Opener) -> None:
    """X[I, 1] = 2.5: Q, Kᵀ and S follow with NumPy's numbers; reload keeps, reset restores."""
    here = visit("/Score?v=1&cell=S:0,1")
    here.button("edit numbers").click()
    expect(here.grid("X")).to_be_visible()
    expect(here.button("edit numbers")).to_have_attribute("aria-pressed", "true")
    typed = type_over(here, "X", 0, 0, "2.5")
    typed.press("Enter")
    here.wait_link(edits="X:0,0=2.5", edit="1")
    graph = edited("love", ("X", 0, 0, 2.5))
    expect(here.cell("S", 0, 1)).to_have_text(show(graph["S"].value[0, 1].item()).text)
    expect_numbers(here, graph, "X", "Q", "K", "Kᵀ", "S")
    expect(here.line).to_have_text("SI, love = qI · klove = 3.500·2 + 0·1 + 2.500·1 = 9.500")
    expect(here.cell("X", 0, 0)).to_be_focused()
    assert "edited" in (here.cell("X", 0, 0).get_attribute("aria-label") or "")
    here.reload()
    expect_numbers(here, graph, "X", "Q", "S")
    here.button("reset").click()
    here.wait_link(edits=None)
    expect(here.cell("S", 0, 1)).to_have_text("5")
    expect_numbers(here, edited("love"), "X", "Q", "S")
    expect(here.button("reset")).to_be_hidden()


def test_two_edits_add_up_and_a_weight_may_be_edited(visit: Opener) -> None:
    """A second number does not undo the first, and the question's answer follows too."""
    here = visit("/Score?v=1&edit=1&open=1")
    type_over(here, "W_K", 3, 0, "0").press("Enter")
    here.wait_link(edits="W_K:3,0=0.0")
    type_over(here, "X", 2, 3, "1").press("Enter")
    here.wait_link(edits="W_K:3,0=0.0;X:2,3=1.0")
    graph = edited("love", ("W_K", 3, 0, 0), ("X", 2, 3, 1))
    expect(here.cell("S", 0, 1)).to_have_text(show(graph["S"].value[0, 1].item()).text)
    expect_numbers(here, graph, "X", "W_K", "Q", "K", "S")
    here.ask.get_by_role("textbox").fill(show(graph["S"].value[2].max().item()).text)
    here.ask.get_by_role("button", name="Check").click()
    expect(here.cell("S", 2, 0)).not_to_have_text("?")
    expect_numbers(here, graph, "S", hidden_row=False)


@pytest.mark.parametrize(
    ("text", "number"),
    [("2,5", 2.5), ("−3", -3.0), ("-0.25", -0.25), (" 7 ", 7.0), ("+1e2", 100.0), (".5", 0.5)],
)
def test_numbers_as_people_type_them(visit: Opener, text: str, number: float) -> None:
    """Decimal comma, the typographic minus, spaces."""
    here = visit("/Score?v=1&edit=1&open=1")
    type_over(here, "X", 1, 2, text).press("Enter")
    here.wait_link(edits=f"X:1,2={number!r}")
    graph = edited("love", ("X", 1, 2, number))
    expect(here.cell("Q", 1, 0)).to_have_text(show(graph["Q"].value[1, 0].item()).text)
    expect_numbers(here, graph, "X", "Q", "K", "S")


def test_bad_text_is_named_kept_and_changes_nothing(visit: Opener) -> None:
    """The message names the cell and says how to mend it; what was typed stays to be mended."""
    here = visit("/Score?v=1&edit=1&open=1")
    typed = type_over(here, "X", 0, 1, "abc")
    for text, words in (
        ("abc", "“abc” is not a number. Type a number such as 2 or -0.5."),
        ("1e999", "1e999"),
        ("", "Type a number such as 2 or -0.5."),
        ("1,2,3", "“1,2,3” is not a number"),
        ("nan", "“nan” is not a number"),
        ("5000", "5000 is too large. Type a number from -1000 to 1000."),
        ("<b>1</b>", "“<b>1</b>” is not a number"),
    ):
        typed.fill(text)
        typed.press("Enter")
        expect(here.problem).to_contain_text(words)
        expect(here.problem).to_contain_text("X[I, 2]")
        expect(typed).to_have_value(text)
        expect(typed).to_be_focused()
        expect(here.live).to_contain_text(words)
    here.page.locator("h1.question").click()
    expect(typed).to_have_value("<b>1</b>")
    expect(here.problem).to_be_visible()
    typed.press("Escape")
    expect(typed).to_have_count(0)
    expect(here.problem).to_be_hidden()
    expect(here.cell("X", 0, 1)).to_have_text("0")
    assert "edits" not in here.query()


def test_escape_cancels_and_enter_on_the_same_number_changes_nothing(visit: Opener) -> None:
    """Looking at an editor is no edit."""
    here = visit("/Score?v=1&edit=1&open=1")
    type_over(here, "X", 0, 0, "9").press("Escape")
    expect(here.cell("X", 0, 0)).to_have_text("1")
    for same in ("1", "1,0", "+1"):
        type_over(here, "X", 0, 0, same).press("Enter")
        expect(here.cell("X", 0, 0)).to_have_text("1")
    here.cell("S", 0, 2).click()
    here.wait_link(cell="S:0,2")
    assert "edits" not in here.query()


def test_examples_that_start_from_queries_and_keys_are_edited_there(visit: Opener) -> None:
    """«Three tokens by hand» gives Q and K; editing Q stands in the main equation."""
    here = visit("/Score?v=1&example=hand&cell=S:0,1")
    here.button("edit numbers").click()
    type_over(here, "Q", 0, 1, "-2").press("Enter")
    here.wait_link(edits="Q:0,1=-2.0", example="hand")
    graph = edited("hand", ("Q", 0, 1, -2))
    expect(here.cell("S", 0, 1)).to_have_text("−1")
    expect_numbers(here, graph, "Q", "Kᵀ", "S")
    here.cell("S", 0, 1).click()
    here.wait_link(cell="none")


def test_a_key_is_edited_where_it_is_given(visit: Opener) -> None:
    """K of «Three tokens by hand» stands in the origins; Kᵀ follows at its transposed place."""
    here = visit("/Score?v=1&example=hand&edit=1&open=1")
    type_over(here, "K", 0, 1, "4").press("Enter")
    here.wait_link(edits="K:0,1=4.0")
    graph = edited("hand", ("K", 0, 1, 4))
    expect(here.cell("Kᵀ", 1, 0)).to_have_text("4")
    expect_numbers(here, graph, "K", "Kᵀ", "S")


def test_computed_cells_are_not_typed_over(visit: Opener) -> None:
    """In edit mode a click on S still pins it."""
    here = visit("/Score?v=1&edit=1&cell=none")
    here.cell("S", 0, 0).click()
    here.wait_link(cell="S:0,0")
    expect(here.cell("S", 0, 0).get_by_role("textbox")).to_have_count(0)


def test_an_input_offers_to_be_edited(visit: Opener) -> None:
    """From the derivation of an input one comes straight to its editor."""
    here = visit("/Score?v=1&cell=X:0,0&open=1")
    here.button("edit this number").click()
    typed = here.cell("X", 0, 0).get_by_role("textbox")
    expect(typed).to_be_focused()
    typed.fill("0")
    typed.press("Enter")
    here.wait_link(edits="X:0,0=0.0", edit="1")
    expect(here.cell("Q", 0, 0)).to_have_text("1")
