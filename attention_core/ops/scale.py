"""Multiplying a whole matrix by one number, or dividing it by one, or by the root of one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from attention_core.bounds import finite
from attention_core.errors import AttentionError
from attention_core.explain import Derivation
from attention_core.expression import Expr, Num, Product, Quotient, Root
from attention_core.formula import Name
from attention_core.in_full import Full
from attention_core.matrix import Array, Matrix
from attention_core.ops.op import Block, Op, apply
from attention_core.symbols import symbol


@dataclass(frozen=True)
class Scale(Op):
    """B = c·A with B[i, j] = c·A[i, j]; shape (n, m) → (n, m)."""

    factor: float
    name = "scale"
    by_row = False

    def forward(self, *arrays: Array) -> Array:
        return arrays[0] * self.factor

    def sources(self, out: Matrix, row: int, col: int) -> tuple[Block, ...]:
        return (Block(0, (row,), (col,)),) if self.factor else ()

    def explain(self, out: Matrix, row: int, col: int) -> Derivation:
        (of,) = out.inputs
        factor = Full(self.factor)
        formula = Product((factor, of.entry_name(row, col)))
        words = None if self.factor else "Times 0: it is 0, whatever the number is."
        return Derivation(formula, Product((factor, of.num(row, col))), words)

    def definition(self, *inputs: Matrix) -> Expr:
        return Product((Full(self.factor), inputs[0].name()))

    def numpy(self, *names: str) -> str:
        return f"{names[0]} * {self.factor!r}"

    def torch(self, *names: str) -> str:
        return f"{names[0]} * {self.factor!r}"

    def vjp(self, g: Matrix, out: Matrix, *inputs: Matrix) -> tuple[Matrix, ...]:
        return (scale(g, self.factor, f"d{inputs[0].key}"),)


@dataclass(frozen=True)
class DivideBy(Op):
    """B = A/c with B[i, j] = A[i, j]/c; shape (n, m) → (n, m)."""

    divisor: float
    name = "divide_by"
    by_row = False

    def forward(self, *arrays: Array) -> Array:
        return arrays[0] / self.divisor

    def sources(self, out: Matrix, row: int, col: int) -> tuple[Block, ...]:
        return (Block(0, (row,), (col,)),)

    def explain(self, out: Matrix, row: int, col: int) -> Derivation:
        (of,) = out.inputs
        divisor = Full(self.divisor)
        return Derivation(
            Quotient(of.entry_name(row, col), divisor), Quotient(of.num(row, col), divisor)
        )

    def definition(self, *inputs: Matrix) -> Expr:
        return Quotient(inputs[0].name(), Full(self.divisor))

    def numpy(self, *names: str) -> str:
        return f"{names[0]} / {self.divisor!r}"

    def torch(self, *names: str) -> str:
        return f"{names[0]} / {self.divisor!r}"

    def vjp(self, g: Matrix, out: Matrix, *inputs: Matrix) -> tuple[Matrix, ...]:
        return (divide_by(g, self.divisor, f"d{inputs[0].key}"),)


@dataclass(frozen=True)
class DivideByRoot(Op):
    """B = A/√d with B[i, j] = A[i, j]/√d; shape (n, m) → (n, m). Paper, section 3.2.1."""

    size: int
    name = "divide_by_root"
    by_row = False

    def forward(self, *arrays: Array) -> Array:
        return arrays[0] * float(1.0 / np.sqrt(self.size))

    def sources(self, out: Matrix, row: int, col: int) -> tuple[Block, ...]:
        return (Block(0, (row,), (col,)),)

    def explain(self, out: Matrix, row: int, col: int) -> Derivation:
        (of,) = out.inputs
        return Derivation(
            Quotient(of.entry_name(row, col), Root(Name(symbol("d_k")))),
            Quotient(of.num(row, col), Root(Num(self.size))),
        )

    def definition(self, *inputs: Matrix) -> Expr:
        return Quotient(inputs[0].name(), Root(Name(symbol("d_k"))))

    def numpy(self, *names: str) -> str:
        return f"{names[0]} / np.sqrt({self.size})"

    def torch(self, *names: str) -> str:
        return f"{names[0]} / {self.size} ** 0.5"

    def vjp(self, g: Matrix, out: Matrix, *inputs: Matrix) -> tuple[Matrix, ...]:
        return (divide_by_root(g, self.size, f"d{inputs[0].key}"),)


def scale(of: Matrix, factor: float, key: str) -> Matrix:
    """Every entry times ``factor``.

    >>> from attention_core.matrix import given
    >>> scale(given("S", [[1, 2]]), 0.5, "H").value.tolist()
    [[0.5, 1.0]]
    """
    return apply(Scale(finite("scale", "the factor", factor)), key, of)


def divide_by(of: Matrix, divisor: float, key: str) -> Matrix:
    """Every entry divided by ``divisor``.

    >>> from attention_core.matrix import given
    >>> divide_by(given("S", [[1, 3]]), 2, "H").value.tolist()
    [[0.5, 1.5]]
    """
    divisor = finite("divide_by", "the divisor", divisor)
    if not divisor:
        raise AttentionError("divide_by: the divisor is 0, wanted another number.")
    return apply(DivideBy(divisor), key, of)


def divide_by_root(of: Matrix, size: int, key: str) -> Matrix:
    """Every entry divided by √``size``.

    >>> from attention_core.matrix import given
    >>> divide_by_root(given("S", [[2, 4]]), 4, "S_scaled").value.tolist()
    [[1.0, 2.0]]
    """
    if size < 1:
        raise AttentionError(f"divide_by_root: the size is {size!r}, wanted at least 1.")
    return apply(DivideByRoot(size), key, of)
