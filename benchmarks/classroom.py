"""A class of a hundred on one server: how long each waits for the answer to a click."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass, field
from statistics import median, quantiles
from time import monotonic

import psutil  # type: ignore[import-untyped]

from benchmarks.report import Row
from benchmarks.served import APP, EMPTY, Served, served
from benchmarks.server import PAGE
from benchmarks.session import Answer, Session

LEARNERS = 100
_EVERY, _FOR = 5.0, 35.0  # seconds between a learner's clicks, and of the whole
_RAMP = 5.0  # the class arrives over so many seconds
_AIM_MS = 150.0


@dataclass
class _Lesson:
    """What a class went through."""

    first: list[float] = field(default_factory=list)
    clicks: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    memory: float = 0.0
    cpu: float = 0.0


def measure() -> list[Row]:
    """The class on our page, and at the same time the same class reloading an empty page.

    At the same time, so that whatever else the machine does falls on both.
    """
    psutil.cpu_percent()
    with served(APP) as app, served(EMPTY) as empty:
        ours, plain = asyncio.run(_lessons(app, empty))
    share = f"a click costs {ours.cpu:.1f} CPU-ms, the empty page {plain.cpu:.1f}"
    busy = f"the machine was {psutil.cpu_percent():.0f} % busy, with all that runs on it"
    named = f"such as: {ours.errors[0]}" if ours.errors else ""
    return [
        Row(f"{LEARNERS} learners, p50 of a click", *_both(ours, plain, 50), "ms", None, share),
        Row("  p95", _percentile(ours.clicks, 95), None, "ms", _AIM_MS, busy),
        Row("  p95 against the empty page", *_both(ours, plain, 95), "ms"),
        Row(f"  errors in {len(ours.clicks)} clicks", len(ours.errors), None, "", 0, named),
        Row("  p50 of the first run", median(ours.first), median(plain.first), "ms"),
        Row("  memory of the server", ours.memory, plain.memory, "MB"),
    ]


def _both(ours: _Lesson, plain: _Lesson, percent: int) -> tuple[float, float]:
    return _percentile(ours.clicks, percent), _percentile(plain.clicks, percent)


def _percentile(times: list[float], percent: int) -> float:
    return quantiles(times, n=100, method="inclusive")[percent - 1]


async def _lessons(app: Served, empty: Served) -> tuple[_Lesson, _Lesson]:
    ours, plain = await asyncio.gather(_lesson(app, PAGE), _lesson(empty, ""))
    return ours, plain


async def _lesson(server: Served, page: str) -> _Lesson:
    lesson = _Lesson()
    async with Session(server.url, page) as teacher:  # imports are the teacher's wait
        await teacher.load()
    begin = monotonic()
    seats = (_learn(server.url, page, lesson, begin, seat) for seat in range(LEARNERS))
    await asyncio.gather(_watch(server, lesson), *seats)
    lesson.memory = server.memory()
    return lesson


async def _watch(server: Served, lesson: _Lesson) -> None:
    """CPU a click, counted in the middle of the lesson: all have come, nobody has left."""
    await asyncio.sleep(2 * _RAMP)
    before, clicks = server.cpu(), len(lesson.clicks)
    await asyncio.sleep(_FOR - 2 * _RAMP)
    lesson.cpu = (server.cpu() - before) / max(1, len(lesson.clicks) - clicks) * 1e3


async def _learn(url: str, page: str, lesson: _Lesson, begin: float, seat: int) -> None:
    """One learner: arrive, then click another cell every few seconds."""
    chance = random.Random(seat)
    await asyncio.sleep(chance.uniform(0, _RAMP))
    try:
        async with Session(url, page) as tab:
            _note(lesson, await tab.load(), lesson.first)
            due = monotonic() + chance.uniform(0, _EVERY)
            while due < begin + _FOR:
                await asyncio.sleep(max(0.0, due - monotonic()))
                cell = f"S:{chance.randrange(3)},{chance.randrange(3)}"
                _note(lesson, await (tab.click(cell) if page else tab.load()), lesson.clicks)
                due += _EVERY
    except Exception as why:  # a lost tab is a result, not the end of the lesson
        lesson.errors.append(f"{type(why).__name__}: {why}")


def _note(lesson: _Lesson, answer: Answer, times: list[float]) -> None:
    times.append(answer.ms)
    lesson.errors += answer.errors
