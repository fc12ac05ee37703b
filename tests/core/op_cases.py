"""One row an op: how to feed it and an independent truth. The laws run over this table."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import torch
from hypothesis import strategies as st

from attention_core.axes import numbered
from attention_core.matrix import Array, Matrix, given
from attention_core.ops import (
    add,
    binary_softmax,
    by_column,
    compare,
    diagonal,
    distance,
    divide,
    divide_by,
    divide_by_column,
    divide_by_root,
    exp_less,
    exponential,
    hard_max,
    join_columns,
    join_rows,
    mask_scores,
    matmul,
    multiply,
    rotate,
    row_length,
    row_max,
    row_softmax,
    row_sum,
    running_max,
    scale,
    share_of_column,
    sinusoid,
    spread,
    subtract,
    subtract_column,
    take_columns,
    take_rows,
    tanh,
    transpose,
)
from attention_core.ops.row_softmax import RowSoftmax

Shapes = tuple[tuple[int, int], ...]
INF = float("inf")


@dataclass(frozen=True)
class Case:
    """How to test one op.

    ``shapes`` are legal shapes of its inputs for sizes n, m and k. ``build`` makes the matrix with
    the core and ``truth`` its value with PyTorch; both get the op's parameter (if any) first.
    ``blocks`` are the inputs that may hold −∞. ``bend`` makes drawn arrays ones that the op takes.
    """

    shapes: Callable[[int, int, int], Shapes]
    build: Callable[..., Matrix]
    truth: Callable[..., torch.Tensor]
    parameter: st.SearchStrategy[float] = field(default_factory=lambda: st.just(0))
    blocks: tuple[int, ...] = ()
    bend: Callable[..., tuple[Array, ...]] = lambda *arrays: arrays


def _one(n: int, m: int, k: int) -> Shapes:
    return ((n, m),)


def _two(n: int, m: int, k: int) -> Shapes:
    return (n, m), (n, m)


def _column(n: int, m: int, k: int) -> Shapes:
    return (n, m), (n, 1)


def _what_is_left(_: float, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Cell by cell; what is blocked in both does not differ."""
    pairs = [zip(*rows, strict=True) for rows in zip(a.tolist(), b.tolist(), strict=True)]
    left = [[0.0 if x == y else x - y for x, y in row] for row in pairs]
    return torch.tensor(left, dtype=torch.float64)


def _apart_or_equal(*arrays: Array) -> tuple[Array, ...]:
    """Numbers that differ clearly or not at all: between these, float dust counts as nothing."""
    return tuple(
        np.where(np.isinf(array), array, array.clip(-1e4, 1e4).round(4)) for array in arrays
    )


def _small_powers(powers: Array) -> tuple[Array, ...]:
    """e^700 is nearly as large as a float64 can be."""
    return (np.minimum(powers, 700.0),)


def _at_most_700_above(powers: Array, column: Array) -> tuple[Array, ...]:
    """Nothing open where the column is −∞, and no power that is too large, also as it is shown."""
    powers, column = (np.where(np.isinf(a), a, a.clip(-1e4, 1e4)) for a in (powers, column))
    return np.minimum(powers, column + 700.0), column


def _no_zero_below(top: Array, bottom: Array) -> tuple[Array, ...]:
    """Nothing over 0 but 0, and nothing over a number that makes it too large for float64."""
    bottom = np.where((bottom != 0.0) & (abs(bottom) < 1e-9), 2.0, bottom)
    return np.where(bottom == 0.0, 0.0, top), bottom


def _some_total(top: Array, bottom: Array) -> tuple[Array, ...]:
    """A total of exactly 0, or one that is not small beside the entries of its row."""
    least = 1e-3 * abs(top).max(axis=1, keepdims=True)
    return top, np.where((bottom != 0.0) & (abs(bottom) < least), least + 1.0, bottom)


