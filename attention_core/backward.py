"""Gradients as matrices: the chain rule written with the same ops, so they explain themselves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from attention_core.errors import AttentionError
from attention_core.graph import Graph, ordered
from attention_core.matrix import Matrix, as_array, given
from attention_core.ops import add_all


def gradients(graph: Graph, of: str = "O", upstream: ArrayLike | None = None) -> Graph:
    """Extend a graph by the gradient of a loss with respect to every matrix behind ``of``.

    ``upstream`` is ∂L/∂``of``; without it L is the sum of all entries of ``of``. The gradient of
    ``X`` is called ``dX``, and so on. Reverse mode: each op's ``vjp`` gives its share, and the
    shares of a matrix that is used more than once (X is, three times) are added.

    Errors: :class:`AttentionError` when ``upstream`` has another shape than ``of``, or the graph
    holds gradients already.

    >>> from attention_core import EXAMPLES
    >>> full = gradients(EXAMPLES["hand"].graph(), "O")
    >>> full["dV"].value.round(3).tolist()
    [[0.847, 0.847], [1.306, 1.306], [0.847, 0.847]]
    >>> full.explain("dV", 0, 0).symbolic
    'Aᵀ[t1, :] · dO[:, 1]'
    """
    if of not in graph:
        raise AttentionError(f"gradients: this graph has no {of}. Say of= which matrix they are.")
    target = graph[of]
    if any(f"d{matrix.key}" in graph for matrix in graph.steps):
        raise AttentionError("gradients: this graph has gradients already. Start from one without.")
    values = np.ones(target.shape) if upstream is None else as_array("upstream", upstream)
    if values.shape != target.shape:
        raise AttentionError(
            f"upstream: is {values.shape[0]}×{values.shape[1]}, wanted the shape of {of}, "
            f"{target.shape[0]}×{target.shape[1]}."
        )
    seed = given(f"d{of}", values, target.rows, target.cols)
    seed = replace(seed, by_column=target.by_column)
    shares: dict[str, list[tuple[str, Matrix]]] = {}
    found: list[Matrix] = [seed]
    for matrix in reversed(graph.behind(of)):
        g = seed if matrix is target else _total(matrix.key, shares.get(matrix.key, []))
        if matrix is not target:
            found.append(g)
        if matrix.op is not None:
            grads = matrix.op.vjp(g, matrix, *matrix.inputs)
            for place, (source, share) in enumerate(zip(matrix.inputs, grads, strict=True)):
                # An op may take one matrix twice, as in A ∘ A: then its shares are numbered.
                again = sum(earlier is source for earlier in matrix.inputs[:place])
                user = f"{matrix.key}{again + 1}" if again else matrix.key
                shares.setdefault(source.key, []).append((user, share))
    # A gradient of 0 is a gradient: rows without a distribution are a matter of the forward pass.
    steps = tuple(
        m if m in graph.steps else replace(m, undefined=frozenset())
        for m in ordered(found, before=graph.steps)
    )
    quantities = {*graph.keys(), *(m.key for m in found)}
    return Graph(steps, frozenset(m.key for m in steps if m.key not in quantities))


def _total(key: str, shares: list[tuple[str, Matrix]]) -> Matrix:
    """Add the shares of one matrix, named after the matrices they come from."""
    if len(shares) == 1:
        return replace(shares[0][1], key=f"d{key}")
    named = [replace(share, key=f"d{key}_{user}") for user, share in shares]
    return add_all(named, f"d{key}")
