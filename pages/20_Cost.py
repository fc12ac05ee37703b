"""Lab: what attention costs when the text gets longer."""

import ui

lesson = ui.frame(ui.COST)
ui.question(
    lesson.page,
    "What does attention cost when the text gets longer?",
    "Every query meets every key. So S has a row for each token, and a column for each token. "
    "Let the text grow, and count.",
    "S",
)
ui.charts(*ui.cell_charts(lesson))
ui.write(
    ui.heading("A real layer, up to a million tokens"),
    ui.say(
        "S has its cells; Q, K and V have theirs, and each token is projected once. So which part "
        "weighs more? That depends on n, and on the size of the layer: on the number h of "
        "[[heads|head]], on d_k, and on d_model = h · d_k.",
        "The original Transformer has d_model = 512 in 8 heads of 64 (Vaswani et al. 2017). Try "
        "other layers, and see where the lines cross.",
    ),
    ui.layers_to_try(lesson),
)
ui.choose(lesson, "heads")
ui.charts(*ui.cost_charts(lesson), part=2)
ui.write(
    ui.say(
        "S need not be kept. Methods such as FlashAttention (Dao et al. 2022) compute the same "
        "outputs [[block by block|online softmax]], and never store all of S: their memory grows "
        "with n. They save no multiplication.",
    ),
    ui.heading("Does a clock agree?"),
    ui.say(
        "Counting multiplications is one thing. Here is how long attention takes on this server. "
        "Where the line runs along the dashed one, the time grows as the cells of S do."
    ),
)
ui.charts(*ui.time_charts(lesson))
ui.write(
    ui.heading("Why pay for a square? A chain has to wait"),
    ui.say(
        "A [[recurrent network]] reads one token after the other: hₜ = tanh(W hₜ₋₁ + U xₜ). "
        "Each token costs the same, so twice the text costs twice as much. But no step can begin "
        "before the one before it has ended.",
        ui.waiting(lesson),
        "In attention no query waits for another: all of S is one product of matrices. So a "
        "machine with many processing units can work on all of its cells at once.",
    ),
)
ui.charts(*ui.chain_charts(lesson), part=3)
ui.write(
    ui.later(
        ui.heading("What you saw"),
        ui.say(
            "Costs that grow with n² are called [[quadratic]]. Twice the tokens: twice the work to "
            "make Q, K and V, and four times the cells of S, with all that is multiplied and kept "
            "for them. In a short text the projections weigh more, and the square hardly counts. "
            "In a long one it is nearly all there is.",
            "So a long context is not free. Each token more is compared with all the others: the "
            "longer the text, the more the next token costs.",
            "Attention trades a chain for a square. Counted with its projections, it multiplies "
            "more than the chain in any text, and far more in a long one; but nothing waits. That "
            "holds while a text is read, or learned from. Where a model "
            "writes, each new token waits for the one before, with attention too.",
        ),
        ui.see(lesson, ui.variant("cache"), "See what a model that writes keeps"),
        ui.takeaway(
            "Twice the text: four times the scores. The square is the price of not waiting."
        ),
    )
)
ui.turn_page(lesson)
