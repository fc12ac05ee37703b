"""The page on several heads: its board, its question, and how many numbers heads hold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from attention_core import OPTIONS, Cell, Graph, head_counts
from ui.asks import Ask, row_of
from ui.board.layout import Layout, Stage
from ui.given import typed_over
from ui.lesson import Lesson
from ui.sayings import by, many, table
from ui.settings import NONE, OWN, Settings
from ui.whom import all_alike, heads, most, named

# Vaswani et al. (2017), section 3.2.2; Touvron et al. (2023), table 2, 7B.
_MODELS = (("the paper", 512, 8), ("Llama 7B", 4096, 32))


def _count(lesson: Lesson) -> int:
    return int(lesson.option("h"))


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
            Stage("Scaled and masked, with the d_k of a head", each("S_masked")),
            Stage("Weights of each head", each("A")),
            Stage("Outputs of each head", each("O")),
            Stage("Side by side", (("O_heads",),)),
            Stage("Mixed and added to the stream", (("W_O",), ("U",), ("X_out",))),
        ),
    )


def most_in_head(lesson: Lesson) -> Ask | None:
    """Ask whom a head attends to most, where the shown numbers tell. Not for one head."""
    found = _telling(lesson)
    if found is None:
        return None
    head, row, top = found
    weights, graph = lesson.graph[f"A_{head}"], lesson.graph
    who = weights.rows.unique(row)
    share = graph.explain(weights.key, row, top[0], lesson.settings.decimals).shown
    names = named(weights.cols, top)
    because = f"in head {head} the largest weight of this row, {share}, goes to {names}."
    because += _in_another(lesson, head, row, top)
    return Ask(
        title=f"Whom does «{who}» attend to most in head {head}?",
        hint="Before you look: read its row of scores, choose, and the weights open.",
        cells=told_by_head(graph, head, row),
        pin=Cell(weights.key, row, top[0]),
        right=f"Yes: {because}",
        wrong=f"Not that one. Which number of that row of S_masked_{head} is the largest?",
        given=f"The answer: {because}",
        options=tuple((weights.cols.unique(col), col in top) for col in range(weights.shape[1])),
    )


def told_by_head(graph: Graph, head: int, row: int) -> tuple[Cell, ...]:
    """Weights and outputs of a head in a row, its share of the whole, and what is made of that."""
    own = row_of(graph[f"O_{head}"], row)
    width = len(own)
    share = row_of(graph["O_heads"], row)[(head - 1) * width : head * width]
    made = (cell for key in ("U", "X_out") if key in graph for cell in row_of(graph[key], row))
    return (*row_of(graph[f"A_{head}"], row), *own, *share, *made)


def _telling(lesson: Lesson) -> tuple[int, int, tuple[int, ...]] | None:
    """A head, a row of it and the keys of its largest weight, where the shown numbers tell.

    The last ones first; rather one that does as another head does not.
    """
    count, rows = _count(lesson), range(len(lesson.inputs.tokens))
    found = [
        (_most(lesson, head, row) == _most(lesson, _other(lesson, head), row), head, row)
        for head in range(count, 0, -1)
        for row in reversed(rows)
        if count > 1 and _most(lesson, head, row)
    ]
    if not found:
        return None
    _, head, row = min(found, key=lambda one: one[0])
    return head, row, _most(lesson, head, row)


def _other(lesson: Lesson, head: int) -> int:
    """The head that another one is compared with: the first, and for the first the last."""
    return 1 if head > 1 else _count(lesson)


def _most(lesson: Lesson, head: int, row: int) -> tuple[int, ...]:
    return most(lesson, f"A_{head}", row)


def _in_another(lesson: Lesson, head: int, row: int, top: tuple[int, ...]) -> str:
    """What another head does with the same row; nothing where the shown numbers do not tell."""
    other = _other(lesson, head)
    theirs = _most(lesson, other, row)
    if theirs == top:
        return f" Head {other} attends to the same most."
    if theirs:
        return f" Head {other} attends most to {named(lesson.graph['A_1'].cols, theirs)}."
    if all_alike(lesson, f"A_{other}", row):
        return f" Head {other} attends alike to every key that is open."
    return ""


def same_count(lesson: Lesson) -> str:
    """How many numbers the weights hold, with one head and with several."""
    graph, h = lesson.graph, _count(lesson)
    if "W_Q" not in graph:
        return ""
    W_Q, Q_1 = graph["W_Q"], graph["Q_1"]
    d_model, columns = W_Q.shape
    whole = f"Here W_Q has {by(W_Q.shape)} = {many(d_model * columns, 'number')}."
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
    wanted = dict(lesson.settings.options).get("h", OPTIONS["h"].default)
    if wanted not in (*fits, OPTIONS["h"].default):
        return f"{wanted} heads cannot share {both} equally. Here there are {_count(lesson)}."
    return ""


def head_sizes() -> str:
    """Heads in models of real size: what a head gets, and how many numbers all weights hold."""
    return table(
        "Heads in models",
        [
            "",
            "d_model",
            "heads",
            "d_k of a head",
            "numbers in W_Q, W_K, W_V and W_O of one layer",
        ],
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
        ("The cat sat down, two heads", cat.with_options({"h": 2})),
        ("Four heads", cat.with_options({"h": 4})),
        ("One head", cat.with_options({"h": 1})),
        ("A sentence of your own, d_k = 8", own.with_options({"h": 2})),
    )


def mixed_or_not(lesson: Lesson) -> str:
    """What W_O does here: whether any feature hears of several heads."""
    if "W_O" not in lesson.graph:
        return "This example has no stream to write to, and so no W_O."
    W_O, count = lesson.graph["W_O"].value, _count(lesson)
    if count == 1:
        return "With one head there is nothing to mix: W_O only brings its components to features."
    heard = np.array([abs(rows).sum(axis=0) > 0 for rows in np.split(W_O, count)])
    if heard.sum(axis=0).max() > 1:
        return "In the W_O that stands here some feature hears of several heads: it is mixed."
    silent = [head for head, features in enumerate(heard, 1) if not features.any()]
    lost = f" Nothing at all is heard of {heads(silent)}." if silent else ""
    return (
        "What if W_O were missing? The W_O that stands here is as good as none: each feature hears "
        f"of one head at most.{lost} Choose «edit numbers», and type other numbers into W_O."
    )


def mixing(lesson: Lesson) -> tuple[tuple[str, Settings], ...]:
    """Numbers for W_O with which the first feature hears of the first head and of the last."""
    if "W_O" not in lesson.graph:
        return ()
    W_O = lesson.graph["W_O"]
    last, first = Cell("W_O", W_O.shape[0] - 1, 0), W_O.cols.unique(0)
    if _count(lesson) == 1 or W_O.value[last.row, last.col] == 1.0:
        return ()
    mixed = typed_over(lesson.settings, last, 1.0)
    return ((f"Let feature «{first}» hear of the last head, too", mixed),)
