"""A Streamlit server of our own on loopback: started, watched, and stopped whatever happens."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil  # type: ignore[import-untyped]

ROOT = Path(__file__).resolve().parent.parent
APP = ROOT / "app.py"
EMPTY = Path(__file__).with_name("empty_page.py")
_PORTS = range(8730, 8800)
_PATIENCE = 60.0


@dataclass(frozen=True)
class Served:
    """A running server."""

    url: str
    process: psutil.Process

    def cpu(self) -> float:
        """CPU seconds that it has used so far; the clock ticks every 10 ms."""
        times = self.process.cpu_times()
        return float(times.user + times.system)

    def memory(self) -> float:
        """Resident memory in MB."""
        return float(self.process.memory_info().rss) / 2**20


@contextmanager
def served(script: Path) -> Iterator[Served]:
    """Serve a script with the project's own settings: its folder is where the server runs."""
    port = _free_port()
    environment = {k: v for k, v in os.environ.items() if not k.startswith("STREAMLIT_")}
    command = [sys.executable, "-m", "streamlit", "run", str(script)]
    command += [f"--server.port={port}", "--server.address=127.0.0.1", "--server.headless=true"]
    with tempfile.TemporaryFile("w+") as log:
        server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
        try:
            url = f"http://127.0.0.1:{port}"
            if not _answers(url, server):
                log.seek(0)
                raise RuntimeError(f"{script.name} is not served:\n{log.read()[-2000:]}")
            yield Served(url, psutil.Process(server.pid))
        finally:
            _stop(server)


def _free_port() -> int:
    for port in _PORTS:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise RuntimeError(f"no port is free between {_PORTS.start} and {_PORTS.stop - 1}")


def _answers(url: str, server: subprocess.Popen[bytes]) -> bool:
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end and server.poll() is None:
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=2):
                return True
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    return False


def _stop(server: subprocess.Popen[bytes]) -> None:
    server.terminate()
    try:
        server.wait(10)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
