"""The claims to vote on: what each says, whether it holds, and the board that settles it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from attention_core import Cell
from ui import claim_proofs as proofs
from ui import claim_shapes as shapes
from ui.board.layout import Line
from ui.pages import (
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
)
from ui.settings import NONE


@dataclass(frozen=True)
class Claim:
    """Something people say, whether it holds, and what settles it.

    ``settles`` names the cell that shows it on the viewer's numbers, with the sentence that reads
    it; ``None`` where these numbers do not show it. ``lines`` stand on the board, ``page`` tells
    more. ``mask`` is the mask that the claim is opened with.
    """

    says: str
    holds: bool
    lines: tuple[Line, ...]
    settles: Callable[[proofs.Reader], tuple[Cell, str] | None]
    page: Page
    mask: str = NONE


CLAIM_LIST: dict[str, Claim] = {
    "parameters": Claim(
        "Q, K and V are the weights of the model.",
        False,
        (Line("Q", "Queries"), Line("K", "Keys"), Line("V", "Values")),
        shapes.parameters,
        PROJECT,
    ),
    "normalise": Claim(
        "Softmax just normalises the scores.",
        False,
        (Line("A_plain", "Divided by the sum"), Line("A", "The softmax")),
        proofs.sharpens,
        SHARPEN,
    ),
    "most": Claim(
        "The token with the largest weight gives the most to every number of the output.",
        False,
        (Line("O", "Weights × values"),),
        proofs.takes_but_adds_little,
        MIX,
    ),
    "d_model": Claim(
        "Scores are divided by √d_model.",
        False,
        (Line("S_scaled", "The scaling"),),
        shapes.by_d_k,
        SCALE,
    ),
    "late": Claim(
        "One may as well set weights to 0 after the softmax.",
        False,
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
        (Line("A", "Weights"), Line("Z_down", "What the columns add up to")),
        proofs.rows_not_columns,
        SOFTMAX,
    ),
    "anything": Claim(
        "An output can be larger than every value.",
        False,
        (Line("O", "Weights × values"),),
        proofs.within,
        MIX,
    ),
    "length": Claim(
        "Values must be as long as keys.",
        False,
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
        (
            Line("O", "As typed"),
            Line("O_back", "In another order, put back"),
            Line("O_diff", "The difference"),
        ),
        proofs.no_order,
        ORDER,
    ),
    "ranking": Claim(
        "Dividing by √d_k can change which key scores highest.",
        False,
        (Line("S", "Scores"), Line("S_scaled", "Scaled scores")),
        proofs.same_winner,
        SCALE,
    ),
    "mutual": Claim(
        "If one token attends to another, the other attends to it as much.",
        False,
        (Line("A", "Weights"),),
        proofs.one_way,
        DIRECTED,
    ),
    "cosine": Claim(
        "A score is the cosine of the angle between query and key.",
        False,
        (Line("S", "Scores"), Line("C", "Cosines")),
        proofs.no_cosine,
        DIRECTED,
    ),
    "maximum": Claim(
        "Taking the largest score off first leaves the weights as they are.",
        True,
        (Line("A", "Without it"), Line("A_m", "With it")),
        proofs.same_weights,
        SHARPEN,
    ),
    "zero": Claim(
        "A softmax gives the worst keys a weight of exactly 0.",
        False,
        (Line("A", "Weights"),),
        proofs.never_zero,
        SOFTMAX,
    ),
    "replaced": Claim(
        "Attention replaces the embedding of a token by its output.",
        False,
        (Line("U", "The update"), Line("X_out", "What goes on to the next layer")),
        shapes.added,
        WHOLE,
    ),
    "itself": Claim(
        "A token can attend to itself.",
        True,
        (Line("A", "Weights"),),
        proofs.itself,
        SOFTMAX,
    ),
    "cached": Claim(
        "A model that writes word by word has to keep its old queries.",
        False,
        (Line("S", "Every query with every key"), Line("O", "Weights × values")),
        shapes.own_query,
        MASK,
        mask="causal",
    ),
    "heads": Claim(
        "More heads mean more parameters.",
        False,
        (
            Line("W_Q", "One head: all columns"),
            Line("W_Q_1", "Two heads: the first gets these columns"),
            Line("W_Q_2", "… and the second these"),
        ),
        shapes.same_columns,
        PROJECT,
    ),
}
