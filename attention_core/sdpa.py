"""A graph as a PyTorch program in which PyTorch's own attention computes what it can."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from attention_core.bounds import whole
from attention_core.checked import beginning, checked, given_line, shape
from attention_core.emit import TORCH, line
from attention_core.errors import AttentionError
from attention_core.graph import Graph
from attention_core.idioms import TURNED, allowed, only_blocks
from attention_core.matrix import Matrix
from attention_core.ops.add import Add
from attention_core.ops.mask import Mask
from attention_core.ops.matmul import MatMul
from attention_core.ops.row_softmax import RowSoftmax
from attention_core.ops.scale import DivideByRoot, Scale
from attention_core.ops.transpose import Transpose
from attention_core.rounding import MAX_DECIMALS
from attention_core.variants.convention import as_rows

_IMPORT = "import torch.nn.functional as F"


@dataclass(frozen=True)
class Call:
    """One call: softmax(Q Kᵀ · scale + what is added) V, with scale 1/√d_k where it is ``None``."""

    Q: Matrix
    K: Matrix
    V: Matrix
    added: tuple[Matrix, ...]
    scale: float | None
    weights: Matrix

    def line(self, of: Matrix) -> str:
        """The line that computes ``of`` by this call."""
        added = " + ".join(m.key for m in self.added)
        extra = f", attn_mask={added}" if added else ""
        extra += "" if self.scale is None else f", scale={self.scale!r}"
        call = f"F.scaled_dot_product_attention({self.Q.key}, {self.K.key}, {self.V.key}{extra})"
        # A row with every key blocked is 0/0: NaN in some versions and on some devices.
        undefined = ".nan_to_num()" if of.undefined else ""
        return f"{of.key} = {call}{undefined}"


def sdpa_calls(graph: Graph) -> dict[str, Call]:
    """The matrices that PyTorch's ``scaled_dot_product_attention`` can compute, each with its call.

    A matrix whose weights are needed for something else, such as gradients, is not among them.

    >>> from attention_core import EXAMPLES, gradients
    >>> graph = EXAMPLES["love"].graph()
    >>> list(sdpa_calls(graph)), list(sdpa_calls(gradients(graph, "O")))
    (['O'], [])
    """
    graph = as_rows(graph)
    calls = {m.key: call for m in graph.steps if (call := _call(m))}
    while hidden := {call.weights.key for call in calls.values()} & _needed(graph, calls):
        calls = {key: call for key, call in calls.items() if call.weights.key not in hidden}
    return calls


def sdpa_code(graph: Graph, decimals: int = 3) -> str:
    """A program as `checked_code` writes it, with PyTorch's own attention where it says the same.

    Scores and weights do not appear: the call keeps them to itself. PyTorch wants tokens as rows,
    so a graph with tokens as columns is given to it transposed.

    Errors: :class:`AttentionError` for a graph in which PyTorch's attention says nothing.

    >>> from attention_core import attention
    >>> print(sdpa_code(attention([[1]], [[2]], [[3]], scale=0.5)).splitlines()[-4])
    O = F.scaled_dot_product_attention(Q, K, V, scale=0.5)  # 1 × 1
    """
    whole("sdpa_code", "decimals", decimals, 0, MAX_DECIMALS)
    about, graph = TURNED * graph["O"].by_column if "O" in graph else "", as_rows(graph)
    calls = sdpa_calls(graph)
    if not calls:
        raise AttentionError(
            "F.scaled_dot_product_attention computes nothing of this graph: it gives softmax(Q Kᵀ "
            "· scale + mask) V, and no weights."
        )
    needed = _needed(graph, calls)
    steps = [m for m in graph.steps if m.key in needed]
    blocks = _only_block(steps, calls)
    given = [
        allowed(m.key, m.value) if m.key in blocks else given_line(m, TORCH)
        for m in steps
        if m.op is None
    ]
    made = [m for m in steps if m.op is not None]
    lines = (
        f"{calls[m.key].line(m) if m.key in calls else line(m, TORCH)}  # {shape(m)}" for m in made
    )
    plain = [m for m in made if m.key not in calls]
    parts = (
        beginning(plain, TORCH, decimals).replace(
            TORCH.imports, f"{TORCH.imports}\n{_IMPORT}{about}", 1
        ),
        "\n".join(given),
        "\n".join(lines),
        "# What the screen shows.\n" + "\n".join(checked(m, decimals, TORCH) for m in made),
    )
    return "\n\n".join(parts) + "\n"


def _call(of: Matrix) -> Call | None:
    """The call that computes a matrix, if there is one."""
    if not isinstance(of.op, MatMul) or type(of.inputs[0].op) is not RowSoftmax:
        return None
    weights, V = of.inputs
    (scores,), added = weights.inputs, []
    while isinstance(scores.op, Mask | Add):
        scores, more = scores.inputs
        if more.op is not None or more.value.any():  # a mask of zeros does nothing
            added.append(more)
    scaled = scores.op
    if isinstance(scaled, Scale | DivideByRoot):
        (scores,) = scores.inputs
    if not isinstance(scores.op, MatMul) or not isinstance(scores.inputs[1].op, Transpose):
        return None
    Q, (K,) = scores.inputs[0], scores.inputs[1].inputs
    scale: float | None = scaled.factor if isinstance(scaled, Scale) else 1.0
    if isinstance(scaled, DivideByRoot):
        scale = None if scaled.size == Q.shape[1] else float(1.0 / np.sqrt(scaled.size))
    return Call(Q, K, V, tuple(reversed(added)), scale, weights)


def _needed(graph: Graph, calls: dict[str, Call]) -> set[str]:
    """What a program with these calls has to have: all behind the matrices that end the graph."""
    used = {m.key for matrix in graph.steps for m in matrix.inputs}
    waiting = [m for m in graph.steps if m.key not in used]
    needed: set[str] = set()
    while waiting:
        matrix = waiting.pop()
        if matrix.key not in needed:
            needed.add(matrix.key)
            call = calls.get(matrix.key)
            waiting.extend((call.Q, call.K, call.V, *call.added) if call else matrix.inputs)
    return needed


def _only_block(steps: list[Matrix], calls: dict[str, Call]) -> set[str]:
    """The masks that may be written as True and False: they only block, and only calls use them."""
    alone = {c.added[0].key: c.added[0] for c in calls.values() if len(c.added) == 1}
    others = {m.key for c in calls.values() if len(c.added) > 1 for m in c.added}
    others |= {m.key for matrix in steps if matrix.key not in calls for m in matrix.inputs}
    return {
        key
        for key, m in alone.items()
        if key not in others and m.op is None and only_blocks(m.value)
    }
