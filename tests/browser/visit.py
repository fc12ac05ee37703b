"""An open page of the app, in the words that the tests use."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from playwright.sync_api import BrowserContext, Dialog, Locator, Page, WebSocket
from playwright.sync_api import TimeoutError as TimeoutError_

from ui.pages import PAGES
from ui.settings import VIEW

DESKTOP, PHONE = (1280, 900), (360, 740)
# Streamlit looks for its server below the page's own address first, when a page is opened directly.
PROBES = tuple(
    f"/{page.address}/_stcore/{probe}" for page in PAGES for probe in ("health", "host-config")
)

# Pages that show no board.
_PLAIN = {f"/{page.address}" for page in PAGES if not page.board}


def has_board(path: str) -> bool:
    """Whether the page of a path shows a board."""
    return urlsplit(path).path not in _PLAIN


# Every cell of the board by its reference: `S:0,1` is the first row, second column of S.
_CELLS = """board => {
  const found = {};
  for (const grid of board.querySelectorAll("[role=grid]")) {
    const name = grid.getAttribute("aria-label").split(",")[0];
    [...grid.querySelectorAll("[role=row]")].slice(1).forEach((row, i) =>
      row.querySelectorAll("[role=gridcell]").forEach((cell, j) => {
        (found[`${name}:${i},${j}`] ??= []).push(ATTRIBUTE);
      }));
  }
  return found;
}"""

# Follows a path without a reload, and notes the run that this starts, however short.
_GO = """path => {
  window.ran = false;
  const still = "notRunning";
  new MutationObserver((changes, watch) => {
    window.ran = changes.some(({ oldValue, target }) =>
      oldValue === still || target.dataset.testScriptState !== still);
    if (window.ran) watch.disconnect();
  }).observe(document.body, {
    attributeFilter: ["data-test-script-state"], attributeOldValue: true, subtree: true,
  });
  history.pushState({}, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
}"""

# The page has the height that it had two frames ago.
_STILL = """() => new Promise(done => {
  const height = () => document.querySelector("[data-testid=stMain]").scrollHeight;
  const was = height();
  requestAnimationFrame(() => requestAnimationFrame(() => done(height() === was)));
})"""


@dataclass
class Visit:
    """One open page, with what went wrong on it."""

    page: Page
    root: str
    errors: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    sent: list[str | bytes] = field(default_factory=list)  # websocket frames to the server
    dialogs: list[str] = field(default_factory=list)

    def open(self, path: str) -> Visit:
        """Go to a path of the app and wait for what it shows."""
        self.page.goto(self.root + path)
        return self.wait(has_board(path))

    def go(self, path: str) -> Visit:
        """Go to a path as the app's own links do: without a reload, where a page is open."""
        if not self.page.url.startswith(self.root):
            return self.open(path)
        self.page.evaluate(_GO, path)
        with suppress(TimeoutError_):  # a browser that was busy shows the end of the run only
            self.page.wait_for_function("window.ran", timeout=1500)
        self.page.locator(".stApp[data-test-script-state=notRunning]").wait_for()
        return self.wait(has_board(path))

    def wait(self, board: bool = True) -> Visit:
        """Wait for the page, and for its board when it has one, or the vote that opens it."""
        self.page.locator("h1.question").wait_for()
        if board:
            self.page.locator("[role=grid], .ask:has(+ .card[hidden])").first.wait_for()
        return self

    def arrive(self, path: str) -> Visit:
        """Go to a path as somebody who has not been there: who comes back finds the place again.

        A link that names a place leads there instead. What is there stands still.
        """
        parts = urlsplit(path)
        if set(VIEW).isdisjoint(name for name, _ in parse_qsl(parts.query)):
            parts = parts._replace(query="&".join(filter(None, [parts.query, "step="])))
        here = self.go(parts.geturl())
        here.page.wait_for_function(_STILL)
        return here

    def leave(self) -> None:
        """Leave nothing to the next test: no board, no focus, no key or pointer anywhere."""
        self.page.mouse.move(0, 0)
        self.go("/Examples?v=1")
        self.board.wait_for(state="detached")
        self.page.evaluate("document.activeElement.blur()")
        self.sent.clear()

    def settle(self) -> None:
        """Wait until the server has nothing left to say and nothing moves or fades."""
        self.page.locator(".stApp[data-test-script-state=notRunning]").wait_for()
        self.page.wait_for_function("document.getAnimations().length === 0")

    def reload(self) -> Visit:
        """Load the same address again."""
        self.page.reload()
        return self.wait(has_board(self.page.url))

    def expect_clean(self) -> None:
        """Nothing went wrong since the last time one asked."""
        wrong = (self.errors[:], self.foreign[:], self.dialogs[:])
        for noted in (self.errors, self.foreign, self.dialogs):
            noted.clear()
        assert wrong[0] == [], "errors in the browser's console"
        assert wrong[1] == [], "requests that left the server's origin"
        assert wrong[2] == [], "a dialog opened: something ran that was only text"

    @property
    def board(self) -> Locator:
        """Card and question together."""
        return self.page.locator(".board")

    @property
    def why(self) -> Locator:
        """The panel with the derivation."""
        return self.board.locator(".why")

    @property
    def line(self) -> Locator:
        """The equation of the pinned cell."""
        return self.why.locator(".text > .line")

    @property
    def ask(self) -> Locator:
        """The question below the card."""
        return self.board.locator(".ask")

    @property
    def problem(self) -> Locator:
        """The line that says what is wrong with a typed text."""
        return self.board.locator(".problem")

    @property
    def live(self) -> Locator:
        """What a screen reader speaks."""
        return self.board.locator("[role=status]")

    @property
    def notices(self) -> Locator:
        """The messages above the page."""
        return self.page.locator("ul.notices li")

    def button(self, name: str) -> Locator:
        """A visible button of the board, by its whole name."""
        return self.board.get_by_role("button", name=name, exact=True)

    def grid(self, matrix: str) -> Locator:
        """The first matrix with this name (``S``)."""
        return self.page.locator(f'[role=grid][aria-label^="{matrix},"]').first

    def cell(self, matrix: str, row: int, col: int) -> Locator:
        """A cell of a matrix, counted from 0."""
        return self.grid(matrix).get_by_role("row").nth(row + 1).get_by_role("gridcell").nth(col)

    def column_labels(self, matrix: str) -> list[str]:
        """The headings of a matrix's columns, word for word."""
        return self.grid(matrix).get_by_role("columnheader").all_text_contents()

    def row_labels(self, matrix: str) -> list[str]:
        """The headings of a matrix's rows, word for word."""
        return self.grid(matrix).get_by_role("rowheader").all_text_contents()

    def numbers(self, matrix: str) -> list[list[str]]:
        """What stands in the cells of a matrix."""
        rows = self.grid(matrix).get_by_role("row").all()[1:]
        return [row.locator("[role=gridcell] > span").all_text_contents() for row in rows]

    def every(self, attribute: str) -> dict[str, str]:
        """The cells that have an attribute (``data-lit``), with its value. Copies must agree."""
        script = _CELLS.replace("ATTRIBUTE", f"cell.getAttribute({attribute!r})")
        found: dict[str, list[str | None]] = self.board.evaluate(script)
        assert all(len(set(values)) == 1 for values in found.values()), "copies of a cell differ"
        return {ref: values[0] for ref, values in found.items() if values[0] is not None}

    def query(self) -> dict[str, str]:
        """The parameters in the address.

        Asked of the browser: Playwright's own note of the address stands still while a test sleeps.
        """
        search = str(self.page.evaluate("location.search"))
        return dict(parse_qsl(search.removeprefix("?"), keep_blank_values=True))

    def wait_link(self, **wanted: str | None) -> None:
        """Wait until the address has these parameters (``None``: has it not)."""

        def same(url: str) -> bool:
            have = dict(parse_qsl(urlsplit(url).query, keep_blank_values=True))
            return all(have.get(name) == value for name, value in wanted.items())

        try:
            self.page.wait_for_url(same, timeout=20_000, wait_until="commit")
        except TimeoutError_ as late:
            raise AssertionError(f"wanted {wanted} in the link, got {self.query()}") from late

    def focused(self) -> str:
        """The name of what has the focus, looked up inside the board too."""
        script = """() => {
          let el = document.activeElement;
          while (el?.shadowRoot?.activeElement) el = el.shadowRoot.activeElement;
          return el?.getAttribute("aria-label") || el?.textContent || "";
        }"""
        return str(self.page.evaluate(script))

    def press(self, *keys: str) -> None:
        """Press keys, one after the other, wherever the focus is."""
        for key in keys:
            self.page.keyboard.press(key)

    def tab_to(self, name: str, limit: int = 80) -> None:
        """Press Tab until something whose name starts so has the focus."""
        seen = []
        for _ in range(limit):
            if self.focused().startswith(name):
                return
            self.press("Tab")
            seen.append(self.focused())
        raise AssertionError(f"«{name}» cannot be reached by Tab. Passed: {seen}")

    def evaluate(self, script: str, argument: Any = None) -> Any:
        """Run a script on the board's root element."""
        return self.board.evaluate(script, argument)


Opener = Callable[..., Visit]


def watched(context: BrowserContext, root: str) -> Visit:
    """A new page that notes everything that must not happen, and what it tells the server."""
    here = Visit(context.new_page(), root)

    def console(kind: str, text: str, url: str) -> None:
        if kind == "error" and not url.endswith(PROBES):
            here.errors.append(f"{text} {url}")

    def request(url: str) -> None:
        own = (here.root, here.root.replace("http", "ws"), "data:", "blob:")
        if not url.startswith(own):
            here.foreign.append(url)

    def dialog(opened: Dialog) -> None:
        here.dialogs.append(opened.message)
        opened.dismiss()

    def websocket(socket: WebSocket) -> None:
        request(socket.url)
        socket.on("framesent", lambda frame: here.sent.append(frame))

    here.page.on("console", lambda m: console(m.type, m.text, m.location.get("url", "")))
    here.page.on("pageerror", lambda error: here.errors.append(str(error)))
    here.page.on("request", lambda r: request(r.url))
    here.page.on("websocket", websocket)
    here.page.on("dialog", dialog)
    return here
