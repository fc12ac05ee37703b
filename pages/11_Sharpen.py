"""Lab: what a softmax does to one row of scores."""

import ui

lesson = ui.frame(ui.SHARPEN)
ui.question(
    lesson.page,
    "Why not just divide each score by their sum?",
    "That would make shares of 1 as well. A softmax raises e to each score first. So it takes any "
    "scores, and it favours the largest: it sharpens. How much is set by one number, the "
    "temperature.",
    "A",
)
ui.write(ui.presets(ui.SHARPEN, *ui.rows_to_try(lesson)), ui.say(ui.masked_row(lesson)))
ui.choose_row(lesson)
ui.board(lesson, ui.row_board(lesson), ui.sharper(lesson))
ui.write(
    ui.heading("Gaps count, not sizes"),
    ui.say(
        "A softmax looks at the gaps between scores: a lead of 1 makes a weight e times as large. "
        "Taking one number off every score leaves all gaps as they are, and so all weights.",
        "That is why the largest score may be taken off first. Try 10000 as a score. Raised to "
        "10000, e is far too large for a computer. Raised to 0 it is 1.",
        "Dividing by a temperature changes the gaps. Near τ = 0 the largest score gets all: a hard "
        "maximum. At a very high τ all keys get nearly the same.",
    ),
    ui.heading("Too sharp to learn"),
    ui.say(
        "J says how each weight answers to each score. Its rows add up to 0: what one weight wins, "
        "the others lose. Learning goes through these slopes: with slopes near 0, an error does "
        "not reach the scores.",
        "Drag one score far above the others. The weights become nearly one-hot, and J fades.",
    ),
    ui.slopes(lesson),
    ui.say(
        "These four scores are typical of d_k = 64 without the scaling. Divided by √64 = 8, which "
        "is a temperature of 8, they leave slopes to learn from."
    ),
    ui.saturated(),
    ui.takeaway(
        "A softmax turns gaps into factors. The sharper the weights, the less they still answer."
    ),
)
ui.maths(
    lesson,
    "J",
    r"$J_{ij} = \partial a_i / \partial s_j = a_i(\delta_{ij} - a_j)$, where $\delta_{ij}$ is 1 "
    r"for $i = j$ and 0 otherwise. On the diagonal that is $a_i(1 - a_i) \le 1/4$.",
    r"With a temperature, $\partial a_\tau / \partial s = J_\tau / \tau$: the score is divided on "
    "its way, and so is its slope.",
    r"Plain normalising, $s_j / \sum_l s_l$, does not change when all scores are doubled. A "
    "softmax does not change when the same number is added to all.",
)
ui.turn_page(lesson)
