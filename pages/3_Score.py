"""Step 3: every query meets every key."""

import ui

lesson = ui.frame(ui.SCORE)
ui.question(
    lesson.page,
    "How much does each token want each other token?",
    "Every query meets every key. Their [[dot product]] is the [[score]]: multiply entry by entry, "
    "and add up. It is large when both are large in the same places: when what one token asks for "
    "is what the other offers.",
    "S",
)
ui.board(
    lesson,
    "S",
    ui.largest_in_row(
        lesson,
        "S",
        lesson.last,
        wrong="Not that one. Multiply the row of Q with each column of Kᵀ, entry by entry, and "
        "add up. Then compare.",
    ),
)
ui.write(
    ui.takeaway(
        "A score is one query against one key. The scores of a row are not weighed against each "
        "other yet: that is softmax’s job."
    ),
    ui.see(lesson, ui.COST, "What does the table cost when the text gets longer?"),
)
ui.maths(
    lesson,
    "S",
    r"Entry $(i, j)$ is the dot product of query $i$ and key $j$: "
    r"$S_{ij} = q_i \cdot k_j = \sum_t Q_{it}\,K_{jt}$.",
    "A score is positive when the two vectors point roughly the same way, and negative when they "
    "point apart. It is not a cosine: longer vectors give larger scores.",
    "The table is as wide as it is tall: twice as many tokens make four times as many scores.",
)
ui.turn_page(lesson)
