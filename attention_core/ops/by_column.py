"""Any op that works row by row, on columns instead; and a whole computation on its transposes."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from attention_core.axes import Axis
from attention_core.explain import Derivation, Step
from attention_core.expression import Expr
from attention_core.formula import Beside, Call, Transposed
from attention_core.matrix import Array, Matrix
from attention_core.ops.matmul import MatMul
from attention_core.ops.op import Block, Op, apply
from attention_core.symbols import swapped
from attention_core.turned import Turned

# What stands on its own before «.T»: one name, called or indexed.
_ALONE = re.compile(r"[\w.]+(\([^()]*\)|\[[^\[\]]*\])")
# What is that of the op itself.
_TAKEN = (
    "name",
    "takes_minus_infinity",
    "gives_minus_infinity",
    "grows",
    "numpy_setup",
    "torch_setup",
)


@dataclass(frozen=True)
class ByColumn(Op):
    """B = op(Aᵀ)ᵀ: what ``op`` does to rows, done to columns; shapes are those of ``op``, turned.

    Value, sources, derivation, code and gradient are those of ``op``, read with rows and columns
    swapped.
    """

    op: Op
    name = "by_column"
    turns = True

    def __post_init__(self) -> None:
        for facet in _TAKEN:
            object.__setattr__(self, facet, getattr(self.op, facet))

    def check(self, *inputs: Matrix) -> None:
        self.op.check(*_turned(inputs))

    def axes(self, *inputs: Matrix) -> tuple[Axis, Axis]:
        lines, across = self.op.axes(*_turned(inputs))
        return across, lines

    def forward(self, *arrays: Array) -> Array:
        return self.op.forward(*(array.T for array in arrays)).T

    def undefined(self, out: Array, *inputs: Matrix) -> frozenset[int]:
        return self.op.undefined(out.T, *_turned(inputs))

    def sources(self, out: Matrix, row: int, col: int) -> tuple[Block, ...]:
        blocks = self.op.sources(out.turned, col, row)
        return tuple(Block(block.input, block.cols, block.rows) for block in blocks)

    def explain(self, out: Matrix, row: int, col: int) -> Derivation:
        return self.op.explain(out.turned, col, row)

    def steps(self, out: Matrix, row: int, col: int) -> tuple[Step, ...]:
        return self.op.steps(out.turned, col, row)

    def definition(self, *inputs: Matrix) -> Expr:
        formula = self.op.definition(*inputs)
        if isinstance(formula, Call):
            return replace(formula, function=swapped(formula.function))
        if isinstance(formula, Beside):
            return Transposed(Beside(tuple(Transposed(part) for part in formula.parts)))
        return formula

    def numpy(self, *names: str) -> str:
        return _transposed(self.op.numpy(*(f"{name}.T" for name in names)))

    def torch(self, *names: str) -> str:
        return _transposed(self.op.torch(*(f"{name}.T" for name in names)))

    def vjp(self, g: Matrix, out: Matrix, *inputs: Matrix) -> tuple[Matrix, ...]:
        shares = self.op.vjp(g.turned, out.turned, *_turned(inputs))
        made: dict[int, Matrix] = {}
        return tuple(in_columns(share, made) for share in shares)


def _turned(inputs: tuple[Matrix, ...]) -> tuple[Matrix, ...]:
    return tuple(matrix.turned for matrix in inputs)


def _transposed(code: str) -> str:
    return f"{code}.T" if _ALONE.fullmatch(code) else f"({code}).T"


def by_column(op: Op, key: str, *inputs: Matrix) -> Matrix:
    """What ``op`` does to rows, done to columns.

    >>> from attention_core.matrix import given
    >>> from attention_core.ops.row_sum import RowSum
    >>> by_column(RowSum(), "r", given("A", [[1, 2], [3, 4]])).value.tolist()
    [[4.0, 6.0]]
    """
    return apply(ByColumn(op), key, *inputs)


def in_columns(matrix: Matrix, made: dict[int, Matrix]) -> Matrix:
    """The transpose of a matrix, made from the transposes of all that it is made from.

    (A B)ᵀ = Bᵀ Aᵀ, so a product changes the order of its factors. What works row by row works by
    column, and what works entry by entry stays. Doing it twice gives the matrix as it was.
    ``made`` keeps what is made already.
    """
    if isinstance(matrix, Turned):
        return matrix.turned
    if id(matrix) not in made:
        made[id(matrix)] = _in_columns(matrix, made)
    return made[id(matrix)]


def _in_columns(matrix: Matrix, made: dict[int, Matrix]) -> Matrix:
    op, inputs = matrix.op, tuple(in_columns(m, made) for m in matrix.inputs)
    if op is None:
        value, rows, cols = matrix.value.T.copy(), matrix.cols, matrix.rows
        return replace(matrix, value=value, rows=rows, cols=cols, by_column=not matrix.by_column)
    if isinstance(op, MatMul):
        inputs = inputs[::-1]
    elif isinstance(op, ByColumn):
        op = op.op
    elif op.by_row:
        op = ByColumn(op)
    return replace(apply(op, matrix.key, *inputs), by_column=not matrix.by_column)
