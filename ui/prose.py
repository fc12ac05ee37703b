"""Plain words as HTML, with the paper's symbols set as symbols."""

from __future__ import annotations

import re
from html import escape

from attention_core.symbols import RUNS, SYMBOLS, Symbol, symbol

# What is a symbol wherever it stands: keys with a subscript, the longest first, with what may stand
# before and behind them; gradients, and numbered ones. Single letters are too often words, so they
# stay as they are. Other runs: S_P, K_2_kept.
_KEYS = "|".join(sorted((key for key in SYMBOLS if "_" in key), key=len, reverse=True))
_LETTER = "[XUQKVSAO]"
SYMBOL = re.compile(
    rf"\b(?:d_(?:k|v|model)|(?:d|open_)?(?:{_KEYS})(?:_after|_\d+)?|d{_LETTER}|[A-Z]_after"
    rf"|{_LETTER}(?:_[1-9])?_(?:{'|'.join(RUNS)})|{_LETTER}_[1-9])(?![^\Wᵀ])"
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


def waits(text: str) -> str:
    """A line that stands while a question of the page is open, and says what waits for it."""
    return f'<p class="waits">{prose(text)}</p>'
