"""The symbols of the variants, one tuple each."""

from __future__ import annotations

from dataclasses import replace

from attention_core.symbol_rows import SCORE, Symbol, greek, known

_OUTPUT = ("query", "component")


def _so_far(*row: str) -> Symbol:
    """A row whose key ends in ``_run``: the letter of the softmax, as far as it has got."""
    return replace(known(*row), sub="")


_HEADS: tuple[Symbol, ...] = (
    known("outputs of all heads", "O_heads", "o", "output", "query", "component",
           "Component {col} of what all heads give «{row}»"),
)  # fmt: skip
_SOFTCAP: tuple[Symbol, ...] = (
    known("scores ÷ cap", "S_ratio", "s", "ratio", *SCORE[:2], f"{SCORE[2]}, divided by the cap"),
    known("bent scores", "S_tanh", "s", "number", *SCORE[:2], f"{SCORE[2]}, in caps"),
    known("capped scores", "S_cap", "s", "capped score", *SCORE[:2], f"{SCORE[2]}, capped"),
    replace(
        known("capped, masked", "S_cap_masked", "s", "masked score", *SCORE[:2],
              f"{SCORE[2]}, capped, after the mask"),
        sub="cap,masked",
    ),
    known("weights of capped scores", "A_cap", "a", "weight", "query", "key",
          "How much of the attention of «{row}» goes to «{col}», capped"),
    known("outputs of capped scores", "O_cap", "o", "output", "query", "component",
          "Component {col} of the output of «{row}», from capped scores"),
)  # fmt: skip
_SINK: tuple[Symbol, ...] = (
    known("score of the sink", "sink", "s", "score", "query", "column",
          "How «{row}» scores the sink"),
    known("scores, with the sink", "S_sink", "s", "score", *SCORE[:2], f"{SCORE[2]}, scaled"),
    known("mask, with the sink", "M_sink", "m", "mask entry", "query", "key",
          "What the mask adds where «{row}» looks at «{col}»"),
    replace(
        known("masked, with the sink", "S_sink_masked", "s", "masked score", *SCORE[:2],
              f"{SCORE[2]} after the mask"),
        sub="sink,masked",
    ),
    known("weights, with the sink", "A_all", "a", "weight", "query", "key",
          "How much of the attention of «{row}» goes to «{col}»"),
    known("weights of the tokens", "A_sink", "a", "weight", "query", "key",
          "How much of the attention of «{row}» goes to «{col}», beside a sink"),
    known("outputs beside a sink", "O_sink", "o", "output", "query", "component",
          "Component {col} of the output of «{row}», beside a sink"),
)  # fmt: skip
_CROSS: tuple[Symbol, ...] = (
    known("source embeddings", "Y", "x", "number", "token", "feature",
           "Feature «{col}» of «{row}»"),
)  # fmt: skip
_GRADIENTS: tuple[Symbol, ...] = (
    known("target", "T", "v", "target", *_OUTPUT,
          "Component {col} of what the output of «{row}» shall be"),
    known("errors", "R", "o", "error", *_OUTPUT,
          "How far component {col} of the output of «{row}» is from the target"),
    known("squared errors", "Sq", "o", "squared error", *_OUTPUT,
          "The squared error of component {col} of the output of «{row}»"),
    known("squared errors, row by row", "L_row", "m", "sum", "query", "column",
          "The sum of the squared errors of «{row}»"),
    known("squared errors, all", "L_sum", "m", "sum", "row", "column",
          "The sum of all squared errors"),
    known("loss", "L", "m", "loss", "row", "column", "How far the outputs are from the target"),
    known("weights of the row", "a", "a", "weight", "query", "key",
          "How much of the attention of «{row}» goes to «{col}»"),
    known("weight × gradient", "P_A", "g", "product", "query", "key",
          "The weight of «{col}» for «{row}» times its gradient"),
    known("mean gradients", "r_A", "g", "mean gradient", "query", "column",
          "The mean of the gradients of the weights of «{row}», weighted by the weights"),
    known("mean gradients, repeated", "R_A", "g", "mean gradient", "query", "key",
          "The mean gradient of the weights of «{row}»"),
    known("gradients − mean", "D_A", "g", "difference", "query", "key",
          "How far the gradient of the weight of «{col}» for «{row}» is from the mean"),
)  # fmt: skip
_ONLINE: tuple[Symbol, ...] = (
    known("the query of the row", "q", "q", "number", "query", "component",
           "Component {col} of the query of «{row}»"),
    known("the mask of the row", "M_row", "m", "mask entry", "query", "key",
           "What the mask adds where «{row}» looks at «{col}»"),
    _so_far("largest score so far", "m_run", "s", "largest so far", "query", "column",
           "The largest score of «{row}» so far"),
    _so_far("correction", "c_run", "s", "correction", "query", "column",
           "What is left of the old sum and the old output of «{row}»"),
    _so_far("exponentials", "E_run", "s", "exponential", "query", "key",
           "e to the power of the score of «{row}» for «{col}», less the largest so far"),
    known("old sum, corrected", "Z_kept", "s", "sum", "query", "column",
           "What is left of the old sum of «{row}»"),
    known("sum of the block", "Z_added", "s", "sum", "query", "column",
           "What this block adds to the sum of «{row}»"),
    _so_far("sum so far", "Z_run", "s", "sum so far", "query", "column",
           "The sum of the exponentials of «{row}» so far"),
    known("old output, corrected", "o_kept", "o", "number", "query", "component",
           "What is left of component {col} of the old output of «{row}»"),
    known("output of the block", "o_added", "o", "number", "query", "component",
           "What this block adds to component {col} of the output of «{row}»"),
    _so_far("output so far", "o_run", "o", "number", "query", "component",
           "Component {col} of the output of «{row}» so far, not divided yet"),
    known("output from blocks", "O_online", "o", "output", "query", "component",
           "Component {col} of the output of «{row}», from blocks"),
    known("the same row of O", "O_row", "o", "output", "query", "component",
           "Component {col} of the output of «{row}», from the whole table"),
)  # fmt: skip
_POSITIONS: tuple[Symbol, ...] = (
    known("places", "p", "m", "place", "token", "column", "The place of «{row}»"),
    greek("frequencies", "theta", "m", "frequency", "row", "column",
          "How far the angle in column «{col}» moves from place to place"),
    greek("angles", "Phi", "m", "angle", "token", "column",
          "The angle of «{row}» in column «{col}»"),
    known("queries, turned", "Q_rot", "q", "number", "query", "component",
          "Component {col} of the turned query of «{row}»"),
    known("keys, turned", "K_rot", "k", "number", "key", "component",
          "Component {col} of the turned key of «{row}»"),
    known("distances", "dist", "m", "distance", "query", "key",
          "How many places «{row}» and «{col}» are apart"),
    known("biases", "B_alibi", "m", "bias", "query", "key",
          "What the distance takes off the score of «{col}» for «{row}»"),
    known("scores with biases", "S_alibi", "s", "score", *SCORE[:2], f"{SCORE[2]}, with its bias"),
)  # fmt: skip
_EXACT: tuple[Symbol, ...] = (
    known("weights with base 2", "A_two", "a", "weight", "query", "key",
           "How much of the attention of «{row}» goes to «{col}», with powers of 2"),
    known("outputs with base 2", "O_two", "o", "output", "query", "component",
           "Component {col} of the output of «{row}», with powers of 2"),
)  # fmt: skip
VARIANTS: tuple[Symbol, ...] = (
    *_HEADS,
    *_SOFTCAP,
    *_SINK,
    *_CROSS,
    *_GRADIENTS,
    *_ONLINE,
    *_POSITIONS,
    *_EXACT,
)
