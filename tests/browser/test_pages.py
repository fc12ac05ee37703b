"""How pages look and read: axe, contrast, sizes and overflow, in both themes, wide and narrow."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, expect

from tests.browser.visit import DESKTOP, PHONE, Visit, has_board, watched
from ui.pages import PAGES

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
# Axe's slowest rule leaves out what it cannot judge: colours are looked at by `expect_readable`.
COLOURS = "color-contrast"
RULES = {
    "runOnly": {"type": "tag", "values": TAGS},
    "rules": {COLOURS: {"enabled": False}},
    "resultTypes": ["violations"],
}
# What can differ on a phone, where the same elements stand otherwise.
NARROW = {
    "runOnly": ["target-size", "scrollable-region-focusable", "aria-hidden-focus", "meta-viewport"],
    "resultTypes": ["violations"],
}
CONTRAST = (Path(__file__).parent / "contrast.js").read_text()
LONG = "one two three four five six seven eight nine ten eleven internationalization"
LARGE = f"&example=own&text={LONG}&d_model=8&d_k=8&edits=X:0,0%3D-999.125"
# Less of it, for boards that show most matrices twice: axe looks at every cell.
HALF = " ".join([*LONG.split()[:3], LONG.split()[-1]])
WIDE = f"&example=own&text={HALF}&d_model=8&d_k=8&d_v=8&edits=X:0,0%3D-999.125"
# The same sentence, frozen before the mask and the edit.
FROZEN = quote(f"v=1&example=own&text={HALF}&d_model=8&d_k=8&d_v=8")


def typing(here: Visit) -> None:
    """An editor is open and has refused a text."""
    cell = here.cell("X", 0, 1)
    cell.click()
    cell.get_by_role("textbox").fill("abc")
    cell.get_by_role("textbox").press("Enter")
    expect(here.problem).to_be_visible()


def wrong(here: Visit) -> None:
    """The question was answered wrongly."""
    here.ask.get_by_role("textbox").fill("7")
    here.ask.get_by_role("button", name="Check").click()
    expect(here.ask).to_contain_text("Not that one")


def kept(here: Visit) -> None:
    """A token is kept lit."""
    here.grid("S").get_by_role("columnheader").first.get_by_role("button").click()
    expect(here.grid("S").locator("[aria-pressed=true]")).not_to_have_count(0)


def not_so(here: Visit) -> None:
    """The wrong option was chosen."""
    here.ask.get_by_role("button", name="Another token").click()
    expect(here.ask).to_contain_text("Not so")


def less(here: Visit) -> None:
    """It was said what the row adds up to, and the row is open."""
    here.ask.get_by_role("button", name="Less than 1").click()
    expect(here.cell("Z_late", 0, 0)).to_have_text("0.070")


def another(here: Visit) -> None:
    """The right option was chosen, and the second run is open."""
    here.ask.get_by_role("button", name="Another one").click()
    expect(here.cell("O_diff", 0, 0)).not_to_have_text("?")


def changed(here: Visit) -> None:
    """It was said that an earlier output changes, and the differences are open."""
    here.ask.get_by_role("button", name="It changes").click()
    expect(here.cell("O_diff", 0, 0)).not_to_have_text("?")


def most(here: Visit) -> None:
    """The token whose output changes most was not found, and the other was."""
    for name in ("AI", "I"):
        here.ask.get_by_role("button", name=name, exact=True).click()
    expect(here.ask).to_contain_text("«I» changes most")


def clicked(here: Visit) -> None:
    """A key was blocked by a click."""
    here.cell("M", 1, 0).click()
    expect(here.cell("S_masked", 1, 0)).to_have_text("−∞")
    here.settle()


def asked(here: Visit) -> None:
    """The question of a chart was answered wrongly."""
    here.page.locator(".chart .ask").get_by_role("button", name="It stays").click()
    expect(here.page.locator(".chart .said")).to_contain_text("Not that")


def counted(here: Visit) -> None:
    """All questions of the charts are open, and one was answered wrongly."""
    here.page.locator(".chart .ask").nth(2).wait_for()
    here.page.get_by_role("button", name="×2", exact=True).click()
    expect(here.page.locator(".chart .said").first).to_contain_text("Not that")


def voted(here: Visit) -> None:
    """The right option was chosen, and the board is open."""
    here.ask.get_by_role("button", name="False").click()
    expect(here.ask).to_contain_text("Right. It is false.")


def voted_wrongly(here: Visit) -> None:
    """The wrong option was chosen: the board stays closed."""
    here.ask.get_by_role("button", name="True").click()
    expect(here.ask).to_contain_text("Not so.")


def charted(here: Visit) -> None:
    """The charts are drawn, and their tables open."""
    here.page.locator(".chart .js-plotly-plot").last.wait_for()
    for summary in here.page.locator(".chart summary").all():
        summary.click()


def alike(here: Visit) -> None:
    """The wrong option was chosen."""
    here.ask.get_by_role("button", name="Yes, 5 too").click()
    expect(here.ask).to_contain_text("Not so")


# The states of all pages that differ in what stands on the screen.
STATES: dict[str, tuple[str, Callable[[Visit], None] | None]] = {
    "start": ("/?v=1", None),
    "notice": ("/?v=1&d_k=99", None),
    "wrong answer": ("/Score?v=1", wrong),
    "editing": ("/Score?v=1&edit=1&open=1&edits=X:0,0%3D2.5&cell=X:0,0", typing),
    "stepping": ("/Score?v=1&step=5&cell=S:1,1&decimals=1", None),
    "masked and marked": ("/Score?v=1&mask=causal&largest=1&example=cat&cell=S:1,3", kept),
    "embed": ("/Embed?v=1", None),
    "project": ("/Project?v=1&example=cat&tied=1", None),
    "scale": ("/Scale?v=1&scale=0.25", not_so),
    "mask": ("/Mask?v=1&mask=custom&allow=000.110.111&cell=A:0,0", clicked),
    "mix": ("/Mix?v=1&cell=O:0,1", None),
    "whole": ("/Whole?v=1&cell=O:0,1&seen=O&code=module", None),
    "whole, twelve tokens": (f"/Whole?v=1{LARGE}&d_v=8&mask=causal&cell=O:11,7", None),
    "examples": ("/Examples?v=1", None),
    "playground": ("/Playground?v=1&text=no+no+no+no&scale=off&edit=1", None),
    "playground, two states": ("/Playground?v=1&mask=causal&was=v%3D1&cell=M_diff:0,1", most),
    "playground, two large states": (
        f"/Playground?v=1{WIDE}&mask=window&was={FROZEN}&cell=A_diff:0,0",
        None,
    ),
    "why the root, asked": ("/Root?v=1", asked),
    "why the root": ("/Root?v=1&told=1&sweep=256", charted),
    "blends": ("/Blend?v=1&told=1&sweep=%2B2&example=cat&pull=1", charted),
    "mask errors": ("/Masks?v=1&mask=causal&cell=A_late:1,0", less),
    "mask errors, wrong sign": ("/Masks?v=1&error=sign&mask=padding&example=hand&maths=1", None),
    "mask errors, corners": (f"/Masks?v=1{LARGE}&error=corner&cell=S_top:0,3", None),
    "sharpen, shift": ("/Sharpen?v=1&part=shift&edits=s:0,0%3D10000;s:0,1%3D-10000&edit=1", None),
    "directed": ("/Directed?v=1&cell=C:0,1&open=1", alike),
    "directed, tied": ("/Directed?v=1&example=cat&tied=1&cell=len_QK:1,2", None),
    "misconceptions, not voted": ("/Misconceptions?v=1&claim=thinks", voted_wrongly),
    "misconceptions": ("/Misconceptions?v=1&claim=late&mask=causal", voted),
    "glossary": ("/Glossary?v=1&example=hand#term-mask", None),
    "order": ("/Order?v=1&text=dog+bites+man&positions=1&cell=Pos:2,2", another),
    "order, large": (f"/Order?v=1{WIDE}&mask=causal&order=rotated", None),
    "stream": ("/Stream?v=1&layers=2&mask=causal&cell=U_2:1,2", None),
    "heads, four": (f"/Heads?v=1{WIDE}&h=4&mask=causal&cell=O_heads:1,2", None),
    "grouped keys": (
        f"/Grouped?v=1{WIDE}&h=4&kv_heads=2&cell=S_3:1,0&heads=64&width=128&sweep=8",
        charted,
    ),
    "cross-attention": (
        "/Cross?v=1&example=cat&source=Die+%3Cb%3EKatze%3C/b%3E+setzte+sich+hin&pad=1&cell=A:1,2",
        None,
    ),
    "columns": ("/Convention?v=1&example=cat&mask=causal&largest=1&cell=A:1,0&seen=A;O", None),
    "cache": ("/Cache?v=1&example=cat&at=4&causal=0&mask=window", changed),
    "soft cap": ("/Softcap?v=1&example=cat&mask=causal&cap=0.5&cell=S_tanh:1,0", None),
    "sink": ("/Sink?v=1&mask=custom&allow=000.110.111&sink=3&cell=A_all:0,3", None),
    "gradients": ("/Gradients?v=1&example=cat&mask=causal&whose=1&aim=2&cell=dW_K:0,1", None),
    "online": ("/Online?v=1&example=cat&query=3&mask=window&cell=c_run_2:0,0", charted),
    "positions": (
        "/Positions?v=1&example=cat&encoding=halves&cell=Q_rot:2,3&maths=1&told=1&sweep=3",
        charted,
    ),
    "exact numbers": (f"/Exact?v=1{WIDE}&mask=causal&cell=O:5,1", None),
    "costs, asked": ("/Cost?v=1", counted),
    "costs": (
        "/Cost?v=1&told=1&told2=1&told3=1&sweep2=1000000&heads=32&width=128&example=cat",
        charted,
    ),
    "worksheet": (f"/Worksheet?v=1{WIDE}&mask=causal&exact=1&base=2&answers=1", None),
    "the maths": ("/Softmax?v=1&shift=1&mask=causal&cell=A:2,0&maths=1", None),
    "twelve tokens": (f"/Score?v=1{LARGE}&largest=1&cell=S:0,0", None),
}
# Streamlit's colours fade into each other. Only what they come to is looked at.
AT_ONCE = """addEventListener("DOMContentLoaded", () => {
  const style = document.createElement("style");
  style.textContent = "* { transition: none !important; }";
  document.head.append(style);
});"""


# Colours do not depend on the width: wide windows are dark and phones light.
_WIDE, _NARROW = (DESKTOP, "dark"), (PHONE, "light")


@pytest.fixture(scope="module", params=(_WIDE, _NARROW), ids=lambda screen: str(screen[0][0]))
def screen(request: pytest.FixtureRequest, browser: Browser, app_url: str) -> Iterator[Visit]:
    """A page of one width and theme, for all states."""
    (width, height), theme = request.param
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=theme,
        has_touch=width < 500,
        reduced_motion="reduce",
    )
    context.add_init_script(AT_ONCE)
    yield watched(context, app_url)
    context.close()


def let_go(here: Visit) -> None:
    """Let everything stand in its own place.

    What stays in sight while one scrolls covers some cells, and axe would take these for small.
    """
    script = """board => {
      for (const el of board.querySelectorAll(".card > .why, .tools")) el.style.position = "static";
    }"""
    here.evaluate(script)


def violations(here: Visit, rules: dict[str, Any] = RULES) -> list[str]:
    """What axe finds on the whole page, with the first element of each finding."""
    found: list[dict[str, Any]] = Axe().run(here.page, options=rules).response["violations"]
    return [f"{v['id']} ×{len(v['nodes'])}: {v['nodes'][0]['html'][:160]}" for v in found]


def small_cells(here: Visit) -> list[str]:
    """Cells and label buttons that a finger misses: below 24 px in a direction."""
    script = """board => [...board.querySelectorAll(".cell, .grid button")]
      .filter(el => el.checkVisibility())
      .map(el => [el.getAttribute("aria-label") ?? el.textContent, el.getBoundingClientRect()])
      .filter(([, box]) => box.width < 24 || box.height < 24)
      .map(([name, box]) => `${name}: ${box.width} × ${box.height}`)"""
    return list(here.evaluate(script))


def cut_numbers(here: Visit) -> list[str]:
    """Numbers that are wider than their cell."""
    script = """board => [...board.querySelectorAll(".cell > span")]
      .filter(el => el.checkVisibility() && el.scrollWidth > 0)
      .filter(el => el.getBoundingClientRect().width > el.parentElement.clientWidth + .5)
      .map(el => el.textContent)"""
    return list(here.evaluate(script))


def expect_readable(here: Visit) -> None:
    """Every text stands out from its ground at 4.5:1, and the page does not scroll sideways."""
    poor = here.page.evaluate(f"({CONTRAST})(4.5)")
    for _ in range(10):  # Streamlit may still be taking the theme up on a busy machine
        if not poor["poor"]:
            break
        here.page.wait_for_timeout(300)
        poor = here.page.evaluate(f"({CONTRAST})(4.5)")
    assert poor["count"] > 10, "the contrast check saw no text"
    assert poor["poor"] == []
    # The page's own scroller, not the window: Streamlit scrolls inside stMain.
    for part in ("html", "[data-testid=stMain]", "[data-testid=stMainBlockContainer]"):
        needed, had = here.page.locator(part).first.evaluate("e => [e.scrollWidth, e.clientWidth]")
        assert needed <= had, f"{part} scrolls sideways"


def expect_usable(here: Visit) -> None:
    """Cells are large enough, numbers fit into them, and the board stands inside the window."""
    assert small_cells(here) == []
    assert cut_numbers(here) == []
    card = here.board.locator(":is(.card, .ask):not([hidden])").first.bounding_box()
    assert card is not None
    assert card["x"] >= 0
    assert card["x"] + card["width"] <= here.page.evaluate("innerWidth")


def test_every_page_has_a_state() -> None:
    seen = {urlsplit(path).path for path, _ in STATES.values()}
    missing = {f"/{page.address.removeprefix('./')}" for page in PAGES} - seen
    assert not missing, f"give {missing} a row in STATES"


# On a phone each page once, in its last state; wide, all of them.
_LAST = {urlsplit(path).path: state for state, (path, _) in STATES.items()}
# Axe looks at every cell. On a larger board there are more of them, and no others.
_AXE = _LAST | {
    urlsplit(path).path: state
    for state, (path, _) in STATES.items()
    if HALF not in path and LONG not in path
}
# What can differ for axe on a phone: text, boards, charts, paper.
_NARROW_AXE = ("examples", "twelve tokens", "costs", "worksheet")
_CASES = [(_WIDE, state) for state in STATES] + [(_NARROW, state) for state in _LAST.values()]


@pytest.mark.parametrize(
    ("screen", "state"),
    _CASES,
    indirect=["screen"],
    ids=lambda value: str(value[0][0]) if isinstance(value, tuple) else value,
)
def test_a_page_is_readable_by_everyone(screen: Visit, state: str) -> None:
    """Every text at 4.5:1, cells for fingers, nothing cut, no sideways scroll, no axe violation.

    Axe takes most of the time: it looks at each page wide, once, and on a phone at each kind of
    part.
    """
    path, act = STATES[state]
    here = screen.go(path)
    if act:
        act(here)
    if has_board(path):
        let_go(here)
    here.settle()
    expect_readable(here)
    narrow = here.page.evaluate("innerWidth") == PHONE[0]
    if narrow and state in _NARROW_AXE:
        assert violations(here, NARROW) == []
    elif not narrow and state in _AXE.values():
        assert violations(here) == []
    if has_board(path):
        expect_usable(here)
    here.expect_clean()


def test_axe_finds_no_poor_colour_either(screen: Visit) -> None:
    here = screen.go("/Score?v=1&open=1&largest=1&mask=causal&maths=1")
    let_go(here)
    assert violations(here, {"runOnly": [COLOURS, "link-in-text-block"]}) == []


def test_a_large_board_with_its_origins_fits(screen: Visit) -> None:
    """Twelve tokens and eight components in nine matrices: nothing spills over."""
    here = screen.open(f"/Score?v=1{LARGE}&open=1&cell=S:0,0&decimals=4")
    here.settle()
    expect_readable(here)
    expect_usable(here)
    here.expect_clean()


def test_a_tap_pins(screen: Visit) -> None:
    """No hover is needed: a finger (or a click) is enough to see a derivation."""
    here = screen.open("/Score?v=1&cell=none")
    cell = here.cell("S", 1, 2)
    if here.page.evaluate("navigator.maxTouchPoints"):
        cell.tap()
    else:
        cell.click()
    expect(here.line).to_have_text("Slove, AI = qlove · kAI = 0·1 + 2·1 + 1·1 = 3")
    here.wait_link(cell="S:1,2")


def test_the_focus_is_seen(screen: Visit) -> None:
    """On cells, labels, buttons and fields: an outline of 2 px or more, 3:1 against the page."""
    here = screen.open("/Score?v=1&cell=S:0,1&open=1")
    here.page.locator("h1.question").click()
    here.tab_to(here.cell("Q", 0, 0).get_attribute("aria-label") or "")
    script = """() => {
      let el = document.activeElement;
      while (el.shadowRoot?.activeElement) el = el.shadowRoot.activeElement;
      const style = getComputedStyle(el);
      return [style.outlineStyle, parseFloat(style.outlineWidth), style.outlineColor];
    }"""
    ratio = """colours => {
      const pen = document.createElement("canvas").getContext("2d");
      const light = colours.map(c => {
        pen.fillStyle = c; pen.fillRect(0, 0, 1, 1);
        const [r, g, b] = [...pen.getImageData(0, 0, 1, 1).data].map(v => {
          const s = v / 255;
          return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      }).sort((a, b) => a - b);
      return (light[1] + 0.05) / (light[0] + 0.05);
    }"""
    paper = here.page.locator(".stApp").evaluate("e => getComputedStyle(e).backgroundColor")
    steps = ["Q cell", "its label", "Kᵀ", "S", "origins", "step", "edit"]
    for at, what in enumerate(steps):
        style, width, colour = here.page.evaluate(script)
        assert (style != "none" and width >= 2) is True, f"{what}: no outline"
        assert here.page.evaluate(ratio, [paper, colour]) >= 3, what
        here.press("ArrowLeft" if at == 0 else "Tab")
