"""The three worked examples, with every number that their sources print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from attention_core.expression import Sum
from attention_core.graph import Graph
from attention_core.inputs import Inputs
from attention_core.masks import MaskLike
from attention_core.matrix import as_array, given
from attention_core.ops import divide_by_root, row_softmax
from attention_core.printed import (
    Agreement,
    Printed,
    Quantity,
    cells,
    entry,
    exponential,
    root,
    row_sum,
    term,
    weight_sum,
)


@dataclass(frozen=True)
class Example:
    """A worked example: where it comes from, its inputs and its printed numbers.

    >>> EXAMPLES["love"].graph()["S"].value[0].tolist()
    [1.0, 5.0, 3.0]
    >>> list(EXAMPLES["love"].agreement().values())
    [64, 2, 5]
    """

    key: str
    title: str
    source: str
    inputs: Inputs
    printed: tuple[Printed, ...]

    def graph(self, mask: MaskLike = None, scale: float | None = None) -> Graph:
        """The computation from the example's own numbers."""
        return self.inputs.graph(mask, scale)

    def agreement(self) -> dict[str, int]:
        """How many printed numbers agree, and how."""
        graph = self.graph()
        found = [printed.check(graph).value for printed in self.printed]
        return {a.value: found.count(a.value) for a in Agreement if a.value in found}


def _inputs(
    tokens: str, features: Sequence[str] | None = None, **given_: list[list[int]]
) -> Inputs:
    arrays = {key: as_array(key, value) for key, value in given_.items()}
    if "X" in arrays:  # component t is written to feature t
        arrays["W_O"] = np.eye(arrays["W_V"].shape[1], arrays["X"].shape[1])
    return Inputs(tuple(tokens.split()), arrays, tuple(features) if features else None)


_HAND = Example(
    "hand",
    "Three tokens by hand",
    "The Heart of Self-Attention: Queries, Keys, Values, and One Worked Example",
    _inputs(
        "t1 t2 t3",
        Q=[[1, 0], [1, 1], [0, 1]],
        K=[[1, 0], [1, 1], [0, 1]],
        V=[[1, 0], [0, 1], [1, 1]],
    ),
    (
        *cells("Q", "the given queries", {0: "1 0", 1: "1 1", 2: "0 1"}),
        *cells("K", "the given keys", {0: "1 0", 1: "1 1", 2: "0 1"}),
        *cells("V", "the given values", {0: "1 0", 1: "0 1", 2: "1 1"}),
        *cells("S", "step 1, raw scores", {0: "1 1 0", 1: "1 2 1", 2: "0 1 1"}),
        Printed("1.4142", "step 2, the divisor", root(2)),
        *cells(
            "S_scaled",
            "step 2, scaled scores",
            {0: "0.707 0.707 0", 1: "0.707 1.414 0.707", 2: "0 0.707 0.707"},
        ),
        Printed("2.028", "step 3, exponential", exponential(0, 0)),
        Printed("4.113", "step 3, exponential", exponential(1, 1)),
        Printed("1", "step 3, exponential", exponential(0, 2)),
        Printed("5.056", "step 3, sum of row 1", row_sum(0)),
        Printed("8.169", "step 3, sum of row 2", row_sum(1)),
        *cells(
            "A",
            "step 3, weights",
            {0: "0.401 0.401 0.198", 1: "0.248 0.503 0.248", 2: "0.198 0.401 0.401"},
        ),
        *cells(
            "O",
            "step 4, outputs",
            {0: "0.599 0.599", 1: "0.497 0.752", 2: "0.599 0.802"},
        ),
        Printed("0.503", "the reading, strongest weight of token 2", entry("A", 1, 1)),
        Printed("2", "the reading, largest score", entry("S", 1, 1)),
    ),
)

