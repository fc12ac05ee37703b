"""Variant: queries from one sentence, keys and values from another."""

import ui

HERE = ui.variant("cross")

lesson = ui.frame(HERE)
ui.cross.tell_source(lesson)
ui.question(
    lesson.page,
    "How does a translation read the original?",
    "So far one sentence asked itself. Now two meet. The queries come from your sentence, and the "
    "keys and values from another one, the source. So a translation that is being written can "
    "look up each of its words in the original. This is [[cross-attention]].",
    "S",
    "A",
    "O",
)
ui.write(
    ui.presets(HERE, *ui.cross.pairs_to_try(lesson)),
    ui.say(ui.cross.without_embeddings(lesson)),
)
ui.choose(lesson, "source")
ui.choose(lesson, "pad")
ui.write(ui.say(ui.cross.left_out(lesson)))
ui.board(lesson, ui.cross.board(lesson), ui.cross.most_in_source(lesson))
ui.write(
    ui.heading("A rectangle"),
    ui.say(
        "A token of your sentence has a query here, and no key. A token of the source has a key "
        "and a value, and no query. Nothing else is new: scores, softmax and mixing are the "
        "same formula.",
        ui.cross.rectangle(lesson),
    ),
    ui.heading("Why there is no causal mask"),
    ui.say(
        "A [[causal mask]] forbids to look ahead. But two sentences have no common order: no word "
        "of the one stands before or after a word of the other. And the source is there as a "
        "whole before the first word of the translation is written. So every query may look at "
        "all of it.",
        "One mask has a meaning. If sentences of several lengths are computed together, shorter "
        "ones are filled up with [[padding]], and no query may take anything from that.",
    ),
    ui.heading("Whether words find their translation"),
    ui.say(
        "The numbers of the source are toy numbers, and nobody has learned the weights here. So "
        "which word finds which means nothing so far. It is learned, from many pairs of "
        "sentences: then a word asks for what helps to write what comes next.",
        "You can see what that takes. The example «The cat sat down» has features with names. "
        "Give the German words the same features: 1 for «Die» where it says determiner, and so "
        "on. Then «cat», which asks for a determiner and a verb, finds them in another language.",
    ),
    ui.presets(HERE, *ui.cross.by_hand(lesson)),
    ui.heading("In real models"),
    ui.say(
        "The original Transformer has two stacks (Vaswani et al. 2017). The encoder reads the "
        "source. The decoder writes, and each of its layers attends twice: first to what is "
        "written so far, with a causal mask, then to what the encoder made of the source. Keys "
        "and values of the source are made once, and serve every word that is written.",
        "The source need not be text: it can be sound, or the patches of a picture.",
    ),
    ui.takeaway(
        "One sentence asks, and another one answers: rows from the one, columns from the other."
    ),
)
ui.maths(
    lesson,
    "O",
    r"$O = \operatorname{softmax}\bigl(X W_Q\,(Y W_K)^{\top} / \sqrt{d_k}\bigr)\; Y W_V$ with X of "
    r"$n$ rows and Y of $n_k$ rows. Where Y is X, this is self-attention.",
    r"The scores are $n \times n_k$. Twice as long a source costs twice as much, not four times.",
)
ui.turn_page(lesson)
