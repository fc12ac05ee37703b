r"""The only writer of LaTeX.

>>> from attention_core.expression import Num, Product, Sum
>>> latex(Sum((Product((Num(2), Num(-1))), Num(0.5))))
'2 \\cdot (-1) + 0.500'
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from attention_core.expression import Expr, Num
from attention_core.formula import Name
from attention_core.symbols import Symbol
from attention_core.writer import RUNNING, Writer

_SPECIAL = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "$": r"\$",
        "&": r"\&",
        "#": r"\#",
        "^": r"\textasciicircum{}",
        "_": r"\_",
        "~": r"\textasciitilde{}",
        "%": r"\%",
    }
)
_SIGNS = {
    "·": r"\cdot",
    "×": "",
    "∘": r"\circ",
    "+": "+",
    "−": "-",
    "|": r"\mid",
    ";": ";",
    "↺": r"\circlearrowleft",
}
_POWER = re.compile("×10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
_PLAIN_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


def label(text: str) -> str:
    r"""A label as LaTeX: digits as they are, everything else as escaped text.

    >>> label("50%"), label("2")
    ('\\text{50\\%}', '2')
    """
    if text == RUNNING:
        return r"\ell"
    return text if text.isascii() and text.isdigit() else rf"\text{{{text.translate(_SPECIAL)}}}"


def symbol_latex(symbol: Symbol) -> str:
    r"""A symbol as LaTeX.

    >>> from attention_core.symbols import symbol
    >>> [symbol_latex(symbol(k)) for k in ("W_Q", "K_T", "S_scaled", "dQ")]
    ['W_{Q}', 'K^{\\top}', 'S_{\\text{scaled}}', '\\mathrm{d}Q']
    """
    gradient = symbol.role == "g" and symbol.base.startswith("d")
    base = rf"\mathrm{{d}}{symbol.base[1:]}" if gradient else symbol.base
    base = base if gradient or len(base) == 1 else rf"\mathrm{{{base}}}"
    sub = symbol.sub if len(symbol.sub) <= 1 or "," in symbol.sub else rf"\text{{{symbol.sub}}}"
    sup = r"\top" if symbol.sup == "T" else symbol.sup
    return base + (f"_{{{sub}}}" if sub else "") + (f"^{{{sup}}}" if sup else "")


class LatexWriter(Writer[str]):
    """Writes a tree as LaTeX."""

    def num(self, num: Num) -> str:
        text = num.shown(self.decimals).text.replace("−", "-").replace("∞", r"\infty")
        return _POWER.sub(lambda m: rf" \times 10^{{{m[1].translate(_PLAIN_DIGITS)}}}", text)

    def name(self, name: Name) -> str:
        whole = symbol_latex(name.symbol)
        if name.row is None and name.col is None:
            return whole
        if name.vector:
            index = name.row if name.row is not None else name.col
            return f"{name.symbol.vector}_{{{label(str(index))}}}"
        row = ":" if name.row is None else label(name.row)
        col = ":" if name.col is None else label(name.col)
        inside = f"({whole})" if whole != name.symbol.base else whole
        return f"{inside}_{{{row},{col}}}"

    def joined(self, parts: Sequence[str], sign: str) -> str:
        return f" {_SIGNS[sign.strip()]} ".replace("  ", " ").join(parts)

    def quotient(self, top: str, bottom: str) -> str:
        return rf"\frac{{{top}}}{{{bottom}}}"

    def negative(self, inside: str) -> str:
        return f"-{inside}"

    def exp(self, power: str, base: str) -> str:
        return f"{base}^{{{power}}}"

    def root(self, inside: str) -> str:
        return rf"\sqrt{{{inside}}}"

    def transposed(self, inside: str) -> str:
        return rf"{inside}^{{\top}}"

    def call(self, function: str, inside: str) -> str:
        if " " in function:  # words keep their spaces
            return rf"\text{{{function} of }}{inside}"
        return rf"\operatorname{{{function}}}\left({inside}\right)"

    def total(self, inside: str) -> str:
        return rf"\sum_{{\ell}} {inside}"

    def bracket(self, inside: str) -> str:
        return f"({inside})"

    def words(self, text: str) -> str:
        return label(text)


def latex(expression: Expr, decimals: int = 3) -> str:
    """A tree as LaTeX, with numbers at the shown precision."""
    return expression.write(LatexWriter(decimals))
