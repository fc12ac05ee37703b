"""Walking through the course with the dock: page by page, cell by cell, by buttons and by keys."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.patience import eventually
from tests.browser.visit import DESKTOP, PHONE, Opener, Visit
from ui.pages import COURSE

TITLES = [page.title for page in COURSE]


def dock(here: Visit) -> Locator:
    """The bar at the bottom of the window."""
    return here.page.get_by_role("navigation", name="Walk through the course")


def press(here: Visit, name: str) -> None:
    """Press one of the dock's buttons."""
    dock(here).get_by_role("button", name=name).click()


def expect_at(here: Visit, step: int, cells: str = "") -> None:
    """The dock says so, the page is that one, and its board stands there."""
    place = dock(here).locator(".place")
    expect(place).to_have_text(f"step {step} of 8: {TITLES[step - 1]} {cells}".strip())
    expect(here.page.locator(".formula .step")).to_have_text(f"step {step} of 8")
    expect(here.page).to_have_url(re.compile(rf"/{TITLES[step - 1]}\?"))


def shown(here: Visit, matrix: str) -> list[str]:
    """The numbers of a matrix in reading order; empty where a cell is still to come."""
    return [text for row in here.numbers(matrix) for text in row]


def test_only_who_walks_has_a_dock(visit: Opener) -> None:
    """Without it the arrows stay the browser's."""
    here = visit("/Score?v=1")
    expect(dock(here)).to_have_count(0)
    here.press("ArrowRight")
    here.page.wait_for_timeout(500)
    assert "/Score?" in here.page.url
    here.open("/Score?v=1&walk=pages")
    expect_at(here, 3)


def test_eight_pages_one_after_the_other_without_a_reload(visit: Opener) -> None:
    """Focus and settings go along, every page starts at its top and is named; the end is one."""
    here = visit("/Embed?v=1&walk=pages&example=cat&decimals=2")
    here.page.evaluate("window.stillThere = true")
    main = here.page.locator("[data-testid=stMain]")
    for step in range(1, 9):
        expect_at(here, step)
        name = "next ▸" if step < 8 else "finish ▸"
        if step > 1:
            eventually(here.focused, gives=name)
            expect(here.live).to_have_text(f"step {step} of 8: {TITLES[step - 1]}")
            assert main.evaluate("e => e.scrollTop") == 0
        main.evaluate("e => e.scrollTo(0, 400)")
        press(here, name)
    expect(here.page.locator("h1.question")).to_have_text("What happens if …?")
    expect(here.page.locator("h1.question")).to_be_focused()
    expect(dock(here)).to_have_count(0)
    assert here.page.evaluate("window.stillThere"), "a page was loaded anew"
    eventually(here.query, gives={"v": "1", "example": "cat", "decimals": "2"})
    here.page.go_back()
    expect_at(here, 8)
    press(here, "back")
    expect_at(here, 7)
    eventually(here.focused, gives="◂ back")
    here.page.go_back()
    expect_at(here, 8)


def test_cell_by_cell_and_then_the_next_page(visit: Opener) -> None:
    """Each «next» shows one cell more, hidden ones stay hidden, the next page starts with none."""
    here = visit("/Score?v=1&walk=cells&step=0")
    expect_at(here, 3, "9 cells")
    eventually(shown, here, "S", gives=[""] * 9)
    expect(here.why).to_contain_text("Choose a cell")
    for count in range(1, 10):
        press(here, "next")
        expect_at(here, 3, f"cell {count} of 9")
        eventually(here.focused, gives="next ▸")
    eventually(shown, here, "S", gives=["1", "5", "3", "3", "3", "3", "?", "?", "?"])
    expect(here.ask.get_by_role("textbox")).to_be_visible()
    here.wait_link(step="9", cell="S:2,2", seen=None)
    press(here, "next")
    expect_at(here, 4, "9 cells")
    eventually(shown, here, "S_scaled", gives=[""] * 9)
    here.wait_link(step="0", walk="cells")


def test_where_all_cells_are_shown_back_begins_at_the_last(visit: Opener) -> None:
    """It is as if one had walked through all of them; also on the first page."""
    here = visit("/Embed?v=1&walk=cells")
    expect_at(here, 1)
    expect(dock(here).get_by_role("button", name="back")).not_to_have_attribute(
        "aria-disabled", "true"
    )
    press(here, "back")
    expect_at(here, 1, "cell 8 of 9")
    here.open("/Whole?v=1&walk=cells")
    here.page.locator("h1.question").click()
    expect(dock(here).get_by_role("button", name="finish")).to_be_visible()
    here.press("ArrowLeft")
    expect_at(here, 8, "cell 8 of 9")
    press(here, "next")
    expect_at(here, 8, "cell 9 of 9")
    press(here, "finish")
    expect(here.page).to_have_url(re.compile("/Playground"))


