"""The way through the course, and back."""

from __future__ import annotations

from ui.given import inputs_of
from ui.lesson import Lesson, graph_of
from ui.pages import COURSE, EMBED, MASK, PLAYGROUND, WHOLE, Page
from ui.settings import Settings
from ui.walk import walk_of


def lesson(page: Page, **settings: str) -> Lesson:
    chosen = Settings(**settings)  # type: ignore[arg-type]
    return Lesson(page, chosen, inputs_of(chosen)[0], graph_of(chosen, page.form))


def test_nobody_walks_who_did_not_start_to() -> None:
    assert walk_of(lesson(MASK)) is None
    assert walk_of(lesson(PLAYGROUND, walk="pages")) is None


def test_the_walk_goes_through_all_steps_in_order_and_ends() -> None:
    passed = [walk_of(lesson(page, walk="pages")) for page in COURSE]
    ways = [(walk["prev"], walk["next"]) for walk in passed if walk]
    assert len(ways) == 8
    assert ways[0][0] is None
    assert ways[-1][1] == {
        "href": "Playground?v=1",
        "label": "Playground",
        "end": True,
    }
    onward = [after["href"].partition("?")[0] for _, after in ways[:-1]]
    assert onward == [page.address for page in COURSE[1:]]
    back = [before["href"].partition("?")[0] for before, _ in ways[1:]]
    assert back == [page.address for page in COURSE[:-1]]


def test_cell_by_cell_the_next_page_begins_with_no_cell() -> None:
    walk = walk_of(lesson(EMBED, walk="cells", example="cat"))
    assert walk is not None
    assert walk["next"]["href"] == "Project?v=1&example=cat&walk=cells&step=0"
    assert "step" not in walk["toggle"]
    pages = walk_of(lesson(EMBED, walk="pages"))
    assert pages is not None
    assert pages["toggle"] == "Embed?v=1&walk=cells&step=0"


def test_who_stops_stays_on_the_page_with_all_settings() -> None:
    walk = walk_of(lesson(WHOLE, walk="cells", mask="causal"))
    assert walk is not None
    assert walk["stop"] == "Whole?v=1&mask=causal"
