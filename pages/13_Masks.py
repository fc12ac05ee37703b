"""Masks: the right way beside the classic mistakes, and the row that has no answer."""

import ui

lesson = ui.frame(ui.MASKS_LAB)
ui.question(
    lesson.page,
    "What goes wrong when a mask is wrong?",
    "A mask belongs before the softmax, and what blocks is −∞. Most mistakes with masks raise no "
    "error. They only make other numbers. Here they stand below the right ones.",
    "S_masked",
    "A",
)
ui.choose_error(lesson)
ui.write(ui.block_a_query(lesson), ui.say(ui.nothing_blocked(lesson)))
ui.board(lesson, ui.error_board(lesson), ui.error_ask(lesson))
told = ui.later(
    ui.of_error(
        lesson,
        late=ui.section(
            "Too late",
            "After the softmax the shares are dealt out. Setting some of them to 0 takes them from "
            "the row and gives them to nobody. By so much it adds up to less than 1.",
            "Pin a weight of A_late that is not 0. The scores of blocked keys light up too: they "
            "stand in the sum that it was divided by. Under a causal mask that lets tokens to come "
            "speak along.",
            "Dividing each row by its sum repairs it: what the blocked keys took cancels. On a "
            "computer only nearly so. A blocked score far above the others leaves these with "
            "weights that round to 0, and then there is nothing to divide.",
        ),
        big=ui.section(
            "Large is not infinite",
            ui.large_does(lesson),
            "Block every key of a row, and it fails: all scores are lowered alike, and a softmax "
            "does not see that.",
            "What comes out depends on the precision. In float64 small scores keep about six "
            "decimals next to −10⁹: the row is nearly what it is without a mask. In float32 "
            "numbers of that size stand 64 apart. Scores below 32 are lost, and each key gets the "
            "same. Float16 ends at 65504: −10⁹ becomes −∞, and a row of it is 0/0 again.",
        )
        + ui.precisions(lesson),
        sign=ui.section(
            "No number at all",
            "With +∞ a blocked score is the largest of its row. A softmax takes the largest score "
            "off first, and ∞ − ∞ has no value. It gets into the sum of the row, and so into every "
            "weight. Without taking it off, open keys get a number over ∞, which is 0, and blocked "
            "ones ∞/∞, which has no value either.",
            "The board shows the right way only: for the wrong one there are no numbers to show. A "
            "large number with the wrong sign, such as +10⁹, is worse in a way: it gives numbers, "
            "and unless scores are as large, all of the weight goes to what was to be blocked.",
        )
        + ui.wrong_sign(lesson),
        corner=ui.section(
            "Which corner?",
            "A model that writes keeps the keys of earlier tokens and asks with the newest ones "
            "only. Then there are fewer queries than keys, and «what stands before» has two "
            "readings. From the top left, the first query counts as the first token. From the "
            "bottom right, the last query counts as the last one.",
            "With kept keys it must be the bottom right: the queries are the last tokens. With as "
            "many queries as keys both are one mask, so the mistake shows only once keys are "
            "kept. PyTorch’s is_causal counts from the top left. ONNX’s Attention counts the kept "
            "keys in, which is the bottom right.",
            "Type a longer sentence. From the top left the newest token never sees more keys than "
            "there are queries, however much stands before it.",
        ),
    ),
    ui.heading("When every key of a query is blocked"),
    ui.say(
        "All exponentials are 0, and so is their sum. The weights are 0/0, which has no value. "
        "Padding before the first token, under a causal mask, makes such rows. Programs differ in "
        "what they do. PyTorch’s attention is its scaled_dot_product_attention.",
        ui.blocked_rows(lesson.graph),
    ),
    ui.table(
        "A row of nothing but −∞",
        ["who", "what becomes of the row"],
        [
            ["this page", "weights and output stand as 0, and it says so"],
            ["PyTorch: softmax", "NaN, which means «not a number»"],
            ["PyTorch: its attention", "0 since version 2.5; NaN before that and on some devices"],
            ["ONNX: Attention", "0 by its specification, not NaN"],
            ["a mask of −10⁹", "weights over blocked keys, or NaN in float16"],
        ],
    ),
)
ui.write(
    told,
    ui.takeaway("Block before the softmax, with −∞, and decide what a row without keys shall be."),
)
ui.maths(
    lesson,
    "S_masked",
    r"With $o_{ij} = e^{M_{ij}}$, 1 or 0: $\;e^{s_{ij} + M_{ij}} / \sum_l e^{s_{il} + M_{il}} = "
    r"e^{s_{ij}} o_{ij} / \sum_l e^{s_{il}} o_{il}$. The late mask divides by $\sum_l e^{s_{il}}$ "
    "instead: the same numbers, but for one factor a row. So dividing by the row sum repairs them.",
    r"For any number $c$: softmax$(s + c)$ = softmax$(s)$. That is why a row with $-10^9$ "
    "everywhere is a row without a mask.",
)
ui.turn_page(lesson)
