"""Explaining one cell: a dot product of d_k terms costs the same however many tokens there are."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle

from attention_core import Graph, attention
from benchmarks.core import D, random_inputs
from benchmarks.report import Row
from benchmarks.timing import side_by_side

_SMALL, _LARGE = 64, 1024
_AIM_MS = 1.0
_SAME = 1.25  # «independent of n», with room for noise


def measure() -> list[Row]:
    """The cells of S, which are held to the aims; then those of A and O, whose sums grow with n."""
    small, large = (attention(*random_inputs(n)) for n in (_SMALL, _LARGE))
    rows = []
    for key, terms in (("S", f"{D} terms at any n"), ("A", "n terms"), ("O", "n terms")):
        pair = side_by_side(_explainer(large, key), _explainer(small, key), seconds=2.0)
        large_ms, small_ms = pair.ours * 1e3, pair.plain * 1e3
        held = key == "S"
        rows.append(
            Row(f"a cell of {key}, n = {_LARGE}", large_ms, None, "ms", _AIM_MS if held else None)
        )
        rows.append(
            Row(
                f"  n = {_LARGE} against n = {_SMALL}",
                large_ms,
                small_ms,
                "ms",
                _SAME if held else None,
                f"{terms}; median of neighbours {pair.median_ratio:.2f}",
            )
        )
    return rows


def _explainer(graph: Graph, key: str) -> Callable[[], object]:
    """Explains another cell at every call, and reads all that a page shows of it."""
    n, m = graph[key].shape
    cells = cycle([(7 * k % n, 11 * k % m) for k in range(50)])

    def explain() -> object:
        why = graph.explain(key, *next(cells))
        return why.substituted, why.sources, why.text, why.note

    return explain
