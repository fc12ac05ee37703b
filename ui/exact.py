"""The page on exact numbers: its board, its question, and what it says of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from attention_core import Cell, ExactNumber, exactly
from attention_core.exact_terms import NotExact
from attention_core.exact_tree import tree
from attention_core.rounding import scientific, show
from ui.asks import Ask, row_of
from ui.board.layout import Layout, Line
from ui.given import typed_over
from ui.lesson import Lesson
from ui.readers import OFF, ROOT
from ui.sayings import table
from ui.settings import NONE, Settings

_MOST = 3  # terms of a sum that a table shows


def board(lesson: Lesson) -> Layout:
    """Scores, weights and outputs, with what kind of number each is."""
    A, O = _keys(lesson)
    return Layout(
        A,
        (
            Line("S", "Scores: sums of products"),
            Line("S_scaled", _scaling(lesson)),
            Line(A, f"Weights: powers of {_base(lesson)} over their sum"),
            Line(O, "Outputs: the same sum below, for each row"),
        ),
    )


def _scaling(lesson: Lesson) -> str:
    """What the scaling does to whole numbers."""
    d_k, scale = lesson.inputs.sizes["d_k"], lesson.settings.scale
    if scale == OFF:
        return "Not scaled: nothing changes"
    if scale != ROOT:
        return "Scaled by a number of your own"
    root = math.isqrt(d_k)
    if root**2 == d_k:
        return f"Scaled: √{d_k} is {root}, a whole number"
    return f"Scaled: a root comes in, √{d_k}"


def how_many_times(lesson: Lesson) -> Ask | None:
    """Ask by what factor one weight of a row is larger than another, exactly.

    Not where no row has two weights that differ and have an exact form.
    """
    found = _telling(lesson)
    if found is None:
        return None
    row, more, less = found
    A, O = _keys(lesson)
    weights = lesson.graph[A]
    top, other = (_value(lesson, "S_masked", row, col) for col in (more, less))
    larger, smaller = (_value(lesson, A, row, col) for col in (more, less))
    gap, right = top - other, larger / smaller
    options = [right]
    for number in (_or_none(lambda: top / other), gap, _not_scaled(lesson, row, more, less)):
        # More is more than once as much. And what can hardly be told apart is no second answer.
        if number and float(number) > 1 and not any(_alike(number, one) for one in options):
            options.append(number)
    if len(options) == 1:
        return None
    who, whom, rival = weights.rows.unique(row), *map(weights.cols.unique, (more, less))
    answer, difference = tree(right).text(), tree(gap).text()
    because = (
        f"both weights stand over the same sum, which cancels. What is left is {_base(lesson)} to "
        f"the difference of the two scores of S_masked, {difference}: exactly {answer}"
        f"{_about(right, lesson.settings.decimals)}."
    )
    return Ask(
        title=f"In the row of «{who}», «{whom}» gets more than «{rival}». How many times as much?",
        hint="Before you look: divide the two weights as they are defined, without computing any "
        "power. Choose, and the row opens.",
        cells=tuple(cell for key in (A, O) for cell in row_of(lesson.graph[key], row)),
        pin=Cell(A, row, more),
        right=f"Right: {because}",
        wrong="Not that one. Write both weights as fractions, and divide one by the other.",
        given=f"The answer: {because}",
        options=tuple((tree(one).text(), one is right) for one in sorted(options, key=float)),
    )


def _telling(lesson: Lesson) -> tuple[int, int, int] | None:
    """The last row with two weights that differ: its largest, and the next one."""
    A = lesson.graph[_keys(lesson)[0]]
    for row in reversed(range(A.shape[0])):
        values = [exactly(lesson.graph, A.key, row, col).value for col in range(A.shape[1])]
        open_ones = [(v, col) for col, v in enumerate(values) if v is not None and v.shares]
        by_size = sorted(open_ones, key=lambda one: -one[0].decimal())
        for value, col in by_size[1:]:
            if value != by_size[0][0]:
                return row, by_size[0][1], col
    return None


def kinds(lesson: Lesson) -> str:
    """One score on its way, exactly and in decimals, as a table."""
    row, col, _ = _telling(lesson) or (0, 0, 0)
    graph, decimals = lesson.graph, lesson.settings.decimals
    A, O = _keys(lesson)
    outputs = [exactly(graph, O, row, at).value for at in range(graph[O].shape[1])]
    of = next((at for at, output in enumerate(outputs) if not _is_whole(output)), 0)
    rows = []
    for key, at in (("S", col), ("S_scaled", col), (A, col), (O, of)):
        found = exactly(graph, key, row, at)
        told = found.parts(_MOST)[-1].text() if found.value is not None else "no exact form"
        name = graph[key].entry_name(row, at).text()
        rows.append([name, told, graph.explain(key, row, at, decimals).shown])
    who = graph[A].rows.unique(row)
    return table(f"From a score of «{who}» to an output", ["", "exactly", "shown"], rows)


def kind_of_row(lesson: Lesson) -> str:
    """Whether the weights are fractions here, and why."""
    A, graph = lesson.graph[_keys(lesson)[0]], lesson.graph
    cells = [(row, col) for row in range(A.shape[0]) for col in range(A.shape[1])]
    found = [exactly(graph, A.key, *cell) for cell in cells]
    if any(one.value is None for one in found):
        why = next(one.words for one in found if one.value is None)
        return f"Not all of these weights have an exact form here. {why}"
    fractions = sum(one.value is not None and one.value.fraction is not None for one in found)
    if fractions == len(found):
        start = "Here every weight is a fraction"
        alone = all(_is_whole(one.value) for one in found)
        if A.key == "A" or alone:
            return f"{start}: in each row all open scores are equal, or only one is open."
        return f"{start}. With powers of 2, whole scores need no more than that."
    if A.key == "A":
        return (
            f"Here {fractions} of {len(found)} weights are fractions. With powers of e a weight is "
            "one only where its key is blocked, or where all open scores of its row are equal."
        )
    return (
        f"Here {fractions} of {len(found)} weights are fractions. Where a scaled score is not "
        "whole, 2 to its power is mostly no fraction either. Take the scaling off, and see."
    )


def how_close(lesson: Lesson) -> str:
    """How far the computer's weights of one row are from the exact ones."""
    row = (_telling(lesson) or (0, 0, 0))[0]
    A, graph = lesson.graph[_keys(lesson)[0]], lesson.graph
    gaps = []
    for col in range(A.shape[1]):
        value = exactly(graph, A.key, row, col).value
        if value is None:
            return ""
        gaps.append(abs(float(value) - float(A.value[row, col])))
    largest = max(gaps)
    who = A.rows.unique(row)
    if largest == 0:
        return f"In the row of «{who}» no weight differs from its exact form, to the last bit."
    return (
        f"In the row of «{who}» the largest distance between a weight as it was computed and its "
        f"exact form is {scientific(largest).text}."
    )


