"""Every symbol and every term, its shape, and the page where it lives."""

import ui

lesson = ui.frame(ui.GLOSSARY)
ui.question(
    lesson.page,
    "What does it mean?",
    "Every size, symbol and term in one sentence, with the page where it lives. Look one up with "
    "your browser’s search. Words with a dotted line on other pages lead here.",
)
ui.write(
    ui.heading("Sizes"),
    ui.sizes(lesson),
    ui.heading("Symbols"),
    ui.say(
        "A ᵀ behind a symbol means its transpose, a d in front its gradient, and a number behind "
        "it one head’s copy. Shapes are in letters first, then in the numbers of your example."
    ),
    ui.symbol_entries(lesson),
    ui.heading("Terms"),
    ui.term_entries(lesson),
    ui.takeaway("Rows are tokens. What is multiplied has the same size inside."),
)
ui.turn_page(lesson)
