"""Softmax of each row: exponentials divided by their sum."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from attention_core.explain import Derivation, Step
from attention_core.expression import Difference, Exp, Expr, Num, Quotient, Sum
from attention_core.formula import Call, Total
from attention_core.matrix import Array, Matrix
from attention_core.ops.add import subtract
from attention_core.ops.multiply import multiply
from attention_core.ops.op import Block, Op, apply
from attention_core.ops.row_sum import row_sum, spread

# Outside this range of the row's largest score the plain exponentials overflow, or are too small
# to show any digits; the derivation then subtracts the maximum first, as the computation does.
_PLAIN_FROM, _PLAIN_TO = -3.0, 700.0


@dataclass(frozen=True)
class RowSoftmax(Op):
    """A[i, j] = e^S[i, j] / Σ_l e^S[i, l]; shape (n, m) → (n, m). Paper, section 3.2.1.

    Computed with the row maximum subtracted, so any finite score is exact. A row of nothing but
    −∞ has no distribution (0/0): it stands as 0 and is reported as undefined.
    """

    name = "row_softmax"
    # What is raised to the power of the scores: e, and in another op another number.
    base: ClassVar[int | None] = None
    one: ClassVar[str] = "exponential"
    raised: ClassVar[np.ufunc] = np.exp
    takes_minus_infinity = True
    grows = False
    numpy_setup = """\
def row_softmax(S):
    top = S.max(axis=1, keepdims=True)
    E = np.exp(S - np.where(np.isneginf(top), 0.0, top))  # no exponential can overflow
    total = E.sum(axis=1, keepdims=True)
    return E / np.where(total == 0.0, 1.0, total)  # a row of nothing but -inf stays 0
"""
    torch_setup = """\
def row_softmax(S):
    blocked = torch.isneginf(S).all(dim=1, keepdim=True)  # 0/0: such a row stands as 0
    return torch.softmax(S.masked_fill(blocked, 0.0), dim=1).masked_fill(blocked, 0.0)
