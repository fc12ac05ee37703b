"""The glossary: complete, linked both ways, and every place on it there once."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import urlsplit

import pytest

from attention_core.symbols import SYMBOLS
from tests.ui.test_pages import board, open_page, prose
from ui.glossary import entry_of
from ui.pages import COURSE, GLOSSARY, PAGES, Page
from ui.terms import TERMS

EXAMPLES = ["love", "hand", "cat", "own"]


def places(text: str) -> list[str]:
    return re.findall(r'id="((?:size|symbol|term)-[^"]+)"', text)


def to_glossary(text: str) -> list[str]:
    """Where the links to the glossary lead, in the order of the page."""
    return [unescape(link) for link in re.findall(r'href="(Glossary[^"]*#[^"]*)"', text)]


@pytest.fixture(scope="module")
def glossary() -> str:
    return prose(open_page(GLOSSARY.file))


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_place_is_there_once_whatever_the_example(example: str) -> None:
    text = prose(open_page(GLOSSARY.file, example=example))
    found = places(text)
    assert len(found) == len(set(found))
    assert {f"symbol-{key}" for key in SYMBOLS} <= set(found)
    assert {term.id for term in TERMS.values()} <= set(found)
    assert ("Not in this example." in text) == (example == "hand")


@pytest.mark.parametrize("example", ["love", "hand"])  # with embeddings and without
@pytest.mark.parametrize("page", [p for p in PAGES if p.board], ids=lambda page: page.title)
def test_every_symbol_that_a_page_shows_is_in_it(page: Page, example: str, glossary: str) -> None:
    for shift in ("0", "1"):
        shown = board(open_page(page.file, example=example, shift=shift))["matrices"]
        missing = {key for key in shown if f"symbol-{entry_of(key)}" not in places(glossary)}
        assert not missing, (
            f"give {missing} a row in attention_core/symbol_table.py or its neighbours"
        )


def test_every_entry_leads_to_a_page_that_exists(glossary: str) -> None:
    addresses = {page.address for page in PAGES}
    entries = re.findall(r"<dt>.*?</dt>.*?</div>", glossary)
    assert len(entries) == len(places(glossary))
    for entry in entries:
        (link,) = re.findall(r'<a data-go href="([^"]*)"', entry)
        assert urlsplit(unescape(link)).path in addresses


@pytest.mark.parametrize("page", COURSE, ids=lambda page: page.title)
def test_terms_on_a_step_lead_to_their_entries_once_each(page: Page, glossary: str) -> None:
    text = prose(open_page(page.file, example="cat", decimals="2"))
    links = to_glossary(text)
    assert 1 <= len(links) <= 5, "few and quiet"
    assert len(links) == len(set(links)), "mark the first mention only"
    for link in links:
        address, _, place = link.partition("#")
        assert address == "Glossary?v=1&example=cat&decimals=2", "the settings go along"
        assert place in places(glossary)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.title)
def test_no_mark_is_left_as_it_was_written(page: Page) -> None:
    assert "[[" not in prose(open_page(page.file))


def test_shapes_are_in_letters_and_in_the_sizes_of_the_viewer() -> None:
    text = prose(open_page(GLOSSARY.file, text="one two", d_k="5", d_model="7"))
    entry = re.sub("<[^>]+>", "", text[text.index('id="symbol-W_Q"') :].partition("</div>")[0])
    assert "dmodel\u00a0×\u00a0dk" in entry
    assert "Here 7\u00a0×\u00a05." in entry


def test_a_formula_with_a_number_is_that_of_the_numbers_at_hand() -> None:
    text = prose(open_page(GLOSSARY.file, example="cat", cap="0.5"))
    (entry,) = re.findall(r'id="symbol-S_ratio".*?</div>', text)
    assert "/ 0.5" in re.sub("<[^>]+>", "", entry)
