"""What a page works with: the settings of the link and the graph they stand for."""

from __future__ import annotations

from dataclasses import dataclass

from attention_core import MASKS, Graph, Inputs
from ui.pages import Page
from ui.settings import Settings


@dataclass(frozen=True)
class Lesson:
    """One page run: where we are, what the viewer set, and the computation."""

    page: Page
    settings: Settings
    inputs: Inputs
    graph: Graph

    @property
    def n(self) -> int:
        """How many tokens there are."""
        return len(self.inputs.tokens)

    @property
    def last(self) -> int:
        """The row of the last token."""
        return self.n - 1


def compute(page: Page, settings: Settings, inputs: Inputs) -> Lesson:
    """Run the computation of a page."""
    _, mask = MASKS[settings.mask]
    return Lesson(page, settings, inputs, inputs.graph(mask(len(inputs.tokens))))
