"""The map of pages: their files, titles, places in the course and parts of the formula."""

from __future__ import annotations

from dataclasses import dataclass

# The steps of the course: title, colour role, and what the step does.
COURSE: tuple[tuple[str, str, str], ...] = (
    ("Embed", "x", "Each token becomes a row of numbers."),
    ("Project", "q", "Each row is turned into a query, a key and a value."),
    ("Score", "s", "Every query meets every key: one number for each pair."),
    ("Scale", "s", "The scores are divided by √<i>d<sub>k</sub></i>, so that they stay moderate."),
    ("Mask", "m", "Keys that must not be seen are blocked."),
    ("Softmax", "a", "Each row of scores becomes weights that add up to 1."),
    ("Mix", "v", "Each token takes the values of all tokens, by its weights."),
    ("Whole", "o", "All of it at once, and one number followed home."),
)


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
