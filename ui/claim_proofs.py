"""What settles claims about weights and outputs on the viewer's numbers: a cell, and what it says.

Each gives ``None`` where these numbers, as they are shown, do not show it.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isclose

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

    def shown(self, key: str, row: int, col: int) -> float:
        """The value that this text denotes."""
        return show(float(self.graph[key].value[row, col]), self.decimals).value

    def line(self, key: str, row: int) -> list[float]:
        """A row as it is shown."""
        return [self.shown(key, row, col) for col in range(self.graph[key].shape[1])]

    def row(self, key: str, row: int) -> str:
        return f"«{self.graph[key].rows.unique(row)}»"

    def col(self, key: str, col: int) -> str:
        return f"«{self.graph[key].cols.unique(col)}»"

    def places(self, key: str) -> list[tuple[int, int]]:
        """Where a matrix has numbers; not in rows in which every key is blocked."""
        rows, cols = self.graph[key].shape
        kept = (row for row in range(rows) if row not in self.graph["A"].undefined)
        return [(row, col) for row in kept for col in range(cols)]

    def open(self) -> list[tuple[int, int]]:
        """The pairs of query and key that no mask blocks."""
        M = self.graph["M"].value
        return [place for place in self.places("A") if M[place] > -float("inf")]


Proof = tuple[Cell, str] | None


def sharpens(read: Reader) -> Proof:
    """Plain shares beside the softmax."""
    A, plain = read.graph["A"], read.graph["A_plain"]
    col = int(abs(A.value[0] - plain.value[0]).argmax())
    if A.shape[1] == 1 or read.shown("A", 0, col) == read.shown("A_plain", 0, col):
        return None
    share = f"Divided by the sum, {read.col('A', col)} would get {read.number('A_plain', 0, col)}."
    if plain.undefined:
        share = "The scores add up to 0, and nothing can be divided by that."
    return Cell("A", 0, col), (
        f"{share} The softmax gives {read.col('A', col)} {read.number('A', 0, col)}: it raises e "
        "to each score first, so that leads count as factors."
    )


def takes_but_adds_little(read: Reader) -> Proof:
    """An output in which another token has a larger part than the most attended one."""
    A, V = read.graph["A"], read.graph["V"]
    for row, col in read.places("O"):
        weights = read.line("A", row)
        top = weights.index(max(weights))
        exact = abs(A.value[row] * V.value[:, col])
        most = int(exact.argmax())
        part = [abs(weights[t] * read.shown("V", t, col)) for t in (top, most)]
        if weights.count(max(weights)) == 1 and exact[top] < exact[most] and part[0] < part[1]:
            return Cell("O", row, col), (
                f"{read.row('A', row)} gives {read.number('A', row, top)} of its attention to "
                f"{read.col('A', top)}, and no more to any other. Yet in this output, "
                f"{read.number('O', row, col)}, {read.col('A', most)} has a larger part: "
                f"{read.number('A', row, most)} times its value {read.number('V', most, col)}, "
                f"against {read.number('A', row, top)} times {read.number('V', top, col)}."
            )
    return None


def weights_do_not_tell(read: Reader) -> Proof:
    """The same weights with one value set to 0, and another output."""
    graph = read.graph
    token = int(graph["V_keep"].value[:, 0].argmin())
    found = [
        (abs(graph["O"].value[row, col] - graph["O_zero"].value[row, col]), -row, -col)
        for row, col in read.places("O")
        if read.shown("O", row, col) != read.shown("O_zero", row, col)
        if read.shown("A", row, token)
    ]
    if not found:
        return None
    row, col = (-at for at in max(found)[1:])
    return Cell("O_zero", row, col), (
        f"{read.row('A', row)} gives {read.number('A', row, token)} of its attention to "
        f"{read.col('A', token)}, in both lines. In the second one the value of "
        f"{read.col('A', token)} is 0, and this output is {read.number('O_zero', row, col)}, not "
        f"{read.number('O', row, col)}. No weight tells the two apart: weights come from queries "
        "and keys. They say how much of a value is taken, not what is in it, nor what the layers "
        "after this one make of it."
    )


def late(read: Reader) -> Proof:
    """A row that a late mask leaves below 1."""
    for row, _ in read.places("Z_late"):
        if read.shown("Z_late", row, 0) != 1:
            return Cell("Z_late", row, 0), (
                f"Masked after the softmax, the row of {read.row('A', row)} adds up to "
                f"{read.number('Z_late', row, 0)}. Masked before it, it adds up to 1."
            )
    return None


def rows_not_columns(read: Reader) -> Proof:
    """A column that does not add up to 1."""
    totals, blocked = read.graph["Z_down"].value[:, 0], len(read.graph["A"].undefined)
    col = int(abs(totals - 1).argmax())
    if blocked == len(totals) or read.shown("Z_down", col, 0) == 1:
        return None
    each = "Each row that is not all blocked" if blocked else "Each row"
    return Cell("Z_down", col, 0), (
        f"The column of {read.row('Z_down', col)} adds up to {read.number('Z_down', col, 0)}. "
        f"{each} adds up to 1: a query shares out its attention. A key may get much or little."
    )


def within(read: Reader) -> Proof:
    """The largest output that is shown as lying between two values."""
    V, found = read.graph["V"].value, []
    for row, col in read.places("O"):
        low, high = int(V[:, col].argmin()), int(V[:, col].argmax())
        if read.shown("V", low, col) < read.shown("O", row, col) < read.shown("V", high, col):
            found.append((read.graph["O"].value[row, col], -row, -col, low, high))
    if not found:
        return None
    _, row, col, low, high = max(found)
    return Cell("O", -row, -col), (
        f"The values of this column go from {read.number('V', low, -col)} to "
        f"{read.number('V', high, -col)}, and {read.number('O', -row, -col)} is in between. No "
        "weight is below 0, and the weights of a row add up to 1: such a blend cannot leave the "
        "range of what it blends."
    )


def no_order(read: Reader) -> Proof:
    """No difference in another order, although tokens have different outputs."""
    graph = read.graph
    lines = [read.line("O", row) for row in range(graph["O"].shape[0])]
    if "X_pos" in graph or graph["O_diff"].value.any() or lines.count(lines[0]) == len(lines):
        return None
    return Cell("O_diff", 0, 0), (
        "The tokens were put into another order, and every token got the same output: each "
        f"difference is {read.number('O_diff', 0, 0)}."
    )


def one_way(read: Reader) -> Proof:
    """Two weights that differ most the two ways, where no mask makes the difference."""
    A, pairs = read.graph["A"].value, set(read.open())
    found = [
        (abs(A[i, j] - A[j, i]), -i, -j)
        for i, j in pairs
        if i < j and (j, i) in pairs and read.shown("A", i, j) != read.shown("A", j, i)
    ]
    if not found:
        return None
    i, j = (-at for at in max(found)[1:])
    scores = (
        "Their scores differ already: another query meets another key."
        if not isclose(*read.graph["S"].value[[i, j], [j, i]], abs_tol=1e-9)
        else "Their scores are alike, but each row is shared out by itself."
    )
    return Cell("A", i, j), (
        f"{read.row('A', i)} gives {read.number('A', i, j)} to {read.col('A', j)}, and "
        f"{read.row('A', j)} gives {read.number('A', j, i)} to {read.col('A', i)}. {scores}"
    )


def same_weights(read: Reader) -> Proof:
    """A weight without and with the maximum taken off."""
    top = int(read.graph["A"].value[0].argmax())
    texts = [read.number(key, 0, top) for key in ("A", "A_m")]
    if read.graph["A"].shape[1] == 1 or texts[0] != texts[1]:
        return None
    return Cell("A_m", 0, top), (
        f"The weight of {read.col('A', top)} is {texts[0]} without it, and {texts[1]} with it. "
        "Only gaps between scores count, and these stay."
    )


def never_zero(read: Reader) -> Proof:
    """The smallest weight of an open key."""
    least = min(((read.graph["A"].value[place], *place) for place in read.open()), default=None)
    if least is None or read.shown("A", *least[1:]) == 0:
        return None
    return Cell("A", *least[1:]), (
        f"The smallest weight of an open key is {read.number('A', *least[1:])} here. e to any "
        "power is above 0. Only −∞, a blocked key, makes a weight of exactly 0."
    )


def itself(read: Reader) -> Proof:
    """The largest weight that a token gives itself."""
    row = int(read.graph["A"].value.diagonal().argmax())
    if read.shown("A", row, row) == 0:
        return None
    return Cell("A", row, row), (
        f"{read.row('A', row)} gives {read.number('A', row, row)} to itself. Its own key is one of "
        "the keys, like any other."
    )
