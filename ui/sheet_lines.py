"""What a sheet of paper says of cells and matrices: formulas and derivations as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from attention_core import Explanation, Graph, Matrix, Task, exactly
from attention_core.expression import Expr
from attention_core.ops.row_softmax import RowSoftmax
from attention_core.rounding import Shown
from ui.board.math import CaptionWriter, LineWriter, MathWriter, html, symbol_math
from ui.prose import prose
from ui.sheet_forms import powers

_LONG = 120  # letters of a derivation whose fractions stand in one line: it can go on below
_MOST = 6  # terms of an exact sum


def definition(matrix: Matrix) -> str:
    """The formula of a whole matrix."""
    assert matrix.op is not None, "a task computes"
    formula = matrix.op.definition(*matrix.inputs)
    said = escape(f"{matrix.symbol.text} = {formula.text()}")
    name, made = symbol_math(matrix.symbol), formula.write(CaptionWriter())
    return f'<span class="math" role="img" aria-label="{said}">{html(name)} = {html(made)}</span>'


def derivation(
    why: Explanation, graph: Graph, *, exact: bool, also: Sequence[Shown] | None = None
) -> str:
    """One cell: symbols, numbers, result; exactly; and what there is to say of it.

    With ``also``, what else is right stands instead of a note on rounding.
    """
    extra = [why.words, why.note if also is None else None]
    text = line(*why.line, why=why)
    text += "".join(f' <span class="or">or {shown.text}</span>' for shown in also or ())
    if exact and why.result != float("-inf"):
        found = exactly(graph, *why.cell)
        parts = found.parts(_MOST)
        if found.value is None:
            extra.append(f"No exact form: {found.words}")
        elif parts[-1].text() != why.shown:
            text += f'<p class="exactly">exactly {line(*parts, why=why)}</p>'
    return text + "".join(map(_note, filter(None, extra)))


def line(*parts: Expr, why: Explanation) -> str:
    """Parts of an equation; long ones in a form that can go on in the next line."""
    texts = [part.text(why.decimals) for part in parts]
    long = sum(map(len, texts)) > _LONG
    writer = LineWriter(why.decimals) if long else MathWriter(why.decimals)
    drawn = " = ".join(f"<span>{html(part.write(writer))}</span>" for part in parts)
    said = escape(" = ".join(texts))
    return f'<span class="math" role="img" aria-label="{said}">{drawn}</span>'


def notes(task: Task, graph: Graph, *, exact: bool) -> str:
    """What stands as 0 because it has no value, and how one can see that weights may be right."""
    parts = task.parts
    lines = [m.lines.unique(line) for m in (part.matrix for part in parts) for line in m.undefined]
    said = []
    if lines:
        names = ", ".join(f"«{name}»" for name in dict.fromkeys(lines))
        said.append(
            f"Every key is blocked for {names}: 0/0 has no value. What is printed there stands "
            "as 0."
        )
    weights = [
        why for part in parts if isinstance(part.matrix.op, RowSoftmax) for why in part.blanks
    ]
    if weights:
        all_exact = exact and all(exactly(graph, *why.cell).value is not None for why in weights)
        rounded = "" if all_exact else "; rounded ones may miss it by a little"
        said.append(f"To check: the weights of a row add up to 1{rounded}.")
    return "".join(map(_note, said))


def _note(said: str) -> str:
    return f'<p class="note">{powers(prose(said))}</p>'
