"""The page on grouped keys: who reads which keys, what is asked, and what a cache holds here."""

from __future__ import annotations

from dataclasses import replace

from attention_core import OPTIONS, Cell, head_counts, kv_head_counts
from attention_core.rounding import show
from ui.asks import Ask
from ui.board.layout import Layout, Stage
from ui.heads import told_by_head
from ui.lesson import Lesson
from ui.readers import ROOT
from ui.sayings import by, many, table
from ui.settings import NONE, OWN, Settings
from ui.whom import heads, listed, most, named

_CAT = "The cat sat down, two heads share"


def board(lesson: Lesson) -> Layout:
    """Queries of every head, the keys and values that are kept, and what each head makes."""
    h, kv = _counts(lesson)

    def each(key: str) -> tuple[tuple[str, ...], ...]:
        return tuple((f"{key}_{head}",) for head in range(1, h + 1))

    kept = tuple((f"K_{group}", f"V_{group}") for group in range(1, kv + 1))
    changed = _scores(lesson) != "S"
    return Layout(
        "O_heads",
        stages=(
            Stage("Queries of each head", each("Q")),
            Stage("Keys and values that are kept", kept),
            Stage("Scores of each head", each("S")),
            *((Stage("Scaled and masked", each("S_masked")),) if changed else ()),
            Stage("Weights of each head", each("A")),
            Stage("Outputs of each head", each("O")),
            Stage("Side by side", (("O_heads",),)),
        ),
    )


def _counts(lesson: Lesson) -> tuple[int, int]:
    """Heads, and heads of keys and values."""
    return int(lesson.option("h")), int(lesson.option("kv_heads"))


def _scores(lesson: Lesson) -> str:
    """Which scores say where the largest weight of a row is: a mask or a scale may change that."""
    usual = lesson.settings.mask == NONE and lesson.settings.scale == ROOT
    return "S" if usual else "S_masked"


def _kind(h: int, kv: int) -> str:
    if h == kv:
        return "multi-head (MHA)"
    return "multi-query (MQA)" if kv == 1 else "grouped-query (GQA)"


def who_reads(lesson: Lesson) -> str:
    """What the number of heads of keys and values is called, and which head reads which."""
    (h, kv), graph = _counts(lesson), lesson.graph
    if h == 1:
        more = " Choose more heads." if len(head_counts(lesson.inputs)) > 1 else ""
        return f"There is one head only, so there is nobody to share with.{more}"
    if kv == h:
        return "Each head has keys and values of its own: multi-head attention (MHA)."
    if kv == 1:
        every = "Both heads" if h == 2 else f"All {h} heads"
        return f"{every} read K_1 and V_1: multi-query attention (MQA)."
    # Read off the scores: S_3 is Q_3 times the transpose of the keys that head 3 reads.
    read = {head: graph[f"S_{head}"].inputs[1].inputs[0].key for head in range(1, h + 1)}
    groups = (
        f"{heads(reader for reader in read if read[reader] == key)} read {key} and "
        f"{graph[f'O_{head}'].inputs[1].key}"
        for head, key in {key: (head, key) for head, key in read.items()}.values()
    )
    said = "; ".join(groups)
    return f"{said[0].upper()}{said[1:]}: grouped-query attention (GQA)."


def pairs_that_fit(lesson: Lesson) -> str:
    """Why another number of heads of keys and values is used than the link says."""
    h, kv = _counts(lesson)
    wanted = dict(lesson.settings.options).get("kv_heads", OPTIONS["kv_heads"].default)
    if wanted == kv:
        return ""
    return (
        f"{many(h, 'head')} cannot share {wanted} heads of keys and values equally. Here "
        f"{kv} {'is' if kv == 1 else 'are'} used."
    )


