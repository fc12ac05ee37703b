"""The page of misconceptions: claims to vote on, and the board that settles each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from attention_core import Cell
from ui import claim_proofs as proofs
from ui.asks import Ask, row_of
from ui.board.layout import Layout, Line
from ui.lesson import Lesson
from ui.pages import DIRECTED, MASKS_LAB, MIX, ORDER, PROJECT, SCALE, SHARPEN, SOFTMAX, WHOLE, Page
from ui.panels import presets, say, see
from ui.settings import CLAIMS, NONE, Settings


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


_LIST: dict[str, Claim] = {
    "parameters": Claim(
        "Q, K and V are the weights of the model.",
        False,
        (Line("Q", "Queries"), Line("K", "Keys"), Line("V", "Values")),
        proofs.parameters,
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
        proofs.by_d_k,
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
        proofs.added,
        WHOLE,
    ),
    "itself": Claim(
        "A token can attend to itself.",
        True,
        (Line("A", "Weights"),),
        proofs.itself,
        SOFTMAX,
    ),
}


def claim_of(lesson: Lesson) -> Claim:
    """The claim that is voted on."""
    return _LIST[lesson.settings.claim]


def claims(lesson: Lesson) -> str:
    """Links to all claims, with what each needs to be seen."""
    return presets(
        lesson.page,
        *((claim.says, _opened(lesson.settings, key, claim)) for key, claim in _LIST.items()),
    )


def next_claim(lesson: Lesson) -> str:
    """Links to what tells more of this claim, and to the next one."""
    keys = list(CLAIMS)
    key = keys[(keys.index(lesson.settings.claim) + 1) % len(keys)]
    following = _opened(lesson.settings, key, _LIST[key])
    more = see(lesson, claim_of(lesson).page, f"More of this: {claim_of(lesson).page.title}")
    return more + presets(lesson.page, (f"Next: {_LIST[key].says}", following))


def _opened(settings: Settings, key: str, claim: Claim) -> Settings:
    return replace(settings, claim=key, mask=claim.mask, allow="", positions=False, row="last")


def claim_board(lesson: Lesson) -> Layout:
    """The board that settles the claim."""
    lines = claim_of(lesson).lines
    return Layout(lines[-1].key, lines, tags=lesson.settings.claim == "parameters")


def vote(lesson: Lesson) -> Ask | None:
    """True or false? The row that settles it is hidden. Not where these numbers settle nothing."""
    claim = claim_of(lesson)
    settled = claim.settles(proofs.Reader(lesson.graph, lesson.settings.decimals))
    if settled is None:
        return None
    cell, because = settled
    verdict = "It is true." if claim.holds else "It is false."
    return Ask(
        title=f"«{claim.says}» True or false?",
        hint="Before you look: vote, and the board opens.",
        cells=row_of(lesson.graph[cell.symbol], cell.row),
        pin=cell,
        right=f"Right. {verdict} {because}",
        wrong="Look at it once more, or let it be shown.",
        given=f"{verdict} {because}",
        options=(("True", claim.holds), ("False", not claim.holds)),
    )


def unsettled(lesson: Lesson) -> str:
    """What to do where the numbers at hand do not show it."""
    if vote(lesson):
        return ""
    return say(
        f"«{claim_of(lesson).says}»",
        "These numbers do not show whether that is so. Choose another example, no mask, or other "
        "numbers.",
    )
