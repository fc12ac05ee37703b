"""The page on the online softmax: its board, its question, and what it says of these numbers."""

from __future__ import annotations

from dataclasses import replace

from attention_core import Cell, Graph, blocks_of, held, online_gap
from attention_core.rounding import scientific, show
from ui.asks import Ask, row_of
from ui.board.layout import Layout, Stage
from ui.lesson import Lesson
from ui.sayings import many, table
from ui.settings import NONE, OWN, Settings


def _block(lesson: Lesson) -> int:
    """The block that stands in full."""
    return int(lesson.option("shown"))


def _count(lesson: Lesson) -> int:
    return blocks_of(lesson.graph["K"].shape[0], int(lesson.option("block")))


def block_board(lesson: Lesson) -> Layout:
    """One block in full, with what it is handed, and the two rows at the end.

    Twelve blocks in full are more than a board can hold. All that one needs from the others is what
    the one before hands on; the table of :func:`every_block` has all of them.
    """
    b, last = _block(lesson), _count(lesson)
    before = "Nothing seen yet" if b == 1 else f"Handed on by block {b - 1}"
    return Layout(
        "O_online",
        stages=(
            _handed_on(before, b - 1),
            *_in_full(b),
            *((_handed_on(f"Handed on by the last block, {last}", last),) if b < last else ()),
            Stage("Divided once, beside the row of the whole table", (("O_online",), ("O_row",))),
        ),
    )


def _handed_on(title: str, b: int) -> Stage:
    return Stage(title, ((f"m_run_{b}",), (f"Z_run_{b}",), (f"o_run_{b}",)))


def _in_full(b: int) -> tuple[Stage, ...]:
    return (
        Stage(
            f"Block {b}: its scores",
            (("q",), (f"K_{b}_T",), (f"S_{b}", f"S_scaled_{b}"), (f"M_{b}", f"S_masked_{b}")),
        ),
        Stage(
            f"Block {b}: correct what was",
            ((f"m_run_{b}", f"c_run_{b}"), (f"Z_kept_{b}", f"o_kept_{b}")),
        ),
        Stage(
            f"Block {b}: add what is new",
            (
                (f"E_run_{b}",),
                (f"V_{b}",),
                (f"Z_added_{b}", f"o_added_{b}"),
                (f"Z_run_{b}", f"o_run_{b}"),
            ),
        ),
    )


def what_becomes_of_the_old(lesson: Lesson) -> Ask | None:
    """Ask what a block makes of what was there before it, or of the largest exponential.

    ``None`` where no key is open so far, and where a correction looks like 1 and is not.
    """
    graph, b, decimals = lesson.graph, _block(lesson), lesson.settings.decimals
    m, before = (float(graph[f"m_run_{at}"].value[0, 0]) for at in (b, b - 1))
    if m == float("-inf"):
        return None
    if before == float("-inf"):
        return _first_open(lesson, b)
    c = graph.explain(f"c_run_{b}", 0, 0, decimals)
    stays = c.result == 1.0
    old, new = show(before, decimals).text, show(m, decimals).text
    if not stays and (old == new or show(c.result, decimals).value == 1.0):
        return None
    if stays:
        because = f"no score of this block is above {old}, so m stays and c = e^0 = 1."
    else:
        because = (
            f"this block has a larger score, so m grows from {old} to {new}. All that was made "
            f"with the old m is too large by one factor. c = {c.substituted} = {c.shown} takes it "
            "out."
        )
    return Ask(
        title=f"The largest score so far is {old}. What does block {b} do to the old Z and o?",
        hint="Before you look: compare the scores of the block with it, and choose.",
        cells=_made_by(graph, b, "m_run", "c_run", "E_run", "Z_kept", "o_kept"),
        pin=c.cell,
        right=f"Yes: {because}",
        wrong=f"Not so. Is a score of this block above {old}?",
        given=f"The answer: {because}",
        options=(
            ("They stay: c = 1", stays),
            ("They get smaller: c < 1", not stays),
            ("They get larger: c > 1", False),
        ),
        above=True,
    )


