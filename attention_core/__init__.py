"""Scaled dot-product attention in which every number can explain itself.

>>> from attention_core import self_attention
>>> graph = self_attention([[1, 0], [0, 1]], [[1], [2]], [[1], [0]], [[3], [4]], tokens=("a", "b"))
>>> print(graph.explain("S", 1, 0))
S[b, a] = q_b · k_a = 2·1 = 2

What there is, the function that makes it, and the key of its result in the graph:

==================================  ==================================  ========================
attention, one head                 attention, self_attention,          O, weights A
                                    cross_attention
what is added to X                  residual                            X_out, update U
several layers                      layered                             X_sum, and X_1, X_2 …
heads, with packed weights          multi_head, multi_head_cross        O, and U with W_O
heads, from given Q, K and V        multi_head_attention                O, and U with W_O
heads, from one wide head           split_heads                         O_heads
grouped keys                        kv_heads of all these               O_heads; O, and U
a mask for each head                with_masks                          O, and U with W_O
biases of the projections           with_biases                         O, and U with W_O
another sequence's keys             across                              O
positions                           with_positions, with_rotary,        O
                                    with_alibi
all tokens moved on                 moved_on                            S_diff
a soft cap on scores                softcap                             O_cap, weights A_cap
an attention sink                   sink                                O_sink, weights A_sink
powers of 2                         base_two                            O_two, weights A_two
block by block                      online_softmax                      O_online
one token, with a cache             cached_step                         O_new
the same beside all tokens          cached, cached_layers               O_new; O_2_new
a chunk, with a cache               with_cache                          O; K_all, V_all
gradients                           gradients                           dO, dA, dX, dW_Q …
a loss and one step                 value_loss, descend                 L; W_Q_after …, L_after
another order of the tokens         reordered                           O_back, O_diff
tokens as columns                   as_columns                          the same keys
==================================  ==================================  ========================

`worksheet` leaves cells of any of these blank, to be worked out by hand, and knows the answers.

A function that starts from plain attention says so where a graph is something else already.
"""

from attention_core.attention import attention, cross_attention, self_attention
from attention_core.backward import gradients
from attention_core.beside import DIFF, WAS, beside, differs
from attention_core.blanks import BLANKS
from attention_core.by_hand import ByHand, also_right
from attention_core.checked import checked_code, notebook
from attention_core.cost import (
    BYTES,
    MAX_DEPTH,
    MAX_HEADS,
    MAX_N,
    MAX_WIDTH,
    NUMBER_SIZES,
    SECONDS,
    STAGES,
    Cache,
    Cost,
    cache,
    cost,
    counted,
    in_units,
    more_bytes_beyond,
    more_work_beyond,
)
from attention_core.decoding import Decoding, decoding
from attention_core.directed import cosines, one_for_both, one_matrix
from attention_core.emit import (
    numpy_code,
    numpy_function,
    numpy_line,
    torch_code,
    torch_function,
    torch_line,
)
from attention_core.errors import AttentionError
from attention_core.exact_number import ExactNumber
from attention_core.exactly import Exactly, exactly
from attention_core.examples import EXAMPLES, SATURATED_ROW, Example, saturated_row
from attention_core.explain import Explanation, Trace
from attention_core.graph import Graph
from attention_core.hull import Pulled, hull, hull_area, inside, pull
from attention_core.idioms import mha_code, torch_module
from attention_core.inputs import Inputs, tokenize, toy_inputs
from attention_core.layers import MAX_LAYERS, layered
from attention_core.mask_errors import (
    PRECISIONS,
    causal_corners,
    large_negative_mask,
    mask_after_softmax,
    mask_errors,
    weights_in,
    wrong_sign,
)
from attention_core.masks import NAMED as MASKS
from attention_core.masks import causal, mask_from_text, mask_text, padding, sliding_window
from attention_core.matrix import Cell, Matrix, given
from attention_core.memory import Held, held
from attention_core.order import ORDERS, reordered, sinusoids, with_positions
from attention_core.printed import Agreement, Printed
from attention_core.sampling import (
    DIVISORS,
    MAX_PAIRS,
    Products,
    Sharpness,
    dot_products,
    sharpness,
)
from attention_core.sdpa import sdpa_calls, sdpa_code
from attention_core.sharpen import sharpen
from attention_core.stages import (
    column_sums,
    look_up,
    overflows,
    short_values,
    softmax_in_steps,
    unscaled,
    without_value,
)
from attention_core.stream import residual
from attention_core.timing import TIMED_SIZES, TIMED_WIDTH, Timing, measure, measured
from attention_core.variants import OPTIONS, VARIANTS
from attention_core.variants.alibi import alibi_slopes, with_alibi
from attention_core.variants.biases import with_biases
from attention_core.variants.cache import cached, cached_layers
from attention_core.variants.cached_step import cached_step
from attention_core.variants.convention import as_columns, as_rows
from attention_core.variants.cross import across, source_embeddings, source_tokens
from attention_core.variants.exact import base_two
from attention_core.variants.gradients import (
    AFTER,
    EPSILON,
    descend,
    finite_difference,
    parameters,
    promised,
    row_jacobian,
    value_loss,
)
from attention_core.variants.grouped import kv_head_counts
from attention_core.variants.heads import head_counts, head_weights, split_heads
from attention_core.variants.masks_of_heads import with_masks
from attention_core.variants.multi_head import (
    multi_head,
    multi_head_attention,
    multi_head_cross,
)
from attention_core.variants.online import blocks_of, online_gap, online_softmax
from attention_core.variants.online_loop import loop_code
from attention_core.variants.positions import moved_on
from attention_core.variants.rotary import with_rotary
from attention_core.variants.sink import sink
from attention_core.variants.softcap import softcap
from attention_core.variants.variant import Option, Variant
from attention_core.variants.with_cache import with_cache
from attention_core.worksheet import Part, Task, Worksheet, worksheet

