"""Plain words as HTML, with the paper's symbols set as symbols."""

from __future__ import annotations

import re
from html import escape

from attention_core.symbols import symbol

# What is a symbol wherever it stands. Single letters are too often words, so they stay as they are.
SYMBOL = re.compile(
    r"\b(?:d_(?:k|v|model)|W_[QKVO]|X_out|S_scaled|S_masked|S_shift|A_scaled|A_raw|O_H|X_pos|O_back|X_sum|[XUQKVSAO]_[P1-3])\b"
)


def prose(text: str) -> str:
    """Escaped text in which a symbol such as ``d_k`` is set with its subscript.

    >>> prose("√d_k < 2")
    '√<i>d<sub>k</sub></i> &lt; 2'
    """
    return SYMBOL.sub(lambda found: _set(found[0]), escape(text))


def anchor(href: str, text: str, attributes: str = "") -> str:
    """A link inside the app: a real address that needs no reload (`ui/links.js`).

    >>> anchor("Mask?v=1&seed=7", "a < b")
    '<a data-go href="Mask?v=1&amp;seed=7">a &lt; b</a>'
    """
    return f'<a data-go href="{escape(href)}"{attributes}>{escape(text)}</a>'


def _set(key: str) -> str:
    sym = symbol(key)
    return f"<i>{sym.base}<sub>{sym.sub}</sub></i>"
