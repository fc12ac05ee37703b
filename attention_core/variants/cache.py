"""Reading token by token: a step with a cache beside computing everything again, in two layers."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from attention_core.again import made_again, marked
from attention_core.axes import Axis
from attention_core.bounds import whole
from attention_core.errors import AttentionError
from attention_core.graph import Graph
from attention_core.inputs import MAX_TOKENS, Inputs
from attention_core.masks import causal as causal_mask
from attention_core.matrix import Matrix, given
from attention_core.ops import add, compare, matmul, take_rows
from attention_core.ops.scale import Scale
from attention_core.plain import plain
from attention_core.stream import embeddings, output_weights
from attention_core.variants.cached_step import answer
from attention_core.variants.variant import Chosen, Option, Variant

_STEP = frozenset({"K_all_T"})


def cached(graph: Graph, read: int, *, causal: bool = True) -> Graph:
    """The step in which token number ``read`` of a graph is read, beside computing all again.

    The graph's own keys (X, Q, …, O) are attention over the tokens read so far, all rows computed.
    Its mask is replaced: by a causal one, or without ``causal`` by none. Keys with ``_was`` are the
    same before the new token came, and K_kept and V_kept are kept from there. Keys with ``_new``
    are the step with the cache (`cached_step`).

    O_gap = O_new − O_last compares the step with the last row of O. It is 0 with and without a
    mask, since a row of K or V depends on its own token only. O_diff = O_now − O_was says how the
    new token changes the outputs of those before it: not at all with a causal mask.

    Errors: :class:`AttentionError` for a token that is not there, and where queries and keys are
    two sequences.

    >>> from attention_core import EXAMPLES
    >>> graph = EXAMPLES["love"].graph()
    >>> step = cached(graph, 3)
    >>> step["K_kept"].shape, step["S_new"].shape
    ((2, 3), (1, 3))
    >>> step["O_gap"].value.any(), step["O_diff"].value.any()
    (np.False_, np.False_)
    >>> cached(graph, 3, causal=False).explain("O_diff", 0, 1).text
    'O_diff[I, 2] = O_now[I, 2] − O_was[I, 2] = 1.637 − 1.819 = −0.183'
    """
    all_rows = _first_rows(graph, read, causal)
    rows, start = all_rows["O"].rows, _start(all_rows)
    steps = list(all_rows.steps)
    kept: tuple[Matrix, ...] = ()
    if read > 1:
        few = {key: take_rows(all_rows[key], 0, read - 1, _before(key)) for key in start}
        few["M_read"] = _mask("M_was", few[start[0]].rows, causal)
        made = made_again(all_rows, few, _before)
        kept = made["K"], made["V"]
        steps += made.values()
    if "X" in all_rows:
        X_new = take_rows(
            all_rows["X"], read - 1, read, "X_new", "1"
        )  # (t, d_model) -> (1, d_model)
        steps.append(X_new)
        new = tuple(matmul(X_new, all_rows[f"W_{key}"], f"{key}_new") for key in "QKV")  # (1, d)
    else:
        new = tuple(take_rows(all_rows[key], read - 1, read, f"{key}_new", "1") for key in "QKV")
    step = answer(new, kept, rows, _factor(graph))
    steps += (*new, *step, *_checked(step[-1], all_rows["O"], "O"))
    if kept:
        steps += _changed(all_rows["O"], made["O"], "O")
    return Graph(tuple(steps), all_rows.between | _STEP | {"K_kept_T", "M_was"})


def cached_layers(
    graph: Graph, read: int, W_O: ArrayLike | None = None, *, causal: bool = True
) -> Graph:
    """The step of `cached`, and a second layer with a cache of its own, on X_1 = X + O W_O.

    K_2_kept and V_2_kept are made from X_1_was, the stream as it was before the new token came.
    With a causal mask these are the rows that all tokens together give: K_2_diff and V_2_diff are
    0, and so is O_2_gap. Without it the new token may change every row of X_1. Then what was kept
    is out of date, and O_2_new is not the last row of O_2. All layers use the same weights. ``W_O``
    and shapes as in `residual`, errors as in `cached`, also for a graph without embeddings.

    >>> from attention_core import EXAMPLES
    >>> graph = EXAMPLES["love"].graph()
    >>> cached_layers(graph, 3)["O_2_gap"].value.any()
    np.False_
    >>> cached_layers(graph, 3, causal=False).explain("O_2_gap", 0, 1).text
    'O_2,gap[AI, 2] = O_2,new[AI, 2] − O_2,last[AI, 2] = 2.602 − 2.598 = 0.004'
    """
    embeddings(graph, "cached_layers")
    plain(graph, "cached_layers", "X")
    one = cached(graph, read, causal=causal)
    all_rows = Graph(one.behind("O"))
    to_stream = output_weights(one, W_O)
    steps = [*one.steps, to_stream]

    def stream(run: str) -> Matrix:
        """X_1 = X + O W_O of one run: all tokens, those before, or the new one."""
        U = matmul(one[f"O{run}"], to_stream, f"U_1{run}")  # (t, d_v) (d_v, d_model)
        X_1 = add(one[f"X{run}"], U, f"X_1{run}")  # (t, d_model) (t, d_model) -> (t, d_model)
        steps.extend((U, X_1))
        return X_1

    made = made_again(all_rows, {"X": stream("")}, partial(marked, mark="_2"))
    steps += [m for key, m in made.items() if key != "X"]
    kept: tuple[Matrix, ...] = ()
    if read > 1:
        X_1_was = stream("_was")  # (t − 1, d_model)
        kept = tuple(matmul(X_1_was, one[f"W_{key}"], f"{key}_2_kept") for key in "KV")
        for before in kept:
            steps += (before, *_changed(made[before.key[0]], before, before.key[:3]))
    X_1_new = stream("_new")  # (1, d_model)
    new = tuple(matmul(X_1_new, one[f"W_{key}"], f"{key}_2_new") for key in "QKV")
    step = answer(new, kept, all_rows["O"].rows, _factor(graph), "_2")
    steps += (*new, *step, *_checked(step[-1], made["O"], "O_2"))
    return Graph(tuple(steps), one.between | {"K_2_T", "K_2_all_T"})


def _checked(O_new: Matrix, O: Matrix, key: str) -> tuple[Matrix, Matrix]:
    """The last row of what is computed all again, and how the step with the cache differs."""
    t = O.shape[0]
    last = take_rows(O, t - 1, t, f"{key}_last", "1")  # (t, d_v) -> (1, d_v)
    V = O_new.inputs[1]
    return last, compare(O_new, last, f"{key}_gap", V)  # (1, d_v) (1, d_v) -> (1, d_v)


def _changed(all_rows: Matrix, was: Matrix, key: str) -> tuple[Matrix, Matrix]:
    """The rows of earlier tokens as they are now, and how they differ from what they were."""
    now = take_rows(all_rows, 0, was.shape[0], f"{key}_now")  # (t, d) -> (t − 1, d)
    return now, compare(now, was, f"{key}_diff")  # (t − 1, d) (t − 1, d) -> (t − 1, d)


def _first_rows(graph: Graph, read: int, causal: bool) -> Graph:
    """The same attention over the first tokens only, under another mask."""
    plain(graph, "cached", "X")
    graph = Graph(graph.behind("O"), graph.between)  # nothing that stands beside it
    start = _start(graph)
    rows = graph[start[0]].rows
    if any(graph[key].rows != rows for key in "QKV"):
        raise AttentionError("cached: queries and keys are two sequences. Use self-attention.")
    read = whole("cached", "read", read, 1, rows.size)
    few = Axis(rows.name, rows.labels[:read], rows.tokens)
    instead = {key: given(key, graph[key].value[:read], few, graph[key].cols) for key in start} | {
        "M": _mask("M_read", few, causal)
    }
    made = made_again(graph, instead)
    return Graph(tuple(made.get(m.key, m) for m in graph.steps), graph.between | {"M_read"})


def _start(graph: Graph) -> tuple[str, ...]:
    """What a graph starts from that has a row for each token."""
    return ("X",) if "X" in graph else ("Q", "K", "V")


def _mask(key: str, rows: Axis, causal: bool) -> Matrix:
    """What is added to the scores of the tokens read so far."""
    n = rows.size
    array = causal_mask(n) if causal else np.zeros((n, n))
    return given(key, array, rows, rows, minus_infinity=True)


def _before(key: str) -> str:
    """The key of what a matrix was before the new token came; keys and values are kept."""
    return marked(key, "_kept" if key[0] in "KV" else "_was")


def _factor(graph: Graph) -> float | None:
    """What the scores of a graph are multiplied by; ``None`` for 1/√d_k."""
    op = graph["S_scaled"].op
    return op.factor if isinstance(op, Scale) else None


def _cache(graph: Graph, inputs: Inputs, options: Chosen) -> Graph:
    read, causal = int(options["at"]), bool(options["causal"])
    if "X" not in graph:
        return cached(graph, read, causal=causal)
    return cached_layers(graph, read, inputs.given["W_O"], causal=causal)


AT = Option(
    "at",
    "Tokens read so far",
    3,
    among={t: str(t) for t in range(1, MAX_TOKENS + 1)},
    fits=lambda inputs, _: range(1, len(inputs.tokens) + 1),
)
CAUSAL = Option("causal", "Causal mask", True)
CACHE = Variant("cache", "Cache", _cache, (AT, CAUSAL), masks=False)
