"""Lab: what a blend can be, and what it cannot."""

import ui

lesson = ui.frame(ui.BLEND)
ui.question(
    lesson.page,
    "Where can an output go?",
    "An output is a blend of values: each value counts by its weight, and the weights add up to 1. "
    "Move one score, and see where the output of the last token can go.",
    "O",
)
ui.choose(lesson, "pull")
ui.charts(*ui.blend_charts(lesson))
ui.write(
    ui.say(ui.blocked_rows(lesson.graph)),
    ui.later(
        ui.heading("What you saw"),
        ui.say(
            "With equal weights the output is the mean of the values that count. With all of the "
            "weight on one token it is the value of that token. Between the two it moves inside "
            "the shape that the values span, and never leaves it. This shape is called the convex "
            "hull.",
            "So attention can choose and mix what the values hold. It cannot make anything that "
            "lies outside of them. Making something new is left to the layers around it.",
        ),
        ui.extremes(lesson),
    ),
    ui.heading("A large weight on next to nothing"),
    ui.say(
        "A weight says how much of a value is taken. It does not say how much there is to take. "
        "Open an example in which the value of the most attended token is 0: it keeps its weight, "
        "and adds nothing to the output.",
    ),
    ui.quiet_values(lesson),
)
ui.board(lesson, "O")
ui.write(
    ui.later(ui.takeaway("Weights choose a place among the values. They never lead outside.")),
)
ui.maths(
    lesson,
    "O",
    r"$o_i = \sum_j A_{ij} v_j$ with $A_{ij} \ge 0$ and $\sum_j A_{ij} = 1$. All points of this "
    "form make up the convex hull of the values.",
    "As the score of a token j that is not blocked grows and the others stay, $A_{ij}$ goes to 1, "
    "and the output to $v_j$. As it falls, $A_{ij}$ goes to 0, and the others share by their own "
    "scores.",
)
ui.turn_page(lesson)
