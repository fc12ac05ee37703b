"""Looking symbols up: the known ones, and what can be read off a key's form."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from attention_core.symbol_rows import Symbol
from attention_core.symbol_table import SYMBOLS

__all__ = ["SYMBOLS", "Symbol", "symbol"]


# Other runs of the same computation: what is added to a known key, then its title and what one
# number is called (where these are other words), and what is added to its heading.
_RUNS: dict[str, tuple[str, str, str]] = {
    "P": ("", "", ", in the other order"),
    "moved": ("", "", ", moved on"),
    "was": ("before", "", ", before"),
    "diff": ("difference", "difference", ": the difference"),
}


@lru_cache(maxsize=1024)
def symbol(key: str) -> Symbol:
    """Look a key up; a key that is not in the table is read by its form.

    ``…_T`` is a transpose, ``d…`` the gradient ∂L/∂…, ``open_…`` says where a gradient passes,
    ``…_P`` is a known one with its tokens in another order, ``…_moved`` with all of them further
    on, ``…_was`` what it was before a change,
    ``…_diff`` what the change makes, and ``…_1`` a numbered copy of it (a head). Anything else is a
    plain letter with an optional subscript.

    >>> symbol("dQ").title, symbol("Q_1").role, symbol("P_out").sub
    ('gradient of the queries', 'q', 'out')
    >>> symbol("S_masked_P").text, symbol("K_P_T").title
    ('S_masked,P', 'keys, transposed')
    >>> symbol("W_Q_was").title, symbol("S_diff").one
    ('before', 'difference')
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
    base, _, run = key.rpartition("_")
    if base in SYMBOLS and run in _RUNS:
        of, (title, one, asks) = SYMBOLS[base], _RUNS[run]
        return replace(
            of,
            key=key,
            sub=f"{of.sub},{run}" if of.sub else run,
            title=title or of.title,
            one=one or of.one,
            asks=f"{of.asks}{asks}",
        )
    base, _, sub = key.partition("_")
    numbered = re.fullmatch(r"(.+)_(\d+)", key)
    if numbered and numbered[1] in SYMBOLS:
        of = SYMBOLS[numbered[1]]
        return replace(of, key=key, sub=f"{of.sub},{numbered[2]}" if of.sub else numbered[2])
    return Symbol(key, base, sub, title=key)
