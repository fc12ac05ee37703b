"""The symbols of the variants, one tuple each."""

from __future__ import annotations

from attention_core.symbol_rows import Symbol, known

_OUTPUT = ("query", "component")

_HEADS: tuple[Symbol, ...] = (
    known("outputs of all heads", "O_heads", "o", "output", "query", "component",
           "Component {col} of what all heads give «{row}»"),
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
VARIANTS: tuple[Symbol, ...] = (*_HEADS, *_GRADIENTS)
