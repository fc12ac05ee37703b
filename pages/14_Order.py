"""Lab: the same tokens in another order, without positions and with them."""

import ui

lesson = ui.frame(ui.ORDER)
ui.question(
    lesson.page,
    "Does attention know which word comes first?",
    "«dog bites man» and «man bites dog» have the same words, and mean different things. Here "
    "attention runs twice over the same rows: as you typed them, and in another order. Then the "
    "outputs are compared, token by token.",
)
ui.write(
    ui.presets(ui.ORDER, *ui.orders(lesson)),
    ui.say(ui.given(lesson), ui.no_positions(lesson)),
)
ui.choose(lesson, "order")
ui.choose(lesson, "positions")
ui.write(ui.say(ui.mask_of_order(lesson)))
ui.board(lesson, ui.order_board(lesson), ui.same_output(lesson, 0))
ui.write(
    ui.later(
        ui.heading("Without positions: a bag of words"),
        ui.say(
            "Compare A and A_P. Without positions and without a mask, rows and columns permute "
            "with their tokens, and nothing else changes. So each token takes the same shares of "
            "the same values. To attention a sentence is a bag of words: «dog bites man» and «man "
            "bites dog» give the same outputs.",
        ),
        ui.heading("With positions: a sequence"),
        ui.say(
            "Each place has a row of numbers of its own, and it is added to the token that stands "
            "there. Now «dog» in first place and «dog» in last place are two different rows. They "
            "make different queries, keys and values, and so the order counts.",
            "The paper fills Pos with sines and cosines: the first two features change quickly "
            "from place to place, later ones more and more slowly. Other models learn the rows of "
            "Pos, or turn queries and keys by an angle that grows with the place.",
        ),
        ui.see(lesson, ui.variant("positions"), "See three ways to tell places"),
        ui.heading("A mask can tell the order, too"),
        ui.say(
            "A causal mask belongs to places: the token in first place sees itself only, whichever "
            "it is. So it changes the outputs without any positions. Some models that write word "
            "by word know the order by nothing else.",
            "Try it. Choose a mask in the sidebar, with positions off. Then type one word three "
            "times, with no mask: without positions its three outputs are equal, and with them "
            "they differ.",
        ),
        ui.takeaway(
            "Attention sees a bag of tokens. Order comes from outside: by positions, or by a mask."
        ),
    )
)
ui.maths(
    lesson,
    "O_diff",
    r"A permutation matrix has $P^{\top} P = I$. With $Q_P = P Q$, $K_P = P K$ and $V_P = P V$ the "
    r"scores are $Q_P K_P^{\top} = P\, Q K^{\top} P^{\top}$: rows and columns permute. The softmax "
    r"works row by row, so $A_P = P A P^{\top}$, and $O_P = P A P^{\top} P V = P O$. Without a "
    r"mask of places, $P^{\top} O_P = O$ exactly.",
    r"Positions (Vaswani et al. 2017, section 3.5), for the place $p$ counted from 0: "
    r"$Pos_{p,\,2t} = \sin(p / 10000^{2t/d_{model}})$ and "
    r"$Pos_{p,\,2t+1} = \cos(p / 10000^{2t/d_{model}})$. The second run uses $P X + Pos$, and not "
    r"$P (X + Pos)$: that is why it differs.",
    "A computer adds the terms of a sum in another order, and its last bits may differ. What "
    "agrees to 12 digits counts as equal here.",
)
ui.turn_page(lesson)
