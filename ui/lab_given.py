"""What a lab gives beside the numbers of the example: matrices whose cells can be typed over too.

A key here is a key of `Inputs.given`, of links and of the board. What is typed into such a matrix
stands among the edits of the link as any other number that was typed over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from attention_core import AttentionError, Cell, Inputs
from attention_core.inputs import EDIT_LIMIT
from attention_core.matrix import Array, as_array
from ui.settings import Settings
from ui.words import SATURATED


@dataclass(frozen=True)
class LabGiven:
    """What stands in the matrix before anything is typed, and how large a typed number may be."""

    start: Callable[[Inputs, Settings], Array]
    limit: float = EDIT_LIMIT


def _scores(inputs: Inputs, settings: Settings) -> Array:
    """One row of scores: those of the last token before any mask, or the row of a source."""
    if settings.row == SATURATED:
        return as_array("s", [[16, 5, 0, 4.5]])
    return inputs.graph()["S"].value[-1:]


# Scores may be larger than other numbers: a softmax has to bear that.
LAB_GIVEN: dict[str, LabGiven] = {"s": LabGiven(_scores, 10_000.0)}


def limit_of(key: str) -> float:
    """How large a number typed into a matrix may be."""
    return LAB_GIVEN[key].limit if key in LAB_GIVEN else EDIT_LIMIT


def edited(inputs: Inputs, settings: Settings) -> tuple[Inputs, list[tuple[Cell, AttentionError]]]:
    """The numbers after all edits, and the edits that cannot be made, each with why.

    What a lab gives may follow from the example's own numbers: so these are typed over first.
    """
    own = [edit for edit in settings.edits if edit[0].symbol not in LAB_GIVEN]
    inputs, refused = _typed(inputs, own)
    added = {key: lab.start(inputs, settings) for key, lab in LAB_GIVEN.items()}
    inputs = replace(inputs, given={**inputs.given, **added})
    inputs, more = _typed(inputs, [edit for edit in settings.edits if edit not in own])
    return inputs, refused + more


def _typed(
    inputs: Inputs, edits: Iterable[tuple[Cell, float]]
) -> tuple[Inputs, list[tuple[Cell, AttentionError]]]:
    refused: list[tuple[Cell, AttentionError]] = []
    for cell, number in edits:
        try:
            inputs = inputs.with_edit(cell, number, limit_of(cell.symbol))
        except AttentionError as why:
            refused.append((cell, why))
    return inputs, refused
