"""Variant: a key without a token, where attention can be left."""

import ui

lesson = ui.frame(ui.variant("sink"))
ui.question(
    lesson.page,
    "What if a query finds nothing?",
    "The weights of a row add up to 1. So a query must spend all of its attention, even where no "
    "key suits it. A sink is one more key. It belongs to no token and has no value: what goes "
    "there is left out of the output.",
    "A",
)
ui.write(ui.presets(lesson.page, *ui.extras.sinks(lesson)), ui.say(ui.given(lesson)))
ui.choose(lesson, "sink")
ui.board(
    lesson,
    ui.Layout(
        "A_all",
        (
            ui.Line("A_all", "Weights of the tokens and of the sink"),
            ui.Line("A_sink", "Without the column of the sink"),
            ui.Line("O_sink", "The outputs"),
            ui.Line("O", "The outputs without a sink"),
        ),
    ),
    ui.missing_share(
        lesson,
        lesson.last,
        "Not that one. Add up the weights of the tokens in that row, and see what is left of 1.",
        "A_all",
        len(lesson.inputs.tokens),
    ),
)
ui.write(
    ui.heading("What is left over"),
    ui.later(
        ui.say(
            ui.extras.what_is_left(lesson),
            ui.extras.rescued_rows(lesson),
        ),
    ),
    ui.say(
        "What the sink takes is missing from the output: all of its components shrink by the same "
        "factor. The tokens share less, in the same proportions.",
        "Trained models make sinks of their own: many heads leave most of their attention on the "
        "first token, whatever it is. A sink that is built in makes that unnecessary.",
    ),
    ui.takeaway("A sink takes a share of the attention, large or small: a query may pass."),
)
ui.maths(
    lesson,
    "A_all",
    r"$a_{ij} = e^{s_{ij}} / \left(e^{z} + \sum_{\ell} e^{s_{i\ell}}\right)$, with the score $z$ "
    r"of the sink. At $z = 0$ the extra term is 1. Models may learn one $z$ for each head.",
)
ui.turn_page(lesson)
