"""What a click and a whole page run cost the server, in CPU and in bytes, against an empty page."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from urllib.parse import urlencode

from benchmarks.report import Row
from benchmarks.served import APP, EMPTY, Served, served
from benchmarks.session import Answer, Session

PAGE = "Score"
# The largest board that a viewer can ask for: the whole graph, 12 tokens, every size 8.
HEAVIEST = "Whole"
_SENTENCE = "the quick brown fox jumps over the lazy dog and runs away"
LARGEST: dict[str, str | int] = {"v": 1, "example": "own", "text": _SENTENCE}
LARGEST |= {"d_model": 8, "d_k": 8, "d_v": 8}
_ROUNDS, _RUNS = 5, 80
_CLICK_AIM, _RUN_AIM, _BYTES_AIM = 2.0, 4.0, 5.0

Act = Callable[[int], Awaitable[Answer]]


class _Counted:
    """One kind of run, done many times: the cheapest round's CPU, and every answer."""

    def __init__(self, server: Served, act: Act) -> None:
        self._server, self._act = server, act
        self.cpu: list[float] = []
        self.answers: list[Answer] = []
        self._done = 0

    async def round(self) -> None:
        """One round of runs. Rounds of different kinds take turns, so that noise falls on all."""
        before = self._server.cpu()
        for _ in range(_RUNS):
            self._done += 1
            self.answers.append(await self._act(self._done))
        self.cpu.append((self._server.cpu() - before) / _RUNS * 1e3)
        wrong = [error for answer in self.answers for error in answer.errors]
        if wrong:
            raise RuntimeError(f"{len(wrong)} runs went wrong: {wrong[0]}")

    @property
    def kilobytes(self) -> float:
        """What one run sent beyond the component's own code; the worst one counts."""
        return max(answer.size - answer.code for answer in self.answers) / 1e3

    @property
    def fastest(self) -> float:
        """Milliseconds from asking to the end of the answer."""
        return min(answer.ms for answer in self.answers)


def measure() -> list[Row]:
    """Serve both, and let one tab of each work in turn."""
    with served(APP) as app, served(EMPTY) as empty:
        return asyncio.run(_measure(app, empty))


async def _measure(app: Served, empty: Served) -> list[Row]:
    async with AsyncExitStack() as tabs:
        hi, small, large, new = [
            await tabs.enter_async_context(tab)
            for tab in (
                Session(empty.url),
                Session(app.url, PAGE),
                Session(app.url, HEAVIEST, urlencode(LARGEST)),
                Session(app.url, HEAVIEST),
            )
        ]
        for tab in (hi, small, large, new):
            first = await tab.load()
            if first.errors:
                raise RuntimeError(first.errors[0])
        nothing = _Counted(empty, lambda k: hi.load())
        click = _Counted(app, lambda k: small.click(f"S:{k % 3},{k // 3 % 3}"))
        far_click = _Counted(app, lambda k: large.click(f"O:{k % 12},{k // 12 % 8}"))
        page = _Counted(app, lambda k: small.slide("Decimals", 2 + k % 2))
        plain_page = _Counted(app, lambda k: small.load())
        far_page = _Counted(app, lambda k: large.slide("Decimals", 2 + k % 2))
        fresh = _Counted(app, lambda k: new.visit(urlencode(LARGEST | {"seed": k})))
        kinds = (nothing, click, far_click, page, plain_page, far_page, fresh)
        for _ in range(_ROUNDS):
            for kind in kinds:
                await kind.round()
    resent = [a.code for kind in (click, far_click) for a in kind.answers]
    numbers = [a.sent_numbers for kind in (click, far_click) for a in kind.answers]

    def cpu(what: str, kind: _Counted, aim: float | None) -> Row:
        note = f"answered in {kind.fastest:.1f} ms (empty {nothing.fastest:.1f} ms)"
        return Row(what, min(kind.cpu), min(nothing.cpu), "CPU-ms", aim, note)

    return [
        cpu("a click", click, _CLICK_AIM),
        cpu("a click, Whole at 12 tokens", far_click, _CLICK_AIM),
        cpu("a page run", plain_page, _RUN_AIM),
        cpu("a page run, Decimals moved", page, _RUN_AIM),
        cpu("a page run, Decimals moved, Whole at 12 tokens", far_page, _RUN_AIM),
        cpu("a page run, Whole at 12 tokens nobody had before", fresh, None),
        Row("bytes a click", click.kilobytes, None, "kB", _BYTES_AIM),
        Row(
            "bytes a click, Whole at 12 tokens",
            far_click.kilobytes,
            None,
            "kB",
            _BYTES_AIM,
            f"of {len(numbers)} clicks {sum(numbers)} were sent the matrices again",
        ),
        Row("component code in all these clicks", sum(resent), None, "bytes", 0),
        Row("bytes a page run", plain_page.kilobytes, nothing.kilobytes, "kB"),
        Row("bytes a page run, Decimals moved", page.kilobytes, nothing.kilobytes, "kB"),
        Row("bytes a page run, Whole at 12 tokens", far_page.kilobytes, nothing.kilobytes, "kB"),
    ]
