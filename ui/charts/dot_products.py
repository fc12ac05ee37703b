"""The charts of the lab «Why √d_k»: how dot products grow, and what a softmax makes of them."""

from __future__ import annotations

from functools import lru_cache

from attention_core import DIVISORS, Products, Sharpness, dot_products, sharpness
from attention_core.rounding import show
from ui.charts.figure import Axis, Chart, Panel, Question, Stop, Table, line, points
from ui.lesson import Lesson

# Every size while a step is seen, then ever wider steps: a sweep that feels continuous.
_SIZES = (
    *range(1, 33),
    *range(34, 65, 2),
    *range(72, 129, 8),
    *range(144, 257, 16),
    *range(288, 513, 32),
)
_START = "64"
_DRAWN = 240  # points of a cloud; the measures are over all pairs
_NAMES = {"1": "not divided", "root": "÷ √d", "d": "÷ d"}
_DASHES = {"1": "dot", "root": "solid", "d": "dash"}
_ROLES = {"1": "k", "root": "s", "d": "q"}
_WIDE = 80.0  # three and a half standard deviations at d = 512; more where a point lies beyond
_SPREAD = 0.6180339887  # the golden ratio: points side by side without a pattern


def dot_product_charts(lesson: Lesson) -> tuple[Chart, ...]:
    """The charts of the lab for the viewer's number of pairs and sample."""
    settings = lesson.settings
    return _charts(settings.pairs, settings.sample, settings.decimals)


@lru_cache(maxsize=32)
def _charts(pairs: int, sample: int, decimals: int) -> tuple[Chart, ...]:
    """Cached, since a class opens the same sample and 10,000 pairs take a fifth of a second."""
    products = dot_products(_SIZES, pairs, sample)
    return (
        _clouds(products, decimals),
        _variances(products, decimals),
        _weights(sharpness(_SIZES, sample), decimals),
    )


def _moments(found: Products, decimals: int) -> tuple[str, ...]:
    return tuple(show(number, decimals).text for number in found.moments)


def _clouds(products: tuple[Products, ...], decimals: int) -> Chart:
    pairs = len(products[0].raw)
    across = [(i * _SPREAD) % 1 for i in range(min(pairs, _DRAWN))]
    side = Axis("", 0, 1, bare=True)
    widest = max(float(abs(found.raw[:_DRAWN]).max()) for found in products)
    wide = max(_WIDE, 1.05 * widest)  # no point lies outside
    up = Axis("dot product", -wide, wide)
    return Chart(
        title=f"Dot products of {pairs:,} random pairs of q and k",
        alt="Two clouds of points on the same axis. The raw dot products spread out as d grows. "
        "The ones divided by the root of d keep their spread.",
        panels=(Panel("q · k", side, up), Panel("q · k / √d", side, up)),
        stops=tuple(_cloud(found, across, decimals) for found in products),
        table=Table(
            ("d", "mean", "variance", "mean, ÷ √d", "variance, ÷ √d"),
            tuple((str(found.d), *_moments(found, decimals)) for found in products),
        ),
        tall=True,
        sweep="Size d of q and k",
        start=_START,
        notes=(
            "Dashed: two standard deviations to either side, in theory.",
            f"Drawn are {len(across)} of the pairs; the measures are over all of them."
            if pairs > _DRAWN
            else "",
        ),
        question=Question(
            "d grows from 16 to 64. How does the typical size of a dot product q · k change?",
            (
                ("It stays", False),
                ("It doubles", True),
                ("It grows fourfold", False),
            ),
            right="Yes: the variance grows fourfold, and the typical size is its root.",
            wrong="Not that. A dot product of d terms has variance d; its typical size is the root "
            "of that.",
        ),
    )


def _cloud(found: Products, across: list[float], decimals: int) -> Stop:
    raw_mean, raw_variance, mean, variance = _moments(found, decimals)
    root = found.d**0.5
    drawn = len(across)
    bounds = [
        line(panel, [0, 1], [at, at], "x", "", "dash")
        for panel, edge in ((0, 2 * root), (1, 2.0))
        for at in (-edge, edge)
    ]
    return Stop(
        str(found.d),
        (
            points(0, across, found.raw[:drawn].tolist(), "k", "raw"),
            points(1, across, found.scaled[:drawn].tolist(), "s", "divided by √d"),
            *bounds,
        ),
        f"d = {found.d}: the raw products have mean {raw_mean} and variance {raw_variance}; theory "
        f"says 0 and {found.d}. Divided by √{found.d} = {show(root, decimals).text} they "
        f"have mean {mean} and variance {variance}; theory says 0 and 1.",
    )


