"""The charts of the lab «What it costs»: cells of S, multiplications and bytes of one layer."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from attention_core import (
    BYTES,
    MAX_N,
    Cost,
    cost,
    counted,
    in_units,
    more_bytes_beyond,
    more_work_beyond,
)
from attention_core.inputs import MAX_TOKENS
from attention_core.rounding import show
from ui.charts.figure import Axis, Chart, Panel, Question, Stop, Table, Trace, line, points
from ui.lesson import Lesson
from ui.sayings import many

LENGTHS = (*(2**power for power in range(20)), MAX_N)
_START = "1024"
_POWERS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_TIMES = tuple((10.0**p, f"10{''.join(_POWERS[int(d)] for d in str(p))}") for p in range(3, 19, 3))
COUNT_TICKS = ((1.0, "1"), *_TIMES)
_BYTE_TICKS = tuple((1000.0**power, f"1 {unit}") for power, unit in enumerate(BYTES))
TOKENS = Axis(
    "tokens n",
    0.8,
    1.4 * MAX_N,
    log=True,
    ticks=((1, "1"), (100, "10²"), (10_000, "10⁴"), (MAX_N, "10⁶")),
)
_LINEAR, _SQUARE = "Q, K and V", "S and its use"
NUMBERS = {1: "int8", 2: "float16", 4: "float32", 8: "float64"}


def cell_charts(lesson: Lesson) -> tuple[Chart, ...]:
    """The cells of S for n tokens and for twice as many, from the viewer's own n."""
    return (_cells(len(lesson.inputs.tokens), lesson.settings.decimals),)


def cost_charts(lesson: Lesson) -> tuple[Chart, ...]:
    """What one layer multiplies and keeps, up to a million tokens."""
    settings = lesson.settings
    return (_growth(settings.heads, settings.width, settings.size, settings.decimals),)


@lru_cache(maxsize=64)
def _cells(tokens: int, decimals: int) -> Chart:
    sizes = range(1, MAX_TOKENS + 1)
    most = 2 * MAX_TOKENS + 0.5
    key = Axis("keys", 0.5, most, bare=True)
    query = Axis("queries", most, 0.5, bare=True)
    found = [(cost(n, 1, 1), cost(2 * n, 1, 1)) for n in sizes]
    one = cost(tokens, 1, 1)
    return Chart(
        title="The cells of S for n tokens, and for twice as many",
        alt="Two squares of cells, on the same scale. The right one is for twice as many tokens: "
        "the left square stands in its corner, and three more of the same size around it.",
        panels=(Panel("n tokens", key, query), Panel("2n tokens", key, query)),
        stops=tuple(
            Stop(
                str(few.n),
                (
                    _squares(0, _block(few.n, 0, 0), "s", "n × n cells"),
                    _squares(1, _block(few.n, 0, 0), "s", "n × n cells"),
                    _squares(1, _added(few.n), "s", "added by doubling n", "square-open"),
                ),
                f"n = {few.n}: {few.n} × {few.n} = {many(few.cells, 'cell')}. Twice as many "
                f"tokens: {twice.n} × {twice.n} = {twice.cells} cells, "
                f"{times(twice.cells, few.cells, decimals)} as many.",
            )
            for few, twice in found
        ),
        table=Table(
            ("n", "cells of S", "2n", "cells of S for 2n", "ratio"),
            tuple(
                (
                    str(few.n),
                    str(few.cells),
                    str(twice.n),
                    str(twice.cells),
                    times(twice.cells, few.cells, decimals),
                )
                for few, twice in found
            ),
        ),
        tall=True,
        sweep="Tokens n",
        start=str(tokens),
        question=Question(
            f"Your sentence has {many(tokens, 'token')}, so S has {tokens} × {tokens} = "
            f"{many(one.cells, 'cell')}. Twice as many tokens: how many times as "
            "many cells?",
            (("×2", False), ("×4", True), ("×8", False)),
            right="Yes: twice as many rows, and each is twice as long.",
            wrong="Not that. S has a row for each query and a column for each key. Both double.",
        ),
    )


def _block(n: int, right: int, down: int) -> list[tuple[int, int]]:
    return [(right + x, down + y) for y in range(1, n + 1) for x in range(1, n + 1)]


def _added(n: int) -> list[tuple[int, int]]:
    return [*_block(n, n, 0), *_block(n, 0, n), *_block(n, n, n)]


def _squares(
    panel: int, places: list[tuple[int, int]], role: str, name: str, symbol: str = "square"
) -> Trace:
    xs, ys = zip(*places, strict=True)
    return points(panel, xs, ys, role, name) | {"marker": {"size": 9, "symbol": symbol}}


def times(more: float, less: float, decimals: int) -> str:
    """How many times as much one is as the other."""
    return f"×{show(more / less, decimals).text}"