__all__ = [
    "AFTER",
    "BLANKS",
    "BYTES",
    "DIFF",
    "DIVISORS",
    "EPSILON",
    "EXAMPLES",
    "MASKS",
    "MAX_DEPTH",
    "MAX_HEADS",
    "MAX_LAYERS",
    "MAX_N",
    "MAX_PAIRS",
    "MAX_WIDTH",
    "NUMBER_SIZES",
    "OPTIONS",
    "ORDERS",
    "PRECISIONS",
    "SATURATED_ROW",
    "SECONDS",
    "STAGES",
    "TIMED_SIZES",
    "TIMED_WIDTH",
    "VARIANTS",
    "WAS",
    "Agreement",
    "AttentionError",
    "ByHand",
    "Cache",
    "Cell",
    "Cost",
    "Decoding",
    "ExactNumber",
    "Exactly",
    "Example",
    "Explanation",
    "Graph",
    "Held",
    "Inputs",
    "Matrix",
    "Option",
    "Part",
    "Printed",
    "Products",
    "Pulled",
    "Sharpness",
    "Task",
    "Timing",
    "Trace",
    "Variant",
    "Worksheet",
    "across",
    "alibi_slopes",
    "also_right",
    "as_columns",
    "as_rows",
    "attention",
    "base_two",
    "beside",
    "blocks_of",
    "cache",
    "cached",
    "cached_layers",
    "cached_step",
    "causal",
    "causal_corners",
    "checked_code",
    "column_sums",
    "cosines",
    "cost",
    "counted",
    "cross_attention",
    "decoding",
    "descend",
    "differs",
    "dot_products",
    "exactly",
    "finite_difference",
    "given",
    "gradients",
    "head_counts",
    "head_weights",
    "held",
    "hull",
    "hull_area",
    "in_units",
    "inside",
    "kv_head_counts",
    "large_negative_mask",
    "layered",
    "look_up",
    "loop_code",
    "mask_after_softmax",
    "mask_errors",
    "mask_from_text",
    "mask_text",
    "measure",
    "measured",
    "mha_code",
    "more_bytes_beyond",
    "more_work_beyond",
    "moved_on",
    "multi_head",
    "multi_head_attention",
    "multi_head_cross",
    "notebook",
    "numpy_code",
    "numpy_function",
    "numpy_line",
    "one_for_both",
    "one_matrix",
    "online_gap",
    "online_softmax",
    "overflows",
    "padding",
    "parameters",
    "promised",
    "pull",
    "reordered",
    "residual",
    "row_jacobian",
    "saturated_row",
    "sdpa_calls",
    "sdpa_code",
    "self_attention",
    "sharpen",
    "sharpness",
    "short_values",
    "sink",
    "sinusoids",
    "sliding_window",
    "softcap",
    "softmax_in_steps",
    "source_embeddings",
    "source_tokens",
    "split_heads",
    "tokenize",
    "torch_code",
    "torch_function",
    "torch_line",
    "torch_module",
    "toy_inputs",
    "unscaled",
    "value_loss",
    "weights_in",
    "with_alibi",
    "with_biases",
    "with_cache",
    "with_masks",
    "with_positions",
    "with_rotary",
    "without_value",
    "worksheet",
    "wrong_sign",
]
