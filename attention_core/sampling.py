"""Random queries and keys: how large their dot products are, and what a softmax makes of them.

The experiment behind the scaling (Vaswani et al. 2017, section 3.2.1, footnote 4): components are
independent with mean 0 and variance 1, so a dot product of d of them has mean 0 and variance d.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from attention_core.bounds import whole
from attention_core.errors import AttentionError
from attention_core.matrix import Array

MAX_PAIRS = 10_000
MAX_D = 512
_KEYS = 8  # keys of one row of scores
_ROWS = 64  # rows over which entropy and gradient are averaged
# Numbers drawn at once: 10,000 pairs of 512 components would fill 80 MB.
_CHUNK = 16

DIVISORS: tuple[str, ...] = ("1", "root", "d")
"""What scores can be divided by: nothing, √d, or d."""


@dataclass(frozen=True)
class Products:
    """Dot products of random pairs at one size.

    ``raw`` are q · k and ``scaled`` the same divided by √d, one number a pair.
    """

    d: int
    raw: Array
    scaled: Array

    @cached_property
    def moments(self) -> tuple[float, float, float, float]:
        """Mean and variance of the raw products, then of the scaled ones.

        The variance of a sample: squares are divided by one less than the number of pairs, so that
        also few pairs give the theory's d on average.
        """
        both = (self.raw, self.scaled)
        raw, scaled = ((float(of.mean()), float(of.var(ddof=1))) for of in both)
        return *raw, *scaled


def dot_products(sizes: Sequence[int], pairs: int, seed: int) -> tuple[Products, ...]:
    """Dot products q · k of random pairs, for each size d in ``sizes``.

    The components are independent standard normal numbers. The same pairs serve every size: for d
    the first d components are used, so that a larger d adds products to the same sum.

    Errors: :class:`AttentionError` for sizes outside 1 to 512 or not ascending, and for fewer than
    2 or more than 10,000 pairs.

    >>> [p.raw.shape for p in dot_products((1, 4), pairs=3, seed=0)]
    [(3,), (3,)]
    """
    _check(sizes, pairs, seed)
    random = np.random.default_rng(seed)
    total, found = np.zeros(pairs), []
    for start in range(0, max(sizes), _CHUNK):
        q, k = random.standard_normal((2, _CHUNK, pairs))
        sums = total + np.cumsum(q * k, axis=0)
        for d in sizes:
            if start < d <= start + _CHUNK:
                raw = sums[d - start - 1].copy()
                found.append(Products(d, raw, raw / np.sqrt(d)))
        total = sums[-1]
    return tuple(found)


@dataclass(frozen=True)
class Sharpness:
    """How hard the weights are at one size, when scores are divided by ``divisor``.

    ``entropy`` is the mean entropy of the rows of weights over its largest value ln n: 1 for equal
    weights, 0 where one key has all. ``gradient`` is the mean size of the softmax gradient: the
    Frobenius norm of diag(a) − aᵀa, which is 0 where one key has all.
    """

    d: int
    divisor: str
    entropy: float
    gradient: float


def sharpness(sizes: Sequence[int], seed: int) -> tuple[Sharpness, ...]:
    """Entropy and gradient of softmax rows over d, for each way to divide the scores.

    Rows of scores of one random query and 8 random keys; the mean is over 64 rows. Components and
    errors as in :func:`dot_products`.

    >>> hard, root, soft = sharpness((64,), seed=0)
    >>> hard.entropy < root.entropy < soft.entropy
    True
    """
    _check(sizes, 2, seed)
    random = np.random.default_rng(seed)
    q = random.standard_normal((_ROWS, 1, MAX_D))
    k = random.standard_normal((_ROWS, _KEYS, MAX_D))
    scores = np.cumsum(q * k, axis=2)
    found = []
    for d in sizes:
        for divisor, by in zip(DIVISORS, (1.0, float(np.sqrt(d)), float(d)), strict=True):
            found.append(_sharpness(d, divisor, scores[:, :, d - 1] / by))
    return tuple(found)


def _sharpness(d: int, divisor: str, scores: Array) -> Sharpness:
    shifted = np.exp(scores - scores.max(axis=1, keepdims=True))
    a = shifted / shifted.sum(axis=1, keepdims=True)
    logs = np.log(a, out=np.zeros_like(a), where=a > 0)
    entropy = -(a * logs).sum(axis=1) / np.log(_KEYS)
    jacobian = a[:, :, None] * (np.eye(_KEYS) - a[:, None, :])
    gradient = np.sqrt((jacobian**2).sum(axis=(1, 2)))
    return Sharpness(d, divisor, float(entropy.mean()), float(gradient.mean()))


def _check(sizes: Sequence[int], pairs: int, seed: int) -> None:
    for size in sizes:
        whole("sampling", "a size", size, 1, MAX_D)
    whole("sampling", "pairs", pairs, 2, MAX_PAIRS)
    whole("sampling", "seed", seed, 0)
    if not sizes or list(sizes) != sorted(set(sizes)) or not 1 <= sizes[0] <= sizes[-1] <= MAX_D:
        raise AttentionError(
            f"sampling: the sizes are {list(sizes)}, wanted whole numbers from 1 to {MAX_D} in "
            "ascending order."
        )
