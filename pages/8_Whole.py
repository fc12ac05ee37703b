"""Step 8: the whole computation, from the tokens to what attention adds."""

import ui

lesson = ui.frame(ui.WHOLE)
ui.question(
    lesson.page,
    "Where does one number come from?",
    "The whole computation on one board. Click any cell: everything that made it lights up, back "
    "to the tokens and the weights.",
    "S",
    "S_scaled",
    "A",
    "O",
)
ui.write(ui.say(ui.given(lesson)))
ui.board(
    lesson,
    ui.WHOLE_GRAPH,
    ui.entry(
        lesson,
        "X_out",
        lesson.last,
        0,
        wrong="Not that. Add the number of X and the number of U at the same place.",
    )
    or ui.gives_most(lesson, lesson.last, wrong="Not that one. Read the last row of A."),
)
ui.write(
    ui.heading("Added, not replaced"),
    ui.say(
        "What attention found is added to the row that it started from: X stays in the sum, and a "
        "next layer can still read it. This running sum is called the residual stream. The matrix "
        "W_O brings the blend back to the length of a row of X. Until you edit it, it writes "
        "component 1 to feature 1, and so on; a real one is learned."
    ),
    ui.heading("Six steps, once more"),
    ui.recap(lesson),
    ui.heading("Every symbol, every shape"),
    ui.symbols(lesson),
    ui.heading("The same as code"),
    ui.say("Each program gives the numbers of this screen, and checks that it does."),
)
ui.code(lesson)
ui.write(
    ui.takeaway("Compare with keys, share by softmax, mix values, add. That is self-attention."),
)
ui.maths(
    lesson,
    "O",
    r"$\operatorname{Attention}(Q, K, V) = \operatorname{softmax}(Q K^{\top} / \sqrt{d_k})\, V$.",
    r"A layer writes $X + \operatorname{Attention}(X W_Q, X W_K, X W_V)\, W_O$.",
)
ui.turn_page(lesson)
