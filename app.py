"""The start page: the question, the formula, and where to begin."""

import ui

lesson = ui.frame(ui.START)
ui.question(
    lesson.page,
    "What does each word take from the others?",
    "Self-attention lets every word of a text take something from the others. How much, and from "
    "whom, is the answer of one formula. Here you can touch every number of it: click one, and see "
    "where it comes from.",
)
ui.course()
ui.heading("Begin with step 3, Score. Choose the numbers:")
ui.choose_numbers(lesson, ui.SCORE)
ui.takeaway(
    "Every number here is given or computed. It adds up at the precision shown, and where rounding "
    "makes it look otherwise, the page says so."
)
