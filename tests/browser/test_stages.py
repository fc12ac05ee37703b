"""The whole computation on one board: stages that flow, captions, and titles over equations."""

from __future__ import annotations

from itertools import pairwise

import pytest
from playwright.sync_api import expect

from attention_core import EXAMPLES, Graph, residual
from tests.browser.patience import eventually
from tests.browser.visit import DESKTOP, PHONE, Opener, Visit
from ui.whole import WHOLE_GRAPH

LONGEST = (
    "/Whole?v=1&example=own&d_k=8&d_model=8&d_v=8"
    "&text=The+little+cat+sat+on+the+old+mat+and+looked+at+internationalization"
)
WHOLE = residual(EXAMPLES["love"].graph())
DRAWN = [m.key for m in WHOLE_GRAPH.on(WHOLE).standing(WHOLE)]

# Where each matrix stands: its name, left, top and right edge.
PLACES = """board => [...board.querySelectorAll("figure.matrix")].map(figure => {
  const { left, top, right, bottom } = figure.getBoundingClientRect();
  const name = figure.querySelector("[role=grid]").getAttribute("aria-label").split(",")[0];
  return { name, left, top, right, bottom };
})"""
# The distinct heights, and what is too small or does not fit.
CELLS = """board => {
  const cells = [...board.querySelectorAll(".cell")];
  const size = e => e.getBoundingClientRect();
  return {
    heights: [...new Set(cells.map(e => size(e).height))],
    least: Math.min(...cells.flatMap(e => [size(e).width, size(e).height])),
    font: Math.min(...cells.map(e => parseFloat(getComputedStyle(e).fontSize))),
    cut: cells.filter(e => size(e.firstChild).width > size(e).width).map(e => e.ariaLabel),
  };
}"""


def seen_by_the_core(graph: Graph, key: str, row: int, col: int) -> dict[str, str]:
    """What made a cell, in the words of the board; what is not drawn counts for nothing."""

    def sources(cell: tuple[str, int, int]) -> list[tuple[str, int, int]]:
        found: list[tuple[str, int, int]] = []
        for source in graph.explain(*cell).sources:
            found += [source] if source.symbol in DRAWN else sources(source)
        return found

    lit: dict[str, str] = {}
    edge = [(key, row, col)]
    strengths = iter(("near", "far", *["farther"] * 9))
    while edge:
        edge = [source for cell in edge for source in sources(cell)]
        strength = next(strengths)
        for source, i, j in edge:
            lit.setdefault(f"{source}:{i},{j}", strength)
    return lit


def place_of(here: Visit) -> dict[str, dict[str, float]]:
    return {place["name"]: place for place in here.evaluate(PLACES)}


def test_every_matrix_stands_once_in_its_stage(visit: Opener) -> None:
    """In the order of computation, also for a reader of the page's source."""
    here = visit("/Whole?v=1&cell=none")
    assert [place["name"] for place in here.evaluate(PLACES)] == DRAWN
    expect(here.board.locator(".stage > h3")).to_have_text(
        [stage.title for stage in WHOLE_GRAPH.stages]
    )
    expect(here.board.locator(".disclose")).to_be_hidden()


def test_a_caption_says_how_the_matrix_is_made(visit: Opener) -> None:
    """The symbol, then the definition or, where it is given, what it is; and the unbroken shape."""
    here = visit("/Whole?v=1&cell=none")

    def caption(key: str) -> str:
        figure = here.board.locator("figure.matrix").filter(has=here.grid(key))
        return str(figure.locator("figcaption").text_content())

    assert caption("X") == "Xtoken embeddings · 3\u00a0×\u00a04"
    assert caption("Q") == "QX\u2009WQ · 3\u00a0×\u00a03"
    assert caption("S_scaled") == "SscaledS / √dk · 3\u00a0×\u00a03"
    assert caption("A") == "Asoftmax(Smasked) · 3\u00a0×\u00a03"
    assert caption("X_out") == "XoutX + U · 3\u00a0×\u00a04"


def test_a_cell_is_followed_home_through_what_is_not_drawn(visit: Opener) -> None:
    """Kᵀ and M are not on the board: the trace goes on to K as if they were not there."""
    here = visit("/Whole?v=1&cell=none")
    for key, row, col in (("O", 0, 1), ("S", 1, 2), ("X_out", 0, 0), ("K", 2, 1)):
        here.cell(key, row, col).hover()
        eventually(here.every, "data-lit", gives=seen_by_the_core(WHOLE, key, row, col))


def test_a_number_of_what_is_not_drawn_leads_to_where_it_stands(visit: Opener) -> None:
    """The keys in a score's derivation are those of Kᵀ, which is K on this board."""
    here = visit("/Whole?v=1&cell=S:0,1")
    numbers = here.line.get_by_role("button")
    expect(numbers).to_have_text(["2", "2", "0", "1", "1", "1"])
    numbers.nth(1).hover()
    eventually(here.every, "data-lit", gives={"K:1,0": "near"})
    numbers.nth(1).click()
    here.wait_link(cell="K:1,0")
    expect(here.cell("K", 1, 0)).to_have_attribute("aria-selected", "true")


def test_stages_flow_from_left_to_right(visit: Opener) -> None:
    """What comes later stands further right or below, never above and left of it."""
    here = visit("/Whole?v=1&cell=none")
    place = place_of(here)
    assert place["X"]["right"] < place["W_Q"]["left"] < place["Q"]["left"]
    assert place["Q"]["right"] < place["S"]["left"], "beside the tall stage there is room"
    assert place["W_Q"]["top"] < place["W_K"]["top"] < place["W_V"]["top"]
    for before, after in pairwise(DRAWN):
        a, b = place[before], place[after]
        assert b["left"] > a["left"] or b["top"] > a["top"], f"{after} after {before}"


