"""The blend: how an output is mixed from the values of all tokens."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from attention_core import EXAMPLES
from attention_core.rounding import show
from tests.browser.patience import eventually
from tests.browser.visit import DESKTOP, PHONE, Opener, Visit

LONG = "one two three four five six seven eight nine ten eleven internationalization"


def blend(here: Visit) -> Locator:
    """The blend inside the derivation."""
    return here.why.locator(".blend")


def rows(here: Visit) -> list[list[str]]:
    """The table's lines as a reader sees them."""
    return [
        [text.strip() for text in row.locator("th, td").all_inner_texts()]
        for row in blend(here).locator("tbody tr").all()
    ]


def test_a_pinned_output_shows_what_each_token_adds(visit: Opener) -> None:
    """Weight, value and product of every token, their sum, and who gave most."""
    here = visit("/Mix?v=1&cell=O:0,1")
    eventually(
        rows,
        here,
        gives=[
            ["I", "7 %", "0.070·0", "= 0", ""],
            ["love", "71 %", "0.707·2", "= 1.414", "adds most"],
            ["AI", "22 %", "0.223·1", "= 0.223", ""],
        ],
    )
    expect(blend(here).locator("tfoot")).to_have_text(re.compile("added up.*= 1.637"))
    expect(blend(here)).to_contain_text("86 % of this number comes from «love».")


def test_the_bar_is_the_row_of_weights(visit: Opener) -> None:
    """One segment a token, as wide as its weight, with its name; the whole is spoken."""
    here = visit("/Mix?v=1&cell=O:0,1")
    bar = blend(here).get_by_role("img")
    expect(bar).to_have_attribute("aria-label", "Weights: I 7 %, love 71 %, AI 22 %")
    segments = bar.locator(".segment")
    expect(segments).to_have_text(["I7 %", "love71 %", "AI22 %"])
    widths = [segment.evaluate("e => e.offsetWidth") for segment in segments.all()]
    weights = EXAMPLES["love"].graph()["A"].value[0]
    total = bar.evaluate("e => e.offsetWidth") - 3 * (len(widths) - 1)  # less the gaps
    assert widths == pytest.approx([total * w for w in weights], abs=3)
    expect(bar.locator(".most")).to_have_text("love71 %")


def test_every_output_of_an_example_is_told_as_computed(visit: Opener) -> None:
    """All cells of «The cat sat down» that are not asked for."""
    graph = EXAMPLES["cat"].graph()
    A, V = graph["A"].value, graph["V"].value
    here = visit("/Mix?v=1&example=cat&cell=none")
    for i in range(3):
        for j in range(4):
            here.cell("O", i, j).click()
            expect(blend(here)).to_be_visible()
            told = [row[3].split(" ")[1] for row in rows(here)]
            assert told == [show(float(x)).text for x in A[i] * V[:, j]], (i, j)


def test_other_cells_have_no_blend(visit: Opener) -> None:
    """Not a weight, not a value, and nothing when nothing is pinned."""
    here = visit("/Mix?v=1&cell=A:0,1")
    expect(here.line).to_be_visible()
    expect(blend(here)).to_have_count(0)
    here.cell("V", 0, 0).click()
    expect(here.line).to_contain_text("V")
    expect(blend(here)).to_have_count(0)


def test_a_hidden_output_keeps_its_blend_hidden(visit: Opener) -> None:
    """It would tell the number; the answer brings it."""
    here = visit("/Mix?v=1&cell=O:2,1")
    expect(here.line).to_have_text(re.compile(r"= \?$"))
    expect(blend(here)).to_have_count(0)
    here.ask.get_by_role("button", name="love", exact=True).click()
    here.cell("O", 2, 1).click()
    expect(blend(here)).to_contain_text("of this number comes from «love».")


