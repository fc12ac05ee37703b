"""The page on heads: their number is chosen on the page, and a cell leads back to its head."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.visit import Opener


def test_the_columns_are_shared_out_anew(visit: Opener) -> None:
    here = visit("/Heads?v=1&example=cat")
    expect(here.page.get_by_role("grid", name="A_2")).to_have_count(1)
    here.page.get_by_role("radiogroup", name="Heads").get_by_role("radio", name="4").click()
    here.wait_link(h="4")
    expect(here.cell("A_4", 0, 0)).to_be_visible()
    expect(here.cell("Q_4", 0, 0)).to_be_visible()
    here.expect_clean()


def test_a_stop_that_goes_away_is_no_bad_link_and_the_slider_still_tells(visit: Opener) -> None:
    here = visit("/Grouped?v=1&sweep=4")
    figure = here.page.locator("figure.chart")
    figure.locator(".js-plotly-plot").wait_for()
    figure.get_by_role("slider").focus()
    here.press("ArrowLeft")
    here.wait_link(sweep="2")
    heads = here.page.get_by_role("spinbutton", name="Heads h")
    heads.fill("9")
    heads.press("Enter")
    here.wait_link(heads="9", sweep=None)
    expect(figure.locator(".says")).to_contain_text("9 heads, 9 of keys and values")
    expect(here.page.locator("ul.notices")).to_have_count(0)
    figure.get_by_role("slider").focus()
    here.press("ArrowLeft")
    here.wait_link(heads="9", sweep="3")
    here.expect_clean()


def test_a_cell_of_the_whole_leads_to_its_head(visit: Opener) -> None:
    here = visit("/Heads?v=1&example=cat")
    here.cell("O_heads", 1, 2).click()
    expect(here.line).to_have_text("(Oheads)cat, 3 = (O2)cat, 3 = 1.559")
    expect(here.cell("O_2", 1, 0)).to_have_attribute("data-lit", "near")
    expect(here.cell("O_1", 1, 0)).not_to_have_attribute("data-lit", "near")
    here.ask.get_by_role("button", name="sat", exact=True).click()
    expect(here.ask).to_contain_text("Yes: in head 2 the largest weight of this row")
    here.expect_clean()
