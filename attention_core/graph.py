"""A graph of named matrices: the spreadsheet whose cells explain themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from attention_core.errors import AttentionError
from attention_core.explain import Explanation, Trace, trace
from attention_core.latex import latex
from attention_core.matrix import Cell, Matrix
from attention_core.ops.hard_max import tops


@dataclass(frozen=True, repr=False)
class Graph:
    """Matrices in the order of computation, looked up by their key.

    Iterating gives the quantities that the paper names. ``steps`` also holds what lies between
    them (``K_T``, the mask ``M``); every one of them can be looked up and explained.

    >>> from attention_core import self_attention
    >>> graph = self_attention([[1, 0], [0, 1]], [[1], [2]], [[1], [0]], [[3], [4]])
    >>> list(graph)
    ['X', 'W_Q', 'W_K', 'W_V', 'Q', 'K', 'V', 'S', 'S_scaled', 'S_masked', 'A', 'O']
    >>> graph["S"].value.tolist()
    [[1.0, 0.0], [2.0, 0.0]]
    """

    steps: tuple[Matrix, ...]
    between: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        keys: set[str] = set()
        for matrix in self.steps:
            if matrix.key in keys:
                raise AttentionError(
                    f"graph: two matrices are called {matrix.key}. Give each its own key, "
                    "and start from a graph that has no such matrix yet."
                )
            missing = [m.key for m in matrix.inputs if m.key not in keys]
            if missing:
                raise AttentionError(
                    f"graph: {matrix.key} is made from {missing[0]}, which does not stand before "
                    "it. List every matrix after the ones it is made from."
                )
            keys.add(matrix.key)

    def __getitem__(self, key: str) -> Matrix:
        for matrix in self.steps:
            if matrix.key == key:
                return matrix
        raise AttentionError(
            f"graph: there is no matrix {key!r}. There are: "
            + ", ".join(m.key for m in self.steps)
            + "."
        )

    def __repr__(self) -> str:
        return f"<Graph of {', '.join(m.key for m in self.steps)}>"

    def __contains__(self, key: object) -> bool:
        return any(matrix.key == key for matrix in self.steps)

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __len__(self) -> int:
        return len(self.keys())

    def keys(self) -> tuple[str, ...]:
        """The keys of the paper's quantities, in the order of computation."""
        return tuple(m.key for m in self.steps if m.key not in self.between)

    def items(self) -> tuple[tuple[str, Matrix], ...]:
        """The paper's quantities with their matrices, in the order of computation."""
        return tuple((key, self[key]) for key in self.keys())

    def explain(self, key: str, row: int, col: int, decimals: int = 3) -> Explanation:
        """Explain the cell in row ``row`` and column ``col`` (counted from 0) of a matrix.

        >>> from attention_core import EXAMPLES
        >>> str(EXAMPLES["hand"].graph().explain("O", 1, 0)).splitlines()[1]
        '0.248·1 + 0.503·0 + 0.248·1 gives 0.496. Before rounding the result is 0.4965, \
shown as 0.497.'
        """
        return Explanation(self[key], row, col, decimals)

    def trace(self, key: str, row: int, col: int, decimals: int = 3) -> Trace:
        """Explain a cell and everything behind it, back to the given matrices."""
        return trace(self, key, row, col, decimals)

    def behind(self, key: str) -> tuple[Matrix, ...]:
        """The matrices that ``key`` is made from, itself included, in the order of computation.

        >>> from attention_core import EXAMPLES
        >>> [m.key for m in EXAMPLES["love"].graph().behind("S")]
        ['X', 'W_Q', 'W_K', 'Q', 'K', 'K_T', 'S']
        """
        needed: set[str] = set()
        waiting = [self[key]]
        while waiting:
            matrix = waiting.pop()
            if matrix.key not in needed:
                needed.add(matrix.key)
                waiting.extend(matrix.inputs)
        return tuple(m for m in self.steps if m.key in needed)

    def largest(self, key: str, line: int) -> tuple[Cell, ...]:
        """The cells that hold the largest number of a row: more than one where they tie.

        Of a column, where tokens stand as columns. One in which everything is blocked, or that is
        undefined, has none.
        """
        matrix = self[key]
        if not 0 <= line < matrix.lines.size:
            raise AttentionError(f"{key}: there is no {matrix.line} {line} of {matrix.lines.size}.")
        if line in matrix.undefined:
            return ()
        down = matrix.by_column
        (largest,) = tops((matrix.value.T if down else matrix.value)[[line]])
        places = np.flatnonzero(largest).tolist()
        return tuple(Cell(key, *((at, line) if down else (line, at))) for at in places)

    def unlike(self, key: str) -> tuple[Cell, Cell] | None:
        """The two cells (i, j) and (j, i) that differ most; none where the matrix is symmetric.

        Errors: :class:`AttentionError` for a matrix that is not square.

        >>> from attention_core import EXAMPLES
        >>> EXAMPLES["love"].graph().unlike("S")
        (Cell(symbol='S', row=0, col=1), Cell(symbol='S', row=1, col=0))
        """
        value = self[key].value
        n, m = value.shape
        if n != m:
            raise AttentionError(f"unlike: {key} is {n}×{m}, wanted a square matrix.")
        with np.errstate(invalid="ignore"):  # −∞ − (−∞), where both are blocked alike
            apart = np.where(value == value.T, 0.0, abs(value - value.T))
        row, col = divmod(int(apart.argmax()), n)
        if apart[row, col] <= 1e-12 * abs(value[np.isfinite(value)]).max(initial=0.0):
            return None
        return Cell(key, row, col), Cell(key, col, row)

    def definition(self, key: str) -> str:
        r"""The formula of a whole matrix as LaTeX.

        >>> from attention_core import EXAMPLES
        >>> EXAMPLES["love"].graph().definition("S")
        'S = Q K^{\\top}'
        """
        matrix = self[key]
        name = latex(matrix.name())
        formula = latex(matrix.op.definition(*matrix.inputs)) if matrix.op else name
        return name if formula == name else f"{name} = {formula}"

    def blocked(self, row: int, col: int) -> bool:
        """Whether the mask blocks a key for a query.

        >>> from attention_core import EXAMPLES
        >>> EXAMPLES["love"].graph(mask="causal").blocked(0, 1)
        True
        """
        return self.explain("M", row, col).result == float("-inf")

    @property
    def undefined_rows(self) -> tuple[int, ...]:
        """The queries whose every key is blocked; their weights and outputs stand as 0."""
        found = [m for m in self.steps if m.undefined]
        same = (m.undefined for m in found if m.lines == found[0].lines)  # not a second order's
        return tuple(sorted(set().union(*same)))


def ordered(outputs: Iterable[Matrix], before: Iterable[Matrix] = ()) -> tuple[Matrix, ...]:
    """Every matrix behind ``outputs``, each after the ones it is made from; ``before`` first.

    Matrices of one key made by one op from the same inputs are one matrix (Xᵀ serves three
    gradients).
    """
    stands: dict[int, Matrix] = {id(m): m for m in before}
    made: dict[object, Matrix] = {_recipe(m): m for m in before}

    def visit(matrix: Matrix) -> Matrix:
        if id(matrix) not in stands:
            inputs = tuple(visit(source) for source in matrix.inputs)
            same = replace(matrix, inputs=inputs)
            stands[id(matrix)] = made.setdefault(_recipe(same), same)
        return stands[id(matrix)]

    for output in outputs:
        visit(output)
    return tuple(made.values())


def _recipe(matrix: Matrix) -> object:
    inputs = tuple(map(id, matrix.inputs))
    return (matrix.key, matrix.op, inputs) if matrix.op else (matrix.key, id(matrix.value))
