"""An attention sink: one more key, without a token and without a value.

A query that finds nothing can leave its attention there. Learned in gpt-oss (OpenAI 2025), fixed at
score 0 in Miller's «softmax off by one» (2023); why models want one: Xiao et al. (2023).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from attention_core.axes import numbered
from attention_core.bounds import finite
from attention_core.graph import Graph
from attention_core.inputs import Inputs
from attention_core.matrix import given
from attention_core.ops import join_columns, mask_scores, matmul, row_softmax, take_columns
from attention_core.plain import plain
from attention_core.variants.variant import Chosen, Option, Variant


def sink(graph: Graph, score: float = 0.0) -> Graph:
    """The same attention with a sink of this score: A_all = softmax([S_scaled | sink] + [M | 0]).

    A_sink are the columns of the tokens, whose rows add up to less than 1. The sink has no value,
    so the rest of the attention is lost: O_sink = A_sink V. A row whose every key is blocked has a
    distribution here: the sink gets all of it.

    The column ``sink`` (n, 1) holds the score once for each row, and so does its gradient
    ``dsink``. In a model it is one learned number for all rows: its gradient is the sum of dsink.

    Errors: :class:`AttentionError` for a score that is not a finite number, and for a graph that is
    not plain attention from S_scaled on. With ALiBi call `with_alibi` after it.

    Shapes: S_scaled (n, n) → S_sink, A_all (n, n + 1), A_sink (n, n), O_sink (n, d_v).

    >>> from attention_core import attention
    >>> graph = sink(attention([[0.0]], [[1.0]], [[3.0]]))
    >>> graph["A_all"].value.tolist(), graph["O_sink"].value.tolist()
    ([[0.5, 0.5]], [[1.5]])
    """
    plain(graph, "sink", "S_scaled", "With positions, call with_alibi after it.")
    score = finite("sink", "score", score)
    scores, M = graph["S_scaled"], graph["M"]
    n_q, n_k = scores.shape
    one = numbered("1", 1)
    column = given("sink", np.full((n_q, 1), score), scores.rows, one)  # (n, 1)
    every = replace(
        scores.cols, name=f"{scores.cols.name} + 1", labels=(*scores.cols.labels, "sink")
    )
    S = join_columns((scores, column), every, "S_sink")  # (n, n) (n, 1) -> (n, n + 1)
    open_to_all = np.hstack([M.value, np.zeros((n_q, 1))])
    M_sink = given("M_sink", open_to_all, M.rows, every, minus_infinity=True)  # (n, n + 1)
    masked = mask_scores(S, M_sink, "S_sink_masked")  # (n, n + 1) twice -> (n, n + 1)
    A_all = row_softmax(masked, "A_all")  # (n, n + 1) -> (n, n + 1)
    A = take_columns(A_all, 0, n_k, "A_sink", scores.cols.name)  # (n, n + 1) -> (n, n)
    O = matmul(A, graph["V"], "O_sink")  # (n, n) (n, d_v) -> (n, d_v)
    return Graph((*graph.steps, column, S, M_sink, masked, A_all, A, O), graph.between | {"M_sink"})


def _sink(graph: Graph, inputs: Inputs, options: Chosen) -> Graph:
    return sink(graph, float(options["sink"]))


SINK = Variant(
    "sink",
    "Attention sink",
    _sink,
    (Option("sink", "Score of the sink", 0.0, low=-20.0, high=20.0),),
)
