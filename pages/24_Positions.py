"""Variant: ways to tell a token's place."""

import ui
from ui.charts.turns import turn_charts

HERE = ui.variant("positions")

lesson = ui.frame(HERE)
ui.question(
    lesson.page,
    "How does a score know how far apart two tokens are?",
    "By itself it does not: attention sees a bag of tokens. There are three common ways to tell it "
    "the places. Add numbers to X ([[sinusoidal|position]]), turn queries and keys by an angle "
    "([[rotary|rotary positions]]), or take the distance off the scores ([[ALiBi]]).",
    "S",
)
ui.write(ui.presets(HERE, *ui.positions.to_try(lesson)))
ui.choose(lesson, "encoding")
if lesson.option("encoding") == "alibi":
    ui.choose(lesson, "slope")
if lesson.option("encoding") != "none":
    ui.choose(lesson, "moved")
ui.write(ui.say(ui.given(lesson), ui.positions.not_here(lesson), ui.positions.how_told(lesson)))
ui.board(lesson, ui.positions.layout(lesson), ui.positions.scores_stay(lesson))
turns = turn_charts(lesson)
if turns:
    ui.charts(*turns)
ui.write(
    ui.later(
        ui.say(ui.positions.on_diagonals(lesson)),
        ui.heading("Added to X: sinusoidal"),
        ui.say(
            "Pos goes through W_Q, W_K and W_V, together with X. So a score mixes two tokens with "
            "two places, and as a rule it changes when both move on. What a distance means, the "
            "weights have to learn.",
        ),
        ui.heading("Turned: rotary"),
        ui.say(
            "Take a pair of components as an arrow in a plane. The place turns it: the farther on "
            "a token stands, the farther its arrows are turned. The first pair turns quickly, and "
            "later pairs more and more slowly, like the hands of a clock.",
            "A dot product depends on the angle between two arrows. Turn both alike, and it stays. "
            "So of two places i and j only i − j is left in a score. Pin a cell of Q_rot, and see "
            "the cosine and the sine that made it.",
            "In matrices: with R(p) for all turns at place p, R(i)ᵀ·R(j) = R(j − i). So "
            "R(i)q · R(j)k = q · R(j − i)k.",
        ),
        ui.heading("Which components are partners?"),
        ui.say(
            "The RoFormer paper pairs neighbours. GPT-NeoX pairs the first half with the second. "
            "It is the same rotation of other columns. Llama was published with neighbours, and "
            "the Transformers library runs it with halves: there the columns of W_Q and W_K stand "
            "in another order. Weights in one order with the other layout give wrong scores, and "
            "no error says so.",
            ui.positions.two_layouts(lesson),
        ),
        ui.heading("Taken off: ALiBi"),
        ui.say(
            "No angle, and nothing added to X: the farther away a key is, the more is taken off "
            "its score. Each head has a slope of its own. A head with a large one looks near, and "
            "one with a small one looks far.",
        ),
        ui.positions.slopes(),
        ui.heading("Side by side"),
        ui.positions.ways(),
        ui.see(lesson, ui.ORDER, "See what happens without any positions"),
        ui.takeaway(
            "Added to X, the places themselves count in a score. With turned queries and keys, or "
            "with distances taken off, only the way from one token to the other counts."
        ),
    ),
)
ui.maths(
    lesson,
    ui.positions.told_by(lesson),
    r"Frequencies (Vaswani et al. 2017; Su et al. 2021): pair $t$, counted from 0, turns by "
    r"$\theta_t = 10000^{-2t/d}$ a place. So the angle at place $p$ is $\Phi_{p,t} = p\,\theta_t$.",
    r"Rotary: a pair $(a, b)$ becomes $(a \cos Φ - b \sin Φ,\; a \sin Φ + b \cos Φ)$. As one "
    r"complex number, $a + b\,\mathrm{i}$ is multiplied by $e^{\mathrm{i} p \theta_t}$. An odd "
    r"$d_k$ leaves the last component as it is, and $d = d_k - 1$.",
    r"ALiBi (Press, Smith and Lewis 2022): $S_{i,j} / \sqrt{d_k} - m\,|i - j|$. The bias is not "
    r"scaled. The paper has a causal mask, so that $i - j$ is never negative; keys after the "
    r"query are treated alike here. With $h$ heads, a power of 2, head $k$ has the slope "
    r"$m = 2^{-8k/h}$.",
    "A computer’s sines and cosines are rounded. What agrees to 12 digits counts as equal here.",
)
ui.turn_page(lesson)
