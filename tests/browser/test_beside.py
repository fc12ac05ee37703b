"""Two states of the playground in a real browser: freeze, change, go back, swap, let go."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from attention_core import EXAMPLES
from attention_core.matrix import Array
from attention_core.rounding import show
from tests.browser.patience import eventually
from tests.browser.test_links import copied_link
from tests.browser.visit import Opener, Visit

LOVE = EXAMPLES["love"]
SHUT = [["0", "−∞", "−∞"], ["0", "0", "−∞"], ["0", "0", "0"]]
OPENED = [["0", "∞", "∞"], ["0", "0", "∞"], ["0", "0", "0"]]


def shown(value: Array) -> list[list[str]]:
    return [[show(x).text for x in row] for row in value.tolist()]


def act(here: Visit, name: str) -> None:
    """Follow one of the page's links."""
    main(here).get_by_role("link", name=name, exact=True).click()


def main(here: Visit) -> Locator:
    return here.page.get_by_test_id("stMain")


def choose_mask(here: Visit, name: str) -> None:
    here.page.get_by_role("radiogroup", name="Mask").get_by_text(name).click()


def expect_compared(here: Visit, mask: list[list[str]]) -> None:
    """The lines of a mask that differs, with the numbers of the example."""
    expect(here.cell("M_diff", 0, 1)).to_have_text(mask[0][1])
    eventually(here.numbers, "M_diff", gives=mask)
    headings = here.board.locator(".equations:not(.origins) h3").all_text_contents()
    assert headings == ["Mask", "Masked scores", "Attention weights", "Outputs"]


def test_freeze_change_answer_swap_and_let_go(visit: Opener) -> None:
    here = visit("/Playground?v=1")
    act(here, "Freeze these numbers")
    here.wait_link(was="v=1")
    expect(main(here)).to_contain_text("Nothing differs yet. Change something.")
    expect(here.grid("X")).to_be_visible()

    choose_mask(here, "causal")
    here.wait_link(mask="causal", was="v=1")
    expect_compared(here, SHUT)
    expect(main(here)).to_contain_text("From before to now: mask: none → causal.")
    expect(main(here)).to_contain_text("The change begins at M and reaches Smasked, A, O.")
    weights = LOVE.graph(mask="causal")["A"].value
    eventually(here.numbers, "A", gives=shown(weights))
    eventually(here.numbers, "A_was", gives=shown(LOVE.graph()["A"].value))

    # Neither what is nor the difference tells before the question is answered.
    assert {text for row in here.numbers("O") + here.numbers("O_diff") for text in row} == {"?"}
    here.ask.get_by_role("button", name="love").click()
    expect(here.ask).to_contain_text("Not that one")
    here.ask.get_by_role("button", name="I", exact=True).click()
    expect(here.ask).to_contain_text("«I» changes most: the differences in its row add up to 2.567")
    now, was = (LOVE.graph(mask=mask)["O"].value for mask in ("causal", None))
    eventually(here.numbers, "O_diff", gives=shown((now - was).round(12)))

    # What was comes from what was.
    here.cell("O_was", 0, 1).click()
    expect(here.line).to_contain_text("= 1.637")
    for key, lit in {"A_was": 3, "M_was": 3, "A": 0, "M": 0}.items():
        expect(here.grid(key).locator("[data-lit]")).to_have_count(lit)

    act(here, "Swap before and now")
    here.wait_link(mask=None, was="v=1&mask=causal")
    expect_compared(here, OPENED)
    expect(here.page.get_by_role("radio", name="none")).to_be_checked()
    act(here, "Unfreeze")
    here.wait_link(mask=None, was=None)
    expect(here.grid("M_diff")).to_have_count(0)
    expect(here.grid("X")).to_be_visible()
    here.expect_clean()


def test_freezing_and_swapping_keep_the_place_on_the_page(visit: Opener) -> None:
    here = visit("/Playground?v=1&mask=causal&cell=S:1,2")
    for name in ("Freeze these numbers", "Unfreeze"):
        main(here).evaluate("e => e.scrollTo(0, 200)")
        link = main(here).get_by_role("link", name=name, exact=True)
        link.focus()
        here.press("Enter")
        expect(link).to_have_count(0)
        assert main(here).evaluate("e => e.scrollTop") == 200
        if name != "Unfreeze":
            here.wait_link(cell="S:1,2", was="v=1&mask=causal")


def test_go_back_to_what_was_frozen(visit: Opener) -> None:
    here = visit("/Playground?v=1&example=cat&decimals=2&was=v%3D1%26d_k%3D2%26edits%3DX:0,0%3D7")
    eventually(here.column_labels, "A_was", gives=["I", "love", "AI"])
    eventually(here.column_labels, "A", gives=["The", "cat", "sat", "down"])
    expect(main(here)).to_contain_text("there is no difference to take")
    act(here, "Go back to before")
    here.wait_link(example=None, d_k="2", decimals="2", edits="X:0,0=7.0")
    expect(here.page.get_by_role("slider", name="d_k")).to_have_value("2")
    expect(main(here)).to_contain_text("Nothing differs yet.")
    expect(here.cell("X", 0, 0)).to_have_text("7")
    here.expect_clean()


def test_a_click_on_the_mask_and_a_typed_number_change_what_is(visit: Opener) -> None:
    here = visit("/Playground?v=1&edits=X:0,0%3D2&was=v%3D1")
    # The inputs that are the same in both stand where the numbers come from.
    here.button("Where these numbers come from").click()
    here.board.get_by_role("grid", name="M,").first.get_by_role("gridcell").nth(1).click()
    here.wait_link(mask="custom", allow="101.111.111", was="v=1")
    expect(here.cell("M_diff", 0, 1)).to_have_text("−∞")
    here.button("edit numbers").click()
    here.cell("X", 0, 0).click()
    here.page.keyboard.type("5")
    here.press("Enter")
    expect(here.cell("X_diff", 0, 0)).to_have_text("4")
    expect(here.cell("X_was", 0, 0)).to_have_text("1")
    here.expect_clean()


def test_a_link_brings_both_states_and_pages_carry_it(fresh_url: str, load: Opener) -> None:
    here = load("/Playground?v=1&mask=causal&was=v%3D1&cell=A_was:0,1", root=fresh_url)
    expect_compared(here, SHUT)
    expect(here.line).to_contain_text("= 0.707")
    there = load(copied_link(here).removeprefix(fresh_url), root=fresh_url)
    expect_compared(there, SHUT)
    eventually(there.every, "aria-selected", gives=here.every("aria-selected"))
    menu = there.page.get_by_test_id("stSidebar")
    menu.get_by_role("link", name="Mix").click()
    expect(there.page.locator("h1.question")).not_to_have_text("What happens if …?")
    there.wait_link(mask="causal", was="v=1")
    expect(there.grid("O_diff")).to_have_count(0)
    menu.get_by_role("link", name="Playground").click()
    there.wait_link(mask="causal", was="v=1")
    expect_compared(there, SHUT)
    there.expect_clean()


def test_a_bad_frozen_state_is_named(visit: Opener) -> None:
    here = visit("/Playground?v=1&was=v%3D1%26mask%3Dall%26edits%3DX:9,9%3D1")
    expect(here.notices).to_have_count(2)
    expect(here.notices.first).to_contain_text("The frozen state of the link says mask=all")
    expect(here.notices.last).to_contain_text("Frozen state: The edit X:9,9=1 was left out.")
    here.expect_clean()
