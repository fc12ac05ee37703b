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
    or ui.gives_most(lesson, lesson.last),
)
ui.write(
    ui.section("Added, not replaced", ui.stream(lesson)),
    ui.see(lesson, ui.STREAM, "Go on, layer upon layer"),
    ui.heading("The way, once more"),
    ui.recap(lesson),
    ui.heading("Every symbol, every shape"),
    ui.symbols(lesson),
    ui.say(
        "Real models run several such [[heads|head]] side by side, each with matrices of its own. "
        "The last column is for one of the 8 heads of the paper."
    ),
    ui.see(lesson, ui.variant("heads"), "See several heads side by side"),
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
