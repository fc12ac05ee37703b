"""A sheet to work out by hand, and its answer key, made from the viewer's settings."""

import ui

lesson = ui.frame(ui.WORKSHEET)
ui.question(
    lesson.page,
    "Can you work it out by hand?",
    "A sheet of paper with your numbers: what is given, one task a step, and empty cells to fill "
    "in. Sentence, mask, scale and decimals are those of the sidebar.",
)
ui.write(ui.presets(lesson.page, *ui.sheets_to_try(lesson)))
ui.choose_sheet(lesson)
ui.write(ui.say(*ui.about_the_sheet(lesson)))
ui.paper(lesson)
ui.write(
    ui.say(
        "Print this page, and only the paper is printed. Or download it: the file opens in any "
        "browser, also without a network, and asks no server for anything. Both have the answer "
        "key where it is shown here.",
        "With a sentence of your own, another seed makes another sheet of the same kind. The link "
        "at its foot gives its numbers again.",
    ),
    ui.takeaway(
        "Scores, weights, a blend: one row by hand is all that attention does for a token."
    ),
)
ui.turn_page(lesson)
