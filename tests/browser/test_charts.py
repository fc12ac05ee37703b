"""A chart in a real browser: asked first, swept without the server, by keyboard, linked."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.patience import eventually
from tests.browser.visit import PHONE, Opener, Visit

PLOT = ".chart .js-plotly-plot"


def opened(visit: Opener, query: str = "?v=1&told=1", size: tuple[int, int] = (1280, 900)) -> Visit:
    here = visit(f"/Root{query}", size=size)
    here.page.locator(PLOT).first.wait_for()
    here.settle()
    return here


def heights(here: Visit) -> list[float]:
    """How far from the middle the points of the two clouds are drawn, at most."""
    script = """plot => [...plot.querySelectorAll(".scatterlayer")].map(layer => {
      const ys = [...layer.querySelectorAll(".point")].map(p => p.getBoundingClientRect().y);
      return ys.length ? Math.max(...ys) - Math.min(...ys) : 0;
    })"""
    found: list[float] = here.page.locator(PLOT).first.evaluate(script)
    return found


def test_nothing_is_shown_before_the_question_is_answered(visit: Opener) -> None:
    here = visit("/Root?v=1")
    ask = here.page.locator(".chart .ask")
    ask.wait_for()
    assert here.page.locator(".chart:visible").count() == 1
    expect(here.page.locator(PLOT)).to_have_count(0)
    ask.get_by_role("button", name="It stays").click()
    expect(ask).to_contain_text("Not that.")
    expect(here.page.locator(PLOT)).to_have_count(0)
    ask.get_by_role("button", name="It doubles").click()
    expect(here.page.locator(PLOT)).to_have_count(3)
    expect(here.page.locator(".chart .answer").first).to_contain_text("Yes")
    here.wait_link(told="1")
    here.reload()
    expect(here.page.locator(PLOT)).to_have_count(3)


def test_a_sweep_needs_no_server_until_it_is_let_go(visit: Opener) -> None:
    here = opened(visit)
    slider = here.page.get_by_role("slider", name="Size d of q and k")
    slider.evaluate("el => { el.valueAsNumber = 0; el.oninput(); }")
    expect(here.page.locator(".chart .says").first).to_contain_text("d = 1: ")
    before, narrow = len(here.sent), heights(here)
    for at in range(1, 72):
        slider.evaluate("(el, at) => { el.valueAsNumber = at; el.oninput(); }", at)
    expect(here.page.locator(".chart .says").first).to_contain_text("d = 512: ")
    assert len(here.sent) == before
    wide = heights(here)
    assert wide[0] > 5 * narrow[0]
    assert 0.3 * narrow[1] < wide[1] < 3 * narrow[1]
    slider.evaluate("el => el.onchange()")
    here.wait_link(sweep="512")


def test_a_sweep_by_keyboard_is_spoken_and_linked(visit: Opener) -> None:
    here = opened(visit, "?v=1&told=1&sweep=24")
    slider = here.page.get_by_role("slider", name="Size d of q and k")
    slider.focus()
    here.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", "25. " + spoken(here))
    here.wait_link(sweep="25")
    here.press("End")
    here.wait_link(sweep="512")
    expect(here.page.locator(".chart tbody tr[aria-current]").first).to_contain_text("512")
    eventually(here.focused, gives="Size d of q and k")
    other = opened(visit, here.page.url.removeprefix(here.root).removeprefix("/Root"))
    expect(other.page.locator(".chart .says").first).to_contain_text("d = 512: ")


def spoken(here: Visit) -> str:
    return here.page.locator(".chart .says").first.text_content() or ""


def test_another_sample_draws_another_cloud_and_keeps_the_place(visit: Opener) -> None:
    here = opened(visit, "?v=1&told=1&sweep=128")
    before = spoken(here)
    here.page.get_by_role("spinbutton", name="Sample").press("ArrowUp")
    here.wait_link(sample="2", sweep="128", told="1")
    expect(here.page.locator(".chart .says").first).not_to_have_text(before)
    eventually(lambda: spoken(here).startswith("d = 128: "), gives=True)


def test_charts_follow_the_theme_and_the_width(visit: Opener) -> None:
    here = opened(visit)
    ink = "el => getComputedStyle(el).fill"
    label = here.page.locator(f"{PLOT} .annotation-text").first
    light = label.evaluate(ink)
    here.page.emulate_media(color_scheme="dark")
    here.page.wait_for_function(
        "light => getComputedStyle(document.querySelector('.annotation-text')).fill !== light",
        arg=light,
    )
    box = here.page.locator(PLOT).first.bounding_box()
    here.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    here.page.wait_for_function(
        "was => document.querySelector('.chart .main-svg').clientHeight > was",
        arg=box["height"] if box else 0,
    )
    for plot in here.page.locator(PLOT).all():
        found = plot.bounding_box()
        assert found is not None
        assert found["x"] >= 0
        assert found["x"] + found["width"] <= PHONE[0]


def test_only_pages_with_a_chart_load_plotly(load: Opener) -> None:
    here = load("/Score?v=1")
    here.settle()
    loaded = (
        "performance.getEntriesByType('resource').filter(e => e.name.includes('plotly')).length"
    )
    assert here.page.evaluate(loaded) == 0
    here.go("/Root?v=1&told=1")
    here.page.locator(PLOT).first.wait_for()
    assert here.page.evaluate(loaded) == 1
