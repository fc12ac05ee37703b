"""A soft cap on the scores (Gemma 2, Gemma Team 2024, section 2): none goes beyond a limit."""

from __future__ import annotations

from attention_core.bounds import finite
from attention_core.graph import Graph
from attention_core.inputs import Inputs
from attention_core.matrix import Matrix
from attention_core.ops import divide_by, mask_scores, matmul, row_softmax, scale, tanh
from attention_core.plain import plain_heads
from attention_core.variants.side_by_side import put_together
from attention_core.variants.variant import Chosen, Option, Variant


def softcap(graph: Graph, cap: float) -> Graph:
    """The same attention with scores between −cap and cap: S_cap = cap · tanh(S_scaled / cap).

    Small scores stay nearly as they are, large ones come near the cap, and none changes its order.
    The mask comes after it: a blocked key stays blocked.

    Shapes: S_scaled (n, n) → S_cap, A_cap (n, n), O_cap (n, d_v). On several heads (`multi_head`,
    `split_heads`) each head has its own, S_cap_i, A_cap_i and O_cap_i, and O_cap = [O_cap_1 | … |
    O_cap_h]. Where there is U, it is made from O_cap.

    Errors: :class:`AttentionError` for a cap that is not a finite number above 0, for a graph that
    is not plain attention from S_scaled on, and for several heads with gradients.

    With ALiBi call `with_alibi` after it: the distances are taken off before the cap.

    >>> from attention_core import EXAMPLES, attention, split_heads
    >>> graph = softcap(attention([[100.0]], [[1.0]], [[3.0]], scale=1.0), cap=5.0)
    >>> graph["S_scaled"].value.tolist(), graph["S_cap"].value.tolist()
    ([[100.0]], [[5.0]])
    >>> softcap(split_heads(EXAMPLES["cat"].graph(), 2), cap=5.0).definition("S_cap_2")
    'S_{cap,2} = 5 \\\\cdot S_{tanh,2}'
    """
    marks = plain_heads(graph, "softcap", "With positions, call with_alibi after it.")
    cap = finite("softcap", "the cap", cap, above=0)
    return put_together(graph, [_capped(graph, cap, mark) for mark in marks], "O_cap")


def _capped(graph: Graph, cap: float, mark: str) -> tuple[Matrix, ...]:
    """One head from its scaled scores on."""
    M, V = (graph[f"{key}{mark}"].inputs[1] for key in ("S_masked", "O"))
    ratio = divide_by(graph[f"S_scaled{mark}"], cap, f"S_ratio{mark}")  # (n, n) -> (n, n)
    bent = tanh(ratio, f"S_tanh{mark}")  # (n, n) -> (n, n)
    capped = scale(bent, cap, f"S_cap{mark}")  # (n, n) -> (n, n)
    masked = mask_scores(capped, M, f"S_cap_masked{mark}")  # (n, n) (n, n) -> (n, n)
    A = row_softmax(masked, f"A_cap{mark}")  # (n, n) -> (n, n)
    O = matmul(A, V, f"O_cap{mark}")  # (n, n) (n, d_v) -> (n, d_v)
    return ratio, bent, capped, masked, A, O


def _softcap(graph: Graph, inputs: Inputs, options: Chosen) -> Graph:
    return softcap(graph, float(options["cap"]))


SOFTCAP = Variant(
    "softcap",
    "Soft cap",
    _softcap,
    (Option("cap", "No score beyond", 2.0, low=0.1, high=100.0),),
)
