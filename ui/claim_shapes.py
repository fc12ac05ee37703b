"""What settles claims about scores, parameters and sizes on the viewer's numbers.

Each gives ``None`` where these numbers, as they are shown, do not show it.
"""

from __future__ import annotations

from attention_core import Cell
from ui.claim_proofs import Proof, Reader


def parameters(read: Reader) -> Proof:
    """Q is made from X."""
    if "X" not in read.graph:
        return None
    return Cell("Q", 0, 0), (
        f"{read.number('Q', 0, 0)} in Q was computed, from the row of {read.row('Q', 0)} in X and "
        "a column of W_Q. Another text has another X. The weights are W_Q, W_K and W_V: they are "
        "the same for every text."
    )


def by_d_k(read: Reader) -> Proof:
    """The scaling of the largest score, where √d_k divides and no other size is the same."""
    graph = read.graph
    S = graph["S"].value
    row, col = divmod(int(abs(S).argmax()), S.shape[1])
    same_size = "X" in graph and graph["X"].shape[1] == graph["Q"].shape[1]
    same_number = read.shown("S", row, col) == read.shown("S_scaled", row, col)
    if not _by_root(read) or same_size or same_number:
        return None
    return Cell("S_scaled", row, col), (
        f"The score {read.number('S', row, col)} became {read.number('S_scaled', row, col)}. Its "
        "derivation has √d_k in it: d_k is the number of products in each score. How long an "
        "embedding is does not matter."
    )


def same_winner(read: Reader) -> Proof:
    """The one largest score of a row, before the scaling and after."""
    for row in range(read.graph["S"].shape[0] if _by_root(read) else 0):
        before, after = read.line("S", row), read.line("S_scaled", row)
        top = before.index(max(before))
        if len(before) > 1 and before.count(before[top]) == after.count(after[top]) == 1:
            return Cell("S_scaled", row, top), (
                f"In the row of {read.row('S', row)} the largest score is "
                f"{read.number('S', row, top)}, and the largest scaled one is "
                f"{read.number('S_scaled', row, top)}: both for {read.col('S', top)}. All scores "
                "are divided by √d_k, one positive number, so their order stays."
            )
    return None


def no_cosine(read: Reader) -> Proof:
    """The score that is farthest from its cosine."""
    S, C = read.graph["S"].value, read.graph["C"].value
    row, col = divmod(int(abs(S - C).argmax()), S.shape[1])
    score = read.shown("S", row, col)
    if score == read.shown("C", row, col):
        return None
    beyond = f" No cosine is {'above 1' if score > 0 else 'below −1'}." if abs(score) > 1 else ""
    return Cell("S", row, col), (
        f"This score is {read.number('S', row, col)}, and the cosine is "
        f"{read.number('C', row, col)}.{beyond} The score is the cosine times both lengths."
    )


def added(read: Reader) -> Proof:
    """A number of an embedding in the sum."""
    for row, col in read.places("X_out") if "X_out" in read.graph else ():
        x, u, total = (read.shown(key, row, col) for key in ("X", "U", "X_out"))
        if x and u and round(x + u, 9) == total:
            return Cell("X_out", row, col), (
                f"{read.number('X', row, col)} is still in the sum: "
                f"{read.number('X_out', row, col)} is that and the update "
                f"{read.number('U', row, col)}. Attention adds to an embedding, and replaces "
                "nothing."
            )
    return None


def any_length(read: Reader) -> Proof:
    """An output of values that are shorter than the keys."""
    places = read.places("O_short")
    if not places or read.graph["K"].shape[1] == 1:
        return None
    return Cell("O_short", *places[0]), (
        f"{read.number('O_short', *places[0])} comes out, although each value is one number here, "
        "and each key has more. Only queries and keys meet in a dot product, so only these two "
        "must be equally long. An output is as long as a value."
    )


def own_query(read: Reader) -> Proof:
    """A score of the last token: its own query, and the key of an earlier one."""
    graph = read.graph
    last = graph["S"].shape[0] - 1
    earlier = [col for row, col in read.open() if row == last and col < last]
    if not earlier or (graph["Q"].value == graph["K"].value).all():
        return None
    return Cell("S", last, earlier[0]), (
        f"{read.number('S', last, earlier[0])} is a score of the last token, "
        f"{read.row('S', last)}: its own query with the key of {read.col('S', earlier[0])}, an "
        f"earlier token. Its output takes the value of {read.col('S', earlier[0])} too. No older "
        "query is in it. So keys and values are kept, and queries are not."
    )


def same_columns(read: Reader) -> Proof:
    """A number of W_Q in one of two heads."""
    if "W_Q_2" not in read.graph:
        return None
    return Cell("W_Q_2", 0, 0), (
        f"{read.number('W_Q_2', 0, 0)} in the second head is a number of W_Q, and so is every "
        "other: the heads share out the columns that one head had. In the paper a head gets "
        "d_model / h of them, so eight heads have as many parameters as one."
    )


def _by_root(read: Reader) -> bool:
    """Whether scores are divided by √d_k here, and not by the viewer's own scale."""
    op = read.graph["S_scaled"].op
    return op is not None and op.name == "divide_by_root"