_LOVE = Example(
    "love",
    "I love AI",
    "Attention Math: Query, Key, Value",
    _inputs(
        "I love AI",
        X=[[1, 0, 1, 0], [0, 1, 0, 1], [1, 1, 0, 0]],
        W_Q=[[1, 0, 1], [0, 1, 0], [1, 0, 0], [0, 1, 1]],
        W_K=[[0, 1, 0], [1, 0, 1], [0, 0, 1], [1, 1, 0]],
        W_V=[[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]],
    ),
    (
        *cells("X", "the embedding of I", {0: "1 0 1 0"}),
        *(
            Printed(text, "the expansion of I × W_Q", term("Q", 0, col, t))
            for col, terms in enumerate(("1 0 1 0", "0 0 0 0", "1 0 0 0"))
            for t, text in enumerate(terms.split())
        ),
        *cells("Q", "the query of I, also in its scores", {0: "2 0 1"}),
        *cells("K", "the keys in the scores of I", {0: "0 1 1", 1: "2 1 1", 2: "1 1 1"}),
        *cells("V", "the values in the output of I", {0: "1 0 1", 1: "1 2 0", 2: "1 1 0"}),
        *cells("S", "the scores of I", {0: "1 5 3"}),
        *(Printed("3", "the scores of love, all equal", entry("S", 1, col)) for col in range(3)),
        Printed("4", "the score of AI for love", entry("S", 2, 1)),
        Printed("1.732", "the divisor", root(3)),
        *cells("S_scaled", "scaled scores of I", {0: "0.577 2.887 1.732"}),
        Printed("1.781", "exponentials of I", exponential(0, 0)),
        Printed("17.940", "exponentials of I", exponential(0, 1)),
        Printed("5.651", "exponentials of I", exponential(0, 2)),
        Printed("25.372", "row sum of I", row_sum(0)),
        *cells("A", "weights of I", {0: "0.070 0.707 0.223"}),
        *cells("S_scaled", "exponents of AI", {2: "1.155 2.309 1.732"}),
        Printed("3.174", "exponentials of AI", exponential(2, 0)),
        Printed("10.063", "exponentials of AI", exponential(2, 1)),
        Printed("5.651", "exponentials of AI", exponential(2, 2)),
        Printed("18.888", "row sum of AI", row_sum(2)),
        *cells("A", "weights of AI", {2: "0.168 0.533 0.299"}),
        *cells("O", "outputs of I and love", {0: "1.000 1.637 0.070", 1: "1.000 1.000 0.333"}),
    ),
)

_CAT = Example(
    "cat",
    "The cat sat down",
    "Self-Attention: Q, K, V from First Principles",
    _inputs(
        "The cat sat down",
        ("determiner", "noun", "verb", "direction", "living", "motion", "first", "last"),
        # One row a token: what it is, and whether it lives, moves, comes first or last.
        X=[
            [1, 0, 0, 0, 0, 0, 1, 0],
            [0, 1, 0, 0, 1, 0, 0, 0],
            [0, 0, 1, 0, 0, 1, 0, 0],
            [0, 0, 0, 1, 0, 1, 0, 1],
        ],
        # Component 1 is about determiners, 2 about nouns, 3 about verbs, 4 about directions.
        # A noun asks for its determiner and its verb (3 each); a verb asks for its noun.
        W_Q=[
            [0, 1, 0, 0],
            [3, 1, 3, 0],
            [0, 1, 0, 0],
            [0, 0, 2, 0],
            [0, 0, 0, 0],
            [0, 0, 0, 1],
            [0, 0, 0, 0],
            [0, 0, 0, 0],
        ],
        # A key says what a token is; a living noun says it twice.
        W_K=[
            [1, 0, 0, 0],
            [0, 1, 0, 0],
            [0, 0, 1, 0],
            [0, 0, 0, 1],
            [0, 1, 0, 0],
            [0, 0, 0, 0],
            [0, 0, 0, 0],
            [0, 0, 0, 0],
        ],
        # A value hands over what a token is, and that it moves or comes last.
        W_V=[
            [1, 0, 0, 0],
            [0, 1, 0, 0],
            [0, 0, 1, 0],
            [0, 0, 0, 1],
            [0, 1, 0, 0],
            [0, 0, 1, 0],
            [0, 0, 0, 0],
            [0, 0, 0, 1],
        ],
    ),
    (
        Printed("0.35", "the weight of cat for sat", entry("A", 1, 2)),
        *(Printed("1.00", "every row of the weights sums to 1", weight_sum(r)) for r in range(4)),
        Printed(
            "0.65",
            "the rest of the weight of cat",
            Quantity(lambda g: Sum(tuple(g["A"].num(1, col) for col in (0, 1, 3)))),
        ),
    ),
)

EXAMPLES: dict[str, Example] = {e.key: e for e in (_LOVE, _HAND, _CAT)}


def saturated_row() -> Graph:
    """One row of scores at d_k = 64, with and without the division by √64 = 8.

    The third source prints a raw and a scaled softmax row that cannot both come from one row of
    scores. These scores give its scaled row, and ``A_raw`` is their true raw row.

    >>> graph = saturated_row()
    >>> graph["A"].value.round(2).tolist(), graph["A_raw"].value.round(5).tolist()
    ([[0.62, 0.16, 0.08, 0.15]], [[0.99997, 2e-05, 0.0, 1e-05]])
    """
    S = given("S", [[16, 5, 0, 4.5]])
    S_scaled = divide_by_root(S, 64, "S_scaled")
    return Graph((S, S_scaled, row_softmax(S, "A_raw"), row_softmax(S_scaled, "A")))


SATURATED_ROW: tuple[Printed, ...] = (
    Printed("8", "the divisor at d_k = 64", root(64)),
    *cells("A_raw", "softmax of the raw row", {0: "0.9999 0.0001 0.0000 0.0000"}),
    *cells("A", "softmax of the scaled row", {0: "0.62 0.16 0.08 0.15"}),
)
