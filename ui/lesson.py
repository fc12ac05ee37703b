"""What a page works with: the settings of the link and the graph they stand for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import attention_core as core
from attention_core import ORDERS, VARIANTS, Graph, Inputs
from attention_core.variants.variant import Value, chosen
from ui.given import factor_of, frozen_of, inputs_of, mask_of
from ui.options import OPTIONS
from ui.pages import BESIDE, Page
from ui.settings import PADDING, Settings
from ui.words import CLAIMS, LAST


@dataclass(frozen=True)
class Lesson:
    """One page run: where we are, what the viewer set, and the computation."""

    page: Page
    settings: Settings
    inputs: Inputs
    graph: Graph

    @property
    def middle(self) -> int:
        """The row of the token in the middle: some keys stand before it and some after."""
        return len(self.inputs.tokens) // 2

    @property
    def last(self) -> int:
        """The row of the last token."""
        return len(self.inputs.tokens) - 1

    @property
    def masked(self) -> bool:
        """Whether the viewer's mask has a meaning here."""
        return self.page.form not in VARIANTS or VARIANTS[self.page.form].masks

    @property
    def chosen(self) -> dict[str, Value]:
        """The values of all options, as they are used."""
        return chosen(tuple(OPTIONS.values()), self.inputs, dict(self.settings.options))

    def option(self, name: str) -> Value:
        """The value of one of them."""
        return self.chosen[name]


def _plain(graph: Graph, settings: Settings) -> Graph:
    return graph


def _steps(graph: Graph, settings: Settings) -> Graph:
    return core.softmax_in_steps(graph, shift=settings.shift or core.overflows(graph))


def _whole(graph: Graph, settings: Settings) -> Graph:
    given = inputs_of(settings)[0].given
    return core.residual(graph, given["W_O"]) if "X" in graph else graph


def _beside(graph: Graph, settings: Settings) -> Graph:
    was = frozen_of(settings)[0]
    graph = _whole(graph, settings)
    return core.beside(graph, graph_of(was, "whole")) if was else graph


def _sharpen(graph: Graph, settings: Settings) -> Graph:
    scores, S = inputs_of(settings)[0].given["s"], graph["S"]
    if settings.row != LAST:
        return core.sharpen(scores, settings.tau, settings.offset)
    whose = S.rows.unique(S.rows.size - 1)
    return core.sharpen(scores, settings.tau, settings.offset, whose, S.cols.labels)


def _directed(graph: Graph, settings: Settings) -> Graph:
    graph = core.cosines(core.one_for_both(graph))
    return core.one_matrix(graph) if "X" in graph else graph


def _order(graph: Graph, settings: Settings) -> Graph:
    if settings.positions and "X" in graph:
        graph = core.with_positions(graph)
    order = ORDERS[settings.order][1](graph["O"].rows.size)
    # Padding belongs to a token and moves with it; the other masks belong to places.
    return core.reordered(graph, order, mask_moves=settings.mask == PADDING)


def _head_weights(graph: Graph, settings: Settings) -> Graph:
    columns = graph["W_Q"].cols.size if "W_Q" in graph else 1
    heads = next((h for h in range(2, columns + 1) if columns % h == 0), 1)  # the fewest
    return core.head_weights(graph, heads) if heads > 1 else graph


def _without_value(graph: Graph, settings: Settings) -> Graph:
    """Without the value that the first token attends to most, of those that may attend at all."""
    tops = (graph.largest("A", row) for row in range(graph["A"].shape[0]))
    return core.without_value(graph, next((cells[0].col for cells in tops if cells), 0))


def _stream(graph: Graph, settings: Settings) -> Graph:
    given = inputs_of(settings)[0].given
    return core.layered(graph, settings.layers, given["W_O"]) if "X" in graph else graph


# What a page shows beside the paper's quantities: a composition on top of attention. Those of the
# variants are in `attention_core.variants`.
_FORMS: dict[str, Callable[[Graph, Settings], Graph]] = {
    "plain": _plain,
    "look-up": lambda graph, settings: core.look_up(graph),
    "unscaled": lambda graph, settings: core.unscaled(graph),
    "steps": _steps,
    "whole": _whole,
    BESIDE: _beside,
    "mask errors": lambda graph, settings: core.mask_errors(graph),
    "sharpen": _sharpen,
    "directed": _directed,
    "order": _order,
    "stream": _stream,
    "sums": lambda graph, settings: core.column_sums(graph),
    "short values": lambda graph, settings: core.short_values(graph),
    "without value": _without_value,
    "head weights": _head_weights,
    "claims": lambda graph, settings: _FORMS[CLAIMS[settings.claim]](graph, settings),
}


@lru_cache(maxsize=256)
def graph_of(settings: Settings, form: str = "plain") -> Graph:
    """The computation that settings stand for. A graph never changes, so learners share it."""
    inputs = inputs_of(settings)[0]
    graph = inputs.graph(mask_of(settings, len(inputs.tokens)), factor_of(settings))
    if form in VARIANTS:
        return VARIANTS[form].graph(graph, inputs, dict(settings.options))
    return _FORMS[form](graph, settings)
