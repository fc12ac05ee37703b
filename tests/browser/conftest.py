"""A served app and a real browser. Nothing here is skipped: without a Chromium the tests fail."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

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


def _new_page(browser: Browser, root: str) -> Visit:
    """A page in a context of its own, as for somebody who comes for the first time."""
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    return watched(context, root)


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
def load(browser: Browser, app_url: str) -> Iterator[Opener]:
    """Load pages of the app anew: ``load("/Score", size=PHONE, theme="dark")``."""
    opened: list[Visit] = []

    def start(
        path: str = "/Score",
        *,
        size: tuple[int, int] = DESKTOP,
        theme: str = "light",
        motion: str = "no-preference",
        root: str = app_url,
    ) -> Visit:
        opened.append(_dressed(_new_page(browser, root), size, theme, motion))
        return opened[-1].open(path)

    yield start
    for here in opened:
        here.page.context.close()
    for here in opened:
        here.expect_clean()


@pytest.fixture(scope="session")
def _kept(browser: Browser, app_url: str) -> Iterator[list[Visit]]:
    """The page that tests of a worker hand on, if the last one left it whole."""
    kept: list[Visit] = []
    yield kept
    for here in kept:
        here.page.context.close()


@pytest.fixture
def visit(_kept: list[Visit], browser: Browser, app_url: str) -> Iterator[Opener]:
    """Open a page of the app in a tab that is open: ten times as quick as ``load``.

    The link is the whole state, so what an earlier test did is gone. Between two tests the page
    without a board is shown.
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
        here = _kept.pop() if again else _new_page(browser, app_url)
        opened.append(_dressed(here, size, theme, motion))
        return here.arrive(path) if again else here.open(path)

    yield start
    *others, last = opened
    for here in others:
        here.page.context.close()
    try:
        last.leave()
    except BaseException:
        last.page.context.close()
        raise
    for here in opened:
        here.expect_clean()
    _kept.append(last)
