"""An attention sink: one more key, without a token and without a value.

A query that finds nothing can leave its attention there. Learned in gpt-oss (OpenAI 2025), fixed at
score 0 in Miller's «softmax off by one» (2023); why models want one: Xiao et al. (2023).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from attention_core.axes import numbered
from attention_core.bounds import one_a_head, several
from attention_core.graph import Graph
from attention_core.inputs import Inputs
from attention_core.matrix import Matrix, given
from attention_core.ops import join_columns, mask_scores, matmul, row_softmax, take_columns
from attention_core.plain import plain_heads
from attention_core.variants.side_by_side import put_together
from attention_core.variants.variant import Chosen, Option, Variant


def sink(graph: Graph, score: float | Sequence[float] = 0.0) -> Graph:
    """The same attention with a sink of this score: A_all = softmax([S_scaled | sink] + [M | 0]).

    A_sink are the columns of the tokens, whose rows add up to less than 1. The sink has no value,
    so the rest of the attention is lost: O_sink = A_sink V. A row whose every key is blocked has a
    distribution here: the sink gets all of it.

    The column ``sink`` (n, 1) holds the score once for each row, and so does its gradient
    ``dsink``. In a model it is one learned number for all rows: its gradient is the sum of dsink.

    Shapes: S_scaled (n, n) → S_sink, A_all (n, n + 1), A_sink (n, n), O_sink (n, d_v). On several
    heads (`multi_head`, `split_heads`) each head has a sink of its own, ``score`` holds one number
    a head (gpt-oss) or one for all of them (Miller), and O_sink = [O_sink_1 | … | O_sink_h]. Where
    there is U, it is made from O_sink.

    Errors: :class:`AttentionError` for a score that is not a finite number, for another number of
    scores than heads, for a graph that is not plain attention from S_scaled on, and for several
    heads with gradients. With ALiBi call `with_alibi` after it.

    >>> from attention_core import EXAMPLES, attention, split_heads
    >>> graph = sink(attention([[0.0]], [[1.0]], [[3.0]]))
    >>> graph["A_all"].value.tolist(), graph["O_sink"].value.tolist()
    ([[0.5, 0.5]], [[1.5]])
    >>> sink(split_heads(EXAMPLES["cat"].graph(), 2), (0.5, -1))["sink_2"].value[0].tolist()
    [-1.0]
    """
    marks = plain_heads(graph, "sink", "With positions, call with_alibi after it.")
    scores = several("sink", "score", score)
    scores = scores * len(marks) if len(scores) == 1 else scores
    one_a_head("sink", "score", len(scores), len(marks), f"(0.0,) * {len(marks)}")
    masks = (graph[f"S_masked{mark}"].inputs[1] for mark in marks)
    wider = {M: _open_to_all(M) for M in dict.fromkeys(masks)}  # one for all heads, or one a head
    heads = [
        _beside_a_sink(graph, one, wider, mark) for mark, one in zip(marks, scores, strict=True)
    ]
    return put_together(graph, heads, "O_sink", (M.key for M in wider.values()))


def _open_to_all(M: Matrix) -> Matrix:
    """A mask with one more column, of a sink that everybody may attend to."""
    cols = replace(M.cols, name=f"{M.cols.name} + 1", labels=(*M.cols.labels, "sink"))
    mask = np.pad(M.value, ((0, 0), (0, 1)))
    return given(f"M_sink{M.key[1:]}", mask, M.rows, cols, minus_infinity=True)  # (n, n + 1)


def _beside_a_sink(
    graph: Graph, score: float, wider: dict[Matrix, Matrix], mark: str
) -> tuple[Matrix, ...]:
    """One head from its scaled scores on, under a mask with a column for the sink."""
    (scores, mask), V = graph[f"S_masked{mark}"].inputs, graph[f"O{mark}"].inputs[1]
    M = wider[mask]
    n_q, n_k = scores.shape
    column = given(f"sink{mark}", np.full((n_q, 1), score), scores.rows, numbered("1", 1))  # (n, 1)
    S = join_columns((scores, column), M.cols, f"S_sink{mark}")  # (n, n) (n, 1) -> (n, n + 1)
    masked = mask_scores(S, M, f"S_sink_masked{mark}")  # (n, n + 1) twice -> (n, n + 1)
    A_all = row_softmax(masked, f"A_all{mark}")  # (n, n + 1) -> (n, n + 1)
    A = take_columns(A_all, 0, n_k, f"A_sink{mark}", scores.cols.name)  # (n, n + 1) -> (n, n)
    O = matmul(A, V, f"O_sink{mark}")  # (n, n) (n, d_v) -> (n, d_v)
    return column, S, M, masked, A_all, A, O


def _sink(graph: Graph, inputs: Inputs, options: Chosen) -> Graph:
    return sink(graph, float(options["sink"]))


SINK = Variant(
    "sink",
    "Attention sink",
    _sink,
    (Option("sink", "Score of the sink", 0.0, low=-20.0, high=20.0),),
)
