"""State is the link: it opens, copies, reloads and travels, and a bad one is named."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from attention_core import toy_inputs
from attention_core.rounding import show
from tests.browser.patience import eventually
from tests.browser.serving import free_port, serve
from tests.browser.visit import Opener, Visit

DEEP = (
    "/Score?v=1&text=a+cat+or+a+dog&seed=7&d_model=3&d_k=2&d_v=2&mask=causal&decimals=2"
    "&largest=1&edits=X:0,1%3D2.5&cell=S:1,0&seen=S:4,0&step=21&open=1&example=own"
)


def expect_deep(here: Visit) -> None:
    """All that the deep link says stands on the screen."""
    inputs = toy_inputs(("a", "cat", "or", "a", "dog"), 7, 3, 2, 2)
    X = inputs.given["X"].copy()
    X[0, 1] = 2.5
    S = (X @ inputs.given["W_Q"]) @ (X @ inputs.given["W_K"]).T
    texts = [[show(x, 2).text for x in row] for row in S.tolist()]
    texts[4][1:] = [""] * 4
    eventually(here.numbers, "S", gives=texts)
    eventually(here.column_labels, "S", gives=["a", "cat", "or", "a", "dog"])
    assert here.grid("W_Q").is_visible()
    assert here.cell("S", 1, 0).get_attribute("aria-selected") == "true"
    assert "blocked" in (here.cell("S", 0, 4).get_attribute("aria-label") or "")
    spoken = here.every("aria-label")
    largest = {f"S:1,{j}" for j in range(5) if S[1, j] == S[1].max()}
    assert {ref for ref in spoken if ref[:4] == "S:1," and "largest" in spoken[ref]} == largest
    expect(here.board.locator(".count")).to_have_text("21 of 25")
    expect(here.line).to_contain_text("Scat, a")
    sidebar = here.page.get_by_test_id("stSidebar")
    expect(sidebar.get_by_role("textbox", name="sentence")).to_have_value("a cat or a dog")
    expect(sidebar.get_by_role("slider", name="d_k")).to_have_value("2")
    expect(here.notices).to_have_count(0)


def test_a_deep_link_opens_on_a_fresh_server_and_is_copied_whole(
    fresh_url: str, load: Opener
) -> None:
    """A server that has seen nobody shows this screen, and so does the link copied from it."""
    here = load(DEEP, root=fresh_url)
    expect_deep(here)
    link = copied_link(here)
    assert link.startswith(fresh_url + "/Score?")
    expect_deep(load(link.removeprefix(fresh_url), root=fresh_url))


def copied_link(here: Visit) -> str:
    """What «copy link» puts on the clipboard."""
    here.button("copy link").click()
    expect(here.live).to_have_text("Copied the link")
    return str(here.page.evaluate("navigator.clipboard.readText()"))


@pytest.mark.parametrize("pin", ["S:0,1", "S:1,2"])
def test_the_copied_link_reproduces_the_pinned_cell(load: Opener, pin: str) -> None:
    """Also when it is the cell that the page pins of its own accord."""
    here = load("/Score?v=1&cell=S:0,0&example=love")
    _, row, col = re.split("[:,]", pin)
    here.cell("S", int(row), int(col)).click()
    there = load(copied_link(here).removeprefix(here.root))
    eventually(there.every, "aria-selected", gives=here.every("aria-selected"))
    eventually(there.numbers, "S", gives=here.numbers("S"))


def test_back_and_forward_restore_cell_and_settings(load: Opener) -> None:
    """The browser's buttons undo and redo what one did."""
    here = load("/Score?v=1&cell=S:0,0")
    here.cell("S", 0, 2).click()
    here.wait_link(cell="S:0,2")
    here.page.get_by_role("switch", name="Mark the largest").check(force=True)
    here.wait_link(largest="1", cell="S:0,2")
    expect(here.cell("S", 0, 1)).to_have_attribute("aria-label", re.compile("largest"))
    here.page.go_back()
    here.wait_link(largest=None, cell="S:0,2")
    expect(here.cell("S", 0, 1)).not_to_have_attribute("aria-label", re.compile("largest"))
    expect(here.page.get_by_role("switch", name="Mark the largest")).not_to_be_checked()
    expect(here.cell("S", 0, 2)).to_have_attribute("aria-selected", "true")
    here.page.go_back()
    expect(here.cell("S", 0, 0)).to_have_attribute("aria-selected", "true")
    here.page.go_forward()
    expect(here.cell("S", 0, 2)).to_have_attribute("aria-selected", "true")
    here.page.go_forward()
    expect(here.cell("S", 0, 1)).to_have_attribute("aria-label", re.compile("largest"))


