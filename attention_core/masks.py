"""Masks: which query may attend to which key.

A mask is a matrix M that is added to the scaled scores: 0 where a query may attend, −∞ where it may
not, or any finite number to push a score up or down. True in a boolean mask means «may attend».
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention_core.axes import Axis
from attention_core.errors import AttentionError
from attention_core.matrix import Array, Matrix, as_array, given

MAX_SIDE = 12  # queries or keys of a mask that is written as text

MaskLike: TypeAlias = ArrayLike | Literal["causal", "causal-bottom-right"] | None


def causal(
    n_q: int, n_k: int | None = None, align: Literal["top-left", "bottom-right"] = "top-left"
) -> Array:
    """Each query may attend to its own position and earlier ones.

    With as many queries as keys there is one causal mask. With different numbers there are two:
    ``top-left`` counts queries and keys from the same start (query i sees keys 0 … i, as
    PyTorch's ``is_causal`` does); ``bottom-right`` lets the last query see every key, as in
    decoding with a cache of earlier keys.

    >>> causal(3).tolist()[0]
    [0.0, -inf, -inf]
    >>> causal(1, 3, align="bottom-right").tolist()
    [[0.0, 0.0, 0.0]]
    """
    n_k = n_q if n_k is None else n_k
    _check_sizes(n_q, n_k)
    if align not in ("top-left", "bottom-right"):
        raise AttentionError(f"mask: align is {align!r}, wanted 'top-left' or 'bottom-right'.")
    offset = n_k - n_q if align == "bottom-right" else 0
    return from_allowed(np.tri(n_q, n_k, offset, dtype=bool))


def padding(keep: Sequence[bool], n_q: int | None = None) -> Array:
    """No query may attend to a padding token. ``keep`` says which keys are real.

    Padding blocks keys, not queries: the row of a padding query keeps its distribution.

    >>> padding([True, False]).tolist()
    [[0.0, -inf], [0.0, -inf]]
    """
    keys = np.asarray(keep)
    if keys.ndim != 1 or (keys.size and keys.dtype != bool):
        raise AttentionError("mask: padding takes one True or False a key (True = a real token).")
    n_q = len(keys) if n_q is None else n_q
    _check_sizes(n_q, len(keys))
    return from_allowed(np.broadcast_to(keys, (n_q, len(keys))))


def sliding_window(
    n_q: int, width: int, n_k: int | None = None, *, look_ahead: bool = False
) -> Array:
    """Each query may attend to the ``width`` positions that end at its own.

    With ``look_ahead`` also to the ``width − 1`` positions after it.

    >>> [[x == 0 for x in row] for row in sliding_window(3, 2).tolist()]
    [[True, False, False], [True, True, False], [False, True, True]]
    """
    n_k = n_q if n_k is None else n_k
    _check_sizes(n_q, n_k)
    if not isinstance(width, int | np.integer) or width < 1:
        raise AttentionError(f"mask: the window is {width!r} wide, wanted a whole number from 1.")
    distance = np.arange(n_q)[:, None] - np.arange(n_k)[None, :]
    near = np.abs(distance) < width
    return from_allowed(near if look_ahead else near & (distance >= 0))


def _check_sizes(n_q: int, n_k: int) -> None:
    if not all(isinstance(n, int | np.integer) and n >= 1 for n in (n_q, n_k)):
        raise AttentionError(
            f"mask: {n_q!r} queries and {n_k!r} keys; there must be at least one of each."
        )


NAMED: dict[str, tuple[str, Callable[[int], MaskLike]]] = {
    "none": ("none", lambda n: None),
    "causal": ("causal: no looking ahead", causal),
    "window": ("sliding window: itself and one before", lambda n: sliding_window(n, 2)),
    "padding": (
        "padding: the last token is padding",
        lambda n: padding([True] * (n - 1) + [False]),
    ),
}
"""The masks a viewer can choose by name: what they are called, and the mask for n tokens."""


def from_allowed(allowed: ArrayLike) -> Array:
    """A boolean «may attend» array as the numbers that are added to the scores.

    >>> from_allowed([[True, False]]).tolist()
    [[0.0, -inf]]
    """
    return np.where(np.asarray(allowed, dtype=bool), 0.0, -np.inf)


def mask_text(allowed: ArrayLike) -> str:
    """A boolean «may attend» array as short text: a row a query, 1 where it may attend, else 0.

    Errors: :class:`AttentionError` for anything but True and False in 1 to 12 rows and columns.

    >>> mask_text([[True, False], [True, True]])
    '10.11'
    """
    array = np.asarray(allowed)
    if array.dtype != bool or array.ndim != 2 or not all(1 <= n <= MAX_SIDE for n in array.shape):
        raise AttentionError(
            f"mask: only True and False in 1 to {MAX_SIDE} rows and columns can be written as text."
        )
    return ".".join("".join("01"[cell] for cell in row) for row in array.astype(int).tolist())


def mask_from_text(text: str) -> NDArray[np.bool_]:
    """Read what :func:`mask_text` writes.

    Errors: :class:`AttentionError` for an empty text, other characters, rows of different lengths,
    and more than 12 rows or columns.

    >>> mask_from_text("10.11").tolist()
    [[True, False], [True, True]]
    """
    wanted = "Write a row for each query, 1 where it may attend and 0 where not, as in 10.11."
    if not text:
        raise AttentionError(f"mask: the text is empty. {wanted}")
    other = next((c for c in text if c not in "01."), None)
    if other is not None:
        raise AttentionError(f"mask: {other!r} is not one of 0, 1 and the dot. {wanted}")
    rows = text.split(".")
    lengths = [len(row) for row in rows]
    if max(len(rows), *lengths) > MAX_SIDE:
        raise AttentionError(
            f"mask: the text has {len(rows)} rows and up to {max(lengths)} columns. There are at "
            f"most {MAX_SIDE} of each."
        )
    if len(set(lengths)) > 1 or not lengths[0]:
        said = ", ".join(map(str, lengths))
        raise AttentionError(f"mask: the rows are {said} long, and must be equally long. {wanted}")
    return np.array([[cell == "1" for cell in row] for row in rows])


def mask_matrix(mask: MaskLike, rows: Axis, cols: Axis) -> Matrix:
    """Any accepted form of a mask as the matrix M.

    ``None`` (nothing is blocked), ``"causal"``, ``"causal-bottom-right"``, a boolean array (True =
    may attend) or an array of numbers to add, where −∞ blocks.

    Errors: :class:`AttentionError` for another word, another shape, whole numbers (0 and 1 could
    mean either), NaN or +∞.
    """
    n_q, n_k = rows.size, cols.size
    if mask is None:
        return Matrix(np.zeros((n_q, n_k)), "M", rows, cols)
    if isinstance(mask, str):
        if mask == "causal":
            array = causal(n_q, n_k)
        elif mask == "causal-bottom-right":
            array = causal(n_q, n_k, "bottom-right")
        else:
            named = f" Use MASKS[{mask!r}][1](n) for n tokens." if mask in NAMED else ""
            raise AttentionError(
                f"mask: got {mask!r}, wanted None, 'causal', 'causal-bottom-right' or an array."
                f"{named}"
            )
    else:
        hint = "one row a query, one column a key. For key padding use padding(keep)."
        array = as_array("mask", mask, minus_infinity=True, hint=hint)
        kind = np.asarray(mask).dtype.kind
        if kind in "iu":
            raise AttentionError(
                "mask: got whole numbers, which could mean «may attend» or «is added». Give True "
                "and False (True = may attend), or floats that are added."
            )
        if kind == "b":
            array = from_allowed(array)
        if array.shape != (n_q, n_k):
            raise AttentionError(
                f"mask: is {array.shape[0]}×{array.shape[1]}, wanted {n_q}×{n_k}: one row a query "
                "and one column a key."
            )
    return given("M", array, rows, cols, minus_infinity=True)
