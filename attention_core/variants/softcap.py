"""A soft cap on the scores (Gemma 2, Gemma Team 2024, section 2): none goes beyond a limit."""

from __future__ import annotations

from attention_core.bounds import finite
from attention_core.graph import Graph
from attention_core.inputs import Inputs
from attention_core.ops import divide_by, mask_scores, matmul, row_softmax, scale, tanh
from attention_core.plain import plain
from attention_core.variants.variant import Chosen, Option, Variant


def softcap(graph: Graph, cap: float) -> Graph:
    """The same attention with scores between −cap and cap: S_cap = cap · tanh(S_scaled / cap).

    Small scores stay nearly as they are, large ones come near the cap, and none changes its order.
    The mask comes after it: a blocked key stays blocked.

    Shapes: S_scaled (n, n) → S_cap, A_cap (n, n), O_cap (n, d_v).

    Errors: :class:`AttentionError` for a cap that is not a finite number above 0, and for a graph
    that is not plain attention from S_scaled on.

    With ALiBi call `with_alibi` after it: the distances are taken off before the cap.

    >>> from attention_core import attention
    >>> graph = softcap(attention([[100.0]], [[1.0]], [[3.0]], scale=1.0), cap=5.0)
    >>> graph["S_scaled"].value.tolist(), graph["S_cap"].value.tolist()
    ([[100.0]], [[5.0]])
    """
    plain(graph, "softcap", "S_scaled", "With positions, call with_alibi after it.")
    cap = finite("softcap", "the cap", cap, above=0)
    ratio = divide_by(graph["S_scaled"], cap, "S_ratio")  # (n, n) -> (n, n)
    bent = tanh(ratio, "S_tanh")  # (n, n) -> (n, n)
    capped = scale(bent, cap, "S_cap")  # (n, n) -> (n, n)
    masked = mask_scores(capped, graph["M"], "S_cap_masked")  # (n, n) (n, n) -> (n, n)
    A = row_softmax(masked, "A_cap")  # (n, n) -> (n, n)
    O = matmul(A, graph["V"], "O_cap")  # (n, n) (n, d_v) -> (n, d_v)
    return Graph((*graph.steps, ratio, bent, capped, masked, A, O), graph.between)


def _softcap(graph: Graph, inputs: Inputs, options: Chosen) -> Graph:
    return softcap(graph, float(options["cap"]))


SOFTCAP = Variant(
    "softcap",
    "Soft cap",
    _softcap,
    (Option("cap", "No score beyond", 2.0, low=0.1, high=100.0),),
)