def alike_values(lesson: Lesson) -> str:
    """That heads cannot hand over different rows, where all values that they read are alike."""
    (h, kv), graph = _counts(lesson), lesson.graph
    if len(lesson.inputs.tokens) == 1:
        return ""
    V = {group: graph[f"V_{group}"].value for group in range(1, kv + 1)}
    alike = [group for group, rows in V.items() if (rows == rows[0]).all()]
    if not alike:
        return ""
    readers = [head for head in range(1, h + 1) if (head - 1) * kv // h + 1 in alike]
    where = listed(f"V_{group}" for group in alike)
    have = "all rows are equal" if len(alike) == 1 else "all rows of each are equal"
    return (
        f"In {where} {have} here, and a blend of equal rows is that row again. So the outputs of "
        f"{heads(readers)} cannot differ, whomever a token attends to. The values of «{_CAT}» do."
    )


def cache_here(lesson: Lesson) -> str:
    """What a cache holds of this sentence, for every number of heads of keys and values."""
    (h, kv), n = _counts(lesson), len(lesson.inputs.tokens)
    d_k, d_v = lesson.graph["K_1"].shape[1], lesson.graph["V_1"].shape[1]
    rows = []
    for count in reversed(kv_head_counts(h)):
        each = count * (d_k + d_v)
        here = " (here)" if count == kv else ""
        sum_ = f"{count} · ({d_k} + {d_v}) = {each}"
        rows.append([f"{count}{here}", _kind(h, count), sum_, f"{n} · {each} = {n * each}"])
    return table(
        "Numbers in the cache of one layer",
        ["heads of keys and values", "called", "for one token", f"for {many(n, 'token')}"],
        rows,
    )


def fewer_columns(lesson: Lesson) -> str:
    """How many columns of W_K and W_V are needed here."""
    graph, (h, kv) = lesson.graph, _counts(lesson)
    if "X" not in graph:
        return (
            "This worked example has no weight matrices. Its K and V are cut to the columns that "
            "are kept."
        )
    d_model = graph["W_K"].shape[0]
    needed = {f"W_{key}": kv * graph[f"{key}_1"].shape[1] for key in "KV"}
    whole = {name: graph[name].shape[1] for name in needed}
    if h == kv:
        return f"With {many(h, 'head')} of keys and values all columns are needed: none is shared."
    parts = (
        f"{name} needs {by((d_model, columns))} = {d_model * columns} numbers and not "
        f"{by((d_model, whole[name]))} = {d_model * whole[name]}"
        for name, columns in needed.items()
    )
    return f"Here {', and '.join(parts)}. W_Q and W_O stay as they are."


def same_in_both(lesson: Lesson) -> Ask | None:
    """Ask whether two heads that share keys attend alike. Not where none share, or none can tell.

    Where there is a choice, rather a row in which they differ.
    """
    found = [
        (_most(lesson, one, row) != _most(lesson, other, row), -one, row, other)
        for one, other in _neighbours(lesson)
        for row in range(len(lesson.inputs.tokens))
        if _comparable(_most(lesson, one, row), _most(lesson, other, row))
    ]
    if not found:
        return None
    differ, minus, row, other = max(found)
    one, graph = -minus, lesson.graph
    A, keys = graph[f"A_{other}"], graph[f"S_{other}"].inputs[1].inputs[0].key
    who = A.rows.unique(row)
    first, second = (named(A.cols, _most(lesson, head, row)) for head in (one, other))
    because = (
        f"head {one} attends to {first} most and head {other} to {second}. They read the same "
        "keys, but each asks with a query of its own."
        if differ
        else f"both attend to {first} most.{_queries(lesson, one, other, row)}"
    )
    scores = _scores(lesson)
    return Ask(
        title=f"Heads {one} and {other} both read {keys}. Does «{who}» attend to the same token "
        "most in both?",
        hint=f"Before you look: read its row in {scores}_{other}, choose, and the weights of head "
        f"{other} open.",
        cells=told_by_head(graph, other, row),
        pin=Cell(A.key, row, _most(lesson, other, row)[0]),
        right=f"Right: {because}",
        wrong=f"Not so. Where is the largest score of that row in {scores}_{one}, and where in "
        f"{scores}_{other}?",
        given=f"The answer: {because}",
        options=(("The same token", not differ), ("Another one", differ)),
    )


def _queries(lesson: Lesson, one: int, other: int, row: int) -> str:
    """Whether two heads ask alike for a token; nothing where the shown numbers do not tell."""
    mine, theirs = (lesson.graph[f"Q_{head}"].value[row].tolist() for head in (one, other))
    if mine == theirs:
        return " They read the same keys, and their queries are the same here."
    shown = [[show(x, lesson.settings.decimals).value for x in query] for query in (mine, theirs)]
    return "" if shown[0] == shown[1] else " Their queries differ, and still both find the same."


def _neighbours(lesson: Lesson) -> list[tuple[int, int]]:
    """Pairs of heads side by side that read the same keys."""
    h, kv = _counts(lesson)
    return [(head, head + 1) for head in range(1, h) if head % (h // kv)]


def _most(lesson: Lesson, head: int, row: int) -> tuple[int, ...]:
    return most(lesson, f"A_{head}", row)


def _comparable(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Whether two heads attend to the same tokens most, or to wholly other ones."""
    return bool(one and other) and (one == other or not set(one) & set(other))


def sharing_to_try(lesson: Lesson) -> tuple[tuple[str, Settings], ...]:
    """Settings that are worth a look."""
    plain = replace(lesson.settings, mask=NONE, edits=(), tied=False, d_k=0)
    wide = replace(plain, example=OWN, d_model=8, d_k=8, d_v=8)
    four = tuple(wide.with_options({"h": 4, "kv_heads": kv}) for kv in (4, 2, 1))
    titles = "Four heads, each with its own", "Two and two share", "All four share"
    cat = replace(plain, example="cat").with_options({"h": 2, "kv_heads": 1})
    return ((_CAT, cat), *zip(titles, four, strict=True))
