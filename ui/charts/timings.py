"""The charts of the lab «What it costs» on time: measured on this server, and a chain beside it."""

from __future__ import annotations

from functools import lru_cache

from attention_core import (
    MAX_N,
    SECONDS,
    STAGES,
    TIMED_WIDTH,
    Timing,
    cost,
    counted,
    in_units,
    measured,
)
from ui.charts.costs import COUNT_TICKS, LENGTHS, TOKENS, ends, times
from ui.charts.figure import Axis, Chart, Panel, Question, Stop, Table, line, points
from ui.lesson import Lesson
from ui.sayings import many

_TRUE = 2  # decimals: more of them differ from one measurement to the next
_MICRO = 1e6  # times are told in units that begin with the microsecond
_TIME_TICKS = tuple((10.0**power, in_units(10.0 ** (power + 6), SECONDS)) for power in range(-6, 1))


def time_charts(lesson: Lesson) -> tuple[Chart, ...]:
    """How long attention takes here, by the number of tokens."""
    return (_attention(measured(), lesson.settings.decimals),)


def chain_charts(lesson: Lesson) -> tuple[Chart, ...]:
    """A chain of steps against products that need not wait: counted, then measured."""
    settings, n = lesson.settings, len(lesson.inputs.tokens)
    return (
        _chain(n, settings.heads, settings.width, settings.decimals),
        _race(measured(), settings.decimals),
    )


@lru_cache(maxsize=16)
def _attention(found: tuple[Timing, ...], decimals: int) -> Chart:
    first, before, last = found[0], found[-2], found[-1]
    seconds = [one.attention for one in found]
    slope = [last.attention * (one.n / last.n) ** 2 for one in found]
    ratio = _ratio(last.attention, before.attention, decimals)
    early = _ratio(found[1].attention, first.attention, decimals)
    return Chart(
        title="Measured on this server: time of attention against n",
        alt="Time over the number of tokens, both axes by powers of ten. For few tokens the time "
        "hardly grows. Then it bends upwards and comes close to a dashed line that grows as the "
        "cells of S do.",
        panels=(Panel("", _sizes(found), _seconds([*seconds, *slope])),),
        stops=(
            Stop(
                "",
                (
                    line(0, [one.n for one in found], slope, "x", "as the cells of S grow", "dash"),
                    line(0, [one.n for one in found], seconds, "s", "measured"),
                    points(0, [one.n for one in found], seconds, "s", ""),
                ),
                "For few tokens most of the time is the fixed cost of starting each step: from "
                f"n = {first.n} to {found[1].n} it changes by {early}. From n = {before.n} to "
                f"{last.n} it changes by {ratio}.",
            ),
        ),
        table=Table(
            ("n", "time", "against half of n"),
            tuple(
                (
                    str(one.n),
                    _time(one.attention, decimals),
                    _ratio(one.attention, half.attention, decimals) if half else "–",
                )
                for half, one in zip((None, *found), found, strict=False)
            ),
        ),
        notes=(
            f"One head of {TIMED_WIDTH} components in float64, from Q, K and V to the output, by "
            "the code that computes all boards here. It keeps every matrix.",
            "Time on one processor core, the best of a few runs, measured once since the server "
            "started. Another machine gives other times.",
        ),
    )


