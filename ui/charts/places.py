"""Where values stand in a picture, and where their names do."""

from __future__ import annotations

import numpy as np

from attention_core import hull
from attention_core.matrix import Array
from ui.charts.figure import Trace

_LONG = 14  # letters of a name; more would run out of a narrow picture
_MANY = 3  # names at one place


def placed(values: Array, components: tuple[int, ...]) -> Array:
    """Rows as points of the plane: two of their components, or one along a line.

    >>> placed(np.array([[1.0, 2.0, 3.0]]), (0, 2)).tolist()
    [[1.0, 3.0]]
    >>> placed(np.array([[1.0]]), (0,)).tolist()
    [[1.0, 0.0]]
    """
    some = values[:, list(components)]
    return some if some.shape[1] == 2 else np.hstack([some, np.zeros_like(some)])


def labelled(at: Array, names: list[str]) -> Trace:
    """Names beside points, away from the shape that the points span; equal points share one."""
    shared: dict[tuple[float, ...], list[str]] = {}
    for place, name in zip(at.tolist(), names, strict=True):
        shared.setdefault(tuple(place), []).append(_clipped(name))
    texts = [_listed(shared.pop(tuple(place), [])) for place in at.tolist()]
    return {
        "mode": "markers+text",
        "text": texts,
        "textposition": _outward(at),
        "cliponaxis": False,
        "marker": {"size": 10},
    }


def _clipped(name: str) -> str:
    """A name in «», no longer than fits."""
    return name if len(name) <= _LONG + 2 else f"{name[:_LONG]}…»"


def _listed(names: list[str]) -> str:
    more = len(names) - _MANY
    return " ".join(names[:_MANY]) + (f" +{more}" if more > 0 else "")


def _outward(at: Array) -> list[str]:
    """The side of each point that looks away from the middle of the shape."""
    spans = np.ptp(at, axis=0)
    away = (at - at[list(hull(at))].mean(axis=0)) / np.where(spans == 0, 1.0, spans)
    sides = []
    for i, (x, y) in enumerate(away.tolist()):
        if spans[1] == 0:  # on a level line names stand over it and under it in turn
            sides.append(("top center", "bottom center")[i % 2])
            continue
        up = "top" if y >= 0 else "bottom"
        across = "left" if x < 0 else "right"
        flat, steep = abs(y) < 0.4 * abs(x), abs(x) < 0.4 * abs(y)
        sides.append(f"middle {across}" if flat else f"{up} {'center' if steep else across}")
    return sides
