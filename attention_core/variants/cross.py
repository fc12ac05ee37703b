"""Cross-attention: queries from one sentence, keys and values from another.

So the decoder of the paper reads the sentence that is to be translated (Vaswani et al. 2017,
section 3.2.3).
"""

from __future__ import annotations

from collections.abc import Sequence

from numpy.typing import ArrayLike

from attention_core.attention import attend, other_sequence, projection, scale_of
from attention_core.axes import numbered, token_axis
from attention_core.errors import AttentionError
from attention_core.graph import Graph
from attention_core.inputs import Inputs, Tokens, tokenize, toy_inputs, unspaced
from attention_core.masks import MaskLike, mask_matrix, padding
from attention_core.matrix import Array, Matrix, given
from attention_core.ops import matmul, transpose
from attention_core.plain import plain
from attention_core.variants.variant import Chosen, Option, Variant

# Features of the source where the queries come without any.
_FEATURES = 4


def across(
    graph: Graph,
    Y: ArrayLike | Matrix,
    W_K: ArrayLike | Matrix,
    W_V: ArrayLike | Matrix,
    mask: MaskLike = None,
) -> Graph:
    """The queries of a graph with keys and values from another sequence Y: K = Y W_K, V = Y W_V.

    Shapes: Q (n, d_k) of the graph, Y (n_k, d_Y), W_K (d_Y, d_k), W_V (d_Y, d_v) → A (n, n_k) and
    O (n, d_v). The scale is the graph's. Its mask is about one sequence and is left behind:
    ``mask`` has n rows and n_k columns.

    Each is an array, or a matrix with names for its rows and columns (`given`).

    Errors: :class:`AttentionError` for shapes that do not fit, and a graph that is not plain
    attention.

    >>> from attention_core import EXAMPLES, given
    >>> graph, Y = EXAMPLES["love"].graph(), given("Y", [[0, 1, 0, 1], [1, 0, 0, 0]])
    >>> cross = across(graph, Y, graph["W_K"], graph["W_V"])
    >>> cross["S"].value.tolist(), cross["O"].shape
    ([[5.0, 0.0], [3.0, 2.0], [4.0, 1.0]], (3, 3))
    """
    plain(graph, "across", "X")
    Y = Y if isinstance(Y, Matrix) else other_sequence(Y)
    W_K = W_K if isinstance(W_K, Matrix) else projection("W_K", W_K, Y.cols, "d_k")
    W_V = W_V if isinstance(W_V, Matrix) else projection("W_V", W_V, Y.cols, "d_v")
    Q, before = graph["Q"], [graph[key] for key in ("X", "W_Q") if key in graph]
    K = matmul(Y, W_K, "K")  # (n_k, d_Y) (d_Y, d_k) -> (n_k, d_k)
    V = matmul(Y, W_V, "V")  # (n_k, d_Y) (d_Y, d_v) -> (n_k, d_v)
    K_T = transpose(K)  # (n_k, d_k) -> (d_k, n_k)
    M = mask_matrix(mask, Q.rows, K.rows)  # (n, n_k)
    S, S_scaled, *rest = attend(Q, K_T, V, M, scale_of(graph))  # (n, n_k) … and O (n, d_v)
    steps = (*before[:1], Y, *before[1:], W_K, W_V, Q, K, V, K_T, S, S_scaled, M, *rest)
    return Graph(steps, frozenset({"K_T", "M"}))


def source_tokens(text: str) -> Tokens:
    """The tokens of a source sentence: words, or characters where a text has no spaces.

    What was left out is said in ``notices``. Where nothing is left, the default sentence is used.

    >>> source_tokens("Die Katze").tokens, source_tokens("我爱你").tokens
    (('Die', 'Katze'), ('我', '爱', '你'))
    >>> source_tokens("\\u200b").notices
    ("There is no word in the source sentence. «Moi, j'adore vraiment l'IA» is used instead.",)
    """
    try:
        tokens = tokenize(text)
    except AttentionError:
        instead = f"There is no word in the source sentence. «{SOURCE.default}» is used instead."
        return Tokens(tokenize(str(SOURCE.default)).tokens, (instead,))
    alone = len(tokens.tokens) == 1 and unspaced(tokens.tokens[0])
    return tokenize(text, "characters") if alone else tokens


def source_embeddings(inputs: Inputs, tokens: Sequence[str]) -> Array:
    """Toy embeddings of a source sentence, with as many features as the inputs have.

    Equal words get equal rows, also where one stands in the sentence that asks.

    >>> from attention_core import EXAMPLES
    >>> source_embeddings(EXAMPLES["cat"].inputs, ("Die", "Katze")).shape
    (2, 8)
    """
    return _toy(inputs, tokens).given["X"]


def _toy(inputs: Inputs, tokens: Sequence[str]) -> Inputs:
    sizes = {"d_model": _FEATURES} | inputs.sizes
    return toy_inputs(tokens, inputs.seed, **sizes)


def _cross(graph: Graph, inputs: Inputs, options: Chosen) -> Graph:
    """Keys and values by the weights of the inputs, or by toy weights where these have none."""
    tokens = source_tokens(str(options["source"])).tokens
    n_k = len(tokens)
    rows, toy = token_axis(tokens, n_k, "n_k"), _toy(inputs, tokens).given
    features = graph["X"].cols if "X" in graph else numbered("d_model", _FEATURES)
    Y = given("Y", inputs.given.get("Y", toy["X"]), rows, features)
    W_K, W_V = (
        graph[key] if key in graph else given(key, toy[key], features, numbered(size, width))
        for key, size, width in (
            ("W_K", "d_k", inputs.sizes["d_k"]),
            ("W_V", "d_v", inputs.sizes["d_v"]),
        )
    )
    real = [True] * (n_k - 1) + [not options["pad"]]
    return across(graph, Y, W_K, W_V, padding(real, graph["Q"].rows.size))


SOURCE = Option(
    "source", "Source sentence: keys and values come from here", "Moi, j'adore vraiment l'IA"
)
PAD = Option("pad", "The last token of the source is padding", False)
CROSS = Variant("cross", "Cross-attention", _cross, (SOURCE, PAD), masks=False)
