"""The first load of a page in a real browser, in bytes, against an empty page's."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page

from benchmarks.browser import chromium
from benchmarks.report import Row
from benchmarks.served import APP, EMPTY, served
from benchmarks.server import PAGE

_AIM = 1.15
_PATIENCE = 60_000  # ms until the page must stand
_QUIET = 1_500  # ms without a byte: all is loaded
_CLICKS = 5


@dataclass
class _Wire:
    """Counts what reaches a tab: files as they travel (compressed), and websocket frames."""

    files: dict[str, float] = field(default_factory=dict)
    frames: float = 0.0
    _urls: dict[str, str] = field(default_factory=dict)

    def listen(self, cdp: CDPSession) -> None:
        """Start counting."""
        cdp.on("Network.requestWillBeSent", self._asked)
        cdp.on("Network.loadingFinished", self._loaded)
        cdp.on("Network.webSocketFrameReceived", self._framed)
        cdp.send("Network.enable")

    @property
    def total(self) -> float:
        """Everything, in bytes."""
        return sum(self.files.values()) + self.frames

    def _asked(self, event: dict[str, Any]) -> None:
        self._urls[event["requestId"]] = event["request"]["url"]

    def _loaded(self, event: dict[str, Any]) -> None:
        url = self._urls.get(event["requestId"], "")
        self.files[url] = self.files.get(url, 0.0) + event["encodedDataLength"]

    def _framed(self, event: dict[str, Any]) -> None:
        frame = event["response"]
        data = frame["payloadData"]
        self.frames += len(base64.b64decode(data) if frame["opcode"] == 2 else data)


def measure() -> list[Row]:
    """Open both pages in fresh contexts, then click on ours."""
    with served(APP) as app, served(EMPTY) as empty, chromium() as browser:
        nothing, _ = _open(browser, empty.url, "text=hi")
        ours, page = _open(browser, f"{app.url}/{PAGE}", "[role=gridcell]")
        first = ours.total
        extra = sorted(_by_name(ours, nothing).items(), key=lambda item: -item[1])
        files = len(ours.files)
        for k in range(_CLICKS):
            page.locator("[role=gridcell]").nth(k).click()
            page.wait_for_timeout(400)
        clicked = ours.total - first
    largest = ", ".join(f"{name} {size / 1e3:.0f} kB" for name, size in extra[:6])
    return [
        Row(
            "first load",
            first / 1e3,
            nothing.total / 1e3,
            "kB",
            _AIM,
            f"{files} files against {len(nothing.files)}; beyond the empty page: {largest}",
        ),
        Row("files asked for in 5 clicks", len(ours.files) - files, None, "", 0),
        Row("bytes a click in the browser", clicked / _CLICKS / 1e3, None, "kB"),
    ]


def _open(browser: Browser, url: str, sign: str) -> tuple[_Wire, Page]:
    """Open a page with an empty cache and wait until its sign stands and nothing more comes."""
    context = browser.new_context()
    page = context.new_page()
    wire = _Wire()
    wire.listen(context.new_cdp_session(page))
    page.goto(url, timeout=_PATIENCE)
    page.locator(sign).first.wait_for(timeout=_PATIENCE)
    before = -1.0
    while before != wire.total:
        before = wire.total
        page.wait_for_timeout(_QUIET)
    return wire, page


def _by_name(ours: _Wire, plain: _Wire) -> dict[str, float]:
    """What our page loads beyond the empty one, by file name."""

    def named(wire: _Wire) -> dict[str, float]:
        files = {url.rpartition("/")[2]: size for url, size in wire.files.items()}
        return files | {"websocket": wire.frames}

    theirs = named(plain)
    return {name: size - theirs.get(name, 0.0) for name, size in named(ours).items()}
