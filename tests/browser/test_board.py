"""The board under the pointer: pin a cell, trace it home, walk from cell to cell."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from attention_core import EXAMPLES
from tests.browser.patience import eventually
from tests.browser.visit import Opener, Visit

LINE = "SI, love = qI · klove = 2·2 + 0·1 + 1·1 = 5"


def lit_by_the_core(matrix: str, row: int, col: int) -> dict[str, str]:
    """What the computation itself names as sources, in the words of the board."""
    graph = EXAMPLES["love"].graph()
    strengths = ("near", "far", "farther")
    found: dict[str, str] = {}
    edge = [(matrix, row, col)]
    for strength in strengths:
        step = []
        for key, i, j in edge:
            one = graph[key]
            if one.op is None:
                continue
            for block in one.op.sources(one, i, j):
                source = one.inputs[block.input]
                step += [(source.key, r, c) for r in block.rows for c in block.cols]
        for key, i, j in step:
            found.setdefault(f"{'Kᵀ' if key == 'K_T' else key}:{i},{j}", strength)
        edge = step
    return found


def test_a_page_opens_with_the_first_largest_score_explained(visit: Opener) -> None:
    """A newcomer sees at once what a derivation is: S[I, love] is pinned and worked out."""
    here = visit("/Score")
    expect(here.cell("S", 0, 1)).to_have_attribute("aria-selected", "true")
    expect(here.line).to_have_text(LINE)
    expect(here.why.get_by_role("heading")).to_have_text("How «I» scores «love»")


def test_a_click_pins_a_cell_and_shows_its_derivation(visit: Opener) -> None:
    """The exact equation stands beside the matrices, and the link names the cell."""
    here = visit("/Score?v=1&cell=none")
    expect(here.why).to_contain_text("Choose a cell")
    here.cell("S", 0, 1).click()
    expect(here.line).to_have_text(LINE)
    expect(here.cell("S", 0, 1)).to_have_attribute("aria-selected", "true")
    here.cell("S", 1, 2).click()
    expect(here.line).to_have_text("Slove, AI = qlove · kAI = 0·1 + 2·1 + 1·1 = 3")
    here.wait_link(cell="S:1,2")
    assert list(here.every("aria-selected").values()).count("true") == 1


@pytest.mark.parametrize("way", ["click", "Escape", "clear"])
def test_a_pin_is_released(visit: Opener, way: str) -> None:
    """By the cell itself, by Esc and by a button; the link says that nothing is pinned."""
    here = visit("/Score?v=1&cell=S:0,2")
    expect(here.cell("S", 0, 2)).to_have_attribute("aria-selected", "true")
    if way == "click":
        here.cell("S", 0, 2).click()
    elif way == "Escape":
        here.cell("S", 0, 2).focus()
        here.press("Escape")
    else:
        here.button("clear").click()
    here.wait_link(cell="none")
    assert "true" not in here.every("aria-selected").values()
    expect(here.line).to_have_count(0)
    here.reload()
    assert "true" not in here.every("aria-selected").values()


def test_hover_lights_exactly_the_sources_and_asks_no_server(visit: Opener) -> None:
    """Direct sources strongly, farther ones back to X, nothing else, and all in the browser."""
    here = visit("/Score?v=1&cell=none&open=1")
    settle(here)
    before = len(here.sent)
    for matrix, row, col in (("S", 1, 2), ("S", 0, 0), ("Q", 0, 1), ("Kᵀ", 2, 1), ("W_Q", 0, 0)):
        here.cell(matrix, row, col).hover()
        key = "K_T" if matrix == "Kᵀ" else matrix
        eventually(here.every, "data-lit", gives=lit_by_the_core(key, row, col))
    here.page.locator("h1.question").hover()
    eventually(here.every, "data-lit", gives={})
    assert len(here.sent) == before, "hovering must not ask the server"


def test_near_and_far_sources_look_different(visit: Opener) -> None:
    """The near ones are ringed strongly and bold; a pin keeps its outline while one hovers."""
    here = visit("/Score?v=1&cell=S:0,1&open=1")
    here.cell("S", 1, 2).hover()

    def look(matrix: str, row: int, col: int) -> tuple[str, int]:
        style = here.cell(matrix, row, col).evaluate(
            "e => [getComputedStyle(e).boxShadow, Number(getComputedStyle(e).fontWeight)]"
        )
        return str(style[0]), int(style[1])

    near, far, dark = look("Q", 1, 0), look("X", 1, 0), look("Q", 2, 0)
    assert len({near[0], far[0], dark[0]}) == 3
    assert near[1] > dark[1]
    expect(here.cell("S", 0, 1)).to_have_attribute("aria-selected", "true")
    assert look("S", 0, 1)[0] != look("S", 0, 0)[0], "the pinned cell stays outlined"


def test_a_pin_keeps_its_sources_lit(visit: Opener) -> None:
    """When the pointer leaves, the trace of the pinned cell comes back."""
    here = visit("/Score?v=1&cell=S:0,1&open=1")
    here.cell("S", 1, 2).hover()
    here.page.locator("h1.question").hover()
    eventually(here.every, "data-lit", gives=lit_by_the_core("S", 0, 1))


def test_go_deeper_down_to_an_input_and_back(visit: Opener) -> None:
    """S → Q → X by the numbers of the equation; the origins open; the trail leads back."""
    here = visit("/Score?v=1&cell=S:0,1")
    number = here.line.get_by_role("button")
    expect(here.grid("X")).to_be_hidden()
    number.first.hover()
    eventually(here.every, "data-lit", gives={"Q:0,0": "near"})
    number.first.click()
    expect(here.line).to_have_text("QI, 1 = xI · (WQ):, 1 = 1·1 + 0·0 + 1·1 + 0·0 = 2")
    here.wait_link(cell="Q:0,0")
    number.first.click()
    expect(here.cell("X", 0, 0)).to_have_attribute("aria-selected", "true")
    expect(here.grid("X")).to_be_visible()
    here.wait_link(cell="X:0,0", open="1")
    expect(here.why).to_contain_text("input")
    expect(here.button("edit this number")).to_be_visible()
    expect(here.why.get_by_role("navigation").get_by_role("button")).to_have_count(2)
    here.button("← Q[I, 1]").click()
    here.wait_link(cell="Q:0,0")
    here.button("← S[I, love]").click()
    here.wait_link(cell=None, open="1")
    expect(here.line).to_have_text(LINE)
    expect(here.why.get_by_role("navigation")).to_have_count(0)


def test_go_deeper_has_a_button_in_words(visit: Opener) -> None:
    """Who does not guess that numbers can be clicked is told."""
    here = visit("/Score?v=1&cell=S:0,1")
    here.button("go deeper: where does 2 come from?").click()
    here.wait_link(cell="Q:0,0")


def test_a_token_lights_its_row_and_column_everywhere(visit: Opener) -> None:
    """«love» as query is a row, as key a column, in every matrix; a click keeps it lit."""
    here = visit("/Score?v=1&cell=none&open=1")
    rows = {f"{m}:1,{j}": "row" for m, n in (("Q", 3), ("K", 3), ("X", 4)) for j in range(n)}
    cross = {"S:1,0": "row", "S:1,2": "row", "S:0,1": "col", "S:2,1": "col", "S:1,1": "both"}
    wanted = rows | cross | {f"Kᵀ:{i},1": "col" for i in range(3)}
    label = here.grid("S").get_by_role("columnheader").nth(1).get_by_role("button")
    label.hover()
    eventually(here.every, "data-band", gives=wanted)
    here.page.locator("h1.question").hover()
    eventually(here.every, "data-band", gives={})
    label.click()
    here.page.locator("h1.question").hover()
    eventually(here.every, "data-band", gives=wanted)
    expect(label).to_have_attribute("aria-pressed", "true")
    here.press("Escape")
    eventually(here.every, "data-band", gives={})
    label.click()
    label.click()
    here.page.locator("h1.question").hover()
    eventually(here.every, "data-band", gives={})
    expect(label).to_have_attribute("aria-pressed", "false")


def test_the_largest_of_each_row_has_a_shape_and_is_spoken(visit: Opener) -> None:
    """Not by colour alone; ties are all marked; a hidden row gives nothing away."""
    here = visit("/Score?v=1&largest=1")
    shape = """e => {
      const { content, clipPath, width } = getComputedStyle(e, "::before");
      return [content, content === "none" ? "" : clipPath + width].join();
    }"""
    plain = here.cell("S", 0, 0).evaluate(shape)
    for row, cols in ((0, [1]), (1, [0, 1, 2])):
        for col in range(3):
            cell = here.cell("S", row, col)
            spoken = cell.get_attribute("aria-label") or ""
            assert ("largest in its row" in spoken) == (col in cols)
            assert (cell.evaluate(shape) != plain) == (col in cols)
    for col in range(3):
        assert "largest" not in (here.cell("S", 2, col).get_attribute("aria-label") or "")
        assert here.cell("S", 2, col).evaluate(shape) == plain
    without = visit("/Score?v=1")
    assert "largest" not in (without.cell("S", 0, 1).get_attribute("aria-label") or "")


def settle(here: Visit) -> None:
    """Wait until the page has nothing more to tell the server of its own accord."""
    here.cell("S", 0, 1).click()
    here.wait_link(cell=None)
    here.cell("S", 0, 1).click()
    here.wait_link(cell="none")


def test_quick_clicks_end_at_the_last_one(visit: Opener) -> None:
    """Late answers to earlier clicks do not bring earlier cells back."""
    here = visit("/Score?v=1&cell=none")
    # One click every 40 ms: some answers are on their way when the next cell is clicked.
    pinned = here.grid("S").evaluate("""async grid => {
      const cells = [...grid.querySelectorAll("[role=gridcell]")].slice(0, 6);
      const seen = [];
      const note = () => seen.push(cells.findIndex(c => c.ariaSelected === "true"));
      const watcher = new MutationObserver(note);
      watcher.observe(grid, { subtree: true, attributeFilter: ["aria-selected"] });
      for (const cell of cells) {
        cell.click();
        await new Promise(next => setTimeout(next, 40));
      }
      await new Promise(next => setTimeout(next, 600));
      watcher.disconnect();
      return seen;
    }""")
    assert pinned == sorted(pinned), "an earlier cell came back"
    here.wait_link(cell="S:1,2")
    expect(here.cell("S", 1, 2)).to_have_attribute("aria-selected", "true")
    here.cell("S", 0, 2).click()
    here.wait_link(cell="S:0,2")
    expect(here.cell("S", 0, 2)).to_have_attribute("aria-selected", "true")
    expect(here.cell("S", 1, 2)).to_have_attribute("aria-selected", "false")


def test_a_large_board_fetches_what_it_does_not_hold(visit: Opener) -> None:
    """Twelve tokens: each derivation comes when it is asked for, also while stepping."""
    here = visit("/Score?v=1&example=own&text=a+b+c+d+e+f+g+h+i+j+k+l&d_k=2&cell=none")
    here.cell("S", 3, 4).click()
    shown = here.cell("S", 3, 4).text_content() or ""
    expect(here.line).to_have_text(re.compile(rf"^Sd, e = qd · ke = .* = {shown}$"))
    here.button("step through").click()
    here.button("step ▸").click()
    expect(here.line).to_have_text(re.compile(r"^Sa, b = qa · kb = .*\d$"))
    here.cell("Q", 5, 1).hover()
    assert {ref.split(":")[0] for ref in here.every("data-lit")} == {"X", "W_Q"}


def test_a_change_of_theme_leaves_everything_in_place(visit: Opener) -> None:
    """Other colours, the same pin and focus, and a click still counts once."""
    here = visit("/Score?v=1&cell=S:1,2")
    here.cell("S", 1, 2).focus()
    ink = "e => getComputedStyle(e).color"
    before = here.cell("S", 1, 2).evaluate(ink)
    here.page.emulate_media(color_scheme="dark")
    expect(here.cell("S", 1, 2)).not_to_have_css("color", before)
    expect(here.board).to_have_count(1)
    expect(here.cell("S", 1, 2)).to_be_focused()
    expect(here.cell("S", 1, 2)).to_have_attribute("aria-selected", "true")
    here.cell("S", 1, 1).click()
    here.wait_link(cell="S:1,1")
    here.cell("S", 1, 1).click()
    here.wait_link(cell="none")
