"""Lab: layer upon layer, each reads the running sum and adds to it."""

import ui

lesson = ui.frame(ui.STREAM)
ui.question(
    lesson.page,
    "Is the word still in there after all layers?",
    "A layer does not replace the rows that it reads. It works out an update, and adds it to them. "
    "The next layer reads the sum. This running sum is called the residual stream.",
)
ui.write(
    ui.presets(ui.STREAM, *ui.streams(lesson)),
    ui.say(ui.given(lesson), ui.no_stream(lesson)),
)
ui.choose(lesson, "layers")
ui.board(
    lesson,
    ui.stream_board(lesson),
    ui.whole_sum(lesson, lesson.last) or ui.gives_most(lesson, lesson.last),
)
ui.write(
    ui.heading("What is read, what is written"),
    ui.say(
        "W_Q, W_K and W_V read from the stream. W_O writes to it: it turns a blend of values into "
        "a row as long as a row of X. Between the two, tokens exchange what they have read. Pin a "
        "number of an update, and follow it back: all of it comes from the sum before.",
    ),
    ui.heading("Nothing is overwritten"),
    ui.say(
        "The last line has X in it, as it was at the start, and every update beside it. A layer "
        "can only add. To take something away, it must write the opposite. So whatever was "
        "written, a later layer can read, unless another update has cancelled it.",
        "Try it. Set every number of W_O to 0, with the link above: the updates become 0, and X "
        "passes through all layers as it is. Then change one number of X: it comes out at "
        "the end changed by as much.",
    ),
    ui.heading("In real models"),
    ui.say(
        "Here all layers use the same matrices, so that there are few to follow. Real layers have "
        "their own, and several heads each, whose updates are all added. Between two of them "
        "another kind of layer, the feed-forward network, adds an update that looks at one token "
        "at a time. The paper has six layers.",
        "Rows are also normalised, since a sum of many updates grows. The paper normalises each "
        "sum. Many later models normalise only what a layer reads, so that the stream itself "
        "stays a plain sum, as here.",
    ),
    ui.takeaway(
        "A layer reads the sum and adds to it. The embedding stays in there, with all that follows."
    ),
)
ui.maths(
    lesson,
    ui.stream_end(lesson),
    r"$X_l = X_{l-1} + \operatorname{Attention}(X_{l-1} W_Q, X_{l-1} W_K, X_{l-1} W_V)\, W_O$ with "
    r"$X_0 = X$, so $X_L = X + \sum_{l=1}^{L} U_l$.",
    r"In the gradient the sum is a straight way back: $\partial X_l / \partial X_{l-1}$ is the "
    r"identity and a term for the update. So what the loss asks for reaches early layers, even "
    r"where the updates pass little of it on.",
)
ui.turn_page(lesson)
