"""What stands on a board, and where: equations in front, or the whole computation in stages."""

from __future__ import annotations

from dataclasses import dataclass, replace

from attention_core import Graph, Matrix


@dataclass(frozen=True)
class Line:
    """One equation in front, with a title and a quiet sentence. A given matrix stands alone.

    With ``instead``, a matrix stands beside that other one, and how it is made stands behind.
    """

    key: str
    title: str = ""
    note: str = ""
    instead: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        """The matrices that the line names."""
        return (self.key, self.instead) if self.instead else (self.key,)


@dataclass(frozen=True)
class Stage:
    """Matrices that belong together: columns side by side, in each one above another."""

    title: str
    columns: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Layout:
    """The board of a page.

    ``main`` is the matrix that is stepped through, and whose cell is pinned at the start. In front
    stand the equations of ``lines`` (the one of ``main`` if there are none), or instead of them the
    ``stages``. Behind lines lie the equations that lead to them; a board of stages shows what they
    name and nothing else.

    ``marks`` marks the largest number of each row, whatever the viewer set; ``tags`` says of each
    matrix whether it is an input, parameters or activations; with ``mask_edit`` a click on a cell
    of ``M`` blocks or opens it. ``about`` says in the line above the matrices what stands there,
    each with a label, where that is not the example's own computation.
    """

    main: str
    lines: tuple[Line, ...] = ()
    stages: tuple[Stage, ...] = ()
    marks: bool = False
    tags: bool = False
    mask_edit: bool = False
    about: tuple[tuple[str, str], ...] = ()

    def on(self, graph: Graph) -> Layout:
        """The layout with what a graph holds: an example may start from Q, K and V.

        Keys that are not there are left out; if ``main`` is not on the board, the last one is main.

        >>> from attention_core import EXAMPLES
        >>> layout = Layout("Q", (Line("S"), Line("X")))
        >>> layout.on(EXAMPLES["hand"].graph()).lines
        (Line(key='S', title='', note='', instead=''),)
        """
        stages = tuple(filter(None, (_there(stage, graph) for stage in self.stages)))
        lines = tuple(line for line in self.lines if all(key in graph for key in line.keys))
        lines = () if stages else lines
        if not stages and not lines:
            key = self.main if self.main in graph else graph.steps[-1].key
            return replace(self, main=key, lines=(Line(key),), stages=())
        fitted = replace(self, lines=lines, stages=stages)
        standing = [matrix.key for matrix in fitted.standing(graph)]
        main = self.main if self.main in standing else fitted._front()[-1]
        return replace(fitted, main=main)

    def _front(self) -> tuple[str, ...]:
        """The keys that the layout names, in its order."""
        if self.stages:
            return tuple(key for stage in self.stages for col in stage.columns for key in col)
        return tuple(key for line in self.lines for key in line.keys)

    def behind(self, graph: Graph) -> tuple[Matrix, ...]:
        """Everything that leads to the board, what stands on it included."""
        needed = {m.key for key in self._front() for m in graph.behind(key)}
        return tuple(m for m in graph.steps if m.key in needed)

    def standing(self, graph: Graph) -> tuple[Matrix, ...]:
        """What stands on the board, in the order of computation."""
        if not self.stages:
            return self.behind(graph)
        named = set(self._front())
        return tuple(m for m in graph.steps if m.key in named)


def as_layout(layout: Layout | str) -> Layout:
    """A key alone means the board that leads to it."""
    return Layout(layout) if isinstance(layout, str) else layout


def _there(stage: Stage, graph: Graph) -> Stage | None:
    """The part of a stage that a graph holds."""
    columns = (tuple(key for key in column if key in graph) for column in stage.columns)
    kept = tuple(column for column in columns if column)
    return Stage(stage.title, kept) if kept else None
