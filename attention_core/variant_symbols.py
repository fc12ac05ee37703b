"""The symbols of the variants, one tuple each."""

from __future__ import annotations

from attention_core.symbol_rows import Symbol, known

_HEADS: tuple[Symbol, ...] = (
    known("outputs of all heads", "O_heads", "o", "output", "query", "component",
           "Component {col} of what all heads give «{row}»"),
)  # fmt: skip
_CROSS: tuple[Symbol, ...] = (
    known("source embeddings", "Y", "x", "number", "token", "feature",
           "Feature «{col}» of «{row}»"),
)  # fmt: skip
VARIANTS: tuple[Symbol, ...] = (*_HEADS, *_CROSS)
