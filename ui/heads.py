"""The page on several heads: its board, its question, and how many numbers heads hold."""

from __future__ import annotations

from dataclasses import replace

from attention_core import Cell
from ui.asks import Ask, row_of
from ui.board.layout import Layout, Stage
from ui.given import head_counts, heads_of, typed_over
from ui.lesson import Lesson
from ui.sayings import by, table
from ui.settings import NONE, OWN, Settings

# Vaswani et al. (2017), section 3.2.2; Touvron et al. (2023), table 2, 7B.
_MODELS = (("the paper", 512, 8), ("Llama 7B", 4096, 32))


def _count(lesson: Lesson) -> int:
    return heads_of(lesson.settings, lesson.inputs)


def head_board(lesson: Lesson) -> Layout:
    """Every head side by side, on one scale of colours, and what is made of their outputs."""
    numbers = range(1, _count(lesson) + 1)

    def each(key: str) -> tuple[tuple[str, ...], ...]:
        return tuple((f"{key}_{head}",) for head in numbers)

    shared = tuple((f"Q_{h}", f"K_{h}", f"V_{h}") for h in numbers)
    return Layout(
        "O_heads",
        stages=(
            Stage("The columns, shared out", shared),
            Stage("Scores of each head", each("S")),
            Stage("Weights of each head", each("A")),
            Stage("Outputs of each head", each("O")),
            Stage("Side by side", (("O_heads",),)),
            Stage("Mixed and added to the stream", (("W_O",), ("U",), ("X_out",))),
        ),
    )


def most_in_head(lesson: Lesson, row: int) -> Ask | None:
    """Ask whom the last head attends to most. Not for one head, and not where all are equal."""
    head = _count(lesson)
    key = f"A_{head}"
    weights, graph = lesson.graph[key], lesson.graph
    most = [cell.col for cell in graph.largest(key, row)]
    if head == 1 or len(most) in (0, weights.shape[1]):
        return None
    who = weights.rows.unique(row)
    share = graph.explain(key, row, most[0], lesson.settings.decimals).shown
    names = " and ".join(f"«{weights.cols.unique(col)}»" for col in most)
    first = [cell.col for cell in graph.largest("A_1", row)]
    others = " and ".join(f"«{weights.cols.unique(col)}»" for col in first)
    alike = "So does head 1." if first == most else f"In head 1 that is {others}."
    because = f"in head {head} the largest weight of this row, {share}, goes to {names}. {alike}"
    return Ask(
        title=f"Whom does «{who}» attend to most in head {head}?",
        hint="Before you look: read its row of scores, choose, and the weights open.",
        cells=(
            *row_of(weights, row),
            *row_of(graph[f"O_{head}"], row),
            *row_of(graph["O_heads"], row),
            *(row_of(graph["U"], row) + row_of(graph["X_out"], row) if "U" in graph else ()),
        ),
        pin=Cell(key, row, most[0]),
        right=f"Yes: {because}",
        wrong="Not that one. Which score of that row is the largest?",
        given=f"The answer: {because}",
        options=tuple((weights.cols.unique(col), col in most) for col in range(weights.shape[1])),
    )


def same_count(lesson: Lesson) -> str:
    """How many numbers the weights hold, with one head and with several."""
    graph, h = lesson.graph, _count(lesson)
    if "W_Q" not in graph:
        return ""
    W_Q, Q_1 = graph["W_Q"], graph["Q_1"]
    d_model, columns = W_Q.shape
    whole = f"Here W_Q has {by(W_Q.shape)} = {d_model * columns} numbers."
    if h == 1:
        return whole
    each = d_model * Q_1.shape[1]
    return f"{whole} {h} heads get {by((d_model, Q_1.shape[1]))} each: {h} · {each} = {h * each}."


def heads_that_fit(lesson: Lesson) -> str:
    """Why another number of heads is used than the link says, or why there is only one."""
    fits, sizes = head_counts(lesson.inputs), lesson.inputs.sizes
    both = f"d_k = {sizes['d_k']} and d_v = {sizes['d_v']}"
    if len(fits) == 1:
        return f"There is one head only: no other number divides both {both}. Choose other sizes."
    if lesson.settings.h not in (*fits, Settings.h):
        return (
            f"{lesson.settings.h} heads cannot share {both} equally. Here there are "
            f"{_count(lesson)}."
        )
    return ""


def head_sizes() -> str:
    """Heads in models of real size: what a head gets, and how many numbers all weights hold."""
    return table(
        "Heads in models",
        ["", "d_model", "heads", "d_k of a head", "numbers in W_Q, W_K, W_V and W_O"],
        [
            [name, f"{d_model}", f"{h}", f"{d_model // h}", f"{4 * d_model * d_model:,}"]
            for name, d_model, h in _MODELS
        ],
    )


def heads_to_try(lesson: Lesson) -> tuple[tuple[str, Settings], ...]:
    """Settings that are worth a look."""
    plain = replace(lesson.settings, mask=NONE, edits=(), tied=False, d_k=0)
    cat = replace(plain, example="cat")
    own = replace(plain, example=OWN, d_model=8, d_k=8, d_v=8)
    return (
        ("The cat sat down, two heads", replace(cat, h=2)),
        ("Four heads", replace(cat, h=4)),
        ("One head", replace(cat, h=1)),
        ("A sentence of your own, d_k = 8", replace(own, h=2)),
    )


def mixing(lesson: Lesson) -> tuple[tuple[str, Settings], ...]:
    """Numbers for W_O with which the first feature hears of the first head and of the last."""
    if "W_O" not in lesson.graph:
        return ()
    last = Cell("W_O", lesson.graph["W_O"].shape[0] - 1, 0)
    first = lesson.graph["W_O"].cols.unique(0)
    if last.row == 0:
        return ()
    mixed = typed_over(lesson.settings, last, 1.0)
    return ((f"Let feature «{first}» hear of the last head, too", mixed),)
