"""The playground: all is the viewer's, and two states of it can be compared."""

import ui

lesson = ui.frame(ui.PLAYGROUND)
ui.question(
    lesson.page,
    "What happens if …?",
    "Your own tokens, sizes, seed, scale and mask. Every number of X and of the weights can be "
    "typed over: choose «edit numbers». What depends on it changes at once. Freeze the numbers as "
    "they are, and see what a change reaches.",
)
ui.write(
    ui.presets(ui.PLAYGROUND, *ui.starts(lesson.settings.was)),
    ui.freezes(lesson),
    ui.versus(lesson),
    ui.say(ui.blocked_rows(lesson.graph)),
)
ui.board(lesson, ui.beside_board(lesson), ui.changes_most(lesson))
ui.code(lesson)
ui.write(ui.takeaway("A link holds all that you set. Copy it, and another sees the same numbers."))
ui.turn_page(lesson)
