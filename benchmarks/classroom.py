"""A class of a hundred on one server: how long each waits for the answer to a click."""

from __future__ import annotations

import asyncio
import random
import statistics
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

from benchmarks.report import Row
from benchmarks.served import APP, EMPTY, Served, served
from benchmarks.server import PAGE
from benchmarks.session import Answer, Session

LEARNERS = 100
_EVERY, _FOR = 5.0, 30.0  # seconds between a learner's clicks, and of the whole
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
    """The class on our page, then the same class reloading an empty one at the same pace."""
    ours, plain = _teach(APP, PAGE), _teach(EMPTY, "")
    share = f"the server used {ours.cpu:.0%} of a core, with the empty page {plain.cpu:.0%}"
    first = f"p95 {_percentile(ours.first, 95):.0f} ms"
    named = f"such as: {ours.errors[0]}" if ours.errors else ""
    return [
        Row(f"{LEARNERS} learners, p50 of a click", *_both(ours, plain, 50), "ms", None, share),
        Row("  p95", _percentile(ours.clicks, 95), None, "ms", _AIM_MS),
        Row("  p95 against the empty page", *_both(ours, plain, 95), "ms"),
        Row(f"  errors in {len(ours.clicks)} clicks", len(ours.errors), None, "", 0, named),
        Row(
            "  p50 of the first run",
            _percentile(ours.first, 50),
            _percentile(plain.first, 50),
            "ms",
            None,
            first,
        ),
        Row("  memory of the server", ours.memory, plain.memory, "MB"),
    ]


def _both(ours: _Lesson, plain: _Lesson, percent: int) -> tuple[float, float]:
    return _percentile(ours.clicks, percent), _percentile(plain.clicks, percent)


def _percentile(times: list[float], percent: int) -> float:
    return statistics.quantiles(times, n=100, method="inclusive")[percent - 1]


def _teach(script: Path, page: str) -> _Lesson:
    with served(script) as server:
        return asyncio.run(_lesson(server, page))


async def _lesson(server: Served, page: str) -> _Lesson:
    lesson = _Lesson()
    async with Session(server.url, page) as teacher:  # imports are the teacher's wait
        await teacher.load()
    start, before = monotonic(), 0.0

    async def watch() -> None:
        nonlocal before
        await asyncio.sleep(_RAMP)
        before = server.cpu()

    await asyncio.gather(watch(), *(_learn(server.url, page, lesson, k) for k in range(LEARNERS)))
    lesson.cpu = (server.cpu() - before) / (monotonic() - start - _RAMP)
    lesson.memory = server.memory()
    return lesson


async def _learn(url: str, page: str, lesson: _Lesson, seat: int) -> None:
    """One learner: arrive, then click another cell every few seconds."""
    chance = random.Random(seat)
    await asyncio.sleep(chance.uniform(0, _RAMP))
    begin = monotonic()
    try:
        async with Session(url, page) as tab:
            _note(lesson, await tab.load(), lesson.first)
            due = begin + chance.uniform(0, _EVERY)
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
