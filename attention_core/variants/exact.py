"""Exact numbers: the attention that you know, and beside it a softmax that stays a fraction."""

from __future__ import annotations

from attention_core.graph import Graph
from attention_core.inputs import Inputs
from attention_core.ops import binary_softmax, matmul
from attention_core.plain import plain
from attention_core.variants.variant import Chosen, Option, Variant


def base_two(graph: Graph) -> Graph:
    """Weights and outputs with powers of 2 in place of powers of e: A_two and O_two.

    A_two[i, j] = 2^S_masked[i, j] / Σ_l 2^S_masked[i, l]. Where the masked scores are whole numbers
    every weight is a fraction. 2^x is e^(x·ln 2), so it is the softmax of scores that are smaller
    by the factor ln 2 = 0.693…: a higher temperature. Fast kernels compute e^x so, too, with log₂ e
    multiplied into the scale beforehand (FlashAttention-2, Dao 2023, in its code).

    Shapes: S_masked (n, n) → A_two (n, n), O_two (n, d_v).

    >>> from attention_core import EXAMPLES, exactly
    >>> graph = base_two(EXAMPLES["love"].graph(scale=1.0))
    >>> print(exactly(graph, "A_two", 0, 1))
    exactly: A_two[I, love] = 32 / 42 = 16 / 21
    """
    plain(graph, "base_two", "S_masked")
    A_two = binary_softmax(graph["S_masked"], "A_two")  # (n, n) -> (n, n)
    O_two = matmul(A_two, graph["V"], "O_two")  # (n, n) (n, d_v) -> (n, d_v)
    return Graph((*graph.steps, A_two, O_two), graph.between)


def _exact(graph: Graph, inputs: Inputs, options: Chosen) -> Graph:
    return base_two(graph) if options["base"] == "2" else graph


BASE = Option("base", "Powers of", "e", among={"e": "e", "2": "2"})
EXACT = Variant("exact", "Exact numbers", _exact, (BASE,), exact=True)
