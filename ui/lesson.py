"""What a page works with: the settings of the link and the graph they stand for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from attention_core import MASKS, Graph, Inputs
from ui.pages import Page
from ui.settings import Settings, inputs_of


@dataclass(frozen=True)
class Lesson:
    """One page run: where we are, what the viewer set, and the computation."""

    page: Page
    settings: Settings
    inputs: Inputs
    graph: Graph

    @property
    def last(self) -> int:
        """The row of the last token."""
        return len(self.inputs.tokens) - 1


@lru_cache(maxsize=256)
def graph_of(settings: Settings) -> Graph:
    """The computation that settings stand for. A graph never changes, so learners share it."""
    inputs = inputs_of(settings)[0]
    _, mask = MASKS[settings.mask]
    return inputs.graph(mask(len(inputs.tokens)))
