"""A page is drawn piece by piece: what it shows is read again until it is right."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic, sleep

PATIENCE = 20  # seconds, as for Playwright's own expectations


def eventually(read: Callable[..., object], *args: object, gives: object) -> None:
    """``eventually(here.numbers, "S", gives=[["1"]])`` fails when it does not come to that."""
    until = monotonic() + PATIENCE
    while (found := read(*args)) != gives and monotonic() < until:
        sleep(0.05)
    assert found == gives, args
