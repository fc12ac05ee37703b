"""A number that a source prints, and how it compares with the computed one.

Sources compute by hand on rounded numbers, so a print may differ from the rounded true number
without being wrong: the rounding ledger tells the cases apart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from attention_core.expression import Exp, Expr, Num, Root, Sum
from attention_core.graph import Graph
from attention_core.matrix import Cell
from attention_core.rounding import reach, show


@dataclass(frozen=True)
class Quantity:
    """What a print stands for: an expression of a graph, and the cell that explains it, if any.

    Exponentials and row sums have cells where the softmax stands in steps.
    """

    of: Callable[[Graph], Expr]
    cell: Cell | None = None

    def __call__(self, graph: Graph) -> Expr:
        return self.of(graph)


class Agreement(Enum):
    """How a printed number compares with the computed one."""

    SAME = "the computed number, rounded"
    ROUNDED_BEFORE = "computed on numbers that were rounded before"
    WITHIN = "off in the last digits, no more than rounding on the way can explain"
    DIFFERS = "not what the computation gives"


@dataclass(frozen=True)
class Printed:
    """A number that a source prints, its place there, and the quantity that it prints."""

    text: str
    place: str
    quantity: Quantity

    @property
    def decimals(self) -> int:
        """The precision of the print."""
        return len(self.text.partition(".")[2])

    def computed(self, graph: Graph) -> float:
        """The number at full precision."""
        return self.quantity(graph).value

    def check(self, graph: Graph, working_decimals: int = 3) -> Agreement:
        """Compare with the computed number, allowing for hand arithmetic on rounded numbers."""
        expression, printed = self.quantity(graph), float(self.text)
        half = 0.5 * 10.0**-self.decimals * (1 + 1e-9)
        if abs(expression.value - printed) <= half:
            return Agreement.SAME
        by_hand = expression.evaluate(lambda num: num.shown(working_decimals).value)
        if abs(by_hand - printed) <= half:
            return Agreement.ROUNDED_BEFORE
        low, high = reach(expression, working_decimals)
        return Agreement.WITHIN if low - half <= printed <= high + half else Agreement.DIFFERS

    def note(self, graph: Graph) -> str | None:
        """The ledger's sentence where print and computation show different digits."""
        agreement = self.check(graph)
        if agreement is Agreement.SAME:
            return None
        true = show(self.computed(graph), self.decimals).text
        return f"The source prints {self.text}; the computation gives {true}: {agreement.value}."


def entry(key: str, row: int, col: int) -> Quantity:
    """One entry of a matrix, as its derivation gives it."""
    return Quantity(lambda graph: graph.explain(key, row, col).expression, Cell(key, row, col))


def term(key: str, row: int, col: int, term: int) -> Quantity:
    """One product inside a dot product."""

    def product(graph: Graph) -> Expr:
        total = graph.explain(key, row, col).expression
        assert isinstance(total, Sum)
        return total.terms[term]

    return Quantity(product, Cell(key, row, col))


def exponential(row: int, col: int) -> Quantity:
    """One exponential inside a softmax row."""
    return Quantity(lambda graph: Exp(graph["S_masked"].num(row, col)), Cell("E", row, col))


def row_sum(row: int) -> Quantity:
    """The sum of the exponentials of a row, which a softmax divides by."""
    return Quantity(
        lambda graph: Sum(
            tuple(Exp(graph["S_masked"].num(row, col)) for col in range(graph["S"].shape[1]))
        ),
        Cell("Z", row, 0),
    )


def weight_sum(row: int) -> Quantity:
    """The sum of a row of weights."""
    return Quantity(
        lambda graph: Sum(tuple(graph["A"].num(row, c) for c in range(graph["A"].shape[1])))
    )


def root(size: int) -> Quantity:
    """The divisor √size."""
    return Quantity(lambda graph: Root(Num(size)))


def cells(key: str, place: str, rows: dict[int, str]) -> list[Printed]:
    """Printed rows of a matrix, as text with spaces between the numbers."""
    return [
        Printed(text, place, entry(key, i, j))
        for i, row in rows.items()
        for j, text in enumerate(row.split())
    ]
