"""Variant: heads that share keys and values."""

import ui

HERE = ui.variant("grouped")

lesson = ui.frame(HERE)
ui.question(
    lesson.page,
    "Does every head need keys and values of its own?",
    "A model that writes makes one token after the other, and keeps the keys and values of all "
    "tokens so far: the [[cache]]. With many heads it gets large. So let heads share: each has "
    "its own queries, and several read the same keys and values.",
    "S",
    "A",
    "O",
)
ui.write(ui.presets(HERE, *ui.grouped.sharing_to_try(lesson)), ui.say(ui.given(lesson)))
ui.choose(lesson, "h")
ui.choose(lesson, "kv_heads")
ui.write(
    ui.say(
        ui.heads.heads_that_fit(lesson),
        ui.grouped.pairs_that_fit(lesson),
        ui.grouped.who_reads(lesson),
        ui.grouped.alike_values(lesson),
    ),
    ui.grouped.cache_here(lesson),
)
ui.board(lesson, ui.grouped.board(lesson), ui.grouped.same_in_both(lesson))
ui.write(
    ui.heading("What is saved"),
    ui.say(
        "The line above each matrix of scores says whose keys that head reads. Every head still "
        "has scores, weights and outputs of its own. So their multiplications are as many as "
        "before. What gets smaller is all that belongs to keys and values.",
        "The weights, too: W_K and W_V only need columns for the heads of keys and values that "
        "there are.",
        ui.grouped.fewer_columns(lesson),
    ),
    ui.heading("Why the cache matters"),
    ui.say(
        "For each new token, a model reads all of the cache once, and on today’s chips this takes "
        "longer than multiplying does. So a smaller cache makes writing faster, and leaves memory "
        "for longer texts.",
        "It is not free. Heads that share can only be found by the same keys, and hand over the "
        "same values. One pair for all heads can cost quality; a few pairs come close to one for "
        "each head, and are nearly as fast as one for all (Ainslie et al. 2023).",
    ),
    ui.kept.real_models(),
    ui.say(
        "Here, the first heads of keys and values are kept and the others dropped, so that you can "
        "compare. Models are trained with shared heads, or trained further after the heads of a "
        "group were averaged.",
    ),
    ui.heading("Calculate"),
    ui.kept.models_to_try(lesson),
)
ui.choose(lesson, "heads")
ui.choose(lesson, "depth")
ui.charts(*ui.cache_charts(lesson))
ui.write(
    ui.takeaway("Every head asks for itself. Keys and values can be shared, and kept once."),
)
ui.maths(
    lesson,
    "O_heads",
    r"$O_i = \operatorname{softmax}(Q_i K_{g(i)}^{\top} / \sqrt{d_k})\, V_{g(i)}$ with $g(i) = "
    r"\lceil i\, h_{kv} / h \rceil$: head $i$ reads the keys and values of its group.",
    r"With $h_{kv} = h$ this is multi-head attention, with $h_{kv} = 1$ multi-query attention "
    "(Shazeer 2019), and between them grouped-query attention (Ainslie et al. 2023).",
    r"For each token a cache holds $2 \cdot \text{layers} \cdot h_{kv} \cdot d_k$ numbers, where "
    r"$d_v = d_k$. $W_K$ and $W_V$ have $d_{model} \times h_{kv}\, d_k$ each.",
)
ui.turn_page(lesson)
