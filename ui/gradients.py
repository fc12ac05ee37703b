"""The page on gradients: the loss, the board, its question, the step, and the check."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite

import streamlit as st

from attention_core import AFTER, VARIANTS, Cell, Graph, parameters
from attention_core.rounding import show
from ui.asks import Ask, all_of, row_of
from ui.board.layout import Layout, Stage
from ui.controls import choose
from ui.lesson import Lesson
from ui.pages import SHARPEN
from ui.panels import heading, presets, say
from ui.sayings import table
from ui.settings import NONE, Settings
from ui.whom import named
from ui.words import LAST, PARTS


def board(lesson: Lesson) -> Layout:
    """The loss, every matrix with its gradient, and what one step makes of them."""
    learned = parameters(lesson.graph)
    weights = [m for m in learned if m.key not in ("Q", "K", "V")]
    steps = [
        Stage(
            f"Back to the {m.symbol.title}, and one step",
            ((m.key,), (f"d{m.key}",), (f"{m.key}{AFTER}",)),
        )
        for m in weights
    ] or [Stage("One step", tuple((f"{m.key}{AFTER}",) for m in learned))]
    return Layout(
        "dW_Q" if weights else "dV",
        stages=(
            Stage("Forward, to the loss", (("O",), ("T",), ("R",), ("L",))),
            Stage("Back through the mix", (("dO",), ("A", "dA"), ("V", "dV"))),
            Stage("Back through the softmax", (("r_A",), ("dS_masked",))),
            Stage("The same for one row, with the Jacobian", (("a", "da"), ("J",), ("ds",))),
            Stage("Back through mask and scale", (("dS",),)),
            Stage("Back to queries and keys", (("Q", "dQ"), ("K", "dK"))),
            *steps,
            Stage("Back to the tokens", (("X",), ("dX",))),
            Stage("What the step did", (("A_after",), ("A_diff",), ("L_after",))),
        ),
    )


def choose_loss(lesson: Lesson) -> None:
    """The controls of the loss and of the step, side by side."""
    for place, option in zip(st.columns((2, 2, 3)), VARIANTS["gradients"].options, strict=True):
        with place:
            choose(lesson, option.name)


def losses_to_try(lesson: Lesson) -> tuple[tuple[str, Settings], ...]:
    """Settings that are worth a look."""
    plain = replace(lesson.settings, mask=NONE, edits=(), tied=False, d_k=0, options=())
    love, cat = replace(plain, example="love"), replace(plain, example="cat")
    return (
        ("«AI» shall output the value of «I»", love),
        ("The same, too large a step", love.with_options({"rate": 1.0})),
        ("«cat» shall output the value of «sat»", cat.with_options({"whose": 1, "aim": 2})),
        ("Looking back only", replace(cat, mask="causal").with_options({"whose": 1, "aim": 2})),
    )


def about_the_loss(lesson: Lesson) -> tuple[str, ...]:
    """What the loss measures here, and where there is nothing to learn."""
    graph, row = lesson.graph, row_of_loss(lesson)
    who, aim = names(lesson)
    told = [
        f"The target T is the value of «{aim}» in the row of «{who}». The numbers are copied: they "
        "stay as they are while V learns. In all other rows it is the output as it is, so these "
        "shall stay. L is half the sum of all squared errors."
    ]
    if row in graph["O"].undefined:
        told.append(
            f"Every key is blocked for «{who}»: its output stands as 0, whatever the weights are. "
            "So every gradient is 0, and a step changes nothing."
        )
    elif not graph["R"].value.any():
        told.append(
            f"The output of «{who}» is that value already. The loss is 0, and so is every gradient."
        )
    elif sum(map(isfinite, graph["S_masked"].value[row].tolist())) == 1:
        told.append(
            f"«{who}» sees one key only. Its weight is 1, whatever the score is: so no score has a "
            "gradient, and only the values can learn."
        )
    return tuple(told)


def rises_most(lesson: Lesson) -> Ask | None:
    """Ask which score the loss wants higher; not where no score has a gradient to be seen."""
    graph, row, decimals = lesson.graph, row_of_loss(lesson), lesson.settings.decimals
    slopes = graph["dS_masked"]
    shown = [show(x, decimals).value for x in slopes.value[row].tolist()]
    if min(shown) >= 0:
        return None
    most = [col for col, slope in enumerate(shown) if slope == min(shown)]
    who, aim = names(lesson)
    which = named(slopes.cols, most)
    lowest = show(min(shown), decimals).text
    because = (
        f"the lowest gradient of this row, {lowest}, is for {which}. Below 0 means: when the score "
        "rises, the loss falls."
    )
    rows = [(key, row) for key in ("dS_masked", "dS", "A_after", "A_diff")] + [("ds", 0)]
    hidden = (cell for key, at in rows for cell in row_of(graph[key], at))
    # The gradients of the keys are those of the scores times one query: their signs would tell.
    keys = ("dK", "K_after") if graph["K"].op is None else ("dK",)
    telling = (cell for key in keys for cell in all_of(graph[key]))
    return Ask(
        title=f"Which score should «{who}» raise most, to come closer to the value of «{aim}»?",
        hint="Before you look: choose, and its row of gradients opens. dA says how the loss "
        "answers to each weight. The gradient of a score also counts how large its weight is.",
        cells=(*hidden, *telling),
        pin=Cell("dS_masked", row, most[0]),
        right=f"Yes: {because}",
        wrong="Not that one. In its row of dA, a low number asks for more weight. But a weight "
        "near 0 hardly answers to its score.",
        given=f"The answer: {because}",
        options=tuple((slopes.cols.unique(col), col in most) for col in range(slopes.shape[1])),
    )


# What was made on the way forward, with the gradients that going back through it gives.
_BACK: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("O", ("dA", "dV")),
    ("A", ("P_A", "r_A", "R_A", "D_A", "dS_masked")),
    ("S_masked", ("dS_scaled",)),
    ("S_scaled", ("dS",)),
    ("S", ("dQ", "dK_T")),
    ("Q", ("dW_Q",)),
    ("K", ("dW_K",)),
    ("V", ("dW_V",)),
)


def ways_back(lesson: Lesson) -> str:
    """Each op of the way forward, and the ops of the way back, as the graph has them."""
    graph = lesson.graph
    rows = [
        [_formula(graph, key), "; ".join(_formula(graph, d) for d in back if d in graph)]
        for key, back in _BACK
        if graph[key].op is not None
    ]
    return table("Forward and back", ["forward", "back"], rows)


def _formula(graph: Graph, key: str) -> str:
    matrix = graph[key]
    assert matrix.op is not None
    return f"{matrix.symbol.text} = {matrix.op.definition(*matrix.inputs).text()}"


def shares_of_x(lesson: Lesson) -> str:
    """Why the gradient of X is a sum."""
    if "X" not in lesson.graph:
        return "Q, K and V are given here, so the way back ends at them: these take the step."
    return (
        "X is used three times, for Q, for K and for V. So its gradient is a sum of three. The "
        "weights take the step here; X stays, as if it were the data."
    )


def shut_off(lesson: Lesson) -> str:
    """What the mask, the scale and tied weights do to gradients here."""
    graph, settings = lesson.graph, lesson.settings
    told = []
    if graph["M"].blocked:
        told.append(
            "A blocked key has the weight 0 and keeps it, whatever its score is. So its gradient "
            "is exactly 0: nothing is learned through a blocked cell."
        )
    if settings.scale not in ("root", "off") and float(settings.scale) == 0:
        told.append("The scale is 0, so dS is 0, and neither queries nor keys learn.")
    if settings.tied:
        told.append(
            "W_K starts as W_Q, but each takes a step of its own here, and then they differ. A "
            "model that keeps them one matrix adds both gradients."
            if "X" in graph
            else "K starts as Q, but each takes a step of its own here, and then they differ."
        )
    return " ".join(told)


def softmax_row(lesson: Lesson) -> str:
    """The way back through the softmax for one row: a table, and what it says."""
    graph, row, decimals = lesson.graph, row_of_loss(lesson), lesson.settings.decimals
    if row in graph["A"].undefined:
        return ""
    keys = graph["A"].cols
    rows = [
        [keys.unique(col)]
        + [show(float(graph[key].value[row, col]), decimals).text
           for key in ("A", "dA", "D_A", "dS_masked")]
        for col in range(keys.size)
    ]  # fmt: skip
    mean = show(float(graph["r_A"].value[row, 0]), decimals).text
    who = names(lesson)[0]
    return (
        heading("Through the softmax")
        + say(
            f"In the row of «{who}» the mean of dA, weighted by the weights, is r = {mean}. A "
            "score with a dA below that should rise, one above it should fall: by how far off it "
            "is, times its weight.",
        )
        + table(f"The row of {who}", ["key", "A", "dA", "dA − r", "A · (dA − r) = dS_masked"], rows)
        + say(
            "Before rounding the gradients of a row add up to 0: if all scores rise alike, no "
            "weight changes.",
            "The [[Jacobian]] J of a softmax says how each weight answers to each score. The row "
            "of dA times J gives the same row: on the board, ds = da J. But J has n numbers for "
            "each of the n weights, for one row only. The way above makes do without it.",
        )
    )


def see_slopes(lesson: Lesson) -> str:
    """A link to the Jacobian of the last token's row of scores."""
    slopes = replace(lesson.settings, part=PARTS[-1], row=LAST)
    return presets(SHARPEN, ("See how J fades as weights sharpen", slopes))


def row_of_loss(lesson: Lesson) -> int:
    """The row of the token whose output shall move."""
    return int(lesson.option("whose"))


def names(lesson: Lesson) -> tuple[str, str]:
    """The token whose output shall move, and the one whose value it shall reach."""
    return (
        lesson.graph["O"].rows.unique(row_of_loss(lesson)),
        lesson.graph["V"].rows.unique(int(lesson.option("aim"))),
    )
