"""Words on pages lead to their entries in the glossary, and entries back to the pages."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from tests.browser.visit import PHONE, Opener, Visit


def entry(here: Visit, place: str) -> Locator:
    return here.page.locator(f"#{place}")


def expect_there(here: Visit, place: str) -> None:
    """The entry is in sight, and has the focus."""
    expect(entry(here, place)).to_be_in_viewport()
    expect(entry(here, place)).to_be_focused()


def test_a_term_leads_to_its_entry_without_a_reload_and_back(visit: Opener) -> None:
    here = visit("/Mask?v=1&example=cat")
    here.page.evaluate("window.same = true")
    here.page.locator("a.term", has_text="Padding").click()
    expect(here.page).to_have_url(re.compile(r"/Glossary\?v=1&example=cat#term-padding$"))
    expect_there(here, "term-padding")
    here.settle()
    here.page.wait_for_timeout(500)
    expect_there(here, "term-padding")
    assert here.page.evaluate("window.same")
    entry(here, "term-padding").get_by_role("link", name="Mask").click()
    expect(here.page).to_have_url(re.compile(r"/Mask\?v=1&example=cat$"))
    expect(here.page.locator("h1.question")).to_contain_text("Who may look at whom?")
    here.page.go_back()
    expect_there(here, "term-padding")
    here.expect_clean()


def test_an_entry_that_is_drawn_again_stays_in_sight(visit: Opener) -> None:
    here = visit("/Mask?v=1")
    here.page.locator("a.term", has_text="Padding").click()
    expect_there(here, "term-padding")
    # As when the app draws the page a second time, with more above.
    here.page.evaluate("""() => {
        const old = document.getElementById("term-padding");
        const more = document.createElement("dd");
        more.style.height = "9000px";
        old.before(more);
        old.replaceWith(old.cloneNode(true));
        document.querySelector(".stMain").scrollTo(0, 0);
    }""")
    expect_there(here, "term-padding")


def test_a_reader_who_scrolls_on_is_not_held_back(visit: Opener) -> None:
    here = visit("/?v=1")
    here.open("/Glossary?v=1#term-padding")
    expect_there(here, "term-padding")
    here.page.mouse.move(900, 400)
    here.page.mouse.wheel(0, -20000)
    expect(here.page.locator("h1.question")).to_be_in_viewport()
    here.page.evaluate("document.querySelector('.stMain').appendChild(document.createElement('p'))")
    here.page.wait_for_timeout(300)
    expect(here.page.locator("h1.question")).to_be_in_viewport()


def test_a_link_to_an_entry_opens_at_the_entry(visit: Opener) -> None:
    here = visit("/?v=1", size=PHONE)
    here.open("/Glossary?v=1#symbol-W_QK")
    expect_there(here, "symbol-W_QK")
    here.expect_clean()


def test_a_link_to_an_entry_that_is_not_there_opens_the_glossary(visit: Opener) -> None:
    here = visit("/?v=1")
    here.open("/Glossary?v=1#term-nonsense")
    expect(here.page.locator("h1.question")).to_be_in_viewport()
    here.expect_clean()


def test_a_term_can_be_followed_by_keyboard(visit: Opener) -> None:
    here = visit("/Score?v=1")
    here.tab_to("score")
    here.press("Enter")
    expect_there(here, "term-score")