def _share(_: float, top: torch.Tensor, bottom: torch.Tensor) -> torch.Tensor:
    rows = zip(top.tolist(), bottom[:, 0].tolist(), strict=True)
    shares = [[x / total if total else 0.0 for x in row] for row, total in rows]
    return torch.tensor(shares, dtype=torch.float64)


def _quotient(_: float, top: torch.Tensor, bottom: torch.Tensor) -> torch.Tensor:
    return torch.where(bottom == 0.0, 0.0, top / bottom)


def _grown(_: float, powers: torch.Tensor, column: torch.Tensor) -> torch.Tensor:
    return torch.where(torch.isneginf(powers), 0.0, torch.exp(powers - column))


def _maximum(_: float, scores: torch.Tensor) -> torch.Tensor:
    return torch.tensor(
        [[max(row) if max(row) > -INF else 0.0] for row in scores.tolist()], dtype=torch.float64
    )


def _hard(_: float, scores: torch.Tensor) -> torch.Tensor:
    """One over the number of the largest, said cell by cell."""
    rows = []
    for row in scores.tolist():
        top = max(row)
        ties = [x > -INF and math.isclose(x, top, rel_tol=1e-12) for x in row]
        rows.append([tie / max(sum(ties), 1) for tie in ties])
    return torch.tensor(rows, dtype=torch.float64)


def _softmax(_: float, scores: torch.Tensor) -> torch.Tensor:
    """Softmax of each row that has an open key, computed without the others."""
    weights = torch.zeros_like(scores)
    open_rows = torch.isfinite(scores).any(dim=1)
    weights[open_rows] = torch.softmax(scores[open_rows], dim=1)
    return weights


def _turn(halves: float, a: torch.Tensor, angles: torch.Tensor) -> torch.Tensor:
    """Pairs as complex numbers, multiplied by e^(iφ)."""
    n, pairs = angles.shape
    turning = a[:, : 2 * pairs]
    apart = turning.reshape(n, 2, pairs) if halves else turning.reshape(n, pairs, 2).mT
    turned = torch.complex(apart[:, 0], apart[:, 1]) * torch.exp(1j * angles)
    both = torch.stack([turned.real, turned.imag], dim=1 if halves else 2)
    return torch.cat([both.reshape(n, -1), a[:, 2 * pairs :]], dim=1)


def _binary_softmax(_: float, scores: torch.Tensor) -> torch.Tensor:
    """Powers of 2 over their sum, cell by cell, from the largest score of each row down."""
    rows = []
    for row in scores.tolist():
        powers = [2.0 ** (x - max(row)) if x > -INF else 0.0 for x in row]
        rows.append([power / (sum(powers) or 1.0) for power in powers])
    return torch.tensor(rows, dtype=torch.float64)


