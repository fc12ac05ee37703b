"""Variant: a loss, every gradient, and one step of learning."""

import ui

HERE = ui.variant("gradients")

lesson = ui.frame(HERE)
ui.question(
    lesson.page,
    "How does attention learn where to look?",
    "Say what one output should have been. The [[loss]] L tells how far off it is. Then walk back "
    "through the same ops: each number gets a [[gradient]], which says how L would answer if that "
    "number rose a little. A small step against the gradients makes the loss smaller.",
    "Q",
    "A",
    "O",
)
ui.write(ui.presets(HERE, *ui.gradients.losses_to_try(lesson)), ui.say(ui.given(lesson)))
ui.gradients.choose_loss(lesson)
ui.write(ui.say(*ui.gradients.about_the_loss(lesson)))
ui.board(lesson, ui.gradients.board(lesson), ui.gradients.rises_most(lesson))
ui.write(
    ui.heading("Back through the same ops"),
    ui.say(
        "Each matrix has its gradient by it, with a d in front. Start at the loss: half a squared "
        "error has the error itself as its slope, so dO = R. Then each op hands the gradient on "
        "to what it was made from, and it does so with ops. Click a cell of a gradient: it "
        "explains itself like any other.",
    ),
    ui.gradients.ways_back(lesson),
    ui.say(ui.gradients.shares_of_x(lesson), ui.gradients.shut_off(lesson)),
    ui.later(
        ui.gradients.softmax_row(lesson),
        ui.gradients.see_slopes(lesson),
        ui.descent.what_it_did(lesson),
    ),
    ui.heading("Checked by trying"),
    ui.say(
        "A gradient is a claim that can be tested without going back. Move one number up by a "
        "little ε and compute the loss. Move it down by ε and compute the loss. Divide the "
        "difference by 2ε. Here ε = 10⁻⁵, and each line is the number with the largest gradient "
        "of its matrix."
    ),
    ui.descent.differences(lesson),
    ui.takeaway(
        "Going back through the ops tells every number how the loss answers to it. Learning is a "
        "small step the other way, again and again."
    ),
)
ui.maths(
    lesson,
    "dS_masked",
    r"The chain rule for a product: for $O = A V$ and a loss $L$, "
    r"$\partial L / \partial A = (\partial L / \partial O)\, V^{\top}$ and "
    r"$\partial L / \partial V = A^{\top} (\partial L / \partial O)$.",
    r"The softmax: $\partial L / \partial s_j = \sum_i (\partial L / \partial a_i)\, J_{ij}$ with "
    r"$J_{ij} = \partial a_i / \partial s_j = a_i(\delta_{ij} - a_j)$. Written out, that is $a_j "
    r"(\partial L / \partial a_j - r)$ with $r = \sum_i a_i\, \partial L / \partial a_i$.",
    r"One step: $W \leftarrow W - \eta\, \partial L / \partial W$. To first order the loss changes "
    r"by $-\eta \sum (\partial L / \partial W)^2$, which is never above 0.",
)
ui.turn_page(lesson)