def choose(here: Visit, label: str, option: str) -> None:
    """Choose one of several."""
    here.page.get_by_role("radiogroup", name=label).get_by_text(option).click()


def slide(here: Visit, name: str, key: str) -> None:
    """Move a slider by a key."""
    here.page.get_by_role("slider", name=name).press(key)


def test_the_sidebar_changes_link_and_board(load: Opener) -> None:
    """Example, d_k, mask, decimals, marks, and a sentence of one's own."""
    # A mask is set elsewhere; where there is one it can be changed on every page.
    here = load("/Score?v=1&mask=padding")
    choose(here, "Example", "The cat sat down")
    here.wait_link(example="cat")
    expect(here.grid("S").get_by_role("columnheader")).to_have_text(["The", "cat", "sat", "down"])
    slide(here, "d_k", "ArrowLeft")
    here.wait_link(example="cat", d_k="3")
    expect(here.grid("Q").get_by_role("columnheader")).to_have_count(3)
    choose(here, "Mask", "causal")
    here.wait_link(example="cat", d_k="3", mask="causal")
    expect(here.cell("S", 0, 3)).to_have_attribute("aria-label", re.compile("blocked"))
    slide(here, "Decimals", "ArrowLeft")
    here.wait_link(mask="causal", decimals="2")
    here.page.get_by_role("switch", name="Mark the largest").check(force=True)
    here.wait_link(example="cat", d_k="3", mask="causal", decimals="2", largest="1")
    expect(here.cell("S", 1, 0)).to_have_attribute("aria-label", re.compile("^query cat, key The"))
    sentence = here.page.get_by_role("textbox", name="sentence")
    sentence.fill("my own words here")
    sentence.press("Enter")
    here.wait_link(example="own", text="my own words here", mask="causal", d_k=None)
    expect(here.grid("S").get_by_role("columnheader")).to_have_text(["my", "own", "words", "here"])
    expect(here.notices).to_have_count(0)
    here.reload()
    eventually(here.column_labels, "S", gives=["my", "own", "words", "here"])


def test_navigation_carries_the_query(load: Opener) -> None:
    """From Start to Score and back the settings stay, also those of one's own sentence."""
    query = "v=1&example=own&text=two+words&mask=causal&decimals=2"
    here = load(f"/?{query}")
    here.page.get_by_test_id("stSidebar").get_by_role("link", name="Score").click()
    expect(here.grid("S")).to_be_visible()
    here.wait_link(text="two words", mask="causal", decimals="2")
    eventually(here.column_labels, "S", gives=["two", "words"])
    here.page.get_by_role("link", name="Start").first.click()
    expect(here.page.locator("h1.question")).to_have_text(
        "What does each word take from the others?"
    )
    here.wait_link(text="two words", mask="causal", decimals="2")
    here.page.get_by_test_id("stMain").get_by_role("link", name="I love AI").click()
    expect(here.grid("X")).to_be_visible()
    here.wait_link(example=None, mask="causal", decimals="2")
    eventually(here.column_labels, "A", gives=["I", "love", "AI"])
    assert here.page.evaluate("performance.getEntriesByType('navigation').length") == 1


def test_a_new_page_is_read_from_its_heading(load: Opener) -> None:
    """Menu, foot and page: the focus comes to the heading, without a jump or an outline."""
    here = load("/Score?v=1")
    heading = here.page.locator("h1.question")
    for link in (
        here.page.get_by_test_id("stSidebar").get_by_role("link", name="Mix"),
        here.page.locator("nav.turn a").last,
        here.page.get_by_role("link", name="Start").first,
        here.page.locator("ol.course a").first,
    ):
        before = heading.text_content() or ""
        link.focus()
        here.press("Enter")
        expect(heading).not_to_have_text(before)
        expect(heading).to_be_focused()
        assert heading.evaluate("e => getComputedStyle(e).outlineStyle") == "none"
        assert here.page.locator("[data-testid=stMain]").evaluate("e => e.scrollTop") == 0


def test_who_has_gone_on_meanwhile_keeps_the_focus_there(load: Opener) -> None:
    """Nobody is torn away from something else when the page comes late."""
    here = load("/Score?v=1")
    here.page.evaluate(
        """() => {
          const links = [...document.querySelectorAll("a[data-go]")];
          links.find(link => link.textContent.includes("Mix")).click();
          document.querySelector("[data-testid=stMainMenu] button").focus();
        }"""
    )
    expect(here.page).to_have_url(re.compile("/Mix"))
    expect(here.grid("O")).to_be_visible()
    expect(here.page.get_by_test_id("stMainMenu").get_by_role("button")).to_be_focused()


