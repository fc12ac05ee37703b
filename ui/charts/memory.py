"""The chart of the page on the online softmax: how many numbers are held at once, against n."""

from __future__ import annotations

from functools import lru_cache

from attention_core import Held, counted, held
from ui.charts.costs import COUNT_TICKS, LENGTHS, TOKENS, ends
from ui.charts.figure import Axis, Chart, Panel, Stop, Table, Trace, line, points
from ui.lesson import Lesson

# Sizes as they are usual where attention is computed by blocks.
_BLOCK, _WIDTH = 128, 64
_LINES = (
    ("table", "s", "dash", "the whole table: n²"),
    ("all", "q", "solid", "all rows at once, by blocks: grows with n"),
    ("one", "o", "dot", "one row after another, by blocks: stays"),
)


def memory_charts(lesson: Lesson) -> tuple[Chart, ...]:
    """Numbers held at once, up to a million tokens."""
    return (_memory(lesson.settings.decimals),)


@lru_cache(maxsize=8)
def _memory(decimals: int) -> Chart:
    found = [held(n, _BLOCK, _WIDTH) for n in LENGTHS]
    last = found[-1]
    axis = Axis("numbers held at once", *ends(1, last.table), log=True, ticks=COUNT_TICKS)
    each = _BLOCK + 2 + _WIDTH
    return Chart(
        title="What is held at once, beside Q, K, V and the outputs",
        alt="Three lines over the number of tokens, both axes by powers of ten. The whole table "
        "rises most steeply. All rows by blocks rise half as steeply. One row by blocks stays.",
        panels=(Panel("one head", TOKENS, axis),),
        stops=tuple(_stop(here, found, axis, decimals) for here in found),
        table=Table(
            ("n", "the whole table", "all rows, by blocks", "one row, whole", "one row, by blocks"),
            tuple(
                (f"{one.n:,}", f"{one.table:,}", f"{one.all:,}", f"{one.row:,}", f"{one.one:,}")
                for one in found
            ),
        ),
        sweep="Tokens n",
        start="8192",
        lines=(
            "The whole table: n rows of n scores, n·n.",
            f"One row by blocks of b keys: b scores, m, Z, and d_v numbers of o. With b = {_BLOCK} "
            f"and d_v = {_WIDTH}: {_BLOCK} + 1 + 1 + {_WIDTH} = {each}.",
            f"All rows at the same time: n times that, n·{each}. It is less than n·n beyond n = "
            f"{each}.",
        ),
        notes=(
            "Exponentials and weights take the places of the scores. Counted is one head.",
            "A text of fewer tokens than a block has makes one short block.",
        ),
    )


def _stop(here: Held, found: list[Held], axis: Axis, decimals: int) -> Stop:
    traces: list[Trace] = [line(0, [here.n] * 2, [axis.low, axis.high], "x", "", "dot")]
    for what, role, dash, name in _LINES:
        ys = [getattr(one, what) for one in found]
        traces += [
            line(0, [one.n for one in found], ys, role, name, dash),
            points(0, [here.n], [getattr(here, what)], role, "") | {"marker": {"size": 10}},
        ]
    says = (
        f"n = {here.n:,}: {counted(here.table, decimals)} for the whole table, "
        f"{counted(here.all, decimals)} for all rows by blocks, {here.one:,} for one row by blocks."
    )
    return Stop(str(here.n), tuple(traces), says)
