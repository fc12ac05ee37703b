"""What settles claims about what is learned, what is made anew, and how long it is.

Each gives ``None`` where the viewer's numbers do not show it.
"""

from __future__ import annotations

from attention_core import Cell
from ui.claim_proofs import Reader


def parameters(read: Reader) -> tuple[Cell, str] | None:
    """Q is made from X."""
    if "X" not in read.graph:
        return None
    return Cell("Q", 0, 0), (
        f"Q is computed from X: pin {read.number('Q', 0, 0)}, and see the row of X and the column "
        "of W_Q that made it. The weights are W_Q, W_K and W_V. They are the same for every text."
    )


def by_d_k(read: Reader) -> tuple[Cell, str] | None:
    """The scaling of the largest score."""
    S = read.graph["S"].value
    row, col = divmod(int(abs(S).argmax()), S.shape[1])
    return Cell("S_scaled", row, col), (
        f"The score {read.number('S', row, col)} became {read.number('S_scaled', row, col)}. Its "
        "derivation has √d_k in it: d_k is the number of products in each score. How long an "
        "embedding is does not matter."
    )


def added(read: Reader) -> tuple[Cell, str] | None:
    """A number of an embedding in the sum."""
    if "X_out" not in read.graph:
        return None
    return Cell("X_out", 0, 0), (
        f"{read.number('X', 0, 0)} is still in the sum: {read.number('X_out', 0, 0)} is that and "
        f"the update {read.number('U', 0, 0)}. Attention adds to an embedding, and replaces "
        "nothing."
    )


def any_length(read: Reader) -> tuple[Cell, str] | None:
    """An output of values that are shorter than the keys."""
    if read.graph["K"].shape[1] == read.graph["V_short"].shape[1]:
        return None
    return Cell("O_short", 0, 0), (
        f"{read.number('O_short', 0, 0)} comes out, although each value is one number here, and "
        "each key has more. Only queries and keys meet in a dot product, so only these two must "
        "be equally long. An output is as long as a value."
    )


def own_query(read: Reader) -> tuple[Cell, str] | None:
    """A score of the last token: its own query, and the key of another."""
    last = read.graph["S"].shape[0] - 1
    if last == 0:
        return None
    return Cell("S", last, 0), (
        f"Pin {read.number('S', last, 0)}, a score of the last token, {read.row('S', last)}. It "
        "takes its own query and the key of an earlier token, and its output takes the values of "
        "the tokens before. No older query is in it. So keys and values are kept, and queries are "
        "not."
    )


def same_columns(read: Reader) -> tuple[Cell, str] | None:
    """A number of W_Q in one of two heads."""
    if "W_Q_2" not in read.graph:
        return None
    return Cell("W_Q_2", 0, 0), (
        f"{read.number('W_Q_2', 0, 0)} in the second head is a number of W_Q, and so is every "
        "other: the heads share out the columns that one head had. In the paper a head gets "
        "d_model / h of them. Eight heads have as many parameters as one."
    )
