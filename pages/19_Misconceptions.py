"""Misconceptions: things people say of attention, each settled on a board."""

import ui

lesson = ui.frame(ui.MISCONCEPTIONS)
ui.question(
    lesson.page,
    "True or false?",
    "Things that people say of attention. Vote first. Then look: the board settles each of "
    "them, with the numbers that you chose.",
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
