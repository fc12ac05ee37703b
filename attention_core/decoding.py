"""What it costs to read tokens one after another, with kept keys and values and without."""

from __future__ import annotations

from dataclasses import dataclass

from attention_core.bounds import whole
from attention_core.cost import MAX_HEADS, MAX_N, MAX_WIDTH, bytes_of


@dataclass(frozen=True)
class Decoding:
    """One layer that reads ``n`` tokens one after another, with a cache and without one.

    ``d_k`` and ``d_v`` are the columns of Q, K and V of all ``heads`` together, ``size`` the bytes
    of a number; ``d_model`` is 0 where Q, K and V are given and nothing is projected. Without a
    cache every step makes all rows again, and all cells of S. A step that is named is the last one,
    which reads token number ``n``.
    """

    n: int
    d_model: int
    d_k: int
    d_v: int
    heads: int = 1
    size: int = 4

    @property
    def token(self) -> int:
        """Multiplications of x W_Q, x W_K and x W_V: (1, d_model) (d_model, d_k or d_v)."""
        return self.d_model * (2 * self.d_k + self.d_v)

    @property
    def pair(self) -> int:
        """Multiplications of one query with one key, and of their weight with the value."""
        return self.d_k + self.d_v

    @property
    def step(self) -> int:
        """Multiplications of the step with a cache: one token, which meets n keys."""
        return self.token + self.n * self.pair

    @property
    def step_again(self) -> int:
        """Multiplications of the step without: n tokens, each of which meets n keys."""
        return self.n * self.token + self.n**2 * self.pair

    @property
    def total(self) -> int:
        """Multiplications of all steps with a cache; 1 + 2 + … + n = n (n + 1) / 2."""
        return self.n * self.token + self.n * (self.n + 1) // 2 * self.pair

    @property
    def total_again(self) -> int:
        """Of all steps without; 1 + 4 + … + n² = n (n + 1) (2 n + 1) / 6."""
        n = self.n
        squares = n * (n + 1) * (2 * n + 1) // 6
        return n * (n + 1) // 2 * self.token + squares * self.pair

    @property
    def kept(self) -> int:
        """Bytes of the cache after the step: n rows of K and of V."""
        return self.n * self.pair * self.size

    @property
    def made(self) -> int:
        """Bytes that the step with a cache makes: q, k, v, and a row of scores in each head."""
        return (2 * self.d_k + self.d_v + self.heads * self.n) * self.size

    @property
    def made_again(self) -> int:
        """Bytes that the step without makes: Q, K, V, and all scores in each head."""
        return (self.n * (2 * self.d_k + self.d_v) + self.heads * self.n**2) * self.size


def decoding(n: int, d_model: int, d_k: int, d_v: int, heads: int = 1, size: int = 4) -> Decoding:
    """What it costs to read n tokens one after another, as a model does that writes.

    Errors: :class:`AttentionError` for n outside 1 to 1,000,000, heads outside 1 to 128, other
    sizes outside 1 to 32,768 (``d_model`` may be 0), and a ``size`` that is none of 1, 2, 4 and 8.

    >>> paper = decoding(1024, d_model=512, d_k=512, d_v=512, heads=8)
    >>> paper.step, paper.step_again // paper.step, paper.kept
    (1835008, 1024, 4194304)
    """
    widest = MAX_HEADS * MAX_WIDTH
    return Decoding(
        whole("decoding", "n", n, 1, MAX_N),
        whole("decoding", "d_model", d_model, 0, widest),
        whole("decoding", "d_k", d_k, 1, widest),
        whole("decoding", "d_v", d_v, 1, widest),
        whole("decoding", "heads", heads, 1, MAX_HEADS),
        bytes_of("decoding", size),
    )
