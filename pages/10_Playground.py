"""The playground: every number and every setting is the viewer's."""

import ui

lesson = ui.frame(ui.PLAYGROUND)
ui.question(
    lesson.page,
    "What happens if …?",
    "Your own tokens, sizes, seed, scale and mask. Every number of X and of the weights can be "
    "typed over: choose «edit numbers». What depends on it changes at once.",
)
ui.write(
    ui.presets(ui.PLAYGROUND, *ui.starts()),
    ui.say(ui.blocked_rows(lesson.graph)),
)
ui.board(lesson, ui.PLAYGROUND_GRAPH)
ui.code(lesson)
ui.write(ui.takeaway("A link holds all that you set. Copy it, and another sees the same numbers."))
ui.turn_page(lesson)
