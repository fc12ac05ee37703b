"""What settles each claim on the viewer's numbers: a cell, and the sentence that reads it.

Each gives ``None`` where these numbers do not show it.
"""

from __future__ import annotations

from dataclasses import dataclass

from attention_core import Cell, Graph
from attention_core.rounding import show


@dataclass(frozen=True)
class Reader:
    """A graph, read in words."""

    graph: Graph
    decimals: int

    def number(self, key: str, row: int, col: int) -> str:
        """A number as it stands on the board."""
        return show(float(self.graph[key].value[row, col]), self.decimals).text

    def row(self, key: str, row: int) -> str:
        return f"«{self.graph[key].rows.unique(row)}»"

    def col(self, key: str, col: int) -> str:
        return f"«{self.graph[key].cols.unique(col)}»"


def sharpens(read: Reader) -> tuple[Cell, str] | None:
    """Plain shares beside the softmax."""
    s, A, plain = (read.graph[key].value[0] for key in ("s", "A", "A_plain"))
    top = int(s.argmax())
    if len(s) == 1 or abs(A - plain).max() < 0.001:
        return None
    by_sum = read.number("A_plain", 0, top)
    return Cell("A", 0, top), (
        f"Divided by the sum, {read.col('A', top)} would get {by_sum}. The softmax gives it "
        f"{read.number('A', 0, top)}: it raises e to each score first, so that leads count as "
        "factors."
    )


def takes_but_adds_little(read: Reader) -> tuple[Cell, str] | None:
    """A number most of which comes from another token than the most attended."""
    A, V, O = (read.graph[key] for key in ("A", "V", "O"))
    for row in range(O.shape[0]):
        top = int(A.value[row].argmax())
        for col in range(O.shape[1]):
            parts = abs(A.value[row] * V.value[:, col])
            most = int(parts.argmax())
            if row not in A.undefined and parts[top] < parts[most]:
                return Cell("O", row, col), (
                    f"{read.row('A', row)} gives {read.number('A', row, top)} of its attention to "
                    f"{read.col('A', top)}. But component {col + 1} of its output is "
                    f"{read.number('O', row, col)}, and most of that comes from "
                    f"{read.col('A', most)}: its value there is {read.number('V', most, col)},"
                    f" and that of {read.col('A', top)} is {read.number('V', top, col)}."
                )
    return None


def late(read: Reader) -> tuple[Cell, str] | None:
    """A row that a late mask leaves below 1."""
    sums = read.graph["Z_late"].value[:, 0]
    for row, total in enumerate(sums):
        if 0 < total < 0.9995:
            return Cell("Z_late", row, 0), (
                f"Masked after the softmax, the row of {read.row('A', row)} adds up to "
                f"{read.number('Z_late', row, 0)} and no longer to 1."
            )
    return None


def rows_not_columns(read: Reader) -> tuple[Cell, str] | None:
    """A column that does not add up to 1."""
    totals = read.graph["Z_down"].value[:, 0]
    col = int(abs(totals - 1).argmax())
    if abs(totals[col] - 1) < 0.001:
        return None
    return Cell("Z_down", col, 0), (
        f"The column of {read.row('Z_down', col)} adds up to {read.number('Z_down', col, 0)}. Each "
        "row adds up to 1: a query shares out its attention. A key may get much or little."
    )


def within(read: Reader) -> tuple[Cell, str] | None:
    """The largest output between its values."""
    O, V = read.graph["O"], read.graph["V"]
    row, col = divmod(int(O.value.argmax()), O.shape[1])
    if row in read.graph["A"].undefined:
        return None
    low, high = (int(at) for at in (V.value[:, col].argmin(), V.value[:, col].argmax()))
    return Cell("O", row, col), (
        f"The largest output is {read.number('O', row, col)}. The values of its column go from "
        f"{read.number('V', low, col)} to {read.number('V', high, col)}, and a blend of them "
        "cannot leave that range."
    )


def no_order(read: Reader) -> tuple[Cell, str] | None:
    """No difference in another order."""
    if read.graph["O_diff"].value.any() or read.graph["O"].shape[0] == 1:
        return None
    return Cell("O_diff", 0, 0), (
        "The tokens were put into another order, and every token got the same output: each "
        f"difference is {read.number('O_diff', 0, 0)}."
    )


def same_winner(read: Reader) -> tuple[Cell, str] | None:
    """The largest score, before the scaling and after."""
    graph = read.graph
    top = int(graph["S"].value[0].argmax())
    cell = Cell("S_scaled", 0, top)
    if graph["S"].shape[1] == 1 or cell not in graph.largest("S_scaled", 0):
        return None
    return cell, (
        f"In the row of {read.row('S', 0)} the largest score is {read.number('S', 0, top)}, and "
        f"the largest scaled one is {read.number('S_scaled', 0, top)}: both for "
        f"{read.col('S', top)}. All scores are divided by the same number, so their order stays."
    )


def one_way(read: Reader) -> tuple[Cell, str] | None:
    """Two weights that differ most the two ways."""
    pair = read.graph.unlike("A")
    if pair is None:
        return None
    (_, i, j), _ = pair
    return pair[0], (
        f"{read.row('A', i)} gives {read.number('A', i, j)} to {read.col('A', j)}, and "
        f"{read.row('A', j)} gives {read.number('A', j, i)} to {read.col('A', i)}. Query and key "
        "come from different matrices, and each row is shared out by itself."
    )


def no_cosine(read: Reader) -> tuple[Cell, str] | None:
    """A score above 1."""
    S = read.graph["S"].value
    row, col = divmod(int(abs(S).argmax()), S.shape[1])
    if abs(S[row, col]) <= 1:
        return None
    return Cell("S", row, col), (
        f"This score is {read.number('S', row, col)}, and no cosine is above 1. The cosine here is "
        f"{read.number('C', row, col)}. The score is that times both lengths."
    )


def same_weights(read: Reader) -> tuple[Cell, str]:
    """A weight without and with the maximum taken off."""
    top = int(read.graph["A"].value[0].argmax())
    return Cell("A_m", 0, top), (
        f"The weight of {read.col('A', top)} is {read.number('A', 0, top)} without it, and "
        f"{read.number('A_m', 0, top)} with it. Only gaps between scores count, and these stay."
    )


def never_zero(read: Reader) -> tuple[Cell, str] | None:
    """The smallest weight of an open key."""
    A, S = read.graph["A"].value, read.graph["S_masked"].value
    places = [(A[i, j], i, j) for i, j in zip(*(-float("inf") < S).nonzero(), strict=True)]
    if not places:
        return None
    least, row, col = min(places)
    if least < 0.5 * 10.0**-read.decimals:
        return None
    return Cell("A", int(row), int(col)), (
        f"The smallest weight here is {read.number('A', int(row), int(col))}. e to any power is "
        "above 0. Only −∞, a blocked key, makes a weight of exactly 0."
    )


def itself(read: Reader) -> tuple[Cell, str] | None:
    """The largest weight that a token gives itself."""
    A = read.graph["A"].value
    row = int(A.diagonal().argmax())
    if not A[row, row]:
        return None
    return Cell("A", row, row), (
        f"{read.row('A', row)} gives {read.number('A', row, row)} to itself. Its own key is one of "
        "the keys, like any other."
    )
