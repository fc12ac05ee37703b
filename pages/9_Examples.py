"""The three worked examples: what their sources print, beside what is computed."""

import ui

lesson = ui.frame(ui.EXAMPLES)
ui.question(
    lesson.page,
    "Do the printed numbers add up?",
    "Three texts work attention out by hand. Here is every number that they print, beside the "
    "computed one. Who rounds before the end gets other last digits: where that happens, it says "
    "so.",
)
ui.write(
    ui.say("Work one through, step by step:"),
    ui.choose_numbers(lesson, ui.EMBED),
    ui.worked_examples(),
    ui.takeaway(
        "Round once, at the end. Hand arithmetic on rounded numbers drifts in the last digit."
    ),
)
ui.turn_page(lesson)
