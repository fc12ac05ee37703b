"""Why a number is what it is: formula, numbers, result, sources, and what rounding hides."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from attention_core.errors import AttentionError
from attention_core.expression import Expr
from attention_core.latex import latex
from attention_core.matrix import Cell, Matrix
from attention_core.rounding import MAX_DECIMALS, ledger_note, show

if TYPE_CHECKING:
    from attention_core.graph import Graph


@dataclass(frozen=True)
class Step:
    """One inner line of a derivation, such as the row sum inside a softmax."""

    name: str
    formula: Expr
    expression: Expr

    @property
    def result(self) -> float:
        """The value of the line at full precision."""
        return self.expression.value


@dataclass(frozen=True)
class Derivation:
    """What an op says about one cell: the formula in symbols and the same with numbers."""

    formula: Expr
    expression: Expr
    words: str | None = None


@dataclass(frozen=True, repr=False)
class Explanation:
    """One cell explained by the op that computed it.

    >>> from attention_core import EXAMPLES
    >>> why = EXAMPLES["love"].graph().explain("S", 0, 1)
    >>> why.symbolic, why.substituted, why.result
    ('q_I · k_love', '2·2 + 0·1 + 1·1', 5.0)
    >>> [str(cell) for cell in why.sources]
    ['Q:0,0', 'Q:0,1', 'Q:0,2', 'K_T:0,1', 'K_T:1,1', 'K_T:2,1']
    """

    matrix: Matrix
    row: int
    col: int
    decimals: int = 3

    def __post_init__(self) -> None:
        n, m = self.matrix.shape
        whole = all(isinstance(k, int | np.integer) for k in (self.row, self.col, self.decimals))
        if not whole or not 0 <= self.decimals <= MAX_DECIMALS:
            raise AttentionError(
                f"explain: row, column and decimals are whole numbers, decimals from 0 to "
                f"{MAX_DECIMALS}; got {self.row!r}, {self.col!r} and {self.decimals!r}."
            )
        if not (0 <= self.row < n and 0 <= self.col < m):
            raise AttentionError(
                f"{self.matrix.key}: there is no cell ({self.row}, {self.col}) in a {n}×{m} "
                f"matrix. Rows count from 0 to {n - 1}, columns from 0 to {m - 1}."
            )

    @cached_property
    def _derivation(self) -> Derivation:
        if self.matrix.op is None:
            name = self.matrix.entry_name(self.row, self.col)
            return Derivation(name, self.matrix.num(self.row, self.col), words="Given: an input.")
        return self.matrix.op.explain(self.matrix, self.row, self.col)

    @property
    def cell(self) -> Cell:
        """Which cell is explained."""
        return Cell(self.matrix.key, self.row, self.col)

    @property
    def title(self) -> str:
        """A heading, as in «How “I” scores “love”»."""
        matrix = self.matrix
        return matrix.symbol.asks.format(
            row=matrix.rows.unique(self.row), col=matrix.cols.unique(self.col)
        )

    @property
    def given(self) -> bool:
        """Whether this is an input, with nothing behind it."""
        return self.matrix.op is None

    @property
    def result(self) -> float:
        """The value at full precision."""
        return float(self.matrix.value[self.row, self.col])

    @property
    def shown(self) -> str:
        """The value as it stands on screen."""
        return show(self.result, self.decimals).text

    @property
    def formula(self) -> Expr:
        """The formula as a tree of symbols."""
        return self._derivation.formula

    @property
    def expression(self) -> Expr:
        """The formula as a tree of numbers; its leaves know their cells."""
        return self._derivation.expression

    @property
    def symbolic(self) -> str:
        """The formula in symbols, as text."""
        return self.formula.text(self.decimals)

    @cached_property
    def substituted(self) -> str:
        """The formula with the numbers put in, as text at the shown precision."""
        return self.expression.text(self.decimals)

    @property
    def steps(self) -> tuple[Step, ...]:
        """Inner lines, in order."""
        op = self.matrix.op
        return op.steps(self.matrix, self.row, self.col) if op else ()

    @property
    def undefined(self) -> bool:
        """Whether its line has no value of its own: every key was blocked, and it stands as 0."""
        return self.matrix.is_undefined(self.row, self.col)

    @property
    def words(self) -> str | None:
        """What there is to say in words: an input, a blocked key, a row without a distribution."""
        if self.undefined and self._derivation.words is None:
            return (
                f"Every key is blocked for «{self.matrix.pair(self.row, self.col)[0]}». "
                f"0/0 has no value: this {self.matrix.line} has no distribution, and it stands as "
                "0."
            )
        return self._derivation.words

    @cached_property
    def note(self) -> str | None:
        """The rounding ledger's note, if the shown numbers do not give the shown result."""
        return ledger_note(self.expression, self.result, self.decimals)

    def step_note(self, step: Step) -> str | None:
        """The ledger's note for one inner line."""
        return ledger_note(step.expression, step.result, self.decimals)

    @cached_property
    def sources(self) -> tuple[Cell, ...]:
        """The cells that this one depends on."""
        if self.matrix.op is None:
            return ()
        return tuple(
            Cell(self.matrix.inputs[block.input].key, row, col)
            for block in self.matrix.op.sources(self.matrix, self.row, self.col)
            for row in block.rows
            for col in block.cols
        )

    @cached_property
    def line(self) -> tuple[Expr, ...]:
        """The parts of the whole equation: name, formula, numbers, result.

        A part that reads like the one before it is left out.
        """
        name = self.matrix.entry_name(self.row, self.col)
        parts = (name, self.formula, self.expression, self.matrix.num(self.row, self.col))
        texts = [part.text(self.decimals) for part in parts]
        return tuple(part for k, part in enumerate(parts) if k == 0 or texts[k] != texts[k - 1])

    @property
    def text(self) -> str:
        """The whole equation, as in ``S[I, love] = q_I · k_love = 2·2 + 0·1 + 1·1 = 5``."""
        return " = ".join(part.text(self.decimals) for part in self.line)

    @property
    def latex(self) -> str:
        r"""The whole equation as LaTeX."""
        return " = ".join(latex(part, self.decimals) for part in self.line)

    def __repr__(self) -> str:
        return f"<Explanation {self.text}>"

    def __str__(self) -> str:
        return "\n".join(filter(None, (self.text, self.words, self.note)))


