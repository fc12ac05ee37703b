"""Step 2: each row of X becomes a query, a key and a value."""

import ui

lesson = ui.frame(ui.PROJECT)
ui.question(
    lesson.page,
    "Why three vectors for one token?",
    "A token has three parts to play. Its [[query]] says what it looks for. Its [[key]] says "
    "what it can be found by. Its [[value]] is what it hands over. Three matrices make the three "
    "from one row of X.",
    "Q",
    "K",
    "V",
)
ui.write(ui.say(ui.given(lesson)))
ui.choose(lesson, "tied")
ui.board(
    lesson,
    ui.Layout(
        "Q",
        lines=(
            ui.Line("Q", "Queries: what each token looks for"),
            ui.Line("K", "Keys: what each token can be found by"),
            ui.Line("V", "Values: what each token hands over"),
            ui.Line("S", "Why keys are not queries: who scores whom", ui.symmetry(lesson)),
        ),
        tags=True,
    ),
    ui.entry(
        lesson,
        "Q",
        lesson.last,
        0,
        wrong="Not that. Take the last row of X and the first column of W_Q. Multiply entry by "
        "entry, and add up.",
    )
    or ui.largest_in_row(lesson, "S", lesson.last, wrong="Not that one. Compare the whole row."),
)
ui.write(
    ui.heading("Parameters and activations"),
    ui.say(
        "The three W are [[parameters|parameter]]: learned once, then the same for every sentence. "
        "Q, K and V are [[activations|activation]]: computed anew for each sentence, and then "
        "forgotten.",
        "Try it. Choose «My own sentence», and change one word of it: X, Q, K and V change, and "
        "the three W stay. Then edit one number of W_Q, and change the sentence again: the edit "
        "stays.",
        "Queries and keys must have the same length d_k, since they are multiplied with each "
        "other. Values are only added up, so their length d_v may differ.",
    ),
    ui.heading("What the three learn"),
    ui.say(
        "A query matrix learns what is worth asking: a verb may look for its subject. A key "
        "matrix learns what to be found by. A value matrix learns what to pass on. So a token can "
        "be found by one thing and hand over another.",
        "In «The cat sat down» the features have names, so that you can read it. The row «noun» "
        "of W_Q is large in component 1, which stands for determiners, and in component 3, which "
        "stands for verbs: a noun looks for its determiner and for its verb.",
    ),
    ui.see(lesson, ui.DIRECTED, "See scores both ways, lengths and cosines"),
    ui.takeaway("W_Q, W_K and W_V are learned. Q, K and V are what they make of one sentence."),
)
ui.maths(
    lesson,
    "Q",
    r"$W_Q$ and $W_K$ have shape $d_{model} \times d_k$, $W_V$ has shape $d_{model} \times d_v$. "
    r"In the paper $d_{model} = 512$ and $d_k = d_v = 64$.",
    r"With one matrix for both, $S = X W (X W)^{\top}$, and such a product is symmetric. With two, "
    r"$S = X W_Q W_K^{\top} X^{\top}$ need not be.",
)
ui.turn_page(lesson)
