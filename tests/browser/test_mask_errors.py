"""The lab of mask errors in a real browser: blocking by clicking, and going from one to another."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.visit import Opener


def test_a_click_on_the_mask_blocks_in_the_right_way_and_in_the_wrong_one(visit: Opener) -> None:
    here = visit("/Masks?v=1")
    here.cell("M", 0, 1).click()
    here.wait_link(mask="custom", allow="101.111.111")
    expect(here.cell("A", 0, 1)).to_have_text("0")
    expect(here.cell("A_late", 0, 1)).to_have_text("?")
    here.ask.get_by_role("button", name="Less than 1").click()
    expect(here.cell("A_late", 0, 1)).to_have_text("0")
    expect(here.cell("Z_late", 0, 0)).to_have_text("0.293")
    here.expect_clean()


def test_another_mistake_keeps_the_mask_and_says_nothing_of_the_old_place(visit: Opener) -> None:
    here = visit("/Masks?v=1&mask=causal&cell=A_late:1,0")
    here.page.get_by_text("fewer queries than keys", exact=True).click()
    here.wait_link(mask="causal", error="corner", cell=None)
    expect(here.cell("M_bottom", 0, 2)).to_have_text("−∞")
    expect(here.page.get_by_text("not on this board")).to_have_count(0)
    here.page.get_by_text("−10⁹ for −∞", exact=True).click()
    here.wait_link(mask="causal", error="big", cell=None)
    expect(here.cell("M_big", 0, 2)).to_have_text("−1.000×10⁹")
    here.expect_clean()
