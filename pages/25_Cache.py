"""Variant: reading token by token, with keys and values that are kept."""

import ui

HERE = ui.variant("cache")

lesson = ui.frame(HERE)
ui.question(
    lesson.page,
    "A new word comes: what must be computed again?",
    "A model that writes reads the text so far and adds a token. Then it reads on, with one token "
    "more. Most of that work was done before. So models keep what they will need again, in a "
    "[[cache]], and make only what is new.",
    "S",
    "A",
    "O",
)
ui.write(
    ui.presets(HERE, *ui.cache.steps_to_try(lesson)),
    ui.say(ui.given(lesson), ui.cache.mask_of_cache(lesson)),
)
ui.choose(lesson, "at")
ui.choose(lesson, "causal")
ui.write(ui.say(ui.cache.read_so_far(lesson)))
ui.board(lesson, ui.cache.cache_board(lesson), ui.cache.earlier_output(lesson))
ui.write(
    ui.heading("One new row, and the rest is kept"),
    ui.say(
        "The new token brings one query, one key and one value. Key and value go below those that "
        "were kept. The query is compared with all keys: one row of scores, one row of weights, "
        "one output.",
        "Old queries are not kept. The row of the new token needs the keys and values of all "
        "tokens, and no query but its own.",
        ui.cache.same_row(lesson),
    ),
    ui.heading("What it saves"),
    ui.cache.step_costs(lesson),
    ui.say(
        "Multiplications are those of the matrix products. Cells that the mask blocks are counted, "
        "too: they are computed before they are blocked."
    ),
    ui.later(
        ui.heading("Why the causal mask makes it right"),
        ui.say(
            "A row of K or V is made from its own token and the weights. No other token has a part "
            "in it. So in one layer the kept rows are right under any mask, and O_new is right "
            "with the causal mask and without it.",
            "An output is another matter: it is a blend of the values of all tokens that its "
            "query may see. Without the causal mask a new token can change the outputs of those "
            "before it. The next layer makes its keys and values from these outputs. What it has "
            "kept was made from the outputs as they were, and then it is out of date.",
            ui.cache.out_of_date(lesson),
            "With the causal mask no token sees a later one. Once its output is made, no later "
            "token changes it. So its keys and values stay right in every layer. Switch the mask "
            "off and on again, and watch the differences.",
        ),
    ),
    ui.heading("In real models"),
    ui.cache.model_costs(),
    ui.say(
        "In a long text the multiplications grow with the cube of its length where all is computed "
        "again, and with the square where keys and values are kept. Twice the tokens cost up to "
        "eight times as much, or up to four times.",
        "The price is memory. Each token adds a row of K and a row of V in every layer, and each "
        "step reads all that is kept.",
    ),
    ui.see(lesson, ui.COST, "Count what one layer costs"),
    ui.later(
        ui.takeaway(
            "Keep keys and values, and make one new row. What is kept stays right in all layers, "
            "since with a causal mask no later token changes it."
        )
    ),
)
ui.maths(
    lesson,
    "K_all",
    r"For the new row $x$: $q = x W_Q$, $k = x W_K$, $v = x W_V$. The cache grows, "
    r"$K \leftarrow [K; k]$ and $V \leftarrow [V; v]$, and "
    r"$o = \operatorname{softmax}(q K^{\top} / \sqrt{d_k})\, V$. That is the last row of causal "
    r"attention: the last query may see every key (Shazeer 2019).",
    r"Multiplications in step $t$: $d_{model}(2 d_k + d_v) + t\,(d_k + d_v)$ with the cache, and "
    r"$t\, d_{model}(2 d_k + d_v) + t^2 (d_k + d_v)$ without. Over $n$ steps, "
    r"$\sum t = n(n+1)/2$ and $\sum t^2 = n(n+1)(2n+1)/6$.",
    "A cache that is filled token by token gives causal attention, whether a mask is written or "
    "not: when a token was read, those after it were not there. Where the mask is off, this page "
    "keeps what the tokens before the new one gave when they were read together.",
    r"The second layer reads $X_1 = X + O W_O$. Here it has the weights of the first.",
)
ui.turn_page(lesson)
