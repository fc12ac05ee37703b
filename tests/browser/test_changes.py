"""What changed: new numbers are told in one line, and flash once."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.visit import DESKTOP, PHONE, Opener, Visit

OWN = "/Project?v=1&example=own&text=the+cat+sat"
# The cells that flash now: an animation that is no transition.
FLASHING = """board => [...board.querySelectorAll(".cell")]
  .filter(cell => cell.getAnimations().some(a => !(a instanceof CSSTransition)))
  .map(cell => cell.ariaLabel)"""


def changes(here: Visit) -> Locator:
    return here.board.locator(".changes")


def say(here: Visit, sentence: str) -> None:
    """Type another sentence."""
    field = here.page.get_by_label("Sentence: type your own")
    field.fill(sentence)
    field.press("Enter")


def test_a_word_changes_activations_and_no_parameters(visit: Opener) -> None:
    """Nothing at first; then what changed and what stayed, written and spoken, without a jump."""
    here = visit(OWN)
    expect(changes(here)).to_be_empty()
    before = here.board.locator(".tools").evaluate("e => e.offsetTop + e.offsetHeight")
    say(here, "the dog sat")
    expect(changes(here)).to_have_text("Changed: X, Q, K, V, KT, S · Stayed: WQ, WK, WV")
    expect(here.live).to_have_text("Changed: X, Q, K, V, Kᵀ, S. Stayed: W_Q, W_K, W_V.")
    assert here.board.locator(".tools").evaluate("e => e.offsetTop + e.offsetHeight") == before, (
        "its place was kept"
    )
    here.cell("K", 0, 0).click()
    here.wait_link(cell="K:0,0")
    expect(changes(here)).to_contain_text("Changed: X, Q", use_inner_text=False)


def test_the_cells_that_changed_flash_and_no_others(visit: Opener) -> None:
    """Only what belongs to the new word, and nothing that is still asked for."""
    here = visit(OWN)
    say(here, "the cat ran")
    expect(changes(here)).not_to_be_empty()
    flashing = here.evaluate(FLASHING)
    assert any(name.startswith("key ran") for name in flashing)
    assert all("ran" in name for name in flashing)
    assert not any("hidden" in name for name in flashing)
    here.page.wait_for_timeout(1600)
    assert here.evaluate(FLASHING) == []


def test_nothing_moves_for_who_asked_for_that(visit: Opener) -> None:
    """With reduced motion the line says it, and nothing flashes."""
    here = visit(OWN, motion="reduce")
    say(here, "the dog sat")
    expect(changes(here)).to_contain_text("Changed: X")
    assert here.evaluate(FLASHING) == []


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=str)
def test_an_edit_tells_what_follows_from_it(visit: Opener, size: tuple[int, int]) -> None:
    """One number of W_V changes V, and neither queries nor scores; and nothing jumps."""
    # With an edit already: the button that takes edits back is there.
    here = visit("/Project?v=1&edit=1&cell=none&edits=W_V:1,1=2", size=size)
    before = here.board.locator(".tools").evaluate("e => e.offsetTop + e.offsetHeight")
    here.cell("W_V", 0, 0).click()
    here.page.keyboard.type("7")
    here.press("Enter")
    expect(changes(here)).to_have_text("Changed: WV, V · Stayed: X, WQ, WK, Q, K, KT, S")
    assert here.board.locator(".tools").evaluate("e => e.offsetTop + e.offsetHeight") == before


@pytest.mark.parametrize("change", ["decimals", "largest", "maths"])
def test_what_is_only_shown_otherwise_has_not_changed(visit: Opener, change: str) -> None:
    """Other decimals, marks, an opened panel: the numbers are the same."""
    here = visit("/Softmax?v=1")
    if change == "decimals":
        here.page.get_by_role("slider", name="Decimals").press("ArrowLeft")
        expect(here.cell("S_masked", 0, 0)).to_have_text("0.58")
    elif change == "largest":
        here.page.get_by_text("Mark the largest for each query").click()
        here.wait_link(largest="1")
        expect(here.cell("S_masked", 0, 1)).to_have_class("cell marked")
    else:
        here.page.get_by_text("The maths", exact=True).click()
        here.wait_link(maths="1")
    expect(changes(here)).to_be_empty()
