"""Whom a query attends to most, where the numbers on screen tell."""

from __future__ import annotations

from collections.abc import Iterable

from attention_core.axes import Axis
from attention_core.rounding import show
from ui.lesson import Lesson


def most(lesson: Lesson, key: str, row: int) -> tuple[int, ...]:
    """The keys with the largest weight of a row.

    None where all open keys are alike, where every key is blocked, and where another weight looks
    as large at the decimals that are shown.
    """
    decimals = lesson.settings.decimals
    shown = [show(weight, decimals).value for weight in lesson.graph[key].value[row].tolist()]
    seen = {col for col, weight in enumerate(shown) if weight == max(shown)}
    tells = seen == _largest(lesson, key, row) and seen < _open(lesson, row)
    return tuple(sorted(seen)) if tells else ()


def all_alike(lesson: Lesson, key: str, row: int) -> bool:
    """Whether every open key of a row has the same weight."""
    return _largest(lesson, key, row) == _open(lesson, row)


def _largest(lesson: Lesson, key: str, row: int) -> set[int]:
    return {cell.col for cell in lesson.graph.largest(key, row)}


def _open(lesson: Lesson, row: int) -> set[int]:
    """The keys that a query may attend to."""
    mask = lesson.graph["M"].value[row].tolist()
    return {col for col, added in enumerate(mask) if added > float("-inf")}


def named(axis: Axis, places: Iterable[int]) -> str:
    """Tokens in a sentence: «The», «cat» and «sat»."""
    return listed(f"«{axis.unique(place)}»" for place in places)


def listed(names: Iterable[str]) -> str:
    """Names in a sentence.

    >>> listed(["3"]), listed(["3", "4"]), listed(["3", "4", "5"])
    ('3', '3 and 4', '3, 4 and 5')
    """
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def heads(numbers: Iterable[int]) -> str:
    """Heads in a sentence.

    >>> heads([3]), heads([3, 4, 5])
    ('head 3', 'heads 3, 4 and 5')
    """
    found = [str(number) for number in numbers]
    return f"head{'s' if len(found) > 1 else ''} {listed(found)}"
