"""Step 4: the scores are divided by √d_k."""

import ui

lesson = ui.frame(ui.SCALE)
ui.question(
    lesson.page,
    "Why are the scores divided by √d_k?",
    "A score is a sum of d_k products. The more products, the larger it tends to be, and large "
    "scores make the weights hard: one token gets nearly all. Dividing keeps them moderate.",
    "S_scaled",
)
ui.choose(lesson, "scale")
ui.board(
    lesson,
    ui.Layout(
        "S_scaled",
        lines=(
            ui.Line("S_scaled", "Every score is scaled alike", ui.divisor(lesson)),
            ui.Line("A_scaled", "The weights that follow"),
            ui.Line(
                "A_raw",
                "The weights without the scaling",
                "Compare the rows: the larger the scores, the more of the weight goes to the "
                "largest one.",
            ),
        ),
        marks=True,
    ),
    ui.order_stays(lesson, lesson.last),
)
ui.write(
    ui.heading("Why the root"),
    ui.say(
        "Think of queries and keys whose numbers are independent, with mean 0 and [[variance]] 1. "
        "Then each product has variance 1, and a sum of d_k of them has variance d_k. So a "
        "typical score is as large as √d_k. Divided by √d_k, its variance is 1 again, whatever "
        "d_k is.",
        "A softmax raises e to the scores. A lead of √d_k over another score then counts e to that "
        "power times as much.",
    ),
    ui.typical_scores(lesson),
    ui.see(lesson, ui.ROOT, "Try it with thousands of random queries and keys"),
    ui.say(
        "With nearly all of the weight on one token there is little left to learn from: a small "
        "change of a score hardly changes the weights. One row of scores shows it."
    ),
    ui.saturated(),
    ui.takeaway(
        "Dividing by √d_k keeps the order of the scores. It only keeps them from shouting."
    ),
)
ui.maths(
    lesson,
    "S_scaled",
    r"$\operatorname{Var}(q \cdot k) = \sum_{t=1}^{d_k} \operatorname{Var}(q_t k_t) = d_k$, and "
    r"$\operatorname{Var}(c\,x) = c^2 \operatorname{Var}(x)$. So it takes $c = 1/\sqrt{d_k}$, and "
    r"not $1/d_k$, to bring the variance back to 1.",
    "The assumption is about numbers at the start of training. Learned queries and keys need not "
    "be independent.",
)
ui.turn_page(lesson)
