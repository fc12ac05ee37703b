"""The online softmax as one writes it: a loop over the blocks of keys."""

from __future__ import annotations

from attention_core.emit import NUMPY, array, literal
from attention_core.errors import AttentionError
from attention_core.graph import Graph
from attention_core.plain import is_plain, rows

_LOOP = """\
import numpy as np

{given}

m, Z, o = -np.inf, 0.0, np.zeros((1, V.shape[1]))  # nothing seen yet
for start in range(0, len(K), {block}):
    here = slice(start, start + {block})
    S = q @ K[here].T
    S = {scaled} + M_row[:, here]
    m_new = max(m, S.max())
    if m_new == -np.inf:
        continue  # no key is open so far
    c, E = np.exp(m - m_new), np.exp(S - m_new)
    Z, o = c * Z + E.sum(), c * o + E @ V[here]
    m = m_new
result = o / Z if Z else o  # every key blocked: the row stands as 0
print(result.round(3))
assert np.allclose(result, {row})
"""


def loop_code(graph: Graph) -> str:
    """A NumPy program that loops over the blocks, and checks the row against the whole table's.

    Errors: :class:`AttentionError` for a graph that is not from `online_softmax`, or was changed
    after it.

    >>> from attention_core import EXAMPLES, online_softmax
    >>> code = loop_code(online_softmax(EXAMPLES["hand"].graph(), query=0))
    >>> print(code.splitlines()[11])
        S = S / np.sqrt(2) + M_row[:, here]
    """
    rows(graph, "loop_code")
    if "O_online" not in graph:
        raise AttentionError("loop_code: this graph has no blocks. Use online_softmax.")
    if not is_plain(graph):
        raise AttentionError(
            "loop_code: this is not plain attention, and the loop computes no other. Call "
            "online_softmax last, on plain attention."
        )
    scaling = graph["S_scaled"].op
    assert scaling is not None  # attention scales its scores by an op
    return _LOOP.format(
        given="\n".join(f"{key} = {array(graph[key].value, NUMPY)}" for key in _GIVEN),
        block=graph["V_1"].shape[0],
        scaled=scaling.numpy("S"),
        row=literal(graph["O_row"].value),
    )


_GIVEN = ("q", "K", "V", "M_row")
