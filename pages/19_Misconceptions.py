"""Misconceptions: things people say of attention, each settled on a board."""

import ui

lesson = ui.frame(ui.MISCONCEPTIONS)
ui.question(
    lesson.page,
    f"«{ui.claim_of(lesson).says}»",
    "Some things that people say of attention are true, and some are not. Numbers settle it.",
    formula=False,  # it would tell some answers
)
ui.write(ui.unsettled(lesson))
ui.board(lesson, ui.claim_board(lesson), ui.vote(lesson))
ui.write(
    ui.next_claim(lesson),
    ui.heading("All claims"),
    ui.claims(lesson),
    ui.takeaway("Do not take it from a page, this one included. Pin the number, and follow it."),
)
ui.turn_page(lesson)
