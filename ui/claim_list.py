"""The claims to vote on: what each says, whether it holds, and the board that settles it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ui import claim_proofs as proofs
from ui import claim_shapes as shapes
from ui.board.layout import Line
from ui.pages import (
    BLEND,
    DIRECTED,
    MASK,
    MASKS_LAB,
    MIX,
    ORDER,
    PROJECT,
    SCALE,
    SHARPEN,
    SOFTMAX,
    WHOLE,
    Page,
    variant,
)
from ui.settings import NONE


@dataclass(frozen=True)
class Claim:
    """Something people say, whether it holds, and what settles it.

    ``think`` is asked of who votes wrongly. ``settles`` names the cell that shows it on the
    viewer's numbers, with the sentence that reads it; ``None`` where these numbers do not show it.
    ``lines`` stand on the board, ``page`` tells more. ``mask`` is the mask that the claim is opened
    with.
    """

    says: str
    holds: bool
    think: str
    lines: tuple[Line, ...]
    settles: Callable[[proofs.Reader], proofs.Proof]
    page: Page
    mask: str = NONE


CLAIM_LIST: dict[str, Claim] = {
    "parameters": Claim(
        "Q, K and V are the weights of the model.",
        False,
        "Which of them stay the same when the text changes?",
        (Line("Q", "Queries"), Line("K", "Keys"), Line("V", "Values")),
        shapes.parameters,
        PROJECT,
    ),
    "normalise": Claim(
        "Softmax just normalises the scores.",
        False,
        "Would it be enough to divide each score by the sum of all?",
        (Line("A_plain", "Divided by the sum"), Line("A", "The softmax")),
        proofs.sharpens,
        SHARPEN,
    ),
    "most": Claim(
        "The token with the largest weight gives the most to every number of the output.",
        False,
        "A weight is multiplied by a value. How large are the values?",
        (Line("O", "Weights × values"),),
        proofs.takes_but_adds_little,
        MIX,
    ),
    "thinks": Claim(
        "Attention weights show what the model thinks.",
        False,
        "What if the token with the largest weight had a value of nothing but 0?",
        (
            Line("O", "Weights × values"),
            Line("O_zero", "The same weights, and one value set to 0"),
        ),
        proofs.weights_do_not_tell,
        BLEND,
    ),
    "d_model": Claim(
        "Scores are divided by √d_model.",
        False,
        "How many products are added up in one score?",
        (Line("S_scaled", "The scaling"),),
        shapes.by_d_k,
        SCALE,
    ),
    "late": Claim(
        "One may as well set weights to 0 after the softmax.",
        False,
        "What do the weights that are left add up to?",
        (
            Line("A", "Masked before the softmax"),
            Line("A_late", "Set to 0 after it"),
            Line("Z_late", "What the rows add up to then"),
        ),
        proofs.late,
        MASKS_LAB,
        mask="causal",
    ),
    "columns": Claim(
        "The weights of a column add up to 1.",
        False,
        "Who shares out its attention: the query or the key?",
        (Line("A", "Weights"), Line("Z_down", "What the columns add up to")),
        proofs.rows_not_columns,
        SOFTMAX,
    ),
    "anything": Claim(
        "Each output lies between the smallest and the largest value of its column.",
        True,
        "Can shares that add up to 1 give more than the largest number that they are taken of?",
        (Line("O", "Weights × values"),),
        proofs.within,
        BLEND,
    ),
    "length": Claim(
        "Values may be shorter than keys.",
        True,
        "What is a key multiplied with, and what a value?",
        (
            Line("V_short", "Values, cut to their first number"),
            Line("O_short", "Blended as before"),
        ),
        shapes.any_length,
        MIX,
    ),
    "order": Claim(
        "Attention knows which word comes first.",
        False,
        "Where in softmax(QKᵀ/√d_k)V does a place stand?",
        (
            Line("O", "As typed"),
            Line("O_back", "In another order, put back"),
            Line("O_diff", "The difference"),
        ),
        proofs.no_order,
        ORDER,
    ),
    "ranking": Claim(
        "The scaling leaves the largest score of a row the largest.",
        True,
        "Which of two numbers is larger after both are divided by the same positive number?",
        (Line("S", "Scores"), Line("S_scaled", "Scaled scores")),
        shapes.same_winner,
        SCALE,
    ),
    "mutual": Claim(
        "One token can attend to another more than that one attends back.",
        True,
        "Whose query meets whose key, this way and that way?",
        (Line("A", "Weights"),),
        proofs.one_way,
        DIRECTED,
    ),
    "cosine": Claim(
        "A score is the cosine of the angle between query and key.",
        False,
        "What happens to a score when its key gets twice as long?",
        (Line("S", "Scores"), Line("C", "Cosines")),
        shapes.no_cosine,
        DIRECTED,
    ),
    "maximum": Claim(
        "Taking the largest score off first leaves the weights as they are.",
        True,
        "e to a score less 5 is e to the score, divided by what? And the sum?",
        (Line("A", "Without it"), Line("A_m", "With it")),
        proofs.same_weights,
        SHARPEN,
    ),
    "zero": Claim(
        "A softmax gives every key that is not blocked more than 0.",
        True,
        "To which power does e become 0?",
        (Line("A", "Weights"),),
        proofs.never_zero,
        SOFTMAX,
    ),
    "replaced": Claim(
        "Attention replaces the embedding of a token by its output.",
        False,
        "What does the plus do at the end of a layer?",
        (Line("U", "The update"), Line("X_out", "What goes on to the next layer")),
        shapes.added,
        WHOLE,
    ),
    "itself": Claim(
        "A token can attend to itself.",
        True,
        "Which keys does a query meet?",
        (Line("A", "Weights"),),
        proofs.itself,
        SOFTMAX,
    ),
    "cached": Claim(
        "A model that writes word by word has to keep its old queries.",
        False,
        "The next word has a query. What else does it need of the words before?",
        (Line("S", "Every query with every key"), Line("O", "Weights × values")),
        shapes.own_query,
        MASK,
        mask="causal",
    ),
    "heads": Claim(
        "More heads mean more parameters.",
        False,
        "Does each head get columns of its own, or a share of those that there are?",
        (
            Line("W_Q", "One head: all columns"),
            Line("W_Q_1", "Several heads: the first gets these columns"),
            Line("W_Q_2", "… and the second these"),
        ),
        shapes.same_columns,
        variant("heads"),
    ),
}
