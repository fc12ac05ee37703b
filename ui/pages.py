"""The map of pages: their files, titles, places in the course and parts of the formula."""

from __future__ import annotations

from dataclasses import dataclass

STEPS = 8


@dataclass(frozen=True)
class Page:
    """One page: its file (from the app's root), its title and its step in the course."""

    file: str
    title: str
    step: int | None = None
    group: str = ""

    @property
    def label(self) -> str:
        """What the navigation shows."""
        return f"{self.step}\u2002{self.title}" if self.step else self.title


START = Page("app.py", "Start")
SCORE = Page("pages/3_Score.py", "Score", 3, "Learn")

PAGES: tuple[Page, ...] = (START, SCORE)
