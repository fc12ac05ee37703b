"""The calculator of the page on grouped keys: what a model keeps of a text."""

from __future__ import annotations

from functools import lru_cache

from attention_core import BYTES, Cache, cache, counted, in_units, kv_head_counts
from ui.charts.costs import NUMBERS
from ui.charts.figure import Axis, Chart, Panel, Stop, Table, line, points
from ui.lesson import Lesson
from ui.sayings import many


def cache_charts(lesson: Lesson) -> tuple[Chart, ...]:
    """The cache of the viewer's model for every number of heads of keys and values."""
    of = lesson.settings
    return (_caches(of.context, of.depth, of.heads, of.width, of.size, of.decimals),)


@lru_cache(maxsize=64)
def _caches(n: int, layers: int, heads: int, width: int, size: int, decimals: int) -> Chart:
    found = [cache(n, layers, heads, kv, width, size) for kv in kv_head_counts(heads)]
    whole = found[-1]
    quarters = tuple(whole.bytes * part / 4 for part in range(5))
    kept = Axis(
        "bytes kept",
        0.0,
        1.08 * whole.bytes,
        ticks=tuple((amount, in_units(amount, BYTES, 1)) for amount in quarters),
    )
    across = Axis("heads of keys and values", 0.0, 1.05 * heads)
    return Chart(
        title=f"The cache of {many(n, 'token').replace(str(n), f'{n:,}')}",
        alt="Points on a straight line through zero: half as many heads of keys and values take "
        "half as many bytes.",
        panels=(Panel("", across, kept),),
        stops=tuple(
            Stop(
                str(one.kv_heads),
                (
                    line(0, (0, heads), (0, whole.bytes), "k", "", "dot"),
                    points(0, [c.kv_heads for c in found], [c.bytes for c in found], "k", ""),
                    points(0, [one.kv_heads], [one.bytes], "s", "") | {"marker": {"size": 13}},
                ),
                _says(one, whole, decimals),
            )
            for one in found
        ),
        table=Table(
            (
                "heads of keys and values",
                "bytes for one token",
                "for all tokens",
                "weights of keys and values",
            ),
            tuple(
                (
                    str(one.kv_heads),
                    f"{one.token_bytes:,}",
                    in_units(one.bytes, BYTES, decimals),
                    f"{one.parameters:,}",
                )
                for one in found
            ),
        ),
        sweep="Heads of keys and values",
        start=str(heads),
        lines=(
            "One token, one layer: a key of d_k numbers and a value of d_v = d_k for each head of "
            "keys and values.",
            f"All layers: 2 · {layers} · {width} numbers for each head of them, of "
            f"{many(size, 'byte')} ({NUMBERS[size]}).",
            f"All tokens: {n:,} times as many.",
        ),
        notes=("kB, MB, GB, TB: each is 1000 of the one before.",),
    )


def _says(one: Cache, whole: Cache, decimals: int) -> str:
    share = one.heads // one.kv_heads
    less = f", 1/{share} of what {one.heads} would take" if share > 1 else ""
    return (
        f"{many(one.heads, 'head')}, {one.kv_heads} of keys and values: "
        f"{in_units(one.token_bytes, BYTES, decimals)} for one token, "
        f"{in_units(one.bytes, BYTES, decimals)} for {one.n:,}{less}. The weights of "
        f"keys and values have {counted(one.parameters, decimals)} numbers in all layers."
    )