def _first_open(lesson: Lesson, b: int) -> Ask:
    """Ask for the largest exponential of the first block with an open key."""
    graph = lesson.graph
    top = graph.largest(f"S_masked_{b}", 0)[0]
    because = "the largest score less itself is 0, and e^0 = 1."
    return Ask(
        title=f"How large is the largest exponential in block {b}?",
        hint="Before you look: the largest score so far is taken off first. Type the number.",
        cells=_made_by(graph, b, "E_run"),
        pin=Cell(f"E_run_{b}", 0, top.col),
        right=f"Yes, 1: {because}",
        wrong="Not that one. What is left of the largest score when it is taken off itself?",
        given=f"It is 1: {because}",
        above=True,
    )


def _made_by(graph: Graph, b: int, *more: str) -> tuple[Cell, ...]:
    """The cells that would tell the answer: what a block makes, and what it hands on."""
    keys = (*more, "Z_added", "o_added", "Z_run", "o_run")
    return tuple(cell for key in keys for cell in row_of(graph[f"{key}_{b}"], 0))


def every_block(lesson: Lesson) -> str:
    """What every block sees and hands on, as a table."""
    graph, decimals = lesson.graph, lesson.settings.decimals
    rows = []
    for b in range(1, _count(lesson) + 1):
        keys = ", ".join(graph[f"V_{b}"].rows.labels)
        numbers = (
            graph[f"{key}_{b}"].value[0].tolist() for key in ("m_run", "c_run", "Z_run", "o_run")
        )
        shown = (", ".join(show(x, decimals).text for x in part) for part in numbers)
        rows.append([f"{b}", keys, *shown])
    return table("What every block hands on", ["block", "keys", "m", "c", "Z", "o"], rows)


def same_row(lesson: Lesson) -> str:
    """How far apart the two rows are, as it was measured."""
    graph = lesson.graph
    who = graph["q"].rows.labels[0]
    if graph["O_online"].undefined:
        return (
            f"Every key is blocked for «{who}». No block adds anything, and Z ends as 0. 0/0 has "
            "no value: both rows stand as 0."
        )
    gap = online_gap(graph)
    both = f"O_online and O_row are both the output of «{who}». In arithmetic they are equal."
    if gap == 0:
        return f"{both} Here they also agree to the last bit of a computer’s numbers."
    return (
        f"{both} A computer rounds every step, and the two ways take different steps. Here the "
        f"largest difference is {scientific(gap).text}."
    )


def handed_on(lesson: Lesson) -> str:
    """How many numbers one block hands to the next, and what all is held here."""
    graph = lesson.graph
    n, d_v = graph["V"].shape
    here = held(n, int(lesson.option("block")), d_v)
    whole = f"The whole table has {n} · {n} = {many(here.table, 'number')} here."
    kept = f"All that a block hands to the next is m, Z and o: 1 + 1 + {d_v} = {2 + d_v} numbers."
    scores = here.one - 2 - d_v
    more = f"With the {many(scores, 'score')} of a block, {here.one} are held at once."
    if here.one >= here.table:
        return f"{kept} {more} {whole} In so short a text blocks save nothing."
    return f"{kept} {more} {whole}"


def open_so_far(lesson: Lesson) -> str:
    """What a block does in which every key is blocked, where there is one."""
    shut = [
        str(b) for b in range(1, _count(lesson) + 1) if not lesson.graph.largest(f"S_masked_{b}", 0)
    ]
    if not shut:
        return ""
    *others, last = shut
    which = f"blocks {', '.join(others)} and {last}" if others else f"block {last}"
    return (
        f"Here every key of {which} is blocked. Such a block adds 0 and leaves m as it is. While "
        "no key is open, m is −∞."
    )


def blocks_to_try(lesson: Lesson) -> tuple[tuple[str, Settings], ...]:
    """Settings that are worth a look."""
    plain = replace(lesson.settings, mask=NONE, edits=(), tied=False, d_k=0)
    love, cat = replace(plain, example="love"), replace(plain, example="cat")
    long = replace(plain, example=OWN, text="a b c d e f g h i j k l")
    return (
        ("One key at a time", love.with_options({"query": 0, "block": 1, "shown": 2})),
        ("The largest score comes last", cat.with_options({"query": 3, "block": 2, "shown": 2})),
        (
            "Twelve tokens, blocks of three",
            long.with_options({"query": 6, "block": 3, "shown": 2}),
        ),
        (
            "Blocks with nothing open",
            replace(long, mask="window").with_options({"query": 11, "block": 4, "shown": 3}),
        ),
        ("All keys in one block", cat.with_options({"query": 1, "block": 12, "shown": 1})),
    )
