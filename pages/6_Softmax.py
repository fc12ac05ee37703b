"""Step 6: each row of scores becomes weights that add up to 1."""

import ui

lesson = ui.frame(ui.SOFTMAX)
ui.question(
    lesson.page,
    "How do scores become shares?",
    "Raise e to each score: now all numbers are positive. Divide each by the sum of its row: now "
    "they add up to 1. That is the [[softmax]].",
    "A",
)
ui.choose(lesson, "shift")
ui.write(ui.say(ui.shifted(lesson)))
ui.board(
    lesson,
    ui.Layout(
        "A",
        lines=(
            ui.Line("m", "The largest score of each row"),
            ui.Line("S_shift", "Take it off: the largest score becomes 0"),
            ui.Line("E", "Raise e to each score"),
            ui.Line("Z", "Add up each row"),
            ui.Line("A", "Divide by the sum of the row", ui.weights_add_up(lesson, lesson.last)),
        ),
    ),
    ui.missing_share(
        lesson,
        lesson.last,
        wrong="Not that. Add up the weights that you see, and take them from 1.",
    ),
)
ui.write(
    ui.say(
        "Rows do not see each other: pin a weight, and only its own row lights up.",
        "Why e? Any score (a [[logit]]), also a negative one, becomes a positive number, and a "
        "lead of 1 always counts as the same factor.",
        "If all scores of a row are equal, each of the n tokens gets 1/n. And a key that is not "
        "blocked never gets exactly 0: e to any power is positive. Only a computer rounds what is "
        "too small for it to 0.",
        "Adding one number to all scores of a row changes nothing, since each exponential and "
        "their sum grow by the same factor. So the maximum may be taken off first. Then no "
        "exponential is larger than 1, and none can be too large for a computer.",
    ),
    ui.see(lesson, ui.SHARPEN, "Try it on one row: plain shares, temperature, slopes"),
    ui.takeaway("Softmax turns scores into shares of 1: a lead of 1 becomes a factor of e."),
)
ui.maths(
    lesson,
    "A",
    r"$A_{ij} = e^{s_{ij}} / \sum_l e^{s_{il}}$. For any number $c$: $e^{s_{ij} - c} / \sum_l "
    r"e^{s_{il} - c} = e^{-c} e^{s_{ij}} / (e^{-c} \sum_l e^{s_{il}}) = A_{ij}$.",
    "A lead of 1 in the scores makes the weight e times as large, about 2.718 times, whatever the "
    "other scores are.",
)
ui.turn_page(lesson)
