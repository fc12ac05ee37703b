"""Sentences that would hurt a page that reads them: they show word for word."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from attention_core import tokenize
from tests.browser.patience import eventually
from tests.browser.visit import Opener

# A sentence, and what a notice must say about it ("" where nothing is cut).
SENTENCES = {
    "html": ("<b>x</b> <img src=x onerror=alert(1)>", ""),
    "latex": (r"$x$ \frac{1}{2} `code` ~~no~~ &amp; a_b_c", ""),
    "markdown": ("**bold** :smile: [a](javascript:alert(1)) # h", ""),
    "emoji": ("👨‍👩‍👧‍👦 👍🏽 🇩🇪 é", ""),
    "right to left": ("مرحبا بالعالم שלום עולם abc", ""),
    "numbers": ("1 2024-01-01 nan inf None -0 1e5 true", ""),
    "repeated": ("the the the", ""),
    "names of objects": ("__proto__ constructor toString length", ""),
    "one long word": ("a" * 300, "cut to 24 characters"),
    "10,000 characters": ("x" * 10_000, "10000 characters"),
    "no spaces": ("我喜欢人工智能", "no spaces"),
    "40 words": (" ".join(f"w{i}" for i in range(40)), "40 tokens"),
    "quotes": ("\"quotes\" 'single' \\back\\slash\\ ; = & + % #", ""),
}


@pytest.mark.parametrize("kind", SENTENCES)
def test_any_sentence_shows_word_for_word(visit: Opener, kind: str) -> None:
    """In the headings of the matrices, unread as markup; what is shortened is said."""
    sentence, said = SENTENCES[kind]
    here = visit(f"/Score?v=1&example=own&text={quote(sentence)}&cell=S:0,0")
    tokens = list(tokenize(sentence[:400]).tokens)
    eventually(here.column_labels, "S", gives=tokens)
    eventually(here.row_labels, "Q", gives=tokens)
    eventually(here.column_labels, "Kᵀ", gives=tokens)
    expect(here.why.get_by_role("heading")).to_contain_text(tokens[0][:20])
    expect(here.board.locator(":is(img, script, a, code, strong, del)")).to_have_count(0)
    # Streamlit's own mathematics stands in «The maths» only.
    expect(here.page.locator(".katex:not(.stExpander *), [data-testid=stMain] img")).to_have_count(
        0
    )
    for direction in here.grid("S").locator(".label").all()[:2]:
        assert direction.get_attribute("dir") == "auto"
    if said:
        expect(here.notices.filter(has_text=said)).not_to_have_count(0)
    else:
        expect(here.notices).to_have_count(0)


def test_characters_split_a_text_without_spaces(visit: Opener) -> None:
    """As readers count them, the family of four being one."""
    here = visit(f"/Score?v=1&example=own&split=characters&text={quote('我喜欢👨‍👩‍👧‍👦')}")
    eventually(here.column_labels, "S", gives=["我", "喜", "欢", "👨‍👩‍👧‍👦"])
    expect(here.notices).to_have_count(0)


def test_a_repeated_token_is_a_place_of_its_own(visit: Opener) -> None:
    """«the the the»: the second one's label lights the second row and column only."""
    here = visit("/Score?v=1&example=own&text=the+the+the&cell=none")
    here.grid("Q").get_by_role("rowheader").nth(1).get_by_role("button").hover()
    eventually(lambda: here.every("data-band").get("S:1,1"), gives="both")
    assert "S:0,0" not in here.every("data-band")
