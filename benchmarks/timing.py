"""Timing two things side by side, so that what else the machine does falls on both alike."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter


@dataclass(frozen=True)
class Pair:
    """Seconds a call: the fastest of each, and the median of the neighbours' ratios."""

    ours: float
    plain: float
    median_ratio: float


def side_by_side(
    ours: Callable[[], object],
    plain: Callable[[], object],
    *,
    seconds: float,
    at_least: int = 15,
    calls: int = 1,
) -> Pair:
    """Time two functions in turn for about ``seconds``, ``calls`` calls at a time.

    The fastest time of each is the least disturbed one. Who goes first changes every time, since
    the first of two pays for cold caches.
    """
    for _ in range(3):
        ours()
        plain()
    times: tuple[list[float], list[float]] = ([], [])
    end = perf_counter() + seconds
    while perf_counter() < end or len(times[0]) < at_least:
        turn = len(times[0]) % 2
        for which in (turn, 1 - turn):
            times[which].append(_time(plain if which else ours, calls))
    ratios = [a / b for a, b in zip(*times, strict=True)]
    return Pair(min(times[0]), min(times[1]), statistics.median(ratios))


def _time(work: Callable[[], object], calls: int) -> float:
    start = perf_counter()
    for _ in range(calls):
        work()
    return (perf_counter() - start) / calls
