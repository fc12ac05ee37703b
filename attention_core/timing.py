"""How long attention takes on this machine, against the number of tokens; measured once and kept.

Times differ from run to run and from machine to machine. Everything else in the core gives the
same numbers everywhere.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass
from functools import cache
from pathlib import Path
from threading import Lock
from time import perf_counter, thread_time

import numpy as np

from attention_core.attention import attention
from attention_core.errors import AttentionError
from attention_core.matrix import Array

TIMED_SIZES: tuple[int, ...] = (16, 32, 64, 128, 256, 512, 1024)
TIMED_WIDTH = 64
_MAX_TIMED = 1024  # attention keeps five matrices of n × n: 42 MB here
_REPEATS, _PATIENCE = 7, 0.06  # the best of so many runs, or of two where these take so long
# Processor time, so that what else runs on a busy machine does not count. Windows tells it too
# coarsely.
_CLOCK = perf_counter if sys.platform == "win32" else thread_time
_LOCK = Lock()
_HOME = Path(__file__).parents[1]
# One thread each: with more, two threads that wait for each other on a busy machine are timed.
_ALONE = dict.fromkeys(
    ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"
)
_CHILD = "from attention_core.timing import report; report()"
_WAIT = 20.0  # seconds; it takes about half of one


@dataclass(frozen=True)
class Timing:
    """Seconds of processor time for n tokens, the best of a few runs each, with 64 components.

    ``attention`` is :func:`attention_core.attention` from Q, K and V with everything it keeps,
    ``square`` only its two products, Q Kᵀ and then its result times V. ``chain`` is a recurrent
    layer, n steps of h = tanh(W h + U x), each of which needs the h before.
    """

    n: int
    attention: float
    square: float
    chain: float


def measured() -> tuple[Timing, ...]:
    """The times on this machine: measured when first asked for, then kept.

    Who asks meanwhile waits for the same measurement.
    """
    with _LOCK:
        return _measured_once()


@cache
def _measured_once() -> tuple[Timing, ...]:
    """In a process of its own, where it can have one: on one thread, with no other work between."""
    try:
        child = subprocess.run(
            [sys.executable, "-c", _CHILD],
            cwd=_HOME,
            env=os.environ | _ALONE,
            capture_output=True,
            check=True,
            timeout=_WAIT,
        )
        return tuple(Timing(*row) for row in json.loads(child.stdout))
    except (OSError, subprocess.SubprocessError, ValueError, TypeError):
        return measure(TIMED_SIZES)


def report() -> None:
    """Measure, and print the times as JSON: what the process of the measurement runs."""
    print(json.dumps([astuple(one) for one in measure(TIMED_SIZES)]))


def measure(sizes: Sequence[int]) -> tuple[Timing, ...]:
    """Measure now, for each number of tokens in ``sizes``.

    Errors: :class:`AttentionError` for sizes outside 1 to 1024 or not ascending.

    >>> [one.n for one in measure((2, 4))]
    [2, 4]
    """
    if (
        not sizes
        or list(sizes) != sorted(set(sizes))
        or not 1 <= sizes[0] <= sizes[-1] <= _MAX_TIMED
    ):
        raise AttentionError(
            f"timing: the sizes are {list(sizes)}, wanted whole numbers from 1 to {_MAX_TIMED} in "
            "ascending order."
        )
    return tuple(_timing(n) for n in sizes)


def _timing(n: int) -> Timing:
    random = np.random.default_rng(n)
    Q, K, V = random.standard_normal((3, n, TIMED_WIDTH))
    # Divided by the root of the width, so that h neither dies nor fills up.
    W, U = random.standard_normal((2, TIMED_WIDTH, TIMED_WIDTH)) / TIMED_WIDTH**0.5
    return Timing(
        n,
        _best(lambda: attention(Q, K, V)),
        _best(lambda: (Q @ K.T) @ V),
        _best(lambda: _chain(W, U, Q)),
    )


def _chain(W: Array, U: Array, X: Array) -> Array:
    h = np.zeros(len(W))
    for x in X:
        h = np.tanh(W @ h + U @ x)
    return h


def _best(run: Callable[[], object]) -> float:
    """The shortest of a few runs: whatever disturbs a run makes it longer."""
    times: list[float] = []
    while len(times) < 2 or (len(times) < _REPEATS and sum(times) < _PATIENCE):
        start = _CLOCK()
        run()
        times.append(_CLOCK() - start)
    return min(times)
