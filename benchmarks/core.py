"""The graph of all intermediates against the same lines of plain NumPy."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from attention_core import attention
from benchmarks.report import Row
from benchmarks.timing import side_by_side

SIZES = (64, 256, 1024)
D = 64  # d_k and d_v, as in the paper
_AIM = 1.15
_SECONDS = {64: 2.0, 256: 3.0, 1024: 8.0}

Array = NDArray[np.float64]


def random_inputs(n: int) -> tuple[Array, Array, Array]:
    """Q, K and V of standard normal numbers, always the same ones."""
    rng = np.random.default_rng(n)
    Q, K, V = (rng.standard_normal((n, D)) for _ in range(3))
    return Q, K, V


def plain(Q: Array, K: Array, V: Array) -> dict[str, Array]:
    """What one would write without the package, keeping every intermediate."""
    S = Q @ K.T
    S_scaled = S / math.sqrt(Q.shape[1])
    M = np.zeros(S.shape)
    S_masked = S_scaled + M
    E = np.exp(S_masked - S_masked.max(axis=1, keepdims=True))
    A = E / E.sum(axis=1, keepdims=True)
    return {"S": S, "S_scaled": S_scaled, "M": M, "S_masked": S_masked, "A": A, "O": A @ V}


def measure() -> list[Row]:
    """Time both at every size, after checking that they agree."""
    rows = []
    for n in SIZES:
        Q, K, V = random_inputs(n)
        graph = attention(Q, K, V)
        for key, value in plain(Q, K, V).items():
            np.testing.assert_allclose(graph[key].value, value, rtol=1e-9, atol=1e-12)
        pair = side_by_side(
            lambda q=Q, k=K, v=V: attention(q, k, v),  # type: ignore[misc]
            lambda q=Q, k=K, v=V: plain(q, k, v),  # type: ignore[misc]
            seconds=_SECONDS[n],
        )
        rows.append(
            Row(
                f"attention, n = {n}",
                pair.ours * 1e3,
                pair.plain * 1e3,
                "ms",
                _AIM,
                f"fastest of each; median of neighbours {pair.median_ratio:.2f}",
            )
        )
    return rows
