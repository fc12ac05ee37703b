"""Sentences and small tables whose words depend on the numbers."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from attention_core import Graph, Matrix, saturated_row
from attention_core.expression import Exp, Expr, Num, Root, Sum
from attention_core.rounding import ledger_note, show
from ui.lesson import Lesson
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


def no_positions(lesson: Lesson) -> str:
    """What becomes of positions where there is nothing to add them to, or one place only."""
    if "X" not in lesson.graph:
        return "So the rows of Q, K and V are permuted here, and there is no X to add positions to."
    if len(lesson.inputs.tokens) == 1:
        return "One token has no order. Add a word to see one."
    return ""


def symmetry(lesson: Lesson) -> str:
    """Whether two tokens always score each other alike."""
    graph, decimals = lesson.graph, lesson.settings.decimals
    pair = graph.unlike("S")
    if pair is None:
        if len(lesson.inputs.tokens) == 1:
            return (
                "One token has only itself to score. Add a word to see two tokens score each other."
            )
        return (
            "S is symmetric now: with one matrix for both, any two tokens score each other alike."
            if lesson.settings.tied
            else "S happens to be symmetric here: any two tokens score each other alike."
        )
    one, other = (graph.explain(*cell, decimals) for cell in pair)
    rows = graph["S"].rows
    a, b = rows.unique(one.row), rows.unique(other.row)
    return (
        f"S is directed: «{a}» scores «{b}» {one.shown}, and «{b}» scores «{a}» {other.shown}. "
        "Make W_K the same as W_Q, and see what happens to the two."
    )


def weights_add_up(lesson: Lesson, hidden: int | None = None) -> str:
    """What the rows of the weights add up to, also as they are shown; not of a ``hidden`` row."""
    graph, decimals = lesson.graph, lesson.settings.decimals
    weights = graph["A"]
    told = [blocked_rows(graph)]
    if len(weights.undefined) < weights.shape[0]:
        which = "Each other row" if weights.undefined else "Each row"
        told.append(f"{which} of A adds up to 1: shares of 100 %.")
    for row in range(weights.shape[0]):
        shares = Sum(tuple(weights.num(row, col) for col in range(weights.shape[1])))
        note = None if row in weights.undefined else ledger_note(shares, 1.0, decimals)
        if note and row != hidden:
            told.append(
                f"As it is shown, the row of «{weights.rows.unique(row)}» seems not to: {note}"
            )
            break
    return " ".join(filter(None, told))


def blocked_rows(graph: Graph) -> str:
    """What becomes of queries whose every key is blocked; nothing where there is none."""
    rows = sorted(graph["A"].undefined)
    if not rows:
        return ""
    names = ", ".join(f"«{graph['A'].rows.unique(row)}»" for row in rows)
    return (
        f"Every key is blocked for {names}. Dividing by the sum of the exponentials would be 0/0, "
        "which has no value: weights and output stand as 0."
    )


def shifted(lesson: Lesson) -> str:
    """Why the row maximum is subtracted although the viewer did not ask for it."""
    if lesson.settings.shift or "S_shift" not in lesson.graph:
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


# The sizes of the paper's base model, for one of its 8 heads.
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
                by(matrix.shape),
                by(axes),
                by(_PAPER.get(name, name) for name in axes),
            ]
        )
    heads = ["", "what", "here", "in general", "in the paper, one head"]
    return table("Symbols and shapes", heads, rows)


# What each step does, and the quantities that it makes.
_RECAP: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("Embed", "tokens to rows", ("X",)),
    ("Project", "what each looks for, is found by, hands over", ("Q", "K", "V")),
    ("Score", "every query with every key", ("S",)),
    ("Scale and mask", "moderate scores; block some", ("S_scaled", "S_masked")),
    ("Softmax", "scores to shares, row by row", ("A",)),
    ("Mix", "values by their shares", ("O",)),
)


def recap(lesson: Lesson) -> str:
    """The computation in six steps: what each does, its formulas and its shapes."""
    rows = []
    for title, what, keys in _RECAP:
        made = [lesson.graph[key] for key in keys if key in lesson.graph]
        if not made:
            continue
        formulas = "; ".join(_formula(matrix) for matrix in made)
        shapes = sorted({by(matrix.shape) for matrix in made})
        rows.append([title, what, formulas, ", ".join(shapes)])
    return table("In six steps", ["step", "what it does", "formula", "shape here"], rows)


def stream(lesson: Lesson) -> str:
    """What becomes of the outputs, where there are embeddings to add them to."""
    if "X_out" not in lesson.graph:
        return ""
    return (
        "What attention found is added to the row that it started from: X stays in the sum, and a "
        "next layer can still read it. This running sum is called the [[residual stream]]. The "
        "matrix W_O brings the blend back to the length of a row of X. Until you edit it, it "
        "writes component 1 to feature 1, and so on; a real one is learned."
    )


def many(amount: int, what: str) -> str:
    """An amount of something.

    >>> many(1, "head"), many(8, "head")
    ('1 head', '8 heads')
    """
    return f"{amount} {what}{'' if amount == 1 else 's'}"


def by(sizes: Iterable[object]) -> str:
    """A shape, such as «3 × 4», that does not break across lines."""
    return "\u00a0×\u00a0".join(map(str, sizes))


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
