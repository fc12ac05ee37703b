"""Variant: scores that cannot grow without limit."""

import ui

lesson = ui.frame(ui.variant("softcap"))
ui.question(
    lesson.page,
    "What if no score could be very large?",
    "The larger the scores, the harder the weights. Dividing by √d_k moderates them, yet nothing "
    "limits them: a model may learn queries and keys that are ever longer. A soft cap bends large "
    "scores down. None can go beyond it, and none overtakes another.",
    "S_scaled",
)
ui.write(ui.presets(lesson.page, *ui.extras.caps(lesson)), ui.say(ui.given(lesson)))
ui.choose(lesson, "cap")
ui.board(
    lesson,
    ui.Layout(
        "A_cap",
        (
            ui.Line("S_cap", "Scores that end at the cap", ui.extras.largest_scores(lesson)),
            ui.Line("A_cap", "The weights that follow"),
            ui.Line("A", "The weights without the cap"),
            ui.Line("O_cap", "And the outputs"),
        ),
    ),
    ui.extras.flattened(lesson),
)
ui.write(
    ui.heading("Three small steps"),
    ui.say(
        "A score is divided by the cap, the [[hyperbolic tangent]] bends it into the range from −1 "
        "to 1, and the cap stretches it again. Pin a cell of S_cap and go back through all three.",
        "Near 0 the tangent is nearly a straight line, so small scores stay nearly what they are. "
        "Choose a wide cap, and next to nothing happens.",
        "The [[mask]] comes after the cap. The other way round, a blocked score of −∞ would become "
        "a score of minus the cap, and its key would be seen.",
    ),
    ui.takeaway("A soft cap limits how large a score can be, and leaves the order as it is."),
)
ui.maths(
    lesson,
    "S_tanh",
    r"$S_{\text{cap}} = c \tanh\left(S_{\text{scaled}} / c\right)$, with the cap $c$. The slope at "
    r"a score $s$ is $1 - \tanh^2(s / c)$: it is 1 at 0 and goes to 0 far out, so that very large "
    "scores hardly learn. Gemma 2 caps attention scores at 50.",
)
ui.turn_page(lesson)
