"""The line above the matrices: what is being computed."""

from __future__ import annotations

from typing import Any

import numpy as np

from attention_core import DIFF, WAS, Graph, Inputs, Matrix
from attention_core.symbols import symbol
from ui.board.layout import Layout
from ui.board.math import line, symbol_math
from ui.lesson import Lesson
from ui.readers import ROOT

_SIZES = ("d_model", "d_k", "d_v")
Fact = list[Any]  # a label as text or mathematics, and one text or several


def pair_of(inputs: Inputs) -> tuple[str, str]:
    """What makes the queries and what makes the keys; where they are tied, the second follows."""
    return ("W_Q", "W_K") if "X" in inputs.given else ("Q", "K")


def under_the_mask(graph: Graph, matrix: Matrix) -> bool:
    """Whether the viewer's mask is about the entries of a matrix: some have one of their own."""
    return "M" in graph and (matrix.rows, matrix.cols) == (graph["M"].rows, graph["M"].cols)


def blocked_in(graph: Graph, matrix: Matrix) -> list[list[int]]:
    """The places that are blocked in a matrix: its own, or those of the mask that it is under.

    A matrix of queries and keys is under a mask with the same axes, if there is just one. What was
    is under the mask that was. A difference is under none: of mask entries and masked scores it
    shows what is blocked now.
    """
    if matrix.key.endswith(DIFF):
        return np.argwhere(np.isneginf(matrix.inputs[0].value)).tolist()
    own = (m for m in (matrix, *matrix.inputs) if m.blocked and m.shape == matrix.shape)
    was = matrix.key.endswith(WAS) and f"M{WAS}" in graph
    runs = (m for m in graph.steps if m.key.endswith(WAS) == was and not m.key.endswith(DIFF))
    masks = [m for m in runs if m.symbol.role == "m" and m.blocked]
    over = [m for m in masks if (m.rows, m.cols) == (matrix.rows, matrix.cols)]
    mask = next(own, over[0] if len(over) == 1 else None)
    return [] if mask is None else np.argwhere(np.isneginf(mask.value)).tolist()


def facts_of(lesson: Lesson, layout: Layout) -> list[Fact]:
    """Tokens, the sizes of what stands there, and every setting that decides its numbers."""
    if layout.about:
        return [list(fact) for fact in layout.about]
    settings = lesson.settings
    # Of the present state, where another one stands beside it.
    standing = [m for m in layout.standing(lesson.graph) if WAS not in m.key]
    behind = {matrix.key for matrix in layout.behind(lesson.graph)}
    axes = sorted((axis.name, axis.size) for m in standing for axis in (m.rows, m.cols))
    sizes, whole = dict(axes), lesson.inputs.sizes  # the largest, where there are parts
    facts: list[Fact] = [["tokens", list(lesson.inputs.tokens)]]
    facts += [
        [
            ["row", ["i", "d"], ["sub", name.removeprefix("d_")]],
            f"{sizes[name]}{' in each head' if sizes[name] < whole.get(name, 0) else ''}",
        ]
        for name in _SIZES
        if name in sizes
    ]
    leader, follower = pair_of(lesson.inputs)
    if settings.tied and {leader, follower} <= behind:
        names = (symbol_math(symbol(key)) for key in (follower, leader))
        facts.append([["b", *line(*names, decimals=settings.decimals)], []])
    if settings.scale != ROOT and {"S_scaled", "S_few_scaled"} & behind:
        facts.append(["scale", settings.scale.replace("-", "−")])
    if any(under_the_mask(lesson.graph, m) for m in standing):
        unseen = settings.mask != "none" and "S_masked" not in behind
        will = " (will block the hatched cells)" if unseen else ""
        facts.append(["mask", settings.mask + will])
    if "P" in behind:
        facts.append(["in the other order", list(lesson.graph["P"].rows.labels)])
    if settings.own:
        facts.append(["numbers", "toy: made from each token’s text and the seed, not learned"])
    return facts
