"""The symbols of the variants, one tuple each."""

from __future__ import annotations

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
VARIANTS: tuple[Symbol, ...] = (*_HEADS, *_POSITIONS)
