"""A lab: scores have a direction, and they are no cosines."""

import ui

lesson = ui.frame(ui.DIRECTED)
ui.question(
    lesson.page,
    "Does a token score another as it is scored?",
    "Two tokens meet twice in S: once the first brings its query and the second its key, and once "
    "it is the other way round. Is the score the same both ways? And does the highest score go to "
    "the key that points most nearly the same way?",
    "S",
)
ui.choose(lesson, "tied")
ui.board(
    lesson,
    ui.Layout(
        "S",
        lines=(
            ui.Line("S", "The scores: each query with each key"),
            ui.Line("S_tied", "If keys were queries: each query with each query"),
            ui.Line(
                "len_QK",
                "How long queries and keys are",
                "The length of a row is the root of the row times itself. The table holds each "
                "query’s length times each key’s.",
            ),
            ui.Line(
                "C",
                "A score without the lengths: the cosine",
                "1: both point the same way. 0: at a right angle. −1: opposite ways.",
            ),
            ui.Line("W_QK", "The two matrices as one", "One row and one column a feature."),
            ui.Line(
                "S_X",
                "The same scores from X and the one matrix",
                "X_QK is X times W_QK. " + ui.same_product(lesson),
            ),
        ),
    ),
    ui.scored_back(lesson)
    or ui.entry(lesson, "C", lesson.last, 0, wrong="Not that. Divide the score by both lengths."),
)
ui.write(
    ui.later(
        ui.heading("Two matrices, two directions"),
        ui.say(
            "The score of (i, j) is query i times key j. The score of (j, i) is query j times key "
            "i. With a matrix for each, these are four different rows, and nothing makes the two "
            "products equal. A verb can look for its noun without the noun looking for it as much.",
            "Make W_K the same as W_Q, and each key is its token’s query. Then both scores are one "
            "product, and S is symmetric.",
        ),
    ),
    ui.heading("A score is not a cosine"),
    ui.say(
        "A score is the cosine of the angle, times the length of the query, times the length of "
        "the key. The length of a query is the same for its whole row. The length of a key counts "
        "only in its own column: a long key scores high with every query that points roughly its "
        "way.",
        ui.length_matters(lesson),
    ),
    ui.section("Try it", ui.twice(lesson)),
    ui.presets(ui.DIRECTED, *ui.doubled(lesson)),
    ui.heading("One matrix between the tokens"),
    ui.say(
        ui.given(lesson),
        "Queries and keys serve the score and nothing else. So W_Q and W_K could be one matrix "
        "W_QK, with a number for each pair of features: what it adds to the score if the first "
        "token has the one and the second has the other. S is symmetric for every X only if W_QK "
        "is.",
        "Why then two? They are smaller: d_model × d_k each, where d_k is usually the far smaller "
        "size. And keys can be made once and kept, while queries come and go.",
    ),
    ui.later(
        ui.takeaway(
            "A score runs from a query to a key, and the way back may score otherwise. It grows "
            "with both lengths, as no cosine does."
        )
    ),
)
ui.maths(
    lesson,
    "C",
    r"$S_{ij} = q_i \cdot k_j = |q_i|\,|k_j| \cos\theta_{ij}$ with $|q| = \sqrt{q \cdot q}$. A row "
    "of zeros has no angle with anything: 0/0 stands as 0 here, and its cell says so.",
    r"$S = Q K^{\top} = X W_Q (X W_K)^{\top} = X\,(W_Q W_K^{\top})\,X^{\top}$. If $W_K = W_Q$, "
    r"then $W_Q W_Q^{\top}$ is its own transpose, and so is $S$.",
    r"$W_Q W_K^{\top}$ has shape $d_{model} \times d_{model}$, but its rank is at most $d_k$: a "
    "free matrix of that shape could say more, and would have more to learn.",
)
ui.turn_page(lesson)