def test_escape_leads_out_of_a_matrix(visit: Opener) -> None:
    """There the arrows move; once nothing is kept or pinned, Esc leads to the dock."""
    here = visit("/Score?v=1&walk=pages&cell=none")
    here.cell("S", 0, 0).click()
    here.wait_link(cell="S:0,0")
    here.press("ArrowRight")
    expect(here.cell("S", 0, 1)).to_be_focused()
    here.press("Escape")
    here.wait_link(cell="none")
    expect(here.cell("S", 0, 1)).to_be_focused()
    here.press("Escape")
    eventually(here.focused, gives="next ▸")
    expect(dock(here)).to_have_attribute("title", re.compile("in a matrix, press Esc first"))
    here.press("ArrowRight")
    expect_at(here, 4)


def test_back_goes_the_same_way(visit: Opener) -> None:
    """Cell by cell to none, then to the page before."""
    here = visit("/Scale?v=1&walk=cells&step=2&cell=S_scaled:0,1")
    expect_at(here, 4, "cell 2 of 9")
    press(here, "back")
    expect_at(here, 4, "cell 1 of 9")
    press(here, "back")
    expect_at(here, 4, "9 cells")
    here.wait_link(step="0")
    here.reload()
    expect_at(here, 4, "9 cells")
    press(here, "back")
    expect(dock(here).locator(".place")).to_contain_text("step 3 of 8: Score")
    first = visit("/Embed?v=1&walk=pages")
    back = dock(first).get_by_role("button", name="back")
    expect(back).to_have_attribute("aria-disabled", "true")
    back.dispatch_event("click")
    first.page.wait_for_timeout(300)
    expect_at(first, 1)


@pytest.mark.parametrize(
    ("onward", "backward"), [("ArrowRight", "ArrowLeft"), ("PageDown", "PageUp")]
)
def test_arrows_and_a_clicker_do_the_same(visit: Opener, onward: str, backward: str) -> None:
    """Anywhere on the page; and each press does it once, also after some pages."""
    here = visit("/Score?v=1&walk=cells&step=8&cell=S:2,1")
    here.page.locator("h1.question").click()
    here.press(onward)
    expect_at(here, 3, "cell 9 of 9")
    here.press(onward)
    expect_at(here, 4, "9 cells")
    here.press(onward)
    expect_at(here, 4, "cell 1 of 9")
    here.press(backward)
    expect_at(here, 4, "9 cells")
    here.press(backward)
    expect_at(here, 3, "cell 9 of 9")
    here.press(backward)
    expect_at(here, 3, "cell 8 of 9")


def test_keys_that_belong_to_something_stay_its_own(visit: Opener) -> None:
    """In a matrix, a field, a slider, a group of radio buttons, and with modifiers."""
    here = visit("/Score?v=1&walk=pages")
    owners = {
        "a matrix": here.cell("S", 0, 0),
        "a field": here.ask.get_by_role("textbox"),
        "a slider": here.page.get_by_role("slider", name="d_k"),
        "a radio button": here.page.get_by_role("radio", name="I love AI"),
        "the sentence": here.page.get_by_role("textbox", name="Sentence"),
    }
    for owner in owners.values():
        owner.focus()
        here.press("PageUp")
    here.page.wait_for_timeout(400)  # the slider has moved, and tells it a moment later
    here.settle()
    here.cell("S", 0, 0).focus()
    here.press("ArrowRight")
    expect(here.cell("S", 0, 1)).to_be_focused()
    owners["a field"].fill("12")
    here.press("ArrowLeft", "3")
    expect(owners["a field"]).to_have_value("132")
    here.page.locator("h1.question").click()
    here.press("Shift+ArrowRight", "Control+ArrowRight", "Alt+PageDown")
    here.page.wait_for_timeout(600)
    expect_at(here, 3)
    here.press("ArrowRight")
    expect_at(here, 4)


def test_hurry_skips_nothing_and_loses_nothing(visit: Opener) -> None:
    """Thirty presses as quick as can be: cells in order, then pages in order, no stale link."""
    here = visit("/Score?v=1&walk=cells&step=7&cell=S:2,0")
    expect_at(here, 3, "cell 7 of 9")
    script = """() => {
      const key = () => new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true });
      for (let at = 0; at < 10; at += 1) document.body.dispatchEvent(key());
    }"""
    here.page.evaluate(script)
    expect_at(here, 4, "9 cells")
    here.wait_link(step="0", cell=None)
    here.page.wait_for_timeout(1000)
    expect_at(here, 4, "9 cells")
    eventually(here.query, gives={"v": "1", "walk": "cells", "step": "0"})
    here.page.evaluate(script)
    expect_at(here, 5, "9 cells")
    here.page.wait_for_timeout(1000)
    expect_at(here, 5, "9 cells")
    here.page.go_back()
    expect(dock(here).locator(".place")).to_contain_text("step 4 of 8")


