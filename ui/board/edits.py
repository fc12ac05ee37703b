"""What a viewer changes on the board itself: numbers typed over, and cells of the mask clicked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from attention_core import AttentionError, Cell, Graph, mask_from_text, mask_text
from ui.board.seen import as_link
from ui.given import inputs_of, mask_now, typed_over
from ui.readers import Unusable, read_cell, read_number
from ui.settings import CUSTOM, Settings

_MASK = "M"
_OPEN, _BLOCKED = "0", "-inf"


def edited(settings: Settings, said: Any, graph: Graph | None = None) -> tuple[Settings, list[str]]:
    """The settings after what the board said, and why something was left as it was.

    ``graph`` is what stands on the board: it may have tokens as columns.

    >>> edited(Settings(), {"typed": {"X:0,1": "2,5", "M:0,1": "-inf"}})[0].query()
    {'v': '1', 'mask': 'custom', 'allow': '101.111.111', 'edits': 'X:0,1=2.5'}
    >>> edited(Settings(), {"typed": {"X:0,1": "two"}})[1]
    ['X:0,1 was not changed: wanted a number such as 2 or -0.5']
    """
    said = said if isinstance(said, Mapping) else {}
    typed = said.get("typed")
    if said.get("reset") is True:
        settings = replace(settings, edits=())
    refused = []
    for place, text in typed.items() if isinstance(typed, Mapping) else ():
        try:
            cell = read_cell(str(place))
            cell = as_link(cell, graph) if graph else cell
            change = _masked if cell.symbol == _MASK else _numbered
            settings = change(settings, cell, str(text))
        except (Unusable, AttentionError) as why:
            refused.append(f"{str(place)[:40]} was not changed: {why}")
    return settings, refused


def _numbered(settings: Settings, cell: Cell, text: str) -> Settings:
    """One given number typed over."""
    return typed_over(settings, cell, read_number(text))


def _masked(settings: Settings, cell: Cell, text: str) -> Settings:
    """One key blocked for one query, or opened: the mask is the viewer's own from then on."""
    if text not in (_OPEN, _BLOCKED):
        raise Unusable(f"wanted {_OPEN} (may attend) or {_BLOCKED} (blocked)")
    allowed = mask_from_text(mask_now(inputs_of(settings)[2]))
    n, m = allowed.shape
    if not (cell.row < n and cell.col < m):
        raise Unusable(f"the mask is {n} × {m}")
    allowed[cell.row, cell.col] = text == _OPEN
    return replace(settings, mask=CUSTOM, allow=mask_text(allowed))
