"""The viewer's place on the board: the pinned cell, what is revealed, the step.

It stands in the link like everything else. The board tells it as a small record; nothing of it is
trusted before it is read here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from attention_core import Cell, Graph
from ui.asks import Ask
from ui.board.layout import Layout
from ui.board.seen import Shapes, as_link, read_seen, written
from ui.readers import Unusable, read_cell, whole

MAX_SEEN = 1000
NOTHING = "none"  # the link's word for «no cell is pinned»


@dataclass(frozen=True)
class View:
    """Where the viewer is. ``step`` is ``None`` when all cells are shown.

    ``start`` is the cell that a page pins while the link says nothing. Links name cells with tokens
    as rows, also where the board has them as columns: ``shapes`` are those of its matrices there,
    and ``graph`` says which are turned.
    """

    cell: Cell | None = None
    seen: tuple[Cell, ...] = ()
    step: int | None = None
    open: bool = False
    edit: bool = False
    start: Cell | None = None
    shapes: Shapes = field(default_factory=dict, compare=False, repr=False)
    graph: Graph = field(default=Graph(()), compare=False, repr=False)

    def query(self) -> dict[str, str]:
        """The parameters of the link; what is as at the start is left out.

        >>> View(cell=Cell("S", 0, 1), open=True).query()
        {'cell': 'S:0,1', 'open': '1'}
        """
        unsaid = _unsaid(self.start, self.step)
        said = {
            "cell": "" if self.cell == unsaid else self._named(),
            "seen": written([as_link(cell, self.graph) for cell in self.seen], self.shapes),
            "step": "" if self.step is None else str(self.step),
            "open": "1" if self.open else "",
            "edit": "1" if self.edit else "",
        }
        return {name: text for name, text in said.items() if text}

    def _named(self) -> str:
        return str(as_link(self.cell, self.graph)) if self.cell else NOTHING

    def message(self, seq: int) -> dict[str, Any]:
        """What the board is told. ``seq`` echoes the board's own count of what it said."""
        return {
            "seq": seq,
            "cell": None if self.cell is None else str(self.cell),
            "seen": [str(cell) for cell in self.seen],
            "step": self.step,
            "open": self.open,
            "edit": self.edit,
        }


def read_view(
    query: Mapping[str, str],
    graph: Graph,
    layout: Layout,
    start: Cell | None = None,
    ask: Ask | None = None,
) -> tuple[View, list[str]]:
    """Read the viewer's place from a link; what does not exist is named in a notice.

    The layout is one that fits the graph (`Layout.on`). Once ``ask`` is answered, its cell is the
    one that the page pins: where other numbers have another answer, the pin goes there.

    >>> from attention_core import EXAMPLES
    >>> graph = EXAMPLES["love"].graph()
    >>> read_view({"cell": "S:0,1"}, graph, Layout("S").on(graph))[0].cell
    Cell(symbol='S', row=0, col=1)
    >>> read_view({"cell": "S:7,7"}, graph, Layout("S").on(graph))[1]
    ['The link pins the cell S:7,7, which is not on this board. Nothing is pinned.']
    """
    notices: list[str] = []
    shapes = _shapes(graph, layout)
    parts = [part for part in query.get("seen", "").split(";") if part]
    revealed, there = read_seen(parts[:MAX_SEEN], shapes)
    seen = tuple(as_link(cell, graph) for cell in revealed)
    start = _started(start, ask, seen)
    cell = _unsaid(start, 0 if query.get("step") == "0" else None)
    if query.get("cell"):
        named = _cell(query["cell"], shapes)
        cell = as_link(named, graph) if named else None
        if cell is None and query["cell"] != NOTHING:
            notices.append(
                f"The link pins the cell {query['cell'][:40]}, which is not on this board. "
                "Nothing is pinned."
            )
    if not there:
        notices.append("The link reveals cells that are not on this board. They were left out.")
    step = None
    if query.get("step"):
        try:
            step = whole(0, graph[layout.main].value.size)(query["step"])
        except Unusable as why:
            said = f"The link says step={query['step'][:40]}"
            notices.append(f"{said}: {why}. All cells are shown.")
    for name in ("open", "edit"):
        if query.get(name, "1") != "1":
            notices.append(f"The link says {name}={query[name][:40]}: wanted 1 or nothing.")
    opened, edit = query.get("open") == "1", query.get("edit") == "1"
    return View(cell, seen, step, opened, edit, start, shapes, graph), notices


def view_of(
    said: Mapping[str, Any],
    graph: Graph,
    layout: Layout,
    start: Cell | None = None,
    ask: Ask | None = None,
) -> View:
    """The view in what the board said. Anything malformed counts as not said."""
    seen, step = said.get("seen"), said.get("step")
    shapes = {matrix.key: matrix.shape for matrix in layout.standing(graph)}
    last = graph[layout.main].value.size
    cells = _cells(map(str, seen[:MAX_SEEN] if isinstance(seen, list) else ()), shapes)
    return View(
        cell=_cell(str(said.get("cell") or ""), shapes),
        seen=cells,
        step=step if type(step) is int and 0 <= step <= last else None,
        open=said.get("open") is True,
        edit=said.get("edit") is True,
        start=_started(start, ask, cells),
        shapes=_shapes(graph, layout),
        graph=graph,
    )


def _started(start: Cell | None, ask: Ask | None, seen: Collection[Cell]) -> Cell | None:
    """What a page pins: the answer of its question once that is seen, and ``start`` before."""
    return ask.pin if ask and {*(ask.cells or (ask.pin,))} <= {*seen} else start


def _unsaid(start: Cell | None, step: int | None) -> Cell | None:
    """What is pinned while the link names no cell: the start, unless no cell is shown yet."""
    return None if step == 0 else start


def _shapes(graph: Graph, layout: Layout) -> Shapes:
    """The matrices that stand on the board, with tokens as rows."""
    return {m.key: m.shape[::-1] if m.by_column else m.shape for m in layout.standing(graph)}


def _cell(text: str, shapes: Shapes) -> Cell | None:
    try:
        cell = read_cell(text)
    except Unusable:
        return None
    rows, cols = shapes.get(cell.symbol, (0, 0))
    return cell if cell.row < rows and cell.col < cols else None


def _cells(texts: Iterable[str], shapes: Shapes) -> tuple[Cell, ...]:
    found = (_cell(text, shapes) for text in texts)
    return tuple(dict.fromkeys(cell for cell in found if cell is not None))
