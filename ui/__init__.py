"""What a page may call."""

from ui.asks import largest_in_row
from ui.board import board
from ui.frame import frame
from ui.pages import PAGES, SCORE, START
from ui.panels import (
    choose_numbers,
    course,
    heading,
    maths,
    question,
    takeaway,
    turn_page,
)

__all__ = [
    "PAGES",
    "SCORE",
    "START",
    "board",
    "choose_numbers",
    "course",
    "frame",
    "heading",
    "largest_in_row",
    "maths",
    "question",
    "takeaway",
    "turn_page",
]