def test_on_a_phone_all_stand_one_below_another(visit: Opener) -> None:
    """In the order of computation, with their cells in line."""
    here = visit("/Whole?v=1&cell=none", size=PHONE)
    places = here.evaluate(PLACES)
    assert [place["name"] for place in sorted(places, key=lambda place: place["top"])] == DRAWN
    for above, below in pairwise(places):
        assert above["bottom"] <= below["top"]
    first = {here.cell(key, 0, 0).evaluate("e => Math.round(e.offsetLeft)") for key in DRAWN}
    assert len(first) == 1


@pytest.mark.parametrize(
    ("path", "size"),
    [
        ("/Whole?v=1", DESKTOP),
        ("/Whole?v=1", PHONE),
        ("/Whole?v=1&example=cat", (768, 900)),
        (LONGEST, DESKTOP),
        (LONGEST, (768, 900)),
        (LONGEST, PHONE),
    ],
    ids=str,
)
def test_cells_are_alike_and_readable_at_every_size(
    visit: Opener, path: str, size: tuple[int, int]
) -> None:
    """One height on the whole board, no number cut off, and the page never moves sideways."""
    here = visit(path, size=size)
    cells = here.evaluate(CELLS)
    assert len(cells["heights"]) == 1
    assert cells["least"] >= 24
    assert cells["font"] >= 10
    assert cells["cut"] == []
    assert here.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_matrices_do_not_overlap(visit: Opener) -> None:
    """However long the tokens are, and however the stages wrap."""
    for path in (LONGEST, "/Whole?v=1&text=one"):
        places = visit(path).evaluate(PLACES)
        for at, a in enumerate(places):
            for b in places[at + 1 :]:
                apart = (
                    a["right"] <= b["left"]
                    or b["right"] <= a["left"]
                    or a["bottom"] <= b["top"]
                    or b["bottom"] <= a["top"]
                )
                assert apart, f"{a['name']} lies over {b['name']}"


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=str)
def test_the_derivation_stays_in_sight(visit: Opener, size: tuple[int, int]) -> None:
    """Also while the matrices are higher than the window; and it never covers the focus."""
    here = visit("/Whole?v=1", size=size)
    for key in ("W_Q", "K", "A", "U"):
        last = here.cell(key, 2, 2)
        last.focus()
        here.press("Enter")
        first = here.why.locator(".line").first
        expect(first).to_contain_text("=")
        cell, why, line = last.bounding_box(), here.why.bounding_box(), first.bounding_box()
        assert cell
        assert why
        assert line
        assert cell["y"] + cell["height"] <= why["y"]
        assert line["y"] + 30 <= size[1], f"{key} is explained out of sight"


def test_an_example_without_embeddings_starts_later(visit: Opener) -> None:
    """«Three tokens by hand» gives Q, K and V: nothing before, nothing after O."""
    here = visit("/Whole?v=1&example=hand&cell=none")
    names = [place["name"] for place in here.evaluate(PLACES)]
    assert names == ["Q", "K", "V", "S", "S_scaled", "S_masked", "A", "O"]


def test_the_focus_goes_through_a_board_of_stages(visit: Opener) -> None:
    """One tab stop a matrix, in the order of computation."""
    here = visit("/Whole?v=1&cell=none")
    here.cell("X", 0, 0).focus()
    for key in DRAWN[1:4]:
        here.press("Tab")
        expect(here.cell(key, 0, 0)).to_be_focused()


def test_equations_have_titles_and_tags(visit: Opener) -> None:
    """A heading over each equation, a quiet sentence below it, and what each matrix is."""
    here = visit("/Project?v=1")
    titles = here.board.get_by_role("heading", level=3)
    assert titles.count() == 4
    expect(titles.first).to_have_text("Queries: what each token looks for")
    blocks = here.board.locator(".line-block")
    expect(blocks.nth(3).locator(".line-note")).to_contain_text("«love»")
    expect(blocks.first.locator(".line-note")).to_be_hidden()
    expect(blocks.first.locator(".tag")).to_have_text(["input", "parameters", "activations"])

    def stands_in_one_line() -> bool:
        tops = blocks.first.locator("figure").evaluate_all("all => all.map(e => e.offsetTop)")
        return bool(max(tops) - min(tops) < 60)

    eventually(stands_in_one_line, gives=True)


def test_a_title_changes_in_place(visit: Opener) -> None:
    """A sentence that names numbers follows them, and the focus stays where it was."""
    here = visit("/Project?v=1&edit=1&cell=none&seen=Q:2,0;Q:2,1;Q:2,2")
    note = here.board.locator(".line-block").nth(3).locator(".line-note")
    before = note.text_content()
    cell = here.cell("X", 1, 1)
    cell.evaluate("e => { e.dataset.mine = 'yes'; }")
    cell.focus()
    here.press("9", "Enter")
    expect(note).not_to_have_text(before or "")
    expect(cell).to_be_focused()
    expect(cell).to_have_attribute("data-mine", "yes")


def test_what_is_asked_is_hidden_in_every_copy(visit: Opener) -> None:
    """Q stands in two equations of the page, and in the derivations of the scores."""
    here = visit("/Project?v=1&cell=S:2,1")
    hidden = here.board.get_by_role("gridcell").filter(has_text="?")
    assert hidden.count() == 6
    expect(here.line.locator(".num.role-q")).to_have_text(["?", "?", "?"])
    here.board.get_by_role("button", name="show me").click()
    expect(hidden).to_have_count(0)
    expect(here.cell("Q", 2, 0)).to_have_text("1")
