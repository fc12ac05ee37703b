"""Variant: no rounding, and a softmax that stays a fraction."""

import ui

lesson = ui.frame(ui.variant("exact"))
ui.question(
    lesson.page,
    "What stands behind the decimals?",
    "Whole numbers need no rounding. Scores made of them are whole, too. Then the scaling brings "
    "in a root, and the softmax powers of e. Pin a number: below its derivation stands what it is "
    "exactly.",
    "S",
    "S_scaled",
    "A",
    "O",
)
ui.write(ui.presets(lesson.page, *ui.exact.to_try(lesson)), ui.say(ui.given(lesson)))
ui.choose(lesson, "base")
ui.board(lesson, ui.exact.board(lesson), ui.exact.how_many_times(lesson))
ui.write(
    ui.later(
        ui.heading("One row on its way"),
        ui.exact.kinds(lesson),
        ui.say(
            "A weight depends on the differences between scores and on nothing else: add the same "
            "number to a whole row, and every weight stays."
        ),
        ui.heading("How good are the decimals?"),
        ui.say(
            "A computer keeps about 16 digits of a number, and rounds after each step. The exact "
            "forms here are made with whole numbers, roots and powers, and are never rounded.",
            ui.exact.how_close(lesson),
        ),
    ),
    ui.heading("Powers of 2"),
    ui.say(
        ui.exact.kind_of_row(lesson),
        "A softmax works with any base above 1. And 2^x is e^(x ln 2), where ln 2 is 0.693. So "
        "powers of 2 give the weights that e gives to scores smaller by this factor: a little "
        "softer.",
    ),
    ui.heading("On every page"),
    ui.say(
        "Every other page can show exact numbers, too: switch them on below «Decimals». A number "
        "that is typed counts as exact with up to three decimals. One with more may be rounded, "
        "and what is made of it has no exact form here."
    ),
    ui.see(
        ui.exact.switched_on(lesson),
        ui.WORKSHEET,
        "Work them out by hand, on a worksheet whose answers are exact",
    ),
    ui.takeaway(
        "Behind the decimals stand whole numbers, one root, and powers over a sum of powers."
    ),
)
ui.maths(
    lesson,
    "A",
    r"Scores of integers are integers. Scaled, they are $s / \sqrt{d_k}$: fractions where $d_k$ is "
    r"a square, and irrational otherwise, unless $s = 0$.",
    r"By the theorem of Lindemann (1882) $e^x$ is transcendental for every algebraic $x \neq 0$. "
    r"So a weight above 0 is a fraction only where all open scores of its row are equal.",
    r"With base 2: $2^{s_{ij}} / \sum_{\ell} 2^{s_{i\ell}}$, which is "
    r"$\operatorname{softmax}(s \ln 2)_{ij}$, and a fraction for whole $s$.",
)
ui.turn_page(lesson)
