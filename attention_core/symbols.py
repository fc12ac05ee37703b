"""The paper's symbols: how a key such as ``W_Q`` is written, called and coloured.

A key is what code, links and exports use. This table is the one place that maps it to its
typography and to the words that pages and screen readers use.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache


@dataclass(frozen=True)
class Symbol:
    """How one quantity is written and spoken of.

    ``base``, ``sub`` and ``sup`` are its typography (W, Q, "" for ``W_Q``), ``title`` names the
    whole matrix, ``one`` a single number of it, ``row`` and ``col`` what a row and a column stand
    for, ``role`` the letter of its colour, and ``asks`` the heading of one number's derivation.

    >>> symbol("W_Q").text, symbol("K_T").text, symbol("S_scaled").text
    ('W_Q', 'Kᵀ', 'S_scaled')
    """

    key: str
    base: str
    sub: str = ""
    sup: str = ""
    title: str = ""
    one: str = "value"
    row: str = "row"
    col: str = "column"
    role: str = "x"
    asks: str = "Row «{row}», column «{col}»"

    @property
    def text(self) -> str:
        """Plain text, as in ``Kᵀ``."""
        sup = {"T": "ᵀ", "": ""}.get(self.sup, f"^{self.sup}")
        return f"{self.base}_{self.sub}{sup}" if self.sub else f"{self.base}{sup}"

    @property
    def transposed(self) -> bool:
        """Whether rows and columns are swapped."""
        return self.sup == "T"

    @property
    def vector(self) -> str:
        """The letter of one row: lower case, as the paper writes q, k and v."""
        return self.base.lower()


def _known(title: str, key: str, role: str, one: str, row: str, col: str, asks: str) -> Symbol:
    """A row of the table; the typography is read off the key."""
    base, _, sub = key.partition("_")
    sub, sup = ("", "T") if sub == "T" else (sub, "")
    return Symbol(key, base, sub, sup, title, one, row, col, role, asks)


_WEIGHT = ("weight", "feature", "component", "The weight from feature «{row}» to component {col}")
_SCORE = ("query", "key", "How «{row}» scores «{col}»")

SYMBOLS: dict[str, Symbol] = {
    s.key: s
    for s in (
        _known("token embeddings", "X", "x", "number", "token", "feature",
               "Feature «{col}» of «{row}»"),
        _known("query weights", "W_Q", "q", *_WEIGHT),
        _known("key weights", "W_K", "k", *_WEIGHT),
        _known("value weights", "W_V", "v", *_WEIGHT),
        _known("output weights", "W_O", "o", "weight", "component", "feature",
               "The weight from component {row} to feature «{col}»"),
        _known("queries", "Q", "q", "number", "query", "component",
               "Component {col} of the query of «{row}»"),
        _known("keys", "K", "k", "number", "key", "component",
               "Component {col} of the key of «{row}»"),
        _known("values", "V", "v", "number", "value", "component",
               "Component {col} of the value of «{row}»"),
        _known("keys, transposed", "K_T", "k", "number", "component", "key",
               "Component {row} of the key of «{col}»"),
        _known("scores", "S", "s", "score", *_SCORE),
        _known("scaled scores", "S_scaled", "s", "scaled score", *_SCORE[:2],
               f"{_SCORE[2]}, scaled"),
        _known("masked scores", "S_masked", "s", "masked score", *_SCORE[:2],
               f"{_SCORE[2]} after the mask"),
        _known("mask", "M", "m", "mask entry", "query", "key",
               "What the mask adds where «{row}» looks at «{col}»"),
        _known("attention weights", "A", "a", "weight", "query", "key",
               "How much of the attention of «{row}» goes to «{col}»"),
        _known("weights of scaled scores", "A_scaled", "a", "weight", "query", "key",
               "How much of the attention of «{row}» goes to «{col}», scaled"),
        _known("weights of raw scores", "A_raw", "a", "weight", "query", "key",
               "How much of the attention of «{row}» goes to «{col}», not scaled"),
        _known("row maxima", "m", "s", "row maximum", "query", "column",
               "The largest score of «{row}»"),
        _known("scores − maximum", "S_shift", "s", "score", *_SCORE[:2],
               f"{_SCORE[2]}, less the largest score of the row"),
        _known("exponentials", "E", "s", "exponential", "query", "key",
               "e to the power of the score of «{row}» for «{col}»"),
        _known("row sums", "Z", "s", "row sum", "query", "column",
               "The sum of the exponentials of «{row}»"),
        _known("hard weights", "H", "a", "hard weight", "query", "key",
               "How much «{row}» takes from «{col}» in a hard look-up"),
        _known("looked up outputs", "O_H", "o", "looked up output", "query", "component",
               "Component {col} of what «{row}» looks up"),
        _known("updates", "U", "o", "update", "token", "feature",
               "Feature «{col}» of the update of «{row}»"),
        _known("embeddings, updated", "X_out", "x", "number", "token", "feature",
               "Feature «{col}» of «{row}» after attention"),
        _known("outputs", "O", "o", "output", "query", "component",
               "Component {col} of the output of «{row}»"),
        *(_known(f"update of layer {layer}", f"U_{layer}", "o", "update", "token", "feature",
                 f"Feature «{{col}}» of what layer {layer} writes for «{{row}}»")
          for layer in (1, 2, 3)),
        *(_known(f"stream after layer {layer}", f"X_{layer}", "x", "number", "token", "feature",
                 f"Feature «{{col}}» of «{{row}}» after layer {layer}")
          for layer in (1, 2, 3)),
        _known("whole sum", "X_sum", "x", "number", "token", "feature",
               "Feature «{col}» of «{row}» in the whole sum"),
        _known("permutation", "P", "m", "entry", "place", "token",
               "Whether «{row}» in the other order is «{col}» in the first"),
        _known("its inverse", "P_T", "m", "entry", "token", "place",
               "Whether «{row}» in the first order is «{col}» in the other"),
        _known("positions", "Pos", "x", "number", "place", "feature",
               "Feature «{col}» of place {row}"),
        _known("with positions", "X_pos", "x", "number", "token", "feature",
               "Feature «{col}» of «{row}» with its position"),
        _known("outputs, put back", "O_back", "o", "output", "query", "component",
               "Component {col} of the output of «{row}», back in the first order"),
        _known("difference", "D", "o", "difference", "query", "component",
               "What the order changes in component {col} of the output of «{row}»"),
    )
}  # fmt: skip


@lru_cache(maxsize=1024)
def symbol(key: str) -> Symbol:
    """Look a key up; a key that is not in the table is read by its form.

    ``…_T`` is a transpose, ``d…`` the gradient ∂L/∂…, ``open_…`` says where a gradient passes,
    ``…_P`` is a known one with its tokens in another order, and ``…_1`` a numbered copy of it (a
    head). Anything else is a plain letter with an optional subscript.

    >>> symbol("dQ").title, symbol("Q_1").role, symbol("P_out").sub
    ('gradient of the queries', 'q', 'out')
    >>> symbol("S_masked_P").text, symbol("K_P_T").title
    ('S_masked,P', 'keys, transposed')
    """
    if key in SYMBOLS:
        return SYMBOLS[key]
    if key.endswith("_T") and len(key) > 2:
        of = symbol(key[:-2])
        return replace(
            of,
            key=key,
            sup="T",
            title=f"{of.title}, transposed",
            row=of.col,
            col=of.row,
            asks=of.asks.replace("{row}", "{}").replace("{col}", "{row}").replace("{}", "{col}"),
        )
    if key.startswith("d") and (key[1:2].isupper() or key[1:] in SYMBOLS):
        of = symbol(key[1:])
        return replace(
            of,
            key=key,
            base=f"d{of.base}",
            title=f"gradient of the {of.title}",
            one="gradient",
            role="g",
            asks="How the loss changes with " + of.text + " in row «{row}», column «{col}»",
        )
    if key.startswith("open_"):
        asks = "Whether a gradient passes in row «{row}», column «{col}»"
        return Symbol(key, "open", key[5:], "", "1 where a gradient passes", "entry", asks=asks)
    if key.endswith("_P") and key[:-2] in SYMBOLS:
        of = SYMBOLS[key[:-2]]
        sub = f"{of.sub},P" if of.sub else "P"
        asks = f"{of.asks}, in the other order"
        return replace(of, key=key, sub=sub, asks=asks)
    base, _, sub = key.partition("_")
    numbered = re.fullmatch(r"(.+)_(\d+)", key)
    if numbered and numbered[1] in SYMBOLS:
        of = SYMBOLS[numbered[1]]
        return replace(of, key=key, sub=f"{of.sub},{numbered[2]}" if of.sub else numbered[2])
    return Symbol(key, base, sub, title=key)
