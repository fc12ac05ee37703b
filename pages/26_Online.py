"""Variant: the softmax of a row, computed block by block."""

import ui

HERE = ui.variant("online")

lesson = ui.frame(HERE)
ui.question(
    lesson.page,
    "Can a softmax be computed before all scores are there?",
    "A softmax divides by the sum of the whole row. So it seems that a row must be complete first. "
    "Yet the keys can come block by block: a block is used, and its scores are forgotten.",
    "A",
    "O",
)
ui.write(ui.presets(HERE, *ui.blocks_to_try(lesson)))
ui.choose(lesson, "query")
ui.choose(lesson, "block")
ui.choose(lesson, "shown")
ui.board(lesson, ui.block_board(lesson), ui.what_becomes_of_the_old(lesson))
ui.write(
    ui.say(
        ui.open_so_far(lesson),
        "Three things go from block to block: the largest score so far, m; the sum of the "
        "exponentials so far, Z; and the output so far, o, which is not divided yet.",
    ),
    ui.later(
        ui.heading("One factor puts the past right"),
        ui.say(
            "All exponentials are made with the largest score so far taken off: "
            "e^(s\u00a0−\u00a0m). When a block brings a larger one, those made before have too "
            "little taken off. The new m is higher by m′\u00a0−\u00a0m, so each of them must be "
            "multiplied by e^(m\u00a0−\u00a0m′). That is c.",
            "It is one factor for all of them. So nobody needs to know them one by one: it is "
            "enough to multiply their sum Z, and o, in which each of them stands once. Then the "
            "new block is added. At the end o is divided by Z, once.",
        ),
        ui.every_block(lesson),
        ui.heading("The same numbers"),
        ui.say(ui.same_row(lesson)),
    ),
    ui.heading("The table need never exist"),
    ui.say(
        "The scores of a block are used once, for m, Z and o. Then they can be thrown away. And no "
        "row needs another one. So at no time must S stand anywhere as a whole.",
        ui.handed_on(lesson),
        "How does that grow with the text? Here are the sizes of a real head.",
    ),
)
ui.charts(*ui.memory_charts(lesson))
ui.write(
    ui.later(
        ui.heading("Less memory, not less work"),
        ui.say(
            "Every query still meets every key: the multiplications grow with n², as before, and "
            "the corrections come on top. What is saved is the way to a large and slow memory. A "
            "block fits into a small and fast one, next to where the computing is done. That is "
            "why FlashAttention (Dao et al. 2022) is fast.",
            "To learn, a model needs the weights a second time, for the [[gradient]]. They are "
            "made once more, block by block, from m and Z of each row.",
        ),
    ),
    ui.see(lesson, ui.COST, "Count the multiplications, which stay"),
    ui.takeaway(
        "A softmax can be computed block by block: keep the largest score, the sum and the output "
        "so far, and correct them by one factor."
    ),
)
ui.maths(
    lesson,
    "O_online",
    r"Before the first block $m = -\infty$, $Z = 0$, $o = 0$. A block with scores $s$ and values "
    r"$V$ makes $m' = \max(m, \max_j s_j)$ and $c = e^{m - m'}$, then $Z' = c\,Z + \sum_j "
    r"e^{s_j - m'}$ and $o' = c\,o + \sum_j e^{s_j - m'} v_j$.",
    r"After each block $Z = \sum_j e^{s_j - m}$ and $o = \sum_j e^{s_j - m} v_j$ over all keys so "
    r"far, for $c\, e^{s_j - m} = e^{m - m'} e^{s_j - m} = e^{s_j - m'}$. At the end $o / Z = "
    r"\sum_j A_{ij} v_j$, the row of the output.",
    "Milakov and Gimelshein (2018) compute m and Z of a softmax this way, in one pass. Rabe and "
    "Staats (2021) take o along. Papers write ℓ or d for Z.",
)
ui.turn_page(lesson)
