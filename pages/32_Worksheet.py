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
ui.paper(lesson)
ui.write(
    ui.say(
        "The file is a page of its own: it opens in any browser, also without a network, and asks "
        "no server for anything. Your browser prints this page, too: only the paper is printed. "
        "Both have the answer key where it is shown here."
    ),
    ui.takeaway("Who has filled in one row has done all that attention does to one token."),
)
ui.turn_page(lesson)
