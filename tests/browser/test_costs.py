"""The lab on costs in a real browser: two sliders, three questions, and layers to try."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.browser.visit import PHONE, Opener, Visit

TOLD = "/Cost?v=1&told=1&told2=1&told3=1"


def chart(here: Visit, title: str) -> Locator:
    return here.page.locator("figure.chart", has_text=title).first


def says(here: Visit, title: str) -> Locator:
    return chart(here, title).locator(".says")


def test_a_sweep_by_keyboard_counts_without_the_server_and_is_linked(visit: Opener) -> None:
    here = visit(TOLD)
    cells, layer = says(here, "The cells of S"), says(here, "One layer of attention")
    expect(cells).to_contain_text("n = 3: 3 × 3 = 9 cells")
    chart(here, "One layer").locator(".js-plotly-plot").wait_for()
    here.settle()
    slider = chart(here, "The cells of S").get_by_role("slider", name="Tokens n")
    slider.focus()
    here.press("ArrowRight")
    expect(cells).to_contain_text("n = 4: 4 × 4 = 16 cells. Twice as many tokens: 8 × 8 = 64")
    points = chart(here, "The cells of S").locator(".scatterlayer .point")
    expect(points).to_have_count(16 + 64)
    here.wait_link(sweep="4", sweep2=None)
    expect(layer).to_contain_text("n = 1,024:")
    other = chart(here, "One layer").get_by_role("slider", name="Tokens n")
    other.focus()
    here.press("End")
    expect(layer).to_contain_text("n = 1,000,000: S of one head has 1\u00a0trillion cells")
    expect(layer).to_contain_text("32\u00a0TB for S of all heads")
    expect(other).to_have_attribute("aria-valuetext", f"1000000. {layer.text_content()}")
    here.wait_link(sweep="4", sweep2="1000000", told="1", told3="1")
    here.reload()
    expect(cells).to_contain_text("n = 4:")
    expect(layer).to_contain_text("n = 1,000,000:")


def test_the_slider_stays_while_its_sentence_changes(visit: Opener) -> None:
    """On a phone the sentence is of different heights; a finger on the slider must not slip off."""
    here = visit(TOLD, size=PHONE)
    figure = chart(here, "One layer")
    figure.locator(".js-plotly-plot").wait_for()
    here.settle()
    slider = figure.get_by_role("slider")
    top = "el => el.getBoundingClientRect().top - el.closest('figure').getBoundingClientRect().top"
    places = set()
    for at in range(21):
        slider.evaluate("(el, at) => { el.valueAsNumber = at; el.oninput(); }", at)
        places.add(slider.evaluate(top))
    assert len(places) == 1


def test_each_question_opens_its_own_part(visit: Opener) -> None:
    here = visit("/Cost?v=1")
    asks = here.page.locator(".chart .ask")
    expect(asks).to_have_count(3)
    expect(says(here, "One layer")).to_be_hidden()
    here.page.get_by_role("button", name="32\u00a0TB", exact=True).click()
    expect(says(here, "One layer")).to_be_visible()
    expect(asks).to_have_count(2)
    expect(says(here, "The cells of S")).to_be_hidden()
    here.wait_link(told=None, told2="1", told3=None)
    here.page.get_by_role("button", name="The chain", exact=True).click()
    expect(says(here, "a chain of n steps, and two products")).to_be_visible()
    here.wait_link(told=None, told2="1", told3="1")


def test_a_layer_to_try_changes_the_numbers_and_keeps_the_place(visit: Opener) -> None:
    """Also what was answered and moved since the link was drawn."""
    here = visit("/Cost?v=1")
    here.page.get_by_role("button", name="32\u00a0TB", exact=True).click()
    slider = chart(here, "One layer").get_by_role("slider")
    slider.focus()
    here.press("ArrowRight")
    here.wait_link(sweep2="2048", told2="1")
    here.settle()
    link = here.page.get_by_role("link", name="A larger layer")
    link.scroll_into_view_if_needed()
    before = here.page.locator(".stMain").evaluate("el => el.scrollTop")
    link.click()
    here.wait_link(heads="32", width="128", sweep2="2048", told2="1", told=None)
    expect(chart(here, "One layer")).to_contain_text("32·128 = 4,096.")
    expect(says(here, "One layer")).to_contain_text("n = 2,048:")
    expect(here.page.get_by_role("spinbutton", name="Heads h")).to_have_value("32")
    after = here.page.locator(".stMain").evaluate("el => el.scrollTop")
    assert abs(after - before) < 200, "the page stays where it was read"
    here.expect_clean()


def test_the_measured_times_are_there_for_everyone(visit: Opener) -> None:
    """Measured once, so that two visits see the same times."""
    tables = []
    for _ in range(2):
        here = visit(TOLD)
        figure = chart(here, "time of attention against n")
        figure.locator("summary").click()
        tables.append(figure.locator("tbody tr").all_text_contents())
    assert len(tables[0]) == 7
    assert tables[0] == tables[1]
