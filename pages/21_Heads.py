"""Variant: several heads side by side."""

import ui

HERE = ui.variant("heads")

lesson = ui.frame(HERE)
ui.question(
    lesson.page,
    "Why attend several times at once?",
    "One softmax shares out one attention: what goes to the verb is missing for the noun. So "
    "models attend several times at once. Each head gets some columns of Q, K and V, and makes "
    "scores, weights and outputs of its own.",
    "S",
    "A",
    "O",
)
ui.write(ui.presets(HERE, *ui.heads.heads_to_try(lesson)), ui.say(ui.given(lesson)))
ui.choose(lesson, "h")
ui.write(ui.say(ui.heads.heads_that_fit(lesson)))
ui.board(lesson, ui.heads.head_board(lesson), ui.heads.most_in_head(lesson))
ui.write(
    ui.heading("The same columns, shared out"),
    ui.say(
        "A head is the attention that you know, on fewer columns. Its queries are its columns of "
        "Q, and these come from the same columns of W_Q. So heads need no more parameters than "
        "one wide head.",
        ui.heads.same_count(lesson),
        "And no more multiplications for the scores. Add up the scores of all heads, cell by cell: "
        "the sums are the scores of one wide head. Only, the wide head adds them up before its one "
        "softmax. Each head here has a softmax of its own, and so can look elsewhere.",
    ),
    ui.heading("Side by side, then mixed"),
    ui.say(
        "The outputs of the heads are put side by side. Component 1 of the whole is component 1 of "
        "head 1: pin it and see. Nothing is mixed so far. That is what W_O is for: each feature of "
        "the update is a sum over the components of all heads.",
        ui.heads.mixed_or_not(lesson),
    ),
    ui.presets(HERE, *ui.heads.mixing(lesson)),
    ui.heading("In real models"),
    ui.say(
        "The paper takes d_k = d_v = d_model / h, and many models do. Where each head also has its "
        "own keys and values, as in the paper, each of the four weight matrices then has d_model "
        "rows and d_model columns, however many heads there are. Where heads share keys and "
        "values, W_K and W_V have fewer columns."
    ),
    ui.heads.head_sizes(),
    ui.see(lesson, ui.COST, "Count what other sizes cost"),
    ui.see(lesson, ui.variant("grouped"), "Let heads share keys and values"),
    ui.takeaway(
        "Heads share out the columns. Each attends by itself, and W_O mixes what they say."
    ),
)
ui.maths(
    lesson,
    "O_heads",
    r"$\operatorname{MultiHead}(Q, K, V) = [O_1 \mid \dots \mid O_h]\, W_O$ with $O_i = "
    r"\operatorname{softmax}(Q_i K_i^{\top} / \sqrt{d_k})\, V_i$. Each head divides by the root of "
    r"its own $d_k$, the number of its own columns.",
    r"$Q K^{\top} = \sum_i Q_i K_i^{\top}$, since a dot product can be added up piece by piece.",
    r"$[O_1 \mid \dots \mid O_h]\, W_O = \sum_i O_i W_O^{(i)}$, where $W_O^{(i)}$ are the rows of "
    "W_O for head i. So each head writes an update of its own, and the updates are added.",
)
ui.turn_page(lesson)