@lru_cache(maxsize=64)
def _chain(tokens: int, heads: int, width: int, decimals: int) -> Chart:
    found = [cost(n, heads, width) for n in LENGTHS]
    first, last, here = found[0], found[-1], cost(tokens, heads, width)
    d, lengths = here.d_model, [first.n, last.n]
    work = Axis(
        "multiplications",
        *ends(first.chain, first.square, last.chain, last.square),
        log=True,
        ticks=COUNT_TICKS,
    )
    steps = Axis("steps", *ends(1, MAX_N), log=True, ticks=COUNT_TICKS)
    chain, square = "chain", "attention"
    return Chart(
        title="A chain of n steps, and attention: what must wait, and what is multiplied",
        alt="Left, the steps that wait for each other: the chain rises with the number of tokens, "
        "attention stays at four. Right, the multiplications: the products QKᵀ and AV rise twice "
        "as steeply as the chain, and cross it where n is d.",
        panels=(
            Panel("one after the other", TOKENS, steps),
            Panel("multiplied", TOKENS, work),
        ),
        stops=(
            Stop(
                "",
                (
                    line(0, lengths, [first.chain_steps, last.chain_steps], "k", chain),
                    line(0, lengths, [len(STAGES)] * 2, "s", square, "dash"),
                    line(1, lengths, [first.chain, last.chain], "k", chain),
                    line(1, lengths, [first.square, last.square], "s", square, "dash"),
                ),
                f"At n = {last.n:,} and d = {d:,}: the chain has {last.chain_steps:,} steps, one "
                f"after the other, with {counted(last.chain, decimals)} multiplications. Attention "
                f"has {len(STAGES)} steps; QKᵀ and AV multiply {counted(last.square, decimals)} "
                f"times. Beyond n = d = {d:,} these two alone multiply more than the chain.",
            ),
        ),
        table=Table(
            ("n", "chain: steps", "chain: multiplications", "attention: steps",
             "QKᵀ and AV: multiplications"),
            tuple(
                (f"{one.n:,}", f"{one.chain_steps:,}", f"{one.chain:,}", str(len(STAGES)),
                 f"{one.square:,}")
                for one in found
            ),
        ),
        notes=(
            f"Counted as steps of attention: {', then '.join(STAGES)}. All cells of one step can "
            "be computed at the same time.",
            "Adding up many numbers takes rounds of its own, about log₂ of how many they are; "
            "these are not counted on either side.",
            "Multiplications of the chain: W h and U x, 2·d² a step, so n·2·d². Of attention: QKᵀ "
            "and AV, 2·n²·d. Both are equal at n = d.",
        ),
        question=Question(
            f"Your sentence has {many(tokens, 'token')}. In this layer each would be a row of d = "
            f"d_model = {d:,} numbers. Which multiplies more: the chain with W and U, or the two "
            "products QKᵀ and AV? (To make Q, K and V, and with W_O, attention multiplies another "
            "4·n·d² times. These wait for no other token.)",
            (
                ("The chain", here.chain > here.square),
                ("QKᵀ and AV", here.chain < here.square),
                ("Both the same", here.chain == here.square),
            ),
            right=f"Yes: {here.chain:,} for the chain, n·2·d²; {here.square:,} for QKᵀ and AV, "
            "2·n²·d.",
            wrong="Not so. The chain takes n·2·d² multiplications, QKᵀ and AV 2·n²·d. Which is "
            "larger, n or d?",
        ),
    )  # fmt: skip


@lru_cache(maxsize=16)
def _race(found: tuple[Timing, ...], decimals: int) -> Chart:
    chain, square = [one.chain for one in found], [one.square for one in found]
    sizes = [one.n for one in found]
    before, last = found[-2:]
    even = next(one for one in found if one.n == TIMED_WIDTH)
    work = cost(last.n, 1, TIMED_WIDTH)
    return Chart(
        title="Measured on this server: a chain of n steps, and two products",
        alt="Time over the number of tokens, both axes by powers of ten. The chain starts far "
        "above the two products and rises evenly. The products rise more steeply in the end.",
        panels=(Panel("", _sizes(found), _seconds([*chain, *square])),),
        stops=(
            Stop(
                "",
                (
                    line(0, sizes, chain, "k", "chain of n steps"),
                    points(0, sizes, chain, "k", ""),
                    line(0, sizes, square, "s", "QKᵀ, then times V", "dash"),
                    points(0, sizes, square, "s", ""),
                ),
                f"At n = d = {even.n} both multiply equally often; the chain takes "
                f"{_ratio(even.chain, even.square, decimals)} as long. At n = {last.n} the "
                f"products multiply {times(work.square, work.chain, decimals)} as often, and take "
                f"{_ratio(last.square, last.chain, decimals)} as long. From {before.n} to {last.n} "
                f"the chain changes by {_ratio(last.chain, before.chain, decimals)}, the products "
                f"by {_ratio(last.square, before.square, decimals)}.",
            ),
        ),
        table=Table(
            ("n", "chain", "against half of n", "products", "against half of n"),
            tuple(
                (
                    str(one.n),
                    _time(one.chain, decimals),
                    _ratio(one.chain, half.chain, decimals) if half else "–",
                    _time(one.square, decimals),
                    _ratio(one.square, half.square, decimals) if half else "–",
                )
                for half, one in zip((None, *found), found, strict=False)
            ),
        ),
        notes=(
            f"Both with d = {TIMED_WIDTH}: time on one processor core, the best of a few runs.",
            "Here each step of the chain also pays for being started from Python. Processors with "
            "thousands of units gain more from work that does not wait: this one has few.",
        ),
    )


def _sizes(found: tuple[Timing, ...]) -> Axis:
    ticks = tuple((float(one.n), str(one.n)) for one in found)
    return Axis("tokens n", 0.9 * found[0].n, 1.1 * found[-1].n, log=True, ticks=ticks)


def _seconds(amounts: list[float]) -> Axis:
    return Axis("time", 0.6 * min(amounts), 1.6 * max(amounts), log=True, ticks=_TIME_TICKS)


def _time(seconds: float, decimals: int) -> str:
    return in_units(_MICRO * seconds, SECONDS, min(decimals, _TRUE))


def _ratio(more: float, less: float, decimals: int) -> str:
    return times(more, less, min(decimals, _TRUE))
