"""Blocking and opening keys by clicking cells of the mask."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import WebSocketRoute, expect

from attention_core import EXAMPLES, mask_from_text
from attention_core.rounding import show
from tests.browser.patience import eventually
from tests.browser.visit import Opener, Visit

# A click and what the page shows right after it, before any answer can have come.
CLICKED = """(cell) => {
  cell.click();
  return [cell.textContent, cell.classList.contains("blocked"), cell.getAttribute("aria-label")];
}"""


def weights(allow: str, example: str = "love") -> list[list[str]]:
    """The weights under a mask, straight from the core."""
    graph = EXAMPLES[example].inputs.graph(mask_from_text(allow))
    return [[show(x).text for x in row] for row in graph["A"].value.tolist()]


def expect_weights(here: Visit, allow: str) -> None:
    """The link names this mask, and the weights are the ones that it gives."""
    here.wait_link(mask="custom", allow=allow)
    wanted = weights(allow)
    for i, row in enumerate(wanted):
        for j, text in enumerate(row):
            expect(here.cell("A", i, j)).to_have_text(text)


def mask_words(here: Visit, row: int, col: int) -> str:
    """What a cell of M is called."""
    return here.cell("M", row, col).get_attribute("aria-label") or ""


def test_a_click_blocks_at_once_and_the_weights_follow(visit: Opener) -> None:
    """Before any answer the cell is hatched, says −∞ and «blocked»; then Python has computed."""
    here = visit("/Mask?v=1&cell=none")
    assert mask_words(here, 0, 2) == "query I, key AI, mask entry 0, open"
    text, hatched, words = here.cell("M", 0, 2).evaluate(CLICKED)
    assert (text, hatched) == ("−∞", True)
    assert words == "query I, key AI, mask entry minus infinity, blocked, waiting"
    expect_weights(here, "110.111.111")
    assert mask_words(here, 0, 2) == "query I, key AI, mask entry minus infinity, blocked"
    expect(here.cell("M", 0, 2)).to_have_attribute("aria-selected", "true")
    expect(here.why).to_contain_text("«AI» is blocked for «I»: −∞ is added to this score.")
    here.reload()
    expect(here.cell("M", 0, 2)).to_have_text("−∞")
    eventually(here.numbers, "A", gives=weights("110.111.111"))


def test_it_is_said_aloud(visit: Opener) -> None:
    """Which key, for which query, and what became of it."""
    here = visit("/Mask?v=1&cell=none")
    script = """(cell) => {
      cell.click();
      return cell.getRootNode().querySelector("[role=status]").textContent.trim();
    }"""
    assert here.cell("M", 0, 2).evaluate(script) == "key AI blocked for query I"
    expect_weights(here, "110.111.111")
    assert here.cell("M", 0, 2).evaluate(script) == "key AI opened for query I"
    expect_weights(here, "111.111.111")


def test_a_second_click_opens_again_and_keeps_the_cell_pinned(visit: Opener) -> None:
    """It toggles; it does not unpin."""
    here = visit("/Mask?v=1&mask=causal&cell=none")
    here.cell("M", 0, 1).click()
    expect_weights(here, "110.110.111")
    expect(here.cell("M", 0, 1)).to_have_text("0")
    expect(here.why).to_contain_text("«love» is open for «I»")
    here.cell("M", 0, 1).click()
    expect_weights(here, "100.110.111")
    expect(here.cell("M", 0, 1)).to_have_attribute("aria-selected", "true")


def test_of_clicks_in_quick_succession_none_is_lost(visit: Opener) -> None:
    """Six clicks before the first answer, one of them undoing another."""
    here = visit("/Mask?v=1&cell=none")
    here.grid("M").evaluate(
        """grid => {
          const cells = [...grid.querySelectorAll("[role=gridcell]")];
          for (const at of [1, 2, 5, 8, 6, 5]) cells[at].click();
        }"""
    )
    eventually(here.numbers, "M", gives=[["0", "−∞", "−∞"], ["0", "0", "0"], ["−∞", "0", "−∞"]])
    expect_weights(here, "100.111.010")
    for cell in here.grid("M").get_by_role("gridcell").all():
        expect(cell).not_to_have_class(re.compile("pending"))
    eventually(here.numbers, "M", gives=[["0", "−∞", "−∞"], ["0", "0", "0"], ["−∞", "0", "−∞"]])


def test_slow_answers_undo_nothing(visit: Opener) -> None:
    """Answers come only after the last click: each of them is older than what is shown."""
    here = visit("/Score?v=1")
    held: list[str | bytes] = []
    sockets: list[WebSocketRoute] = []
    late = False

    def hold(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        sockets.append(socket)
        socket.on_message(server.send)
        server.on_message(lambda message: held.append(message) if late else socket.send(message))

    here.page.route_web_socket(re.compile("_stcore/stream"), hold)
    here.open("/Mask?v=1&cell=none")
    late = True
    shown = []
    for row, col in ((0, 1), (0, 2), (1, 2), (0, 1)):
        here.cell("M", row, col).click()
        shown.append(here.numbers("M"))
        here.page.wait_for_timeout(400)
    assert len(held) > 4, "the server has not answered meanwhile"
    late = False
    for message in held:
        sockets[-1].send(message)
    assert [numbers[0][1] for numbers in shown] == ["−∞", "−∞", "−∞", "0"]
    assert shown[-1] == [["0", "0", "−∞"], ["0", "0", "−∞"], ["0", "0", "0"]]
    expect_weights(here, "110.110.111")
    eventually(here.numbers, "M", gives=shown[-1])


def test_a_click_that_is_taken_back_elsewhere_waits_for_nothing(visit: Opener) -> None:
    """A cell is blocked, and «none» chosen before the answer: at some moment Python tells no step
    between, and the cell that waits for one must not wait for ever. A busy browser may tell the
    click last: then it counts, on top of «none»."""
    here = visit("/Score?v=1")
    for moment in (40, 60, 80, 100):
        here.open("/Mask?v=1&mask=causal&cell=none")
        here.settle()
        here.cell("M", 0, 0).evaluate(
            """(cell, moment) => {
              cell.click();
              const labels = [...document.querySelectorAll("[role=radiogroup] label")];
              const none = labels.find(label => label.textContent.trim() === "none");
              setTimeout(() => none.click(), moment);
            }""",
            moment,
        )
        expect(here.cell("M", 0, 1)).to_have_text("0")
        expect(here.board.locator(".pending")).to_have_count(0)
        here.settle()
        clicked_last = here.query().get("allow") == "011.111.111"
        expect(here.cell("M", 0, 0)).to_have_text("−∞" if clicked_last else "0")
        assert here.query().get("mask") == ("custom" if clicked_last else None)


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_by_keyboard(visit: Opener, key: str) -> None:
    """The focus stays on the cell, so that the next one is an arrow away."""
    here = visit("/Mask?v=1&cell=none")
    here.page.locator("h1.question").click()
    here.tab_to("query I, key I, mask entry")
    here.press("ArrowRight", key)
    expect_weights(here, "101.111.111")
    expect(here.cell("M", 0, 1)).to_be_focused()
    here.press("ArrowDown", key)
    expect_weights(here, "101.101.111")
    expect(here.cell("M", 1, 1)).to_be_focused()


def test_a_query_that_sees_nothing_is_told_so(visit: Opener) -> None:
    """All keys of a row blocked: zeros, and words instead of 0/0."""
    here = visit("/Mask?v=1&mask=custom&allow=111.100.111&cell=none")
    here.cell("M", 1, 0).click()
    expect_weights(here, "111.000.111")
    eventually(lambda: here.numbers("A")[1], gives=["0", "0", "0"])
    here.cell("A", 1, 1).click()
    expect(here.why).to_contain_text("Every key is blocked for «love».")


def test_the_mask_is_never_typed_over(visit: Opener) -> None:
    """Neither by a digit on a cell, nor in edit mode, nor from its derivation."""
    here = visit("/Mask?v=1&cell=M:0,0&edit=1&open=1")
    expect(here.button("edit this number")).to_have_count(0)
    here.cell("M", 0, 0).focus()
    here.press("7")
    here.cell("M", 0, 1).click()
    expect_weights(here, "101.111.111")
    expect(here.grid("M").get_by_role("textbox")).to_have_count(0)
    assert "edits" not in here.query()
    expect(here.button("reset")).to_be_hidden()


def test_it_says_what_a_click_does(visit: Opener) -> None:
    """On the page whose mask is clicked, and only there."""
    here = visit("/Mask?v=1")
    hint = here.board.get_by_text("click or tap a cell of M to block or open it")
    expect(hint).to_be_visible()
    here.open("/Score?v=1")
    expect(hint).to_be_hidden()


def test_elsewhere_a_click_on_the_mask_only_pins(visit: Opener) -> None:
    """In the origins of the Mix page M stands as given: no toggle, no editor."""
    here = visit("/Mix?v=1&mask=causal&open=1&cell=none&edit=1")
    cell = here.cell("M", 0, 1)
    assert mask_words(here, 0, 1) == "query I, key love, mask entry minus infinity, blocked"
    cell.click()
    here.wait_link(cell="M:0,1", mask="causal", allow=None)
    expect(cell).to_have_text("−∞")
    expect(cell.get_by_role("textbox")).to_have_count(0)
    expect(here.button("edit this number")).to_have_count(0)


def test_a_link_copied_before_the_answer_holds_the_click(visit: Opener) -> None:
    """Messages to the server are held back: the link is the board's own."""
    here = visit("/Score?v=1")
    held: list[int] = []

    def hold(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        socket.on_message(lambda message: held.append(1) if held else server.send(message))
        server.on_message(socket.send)

    here.page.route_web_socket(re.compile("_stcore/stream"), hold)
    here.open("/Mask?v=1&cell=none&edits=X:0,0%3D2.5")
    expect(here.cell("M", 0, 0)).to_be_visible()
    held.append(1)
    here.cell("M", 0, 1).click()
    here.cell("M", 2, 0).click()
    here.button("copy link").click()
    link = here.page.evaluate("navigator.clipboard.readText()")
    again = visit("/Score?v=1")
    again.page.goto(link)
    again.wait()
    expect_cells = [["0", "−∞", "0"], ["0", "0", "0"], ["−∞", "0", "0"]]
    expect(again.cell("M", 0, 1)).to_have_text("−∞")
    eventually(again.numbers, "M", gives=expect_cells)
    assert again.query()["edits"] == "X:0,0=2.5"
    assert again.query()["cell"] == "M:2,0"
