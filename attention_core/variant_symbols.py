"""The symbols of the variants, one tuple each."""

from __future__ import annotations

from dataclasses import replace

from attention_core.symbol_rows import SCORE, Symbol, known

_HEADS: tuple[Symbol, ...] = (
    known("outputs of all heads", "O_heads", "o", "output", "query", "component",
           "Component {col} of what all heads give «{row}»"),
)  # fmt: skip
_EXACT: tuple[Symbol, ...] = (
    known("weights with base 2", "A_two", "a", "weight", "query", "key",
           "How much of the attention of «{row}» goes to «{col}», with powers of 2"),
    known("outputs with base 2", "O_two", "o", "output", "query", "component",
           "Component {col} of the output of «{row}», with powers of 2"),
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
VARIANTS: tuple[Symbol, ...] = (*_HEADS, *_SOFTCAP, *_SINK, *_EXACT)