def test_a_press_while_the_next_page_is_on_its_way_counts_for_nothing(visit: Opener) -> None:
    """What still stands there is the page that was left: nothing on it moves any more."""
    here = visit("/Score?v=1&walk=cells&step=9&cell=S:2,2")
    expect_at(here, 3, "cell 9 of 9")
    cells = here.page.evaluate(
        """() => {
          for (const key of ["ArrowRight", "ArrowLeft"]) {
            document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
          }
          const host = document.querySelector("[data-testid=stBidiComponentIsolated]");
          return host.shadowRoot.querySelector(".dock .place").textContent;
        }"""
    )
    assert cells == "step 3 of 8: Score cell 9 of 9"
    expect_at(here, 4, "9 cells")
    here.page.go_back()
    expect_at(here, 3, "cell 9 of 9")


def test_what_was_just_changed_goes_along(visit: Opener) -> None:
    """A mask clicked and «next» pressed at once: the next page has the mask."""
    here = visit("/Mask?v=1&walk=pages&cell=none")
    here.board.evaluate(
        """board => {
          const grid = board.querySelector("[role=grid][aria-label^='M,']");
          grid.querySelectorAll("[role=gridcell]")[1].click();
          board.getRootNode().querySelector(".dock .onward").click();
        }"""
    )
    expect_at(here, 6)
    here.wait_link(mask="custom", allow="101.111.111")
    expect(here.cell("A", 0, 1)).to_have_text("0")


def test_the_switch_and_the_way_out(visit: Opener) -> None:
    """Cell by cell on and off on the same page; closing ends the walk and keeps the place."""
    here = visit("/Scale?v=1&walk=pages&cell=A:1,1")
    switch = dock(here).get_by_role("switch", name="cell by cell")
    expect(switch).not_to_be_checked()
    switch.click()
    here.wait_link(walk="cells")
    expect(switch).to_be_checked()
    eventually(here.focused, gives="cell by cell")
    switch.click()
    here.wait_link(walk="pages")
    expect(switch).not_to_be_checked()
    press(here, "close")
    here.wait_link(walk=None)
    expect(dock(here)).to_have_count(0)
    eventually(lambda: here.focused().startswith("query"), gives=True)
    here.page.locator("h1.question").click()
    here.press("ArrowRight")
    here.page.wait_for_timeout(500)
    assert "/Scale?" in here.page.url


def test_by_keyboard_alone(visit: Opener) -> None:
    """The dock is reached by Tab, and Enter and Space press."""
    here = visit("/Score?v=1&walk=pages")
    here.page.locator("h1.question").click()
    here.tab_to("next ▸", limit=120)
    here.press("Enter")
    expect_at(here, 4)
    eventually(here.focused, gives="next ▸")
    here.press("Space")
    expect_at(here, 5)


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_what_has_the_focus_is_not_under_it(visit: Opener, size: tuple[int, int]) -> None:
    """Tab through the page: everything comes to stand above the dock, or is a part of it."""
    here = visit("/Mix?v=1&walk=pages", size=size)
    here.page.locator("h1.question").click()
    top = (dock(here).bounding_box() or {"y": 0})["y"]
    where = """() => {
      let el = document.activeElement;
      while (el?.shadowRoot?.activeElement) el = el.shadowRoot.activeElement;
      const isOwn = el.closest(".dock, [data-testid=stSidebar], header") || el === document.body;
      return isOwn ? null : el.getBoundingClientRect().bottom;
    }"""
    seen = []
    for _ in range(30):
        here.press("Tab")
        bottom = here.page.evaluate(where)
        if bottom is not None:
            seen.append(bottom)
    assert len(seen) > 10
    assert max(seen) <= top


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_it_covers_nothing_for_good(visit: Opener, size: tuple[int, int]) -> None:
    """It stays inside the window, and the page's last line can be scrolled above it."""
    here = visit("/Whole?v=1&walk=cells&step=0", size=size)
    box = dock(here).bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= size[0]
    assert size[1] - 30 < box["y"] + box["height"] <= size[1]
    here.page.locator("[data-testid=stMain]").evaluate("e => e.scrollTo(0, e.scrollHeight)")
    last = here.page.locator("[data-testid=stMainBlockContainer] a[data-go]").last.bounding_box()
    assert last is not None
    assert last["y"] + last["height"] <= box["y"]
    after = dock(here).bounding_box()
    assert after == box, "it does not scroll away"
    for part in dock(here).get_by_role("button").all():
        inside = part.bounding_box()
        assert inside is not None
        assert inside["height"] >= 24
        assert inside["x"] >= box["x"]
        assert inside["x"] + inside["width"] <= box["x"] + box["width"]


def test_it_is_not_printed(visit: Opener) -> None:
    """And leaves no gap on paper."""
    here = visit("/Score?v=1&walk=pages")
    room = "e => getComputedStyle(e).paddingBottom"
    block = here.page.locator("[data-testid=stMainBlockContainer]")
    assert block.evaluate(room) == "144px"
    here.page.emulate_media(media="print")
    expect(dock(here)).to_be_hidden()
    assert block.evaluate(room) == "0px"
