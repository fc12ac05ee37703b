"""An expression tree as the nested lists that the board turns into DOM nodes."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any
from unicodedata import bidirectional

from attention_core.expression import Expr, Num
from attention_core.formula import Name
from attention_core.symbols import Symbol, symbol
from attention_core.writer import RUNNING, Writer
from ui.prose import SYMBOL

Math = Any  # a string, or a list [tag, *children]


def symbol_math(sym: Symbol) -> Math:
    """A symbol with its subscript and superscript.

    >>> symbol_math(symbol("W_Q"))
    ['row', ['i', 'W'], ['sub', 'Q']]
    """
    parts: list[Math] = ["row", ["i", sym.base]]
    if sym.sub:
        parts.append(["sub", sym.sub])
    if sym.sup:
        parts.append(["sup", sym.sup])
    return parts if len(parts) > 2 else parts[1]


def words(text: str) -> Math:
    """Plain words in which symbols are set as symbols.

    >>> words("divided by √d_k"), words("no symbol")
    (['row', 'divided by √', ['row', ['i', 'd'], ['sub', 'k']]], 'no symbol')
    """
    parts: list[Math] = []
    end = 0
    for found in SYMBOL.finditer(text):
        parts += [text[end : found.start()], symbol_math(symbol(found[0]))]
        end = found.end()
    return ["row", *filter(None, [*parts, text[end:]])] if parts else text


def _label(text: str) -> str:
    """A label behind which a line goes on to the right, also where the label is read to the left.

    >>> _label("love"), _label("שלום") == "שלום" + chr(0x200E)
    ('love', True)
    """
    to_left = any(bidirectional(letter) in ("R", "AL") for letter in text)
    return f"{text}\u200e" if to_left else text


def html(part: Math) -> str:
    """Nested lists as HTML, where no board draws them.

    >>> html(["row", ["num", "5", "S:0,1", "s"], "<", ["sqrt", ["i", "d"]]])
    '5&lt;<span class="sqrt">√<span><i>d</i></span></span>'
    """
    if isinstance(part, str):
        return escape(part)
    tag, *children = part
    drawn = [html(child) for child in (children[:1] if tag == "num" else children)]
    if tag == "frac":
        return f'<span class="frac"><span>{drawn[0]}</span><span>{drawn[1]}</span></span>'
    inside = "".join(drawn)
    if tag == "sqrt":
        return f'<span class="sqrt">√<span>{inside}</span></span>'
    return inside if tag in ("row", "num") else f"<{tag}>{inside}</{tag}>"


class MathWriter(Writer[Math]):
    """Writes a tree as nested lists; a number carries the cell it came from and its colour role."""

    @property
    def small(self) -> MathWriter:
        return LineWriter(self.decimals)

    def num(self, num: Num) -> Math:
        text = num.shown(self.decimals).text
        if num.cell is None:
            return text
        return ["num", text, str(num.cell), symbol(num.cell.symbol).role]

    def name(self, name: Name) -> Math:
        whole = symbol_math(name.symbol)
        if name.row is None and name.col is None:
            return whole
        if name.vector:
            index = name.row if name.row is not None else name.col
            return ["row", ["i", name.symbol.vector], ["sub", index]]
        place = ", ".join(":" if part is None else _label(part) for part in (name.row, name.col))
        plain = not (name.symbol.sub or name.symbol.sup)
        return ["row", whole if plain else ["row", "(", whole, ")"], ["sub", place]]

    def joined(self, parts: Sequence[Math], sign: str) -> Math:
        between = sign if sign in ("·", "\u2009") else f" {sign.strip()} "
        row: list[Math] = ["row"]
        for part in parts:
            row.extend([between, part] if len(row) > 1 else [part])
        return row

    def quotient(self, top: Math, bottom: Math) -> Math:
        return ["frac", top, bottom]

    def negative(self, inside: Math) -> Math:
        return ["row", "−", inside]

    def exp(self, power: Math, base: str) -> Math:
        return ["row", base if base.isdigit() else ["i", base], ["sup", power]]

    def root(self, inside: Math) -> Math:
        return ["sqrt", inside]

    def transposed(self, inside: Math) -> Math:
        return ["row", inside, ["sup", "T"]]

    def call(self, function: str, inside: Math) -> Math:
        if " " in function:
            return ["row", f"{function} of ", inside]
        return ["row", function, "(", inside, ")"]

    def total(self, inside: Math) -> Math:
        return ["row", "Σ", ["sub", RUNNING], " ", inside]

    def bracket(self, inside: Math) -> Math:
        return ["row", "(", inside, ")"]

    def words(self, text: str) -> Math:
        return text


class LineWriter(MathWriter):
    """Writes a quotient with «/»: one above another would be too high."""

    stacks = False

    def quotient(self, top: Math, bottom: Math) -> Math:
        return ["row", top, "/", bottom]


class CaptionWriter(MathWriter):
    """Writes definitions in one line: a product of matrices without a sign, a quotient with «/»."""

    stacks = False

    def joined(self, parts: Sequence[Math], sign: str) -> Math:
        return super().joined(parts, "\u2009" if sign.strip() == "×" else sign)

    def quotient(self, top: Math, bottom: Math) -> Math:
        return ["row", top, " / ", bottom]


Items = list[dict[str, Math]]


class EquationWriter(Writer[Items]):
    """Writes the definition of a matrix as what stands side by side on the board.

    The matrices of ``keys`` become ``{"m": key}``, everything between them ``{"sign": text}``.
    """

    def __init__(self, keys: frozenset[str]) -> None:
        super().__init__()
        self.keys = keys

    def num(self, num: Num) -> Items:
        return [{"sign": num.shown(self.decimals).text}]

    def name(self, name: Name) -> Items:
        key = name.symbol.key
        return [{"m": key} if key in self.keys else {"sign": symbol_math(name.symbol)}]

    def joined(self, parts: Sequence[Items], sign: str) -> Items:
        row = list(parts[0])
        for part in parts[1:]:
            row += [{"sign": sign.strip()}, *part]
        return row

    def quotient(self, top: Items, bottom: Items) -> Items:
        return [*top, {"sign": "÷"}, *bottom]

    def negative(self, inside: Items) -> Items:
        return [{"sign": "−"}, *inside]

    def exp(self, power: Items, base: str) -> Items:
        return [{"sign": "exp" if base == "e" else f"{base} to the power"}, *power]

    def root(self, inside: Items) -> Items:
        return [{"sign": ["sqrt", *(item["sign"] for item in inside)]}]

    def transposed(self, inside: Items) -> Items:
        return [*inside, {"sign": "transposed"}]

    def call(self, function: str, inside: Items) -> Items:
        return [{"sign": function}, *inside]

    def total(self, inside: Items) -> Items:
        return [{"sign": "Σ"}, *inside]

    def bracket(self, inside: Items) -> Items:
        return inside

    def words(self, text: str) -> Items:
        return [{"sign": text}]


def line(*parts: Expr | Math, decimals: int) -> list[Math]:
    """A whole equation: parts joined by «=»."""
    writer = MathWriter(decimals)
    row: list[Math] = []
    for part in parts:
        row.extend([" = "] if row else [])
        row.append(part.write(writer) if isinstance(part, Expr) else part)
    return row
