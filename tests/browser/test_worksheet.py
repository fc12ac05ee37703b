"""The worksheet on paper: as a file from the disk, and printed from the page."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.browser.visit import PHONE, Opener

# Between margins of 15 mm, at 96 pixels an inch: the narrower of A4 and Letter.
PAPER = int((210 - 30) / 25.4 * 96)
# Long words, wide letters, and a script whose letters are twice as wide.
LONG = "one two three 今日はとてもいい天 MMMMMMMMM ミミミミミミ W@W@W@W internationalization a b"
LARGE = f"text={LONG}&d_model=8&d_k=8&d_v=8&mask=causal&decimals=4&answers=1"


def reach(page: Page) -> int:
    """How far to the right something is drawn."""
    rights = "[...document.querySelectorAll('.sheet *')].map(e => e.getBoundingClientRect().right)"
    return int(page.evaluate(f"Math.max(...{rights})"))


def test_the_file_opens_from_the_disk_and_asks_for_nothing(
    visit: Opener, browser: Browser, tmp_path: Path
) -> None:
    here = visit(f"/Worksheet?v=1&{LARGE}")
    with here.page.expect_download() as download:
        here.page.get_by_role("button", name="Download as one file").click()
    file = tmp_path / download.value.suggested_filename
    assert file.name == "worksheet-with-key.html"
    download.value.save_as(file)
    context = browser.new_context(viewport={"width": PHONE[0], "height": PHONE[1]})
    page, asked = context.new_page(), list[str]()
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    expect(page.get_by_role("heading", level=1)).to_have_text(["Attention by hand", "Answer key"])
    assert asked == [file.as_uri()]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": PAPER, "height": 900})
    assert reach(page) <= PAPER
    context.close()


def test_only_the_paper_is_printed_from_the_page(visit: Opener) -> None:
    here = visit("/Worksheet?v=1&answers=1")
    here.page.emulate_media(media="print")
    for part in (here.page.locator("h1.question"), here.page.get_by_text("Empty cells").first):
        expect(part).to_be_hidden()
    for title in ("Attention by hand", "Answer key"):
        expect(here.page.get_by_role("heading", name=title)).to_be_visible()
    top = here.page.locator(".sheet").first.evaluate("e => e.getBoundingClientRect().top")
    assert top == 0, "empty space above the paper"
    key = here.page.locator(".sheet.key")
    assert key.evaluate("e => getComputedStyle(e).breakBefore") == "page"
