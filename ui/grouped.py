"""The page on grouped keys: who reads which keys, what a cache holds, and models of real size."""

from __future__ import annotations

from dataclasses import replace

from attention_core import BYTES, Cell, cache, counted, in_units, kv_head_counts
from ui.asks import Ask, row_of
from ui.board.layout import Layout, Stage
from ui.lesson import Lesson
from ui.panels import choices
from ui.sayings import by, many, table
from ui.settings import BOARD_VIEW, NONE, OWN, Settings
from ui.whom import most, named

# Name, layers, heads, heads of keys and values, d_k. Touvron et al. (2023), Jiang et al. (2023),
# Almazrouei et al. (2023).
_MODELS = (
    ("Llama 2 7B", 32, 32, 32, 128),
    ("Llama 2 70B", 80, 64, 8, 128),
    ("Mistral 7B", 32, 32, 8, 128),
    ("Falcon 7B", 32, 71, 1, 64),
)
_TOKENS, _SIZE = 4096, 2


def board(lesson: Lesson) -> Layout:
    """Queries of every head, the keys and values that are kept, and what each head makes."""
    h, kv = _counts(lesson)

    def each(key: str) -> tuple[tuple[str, ...], ...]:
        return tuple((f"{key}_{head}",) for head in range(1, h + 1))

    kept = tuple((f"K_{group}", f"V_{group}") for group in range(1, kv + 1))
    return Layout(
        "O_heads",
        stages=(
            Stage("Queries of each head", each("Q")),
            Stage("Keys and values that are kept", kept),
            Stage("Scores of each head", each("S")),
            Stage("Weights of each head", each("A")),
            Stage("Outputs of each head", each("O")),
            Stage("Side by side", (("O_heads",),)),
        ),
    )


def _counts(lesson: Lesson) -> tuple[int, int]:
    """Heads, and heads of keys and values."""
    return int(lesson.option("h")), int(lesson.option("kv_heads"))


def _kind(h: int, kv: int) -> str:
    if h == kv:
        return "multi-head (MHA)"
    return "multi-query (MQA)" if kv == 1 else "grouped-query (GQA)"


def who_reads(lesson: Lesson) -> str:
    """What the number of heads of keys and values is called, and which head reads which."""
    (h, kv), graph = _counts(lesson), lesson.graph
    if h == 1:
        return "There is one head only, so there is nobody to share with. Choose more heads."
    if kv == h:
        return "Each head has keys and values of its own: multi-head attention (MHA)."
    if kv == 1:
        every = "Both heads" if h == 2 else f"All {h} heads"
        return f"{every} read K_1 and V_1: multi-query attention (MQA)."
    # Read off the scores: S_3 is Q_3 times the transpose of the keys that head 3 reads.
    read = {head: graph[f"S_{head}"].inputs[1].inputs[0].key for head in range(1, h + 1)}
    groups = (
        f"heads {' and '.join(str(head) for head in read if read[head] == key)} read {key} and "
        f"{graph[f'O_{head}'].inputs[1].key}"
        for head, key in {key: (head, key) for head, key in read.items()}.values()
    )
    said = "; ".join(groups)
    return f"{said[0].upper()}{said[1:]}: grouped-query attention (GQA)."


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
        else f"both attend to {first} most. Here their queries ask for much the same."
    )
    hidden = (A.key, f"O_{other}", "O_heads")
    return Ask(
        title=f"Heads {one} and {other} both read {keys}. Does «{who}» attend to the same token "
        "most in both?",
        hint=f"Before you look: read its row in S_{other}, choose, and the weights of head "
        f"{other} open.",
        cells=tuple(cell for key in hidden for cell in row_of(graph[key], row)),
        pin=Cell(A.key, row, _most(lesson, other, row)[0]),
        right=f"Right: {because}",
        wrong=f"Not so. Where is the largest score of that row in S_{one}, and where in S_{other}?",
        given=f"The answer: {because}",
        options=(("The same token", not differ), ("Another one", differ)),
    )


def _neighbours(lesson: Lesson) -> list[tuple[int, int]]:
    """Pairs of heads side by side that read the same keys."""
    h, kv = _counts(lesson)
    return [(head, head + 1) for head in range(1, h) if head % (h // kv)]


def _most(lesson: Lesson, head: int, row: int) -> tuple[int, ...]:
    return most(lesson, f"A_{head}", row)


def _comparable(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Whether two heads attend to the same tokens most, or to wholly other ones."""
    return bool(one and other) and (one == other or not set(one) & set(other))


def real_models() -> str:
    """What models of real size keep of a text."""
    rows = []
    for name, layers, heads, kv, width in _MODELS:
        kept, whole = (cache(_TOKENS, layers, heads, n, width, _SIZE) for n in (kv, heads))
        rows.append(
            [
                name,
                *(str(number) for number in (layers, heads, kv, width)),
                in_units(kept.token_bytes, BYTES),
                in_units(kept.bytes, BYTES),
                in_units(whole.bytes, BYTES),
                counted(kept.parameters),
            ]
        )
    told = ["", "layers", "heads", "heads of K and V", "d_k", "cache of one token"]
    told += [
        f"of {_TOKENS:,} tokens",
        "if each head had its own",
        "all W_K and W_V",
    ]
    return table(f"Caches of models, {_SIZE} bytes a number", told, rows)


def models_to_try(lesson: Lesson) -> str:
    """Links that put the models into the calculator."""
    ways = []
    for name, depth, heads, kv, width in _MODELS:
        model = replace(
            lesson.settings, depth=depth, heads=heads, width=width, context=_TOKENS, size=_SIZE
        )
        ways.append((name, model.query() | {"sweep": str(kv)}))
    return choices(lesson.page, *ways, keep=BOARD_VIEW)


def sharing_to_try(lesson: Lesson) -> tuple[tuple[str, Settings], ...]:
    """Settings that are worth a look."""
    plain = replace(lesson.settings, mask=NONE, edits=(), tied=False, d_k=0)
    wide = replace(plain, example=OWN, d_model=8, d_k=8, d_v=8)
    four = tuple(wide.with_options({"h": 4, "kv_heads": kv}) for kv in (4, 2, 1))
    titles = "Four heads, each with its own", "Two and two share", "All four share"
    cat = replace(plain, example="cat").with_options({"h": 2})
    return (*zip(titles, four, strict=True), ("The cat sat down, two heads share", cat))
