"""What is asked before it is told about one row of scores."""

from __future__ import annotations

from attention_core import Cell, Graph
from attention_core.rounding import apart, show
from ui.asks import Ask, entry
from ui.lesson import Lesson


def about_the_row(lesson: Lesson) -> Ask | None:
    """The question of the chosen part. ``None`` where there is nothing to ask: for a single key."""
    if lesson.graph["s"].shape[1] == 1:
        return None
    return _ASKS[lesson.settings.part](lesson)


def _share(lesson: Lesson) -> Ask | None:
    top = lesson.graph.largest("s", 0)[0].col
    return entry(
        lesson,
        "A_plain",
        0,
        top,
        wrong="Not that. Add up the scores, and divide the one by their sum.",
    )


def _sharper(lesson: Lesson) -> Ask:
    graph, tau = lesson.graph, lesson.settings.tau
    before, after = (float(graph[key].value.max()) for key in ("A", "A_tau"))
    old, new = apart(before, after, lesson.settings.decimals)
    stays = old.value == new.value  # as far as anyone can see
    because = f"it was {old.text} and is {new.text}. {_why(graph, tau, stays)}"
    options = [
        ("It grows", not stays and after > before),
        ("It shrinks", not stays and after < before),
        ("It stays", stays),
    ]
    if tau != 1 and abs(after - before / tau) > 1e-3:
        options.insert(2, (f"It is divided by {tau:g} too", False))
    return _choice(
        lesson,
        f"Every score is divided by τ = {tau:g}. What becomes of the largest weight, {old.text}?",
        ("A_tau",),
        graph.largest("A_tau", 0)[0],
        because,
        "Not so. What happens to the gap between two scores when both are divided?",
        options,
    )


def _why(graph: Graph, tau: float, stays: bool) -> str:
    if tau == 1:
        return "Dividing by 1 changes no score."
    if stays and len(graph.largest("A", 0)) == graph["A"].shape[1]:
        return "All scores are equal, so there is no gap to change."
    if stays:
        return "The gaps are so wide that nothing to speak of is left for the others either way."
    wider = "wider" if tau < 1 else "smaller"
    return f"The gaps between the scores are {wider} now, and a gap counts as a factor."


def _moved(lesson: Lesson) -> Ask:
    graph, c = lesson.graph, lesson.settings.offset
    top = graph.largest("A", 0)[0]
    old = show(float(graph["A"].value.max()), lesson.settings.decimals).text
    number = f"{c:g}".replace("-", "−")
    return _choice(
        lesson,
        f"c = {number} is taken off every score. What becomes of the largest weight, {old}?",
        ("A_c", "A_m"),
        Cell("A_c", 0, top.col),
        "it stays. Each exponential and their sum change by the same factor.",
        "Not so. By which factor does each exponential change, and by which their sum?",
        [("It grows", False), ("It shrinks", False), ("It stays", True)],
    )


def _answering(lesson: Lesson) -> Ask:
    graph, decimals = lesson.graph, lesson.settings.decimals
    one, other = (float(abs(graph[key].value).max()) for key in ("J", "J_tau"))
    old, new = apart(one, other, decimals)
    same = old.value == new.value
    cell = divmod(int(abs(graph["J_tau"].value).argmax()), graph["J_tau"].shape[1])
    return _choice(
        lesson,
        f"The largest slope in J is {old.text}. Is the largest slope in J_tau larger or smaller?",
        ("J_tau",),
        Cell("J_tau", *cell),
        f"it is {new.text}. A slope on the diagonal is a weight times what it leaves of 1.",
        "Not so. On the diagonal stands a·(1 − a). For which weight a is that largest?",
        [
            ("Larger", not same and other > one),
            ("Smaller", not same and other < one),
            ("The same", same),
        ],
    )


def _choice(
    lesson: Lesson,
    title: str,
    keys: tuple[str, ...],
    pin: Cell,
    because: str,
    wrong: str,
    options: list[tuple[str, bool]],
) -> Ask:
    """A question with options about numbers that stay hidden until it is answered."""
    hidden = [lesson.graph[key] for key in keys]
    return Ask(
        title=title,
        hint="Before you look: choose, and the numbers open.",
        cells=tuple(
            Cell(m.key, i, j) for m in hidden for i in range(m.shape[0]) for j in range(m.shape[1])
        ),
        pin=pin,
        right=f"Right: {because}",
        wrong=wrong,
        given=f"The answer: {because}",
        options=tuple(options),
    )


_ASKS = {"shares": _share, "temperature": _sharper, "shift": _moved, "slopes": _answering}
