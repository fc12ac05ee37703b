"""What one layer of attention costs for n tokens, and what a model keeps of them, counted exactly.

Counted are the multiplications of the matrix products, and the bytes of what they make. Whole
numbers of Python have no largest one, so that nothing overflows at a million tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from attention_core.bounds import finite, whole
from attention_core.errors import AttentionError
from attention_core.rounding import show

MAX_N = 1_000_000
MAX_HEADS = 128
MAX_WIDTH = 256
MAX_DEPTH = 200
NUMBER_SIZES: tuple[int, ...] = (1, 2, 4, 8)
"""Bytes that one number can take."""

STAGES: tuple[str, ...] = ("Q, K and V", "S", "A", "O")
"""What has to be made one after the other in attention, however many tokens there are."""

BYTES = ("B", "kB", "MB", "GB", "TB", "PB")
SECONDS = ("µs", "ms", "s")
_COUNTS = ("million", "billion", "trillion", "quadrillion")


@dataclass(frozen=True)
class Cost:
    """One layer over ``n`` tokens with ``heads`` heads of ``width`` components.

    ``width`` is d_k, and d_v is as large; d_model is heads times width, as in the paper. ``size``
    is how many bytes one number takes.
    """

    n: int
    heads: int
    width: int
    size: int

    @property
    def d_model(self) -> int:
        """The number of features of an embedding."""
        return self.heads * self.width

    @property
    def cells(self) -> int:
        """The cells of the score matrix S of one head: (n, n)."""
        return self.n * self.n

    @property
    def projections(self) -> int:
        """Multiplications of X W_Q, X W_K and X W_V of all heads: (n, d_model) (d_model, d_k)."""
        return 3 * self.n * self.d_model * self.width * self.heads

    @property
    def scores(self) -> int:
        """Multiplications of Q Kᵀ of all heads: (n, d_k) (d_k, n)."""
        return self.cells * self.width * self.heads

    @property
    def mixing(self) -> int:
        """Multiplications of A V of all heads: (n, n) (n, d_v)."""
        return self.cells * self.width * self.heads

    @property
    def square(self) -> int:
        """The multiplications that grow with n²: scores and mixing."""
        return self.scores + self.mixing

    @property
    def score_bytes(self) -> int:
        """Bytes of the score matrices of all heads."""
        return self.heads * self.cells * self.size

    @property
    def projected_bytes(self) -> int:
        """Bytes of Q, K and V of all heads."""
        return 3 * self.n * self.d_model * self.size

    @property
    def chain(self) -> int:
        """Multiplications of a recurrent layer of the same width over n tokens.

        h_t = tanh(W h_(t−1) + U x_t) with W and U of shape (d_model, d_model): two products a step.
        """
        return self.n * 2 * self.d_model**2

    @property
    def chain_steps(self) -> int:
        """Steps of that chain that wait for each other: one a token."""
        return self.n


@dataclass(frozen=True)
class Cache:
    """The keys and values of ``n`` tokens that a model keeps, so that it need not make them again.

    Each of ``layers`` layers has ``heads`` heads of ``width`` components (d_k, and d_v is as
    large) that share ``kv_heads`` heads of keys and values; ``size`` bytes a number.
    """

    n: int
    layers: int
    heads: int
    kv_heads: int
    width: int
    size: int

    @property
    def token_numbers(self) -> int:
        """Numbers for one token: a key and a value for each head of them, in each layer."""
        return 2 * self.layers * self.kv_heads * self.width

    @property
    def token_bytes(self) -> int:
        """Bytes for one token."""
        return self.token_numbers * self.size

    @property
    def bytes(self) -> int:
        """Bytes for all tokens."""
        return self.n * self.token_bytes

    @property
    def parameters(self) -> int:
        """Parameters of W_K and W_V in all layers: (d_model, h_kv·d_k) each, d_model = h·d_k."""
        return self.heads * self.width * self.token_numbers


def cache(n: int, layers: int, heads: int, kv_heads: int, width: int, size: int = 2) -> Cache:
    """What a model keeps of the keys and values of n tokens.

    Errors: :class:`AttentionError` for layers outside 1 to 200, heads of keys and values that the
    heads cannot share equally, and what `cost` refuses.

    >>> llama = cache(4096, layers=80, heads=64, kv_heads=8, width=128)  # Llama 2 70B
    >>> llama.token_bytes, llama.bytes
    (327680, 1342177280)
    >>> cache(4096, layers=80, heads=64, kv_heads=64, width=128).bytes // llama.bytes
    8
    """
    layers = whole("cache", "layers", layers, 1, MAX_DEPTH)
    kv_heads = whole("cache", "kv_heads", kv_heads, 1, MAX_HEADS)
    of = cost(n, heads, width, size)
    if of.heads % kv_heads:
        raise AttentionError(
            f"cache: {heads} heads cannot share {kv_heads} heads of keys and values equally. Take "
            "a divisor of the heads."
        )
    return Cache(of.n, layers, of.heads, kv_heads, of.width, of.size)


def cost(n: int, heads: int, width: int, size: int = 4) -> Cost:
    """What one layer costs for n tokens.

    Errors: :class:`AttentionError` for n outside 1 to 1,000,000, heads outside 1 to 128, width
    outside 1 to 256, and for a size that is none of 1, 2, 4 and 8.

    >>> paper = cost(1024, heads=8, width=64)
    >>> paper.d_model, paper.cells, paper.projections, paper.square
    (512, 1048576, 805306368, 1073741824)
    >>> cost(2048, heads=8, width=64).square / paper.square
    4.0
    """
    return Cost(
        whole("cost", "n", n, 1, MAX_N),
        whole("cost", "heads", heads, 1, MAX_HEADS),
        whole("cost", "width", width, 1, MAX_WIDTH),
        bytes_of("cost", size),
    )


def bytes_of(what: str, size: int) -> int:
    """The bytes that a number takes; refused are those that no number takes."""
    if size not in NUMBER_SIZES:
        raise AttentionError(f"{what}: a number of {size!r} bytes; it can take 1, 2, 4 or 8.")
    return int(size)


def more_work_beyond(heads: int, width: int) -> float:
    """Beyond how many tokens scores and mixing multiply more than the projections do.

    2 n² d_model = 3 n d_model² at n = 1.5 d_model, and there the two are equal.

    >>> more_work_beyond(8, 64)
    768.0
    """
    heads, width = (
        whole("more_work_beyond", "heads", heads),
        whole("more_work_beyond", "width", width),
    )
    return 3 * heads * width / 2


def more_bytes_beyond(width: int) -> int:
    """Beyond how many tokens the score matrices take more bytes than Q, K and V do.

    h n² = 3 n h d_k at n = 3 d_k, and there the two are equal, whatever the number of heads.

    >>> more_bytes_beyond(64)
    192
    """
    return 3 * whole("more_bytes_beyond", "width", width)


def counted(amount: int, decimals: int = 3) -> str:
    """A count as one reads it: in full below a million, then in millions, billions and so on.

    >>> counted(805306), counted(805306368).split(), counted(10**12).split()
    ('805,306', ['805.306', 'million'], ['1', 'trillion'])
    """
    whole("counted", "the amount", amount, 0)
    if amount < 10**6:
        return f"{amount:,}"
    return in_units(amount / 10**6, _COUNTS, decimals)


def in_units(amount: float, units: Sequence[str], decimals: int = 3) -> str:
    """An amount in the unit that leaves less than 1000 of it; each is 1000 of the one before.

    >>> in_units(33554432, BYTES).split(), in_units(999999, BYTES, decimals=0).split()
    (['33.554', 'MB'], ['1', 'MB'])
    """
    if not units:
        raise AttentionError("in_units: there are no units. Give at least one.")
    amount = finite("in_units", "the amount", amount)
    power = 0
    while power < len(units) - 1 and show(amount / 1000**power, decimals).value >= 1000:
        power += 1
    return f"{show(amount / 1000**power, decimals).text}\u00a0{units[power]}"
