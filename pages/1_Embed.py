"""Step 1: tokens become rows of numbers, and attention looks them up."""

import ui

lesson = ui.frame(ui.EMBED)
ui.question(
    lesson.page,
    "How does one token look up the others?",
    "Numbers can be multiplied, words cannot. So each [[token]] becomes a row of numbers first. "
    "Then each looks the others up: it asks with a query, every token is found by its key, and "
    "hands over its value. The next steps make all three. Here is what the look-up returns.",
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
        ui.most_unlike(lesson, "O_H", "O", lesson.last),
        wrong="Not that. Where the last row of H is 0, nothing is taken. Where it is 1, all is.",
    ),
)
ui.write(
    ui.say(
        "A table gives all to the best match. Attention gives each its share: a better match gets "
        "a larger one. And a share can be learned, since it changes smoothly with the numbers.",
        "What is left out: the order of the tokens. Unless a feature happens to say so, nothing in "
        "X tells which one comes first. Real models add numbers for the position to each row. Real "
        "[[embeddings|embedding]] have hundreds of features, and are learned.",
    ),
    ui.see(lesson, ui.ORDER, "See what changes with the order, and what does not"),
    ui.takeaway("Attention is a [[look-up]] that returns a blend: every value, by its share."),
)
ui.maths(
    lesson,
    "O",
    r"A look-up in a table is the same product with other weights: where one key matches best, its "
    r"row of $H$ has a single 1, and $H V$ copies one row of $V$. A row of $A$ has many positive "
    r"numbers that add up to 1.",
    r"$X$ has one row a token and one column a feature: $n \times d_{model}$. The same token gets "
    "the same row wherever it stands.",
)
ui.turn_page(lesson)
