"""A served app and a real browser. Nothing here is skipped: without a Chromium the tests fail."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, expect, sync_playwright

from tests.browser.serving import FLAGS, chromium, served
from tests.browser.visit import DESKTOP, Opener, Visit, watched

expect.set_options(timeout=20_000)


@pytest.fixture(scope="session")
def app_url() -> Iterator[str]:
    """The address of a running app."""
    with served() as url:
        yield url


@pytest.fixture
def fresh_url() -> Iterator[str]:
    """The address of an app that nobody has opened yet. Ask for it before ``load``."""
    with served() as url:
        yield url


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of a worker."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield started
        started.close()


@pytest.fixture(scope="session")
def context(browser: Browser) -> Iterator[BrowserContext]:
    """All tabs share what the browser has loaded and compiled. The app stores nothing in it."""
    opened = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    yield opened
    opened.close()


def _dressed(here: Visit, size: tuple[int, int], theme: str, motion: str) -> Visit:
    """The page with a size, a theme and a taste for motion."""
    here.page.set_viewport_size({"width": size[0], "height": size[1]})
    here.page.emulate_media(
        media="screen",
        color_scheme="dark" if theme == "dark" else "light",
        reduced_motion="reduce" if motion == "reduce" else "no-preference",
    )
    return here


@pytest.fixture
def load(context: BrowserContext, app_url: str) -> Iterator[Opener]:
    """Load pages of the app in new tabs: ``load("/Score", size=PHONE, theme="dark")``."""
    opened: list[Visit] = []

    def start(
        path: str = "/Score",
        *,
        size: tuple[int, int] = DESKTOP,
        theme: str = "light",
        motion: str = "no-preference",
        root: str = app_url,
    ) -> Visit:
        opened.append(_dressed(watched(context, root), size, theme, motion))
        return opened[-1].open(path)

    yield start
    for here in opened:
        here.page.close()
    for here in opened:
        here.expect_clean()


@pytest.fixture(scope="session")
def _kept() -> list[Visit]:
    """The tab that tests of a worker hand on, if the last one left it whole."""
    return []


@pytest.fixture
def visit(_kept: list[Visit], context: BrowserContext, app_url: str) -> Iterator[Opener]:
    """Open a page of the app in a tab that is open: ten times as quick as ``load``.

    The link is the whole state, so what an earlier test did is gone. Between two tests of one page
    a page without a board is shown.
    """
    opened: list[Visit] = []

    def start(
        path: str = "/Score",
        *,
        size: tuple[int, int] = DESKTOP,
        theme: str = "light",
        motion: str = "no-preference",
    ) -> Visit:
        again = bool(_kept)
        here = _kept.pop() if again else watched(context, app_url)
        opened.append(_dressed(here, size, theme, motion))
        return here.arrive(path) if again else here.open(path)

    yield start
    *others, last = opened
    for here in others:
        here.page.close()
    try:
        last.leave()
    except BaseException:
        last.page.close()
        raise
    for here in opened:
        here.expect_clean()
    _kept.append(last)
