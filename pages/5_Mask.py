"""Step 5: keys that must not be seen are blocked."""

import ui

lesson = ui.frame(ui.MASK)
ui.question(
    lesson.page,
    "Who may look at whom?",
    "A [[mask]] adds −∞ to the scores that must not count, before the softmax. And e to the power "
    "−∞ is 0: a blocked key gets no weight at all.",
    "S_masked",
)
ui.choose(lesson, "mask")
ui.board(
    lesson,
    ui.Layout(
        "S_masked",
        lines=(
            ui.Line("S_masked", "Add 0 where a query may look, −∞ where it must not"),
            ui.Line("A", "The weights that follow", ui.weights_add_up(lesson)),
        ),
        mask_edit=True,
    ),
    ui.what_becomes(lesson, lesson.middle)
    or ui.largest_in_row(
        lesson,
        "S_masked",
        lesson.middle,
        wrong="Not that one. Compare the scores of the row; −∞ is smaller than any number.",
    ),
)
ui.write(
    ui.say(
        "[[Causal|causal mask]]: a token sees itself and what stands before it. A text that is "
        "written word by word must not peek at words to come. Sliding window: it sees itself and "
        "the one before, which keeps long texts cheap.",
        "[[Padding]]: sentences of one batch are filled up to one length. The filling must get no "
        "weight.",
        "Block all keys of one query, and nothing is left to share. The page says so, instead of "
        "dividing 0 by 0.",
    ),
    ui.see(lesson, ui.MASKS_LAB, "See what goes wrong with a wrong mask"),
    ui.takeaway("A mask acts on scores, before the softmax. Blocked means a weight of exactly 0."),
)
ui.maths(
    lesson,
    "S_masked",
    r"$M_{ij} = 0$ where query $i$ may look at key $j$, and $-\infty$ where it must not. Then "
    r"$e^{-\infty} = 0$, and the rest of the row still adds up to 1.",
    "Setting weights to 0 after the softmax would be too late: what is left of the row would no "
    "longer add up to 1. And a large negative number instead of −∞ goes wrong where all keys of a "
    "row are blocked: it cancels, and the row is spread over keys that must not be seen.",
)
ui.turn_page(lesson)
