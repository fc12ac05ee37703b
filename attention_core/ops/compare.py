"""What is left between two matrices that should be the same."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from attention_core.explain import Derivation
from attention_core.matrix import Array, Matrix
from attention_core.ops.add import Subtract
from attention_core.ops.op import apply

_DUST = 1e-12  # of the largest entry, or of 1: so much two sums of the same terms may differ


@dataclass(frozen=True)
class Compare(Subtract):
    """C[i, j] = A[i, j] − B[i, j], and 0 where only float dust is left; (n, m) (n, m) → (n, m).

    The same terms in another order do not always add up to the same last bits. For numbers that
    are only subtracted there is :class:`Subtract`.
    """

    name = "compare"
    numpy_setup = f"""\
def compare(A, B):
    dust = {_DUST} * max(1.0, abs(A).max(), abs(B).max())  # last bits that a sum's order changes
    return np.where(abs(A - B) <= dust, 0.0, A - B)
"""
    torch_setup = f"""\
def compare(A, B):
    dust = {_DUST} * max(1.0, A.abs().max().item(), B.abs().max().item())  # last bits of a sum
    return torch.where((A - B).abs() <= dust, 0.0, A - B)
"""

    def forward(self, *arrays: Array) -> Array:
        left, right = arrays
        dust = _DUST * max(1.0, abs(left).max(), abs(right).max())
        apart = left - right
        result: Array = np.where(abs(apart) <= dust, 0.0, apart)
        return result

    def explain(self, out: Matrix, row: int, col: int) -> Derivation:
        said = super().explain(out, row, col)
        if out.value[row, col] == said.expression.value:
            return said
        words = (
            "The two agree to 12 digits. What is left comes from the last bits of a computer’s "
            "numbers, and counts as 0."
        )
        return replace(said, words=words)

    def numpy(self, *names: str) -> str:
        return f"compare({', '.join(names)})"

    def torch(self, *names: str) -> str:
        return f"compare({', '.join(names)})"


def compare(left: Matrix, right: Matrix, key: str) -> Matrix:
    """The difference, entry by entry; what differs by float dust only does not differ.

    >>> from attention_core.matrix import given
    >>> compare(given("A", [[0.1 + 0.2, 4]]), given("B", [[0.3, 1]]), "C").value.tolist()
    [[0.0, 3.0]]
    """
    return apply(Compare(), key, left, right)
