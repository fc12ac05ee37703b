"""What is left between two matrices that should be the same, or that are two versions of one."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from attention_core.explain import Derivation
from attention_core.expression import Num
from attention_core.matrix import Array, Matrix, given
from attention_core.ops.add import Subtract
from attention_core.ops.multiply import multiply
from attention_core.ops.op import Block, apply
from attention_core.ops.scale import scale

_DUST = 1e-12  # of the largest entry, or of 1: so much two sums of the same terms may differ


@dataclass(frozen=True)
class Compare(Subtract):
    """C[i, j] = A[i, j] − B[i, j], and 0 where only float dust is left; (n, m) (n, m) → (n, m).

    The same terms in another order do not always add up to the same last bits. A cell that is
    blocked in both (−∞ and −∞) does not differ; blocked in one, the difference is −∞ or ∞. For
    numbers that are only subtracted there is :class:`Subtract`.
    """

    name = "compare"
    takes_minus_infinity = True
    gives_minus_infinity = True
    numpy_setup = f"""\
def compare(A, B):
    both = np.isneginf(A) & np.isneginf(B)  # blocked in both: no difference
    C = np.where(both, 0.0, A) - np.where(both, 0.0, B)
    largest = max(np.where(np.isfinite(X), abs(X), 0.0).max() for X in (A, B))
    dust = {_DUST} * max(1.0, largest)  # last bits that a sum's order changes
    return np.where(abs(C) <= dust, 0.0, C)
"""
    torch_setup = f"""\
def compare(A, B):
    both = torch.isneginf(A) & torch.isneginf(B)  # blocked in both: no difference
    C = A.masked_fill(both, 0.0) - B.masked_fill(both, 0.0)
    largest = max(torch.where(torch.isfinite(X), X.abs(), 0.0).max().item() for X in (A, B))
    dust = {_DUST} * max(1.0, largest)  # last bits that a sum's order changes
    return torch.where(C.abs() <= dust, 0.0, C)
"""

    def forward(self, *arrays: Array) -> Array:
        left, right = arrays
        both = np.isneginf(left) & np.isneginf(right)
        apart = np.where(both, 0.0, left) - np.where(both, 0.0, right)
        largest = max(np.where(np.isfinite(array), abs(array), 0.0).max() for array in arrays)
        result: Array = np.where(abs(apart) <= _DUST * max(1.0, largest), 0.0, apart)
        return result

    def sources(self, out: Matrix, row: int, col: int) -> tuple[Block, ...]:
        if any(np.isneginf(m.value[row, col]) for m in out.inputs):
            return ()  # 0, −∞ or ∞, whatever the other number is
        return super().sources(out, row, col)

    def explain(self, out: Matrix, row: int, col: int) -> Derivation:
        said, (left, right) = super().explain(out, row, col), out.inputs
        shut = [m.symbol.text for m in out.inputs if np.isneginf(m.value[row, col])]
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
            words = (
                "The two agree to 12 digits. What is left comes from the last bits of a computer’s "
                "numbers, and counts as 0."
            )
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
        if not any(m.blocked for m in inputs):
            return super().vjp(g, out, *inputs)
        # A blocked cell stays −∞, so nothing flows back through it.
        left, right = inputs
        open_cells = np.isfinite(left.value) & np.isfinite(right.value)
        through = given(f"open_{out.key}", open_cells.astype(np.float64), out.rows, out.cols)
        passed = multiply(g, through, f"d{left.key}")
        return passed, scale(passed, -1.0, f"d{right.key}")


def compare(left: Matrix, right: Matrix, key: str) -> Matrix:
    """The difference, entry by entry; what differs by float dust only does not differ.

    >>> from attention_core.matrix import given
    >>> compare(given("A", [[0.1 + 0.2, 4]]), given("B", [[0.3, 1]]), "C").value.tolist()
    [[0.0, 3.0]]
    """
    return apply(Compare(), key, left, right)