def _variances(products: tuple[Products, ...], decimals: int) -> Chart:
    sizes = [float(found.d) for found in products]
    raw = [found.moments[1] for found in products]
    scaled = [found.moments[3] for found in products]
    size = Axis("size d", 0, 520)
    last, ratio = products[-1], show(raw[-1] / sizes[-1], decimals).text
    return Chart(
        title="Measured variance against d, and why it is so",
        alt="Left, the variance of the raw products rises along the line variance = d. Right, the "
        "variance of the products divided by the root of d stays near 1.",
        panels=(
            Panel("q · k", size, Axis("variance", 0, max(640.0, 1.05 * max(raw)))),
            Panel("q · k / √d", size, Axis("variance", 0, max(2.0, 1.05 * max(scaled)))),
        ),
        stops=(
            Stop(
                "",
                (
                    line(0, [0, 512], [0, 512], "x", "theory", "dash"),
                    line(1, [0, 512], [1, 1], "x", "theory", "dash"),
                    points(0, sizes, raw, "k", "measured, raw"),
                    points(1, sizes, scaled, "s", "measured, ÷ √d"),
                ),
                f"At d = {last.d} the measured variance is {ratio} times d. The more pairs, the "
                "closer to 1 this tends to come.",
            ),
        ),
        table=Table(
            ("d", "variance", "in theory", "variance, ÷ √d", "in theory"),
            tuple(
                (
                    str(found.d),
                    show(found.moments[1], decimals).text,
                    str(found.d),
                    show(found.moments[3], decimals).text,
                    "1",
                )
                for found in products
            ),
        ),
        lines=(
            "A dot product of two vectors of length d is a sum of d products: q₁k₁ + q₂k₂ + …",
            "Each product has mean 0 and variance 1, since q and k are independent, with mean 0 "
            "and variance 1 each.",
            "Variances of independent terms add up. So q · k has variance d.",
            "A number times c has a variance c² times as large. With c = 1/√d that is d/d = 1. "
            "With c = 1/d it would be d/d² = 1/d: the larger d, the smaller.",
        ),
    )


def _weights(found: tuple[Sharpness, ...], decimals: int) -> Chart:
    size = Axis("size d, in powers of ten", 1, 520, log=True)
    by = {way: [one for one in found if one.divisor == way] for way in DIVISORS}
    traces = tuple(
        line(panel, [float(one.d) for one in by[way]], ys, _ROLES[way], _NAMES[way], _DASHES[way])
        for way in DIVISORS
        for panel, ys in (
            (0, [one.entropy for one in by[way]]),
            (1, [one.gradient for one in by[way]]),
        )
    )
    last = {way: show(by[way][-1].entropy, decimals).text for way in DIVISORS}
    steep = {way: show(by[way][-1].gradient, decimals).text for way in DIVISORS}
    rows = zip(*by.values(), strict=True)
    return Chart(
        title="What a softmax over 8 keys makes of such scores",
        alt="Left, the entropy of the weights: without dividing it falls towards 0 as d grows, "
        "divided by the root of d it stays, divided by d it rises to 1. Right, the size of the "
        "softmax gradient: without dividing it falls towards 0, else it stays.",
        panels=(
            Panel("entropy of the weights", size, Axis("share of ln 8", 0, 1.05)),
            Panel("size of the softmax gradient", size, Axis("norm of ∂a/∂s", 0, 0.5)),
        ),
        stops=(
            Stop(
                "",
                traces,
                f"At d = 512, not divided: entropy {last['1']}, so that one key has nearly all, "
                f"and a gradient of {steep['1']}. Divided by √d: {last['root']} and "
                f"{steep['root']}, as for small d. Divided by d: {last['d']}, so that all keys get "
                "nearly the same, and nothing is told apart.",
            ),
        ),
        table=Table(
            (
                "d",
                *(f"entropy, {_NAMES[way]}" for way in DIVISORS),
                *(f"gradient, {_NAMES[way]}" for way in DIVISORS),
            ),
            tuple(
                (
                    str(row[0].d),
                    *(show(one.entropy, decimals).text for one in row),
                    *(show(one.gradient, decimals).text for one in row),
                )
                for row in rows
            ),
        ),
        notes=(
            "Entropy 1: equal weights. Entropy 0: one key has all.",
            "Means over 64 rows of one random query and 8 random keys.",
        ),
    )
