"""Step 1: tokens become rows of numbers, and attention looks them up."""

import ui

lesson = ui.frame(ui.EMBED)
ui.question(
    lesson.page,
    "How does one token look up the others?",
    "A token asks with a query. Every token can be found by its key, and hands over its value. A "
    "look-up in a table returns one value, whole. Attention returns a share of every value.",
)
ui.write(ui.say(ui.given(lesson)))
ui.board(
    lesson,
    ui.Layout(
        "O",
        lines=(
            ui.Line("X", "Each token is a row of numbers: its embedding", "All rows together: X."),
            ui.Line(
                "O_H",
                "A look-up in a table: the best match is returned, whole",
                "H is 1 for the key that matches best and 0 for the others. Keys that match "
                "equally well share.",
            ),
            ui.Line(
                "O",
                "A soft look-up: every value is returned, by its share",
                "The shares in a row of A add up to 100 %. Steps 2 to 6 make them.",
            ),
        ),
    ),
    ui.entry(
        lesson,
        "O_H",
        lesson.last,
        0,
        wrong="Not that. Find the 1 in the last row of H. It picks one row of V.",
    ),
)
ui.write(
    ui.say(
        "A table needs an exact match. Here nothing has to match exactly: a better match only "
        "gets a larger share. And a share can be learned, since it changes smoothly with the "
        "numbers.",
        "What is left out: nothing in X says in which order the tokens stand. Real models add "
        "numbers for the position to each row. Real embeddings have hundreds of features, and are "
        "learned.",
    ),
    ui.takeaway("Attention is a look-up that returns a blend: every value, by its share."),
)
ui.maths(
    lesson,
    "O",
    r"A look-up in a table is the same product with other weights: a row of $H$ has one 1, so "
    r"$H V$ copies one row of $V$. A row of $A$ has many positive numbers that add up to 1.",
    r"$X$ has one row a token and one column a feature: $n \times d_{model}$. The same token gets "
    "the same row wherever it stands.",
)
ui.turn_page(lesson)
