"""Sentences that would hurt a page that reads them: they show word for word."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from attention_core import tokenize
from tests.browser.visit import Visit

# A sentence, and what a notice must say about it ("" where nothing is cut).
SENTENCES = [
    ("<b>x</b> <img src=x onerror=alert(1)>", ""),
    (r"$x$ \frac{1}{2} `code` ~~no~~ &amp; a_b_c", ""),
    ("**bold** :smile: [a](javascript:alert(1)) # h", ""),
    ("👨‍👩‍👧‍👦 👍🏽 🇩🇪 é", ""),
    ("مرحبا بالعالم שלום עולם abc", ""),
    ("1 2024-01-01 nan inf None -0 1e5 true", ""),
    ("the the the", ""),
    ("__proto__ constructor toString length", ""),
    ("a" * 300, "cut to 24 characters"),
    ("x" * 10_000, "10000 characters"),
    ("我喜欢人工智能", "no spaces"),
    (" ".join(f"w{i}" for i in range(40)), "40 tokens"),
    ("\"quotes\" 'single' \\back\\slash\\ ; = & + % #", ""),
]


@pytest.mark.parametrize(("sentence", "said"), SENTENCES, ids=[s[:16] for s, _ in SENTENCES])
def test_any_sentence_shows_word_for_word(shared: Visit, sentence: str, said: str) -> None:
    """In the headings of the matrices, unread as markup; what is shortened is said."""
    here = shared.open(f"/Score?v=1&example=own&text={quote(sentence)}&cell=S:0,0")
    tokens = list(tokenize(sentence[:400]).tokens)
    assert here.column_labels("S") == tokens
    assert here.row_labels("Q") == tokens
    assert here.column_labels("Kᵀ") == tokens
    expect(here.why.get_by_role("heading")).to_contain_text(tokens[0][:20])
    assert here.page.locator(".board :is(img, script, a, code, strong)").count() == 0
    assert here.page.locator(".katex, [data-testid=stMain] img").count() == 0
    for direction in here.grid("S").locator(".label").all()[:2]:
        assert direction.get_attribute("dir") == "auto"
    if said:
        expect(here.notices.filter(has_text=said)).not_to_have_count(0)
    else:
        expect(here.notices).to_have_count(0)


def test_characters_split_a_text_without_spaces(shared: Visit) -> None:
    """As readers count them, the family of four being one."""
    here = shared.open(f"/Score?v=1&example=own&split=characters&text={quote('我喜欢👨‍👩‍👧‍👦')}")
    assert here.column_labels("S") == ["我", "喜", "欢", "👨‍👩‍👧‍👦"]
    expect(here.notices).to_have_count(0)


def test_a_repeated_token_is_a_place_of_its_own(shared: Visit) -> None:
    """«the the the»: the second one's label lights the second row and column only."""
    here = shared.open("/Score?v=1&example=own&text=the+the+the&cell=none")
    here.grid("Q").get_by_role("rowheader").nth(1).get_by_role("button").hover()
    assert here.every("data-band")["S:1,1"] == "both"
    assert "S:0,0" not in here.every("data-band")
