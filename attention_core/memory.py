"""How many numbers attention holds at once: the whole table, or block by block.

Counted is what comes on top of Q, K, V and the outputs, for one head.
"""

from __future__ import annotations

from dataclasses import dataclass

from attention_core.bounds import whole
from attention_core.cost import MAX_N, MAX_WIDTH


@dataclass(frozen=True)
class Held:
    """The numbers held for ``n`` tokens, blocks of ``block`` keys and values of ``width``."""

    n: int
    block: int
    width: int

    @property
    def table(self) -> int:
        """The scores of all rows at once; their exponentials and weights take the same places."""
        return self.n * self.n

    @property
    def row(self) -> int:
        """The scores of one row, which needs no other."""
        return self.n

    @property
    def one(self) -> int:
        """One row by blocks: the scores of a block, the largest, the sum and an output so far."""
        return min(self.block, self.n) + 2 + self.width

    @property
    def all(self) -> int:
        """All rows at the same time, each by blocks."""
        return self.n * self.one


def held(n: int, block: int, width: int) -> Held:
    """What is held for n tokens.

    Errors: :class:`AttentionError` for n outside 1 to 1,000,000, blocks without keys, and width
    outside 1 to 256.

    >>> long = held(1_000_000, block=128, width=64)
    >>> long.table, long.all, long.row, long.one
    (1000000000000, 194000000, 1000000, 194)
    """
    return Held(
        whole("held", "n", n, 1, MAX_N),
        whole("held", "block", block, 1, MAX_N),
        whole("held", "width", width, 1, MAX_WIDTH),
    )
