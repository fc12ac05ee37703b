"""The lab on one row of scores: its controls, its board, its question and what it says."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from attention_core import Graph, saturated_row, sharpen
from attention_core.expression import Num, Root
from attention_core.rounding import show
from ui.board.layout import Layout, Line
from ui.lesson import Lesson
from ui.sayings import table
from ui.tied import SCORE_LIMIT, tied
from ui.words import LAST, PARTS, SATURATED

D_K = 64  # the size that the source's row of scores is meant for
_ROWS = {LAST: "the last token’s scores", SATURATED: f"a row at dₖ = {D_K}"}

_FITS = 700.0  # e^±700 is just a number that a computer can hold

# Close together where weights sharpen most.
_TAUS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0, 14.0, 20.0)
# The parts that a temperature belongs to.
_WARM = ("temperature", "slopes")


def choose_row(lesson: Lesson) -> None:
    """The controls of the lab: what to try, on which row, one score to drag, and the part's own."""
    keys, part = lesson.graph["s"].cols, lesson.settings.part
    left, right = st.columns(2)
    left.segmented_control(
        "What to try", PARTS, required=True, format_func=str.capitalize, **tied("part")
    )
    right.segmented_control(
        "On which row", list(_ROWS), required=True, format_func=_ROWS.__getitem__, **tied("row")
    )
    which, score, *last = st.columns(2 if part == "shares" else 3)
    which.selectbox("A score to drag", range(keys.size), format_func=keys.unique, **tied("drag"))
    dragged = float(lesson.graph["s"].value[0, min(lesson.settings.drag, keys.size - 1)])
    if abs(dragged) > SCORE_LIMIT:
        score.markdown(f"{show(dragged).text} is too far to drag. Choose «edit numbers» and type.")
    else:
        score.slider("Drag it", -SCORE_LIMIT, SCORE_LIMIT, step=0.5, format="%g", **tied("score"))
    if part in _WARM:
        taus = sorted({*_TAUS, lesson.settings.tau})
        last[0].select_slider("Temperature τ", taus, format_func="{:g}".format, **tied("tau"))
    elif part == "shift":
        last[0].number_input(
            "c, taken off every score", -10_000.0, 10_000.0, step=1.0, format="%g", **tied("offset")
        )


def row_board(lesson: Lesson) -> Layout:
    """The row and what is made of it in the chosen part, one equation below another."""
    part = lesson.settings.part
    return Layout(_MAIN[part], lines=_LINES[part](lesson), about=_about(lesson))


_GIVEN = Line("s", "One row of scores", "Drag one above, or choose «edit numbers» and type.")


def _shares(lesson: Lesson) -> tuple[Line, ...]:
    graph = lesson.graph
    return (
        _GIVEN,
        Line("A_plain", "Plain: divide each by the sum", _plainly(graph)),
        Line("A", "Softmax: raise e to each, then divide by the sum", _softly(graph)),
    )


def _warm(lesson: Lesson) -> tuple[Line, ...]:
    return (
        _GIVEN,
        Line("A", "The weights as they are"),
        Line("s_tau", "Divide every score by a temperature", _temperature(lesson)),
        Line("A_tau", "The weights at this temperature"),
    )


def _shifted(lesson: Lesson) -> tuple[Line, ...]:
    graph = lesson.graph
    return (
        Line("A", "The weights of the row"),
        Line("s_c", "Take one number off every score"),
        Line("A_c", "The weights of what is left"),
        Line("E", "The plain way: raise e to each score", _grown(graph, lesson.settings.decimals)),
        Line("s_m", "The safe way: take the largest score off first", _too_far(graph)),
        Line("E_m", "Now no exponential is above 1"),
        Line("A_m", "Divide by their sum"),
    )


def _slopes(lesson: Lesson) -> tuple[Line, ...]:
    return (
        _GIVEN,
        Line("A", "The weights of the row"),
        Line("J", "How each weight answers to each score", _answers(lesson)),
        Line("A_tau", "The weights at temperature τ"),
        Line("J_tau", "How these answer to the divided scores"),
    )


_LINES: dict[str, Callable[[Lesson], tuple[Line, ...]]] = dict(
    zip(PARTS, (_shares, _warm, _shifted, _slopes), strict=True)
)
_MAIN = dict(zip(PARTS, ("A", "A", "A", "J"), strict=True))


