"""What the lab «What it costs» says of the viewer's sentence, and the layers that it offers."""

from __future__ import annotations

from dataclasses import replace

from ui.lesson import Lesson
from ui.panels import presets
from ui.settings import CHART_VIEW


def layers_to_try(lesson: Lesson) -> str:
    """Links to the sizes of real layers. What was answered and where one stands stays."""
    paper = replace(lesson.settings, heads=8, width=64, size=4)
    return presets(
        lesson.page,
        ("The original Transformer: 8 heads of 64", paper),
        ("A larger layer: 32 heads of 128", replace(paper, heads=32, width=128)),
        ("The same in 2 bytes a number", replace(paper, heads=32, width=128, size=2)),
        ("One head of 64", replace(paper, heads=1)),
        keep=CHART_VIEW,
    )


def waiting(lesson: Lesson) -> str:
    """The viewer's tokens as a chain: what waits for what."""
    tokens = lesson.inputs.tokens
    states = " → ".join(f"h{_lowered(i)}\u00a0«{token}»" for i, token in enumerate(tokens, 1))
    if len(tokens) == 1:
        return f"Your sentence is a chain of one step, {states}: nothing waits."
    return (
        f"Your sentence as a chain: {states}. The last state waits for the {len(tokens) - 1} "
        "before it."
    )


def _lowered(number: int) -> str:
    return str(number).translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))
