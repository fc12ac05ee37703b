"""Step 7: each token takes the values of all tokens, by its weights."""

import ui

lesson = ui.frame(ui.MIX)
ui.question(
    lesson.page,
    "What does each token take home?",
    "The output of a token is a blend of all values, in the proportions of its weights. Every "
    "token gets its own blend.",
    "O",
)
ui.board(
    lesson,
    "O",
    ui.gives_most(lesson, lesson.last),
)
ui.write(
    ui.say(
        ui.blocked_rows(lesson.graph),
        "The weights of a row are not negative and add up to 1. Such a blend is called a "
        "[[convex combination]]: each number of the output lies between the smallest and the "
        "largest value in its column of V. Attention can mix what it is given, and nothing else.",
        "Equal weights give the plain average of all values. One weight of nearly 1 gives nearly "
        "that one value. And a token with a large weight still gives little where its value is "
        "near 0.",
    ),
    ui.see(lesson, ui.BLEND, "Move one score, and see where the output can go"),
    ui.takeaway("Weights say how much, values say what. The output is the blend."),
)
ui.maths(
    lesson,
    "O",
    r"$o_i = \sum_j A_{ij}\, v_j$ with $A_{ij} \ge 0$ and $\sum_j A_{ij} = 1$: a point inside the "
    "shape that the values span.",
    "The output of one token depends on its own row of weights only. So all rows can be computed "
    "at the same time, as one product of matrices.",
)
ui.turn_page(lesson)
