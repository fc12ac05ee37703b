"""The measurement: what it measures, that it happens once, and that it asks for little."""

from __future__ import annotations

import json
import subprocess
import threading
import time
import tracemalloc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest

from attention_core import (
    TIMED_SIZES,
    TIMED_WIDTH,
    AttentionError,
    Timing,
    measure,
    measured,
    timing,
)


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    """Each test measures anew, and leaves nothing behind."""
    timing._measured_once.cache_clear()
    yield
    timing._measured_once.cache_clear()


def test_it_measures_growing_sizes_and_longer_times() -> None:
    start = time.perf_counter()
    found = measured()
    assert time.perf_counter() - start < 15, "about half a second on an idle machine"
    assert tuple(one.n for one in found) == TIMED_SIZES
    assert all(b.n == 2 * a.n for a, b in pairwise(found))
    for what in ("attention", "square", "chain"):
        times = [getattr(one, what) for one in found]
        assert min(times) > 0
        assert times[-1] > 4 * times[0], what


def test_a_class_that_comes_at_once_measures_once(monkeypatch: pytest.MonkeyPatch) -> None:
    runs, entered = [], threading.Barrier(30)

    def slow(*args: object, **options: object) -> subprocess.CompletedProcess[bytes]:
        runs.append(args)
        time.sleep(0.2)
        rows = [[n, n * 1e-6, n * 1e-7, n * 1e-5] for n in TIMED_SIZES]
        return subprocess.CompletedProcess([], 0, json.dumps(rows).encode(), b"")

    def come(_: int) -> tuple[Timing, ...]:
        entered.wait()
        return measured()

    monkeypatch.setattr(subprocess, "run", slow)
    with ThreadPoolExecutor(30) as pool:
        found = list(pool.map(come, range(30)))
    assert len(runs) == 1
    assert all(one is found[0] for one in found)
    assert measured() is found[0]
    assert len(runs) == 1
    assert found[0][0] == Timing(16, 16e-6, 16e-7, 16e-5)


@pytest.mark.parametrize("answer", [OSError("no process"), b"", b"[[1]]", b"no"], ids=str)
def test_without_a_process_of_its_own_it_measures_here(
    answer: OSError | bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(*args: object, **options: object) -> subprocess.CompletedProcess[bytes]:
        if isinstance(answer, OSError):
            raise answer
        return subprocess.CompletedProcess([], 0, answer, b"")

    here = (Timing(16, 1.0, 1.0, 1.0),)
    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(timing, "measure", lambda sizes: here)
    assert measured() == here


def test_it_needs_less_than_a_hundred_megabytes() -> None:
    tracemalloc.start()
    try:
        measure((TIMED_SIZES[-1],))
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 100e6


def test_the_chain_is_the_one_that_is_told() -> None:
    random = np.random.default_rng(1)
    W, U = random.standard_normal((2, 3, 3))
    X = random.standard_normal((4, 3))
    h = [0.0, 0.0, 0.0]
    for x in X:
        h = [
            float(np.tanh(sum(W[i, k] * h[k] + U[i, k] * x[k] for k in range(3)))) for i in range(3)
        ]
    np.testing.assert_allclose(timing._chain(W, U, X), h)
    assert TIMED_WIDTH == 64


@pytest.mark.parametrize("sizes", [(), (0,), (4, 2), (2, 2), (16, 2048)])
def test_sizes_that_are_too_large_or_in_no_order_are_refused(sizes: tuple[int, ...]) -> None:
    with pytest.raises(AttentionError, match=r"timing: the sizes are .* from 1 to 1024"):
        measure(sizes)
