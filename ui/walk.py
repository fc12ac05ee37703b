"""Walking through the course as a lesson: what the board's dock needs to know."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ui.lesson import Lesson
from ui.pages import COURSE, PLAYGROUND
from ui.settings import WALKS

_PAGES, _CELLS = WALKS


def walk_of(lesson: Lesson) -> dict[str, Any] | None:
    """The page's place in the walk, and the addresses that lead on, back and out of it."""
    page, settings = lesson.page, lesson.settings
    if not settings.walk or not page.step:
        return None
    cells = settings.walk == _CELLS
    query, stop = settings.query(), replace(settings, walk="").query()
    at = COURSE.index(page)
    before, after = COURSE[at - 1 : at] if at else (), COURSE[at + 1 : at + 2]
    onward = query | ({"step": "0"} if cells else {})
    end = {"href": PLAYGROUND.link(stop), "label": PLAYGROUND.label, "end": True}
    other = replace(settings, walk=_PAGES if cells else _CELLS).query()
    return {
        "at": f"{page.step} of {len(COURSE)}",
        "title": page.title,
        "prev": next(({"href": p.link(query), "label": p.label} for p in before), None),
        "next": next(({"href": p.link(onward), "label": p.label} for p in after), end),
        "stop": page.link(stop),
        "cells": cells,
        "toggle": page.link(other if cells else other | {"step": "0"}),
    }
