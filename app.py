"""The start page: what attention computes, and where to go."""

import ui

lesson = ui.frame(ui.START)
ui.question(
    lesson.page,
    "What does each word take from the others?",
    "Self-attention lets every word of a text take something from the others. How much, and from "
    "whom, is the answer of one formula. Here you can touch every number of it: click one, and see "
    "where it comes from.",
)
ui.board(lesson, ui.Layout("O", lines=(ui.Line("O", "Shares of attention × values = a blend"),)))
ui.write(
    ui.start_walk(lesson, ui.EMBED),
    ui.course(lesson),
    ui.ways(
        (
            "To learn",
            "Eight steps, each with a question. You need to know how matrices are multiplied.",
            ((ui.EMBED, "Begin with step 1"), (ui.PLAYGROUND, "Play with your own sentence")),
        ),
        (
            "To teach",
            "Every screen has a link that shows it again, and prints. Step through the eight pages "
            "with the arrow keys.",
            (
                (ui.EXAMPLES, "Three examples, worked by hand"),
                (ui.WHOLE, "The whole on one board"),
                (ui.WORKSHEET, "Worksheets with an answer key"),
            ),
        ),
        (
            "To build",
            "Every screen as NumPy and PyTorch code that gives the same numbers.",
            ((ui.WHOLE, "Symbols, shapes and code"), (ui.MASK, "What a mask does, to the cell")),
        ),
        lesson=lesson,
    ),
    ui.heading("Choose the numbers"),
    ui.choose_numbers(lesson, ui.EMBED),
    ui.takeaway(
        "Every number here is given or computed. It adds up at the precision shown, and where "
        "rounding makes it look otherwise, the page says so."
    ),
)
