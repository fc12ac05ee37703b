"""Costs: counted by loops that multiply, at small sizes; exact at large ones; what is refused."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from attention_core import (
    BYTES,
    MAX_HEADS,
    MAX_N,
    MAX_WIDTH,
    NUMBER_SIZES,
    SECONDS,
    AttentionError,
    cost,
    counted,
    in_units,
    more_bytes_beyond,
    more_work_beyond,
)


class Counter:
    """Multiplies matrices by three loops, and counts."""

    def __init__(self) -> None:
        self.count = 0

    def product(self, a: list[list[int]], b: list[list[int]]) -> list[list[int]]:
        out = [[0] * len(b[0]) for _ in a]
        for i, row in enumerate(out):
            for j in range(len(row)):
                for k in range(len(b)):
                    row[j] += a[i][k] * b[k][j]
                    self.count += 1
        return out


def ones(rows: int, cols: int) -> list[list[int]]:
    return [[1] * cols for _ in range(rows)]


SMALL = list(product((1, 2, 3, 5), (1, 2, 3), (1, 2, 4)))


@pytest.mark.parametrize(("n", "heads", "width"), SMALL)
def test_multiplications_and_cells_are_those_of_loops(n: int, heads: int, width: int) -> None:
    found, d_model = cost(n, heads, width), heads * width
    projecting, scoring, mixing, cells, kept = Counter(), Counter(), Counter(), 0, 0
    for _ in range(heads):
        X, W = ones(n, d_model), ones(d_model, width)
        Q, K, V = (projecting.product(X, W) for _ in range(3))
        S = scoring.product(Q, [list(column) for column in zip(*K, strict=True)])
        O = mixing.product(S, V)
        assert (len(O), len(O[0])) == (n, width)
        cells = sum(len(row) for row in S)
        kept += sum(len(row) for matrix in (Q, K, V) for row in matrix)
    assert found.d_model == d_model
    assert found.cells == cells
    assert found.projections == projecting.count
    assert found.scores == scoring.count
    assert found.mixing == mixing.count
    assert found.square == scoring.count + mixing.count
    for size in NUMBER_SIZES:
        sized = cost(n, heads, width, size)
        assert sized.projected_bytes == kept * size
        assert sized.score_bytes == heads * cells * size


@pytest.mark.parametrize(("size", "kind"), [(1, "int8"), (2, "float16"), (4, "float32"), (8, "f8")])
def test_bytes_are_those_of_numpy(size: int, kind: str) -> None:
    found = cost(7, heads=3, width=5, size=size)
    assert found.score_bytes == np.zeros((3, 7, 7), dtype=kind).nbytes
    assert found.projected_bytes == np.zeros((3, 3, 7, 5), dtype=kind).nbytes


@pytest.mark.parametrize(("n", "heads", "width"), SMALL)
def test_a_chain_multiplies_twice_a_step(n: int, heads: int, width: int) -> None:
    d, counter = heads * width, Counter()
    h = ones(d, 1)
    for _ in range(n):
        h = counter.product(ones(d, d), h)
        counter.product(ones(d, d), ones(d, 1))
    found = cost(n, heads, width)
    assert found.chain == counter.count
    assert found.chain_steps == n
    assert (found.chain > found.square, found.chain == found.square) == (n < d, n == d)


@pytest.mark.parametrize(("heads", "width"), [(1, 1), (3, 5), (8, 64), (128, 256)])
def test_the_square_overtakes_where_it_is_said(heads: int, width: int) -> None:
    n = more_work_beyond(heads, width)
    below, above = cost(int(n), heads, width), cost(int(n) + 1, heads, width)
    assert below.square <= below.projections
    assert above.square > above.projections
    m = more_bytes_beyond(width)
    assert cost(m, heads, width).score_bytes == cost(m, heads, width).projected_bytes
    assert cost(m + 1, heads, width).score_bytes > cost(m + 1, heads, width).projected_bytes


def test_nothing_overflows_at_the_largest_sizes() -> None:
    """10¹² cells times 32768 is beyond 32 bits by far; each count is a whole number of Python."""
    most = cost(MAX_N, MAX_HEADS, MAX_WIDTH, 8)
    assert most.scores == most.mixing == 10**12 * 32768
    assert most.projections == 3 * 10**6 * 32768**2
    assert most.score_bytes == 128 * 10**12 * 8
    assert most.chain == 2 * 10**6 * 32768**2
    whole_of_numpy: Any = np.int32(MAX_N)
    assert cost(whole_of_numpy, 128, 256) == cost(MAX_N, 128, 256), "whole numbers of NumPy, too"
    assert all(type(number) is int for number in (most.square, most.score_bytes, most.chain))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((0, 1, 1), "n is 0"),
        ((MAX_N + 1, 1, 1), "n is 1000001, wanted a whole number from 1 to 1000000"),
        ((1, 129, 1), "heads is 129, wanted a whole number from 1 to 128"),
        ((1, 1, 257), "width is 257, wanted a whole number from 1 to 256"),
        ((2.0, 1, 1), "n is 2.0"),
        ((True, 1, 1), "n is True"),
        ((10**400, 1, 1), "n is 1000"),
        ((1, 1, 1, 3), "a number of 3 bytes; it can take 1, 2, 4 or 8"),
    ],
)
def test_what_cannot_be_counted_is_refused(arguments: tuple[int, ...], said: str) -> None:
    with pytest.raises(AttentionError, match=said):
        cost(*arguments)


@pytest.mark.parametrize(
    ("amount", "decimals", "text"),
    [
        (0, 3, "0 B"),
        (999, 3, "999 B"),
        (1000, 3, "1 kB"),
        (1024, 3, "1.024 kB"),
        (999_999, 2, "1.00 MB"),
        (999_499, 0, "999 kB"),
        (32 * 10**12, 3, "32 TB"),
        (128 * 10**12 * 8, 3, "1.024 PB"),
        (5 * 10**18, 3, "5000 PB"),
    ],
)
def test_units_are_powers_of_a_thousand(amount: int, decimals: int, text: str) -> None:
    assert in_units(amount, BYTES, decimals).replace("\u00a0", " ") == text


def test_counts_and_times_are_told_as_one_reads_them() -> None:
    assert counted(999_999) == "999,999"
    assert counted(65_536 * 10**12, 1).replace("\u00a0", " ") == "65.5 quadrillion"
    assert in_units(2_500_000, SECONDS, 1).replace("\u00a0", " ") == "2.5 s"
