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
ui.board(lesson, ui.row_board(lesson), ui.about_the_row(lesson))
told = {
    "shares": ui.section(
        "Where plain shares break",
        "Drag a score below 0 while the sum stays above 0: its share is below 0 too, and another "
        "may get more than 1. Bring the sum to 0: there are no shares at all. Scores do such "
        "things, since a dot product can be any number.",
        "A softmax has no such rows. Every power of e is above 0: so is every weight, and so is "
        "the sum.",
        "The two also differ in what they look at. Plain shares look at sizes: double all scores, "
        "and they stay. A softmax looks at gaps: a lead of 1 makes a weight e times as large as "
        "the other.",
    ),
    "temperature": ui.section(
        "Gaps count as factors",
        "Divided by a temperature below 1 all gaps grow, and the weights sharpen. Near 0 the "
        "largest score gets all: a hard maximum. At a high temperature all keys get nearly the "
        "same.",
        "The division by √d_k is such a temperature. Here is what it does to one row of scores at "
        "d_k = 64, which the links above put on the board.",
    )
    + ui.saturated(),
    "shift": ui.section(
        "Why the largest is taken off",
        "Taking one number off every score leaves all gaps as they are, and so all weights. The "
        "number may be any: also the largest score.",
        "Then no exponential is above 1. That is what saves a score of 10000: raised to 10000, e "
        "is far too large for a computer’s number. Raised to 0 it is 1.",
    ),
    "slopes": ui.section(
        "Too sharp to learn",
        "Each column of J adds up to 0: when one score rises, what one weight wins, the others "
        "lose. Learning goes through "
        "these slopes. Where they are near 0, an error does not reach the scores.",
        "Drag one score far above the others. The weights become nearly one-hot, and J fades.",
    )
    + ui.slopes(lesson),
}
ui.write(
    ui.later(
        told[lesson.settings.part],
        ui.takeaway(
            "A softmax turns gaps into factors. Weights that are nearly one-hot hardly answer any "
            "more."
        ),
    )
)
formula = {
    "shares": (
        "A_plain",
        r"Plain shares, $s_j / \sum_l s_l$, do not change when all scores are doubled. A softmax, "
        r"$e^{s_j} / \sum_l e^{s_l}$, does not change when one number is added to all.",
    ),
    "temperature": (
        "A_tau",
        r"Two weights stand to each other as $a_i / a_j = e^{(s_i - s_j)/\tau}$: only the gap "
        r"between their scores counts, in units of $\tau$. For $\tau \to \infty$ each of the $n$ "
        r"weights tends to $1/n$.",
    ),
    "shift": (
        "A_m",
        r"$e^{s_j - c} / \sum_l e^{s_l - c} = e^{-c} e^{s_j} / (e^{-c} \sum_l e^{s_l})$ for any "
        r"number $c$. With $c = \max_l s_l$ no exponential is above 1, and their "
        "sum is at least 1.",
    ),
    "slopes": (
        "J",
        r"$J_{ij} = \partial a_i / \partial s_j = a_i(\delta_{ij} - a_j)$, where $\delta_{ij}$ is "
        r"1 for $i = j$ and 0 otherwise. On the diagonal that is $a_i(1 - a_i) \le 1/4$.",
        r"With a temperature, $\partial a_\tau / \partial s = J_\tau / \tau$: the score is divided "
        "on its way, and so is its slope.",
    ),
}
ui.maths(lesson, *formula[lesson.settings.part])
ui.turn_page(lesson)
