"""Whom a query attends to most, where the numbers on screen tell."""

from __future__ import annotations

from collections.abc import Iterable

from attention_core.axes import Axis
from attention_core.rounding import show
from ui.lesson import Lesson


def most(lesson: Lesson, key: str, row: int) -> tuple[int, ...]:
    """The keys with the largest weight of a row.

    None where all keys are alike, where every key is blocked, and where another weight looks as
    large at the decimals that are shown.
    """
    weights, decimals = lesson.graph[key], lesson.settings.decimals
    largest = tuple(cell.col for cell in lesson.graph.largest(key, row))
    shown = [show(weight, decimals).value for weight in weights.value[row].tolist()]
    seen = tuple(col for col, weight in enumerate(shown) if weight == max(shown))
    return largest if largest == seen and len(largest) < len(shown) else ()


def named(axis: Axis, places: Iterable[int]) -> str:
    """Tokens in a sentence: «The» and «sat»."""
    return " and ".join(f"«{axis.unique(place)}»" for place in places)
