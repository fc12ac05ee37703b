"""Variant: several heads side by side."""

import ui

lesson = ui.frame(ui.HEADS)
ui.question(
    lesson.page,
    "Why attend several times at once?",
    "One softmax gives one set of shares: a token that looks at its verb looks away from its noun. "
    "Several heads share out the columns of Q, K and V. Each has scores and weights of its own.",
    "O",
)
ui.write(ui.presets(ui.HEADS, *ui.heads_to_try(lesson.settings)), ui.say(ui.given(lesson)))
ui.choose(lesson, "h")
ui.board(lesson, ui.head_board(lesson), ui.most_in_head(lesson, lesson.last))
ui.write(
    ui.heading("The same columns, shared out"),
    ui.say(
        "A head is one attention on fewer columns. Its queries are some columns of Q, which come "
        "from the same columns of W_Q. So heads cost nothing more.",
        ui.same_count(lesson),
    ),
)
ui.turn_page(lesson)
