"""Plain words as HTML, with the paper's symbols set as symbols."""

from __future__ import annotations

import re
from html import escape

from attention_core.symbols import Symbol, symbol

# What is a symbol wherever it stands. Single letters are too often words, so they stay as they are.
SYMBOL = re.compile(
    r"\b(?:d_(?:k|v|model)|W_QK|W_[QKVO]|X_out|X_QK|S_X|S_scaled|S_masked|S_shift"
    r"|S_tied|A_scaled|A_raw|O_H|len_QK|len_[QK]"
    r"|A_late|Z_late|A_renorm|M_open|M_big|S_big|A_big|Q_few|S_few|[MSA]_(?:top|bottom)"
    r"|A_tau|J_tau|A_plain|P_few|X_pos|O_back|O_diff|X_sum|[QK]_rot|[SB]_alibi|S_diff|[XUQKVSAO]_[P1-3])"
    r"(?![^\Wᵀ])"
)


def prose(text: str) -> str:
    """Escaped text in which a symbol such as ``d_k`` is set with its subscript.

    >>> prose("√d_k < 2")
    '√<i>d<sub>k</sub></i> &lt; 2'
    """
    return SYMBOL.sub(lambda found: typeset(symbol(found[0])), escape(text))


def anchor(href: str, text: str, attributes: str = "") -> str:
    """A link inside the app: a real address that needs no reload (`ui/links.js`).

    >>> anchor("Mask?v=1&seed=7", "a < b")
    '<a data-go href="Mask?v=1&amp;seed=7">a &lt; b</a>'
    """
    return f'<a data-go href="{escape(href)}"{attributes}>{prose(text)}</a>'


def typeset(sym: Symbol) -> str:
    """A symbol with its subscript and superscript.

    >>> typeset(symbol("W_Q")), typeset(symbol("K_T")), typeset(symbol("A"))
    ('<i>W<sub>Q</sub></i>', '<i>K<sup>T</sup></i>', '<i>A</i>')
    """
    sub = f"<sub>{sym.sub}</sub>" if sym.sub else ""
    sup = f"<sup>{sym.sup}</sup>" if sym.sup else ""
    return f"<i>{sym.base}{sub}{sup}</i>"
