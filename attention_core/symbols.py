"""Looking symbols up: the known ones, and what can be read off a key's form."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from attention_core.symbol_rows import Symbol
from attention_core.symbol_table import SYMBOLS

__all__ = ["RUNS", "SYMBOLS", "Symbol", "in_columns", "symbol"]


# Other runs of the same computation: what is added to a known key, then its title and what one
# number is called (where these are other words), and what is added to its heading.
RUNS: dict[str, tuple[str, str, str]] = {
    "P": ("", "", ", in the other order"),
    "moved": ("", "", ", moved on"),
    "was": ("before", "", ", before"),
    "after": ("", "", ", after the step"),
    "diff": ("difference", "difference", ": the difference"),
    "read": ("", "", ", of the tokens read so far"),
    "kept": ("kept", "", ", kept from before"),
    "new": ("of the new token", "", ", in this step"),
    "all": ("kept and new", "", ", kept or new"),
    "lin": ("without the bias", "", ", without its bias"),
    "now": ("now", "", ", now"),
    "last": ("last row", "", ", with everything computed again"),
    "gap": ("difference", "difference", ": the difference"),
}


@lru_cache(maxsize=1024)
def symbol(key: str) -> Symbol:
    """Look a key up; a key that is not in the table is read by its form.

    ``…_T`` is a transpose, ``d…`` the gradient ∂L/∂…, ``dX_Q`` the share of dX that comes through
    Q, ``step_…`` a step against the gradient, ``open_…`` says where a gradient passes, ``…_P`` is a
    known one with its tokens in another order, ``…_moved`` with all of them further on, ``…_was``
    what it was before a change, ``…_after`` what it is after a step, ``…_diff`` what the change
    makes, and ``…_1`` a numbered copy of it (a head, a layer). ``…_kept``, ``…_new`` and ``…_all``
    are rows of a cache, ``b_Q`` is a bias, and ``…_lin`` what it is added to. Anything else is a
    plain letter with an optional subscript.

    >>> symbol("dQ").title, symbol("Q_1").role, symbol("P_out").sub
    ('gradient of the queries', 'q', 'out')
    >>> symbol("S_masked_P").text, symbol("K_P_T").title
    ('S_masked,P', 'keys, transposed')
    >>> symbol("dX_Q").title, symbol("dX_Q").asks.partition(" in ")[0]
    ('share of the gradient of the token embeddings', 'What Q adds to the gradient of X')
    >>> symbol("W_Q_was").title, symbol("S_diff").one
    ('before', 'difference')
    >>> symbol("K_2_kept").text, symbol("V_all").title
    ('K_2,kept', 'kept and new')
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
    if key.startswith("d") and (key[1:2].isupper() or _is_known(key[1:])):
        whole, _, user = key[1:].partition("_")
        by = symbol(user) if _is_known(user) else SYMBOLS.get(user.rstrip("0123456789"))
        if by and whole in SYMBOLS and key[1:] not in SYMBOLS:
            return replace(
                symbol(f"d{whole}"),
                key=key,
                sub=user,
                title=f"share of the gradient of the {SYMBOLS[whole].title}",
                asks=f"What {by.text} adds to the gradient of {whole} in row «{{row}}», "
                "column «{col}»",
            )
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
    if key.startswith("step_"):
        of = symbol(key[5:])
        asks = f"What is taken off {of.text} in row «{{row}}», column «{{col}}»"
        title = f"step of the {of.title}"
        return replace(
            of, key=key, base=f"ηd{of.base}", title=title, one="step", role="g", asks=asks
        )
    if key.startswith("open_"):
        asks = "Whether a gradient passes in row «{row}», column «{col}»"
        of_what = key[5:].replace("_", ",")
        return Symbol(key, "open", of_what, "", "1 where a gradient passes", "entry", asks=asks)
    if bias := re.fullmatch(r"(b|B|ones)_([QKVO])", key):
        of, (letter, sub) = SYMBOLS[bias[2].replace("O", "U")], bias.groups()
        title = "ones" if letter == "ones" else f"bias of the {of.title}"
        asks = "1 in every row" if letter == "ones" else "The bias of column «{col}»"
        return replace(of, key=key, base=letter, sub=sub, title=title, one="bias", asks=asks)
    base, _, run = key.rpartition("_")
    if run in RUNS and _is_known(base):
        of, (title, one, asks) = symbol(base), RUNS[run]
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


_SWAPPED = {"row": "column", "column": "row", "Row": "Column", "Column": "Row"}
_SWAPPED |= {"{row}": "{col}", "{col}": "{row}"}


def swapped(words: str) -> str:
    """Words about rows and columns, said of the transpose.

    >>> swapped("Row «{row}» of two rows"), swapped("rowsum"), swapped("columns 1–2")
    ('Column «{col}» of two columns', 'columnsum', 'rows 1–2')
    """
    return re.sub(r"\{row\}|\{col\}|row|column|Row|Column", lambda m: _SWAPPED[m[0]], words)


@lru_cache(maxsize=1024)
def in_columns(of: Symbol) -> Symbol:
    """A symbol whose tokens stand as columns: what was said of its rows is said of its columns.

    >>> S = in_columns(symbol("S"))
    >>> S.row, S.col, S.asks
    ('key', 'query', 'How «{col}» scores «{row}»')
    """
    title, one, asks = map(swapped, (of.title, of.one, of.asks))
    return replace(of, title=title, one=one, row=of.col, col=of.row, asks=asks)


def _is_known(key: str) -> bool:
    """Whether a key stands in the table, or is a numbered copy of one that does."""
    base, _, number = key.rpartition("_")
    return key in SYMBOLS or (base in SYMBOLS and number.isdecimal())
