"""``python -m benchmarks [core|explain|server|load|class …]``: one table of what is asked for."""

from __future__ import annotations

import argparse
import os
import platform
import signal
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from time import monotonic

from benchmarks.report import Row, table

# Each part's module is only imported when it is asked for: timing NumPy needs no browser.
_PARTS = {
    "core": ("core", "Core: the graph of all intermediates against plain NumPy"),
    "explain": ("explain", "Explaining one cell: all that a page shows of it"),
    "server": (
        "server",
        "Server: /Score, and /Whole at 12 tokens, against an empty page with the same settings",
    ),
    "load": ("load", "First load in Chromium: /Score against an empty page"),
    "class": ("classroom", "A class: each clicks every 5 s, one server on the same machine"),
}


def main() -> int:
    """Measure, print, and say how long it took. A missed aim is told, not an error."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="part", help=", ".join(_PARTS))
    asked: list[str] = parser.parse_args().parts or list(_PARTS)
    unknown = [part for part in asked if part not in _PARTS]
    if unknown:
        parser.error(f"there is no part {unknown[0]!r}; there are {', '.join(_PARTS)}")
    # One thread each: with more, two threads that wait for each other on a busy machine are timed.
    for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(threads, "1")
    # An orderly end, so that servers and browser are stopped on the way out.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    start, groups = monotonic(), []
    for part in asked:
        module, title = _PARTS[part]
        print(f"measuring {part} …", file=sys.stderr, flush=True)
        measure: Callable[[], list[Row]] = import_module(f"benchmarks.{module}").measure
        groups.append((title, measure()))
    print(table(groups))
    print(f"{_machine()}; took {monotonic() - start:.0f} s")
    return 0


def _machine() -> str:
    load = f"; load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    software = ", ".join(f"{name} {version(name)}" for name in ("numpy", "streamlit"))
    return f"{os.cpu_count()} cores{load}; Python {platform.python_version()}, {software}"


if __name__ == "__main__":
    sys.exit(main())
