"""The start page: the question, the formula, and where to begin."""

import ui

lesson = ui.frame(ui.START)
ui.formula(lesson.page, lit="")
ui.question(
    "What does each word take from the others?",
    "That is what self-attention computes. Here you can follow every number of it: click one, and "
    "see where it comes from.",
)
ui.turn_page(lesson)
