"""A row of the table of symbols: how a key is written, called and coloured."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Symbol:
    """How one quantity is written and spoken of.

    ``base``, ``sub`` and ``sup`` are its typography (W, Q, "" for ``W_Q``), ``title`` names the
    whole matrix, ``one`` a single number of it, ``row`` and ``col`` what a row and a column stand
    for, ``role`` the letter of its colour, and ``asks`` the heading of one number's derivation.

    >>> Symbol("W_Q", "W", "Q").text, Symbol("K_T", "K", sup="T").text
    ('W_Q', 'Kᵀ')
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


def known(title: str, key: str, role: str, one: str, row: str, col: str, asks: str) -> Symbol:
    """A row; the typography is read off the key.

    >>> known("queries", "Q_few", "q", "number", "query", "component", "…").text
    'Q_few'
    """
    base, _, sub = key.partition("_")
    sub, sup = ("", "T") if sub == "T" else (sub, "")
    return Symbol(key, base, sub, sup, title, one, row, col, role, asks)


def greek(*row: str) -> Symbol:
    """A row whose key spells a Greek letter out: code and links keep to plain letters.

    >>> greek("angles", "Phi", "m", "angle", "token", "pair", "…").text
    'Φ'
    """
    plain = known(*row)
    for spelt, letter in _GREEK.items():
        plain = replace(
            plain, base=plain.base.replace(spelt, letter), sub=plain.sub.replace(spelt, letter)
        )
    return plain


_GREEK = {"tau": "τ", "theta": "θ", "Phi": "Φ"}
WEIGHT = ("weight", "feature", "component", "The weight from feature «{row}» to component {col}")
SCORE = ("query", "key", "How «{row}» scores «{col}»")
