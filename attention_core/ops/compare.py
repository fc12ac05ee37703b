"""What is left between two matrices that should be the same, or that are two versions of one."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from attention_core.errors import AttentionError
from attention_core.explain import Derivation
from attention_core.expression import Difference, Expr, Num
from attention_core.matrix import Array, Matrix, given
from attention_core.ops.add import Subtract
from attention_core.ops.multiply import multiply
from attention_core.ops.op import Block, apply, size
from attention_core.ops.scale import scale

_DUST = 1e-12  # of the numbers themselves: so much two sums of the same terms may differ


@dataclass(frozen=True)
class Compare(Subtract):
    """C[i, j] = A[i, j] − B[i, j], and 0 where only float dust is left; (n, m) (n, m) → (n, m).

    The same terms in another order do not always add up to the same last bits. What counts as dust
    is measured by the two numbers of the cell: none is so large that it hides what another cell
    differs by. Where both are blends of the rows of a third matrix V, its column j says how large
    the terms are, since terms can cancel. A cell that is blocked in both (−∞ and −∞) does not
    differ; blocked in one, the difference is −∞ or ∞. For numbers that are only subtracted there
    is :class:`Subtract`.
    """

    name = "compare"
    by_row = True  # the columns of V are those of the blends
    takes_minus_infinity = True
    gives_minus_infinity = True
    numpy_setup = f"""\
def compare(A, B, V=None):
    both = np.isneginf(A) & np.isneginf(B)  # blocked in both: no difference
    C = np.where(both, 0.0, A) - np.where(both, 0.0, B)
    sizes = [np.where(np.isfinite(X), abs(X), 0.0) for X in (A, B)]
    if V is not None:  # A and B are blends of the rows of V, whose terms can cancel
        sizes.append(abs(V).max(axis=0))
    dust = {_DUST} * np.maximum.reduce(np.broadcast_arrays(*sizes))
    return np.where(abs(C) <= dust, 0.0, C)  # last bits that a sum's order changes
"""
    torch_setup = f"""\
def compare(A, B, V=None):
    both = torch.isneginf(A) & torch.isneginf(B)  # blocked in both: no difference
    C = A.masked_fill(both, 0.0) - B.masked_fill(both, 0.0)
    sizes = [torch.where(torch.isfinite(X), X.abs(), 0.0) for X in (A, B)]
    if V is not None:  # A and B are blends of the rows of V, whose terms can cancel
        sizes.append(V.abs().amax(dim=0))
    dust = {_DUST} * torch.stack(torch.broadcast_tensors(*sizes)).amax(dim=0)
    return torch.where(C.abs() <= dust, 0.0, C)  # last bits that a sum's order changes
"""

    def check(self, *inputs: Matrix) -> None:
        left, right, *blended = inputs
        super().check(left, right)
        for V in blended:
            if V.shape[1] != left.shape[1]:
                raise AttentionError(
                    f"compare: {left.symbol.text} is {size(left)} and {V.symbol.text} is "
                    f"{size(V)}, and a blend of rows has as many columns as they have."
                )

    def forward(self, *arrays: Array) -> Array:
        left, right, *blended = arrays
        both = np.isneginf(left) & np.isneginf(right)
        apart = np.where(both, 0.0, left) - np.where(both, 0.0, right)
        sizes = [np.where(np.isfinite(array), abs(array), 0.0) for array in (left, right)]
        sizes += [abs(V).max(axis=0) for V in blended]
        dust = _DUST * np.maximum.reduce(np.broadcast_arrays(*sizes))
        result: Array = np.where(abs(apart) <= dust, 0.0, apart)
        return result

    def undefined(self, out: Array, *inputs: Matrix) -> frozenset[int]:
        return super().undefined(out, *inputs[:2])

    def definition(self, *inputs: Matrix) -> Expr:
        return super().definition(*inputs[:2])

    def sources(self, out: Matrix, row: int, col: int) -> tuple[Block, ...]:
        if any(np.isneginf(m.value[row, col]) for m in out.inputs[:2]):
            return ()  # 0, −∞ or ∞, whatever the other number is
        return Block(0, (row,), (col,)), Block(1, (row,), (col,))

    def explain(self, out: Matrix, row: int, col: int) -> Derivation:
        left, right, *blended = out.inputs
        formula = Difference(left.entry_name(row, col), right.entry_name(row, col))
        numbers = Difference(left.num(row, col), right.num(row, col))
        said = Derivation(formula, numbers)
        shut = [m.symbol.text for m in (left, right) if np.isneginf(m.value[row, col])]
        if len(shut) == 2:  # −∞ − (−∞) is no number, so none is shown
            words = f"Blocked in {shut[0]} and in {shut[1]}: there is no difference."
            return Derivation(out.entry_name(row, col), Num(0.0), words)
        if shut:
            rule = (
                "any number less −∞ is ∞"
                if np.isfinite(left.value[row, col])
                else ("−∞ less any number is −∞")
            )
            return replace(said, words=f"Blocked in {shut[0]} only: {rule}.")
        if out.value[row, col] != said.expression.value:
            agree = "The two agree to 12 digits."
            if blended:
                agree = (
                    "The two differ by less than a millionth of a millionth of the largest "
                    f"number in that column of {blended[0].symbol.text}."
                )
            words = f"{agree} The last bits of a computer’s numbers can do that. It counts as 0."
            return replace(said, words=words)
        empty = [m.symbol.text for m in (left, right) if m.is_undefined(row, col)]
        if len(empty) == 1:
            words = f"Every key is blocked for this {out.line} of {empty[0]}: it stands as 0."
            return replace(said, words=words)
        return said

    def numpy(self, *names: str) -> str:
        return f"compare({', '.join(names)})"

    def torch(self, *names: str) -> str:
        return f"compare({', '.join(names)})"

    def vjp(self, g: Matrix, out: Matrix, *inputs: Matrix) -> tuple[Matrix, ...]:
        left, right, *blended = inputs
        nothing = tuple(scale(V, 0.0, f"d{V.key}") for V in blended)  # only says how large
        if not (left.blocked or right.blocked):
            return *super().vjp(g, out, left, right), *nothing
        # A blocked cell stays −∞, so nothing flows back through it.
        open_cells = np.isfinite(left.value) & np.isfinite(right.value)
        through = given(f"open_{out.key}", open_cells.astype(np.float64), out.rows, out.cols)
        passed = multiply(g, through, f"d{left.key}")
        return passed, scale(passed, -1.0, f"d{right.key}"), *nothing


def compare(left: Matrix, right: Matrix, key: str, V: Matrix | None = None) -> Matrix:
    """The difference, entry by entry; what differs by float dust only does not differ.

    Where both are blends of the rows of a matrix ``V``, dust is what is so next to its numbers.

    >>> from attention_core.matrix import given
    >>> compare(given("A", [[0.1 + 0.2, 4]]), given("B", [[0.3, 1]]), "C").value.tolist()
    [[0.0, 3.0]]
    """
    return apply(Compare(), key, left, right, *([] if V is None else [V]))
