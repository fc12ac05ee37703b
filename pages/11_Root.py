"""Lab: why scores are divided by the root of d_k, and not by d_k, or not at all."""

import ui

lesson = ui.frame(ui.ROOT)
ui.question(
    lesson.page,
    "Why √d_k, and not d_k, or nothing?",
    "Take many pairs of vectors q and k. All their numbers are random, with mean 0 and variance 1. "
    "How large are the dot products, and does it depend on the length d of the vectors?",
    "S_scaled",
)
ui.choose(lesson, "pairs")
ui.charts(*ui.dot_product_charts(lesson))
ui.write(
    ui.later(
        ui.heading("What you saw"),
        ui.say(
            "Not divided, the scores grow with d. The softmax gives nearly all to one key, and its "
            "gradient dies: a small change of a score changes nothing, so nothing can be learned.",
            "Divided by d, the scores shrink. All keys get nearly the same weight.",
            "Divided by √d, the spread of the scores is the same for every d, and so is what the "
            "softmax makes of them.",
            "Try it: draw another sample. The clouds change, the law does not. With more pairs the "
            "measured variance comes closer to d.",
        ),
        ui.takeaway(
            "Dividing by √d_k gives scores the same spread for every d_k. Then the softmax stays "
            "alive."
        ),
    ),
)
ui.turn_page(lesson)