def test_on_the_same_page_the_focus_stays_on_the_link(load: Opener) -> None:
    """A preset changes the numbers: the link is drawn anew, and so has the focus again."""
    here = load("/Playground?v=1")
    for name, text in (("A sentence of your own", None), ("One word, four times", "no no no no")):
        link = here.page.locator(".presets").get_by_role("link", name=name)
        link.focus()
        here.press("Enter")
        here.wait_link(example="own", text=text)
        here.settle()
        expect(link).to_be_focused()


def test_where_the_link_is_gone_the_focus_goes_to_what_came_for_it(load: Opener) -> None:
    """The link in its place, or the heading of what is asked now; never nowhere."""
    here = load("/Playground?v=1")
    for name, then in (("Freeze these numbers", "Unfreeze"), ("Unfreeze", "Freeze these numbers")):
        here.page.get_by_role("link", name=name).focus()
        here.press("Enter")
        expect(here.page.get_by_role("link", name=then)).to_be_focused()
    here = load("/Misconceptions?v=1&claim=thinks")
    for name in ("Next: ", "Q, K and V are the"):
        before = here.page.locator("h1.question").text_content() or ""
        here.page.get_by_role("link", name=name).first.focus()
        here.press("Enter")
        expect(here.page.locator("h1.question")).not_to_have_text(before)
        expect(here.page.locator("h1.question")).to_be_focused()
    here = load("/Misconceptions?v=1&claim=order&positions=1")
    here.page.get_by_role("link", name="Use settings that show it").focus()
    here.press("Enter")
    expect(here.page.locator("h1.question")).to_be_focused()


def test_who_comes_back_finds_the_place_that_was_left(load: Opener) -> None:
    """Score, Start, Score: the answered row stays open, and the link says so."""
    here = load("/Score?v=1")
    here.button("show me").click()
    here.wait_link(seen="S:2")
    here.page.get_by_role("link", name="Start").first.click()
    expect(here.page.locator("h1.question")).to_have_text(
        "What does each word take from the others?"
    )
    here.page.get_by_test_id("stSidebar").get_by_role("link", name="Score").click()
    here.wait()
    here.wait_link(cell=None, seen="S:2")
    expect(here.cell("S", 2, 1)).to_have_text("4")
    expect(here.cell("S", 2, 1)).to_have_attribute("aria-selected", "true")


def test_a_typed_sentence_survives_a_click_on_the_board(load: Opener) -> None:
    """Nobody presses Enter: the sentence is taken up, and the cell that was clicked is pinned."""
    here = load("/Score?v=1")
    here.page.get_by_role("textbox", name="Sentence").fill("dogs chase cats")
    here.cell("S", 1, 1).click()
    here.wait_link(example="own", text="dogs chase cats", cell="S:1,1")
    expect(here.grid("S").get_by_role("columnheader").first).to_have_text("dogs")
    expect(here.page.get_by_role("textbox", name="Sentence")).to_have_value("dogs chase cats")


def test_a_server_that_dies_loses_nothing(load: Opener) -> None:
    """The server is restarted under an open page: the next pin and the next edit still arrive."""
    port = free_port()
    server = serve(port)
    try:
        here = load("/Score?v=1&mask=causal&edit=1&open=1", root=f"http://localhost:{port}")
        server.kill()
        server.wait(timeout=20)
        server = serve(port)
        here.cell("X", 0, 0).click()
        here.page.keyboard.type("7")
        here.page.keyboard.press("Enter")
        here.page.wait_for_url(lambda url: "edits=X%3A0%2C0%3D7" in url, timeout=60_000)
        here.wait()
        expect(here.cell("X", 0, 0)).to_have_text("7")
        here.wait_link(mask="causal", edit="1", open="1")
        here.page.close()
        here.errors.clear()  # the browser's own, about a server that was away
    finally:
        server.terminate()
        server.wait(timeout=20)


def test_without_a_clipboard_the_text_is_offered(load: Opener) -> None:
    """On plain http in a classroom nothing can be copied: the link stands there, selected."""
    here = load("/Score?v=1&cell=S:1,2")
    here.page.evaluate(
        "Object.defineProperty(navigator, 'clipboard', {value: undefined});"
        "document.execCommand = () => false"
    )
    here.button("copy link").click()
    field = here.board.get_by_role("textbox", name="Text to copy")
    expect(field).to_be_visible()
    assert "cell=S" in field.input_value()
    selected = field.evaluate("e => e.value.slice(e.selectionStart, e.selectionEnd)")
    assert selected == field.input_value()
    expect(here.live).to_contain_text("Could not copy")
