"""The symbols of the variants, one tuple each."""

from __future__ import annotations

from dataclasses import replace

from attention_core.symbol_rows import SCORE, Symbol, greek, known

_HEADS: tuple[Symbol, ...] = (
    known("outputs of all heads", "O_heads", "o", "output", "query", "component",
           "Component {col} of what all heads give «{row}»"),
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
VARIANTS: tuple[Symbol, ...] = (*_HEADS, *_SOFTCAP, *_SINK, *_POSITIONS)
