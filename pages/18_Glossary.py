"""Every symbol and every term, its shape, and the page where it lives."""

import ui

lesson = ui.frame(ui.GLOSSARY)
ui.question(
    lesson.page,
    "What does each symbol and each term mean?",
    "Every size, symbol and term in one sentence, with the page where it lives. Look one up with "
    "your browser’s search. Words with a dotted line on other pages lead here.",
)
ui.write(
    ui.heading("Sizes"),
    ui.sizes(lesson),
    ui.heading("Symbols"),
    ui.say(
        "A ᵀ behind a symbol is its transpose, a d in front its gradient. A number behind it is "
        "the copy of one layer or one head, a P the same with the tokens in another order.",
        "Shapes stand in letters, then in the sizes of your example: rows × columns.",
    ),
    ui.symbol_entries(lesson),
    ui.heading("Terms"),
    ui.term_entries(lesson),
    ui.takeaway(
        "In a product of matrices the inner sizes agree, and the outer ones are what remains."
    ),
)
ui.turn_page(lesson)
