"""Where Chromium is, and starting it without a window."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright


def chromium_path() -> str | None:
    """The Chromium to use: $CHROMIUM, else the system's, else ``None`` (Playwright's own)."""
    named = os.environ.get("CHROMIUM")
    if named:
        return named
    found = map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))
    return next(filter(None, found), None)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A headless Chromium, closed at the end."""
    # Root (as in a container) can only run it without its sandbox; all it opens is loopback.
    args = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=args)
        try:
            yield browser
        finally:
            browser.close()
