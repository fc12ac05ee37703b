"""Some matrices of a graph replaced, and everything that is made from them made again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from attention_core.graph import Graph
from attention_core.matrix import Matrix
from attention_core.ops.op import apply


def made_again(
    graph: Graph, instead: Mapping[str, Matrix], name: Callable[[str], str] = str
) -> dict[str, Matrix]:
    """Some matrices replaced, and everything that is made from them made again by the same ops.

    Both stand under their old keys; ``name`` says how what is made again is called.

    >>> from attention_core import EXAMPLES
    >>> graph = EXAMPLES["hand"].graph()
    >>> list(made_again(graph, {"S_masked": graph["S_scaled"]}))
    ['S_masked', 'A', 'O']
    """
    made = dict(instead)
    for matrix in graph.steps:
        if matrix.op is not None and matrix.key not in made:
            inputs = tuple(made.get(m.key, m) for m in matrix.inputs)
            if any(m.key in made for m in matrix.inputs):
                made[matrix.key] = apply(matrix.op, name(matrix.key), *inputs)
    return made


def replaced(
    graph: Graph,
    instead: Mapping[str, Matrix],
    made_of: Iterable[Matrix] = (),
    between: Iterable[str] = (),
) -> Graph:
    """Some matrices in place of others, and everything that follows made again under its key.

    What is replaced stays beside its replacement, unless that has the same key; a transpose is
    called as what it is the transpose of. ``made_of`` stands before the replacements: what they are
    made of that is new.

    >>> from attention_core import EXAMPLES
    >>> from attention_core.ops import scale
    >>> graph = EXAMPLES["hand"].graph()
    >>> half = replaced(graph, {"K": scale(graph["K"], 0.5, "K_half")})
    >>> [m.key for m in half.steps]
    ['Q', 'K', 'V', 'M', 'K_half', 'K_half_T', 'S', 'S_scaled', 'S_masked', 'A', 'O']
    """
    named = {f"{key}_T": f"{matrix.key}_T" for key, matrix in instead.items()}
    made = made_again(graph, instead, lambda key: named.get(key, key))
    stays = (
        m
        for m in graph.steps
        if m.key not in made or (m.key in instead and instead[m.key].key != m.key)
    )
    hidden = {named.get(key, key) for key in graph.between}.union(between)
    return Graph((*stays, *made_of, *made.values()), frozenset(hidden))


def marked(key: str, mark: str) -> str:
    """The key of another copy of a matrix; a transpose keeps its ``_T`` behind.

    >>> marked("S", "_2"), marked("K_T", "_P")
    ('S_2', 'K_P_T')
    """
    return f"{key[:-2]}{mark}_T" if key.endswith("_T") else f"{key}{mark}"
