"""The symbols of the variants, one tuple each."""

from __future__ import annotations

from attention_core.symbol_rows import Symbol, known

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
VARIANTS: tuple[Symbol, ...] = (*_HEADS, *_EXACT)
