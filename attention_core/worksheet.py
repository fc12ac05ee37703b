"""Worksheets: a computation in which some cells are left blank, to be worked out by hand.

A worksheet is made from any graph. Its tasks are the steps from what is given to the result; which
cells are blank follows a pattern; their answers and derivations are those of the graph.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from attention_core.blanks import BLANKS, Pattern, cells
from attention_core.errors import AttentionError
from attention_core.explain import Explanation
from attention_core.expression import Expr, Num
from attention_core.graph import Graph
from attention_core.in_full import InFull, in_full
from attention_core.matrix import Cell, Matrix
from attention_core.ops.mask import Mask
from attention_core.ops.op import apply
from attention_core.ops.scale import Scale
from attention_core.ops.transpose import Transpose


@dataclass(frozen=True)
class Part:
    """One matrix of a task, the cells of it that are blank, and one that is worked out.

    ``worked`` is a cell whose derivation tells no number that is asked for; ``None`` where there
    is none.
    """

    matrix: Matrix
    blanks: tuple[Explanation, ...]
    worked: Explanation | None

    @property
    def cells(self) -> frozenset[Cell]:
        """The cells that are blank."""
        return frozenset(why.cell for why in self.blanks)


@dataclass(frozen=True)
class Task:
    """One step: the matrices that one op makes at once, such as Q, K and V."""

    number: int
    parts: tuple[Part, ...]

    @property
    def title(self) -> str:
        """What the step makes, in words.

        >>> from attention_core import EXAMPLES
        >>> [task.title for task in worksheet(EXAMPLES["love"].graph()).tasks][:2]
        ['Queries, keys and values', 'Scores']
        """
        *others, last = dict.fromkeys(part.matrix.symbol.title for part in self.parts)
        words = f"{', '.join(others)} and {last}" if others else last
        return words[0].upper() + words[1:]


@dataclass(frozen=True, repr=False)
class Worksheet:
    """What is given, and the tasks that lead to the result, in order.

    ``graph`` is the computation without steps that leave every number as it is: a scale of 1, and a
    mask that blocks nothing, and its given matrices stand in full. ``lines`` are the places of the
    tokens whose cells are blank: one, and those that are given the same numbers; none where the
    blanks are of all tokens.
    """

    graph: Graph
    given: tuple[Matrix, ...]
    tasks: tuple[Task, ...]
    lines: tuple[int, ...]

    def __repr__(self) -> str:
        return f"<Worksheet of {len(self.tasks)} tasks, {len(self.blanks)} blanks>"

    @property
    def blanks(self) -> tuple[Explanation, ...]:
        """Every cell that is blank, with its derivation and answer."""
        return tuple(why for task in self.tasks for part in task.parts for why in part.blanks)


def worksheet(
    graph: Graph,
    to: str = "",
    start: Collection[str] = (),
    blanks: str = "row",
    decimals: int = 3,
) -> Worksheet:
    """A worksheet that leads to the matrix ``to``, by default the last one of the graph.

    Matrices whose keys are in ``start`` are given, whatever they are made from. ``blanks`` is
    ``"row"`` (the cells of one token; see :class:`~attention_core.blanks.Pattern`), ``"half"``
    (every second cell) or ``"all"``. A cell without a value of its own, 0/0, is never blank; one
    that repeats a blank one is. Transposes are read off and are no tasks.

    Errors: :class:`AttentionError` for another pattern, a matrix that the graph does not have or
    that is given, and a start that does not lead to ``to``.

    >>> from attention_core import EXAMPLES
    >>> sheet = worksheet(EXAMPLES["love"].graph(), start=("Q", "K", "V"))
    >>> [m.key for m in sheet.given], [task.title for task in sheet.tasks]
    (['Q', 'K', 'V'], ['Scores', 'Scaled scores', 'Attention weights', 'Outputs'])
    >>> print(*sheet.blanks[:2], sep="\\n")
    S[AI, I] = q_AI · k_I = 1·0 + 1·1 + 1·1 = 2
    S[AI, love] = q_AI · k_love = 1·2 + 1·1 + 1·1 = 4
    >>> print(sheet.tasks[0].parts[0].worked)
    S[I, I] = q_I · k_I = 2·0 + 0·1 + 1·1 = 1
    """
    if blanks not in BLANKS:
        raise AttentionError(f"worksheet: blanks is {blanks!r}, wanted one of {', '.join(BLANKS)}.")
    to = to or graph.steps[-1].key
    graph = _on_paper(graph, to, start)
    given, made = _way(graph, to, start)
    pattern = Pattern(blanks, graph[to], given, made)
    hidden: set[Cell] = set()
    groups: dict[tuple[int, str], list[Part]] = {}
    level = dict.fromkeys((m.key for m in given), 0)
    for matrix in made:
        read_off = isinstance(matrix.op, Transpose)
        hidden.update(pattern.hidden(matrix, set(hidden)))
        level[matrix.key] = max(level[m.key] for m in matrix.inputs) + (not read_off)
        if not read_off:
            group = groups.setdefault((level[matrix.key], matrix.op.name if matrix.op else ""), [])
            group.append(_part(graph, matrix, hidden, decimals))
    in_order = sorted(groups, key=lambda group: group[0])
    tasks = (Task(k, tuple(groups[group])) for k, group in enumerate(in_order, start=1))
    return Worksheet(graph, given, tuple(tasks), pattern.lines)


def _on_paper(graph: Graph, to: str, start: Collection[str]) -> Graph:
    """The graph without the steps that leave every number as it is, whatever the numbers are.

    What is given stands in full, and so does what turns it.
    """
    made: dict[str, Matrix] = {}
    for matrix in graph.steps:
        inputs = tuple(made[m.key] for m in matrix.inputs)
        if _is_idle(matrix) and matrix.key != to:
            made[matrix.key] = inputs[0]
            continue
        same = matrix.op is None or inputs == matrix.inputs
        new = matrix if same or matrix.op is None else apply(matrix.op, matrix.key, *inputs)
        turns = isinstance(matrix.op, Transpose) and isinstance(inputs[0], InFull)
        given = matrix.op is None or matrix.key in start or turns
        made[matrix.key] = in_full(new) if given else new
    return Graph(tuple(m for key, m in made.items() if m.key == key), graph.between)


def _is_idle(matrix: Matrix) -> bool:
    """A scale of 1, or a mask that blocks nothing."""
    op = matrix.op
    blocks_nothing = isinstance(op, Mask) and not matrix.inputs[1].value.any()
    return blocks_nothing or (isinstance(op, Scale) and op.factor == 1.0)


def _way(
    graph: Graph, to: str, start: Collection[str]
) -> tuple[tuple[Matrix, ...], tuple[Matrix, ...]]:
    """What is given and what is made on the way to a matrix, both in the order of computation."""
    given: set[str] = set()
    made: set[str] = set()
    waiting = [graph[to]]
    while waiting:
        matrix = waiting.pop()
        if matrix.op is None or matrix.key in start:
            given.add(matrix.key)
        elif matrix.key not in made:
            made.add(matrix.key)
            waiting.extend(matrix.inputs)
    unused = [key for key in start if key not in given]
    if to in given or unused:
        raise AttentionError(
            f"worksheet: {to} is not made from {unused[0]} here. Start from what it is made from."
            if unused
            else f"worksheet: {to} is given, so there is nothing to work out."
        )
    steps = graph.steps
    return tuple(m for m in steps if m.key in given), tuple(m for m in steps if m.key in made)


def _part(graph: Graph, matrix: Matrix, hidden: set[Cell], decimals: int) -> Part:
    blanks = tuple(graph.explain(*cell, decimals) for cell in cells(matrix) if cell in hidden)
    told = (graph.explain(*cell, decimals) for cell in cells(matrix) if cell not in hidden)
    tells_nothing = [
        why for why in told if not why.undefined and not _cells_in(why.expression) & hidden
    ]
    # The usual case is worked out first: one that needs words, such as a blocked key, is special.
    worked = min(tells_nothing, key=lambda why: why.words is not None, default=None)
    return Part(matrix, blanks, worked)


def _cells_in(expression: Expr) -> set[Cell]:
    """The cells whose numbers stand in a derivation."""
    found: set[Cell] = set()

    def note(num: Num) -> float:
        found.update(filter(None, (num.cell,)))
        return num.value

    expression.evaluate(note)
    return found
