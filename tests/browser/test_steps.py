"""Step mode: the scores appear one at a time."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.patience import eventually
from tests.browser.visit import Opener, Visit


def shown(here: Visit) -> list[str]:
    """The numbers of S in reading order; empty where a cell is still to come."""
    return [text for row in here.numbers("S") for text in row]


def test_forward_and_back(visit: Opener) -> None:
    """One cell more or less, the newest one explained; what is to come shows nothing."""
    here = visit("/Score?v=1")
    here.button("step through").click()
    expect(here.board.locator(".count")).to_have_text("1 of 9")
    eventually(shown, here, gives=["1"] + [""] * 8)
    expect(here.line).to_have_text("SI, I = qI · kI = 2·0 + 0·1 + 1·1 = 1")
    here.button("step ▸").click()
    here.button("step ▸").click()
    expect(here.board.locator(".count")).to_have_text("3 of 9")
    eventually(shown, here, gives=["1", "5", "3"] + [""] * 6)
    expect(here.cell("S", 0, 2)).to_have_attribute("aria-selected", "true")
    here.wait_link(step="3", cell="S:0,2")
    here.button("◂ back").click()
    eventually(shown, here, gives=["1", "5"] + [""] * 7)
    expect(here.cell("S", 0, 1)).to_have_attribute("aria-selected", "true")
    here.wait_link(step="2")
    expect(here.cell("S", 2, 2)).to_have_attribute("aria-label", "query AI, key AI, not shown yet")
    here.button("all").click()
    here.wait_link(step=None)
    eventually(shown, here, gives=["1", "5", "3", "3", "3", "3", "?", "?", "?"])
    expect(here.button("step through")).to_be_visible()
    expect(here.button("step ▸")).to_be_hidden()


def test_the_step_stands_in_the_link(visit: Opener) -> None:
    """A link and a reload open at the same step; a hidden cell stays «?» when it is reached."""
    here = visit("/Score?v=1&step=7&cell=S:2,0")
    eventually(shown, here, gives=["1", "5", "3", "3", "3", "3", "?", "", ""])
    expect(here.board.locator(".count")).to_have_text("7 of 9")
    expect(here.line).to_have_text("SAI, I = qAI · kI = 1·0 + 1·1 + 1·1 = ?")
    here.button("◂ back").click()
    here.wait_link(step="6")
    here.reload()
    eventually(shown, here, gives=["1", "5", "3", "3", "3", "3", "", "", ""])
    expect(here.cell("S", 1, 2)).to_have_attribute("aria-selected", "true")


def test_the_ends_are_ends(visit: Opener) -> None:
    """No step before the first and none after the last; the buttons say so."""
    here = visit("/Score?v=1&step=9&cell=S:2,2")
    expect(here.button("step ▸")).to_have_attribute("aria-disabled", "true")
    here.button("step ▸").dispatch_event("click")
    expect(here.board.locator(".count")).to_have_text("9 of 9")
    first = visit("/Score?v=1&step=1&cell=S:0,0")
    expect(first.button("◂ back")).to_have_attribute("aria-disabled", "true")
    first.button("◂ back").dispatch_event("click")
    expect(first.board.locator(".count")).to_have_text("1 of 9")


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_play_goes_on_by_itself_and_stops_at_any_act(visit: Opener, motion: str) -> None:
    """Pause stops it, so does a click on a cell; with reduced motion nothing moves or fades."""
    here = visit("/Score?v=1", motion=motion)
    here.button("step through").click()
    here.page.clock.install()
    here.button("play").click()
    expect(here.button("pause")).to_be_visible()
    here.page.clock.run_for(2600)
    expect(here.board.locator(".count")).to_have_text("4 of 9")
    moving = here.cell("S", 0, 0).evaluate(
        "e => [getComputedStyle(e).transitionDuration, getComputedStyle(e).animationName]"
    )
    assert (moving == ["0s", "none"]) == (motion == "reduce")
    here.button("pause").click()
    here.page.clock.run_for(5000)
    expect(here.board.locator(".count")).to_have_text("4 of 9")
    here.wait_link(step="4", cell="S:1,0")
    here.button("play").click()
    here.page.clock.run_for(1300)
    here.cell("Q", 0, 0).click()
    expect(here.button("play")).to_be_visible()
    count = here.board.locator(".count").text_content() or ""
    here.page.clock.run_for(5000)
    expect(here.board.locator(".count")).to_have_text(count)


def test_play_stops_at_the_end_and_starts_anew(visit: Opener) -> None:
    """The link then says the last step."""
    here = visit("/Score?v=1&step=8&cell=S:2,1")
    here.page.clock.install()
    here.button("play").click()
    here.page.clock.run_for(4000)
    expect(here.button("play")).to_be_visible()
    expect(here.board.locator(".count")).to_have_text("9 of 9")
    here.wait_link(step="9")
    here.button("play").click()
    expect(here.board.locator(".count")).to_have_text("1 of 9")


def test_a_mask_and_other_numbers_keep_step_mode_going(visit: Opener) -> None:
    """Another mask while stepping keeps the step: the place on the board still means something."""
    here = visit("/Score?v=1&step=4&cell=S:1,0&mask=causal&example=cat")
    expect(here.board.locator(".count")).to_have_text("4 of 16")
    here.page.get_by_role("switch", name="Mark the largest for each query").check(force=True)
    here.wait_link(largest="1", step="4", cell="S:1,0")
    expect(here.board.locator(".count")).to_have_text("4 of 16")
