"""The page of misconceptions: claims to vote on, and the board that settles each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from attention_core import Cell, Graph
from ui.asks import Ask
from ui.board.layout import Layout
from ui.claim_list import CLAIM_LIST, Claim
from ui.claim_proofs import Proof, Reader
from ui.lesson import Lesson, graph_of
from ui.pages import Page
from ui.panels import presets, say, see
from ui.prose import anchor
from ui.readers import ROOT
from ui.settings import MAX_DECIMALS, Settings
from ui.words import CLAIMS, LAST

_DECIMALS = 2  # with fewer, many numbers look alike that are not


def claim_of(lesson: Lesson) -> Claim:
    """The claim that is voted on."""
    return CLAIM_LIST[lesson.settings.claim]


def claims(lesson: Lesson) -> str:
    """Links to all claims; the one that is open is marked."""
    settings = lesson.settings
    links = (
        anchor(
            lesson.page.link(_opened(settings, key).query()),
            claim.says,
            ' aria-current="true"' if key == settings.claim else "",
        )
        for key, claim in CLAIM_LIST.items()
    )
    return f'<div class="presets">{"".join(links)}</div>'


def next_claim(lesson: Lesson) -> str:
    """Links to what tells more of this claim, and to the next one."""
    keys = list(CLAIMS)
    key = keys[(keys.index(lesson.settings.claim) + 1) % len(keys)]
    page = claim_of(lesson).page
    following = (f"Next: {CLAIM_LIST[key].says}", _opened(lesson.settings, key))
    return see(lesson, page, f"More of this: {page.title}") + presets(lesson.page, following)


def _opened(settings: Settings, key: str) -> Settings:
    """A claim with the viewer's numbers, and nothing set that would keep them from showing it."""
    return replace(
        settings,
        claim=key,
        mask=CLAIM_LIST[key].mask,
        allow="",
        scale=ROOT,
        tied=False,
        positions=False,
        row=LAST,
        decimals=max(settings.decimals, _DECIMALS),
    )


def claim_board(lesson: Lesson) -> Layout:
    """The board that settles the claim."""
    lines = claim_of(lesson).lines
    return Layout(lines[-1].key, lines, tags=lesson.settings.claim == "parameters")


def vote(lesson: Lesson) -> Ask | None:
    """True or false? The board is closed until then. Not where these numbers settle nothing."""
    claim = claim_of(lesson)
    settled = _settled(lesson.settings, lesson.graph)
    if settled is None:
        return None
    cell, because = settled
    verdict = "It is true." if claim.holds else "It is false."
    return Ask(
        title="True or false?",
        hint="Vote, and the board opens.",
        # One cell that is always there: other settings do not ask again what was answered.
        cells=(Cell(claim_board(lesson).on(lesson.graph).main, 0, 0),),
        pin=cell,
        right=f"Right. {verdict} {because}",
        wrong=f"Not so. {claim.think}",
        given=f"{verdict} {because}",
        options=(("True", claim.holds), ("False", not claim.holds)),
        opens=True,
    )


def _settled(settings: Settings, graph: Graph) -> Proof:
    return CLAIM_LIST[settings.claim].settles(Reader(graph, settings.decimals))


def unsettled(lesson: Lesson) -> str:
    """Where the numbers at hand do not show it: a link to some that do."""
    if _settled(lesson.settings, lesson.graph):
        return ""
    return say("These numbers do not show whether that is so.") + presets(
        lesson.page, *_settling(lesson.settings, lesson.page)
    )


def _settling(settings: Settings, page: Page) -> Iterator[tuple[str, Settings]]:
    """Settings that settle the claim: the viewer's own numbers if they can, else the example's."""
    mine = _opened(settings, settings.claim)
    others = Settings(decimals=mine.decimals)
    for text, start in (
        ("Use settings that show it", mine),
        ("Show more decimals", replace(mine, decimals=MAX_DECIMALS)),
        ("Use numbers that show it", _opened(others, settings.claim)),
    ):
        if _settled(start, graph_of(start, page.form)):
            yield text, start
            return
