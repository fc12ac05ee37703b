"""Sentences and small tables whose words depend on the numbers."""

from __future__ import annotations

from html import escape

from attention_core import Graph, Matrix, overflows, saturated_row
from attention_core.expression import Exp, Expr, Num, Root
from attention_core.rounding import show
from ui.lesson import Lesson, graph_of
from ui.prose import prose
from ui.readers import OFF, ROOT


def given(lesson: Lesson) -> str:
    """Where an example begins, when it does not begin with embeddings."""
    if "X" in lesson.graph:
        return ""
    return (
        "This worked example begins with Q, K and V: it has no embeddings and no weight matrices. "
        "Choose another example, or type a sentence, to see them."
    )


def symmetry(lesson: Lesson) -> str:
    """Whether two tokens always score each other alike."""
    graph, decimals = lesson.graph, lesson.settings.decimals
    pair = graph.unlike("S")
    if pair is None:
        return (
            "S is symmetric now: what one token wants from another is what it is wanted for. "
            "With one matrix for both, every pair has one score."
            if lesson.settings.tied
            else "S happens to be symmetric here: every pair of tokens scores each other alike."
        )
    one, other = (graph.explain(*cell, decimals) for cell in pair)
    rows = graph["S"].rows
    a, b = rows.unique(one.row), rows.unique(other.row)
    return (
        f"S is directed: «{a}» scores «{b}» {one.shown}, and «{b}» scores «{a}» {other.shown}. "
        "Make W_K the same as W_Q, and see what happens to the two."
    )


def weights_add_up(lesson: Lesson) -> str:
    """The rows of the weights, and the queries that have none."""
    return blocked_rows(lesson.graph) or "Each row of A adds up to 1: shares of 100 %."


def blocked_rows(graph: Graph) -> str:
    """What becomes of queries whose every key is blocked; nothing where there is none."""
    rows = graph.undefined_rows
    if not rows:
        return ""
    names = ", ".join(f"«{graph['A'].rows.unique(row)}»" for row in rows)
    return (
        f"Every key is blocked for {names}. Dividing by the sum of the exponentials would be 0/0, "
        "which has no value: weights and output stand as 0."
    )


def partly_blocked(lesson: Lesson) -> int:
    """The first row in which some keys are blocked and some are left to compare; else the last."""
    graph, n = lesson.graph, len(lesson.inputs.tokens)
    open_keys = [sum(not graph.blocked(row, col) for col in range(n)) for row in range(n)]
    return next((row for row, count in enumerate(open_keys) if 1 < count < n), lesson.last)


def shifted(lesson: Lesson) -> str:
    """Why the row maximum is subtracted although the viewer did not ask for it."""
    if lesson.settings.shift or not overflows(graph_of(lesson.settings)):
        return ""
    return (
        "Some of these scores are so far from 0 that their plain exponentials are too large or too "
        "small for a computer’s number. So the row maximum is subtracted first. The weights stay "
        "the same."
    )


def divisor(lesson: Lesson) -> str:
    """What the scores are multiplied or divided by."""
    scale, d_k = lesson.settings.scale, lesson.inputs.sizes["d_k"]
    if scale == ROOT:
        root = show(Root(Num(d_k)).value, lesson.settings.decimals).text
        return f"Here d_k = {d_k}, so every score is divided by √{d_k} = {root}."
    if scale == OFF:
        return "The scaling is off: the scores go into the softmax as they are."
    return f"Every score is multiplied by {show(float(scale), 4).text}, your own choice."


def typical_scores(lesson: Lesson) -> str:
    """How large scores tend to be at some sizes, and what a gap of that size does, as a table."""
    here = lesson.inputs.sizes["d_k"]
    rows = []
    for d_k in sorted({here, 64, 512}):
        root = Root(Num(d_k))
        mark = " (here)" if d_k == here else ""
        rows.append([f"{d_k}{mark}", _text(root, 1), _text(Exp(root), 1), _text(Exp(Num(1)), 1)])
    heads = ["d_k", "typical score √d_k", "e to that power", "the same after ÷ √d_k"]
    return table("Typical scores", heads, rows)


def saturated() -> str:
    """One row of scores at d_k = 64, raw and scaled, with the weights of both, as a table."""
    graph = saturated_row()
    rows = [
        [name, *(show(x, places).text for x in graph[key].value[0].tolist())]
        for name, key, places in (
            ("scores", "S", 1),
            ("weights without the division", "A_raw", 5),
            ("scores ÷ √64 = 8", "S_scaled", 3),
            ("weights with it", "A", 3),
        )
    ]
    return table("One row of scores at d_k = 64", ["", "1", "2", "3", "4"], rows)


# The sizes of the paper's base model, one head.
_PAPER = {"d_model": 512, "d_k": 64, "d_v": 64}


def symbols(lesson: Lesson) -> str:
    """Every symbol with its meaning and its shape: here, in general and in the paper."""
    rows = []
    for _, matrix in lesson.graph.items():
        axes = (matrix.rows.name, matrix.cols.name)
        rows.append(
            [
                matrix.symbol.text,
                matrix.symbol.title,
                " × ".join(map(str, matrix.shape)),
                " × ".join(axes),
                " × ".join(str(_PAPER.get(name, name)) for name in axes),
            ]
        )
    return table("Symbols and shapes", ["", "what", "here", "in general", "in the paper"], rows)


# What each step does, and the quantities that it makes.
_RECAP: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("Embed", "tokens to rows", ("X",)),
    ("Project", "what each looks for, is found by, hands over", ("Q", "K", "V")),
    ("Score", "every query with every key", ("S",)),
    ("Scale", "and mask, if there is one", ("S_scaled", "S_masked")),
    ("Softmax", "scores to shares, row by row", ("A",)),
    ("Mix", "values by their shares", ("O",)),
)


def recap(lesson: Lesson) -> str:
    """The computation in six steps: what each does, its formulas and its shapes."""
    rows = []
    for step, (title, what, keys) in enumerate(_RECAP, 1):
        made = [lesson.graph[key] for key in keys if key in lesson.graph]
        formulas = "; ".join(_formula(matrix) for matrix in made)
        shapes = sorted({" × ".join(map(str, matrix.shape)) for matrix in made})
        rows.append([f"{step} {title}", what, formulas, ", ".join(shapes)])
    return table("Six steps", ["step", "what it does", "formula", "shape here"], rows)


def _formula(matrix: Matrix) -> str:
    name = matrix.symbol.text
    return f"{name} = {matrix.op.definition(*matrix.inputs).text()}" if matrix.op else name


def _text(expression: Expr, decimals: int) -> str:
    return show(expression.value, decimals).text


def table(caption: str, heads: list[str], rows: list[list[str]]) -> str:
    """A table as HTML; every text is escaped, and the first cell of a row is its heading."""
    head = "".join(f'<th scope="col">{prose(text)}</th>' for text in heads)
    body = "".join(
        f'<tr><th scope="row">{prose(row[0])}</th>'
        + "".join(f"<td>{prose(text)}</td>" for text in row[1:])
        + "</tr>"
        for row in rows
    )
    return (
        '<div class="table" tabindex="0" role="region" '
        f'aria-label="{escape(caption)}"><table><caption>{escape(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )
