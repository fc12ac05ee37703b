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
    """The address of an app that nobody has opened yet. Ask for it before ``visit``."""
    with served() as url:
        yield url


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of a worker."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def visit(browser: Browser, app_url: str) -> Iterator[Opener]:
    """Open pages of the app: ``visit("/Score", size=PHONE, theme="dark")``."""
    opened: list[Visit] = []

    def start(
        path: str = "/Score",
        *,
        size: tuple[int, int] = DESKTOP,
        theme: str = "light",
        motion: str = "no-preference",
        root: str = app_url,
    ) -> Visit:
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if theme == "dark" else "light",
            reduced_motion="reduce" if motion == "reduce" else "no-preference",
            permissions=["clipboard-read", "clipboard-write"],
        )
        opened.append(watched(context, root))
        return opened[-1].open(path)

    yield start
    for here in opened:
        here.page.context.close()
    for here in opened:
        here.expect_clean()


@pytest.fixture(scope="module")
def _one_page(browser: Browser, app_url: str) -> Iterator[Visit]:
    context = browser.new_context(viewport={"width": DESKTOP[0], "height": DESKTOP[1]})
    yield watched(context, app_url)
    context.close()


@pytest.fixture
def shared(_one_page: Visit) -> Iterator[Visit]:
    """One page for many tests, where each of them opens an address: quicker than ``visit``."""
    yield _one_page
    _one_page.expect_clean()
