"""On boards taller than the window: the derivation, the newest cell and the focus are seen."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.visit import DESKTOP, PHONE, Opener, Visit

SIZES = pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=str)
TALL = pytest.mark.parametrize(
    ("path", "size"),
    [
        ("/Softmax?v=1&example=cat", DESKTOP),
        ("/Project?v=1", PHONE),
        ("/Whole?v=1", DESKTOP),
        ("/Whole?v=1", PHONE),
    ],
    ids=str,
)
STILL = """() => new Promise(done => {
  const main = document.querySelector(".stMain");
  let last = -1;
  let same = 0;
  const look = () => {
    same = main.scrollTop === last ? same + 1 : 0;
    last = main.scrollTop;
    if (same > 9) done(last); else requestAnimationFrame(look);
  };
  look();
})"""


def edges(part: Locator) -> tuple[float, float]:
    """Top and bottom of what is drawn, in the window."""
    box = part.bounding_box()
    assert box is not None
    return box["y"], box["y"] + box["height"]


def still(here: Visit) -> float:
    """Wait until nothing scrolls any more; returns how far it went."""
    return float(here.page.evaluate(STILL))


def expect_seen(here: Visit) -> None:
    """The pinned cell stands between the page's header and what stays; the derivation begins."""
    still(here)
    line = here.why.locator(".line").first
    expect(line).to_contain_text("=")
    pin, why = edges(here.board.locator(".cell.pin").first), edges(here.why)
    assert pin[0] >= 60
    assert pin[1] <= min(why[0], *(edges(bar)[0] for bar in bars(here)))
    below = [edges(bar)[0] for bar in bars(here) if edges(bar)[0] > why[0]]
    assert edges(line)[0] + 30 <= min([*below, size_of(here)[1]])


def bars(here: Visit) -> list[Locator]:
    """What stays beside the derivation: the dock, or else the buttons that step."""
    docks = here.page.locator(".dock:not([hidden])").all()
    return docks or here.page.locator("[data-stepping] .tools").all()


def size_of(here: Visit) -> tuple[int, int]:
    size = here.page.viewport_size
    assert size is not None
    return size["width"], size["height"]


def expect_modest(here: Visit) -> None:
    """What stays takes about a third of the window."""
    top = min(edges(part)[0] for part in (here.why, *bars(here)))
    assert size_of(here)[1] - top <= size_of(here)[1] * 0.34


@TALL
def test_a_walk_shows_each_cell_and_its_derivation(
    load: Opener, path: str, size: tuple[int, int]
) -> None:
    here = load(f"{path}&walk=cells&step=0", size=size)
    onward = here.page.locator(".dock .onward")
    for count in range(1, 6):
        onward.click()
        expect(here.page.locator(".dock .place")).to_contain_text(f"cell {count} of")
        expect_seen(here)
    expect_modest(here)


@TALL
def test_so_do_the_buttons_of_the_board_which_stay_too(
    load: Opener, path: str, size: tuple[int, int]
) -> None:
    """Wherever the matrix stands, one can press them again without a search."""
    here = load(f"{path}&step=1", size=size)
    here.button("step ▸").click()
    for _ in range(3):
        expect_seen(here)
        top, bottom = edges(here.button("step ▸"))
        assert 0 < top < bottom < size[1]
        here.button("step ▸").click()
    expect_seen(here)
    expect_modest(here)


def test_play_shows_them_too(load: Opener) -> None:
    here = load("/Softmax?v=1&step=1&cell=A:0,0")
    here.page.locator("[data-testid=stMain]").evaluate("e => e.scrollTo(0, 0)")
    here.button("play").click()
    expect(here.cell("A", 0, 2)).to_have_class("cell pin", timeout=10_000)
    here.button("pause").click()
    expect_seen(here)


@SIZES
def test_a_click_on_a_tall_board_is_explained_in_sight(load: Opener, size: tuple[int, int]) -> None:
    here = load("/Project?v=1&cell=none", size=size)
    for key, row, col in (("Q", 0, 0), ("K", 1, 1), ("S", 0, 2)):
        here.cell(key, row, col).click()
        expect(here.cell(key, row, col)).to_have_class("cell pin")
        assert edges(here.why.locator(".line").first)[0] + 30 <= size[1]
        expect_modest(here)


def test_what_is_visible_already_does_not_jump(load: Opener) -> None:
    here = load("/Softmax?v=1&walk=cells&step=0")
    onward = here.page.locator(".dock .onward")
    onward.click()
    there = still(here)
    assert there > 0
    for _ in range(2):  # the rest of the row
        onward.click()
        assert still(here) == there


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_page_glides_unless_nothing_may_move(load: Opener, motion: str) -> None:
    here = load("/Softmax?v=1&walk=cells&step=0", motion=motion)
    at_once = here.page.locator(".dock .onward").evaluate(
        "e => { e.click(); return document.querySelector('.stMain').scrollTop; }"
    )
    assert (at_once > 0) == (motion == "reduce")
    assert still(here) > 0


@pytest.mark.parametrize(
    ("query", "size"),
    [
        ("cell=Q:0,0", PHONE),
        ("walk=pages&cell=Q:0,0", DESKTOP),
        ("walk=pages&cell=Q:0,0", PHONE),
        ("step=2&cell=Q:0,1", DESKTOP),
    ],
    ids=str,
)
def test_the_focus_is_never_under_what_stays(
    load: Opener, query: str, size: tuple[int, int]
) -> None:
    """Tab goes through matrices and tools of a tall board."""
    here = load(f"/Project?v=1&{query}", size=size)
    here.cell("X", 0, 0).focus()
    covered = """() => {
      let el = document.activeElement;
      while (el?.shadowRoot?.activeElement) el = el.shadowRoot.activeElement;
      const { left, top, width, height } = el.getBoundingClientRect();
      const hit = el.getRootNode().elementFromPoint(left + width / 2, top + height / 2);
      return el.contains(hit) ? null : el.ariaLabel ?? el.textContent;
    }"""
    for _ in range(16):
        still(here)
        assert here.page.evaluate(covered) is None
        here.press("Tab")
        if here.page.evaluate("document.activeElement.shadowRoot === null"):
            break
