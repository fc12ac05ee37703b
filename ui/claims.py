"""The page of misconceptions: claims to vote on, and the board that settles each."""

from __future__ import annotations

from dataclasses import replace

from ui.asks import Ask, row_of
from ui.board.layout import Layout
from ui.claim_list import CLAIM_LIST, Claim
from ui.claim_proofs import Reader
from ui.lesson import Lesson
from ui.panels import presets, say, see
from ui.settings import CLAIMS, Settings


def claim_of(lesson: Lesson) -> Claim:
    """The claim that is voted on."""
    return CLAIM_LIST[lesson.settings.claim]


def claims(lesson: Lesson) -> str:
    """Links to all claims, with what each needs to be seen."""
    return presets(
        lesson.page,
        *((claim.says, _opened(lesson.settings, key, claim)) for key, claim in CLAIM_LIST.items()),
    )


def next_claim(lesson: Lesson) -> str:
    """Links to what tells more of this claim, and to the next one."""
    keys = list(CLAIMS)
    key = keys[(keys.index(lesson.settings.claim) + 1) % len(keys)]
    following = _opened(lesson.settings, key, CLAIM_LIST[key])
    more = see(lesson, claim_of(lesson).page, f"More of this: {claim_of(lesson).page.title}")
    return more + presets(lesson.page, (f"Next: {CLAIM_LIST[key].says}", following))


def _opened(settings: Settings, key: str, claim: Claim) -> Settings:
    return replace(settings, claim=key, mask=claim.mask, allow="", positions=False, row="last")


def claim_board(lesson: Lesson) -> Layout:
    """The board that settles the claim."""
    lines = claim_of(lesson).lines
    return Layout(lines[-1].key, lines, tags=lesson.settings.claim == "parameters")


def vote(lesson: Lesson) -> Ask | None:
    """True or false? The row that settles it is hidden. Not where these numbers settle nothing."""
    claim = claim_of(lesson)
    settled = claim.settles(Reader(lesson.graph, lesson.settings.decimals))
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