"""

    def forward(self, *arrays: Array) -> Array:
        (scores,) = arrays
        top: Array = scores.max(axis=1, keepdims=True)
        top[np.isneginf(top)] = 0.0
        weights: Array = scores - top
        self.raised(weights, out=weights)
        total = weights.sum(axis=1, keepdims=True)
        total[total == 0.0] = 1.0
        weights /= total
        return weights

    def undefined(self, out: Array, *inputs: Matrix) -> frozenset[int]:
        inherited = super().undefined(out, *inputs)
        if not inputs[0].blocked:
            return inherited
        return inherited | set(np.flatnonzero(out.max(axis=1) == 0.0).tolist())

    def sources(self, out: Matrix, row: int, col: int) -> tuple[Block, ...]:
        open_keys = np.flatnonzero(np.isfinite(out.inputs[0].value[row])).tolist()
        # A blocked key has weight 0 and a key without rivals weight 1, whatever the scores are.
        if col not in open_keys or len(open_keys) == 1:
            return ()
        return (Block(0, (row,), open_keys),)

    def explain(self, out: Matrix, row: int, col: int) -> Derivation:
        (scores,) = out.inputs
        if row in out.undefined:  # 0/0: no equation gives this 0, so none is shown
            return Derivation(out.entry_name(row, col), Num(0.0))
        words = None
        if np.isneginf(scores.value[row, col]):
            nothing = Exp(Num(-np.inf), self.base).text()
            words = (
                f"«{out.cols.unique(col)}» is blocked: {nothing} is 0, so its weight is exactly 0."
            )
        elif not self.sources(out, row, col):
            only = "only key" if out.cols.size == 1 else "only key that is not blocked"
            words = (
                f"«{out.cols.unique(col)}» is the {only}, so it gets the whole weight, whatever "
                "its score."
            )
        elif out.value[row, col] == 0.0:
            words = (
                f"«{out.cols.unique(col)}» is not blocked. Its score is so far below the largest "
                "that the weight is too small for a float64 and is 0."
            )
        terms = _Terms(scores, row, self.base, shifted=not is_plain(scores, row))
        return Derivation(terms.formula(col), terms.expression(col), words)

    def steps(self, out: Matrix, row: int, col: int) -> tuple[Step, ...]:
        (scores,) = out.inputs
        if row in out.undefined:
            return ()
        plain = is_plain(scores, row)
        terms = _Terms(scores, row, self.base, shifted=not plain)
        shifted = replace(terms, shifted=True)
        keys = range(scores.shape[1])
        numbers = [Num(terms.exponential(t).value) for t in keys]
        total = Num(sum(number.value for number in numbers))
        largest = Step(f"{scores.line} maximum", terms.top_name(), terms.top())
        lines = (
            *(Step(self.one, terms.symbol(t), terms.exponential(t)) for t in keys),
            Step(f"{scores.line} sum", Total(terms.symbol(None)), Sum(tuple(numbers))),
            Step("weight", terms.formula(col), Quotient(numbers[col], total)),
        )
        if not plain:
            return (largest, *lines)
        name = (
            f"the same with the {scores.line} maximum subtracted, as computers do: nothing can "
            "overflow"
        )
        return (*lines, Step(name, shifted.formula(col), shifted.expression(col)))

    def definition(self, *inputs: Matrix) -> Expr:
        return Call(inputs[0].name(), "softmax")

    def numpy(self, *names: str) -> str:
        return f"row_softmax({names[0]})"

    def torch(self, *names: str) -> str:
        return f"row_softmax({names[0]})"

    def vjp(self, g: Matrix, out: Matrix, *inputs: Matrix) -> tuple[Matrix, ...]:
        # dS = A ∘ (dA − R), where R repeats Σ_l A[i, l]·dA[i, l] along each row.
        return (self.slope(g, out, f"d{inputs[0].key}"),)

    def slope(self, g: Matrix, out: Matrix, called: str) -> Matrix:
        """The gradient for base e, under a key."""
        key = out.key
        products = multiply(out, g, f"P_{key}")
        totals = spread(row_sum(products, f"r_{key}"), out.cols, f"R_{key}")
        return multiply(out, subtract(g, totals, f"D_{key}"), called)


def is_plain(scores: Matrix, row: int) -> bool:
    """Whether the exponentials of a row can be shown as they are, without a shift."""
    return bool(_PLAIN_FROM <= scores.value[row].max() <= _PLAIN_TO)


@dataclass(frozen=True)
class _Terms:
    """The exponentials of one row, plain or (``shifted``) with the row maximum subtracted."""

    scores: Matrix
    row: int
    base: int | None
    shifted: bool

    def top(self) -> Num:
        return self.scores.num(self.row, int(self.scores.value[self.row].argmax()))

    def top_name(self) -> Expr:
        return Call(self.scores.row_name(self.row), "max")

    def symbol(self, col: int | None) -> Exp:
        """The exponential of one key in symbols; of the running key for ``None``."""
        scores, row = self.scores, self.row
        power = scores.any_name(row) if col is None else scores.entry_name(row, col)
        return Exp(Difference(power, self.top_name()) if self.shifted else power, self.base)

    def exponential(self, col: int) -> Exp:
        power = self.scores.num(self.row, col)
        return Exp(Difference(power, self.top()) if self.shifted else power, self.base)

    def formula(self, col: int) -> Expr:
        return Quotient(self.symbol(col), Total(self.symbol(None)))

    def expression(self, col: int) -> Expr:
        keys = range(self.scores.shape[1])
        return Quotient(self.exponential(col), Sum(tuple(self.exponential(t) for t in keys)))


def row_softmax(of: Matrix, key: str) -> Matrix:
    """The softmax of each row.

    >>> from attention_core.matrix import given
    >>> row_softmax(given("S", [[0, 0], [10000, 0]]), "A").value.tolist()
    [[0.5, 0.5], [1.0, 0.0]]
    """
    return apply(RowSoftmax(), key, of)
