"""Two states of one computation in one graph: as it was, as it is, and the difference.

What was is called by the key of what is, with ``_was`` behind it; the difference has ``_diff``.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from attention_core.again import marked
from attention_core.graph import Graph
from attention_core.matrix import Matrix
from attention_core.ops import compare

WAS, DIFF = "_was", "_diff"


def beside(graph: Graph, was: Graph) -> Graph:
    """A graph, what it was before a change, and what the change makes: S, S_was and S_diff.

    The matrices of ``graph`` keep their keys. Those of ``was`` get ``_was``, and so do the inputs
    that they are made from. A matrix that is the very same in both, given with the same numbers or
    made by the same op from such ones, stands once: so what has ``_was`` is what the change
    reaches. Where it has the same axes as the one it was, S_diff = S − S_was.

    Errors: :class:`AttentionError` where a difference is too large for float64.

    >>> from attention_core import EXAMPLES
    >>> love = EXAMPLES["love"]
    >>> graph = beside(love.graph(mask="causal"), love.graph())
    >>> [key for key in graph if key.endswith("_diff")]
    ['S_masked_diff', 'A_diff', 'O_diff']
    >>> graph.explain("A_diff", 1, 0).text
    'A_diff[love, I] = A[love, I] − A_was[love, I] = 0.500 − 0.333 = 0.167'
    >>> graph.explain("O_was", 0, 0).text
    'O_was[I, 1] = A_was[I, :] · V[:, 1] = 0.070·1 + 0.707·1 + 0.223·1 = 1'
    """
    by_key = {m.key: m for m in graph.steps}
    made: dict[str, Matrix] = {}  # what was, by its own key
    for matrix in was.steps:
        inputs = tuple(made[m.key] for m in matrix.inputs)
        now = by_key.get(matrix.key)
        if now is None or not _is_same(now, matrix, inputs):
            now = replace(matrix, key=marked(matrix.key, WAS), inputs=inputs)
        made[matrix.key] = now
    before = tuple(m for m in made.values() if m.key not in by_key)
    differences = tuple(
        compare(m, made[m.key], f"{m.key}{DIFF}")
        for m in graph.steps
        if m.key in made and made[m.key] is not m and not m.symbol.transposed
        if (m.rows, m.cols) == (made[m.key].rows, made[m.key].cols)
    )
    between = {made[key].key for key in was.between if key in made}
    between |= {f"{key}{DIFF}" for key in graph.between}
    return Graph((*graph.steps, *before, *differences), graph.between | between)


def differs(graph: Graph, key: str) -> bool:
    """Whether the numbers of a matrix are other ones than they were, in a graph of :func:`beside`.

    >>> from attention_core import EXAMPLES
    >>> hand = EXAMPLES["hand"]
    >>> graph = beside(hand.graph(scale=1.0), hand.graph())
    >>> [key for key in graph if differs(graph, key)]
    ['S_scaled', 'S_masked', 'A', 'O']
    """
    if f"{key}{WAS}" not in graph:
        return False
    return f"{key}{DIFF}" not in graph or bool(graph[f"{key}{DIFF}"].value.any())


def _is_same(now: Matrix, was: Matrix, inputs: tuple[Matrix, ...]) -> bool:
    """Whether two matrices of one key are one: the same axes, and the same numbers or recipe."""
    if (now.rows, now.cols, now.op) != (was.rows, was.cols, was.op):
        return False
    if now.op is None:
        return np.array_equal(now.value, was.value)
    return all(a is b for a, b in zip(now.inputs, inputs, strict=True))
