"""The table of symbols: how each known key is written, called and coloured.

A key is what code, links and exports use. This is the one place that maps it to its typography and
to the words that pages and screen readers use: here the paper's quantities and what stands beside
them, and those of the labs and of the variants in files of their own.
"""

from __future__ import annotations

from attention_core.lab_symbols import LABS
from attention_core.symbol_rows import SCORE, WEIGHT, Symbol, known
from attention_core.variant_symbols import VARIANTS

_PAPER: tuple[Symbol, ...] = (
    known("token embeddings", "X", "x", "number", "token", "feature",
           "Feature «{col}» of «{row}»"),
    known("query weights", "W_Q", "q", *WEIGHT),
    known("key weights", "W_K", "k", *WEIGHT),
    known("value weights", "W_V", "v", *WEIGHT),
    known("output weights", "W_O", "o", "weight", "component", "feature",
           "The weight from component {row} to feature «{col}»"),
    known("queries", "Q", "q", "number", "query", "component",
           "Component {col} of the query of «{row}»"),
    known("keys", "K", "k", "number", "key", "component",
           "Component {col} of the key of «{row}»"),
    known("values", "V", "v", "number", "value", "component",
           "Component {col} of the value of «{row}»"),
    known("values, cut short", "V_short", "v", "number", "value", "component",
           "Component {col} of the value of «{row}», cut short"),
    known("outputs of short values", "O_short", "o", "output", "query", "component",
           "Component {col} of the output of «{row}», from short values"),
    known("which values are kept", "V_keep", "m", "gate", "value", "component",
           "1 where component {col} of the value of «{row}» is kept, 0 where not"),
    known("values, one set to 0", "V_zero", "v", "number", "value", "component",
           "Component {col} of the value of «{row}», where one value is set to 0"),
    known("outputs without that value", "O_zero", "o", "output", "query", "component",
           "Component {col} of the output of «{row}», without that value"),
    known("keys, transposed", "K_T", "k", "number", "component", "key",
           "Component {row} of the key of «{col}»"),
    known("scores", "S", "s", "score", *SCORE),
    known("scaled scores", "S_scaled", "s", "scaled score", *SCORE[:2],
           f"{SCORE[2]}, scaled"),
    known("masked scores", "S_masked", "s", "masked score", *SCORE[:2],
           f"{SCORE[2]} after the mask"),
    known("mask", "M", "m", "mask entry", "query", "key",
           "What the mask adds where «{row}» looks at «{col}»"),
    known("attention weights", "A", "a", "weight", "query", "key",
           "How much of the attention of «{row}» goes to «{col}»"),
    known("weights of scaled scores", "A_scaled", "a", "weight", "query", "key",
           "How much of the attention of «{row}» goes to «{col}», scaled"),
    known("weights of raw scores", "A_raw", "a", "weight", "query", "key",
           "How much of the attention of «{row}» goes to «{col}», not scaled"),
    known("row maxima", "m", "s", "row maximum", "query", "column",
           "The largest score of «{row}»"),
    known("scores − maximum", "S_shift", "s", "score", *SCORE[:2],
           f"{SCORE[2]}, less the largest score of the row"),
    known("exponentials", "E", "s", "exponential", "query", "key",
           "e to the power of the score of «{row}» for «{col}»"),
    known("row sums", "Z", "s", "row sum", "query", "column",
           "The sum of the exponentials of «{row}»"),
    known("column sums", "Z_down", "a", "column sum", "key", "column",
           "The sum of all weights for «{row}»"),
    known("hard weights", "H", "a", "hard weight", "query", "key",
           "How much «{row}» takes from «{col}» in a hard look-up"),
    known("looked up outputs", "O_H", "o", "looked up output", "query", "component",
           "Component {col} of what «{row}» looks up"),
    known("updates", "U", "o", "update", "token", "feature",
           "Feature «{col}» of the update of «{row}»"),
    known("embeddings, updated", "X_out", "x", "number", "token", "feature",
           "Feature «{col}» of «{row}» after attention"),
    known("outputs", "O", "o", "output", "query", "component",
           "Component {col} of the output of «{row}»"),
)  # fmt: skip
SYMBOLS: dict[str, Symbol] = {row.key: row for row in (*_PAPER, *LABS, *VARIANTS)}