def to_try(lesson: Lesson) -> tuple[tuple[str, Settings], ...]:
    """Settings that are worth a look."""
    plain = replace(lesson.settings, edits=(), mask=NONE, scale=ROOT)
    fractions = replace(plain, scale=OFF).with_options({"base": "2"})
    first = Cell("W_Q" if "W_Q" in lesson.graph else "Q", 0, 0)
    return (
        ("Powers of 2, not scaled: fractions", fractions),
        ("The cat sat down: √4 is whole", replace(plain, example="cat", d_k=0)),
        ("Type 2.5: a fraction", typed_over(replace(lesson.settings, scale=ROOT), first, 2.5)),
        ("A scale of 0.3333: rounded", replace(lesson.settings, scale="0.3333")),
    )


def switched_on(lesson: Lesson) -> Lesson:
    """The same with exact numbers on other pages, too."""
    return replace(lesson, settings=replace(lesson.settings, exact=True))


def _keys(lesson: Lesson) -> tuple[str, str]:
    """The weights and outputs that the page is about."""
    return ("A_two", "O_two") if "A_two" in lesson.graph else ("A", "O")


def _value(lesson: Lesson, key: str, row: int, col: int) -> ExactNumber:
    value = exactly(lesson.graph, key, row, col).value
    assert value is not None, "weights are made of exact scores only"
    return value


def _is_whole(number: ExactNumber | None) -> bool:
    return number is None or (number.fraction is not None and number.fraction.denominator == 1)


def _base(lesson: Lesson) -> str:
    return "2" if "A_two" in lesson.graph else "e"


def _not_scaled(lesson: Lesson, row: int, more: int, less: int) -> ExactNumber | None:
    """The power of the difference of the scores before they were scaled."""
    base = 2 if "A_two" in lesson.graph else None
    one, other = (_value(lesson, "S", row, col) for col in (more, less))
    return _or_none(lambda: (one - other).raised(base))


def _or_none(number: Callable[[], ExactNumber]) -> ExactNumber | None:
    try:
        return number()
    except NotExact:
        return None


def _alike(one: ExactNumber, other: ExactNumber) -> bool:
    return math.isclose(float(one), float(other))


def _about(number: ExactNumber, decimals: int) -> str:
    """A number in decimals, where that says more than its exact form."""
    shown = show(float(number), max(decimals, 2)).text
    return "" if shown in (tree(number).text(), "∞") else f", which is {shown}"
