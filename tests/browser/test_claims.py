"""Misconceptions: a vote opens the board, and nothing of it is seen before."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.patience import eventually
from tests.browser.visit import PHONE, Opener, Visit

CLAIM = "/Misconceptions?v=1&claim=thinks"


def expect_closed(here: Visit) -> None:
    """No number, no equation and no tool; the vote alone."""
    expect(here.ask).to_contain_text("True or false?")
    expect(here.board.locator(".card")).to_be_hidden()
    expect(here.page.get_by_role("grid")).to_have_count(0)


def test_a_vote_opens_the_board_and_it_stays_open(visit: Opener) -> None:
    """A wrong one helps on; a reload and other settings keep it, the next claim is asked anew."""
    here = visit(CLAIM)
    expect_closed(here)
    here.ask.get_by_role("button", name="True").click()
    expect(here.ask).to_contain_text("Not so. What if the token with the largest weight")
    expect_closed(here)
    here.ask.get_by_role("button", name="False").click()
    expect(here.ask).to_contain_text("Right. It is false. «I» gives 0.707 of its attention")
    expect(here.cell("O_zero", 0, 1)).to_have_attribute("aria-selected", "true")
    expect(here.line).to_contain_text("0.223")
    here.wait_link(seen="O_zero:0,0", cell=None)
    here.reload()
    expect(here.ask).to_contain_text("It is false. «I» gives 0.707 of its attention")
    here.page.get_by_text("causal: no looking ahead").click()
    expect(here.cell("A", 0, 1)).to_have_text("0")
    expect(here.ask).to_contain_text("It is false. ")
    here.page.get_by_role("link", name="Next: ").click()
    expect(here.page.locator("h1.question")).to_contain_text("Scores are divided by")
    expect_closed(here)
    here.ask.get_by_role("button", name="show me").click()
    expect(here.ask).to_contain_text("It is false. The score 5 became 2.887.")
    expect(here.grid("S_scaled")).to_be_visible()


def test_the_pin_follows_the_answer_to_other_numbers(visit: Opener) -> None:
    here = visit("/Misconceptions?v=1&claim=columns")
    here.ask.get_by_role("button", name="show me").click()
    for mask, token, total in (("", "love", "1.573"), ("causal: no", "AI", "0.299")):
        if mask:
            here.page.get_by_text(mask).click()
        expect(here.ask).to_contain_text(f"The column of «{token}» adds up to {total}")
        expect(here.line).to_contain_text(f"= {total}")
    # What one has pinned oneself stays.
    here.cell("A", 1, 0).click()
    here.wait_link(cell="A:1,0")
    here.page.get_by_role("radiogroup", name="Mask").get_by_text("none").click()
    expect(here.ask).to_contain_text("«love» adds up to 1.573")
    here.wait_link(cell="A:1,0")


def test_claim_and_vote_are_in_sight_on_a_phone(visit: Opener) -> None:
    """Without scrolling, and before the board in reading order."""
    here = visit(CLAIM, size=PHONE)
    box = here.ask.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < PHONE[1]
    here.page.locator("h1.question").click()
    here.tab_to("True", limit=3)
    here.press("Tab", "Space")
    expect(here.grid("O")).to_be_visible()
    eventually(lambda: here.focused().startswith("Right. It is false."), gives=True)
    assert here.ask.bounding_box()["y"] < here.board.locator(".card").bounding_box()["y"]  # type: ignore[index]


@pytest.mark.parametrize("query", ["claim=late", "claim=order&positions=1"])
def test_a_link_leads_to_numbers_that_settle_it(visit: Opener, query: str) -> None:
    """Where those at hand settle nothing, the board is open and there is no vote."""
    here = visit(f"/Misconceptions?v=1&{query}")
    expect(here.ask).to_be_hidden()
    expect(here.board.locator(".card")).to_be_visible()
    here.page.get_by_role("link", name="Use settings that show it").click()
    expect_closed(here)