def test_a_cell_to_come_keeps_its_blend_hidden(visit: Opener) -> None:
    """In step mode only the cells that were reached are told."""
    here = visit("/Mix?v=1&step=1&cell=O:0,1")
    expect(here.line).to_have_text(re.compile(r"= \?$"))
    expect(blend(here)).to_have_count(0)
    here.button("step ▸").click()
    expect(blend(here)).to_be_visible()


def test_terms_of_both_signs_cancel_and_no_share_is_named(visit: Opener) -> None:
    """V[AI, 2] is made −3, so that «AI» takes away what «love» gives."""
    here = visit("/Mix?v=1&cell=O:0,1&edits=W_V:0,1%3D-3")
    expect(blend(here)).to_contain_text("terms of the other sign take some of it away")
    assert "of this number comes from" not in blend(here).inner_text()


def test_a_number_in_it_leads_deeper(visit: Opener) -> None:
    """As the numbers of the equation do."""
    here = visit("/Mix?v=1&cell=O:0,1")
    blend(here).get_by_role("button", name="0.707, from A[I, love]: go deeper").click()
    here.wait_link(cell="A:0,1")
    expect(here.why).to_contain_text("How much of the attention of «I» goes to «love»")


def test_deeper_goes_first_to_what_adds_most(visit: Opener) -> None:
    """Not to the first factor of the equation."""
    here = visit("/Mix?v=1&cell=O:0,1")
    here.button("go deeper: where does 0.707 come from?").click()
    here.wait_link(cell="A:0,1")


def test_a_row_without_a_distribution_has_no_blend(visit: Opener) -> None:
    """All keys are blocked for «I»: words, and no bar of nothing."""
    here = visit("/Mix?v=1&mask=custom&allow=000.111.111&cell=O:0,1")
    expect(here.why).to_contain_text("Every key is blocked for «I».")
    expect(blend(here)).to_have_count(0)


def test_a_mask_takes_a_token_out_of_the_bar(visit: Opener) -> None:
    """It stays in the table with 0 %."""
    here = visit("/Mix?v=1&mask=causal&cell=O:0,0")
    expect(blend(here).locator(".segment")).to_have_text(["I100 %"])
    assert [row[1] for row in rows(here)] == ["100 %", "0 %", "0 %"]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_twelve_tokens_fit(visit: Opener, size: tuple[int, int], theme: str) -> None:
    """Long names are cut, labels that do not fit in the bar are left out, nothing overflows."""
    here = visit(
        f"/Mix?v=1&example=own&text={LONG}&d_v=8&cell=O:9,1&decimals=4", size=size, theme=theme
    )
    eventually(lambda: len(rows(here)), gives=12)
    edges = "e => [e.getBoundingClientRect().left, e.getBoundingClientRect().right]"
    left, right = here.why.evaluate(edges)
    for part in (".mix", "table", ".words"):
        begin, end = blend(here).locator(part).first.evaluate(edges)
        assert left - 1 <= begin, part
        assert end <= right + 1, part
    needed, had = here.page.locator("[data-testid=stMain]").evaluate(
        "e => [e.scrollWidth, e.clientWidth]"
    )
    assert needed <= had
    cut = blend(here).evaluate(
        """blend => [...blend.querySelectorAll(".segment > *")].filter(label => {
          const seen = label.parentElement.getBoundingClientRect();
          const box = label.getBoundingClientRect();
          const isShown = box.top < seen.bottom - 1;
          return isShown && (box.left < seen.left - .5 || box.right > seen.right + .5);
        }).map(label => label.textContent)"""
    )
    assert cut == [], "a label is cut in the middle"


def test_it_is_printed(visit: Opener) -> None:
    """With borders: a printer may leave grounds out."""
    here = visit("/Mix?v=1&cell=O:0,1")
    here.page.emulate_media(media="print")
    expect(blend(here).locator("table")).to_be_visible()
    border = blend(here).locator(".segment").first.evaluate("e => getComputedStyle(e).borderWidth")
    assert border == "1px"