@lru_cache(maxsize=64)
def _growth(heads: int, width: int, size: int, decimals: int) -> Chart:
    found = [cost(n, heads, width, size) for n in LENGTHS]
    first, last = found[0], found[-1]
    d = first.d_model
    work = Axis(
        "multiplications",
        *ends(first.projections, first.square, last.square, last.projections),
        log=True,
        ticks=COUNT_TICKS,
    )
    kept = Axis(
        "bytes",
        *ends(first.score_bytes, first.projected_bytes, last.score_bytes, last.projected_bytes),
        log=True,
        ticks=_BYTE_TICKS,
    )
    halves = f"{more_work_beyond(heads, width):,g}"
    bytes_equal = more_bytes_beyond(width)
    return Chart(
        title="One layer of attention: what is multiplied, and what is kept",
        alt="Two plots over the number of tokens, all axes by powers of ten. What Q, K and V cost "
        "rises along a straight line, and what S costs along one twice as steep, which crosses it "
        "and is far above it at a million tokens.",
        panels=(Panel("multiplied", TOKENS, work), Panel("kept", TOKENS, kept)),
        stops=tuple(_stop(one, found, decimals, (work, kept)) for one in found),
        table=Table(
            ("n", "cells of S, one head", "to make Q, K and V", "scores QKᵀ", "mixing AV",
             "bytes of Q, K and V", "bytes of S, all heads"),
            tuple(_row(one, decimals) for one in found),
        ),
        tall=True,
        sweep="Tokens n",
        start=_START,
        lines=(
            "A product of an a × b matrix and a b × c matrix has a·c cells, and each takes b "
            "multiplications: a·b·c.",
            f"Q of one head is X times W_Q: n·d_model·d_k. K and V too, {many(heads, 'head')}: "
            f"3·n·d_model·h·d_k = 3·n·d_model², since d_model = h·d_k = {heads}·{width} = {d:,}.",
            "QKᵀ of one head: n·d_k·n. All heads: n²·d_model. AV takes as many, since d_v = d_k.",
            f"Together 2·n²·d_model, more than 3·n·d_model² beyond n = 1.5·d_model = {halves}. "
            f"With the product with W_O, n·d_model² more, beyond n = 2·d_model = {2 * d:,}.",
            f"Kept: h·n² numbers of S against 3·n·h·d_k of Q, K and V, more bytes beyond n = 3·d_k "
            f"= {bytes_equal}.",
        ),
        notes=(
            f"{many(heads, 'head')} of d_k = d_v = {width}, {many(size, 'byte')} a number "
            f"({NUMBERS[size]}).",
            "Counted are the multiplications of matrix products; those of the softmax and of W_O "
            "are not.",
            "kB, MB, GB, TB, PB: each is 1000 of the one before. A billion is 10⁹.",
        ),
        question=Question(
            f"A text of a million tokens, {many(heads, 'head')}, {many(size, 'byte')} a number. "
            "How much memory do the score matrices of one layer take?",
            tuple(
                (in_units(last.score_bytes / 1000**less, BYTES, decimals), not less)
                for less in (2, 1, 0)
            ),
            right=f"Yes: {heads} · 1,000,000 · 1,000,000 · {many(size, 'byte')}.",
            wrong="Not that. A million rows of a million columns are a 1 with twelve zeros.",
        ),
    )  # fmt: skip


def ends(*amounts: int) -> tuple[float, float]:
    """The ends of an axis that holds some amounts, with room to either side."""
    return 0.4 * min(amounts), 2.5 * max(amounts)


def _stop(here: Cost, found: list[Cost], decimals: int, axes: Iterable[Axis]) -> Stop:
    ends = [found[0].n, found[-1].n]
    traces: list[Trace] = []
    parts = (
        (0, "projections", "q", _LINEAR, "solid"),
        (0, "square", "s", _SQUARE, "dash"),
        (1, "projected_bytes", "q", _LINEAR, "solid"),
        (1, "score_bytes", "s", _SQUARE, "dash"),
    )
    for panel, axis in enumerate(axes):
        traces.append(line(panel, [here.n] * 2, [axis.low, axis.high], "x", "", "dot"))
    for panel, what, role, name, dash in parts:
        ys = [getattr(found[0], what), getattr(found[-1], what)]
        traces += [
            line(panel, ends, ys, role, name, dash),
            points(panel, [here.n], [getattr(here, what)], role, "") | {"marker": {"size": 10}},
        ]
    return Stop(str(here.n), tuple(traces), _says(here, decimals))


def _says(here: Cost, decimals: int) -> str:
    double = Cost(2 * here.n, here.heads, here.width, here.size)
    return (
        f"n = {here.n:,}: S of one head has {counted(here.cells, decimals)} "
        f"{'cell' if here.cells == 1 else 'cells'}. "
        f"Multiplications: {counted(here.projections, decimals)} to make Q, K and V, "
        f"{counted(here.square, decimals)} for scores and mixing. "
        f"Memory: {in_units(here.projected_bytes, BYTES, decimals)} for Q, K and V, "
        f"{in_units(here.score_bytes, BYTES, decimals)} for S of all heads. "
        f"Twice the tokens: {times(double.projections, here.projections, decimals)} for Q, K and "
        f"V, {times(double.square, here.square, decimals)} for S and its use."
    )


def _row(here: Cost, decimals: int) -> tuple[str, ...]:
    return (
        f"{here.n:,}",
        *(f"{count:,}" for count in (here.cells, here.projections, here.scores, here.mixing)),
        in_units(here.projected_bytes, BYTES, decimals),
        in_units(here.score_bytes, BYTES, decimals),
    )