def _about(lesson: Lesson) -> tuple[tuple[str, str], ...]:
    settings, s = lesson.settings, lesson.graph["s"]
    last = settings.row == LAST
    whose = f"how «{s.rows.labels[0]}» scores each token" if last else _ROWS[SATURATED]
    changed = any(cell.symbol == "s" for cell, _ in settings.edits)
    facts = [("raw scores", whose + (", with your numbers" if changed else ""))]
    if settings.part in _WARM:
        facts.append(("τ", f"{settings.tau:g}"))
    if last and settings.own and not changed:
        facts.append(("numbers", "toy, not learned"))
    return tuple(facts)


def _plainly(graph: Graph) -> str:
    """What plain normalising makes of the row, and where it breaks."""
    A_plain, s = graph["A_plain"], graph["s"]
    if A_plain.undefined:
        return (
            "The scores add up to 0, and nothing can be divided by 0: there are no shares. The row "
            "stands as 0."
        )
    shares, names = A_plain.value[0], A_plain.cols
    least = int(shares.argmin())
    if shares[least] < 0:
        return f"It breaks: the share of «{names.unique(least)}» is below 0, less than nothing."
    if s.value.min() == s.value.max():
        return "All scores are equal, and so are all shares. Change one of them."
    if s.value.min() < 0:
        return (
            "It breaks: no score is above 0, so their sum is below 0, and the lowest score gets "
            "the largest share."
        )
    return "It works as long as no score is below 0 and the sum is not 0. Make a score negative."


def _softly(graph: Graph) -> str:
    if graph["A"].shape[1] == 1:
        return "One key only: it gets the whole weight, whatever its score."
    return "Works for any scores: no weight is below 0, and they add up to 1."


def _temperature(lesson: Lesson) -> str:
    settings, decimals = lesson.settings, lesson.settings.decimals
    here = D_K if settings.row == SATURATED else lesson.inputs.sizes["d_k"]
    root = show(Root(Num(here)).value, decimals).text
    paper = f"Dividing by √d_k is a temperature too: √{here} = {root} here."
    if settings.tau == 1:
        return f"τ = 1 changes nothing. {paper}"
    gaps = "below 1 makes the gaps between scores wider"
    if settings.tau > 1:
        gaps = "above 1 makes the gaps between scores smaller"
    return f"A temperature {gaps}. {paper}"


def _grown(graph: Graph, decimals: int) -> str:
    """How large the plain exponentials are, where they can be shown."""
    if "E" not in graph:
        return ""
    return f"The largest is {show(float(graph['E'].value.max()), decimals).text}."


def _too_far(graph: Graph) -> str:
    """Why the plain exponentials are not on the board, where they are not."""
    if "E" in graph:
        return ""
    beyond = "so small that few digits are left to show"
    if abs(float(graph["s"].value.max())) > _FITS:
        beyond = "at the limit of what a computer’s number can hold, or beyond it"
    return (
        f"The plain exponentials of these scores are {beyond}. Taken this way, the largest "
        "exponential is 1."
    )


def _answers(lesson: Lesson) -> str:
    """How large the slopes are."""
    slope = show(_steepest(lesson.graph), lesson.settings.decimals).text
    return (
        "If a score rises a little, a weight changes by its slope times as much. The largest slope "
        f"here is {slope}; none can be above 0.25."
    )


def _steepest(graph: Graph, key: str = "J") -> float:
    return float(abs(graph[key].value).max())


def slopes(lesson: Lesson) -> str:
    """How large the slopes are here, and on one row raw and scaled, as a table."""
    given = sharpen(saturated_row()["S"].value, float(Root(Num(D_K)).value))
    cases = (
        ("the row on the board", lesson.graph, "A", "J"),
        ("16, 5, 0, 4.5", given, "A", "J"),
        (f"the same ÷ √{D_K}", given, "A_tau", "J_tau"),
    )
    rows = [
        [
            name,
            show(float(graph[weights].value.max()), 5).text,
            show(_steepest(graph, key), 5).text,
        ]
        for name, graph, weights, key in cases
    ]
    return table("Slopes of the softmax", ["scores", "largest weight", "largest slope"], rows)
