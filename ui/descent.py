"""The page on gradients: what one step of gradient descent did, and gradients checked by trying."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from math import isclose

from attention_core import (
    VARIANTS,
    Cell,
    descend,
    finite_difference,
    parameters,
    promised,
)
from attention_core.rounding import apart, scientific, show
from ui.gradients import names, row_of_loss
from ui.lesson import Lesson, graph_of
from ui.panels import heading, say
from ui.sayings import table
from ui.settings import KEPT, Settings

_FINE = 6  # decimals of what is compared


def what_it_did(lesson: Lesson) -> str:
    """The loss before and after the step, what moved, and the same at other rates."""
    graph, row, decimals = lesson.graph, row_of_loss(lesson), lesson.settings.decimals
    who, rate = names(lesson)[0], float(lesson.option("rate"))
    before, after = (float(graph[key].value[0, 0]) for key in ("L", "L_after"))
    texts = [shown.text for shown in apart(before, after, decimals)]
    hope = show(promised(graph, rate), decimals).text
    if _answer(before, after) == "stays":
        told = [f"The loss stays at {texts[0]}: no parameter has a gradient."]
    elif _answer(before, after) == "falls":
        told = [f"At η = {rate:g} the loss falls from {texts[0]} to {texts[1]}."]
    else:
        told = [
            f"At η = {rate:g} the loss rises from {texts[0]} to {texts[1]}: this step is too long. "
            "A gradient is a slope at one place, and far from there the slope is another."
        ]
    if _answer(before, after) != "stays":
        told.append(f"If the slopes stayed as they are, it would become {hope}.")
    learned = ", ".join(m.symbol.text for m in parameters(graph))
    moved = graph["A_diff"].value[row]
    col = int(abs(moved).argmax())
    if moved[col]:
        whom = graph["A"].cols.unique(col)
        was, now = (float(graph[key].value[row, col]) for key in ("A", "A_after"))
        weights = apart(was, now, decimals)
        told.append(
            f"In the row of «{who}» the weight of «{whom}» changes most: from {weights[0].text} to "
            f"{weights[1].text}."
        )
    return (
        heading("One step")
        + say(f"Every number of {learned} has moved by −η times its gradient.", " ".join(told))
        + say(_others(lesson))
        + _rates(replace(lesson.settings, options=()), row, int(lesson.option("aim")))
    )


def _others(lesson: Lesson) -> str:
    """What the step did to the outputs that should stay."""
    graph, row = lesson.graph, row_of_loss(lesson)
    rows = graph["L_row_after"].value[:, 0].tolist()
    part = show(sum(x for i, x in enumerate(rows) if i != row) / 2, lesson.settings.decimals)
    if not part.value:
        return ""
    shared = "weights" if "X" in graph else "keys and values"
    return (
        f"All tokens share these {shared}, so other outputs have moved, too, though they should "
        f"stay. That is {part.text} of the loss after the step."
    )


@lru_cache(maxsize=128)
def _rates(settings: Settings, row: int, aim: int) -> str:
    """The loss after one step at each rate, as a table. Cached: a class opens the same few."""
    plain, option = graph_of(settings), VARIANTS["gradients"].options[-1]
    rows, below = [], False
    for rate in map(float, option.among):
        graph = descend(plain, row, aim, rate)
        before, after = (float(graph[key].value[0, 0]) for key in ("L", "L_after"))
        hope = promised(graph, rate)
        below = below or hope < 0
        texts = (show(x, settings.decimals).text for x in (hope, after))
        rows.append([f"{rate:g}", *texts, _answer(before, after)])
    heads = ["rate η", "if slopes stayed", "loss after the step", "the loss"]
    cannot = "No loss is below 0: where the slopes promise that, they cannot stay as they are."
    return table("One step at each rate", heads, rows) + say(cannot if below else "")


def _answer(before: float, after: float) -> str:
    """What became of the loss; the last bits of a computer's numbers do not count."""
    if isclose(before, after, rel_tol=1e-12, abs_tol=1e-15):
        return "stays"
    return "falls" if after < before else "rises"


def differences(lesson: Lesson) -> str:
    """Gradients beside finite differences: the largest of each matrix, and how far all agree."""
    settings = lesson.settings
    numbers = {name: getattr(settings, name) for name in KEPT}
    loss = {name: lesson.option(name) for name in ("whose", "aim")}
    return _differences(replace(Settings(), **numbers).with_options(loss), lesson.page.form)


@lru_cache(maxsize=128)
def _differences(settings: Settings, form: str) -> str:
    """Cached by what the gradients depend on: neither the rate nor the decimals."""
    graph = graph_of(settings, form)
    learned = [m for m in graph.steps if m.key == "X"] + list(parameters(graph))
    rows, gaps = [], []
    for matrix in learned:
        slopes = graph[f"d{matrix.key}"].value
        n, m = matrix.shape
        tried = {
            (i, j): finite_difference(graph, Cell(matrix.key, i, j))
            for i in range(n)
            for j in range(m)
        }
        gaps += [abs(measured - slopes[place]) for place, measured in tried.items()]
        top = max(tried, key=lambda place: abs(slopes[place]))
        gap = abs(tried[top] - slopes[top])
        rows.append(
            [matrix.entry_name(*top).text(), show(float(slopes[top]), _FINE).text,
             show(tried[top], _FINE).text, scientific(gap).text if gap else "0"]
        )  # fmt: skip
    heads = ["number", "its gradient", "(L(w + ε) − L(w − ε)) / 2ε", "apart"]
    worst = scientific(max(gaps)).text if any(gaps) else "0"
    return table("Gradients and finite differences", heads, rows) + say(
        f"The same was done for all {len(gaps)} numbers of these matrices. Nowhere are the "
        f"two further apart than {worst}. What is left comes from the bend of the curve within ε, "
        "and from the last digits of a computer’s numbers."
    )