@dataclass(frozen=True, repr=False)
class Trace:
    """A cell followed back to the given matrices, level by level.

    ``levels[0]`` holds the explanation of the cell itself, ``levels[1]`` those of its sources, and
    so on; every cell stands once, at the first level that needs it.

    >>> from attention_core import EXAMPLES
    >>> trace = EXAMPLES["love"].graph().trace("S", 0, 1)
    >>> [len(level) for level in trace.levels]
    [1, 6, 19, 16]
    >>> sorted({cell.symbol for cell in trace.inputs})
    ['W_K', 'W_Q', 'X']
    """

    levels: tuple[tuple[Explanation, ...], ...]

    def __repr__(self) -> str:
        return f"<Trace of {self.levels[0][0].cell}, {len(self.cells)} cells>"

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Every cell on the way, nearest first."""
        return tuple(why.cell for level in self.levels for why in level)

    @property
    def inputs(self) -> tuple[Cell, ...]:
        """The given cells that the trace ends in."""
        return tuple(why.cell for level in self.levels for why in level if why.given)

    def __str__(self) -> str:
        return "\n".join(
            "  " * depth + why.text for depth, level in enumerate(self.levels) for why in level
        )


def trace(graph: Graph, key: str, row: int, col: int, decimals: int = 3) -> Trace:
    """Explain a cell, then its sources, back to the given matrices."""
    level: tuple[Explanation, ...] = (graph.explain(key, row, col, decimals),)
    seen = {level[0].cell}
    levels: list[tuple[Explanation, ...]] = []
    while level:
        levels.append(level)
        behind = [cell for why in level for cell in why.sources]
        fresh = [cell for cell in dict.fromkeys(behind) if cell not in seen]
        seen.update(fresh)
        level = tuple(graph.explain(*cell, decimals) for cell in fresh)
    return Trace(tuple(levels))
