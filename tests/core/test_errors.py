"""What is refused, in which words; and that nothing odd ever becomes NaN."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from attention_core import (
    AttentionError,
    Graph,
    attention,
    causal,
    cross_attention,
    gradients,
    padding,
    self_attention,
    sliding_window,
)
from attention_core.axes import numbered
from attention_core.matrix import given
from attention_core.ops import (
    add,
    divide_by_column,
    exponential,
    mask_scores,
    matmul,
    multiply,
    scale,
    spread,
    subtract,
    subtract_column,
)

pytestmark = pytest.mark.filterwarnings("error")
INF, NAN = float("inf"), float("nan")
HALF: Any = 0.5


def ones(rows: int, cols: int) -> list[list[float]]:
    return [[1.0] * cols for _ in range(rows)]


def m(key: str, rows: int, cols: int) -> Any:
    return given(key, ones(rows, cols))


def q(value: Any, **options: Any) -> Graph:
    return attention(value, [[1.0]], [[1.0]], **options)


BLOCKED = attention(ones(2, 1), ones(2, 1), ones(2, 1), "causal")["S_masked"]
FINITE = "Every entry must be a finite number"
REAL = "wanted real numbers. Check for texts, complex numbers and missing entries."
ONE_EACH = "wanted 2: one row a token. For a batch call it once for each; heads stand side by side."
COLUMNS = "Give every row the same number of columns."
SCALE = "wanted a finite number, or None for 1/√d_k."

REFUSALS: dict[str, tuple[Callable[[], object], str]] = {
    # shapes that do not fit
    "Q and K, untransposed": (
        lambda: matmul(m("Q", 4, 3), m("K", 4, 3), "S"),
        "matmul: Q is 4×3 and K is 4×3: the inner sizes 3 and 4 differ. Transpose K?",
    ),
    "inner sizes": (
        lambda: matmul(m("X", 2, 3), m("W_Q", 5, 4), "Q"),
        "matmul: X is 2×3 and W_Q is 5×4: the inner sizes 3 and 5 differ. "
        "Give W_Q as many rows as X has columns (3).",
    ),
    "left to transpose": (
        lambda: matmul(m("A", 3, 2), m("B", 3, 4), "C"),
        "matmul: A is 3×2 and B is 3×4: the inner sizes 2 and 3 differ. Transpose A?",
    ),
    "d_k of Q and K": (
        lambda: attention(ones(2, 3), ones(2, 2), ones(2, 1)),
        "matmul: Q is 2×3 and Kᵀ is 2×2: the inner sizes 3 and 2 differ. "
        "Give Q and K the same number of columns.",
    ),
    "d_k of Q and K, n = d_k": (
        lambda: attention(ones(1, 2), ones(2, 1), ones(2, 1)),
        "matmul: Q is 1×2 and Kᵀ is 1×2: the inner sizes 2 and 1 differ. "
        "Give Q and K the same number of columns.",
    ),
    "K and V": (
        lambda: attention(ones(2, 3), ones(2, 3), ones(3, 1)),
        "attention: K has 2 rows and V has 3. Give one value a key.",
    ),
    "W_Q turned": (
        lambda: self_attention(ones(2, 3), ones(2, 3), ones(3, 2), ones(3, 2)),
        "matmul: X is 2×3 and W_Q is 2×3: the inner sizes 3 and 2 differ. Transpose W_Q?",
    ),
    "W_K of another d_k": (
        lambda: self_attention(ones(2, 3), ones(3, 3), ones(3, 1), ones(3, 1)),
        "matmul: Q is 2×3 and Kᵀ is 1×2: the inner sizes 3 and 1 differ. "
        "Give Q and K the same number of columns.",
    ),
    "W_V of another d_model": (
        lambda: cross_attention(ones(2, 3), ones(4, 2), ones(3, 1), ones(2, 1), ones(3, 1)),
        "matmul: Y is 4×2 and W_V is 3×1: the inner sizes 2 and 3 differ. "
        "Give W_V as many rows as Y has columns (2).",
    ),
    "add": (
        lambda: add(m("A", 2, 3), m("B", 3, 2), "C"),
        "add: A is 2×3 and B is 3×2, and they must have the same shape.",
    ),
    "subtract": (lambda: subtract(m("A", 1, 2), m("B", 2, 2), "C"), "subtract: A is 1×2 and B"),
    "multiply": (lambda: multiply(m("A", 1, 2), m("B", 2, 2), "C"), "multiply: A is 1×2 and B"),
    "mask op": (lambda: mask_scores(m("S", 1, 2), m("M", 2, 2), "T"), "mask: S is 1×2 and M"),
    "spread": (
        lambda: spread(m("r", 1, 2), numbered("m", 3), "R"),
        "spread: r is 1×2, wanted one column.",
    ),
    "subtract_column": (
        lambda: subtract_column(m("S", 2, 3), m("m", 3, 1), "B"),
        "subtract_column: m is 3×1, wanted one column with a number for each of the 2 rows of S.",
    ),
    "divide_by_column": (
        lambda: divide_by_column(m("E", 2, 3), m("Z", 2, 3), "A"),
        "divide_by_column: Z is 2×3, wanted one column with a number for each of the 2 rows of E.",
    ),
    "a column of −∞": (
        lambda: subtract_column(m("S", 1, 2), given("m", [[-INF]], minus_infinity=True), "B"),
        "subtract_column: m holds −∞, and −∞ cannot be taken off. Use row_max, which gives 0 for a "
        "row of nothing but −∞.",
    ),
    "division by 0": (
        lambda: divide_by_column(given("E", [[1, 2], [0, 3]]), given("Z", [[1], [0]]), "A"),
        "divide_by_column: Z is 0 for «2», and the entries of E there cannot be divided by 0. Only "
        "a row of zeros may stand over a 0.",
    ),
    "an exponential": (
        lambda: exponential(given("S", [[0.0, 710.0]]), "E"),
        "exponential: E is too large for float64 in row 1, column 2. Use smaller numbers in its "
        "inputs.",
    ),
    # entries
    "NaN": (lambda: q([[NAN]]), f"Q: the entry in row 1, column 1 is nan. {FINITE}."),
    "infinite": (
        lambda: attention([[1.0]], [[1.0], [INF]], ones(2, 1)),
        f"K: the entry in row 2, column 1 is inf. {FINITE}.",
    ),
    "−∞": (lambda: q([[-INF]]), f"Q: the entry in row 1, column 1 is -inf. {FINITE}."),
    "text": (lambda: q([["a"]]), f"Q: got texts, {REAL}"),
    "numbers as text": (lambda: q([["1"]]), f"Q: got texts, {REAL}"),
    "missing": (lambda: q([[None]]), f"Q: got entries that are no numbers, {REAL}"),
    "complex": (lambda: q([[1j]]), f"Q: got complex numbers, {REAL}"),
    "too large": (
        lambda: attention([[1e300]], [[1e300]], [[1.0]]),
        "matmul: S is too large for float64 in row 1, column 1. Use smaller numbers in its inputs.",
    ),
    "too large by scale": (
        lambda: attention([[1e300]], [[1.0]], [[1.0]], scale=1e300),
        "scale: S_scaled is too large for float64 in row 1, column 1. "
        "Use smaller numbers in its inputs.",
    ),
    "−∞ where none may be": (
        lambda: scale(BLOCKED, 2.0, "T"),
        "scale: S_masked holds −∞ and scale needs finite numbers. "
        "Mask scores just before the softmax.",
    ),
    # form
    "ragged": (lambda: q([[1, 2], [3]]), f"Q: the rows have different lengths (2, 1). {COLUMNS}"),
    "row without length": (
        lambda: q([[1, 2], 3]),
        f"Q: the rows have different lengths (2, no length). {COLUMNS}",
    ),
    "no rows": (lambda: q(np.zeros((0, 2))), "Q: is empty (shape (0, 2)). Give at least one"),
    "no columns": (
        lambda: q([[]]),
        "Q: is empty (shape (1, 0)). Give at least one row and column.",
    ),
    "a number": (lambda: q(3.0), f"Q: got 0 dimensions (shape ()), {ONE_EACH}"),
    "one row": (lambda: q([1.0]), f"Q: got 1 dimension (shape (1,)), {ONE_EACH}"),
    "a batch": (lambda: q([[[1.0]]]), f"Q: got 3 dimensions (shape (1, 1, 1)), {ONE_EACH}"),
    "nothing": (lambda: q(None), f"Q: got entries that are no numbers, {REAL}"),
    "named": (
        lambda: self_attention([[1.0]], [[1.0]], [[NAN]], [[1.0]]),
        "W_K: the entry in row 1",
    ),
    # options
    "mask word": (lambda: q([[1.0]], mask="casual"), "mask: got 'casual', wanted None, 'causal'"),
    "mask shape": (
        lambda: q([[1.0]], mask=[[0.0, 0.0]]),
        "mask: is 1×2, wanted 1×1: one row a query and one column a key.",
    ),
    "mask of 0 and 1": (
        lambda: q([[1.0]], mask=[[1]]),
        "mask: got whole numbers, which could mean «may attend» or «is added». Give True and "
        "False (True = may attend), or floats that are added.",
    ),
    "mask NaN": (
        lambda: q([[1.0]], mask=[[NAN]]),
        f"mask: the entry in row 1, column 1 is nan. {FINITE} or −∞ (blocked).",
    ),
    "mask +∞": (
        lambda: q([[1.0]], mask=[[INF]]),
        f"mask: the entry in row 1, column 1 is inf. {FINITE} or −∞ (blocked).",
    ),
    "mask rank": (
        lambda: q([[1.0]], mask=[True]),
        "mask: got 1 dimension (shape (1,)), wanted 2: one row a query, one column a key. "
        "For key padding use padding(keep).",
    ),
    "align": (
        lambda: causal(2, 3, align="left"),  # type: ignore[arg-type]
        "mask: align is 'left', wanted 'top-left' or 'bottom-right'.",
    ),
    "padding": (
        lambda: padding([1, 0]),  # type: ignore[list-item]
        "mask: padding takes one True or False a key (True = a real token).",
    ),
    "window": (
        lambda: sliding_window(2, 0),
        "mask: the window is 0 wide, wanted a whole number from 1.",
    ),
    "scale NaN": (lambda: q([[1.0]], scale=NAN), f"scale: got nan, {SCALE}"),
    "scale ∞": (lambda: q([[1.0]], scale=-INF), f"scale: got -inf, {SCALE}"),
    "scale word": (lambda: q([[1.0]], scale="big"), f"scale: got 'big', {SCALE}"),
    "scale too long": (lambda: q([[1.0]], scale=10**400), "scale: got 1000"),
    "tokens": (
        lambda: q([[1.0]], tokens=("a", "b")),
        "tokens: got 2 tokens for 1 rows. Give one token a row.",
    ),
    "key tokens": (
        lambda: q([[1.0]], key_tokens=()),
        "key_tokens: got 0 tokens for 1 rows. Give one token a row.",
    ),
    "tokens in one text": (
        lambda: q([[1.0]] * 3, tokens="the"),
        "tokens: got 'the', wanted a list of texts such as ('I', 'love', 'AI').",
    ),
    "tokens that are a number": (
        lambda: q([[1.0]], tokens=5),
        "tokens: got 5, wanted a list of texts such as ('I', 'love', 'AI').",
    ),
    "a weight with too few rows": (
        lambda: self_attention(ones(2, 3), ones(3, 2), ones(3, 2), ones(2, 1)),
        "matmul: X is 2×3 and W_V is 2×1: the inner sizes 3 and 2 differ. "
        "Give W_V as many rows as X has columns (3).",
    ),
    "lists as entries": (
        lambda: q([[1, [2]], [3, 4]]),
        "Q: some entries are lists. Give one number an entry.",
    ),
    "whole numbers as a mask": (
        lambda: q([[1.0]], mask=[[1]]),
        "mask: got whole numbers, which could mean «may attend» or «is added». Give True and False "
        "(True = may attend), or floats that are added.",
    ),
    "a mask that overflows": (
        lambda: attention([[1e200]], [[-1e108]], [[1.0]], scale=1.0, mask=[[-1.7e308]]),
        "mask: S_masked is too large for float64 in row 1, column 1. Use smaller numbers in its "
        "inputs.",
    ),
    "a causal mask for nobody": (
        lambda: causal(0),
        "mask: 0 queries and 0 keys; there must be at least one of each.",
    ),
    "padding without tokens": (
        lambda: padding([]),
        "mask: 0 queries and 0 keys; there must be at least one of each.",
    ),
    "gradients of gradients": (
        lambda: gradients(gradients(q([[1.0]]))),
        "gradients: this graph has gradients already. Start from one without.",
    ),
    "a half cell": (
        lambda: q([[1.0]]).explain("S", HALF, 0),
        "explain: row, column and decimals are whole numbers, decimals from 0 to 6; got 0.5, 0 and "
        "3.",
    ),
    "too many decimals": (
        lambda: q([[1.0]]).explain("S", 0, 0, 99),
        "explain: row, column and decimals are whole numbers, decimals from 0 to 6; got 0, 0 and "
        "99.",
    ),
    "features": (
        lambda: self_attention([[1.0]], [[1.0]], [[1.0]], [[1.0]], features=("a", "b")),
        "features: got 2 names for 1 columns of X.",
    ),
    # the graph itself
    "order": (
        lambda: Graph((BLOCKED,)),
        "graph: S_masked is made from S_scaled, which does not stand before it. "
        "List every matrix after the ones it is made from.",
    ),
    "twice": (
        lambda: Graph((m("X", 1, 1), m("X", 2, 1))),
        "graph: two matrices are called X. Give each its own key, and start from a graph that has "
        "no such matrix yet.",
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusal(name: str) -> None:
    call, message = REFUSALS[name]
    with pytest.raises(AttentionError) as error:
        call()
    text = str(error.value)
    assert text == message if message.endswith((".", "?")) else text.startswith(message)


def test_one_class_that_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="inner sizes"):
        attention([[1.0, 2.0]], [[1.0]], [[1.0]])
