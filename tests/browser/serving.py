"""Starting the app, and finding a browser to look at it with."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
# Without these Chromium calls home at every start. The sandbox cannot start as root.
FLAGS = ["--no-sandbox", "--disable-background-networking", "--disable-component-update"]


def chromium() -> str | None:
    """The system's Chromium, or ``None`` for the one that Playwright installed."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


def serve(port: int) -> subprocess.Popen[bytes]:
    """Start the app on a port and wait until it answers."""
    command = [sys.executable, "-m", "streamlit", "run", "app.py"]
    options = ["--server.port", str(port), "--server.headless", "true"]
    server = subprocess.Popen(
        [*command, *options], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    health = f"http://localhost:{port}/_stcore/health"
    for _ in range(120):
        try:
            with urllib.request.urlopen(health, timeout=2):
                return server
        except OSError:
            time.sleep(0.5)
    server.kill()
    raise RuntimeError("the app did not start")


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def served() -> Iterator[str]:
    """The address of an app that runs as long as it is needed."""
    port = free_port()
    server = serve(port)
    try:
        yield f"http://localhost:{port}"
    finally:
        server.terminate()
        server.wait(timeout=20)
