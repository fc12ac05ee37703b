"""Several heads side by side (Vaswani et al. 2017, section 3.2.2), and heads that share keys.

Each head is one attention on some columns of the queries, keys and values. Matrices of head i are
numbered: ``Q_1``, ``A_1``, ``O_1``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import chain

from attention_core.again import replaced
from attention_core.attention import attend
from attention_core.axes import numbered
from attention_core.bounds import whole
from attention_core.errors import AttentionError
from attention_core.graph import Graph
from attention_core.matrix import Matrix
from attention_core.ops import apply, join_columns, take_columns, transpose


def side_by_side(
    graph: Graph,
    heads: int,
    kv_heads: int,
    widths: tuple[int, int],
    scale: float | None,
    key: str,
) -> Graph:
    """Attention of every head on its columns of Q, K and V, and all outputs in one matrix."""
    d_k, d_v = widths
    Qs = _cut(graph["Q"], heads, d_k, "d_k")  # (n, h·d_k) -> h times (n, d_k)
    Ks = _cut(graph["K"], kv_heads, d_k, "d_k")  # (n, h_kv·d_k) -> h_kv times (n, d_k)
    Vs = _cut(graph["V"], kv_heads, d_v, "d_v")  # (n, h_kv·d_v) -> h_kv times (n, d_v)
    K_Ts = [transpose(K) for K in Ks]  # (n, d_k) -> (d_k, n)
    steps, outputs = [*graph.steps, *Qs, *Ks, *Vs, *K_Ts], []
    for head, Q in enumerate(Qs):
        group = head * kv_heads // heads
        name = partial(key_of_head, head=head)
        made = attend(Q, K_Ts[group], Vs[group], graph["M"], scale, name)
        steps += made
        outputs.append(made[-1])
    O = join_columns(outputs, numbered("h·d_v", heads * d_v), key)  # (n, d_v), each -> (n, h·d_v)
    return Graph((*steps, O), graph.between | {K_T.key for K_T in K_Ts})


def put_together(
    graph: Graph, heads: Sequence[tuple[Matrix, ...]], key: str, between: Iterable[str] = ()
) -> Graph:
    """A graph with other outputs beside its own: what is made for each head, its output last.

    Several of them stand side by side under this key, and U and X_out are made from it.
    """
    steps, outputs = dict.fromkeys(chain(*heads)), [made[-1] for made in heads]
    if outputs[0].key == key:  # one head without a number
        return Graph((*graph.steps, *steps), graph.between.union(between))
    whole = "O_heads" if "O_heads" in graph else "O"
    side = graph[whole].op
    assert side is not None  # heads are joined by an op
    O = apply(side, key, *outputs)  # (n, d_v), each -> (n, h·d_v)
    return replaced(graph, {whole: O}, steps, between)


def _cut(of: Matrix, heads: int, width: int, size: str) -> list[Matrix]:
    """The columns of each head."""
    return [
        take_columns(of, head * width, (head + 1) * width, key_of_head(of.key, head), size)
        for head in range(heads)
    ]


def share(of: Matrix, heads: int) -> int:
    """How many columns each head gets."""
    if of.shape[1] % heads:
        raise AttentionError(
            f"heads: {of.key} has {of.shape[1]} columns, and {heads} heads cannot share them out "
            "equally. Give each head as many."
        )
    return of.shape[1] // heads


def key_of_head(key: str, head: int) -> str:
    """The key of a matrix of a head: ``Q`` becomes ``Q_1``, counted from 1 as people do."""
    return f"{key}_{head + 1}"


def check_heads(heads: int, kv_heads: int) -> None:
    for name, number in (("heads", heads), ("kv_heads", kv_heads)):
        whole("heads", name, number)
    if heads % kv_heads:
        raise AttentionError(
            f"multi_head: {heads} heads cannot share {kv_heads} heads of keys and values equally. "
            "Take a divisor of the heads."
        )
