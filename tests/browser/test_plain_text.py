"""Tokens that look like Markdown or HTML show as they are, and load nothing."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from tests.browser.visit import Opener

MARKDOWN = (
    "![](//evil.test/x.png)",
    "[go](//evil.test/)",
    "**z**",
    ":smile:",
    "$x$",
    ":material/home:",
    ":red[r]",
    "www.evil.test",
    "&amp;",
)
HTML = ("<b>x</b>", "a<br>b", "&amp;", "<img/src=//evil.test/x.png>")


@pytest.mark.parametrize("path", ["/Blend?told=1", "/Sharpen?v=1"])
def test_a_choice_of_tokens_shows_them_word_for_word(visit: Opener, path: str) -> None:
    here = visit(f"{path}&text={quote(' '.join(MARKDOWN))}")
    box = here.page.get_by_role("combobox").first
    box.click()
    options = here.page.get_by_role("option")
    expect(options).to_have_text(list(MARKDOWN))
    here.press("Escape")
    here.settle()
    outside = here.page.locator("a:not([data-go])[href*='evil'], img[src*='evil']")
    expect(outside).to_have_count(0)
    here.expect_clean()  # no request went out


def test_a_chart_shows_tokens_word_for_word(visit: Opener) -> None:
    here = visit(f"/Blend?told=1&d_v=2&seed=3&text={quote(' '.join(HTML))}")
    here.page.locator(".chart .js-plotly-plot").wait_for()
    here.settle()
    texts = here.page.locator(".chart .textpoint text").all_text_contents()
    named = [f"«{token}»" for token in HTML[:3]] + [f"«{HTML[3][:13]}…»"]
    assert sorted(filter(None, texts)) == sorted(named)
    here.expect_clean()


def test_what_you_saw_waits_for_the_answer(visit: Opener) -> None:
    for path, answer, story in (
        ("/Blend?v=1", "To the value of «I», and no further", "What you saw"),
        ("/Root?v=1", "It doubles", "What you saw"),
        ("/Masks?v=1&mask=causal", "Less than 1", "Too late"),
    ):
        here = visit(path)
        heading = here.page.get_by_role("heading", name=story)
        button = here.page.get_by_role("button", name=answer)
        button.wait_for()
        expect(heading).to_have_count(0)
        button.click()
        expect(heading).to_be_visible()
        here.expect_clean()


def test_no_bracket_tells_the_sign_of_a_hidden_number(visit: Opener) -> None:
    """A negative factor stands in brackets. While it is hidden, it stands without."""
    here = visit("/Gradients?v=1&example=cat&mask=causal&whose=1&aim=2&cell=dQ:1,0")
    expect(here.line).to_contain_text("?")
    expect(here.line).not_to_contain_text("(?)")
    here.ask.get_by_role("button", name="show me").click()
    expect(here.line).to_contain_text("(−")
