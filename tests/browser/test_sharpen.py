"""The lab on one row of scores: type, drag, answer; the link keeps it."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.patience import eventually
from tests.browser.visit import Opener


def test_a_score_is_typed_over_on_the_board_and_the_slider_follows(visit: Opener) -> None:
    here = visit("/Sharpen?v=1")
    here.button("edit numbers").click()
    cell = here.cell("s", 0, 0)
    cell.click()
    cell.get_by_role("textbox").fill("20000")
    cell.get_by_role("textbox").press("Enter")
    expect(here.problem).to_contain_text("too large")
    cell.get_by_role("textbox").fill("-7")
    cell.get_by_role("textbox").press("Enter")
    here.wait_link(edits="s:0,0=-7.0")
    expect(here.cell("r", 0, 0)).to_have_text("0")
    expect(here.board).to_contain_text("nothing can be divided by 0")
    eventually(here.numbers, "A_plain", gives=[["0", "0", "0"]])
    slider = here.page.get_by_role("slider", name="Drag it")
    expect(slider).to_have_value("-7")
    here.button("reset").click()
    here.wait_link(edits=None)
    expect(here.cell("s", 0, 0)).to_have_text("2")
    here.expect_clean()


def test_a_score_is_dragged_by_keys(visit: Opener) -> None:
    here = visit("/Sharpen?v=1&drag=1")
    slider = here.page.get_by_role("slider", name="Drag it")
    expect(slider).to_have_value("4")
    slider.focus()
    here.press("ArrowRight", "ArrowRight")
    here.wait_link(edits="s:0,1=5.0")
    expect(here.cell("s", 0, 1)).to_have_text("5")
    here.expect_clean()


def test_a_score_between_two_steps_of_the_slider_stays_as_it_is(visit: Opener) -> None:
    here = visit("/Sharpen?v=1&edits=s:0,0%3D2.887")
    expect(here.cell("s", 0, 0)).to_have_text("2.887")
    here.cell("A", 0, 2).click()
    here.wait_link(cell="A:0,2", edits="s:0,0=2.887")
    here.page.get_by_role("radio", name="Temperature").click()
    here.wait_link(part="temperature", cell=None, edits="s:0,0=2.887")
    expect(here.cell("s_τ", 0, 0)).to_have_text("5.774")
    assert here.notices.count() == 0
    here.expect_clean()


def test_a_fraction_is_an_answer(visit: Opener) -> None:
    """The hint is one: 4 ÷ 9."""
    here = visit("/Sharpen?v=1")
    expect(here.page.get_by_text("Where plain shares break")).to_be_hidden()
    for wrong in ("5/9", "4/0", "4/9/1"):
        here.ask.get_by_role("textbox").fill(wrong)
        here.press("Enter")
        expect(here.cell("A_plain", 0, 1)).to_have_text("?")
    here.ask.get_by_role("textbox").fill("4/9")
    here.press("Enter")
    expect(here.cell("A_plain", 0, 1)).to_have_text("0.444")
    expect(here.page.get_by_text("Where plain shares break")).to_be_visible()
    here.expect_clean()


def test_an_answer_opens_the_weights_and_the_link_keeps_it(visit: Opener) -> None:
    here = visit("/Sharpen?v=1&part=slopes")
    expect(here.cell("J_τ", 0, 0)).to_have_text("?")
    here.ask.get_by_role("button", name="Larger").click()
    expect(here.ask).to_contain_text("Not so.")
    here.ask.get_by_role("button", name="Smaller").click()
    expect(here.ask).to_contain_text("Right: it is 0.115.")
    expect(here.cell("J_τ", 1, 1)).to_have_text("0.115")
    eventually(lambda: "seen" in here.query(), gives=True)
    here.reload()
    expect(here.cell("J_τ", 1, 1)).to_have_text("0.115")
    assert here.notices.count() == 0
    here.expect_clean()


def test_scores_of_10000_work(visit: Opener) -> None:
    here = visit("/Sharpen?v=1")
    here.page.get_by_role("link", name="Scores of 10000 and −10000").click()
    here.wait_link(part="shift")
    expect(here.cell("A", 0, 0)).to_have_text("0.731")
    here.ask.get_by_role("button", name="It stays").click()
    expect(here.cell("A_c", 0, 0)).to_have_text("0.731")
    expect(here.cell("A_m", 0, 1)).to_have_text("0.269")
    here.expect_clean()
