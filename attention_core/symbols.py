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


def _weight(letter: str, title: str, role: str) -> Symbol:
    asks = "The weight from feature «{row}» to component {col}"
    key = f"W_{letter}"
    return Symbol(key, "W", letter, "", title, "weight", "feature", "component", role, asks)


def _scores(sub: str, title: str, asks: str) -> Symbol:
    key = f"S_{sub}" if sub else "S"
    return Symbol(key, "S", sub, "", title, title[:-1], "query", "key", "s", asks)


SYMBOLS: dict[str, Symbol] = {
    s.key: s
    for s in (
        Symbol(
            "X",
            "X",
            "",
            "",
            "token embeddings",
            "embedding",
            "token",
            "feature",
            "x",
            "Feature «{col}» of «{row}»",
        ),
        _weight("Q", "query weights", "q"),
        _weight("K", "key weights", "k"),
        _weight("V", "value weights", "v"),
        Symbol(
            "W_O",
            "W",
            "O",
            "",
            "output weights",
            "weight",
            "component",
            "feature",
            "o",
            "The weight from component {row} to feature «{col}»",
        ),
        Symbol(
            "Q",
            "Q",
            "",
            "",
            "queries",
            "component",
            "query",
            "component",
            "q",
            "Component {col} of the query of «{row}»",
        ),
        Symbol(
            "K",
            "K",
            "",
            "",
            "keys",
            "component",
            "key",
            "component",
            "k",
            "Component {col} of the key of «{row}»",
        ),
        Symbol(
            "V",
            "V",
            "",
            "",
            "values",
            "component",
            "value",
            "component",
            "v",
            "Component {col} of the value of «{row}»",
        ),
        Symbol(
            "K_T",
            "K",
            "",
            "T",
            "keys, transposed",
            "component",
            "component",
            "key",
            "k",
            "Component {row} of the key of «{col}»",
        ),
        _scores("", "scores", "How «{row}» scores «{col}»"),
        _scores("scaled", "scaled scores", "How «{row}» scores «{col}», scaled"),
        _scores("masked", "masked scores", "How «{row}» scores «{col}» after the mask"),
        Symbol(
            "M",
            "M",
            "",
            "",
            "mask",
            "mask entry",
            "query",
            "key",
            "m",
            "What the mask adds where «{row}» looks at «{col}»",
        ),
        Symbol(
            "A",
            "A",
            "",
            "",
            "weights",
            "weight",
            "query",
            "key",
            "a",
            "How much of the attention of «{row}» goes to «{col}»",
        ),
        Symbol(
            "O",
            "O",
            "",
            "",
            "outputs",
            "output",
            "query",
            "component",
            "o",
            "Component {col} of the output of «{row}»",
        ),
    )
}


@lru_cache(maxsize=1024)
def symbol(key: str) -> Symbol:
    """Look a key up; a key that is not in the table is read by its form.

    ``…_T`` is a transpose, ``d…`` the gradient ∂L/∂…, and ``…_1`` a numbered copy of a known one
    (a head). Anything else is a plain letter with an optional subscript.

    >>> symbol("dQ").title, symbol("Q_1").role, symbol("P_out").sub
    ('gradient of the queries', 'q', 'out')
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
    if key.startswith("d") and key[1:] and key[1].isupper():
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
    base, _, sub = key.partition("_")
    numbered = re.fullmatch(r"(.+)_(\d+)", key)
    if numbered and numbered[1] in SYMBOLS:
        of = SYMBOLS[numbered[1]]
        return replace(of, key=key, sub=f"{of.sub},{numbered[2]}" if of.sub else numbered[2])
    return Symbol(key, base, sub, title=key)