CASES: dict[str, Case] = {
    "matmul": Case(
        lambda n, m, k: ((n, k), (k, m)),
        lambda _, a, b: matmul(a, b, "Z"),
        lambda _, a, b: torch.einsum("ik,kj->ij", a, b),
    ),
    "transpose": Case(_one, lambda _, a: transpose(a, "Z"), lambda _, a: torch.einsum("ij->ji", a)),
    "scale": Case(
        _one,
        lambda factor, a: scale(a, factor, "Z"),
        torch.mul,
        parameter=st.sampled_from([0.5, -3.0, 1.0, 0.0, 0.123456789]),
    ),
    "divide_by": Case(
        _one,
        lambda divisor, a: divide_by(a, divisor, "Z"),
        lambda divisor, a: torch.div(a, divisor),
        parameter=st.sampled_from([2.0, -3.0, 1.0, 0.3]),
    ),
    "divide_by_root": Case(
        _one,
        lambda size, a: divide_by_root(a, int(size), "Z"),
        lambda size, a: torch.div(a, torch.tensor(size, dtype=torch.float64).sqrt()),
        parameter=st.sampled_from([1, 2, 3, 4, 64, 512]),
    ),
    "mask": Case(_two, lambda _, a, m: mask_scores(a, m, "Z"), lambda _, a, m: a + m, blocks=(1,)),
    "row_softmax": Case(_one, lambda _, a: row_softmax(a, "Z"), _softmax, blocks=(0,)),
    "binary_softmax": Case(_one, lambda _, a: binary_softmax(a, "Z"), _binary_softmax, blocks=(0,)),
    "add": Case(_two, lambda _, a, b: add(a, b, "Z"), lambda _, a, b: a + b),
    "subtract": Case(_two, lambda _, a, b: subtract(a, b, "Z"), lambda _, a, b: a - b),
    "multiply": Case(_two, lambda _, a, b: multiply(a, b, "Z"), lambda _, a, b: a * b),
    "row_sum": Case(
        _one, lambda _, a: row_sum(a, "Z"), lambda _, a: torch.einsum("ij->i", a)[:, None]
    ),
    "spread": Case(
        lambda n, m, k: ((n, 1),),
        lambda size, r: spread(r, numbered("m", int(size)), "Z"),
        lambda size, r: r.repeat(1, int(size)),
        parameter=st.sampled_from([1, 2, 4]),
    ),
    "exponential": Case(
        _one,
        lambda _, a: exponential(a, "Z"),
        lambda _, a: torch.exp(a),
        blocks=(0,),
        bend=_small_powers,
    ),
    "tanh": Case(_one, lambda _, a: tanh(a, "Z"), lambda _, a: torch.tanh(a)),
    "row_max": Case(_one, lambda _, a: row_max(a, "Z"), _maximum, blocks=(0,)),
    "subtract_column": Case(
        _column, lambda _, a, c: subtract_column(a, c, "Z"), lambda _, a, c: a - c, blocks=(0,)
    ),
    "divide_by_column": Case(
        _column, lambda _, a, c: divide_by_column(a, c, "Z"), _quotient, bend=_no_zero_below
    ),
    "compare": Case(
        _two,
        lambda _, a, b: compare(a, b, "Z"),
        _what_is_left,
        blocks=(0, 1),
        bend=_apart_or_equal,
    ),
    "hard_max": Case(_one, lambda _, a: hard_max(a, "Z"), _hard, blocks=(0,)),
    "diagonal": Case(
        lambda n, m, k: ((1, m),),
        lambda _, a: diagonal(a, "Z"),
        lambda _, a: a * torch.eye(a.shape[1], dtype=torch.float64),
    ),
    "share_of_column": Case(
        _column, lambda _, a, c: share_of_column(a, c, "Z"), _share, bend=_some_total
    ),
    "divide": Case(_two, lambda _, a, b: divide(a, b, "Z"), _quotient, bend=_no_zero_below),
    "take_columns": Case(
        lambda n, m, k: ((n, m + 2),),
        lambda start, a: take_columns(a, int(start), a.shape[1] - 1, "Z"),
        lambda start, a: torch.split(a, [int(start), a.shape[1] - 1 - int(start), 1], dim=1)[1],
        parameter=st.sampled_from([0, 1]),
        blocks=(0,),
    ),
    "take_rows": Case(
        lambda n, m, k: ((n + 2, m),),
        lambda start, a: take_rows(a, int(start), a.shape[0] - 1, "Z"),
        lambda start, a: torch.split(a, [int(start), a.shape[0] - 1 - int(start), 1])[1],
        parameter=st.sampled_from([0, 1]),
        blocks=(0,),
    ),
    "running_max": Case(
        _column,
        lambda _, a, c: running_max(a, c, "Z"),
        lambda _, a, c: torch.cat([c, a], dim=1).amax(dim=1, keepdim=True),
        blocks=(0, 1),
    ),
    "exp_less": Case(
        _column,
        lambda _, a, c: exp_less(a, c, "Z"),
        _grown,
        blocks=(0, 1),
        bend=_at_most_700_above,
    ),
    "join_columns": Case(
        lambda n, m, k: ((n, m), (n, k)),
        lambda _, a, b: join_columns((a, b), numbered("m", a.shape[1] + b.shape[1]), "Z"),
        lambda _, a, b: torch.cat([a, b], dim=1),
    ),
    "by_column": Case(
        _one,
        lambda _, a: by_column(RowSoftmax(), "Z", a),
        lambda _, a: _softmax(_, a.T).T,
        blocks=(0,),
    ),
    "join_rows": Case(
        lambda n, m, k: ((n, m), (k, m)),
        lambda _, a, b: join_rows((a, b), numbered("n", a.shape[0] + b.shape[0]), "Z"),
        lambda _, a, b: torch.cat([a, b], dim=0),
    ),
    "sinusoid": Case(
        lambda n, m, k: ((n, m + 1),),
        lambda _, a: sinusoid(a, "Z"),
        lambda _, a: torch.stack(
            [(torch.cos if t % 2 else torch.sin)(column) for t, column in enumerate(a.T)], dim=1
        ),
    ),
    "rotate": Case(
        lambda n, m, k: ((n, m + 2), (n, min(k, (m + 2) // 2))),  # some components may stay
        lambda halves, a, phi: rotate(a, phi, "Z", halves=bool(halves)),
        _turn,
        parameter=st.sampled_from([0, 1]),
    ),
    "distance": Case(
        lambda n, m, k: ((n, 1), (m, 1)),
        lambda _, a, b: distance(a, b, "Z"),
        lambda _, a, b: torch.cdist(a, b, p=1),
    ),
    "row_length": Case(
        _one,
        lambda _, a: row_length(a, "Z"),
        lambda _, a: torch.tensor([[math.hypot(*row)] for row in a.tolist()], dtype=torch.float64),
    ),
}

ORDINARY = st.one_of(
    st.integers(-9, 9).map(float),
    st.floats(-10, 10),
    st.sampled_from([0.0, -0.0, 0.5, -2.5, 0.0005, 0.9999999, 1 / 3]),
)
EXTREME = st.one_of(
    ORDINARY,
    st.floats(-1e6, 1e6),
    st.sampled_from([1e4, -1e4, 1e6, -1e6, 123456.789, -3.2e7, 1e-4, -1e-9, 1e-300, 700.0]),
)


@dataclass(frozen=True)
class Drawn:
    """One generated use of an op."""

    case: Case
    parameter: float
    matrix: Matrix

    @property
    def arrays(self) -> tuple[Array, ...]:
        return tuple(m.value for m in self.matrix.inputs)


def _blocked(draw: st.DrawFn, array: Array) -> Array:
    """Put −∞ into some cells: any pattern, a whole row, or all but one key of a row."""
    n, m = array.shape
    shut = np.array(draw(st.lists(st.booleans(), min_size=n * m, max_size=n * m))).reshape(n, m)
    row = draw(st.integers(0, n - 1))
    kind = draw(st.sampled_from(["open", "some", "whole row", "single key"]))
    if kind == "open":
        return array
    if kind != "some":
        shut[row] = True
        shut[row, draw(st.integers(0, m - 1))] = kind == "whole row"
    return np.where(shut, -np.inf, array)


@st.composite
def drawn(draw: st.DrawFn, name: str, values: st.SearchStrategy[float] | None = None) -> Drawn:
    """A use of an op. Without ``values`` they are generic: no zeros, no ties, no accidents."""
    case = CASES[name]
    n, m, k = (draw(st.integers(1, 3)) for _ in range(3))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    arrays = []
    for index, (rows, cols) in enumerate(case.shapes(n, m, k)):
        size = rows * cols
        if values is None:
            cells = rng.uniform(0.5, 2.0, size) * rng.choice([-1.0, 1.0], size)
        else:
            cells = np.array(draw(st.lists(values, min_size=size, max_size=size)))
        array = cells.reshape(rows, cols)
        arrays.append(_blocked(draw, array) if index in case.blocks else array)
    inputs = [
        given("ABC"[index], array, minus_infinity=index in case.blocks)
        for index, array in enumerate(case.bend(*arrays))
    ]
    parameter = draw(case.parameter)
    return Drawn(case, parameter, case.build(parameter, *inputs))
