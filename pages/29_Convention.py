"""Variant: tokens as rows, as the paper has them, or as columns, as many courses do."""

import ui

HERE = ui.variant("convention")

lesson = ui.frame(HERE)
ui.question(
    lesson.page,
    "Why does another text write it the other way round?",
    "The paper gives each token a row. Many courses give each token a column. Both compute the "
    "same attention. But shapes turn round, factors change places, and a line of code that is "
    "right in one convention is wrong in the other.",
    "S",
    "A",
    "O",
    columns=ui.convention.in_columns(lesson),
)
ui.write(ui.presets(HERE, *ui.convention.to_try(lesson)), ui.say(ui.given(lesson)))
ui.choose(lesson, "columns")
ui.board(lesson, ui.convention.board(lesson), ui.convention.adds_up(lesson))
ui.write(
    ui.heading("One rule turns the whole board"),
    ui.say(
        "Put the tokens into columns, and every matrix is the transpose of what it was. The "
        "transpose of a product is the product of the transposes, in the other order. So X W_Q "
        "becomes W_Q X, and A V becomes V A. What is done to each entry by itself, such as the "
        "scaling, stays.",
        ui.convention.one_number(lesson),
        ui.convention.blocked_corner(lesson),
        "Pin a cell and switch: the pin goes along, to the same number at its other place.",
    ),
    ui.later(
        ui.heading("Side by side"),
        ui.convention.side_by_side(lesson),
        ui.say(
            "A softmax must know which way to go: along each row of S, or down each column. S has "
            "as many rows as columns, so the wrong way runs without an error. It shares out what "
            "each key gives, where each query should share out what it takes."
        ),
    ),
    ui.heading("How to tell which one you read"),
    ui.say(
        "Look at the projection. W_Q on the right of X means tokens as rows, W_Q on the left means "
        "tokens as columns.",
        ui.convention.wrong_product(lesson),
        "PyTorch mixes both. Its linear layer takes tokens as rows, but it keeps its weights as "
        "the column convention has them, and transposes them on the way. So a weight of the layer "
        "is the transpose of the paper’s W_Q.",
    ),
    ui.takeaway(
        "Rows or columns is a way of writing. Keep to one, and each formula follows from the other "
        "by transposing it."
    ),
)
ui.maths(
    lesson,
    "O",
    r"$(A B)^{\top} = B^{\top} A^{\top}$. So the transpose of $\operatorname{softmax}(Q K^{\top} / "
    r"\sqrt{d_k})\, V$ is $V^{\top} \operatorname{softmax}(Q K^{\top} / \sqrt{d_k})^{\top}$.",
    r"With tokens as columns $V^{\top}$ is called $V$, and $Q K^{\top}$ becomes $K^{\top} Q$: "
    r"$O = V \operatorname{softmax}(K^{\top} Q / \sqrt{d_k})$, with the softmax down each column.",
    "Tokens are columns, for instance, in «Formal Algorithms for Transformers» (Phuong and Hutter "
    "2022).",
)
ui.turn_page(lesson)
