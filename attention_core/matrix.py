"""A named matrix that remembers what made it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention_core.axes import Axis, numbered
from attention_core.errors import AttentionError
from attention_core.expression import Num
from attention_core.formula import Name
from attention_core.symbols import Symbol, in_columns, symbol
from attention_core.writer import RUNNING

if TYPE_CHECKING:
    from attention_core.ops.op import Op

Array = NDArray[np.float64]
_KINDS = {"U": "texts", "S": "bytes", "c": "complex numbers", "O": "entries that are no numbers"}


class Cell(NamedTuple):
    """The place of one number: the key of its matrix, and its row and column counted from 0.

    >>> str(Cell("S", 0, 1))
    'S:0,1'
    """

    symbol: str
    row: int
    col: int

    def __str__(self) -> str:
        return f"{self.symbol}:{self.row},{self.col}"

    @property
    def turned(self) -> Cell:
        """The same number in the transpose.

        >>> str(Cell("S", 0, 1).turned)
        'S:1,0'
        """
        return Cell(self.symbol, self.col, self.row)


@dataclass(frozen=True, eq=False, repr=False)
class Matrix:
    """A 2-D array with a symbol, named axes, and the op and inputs that made it.

    ``op`` is ``None`` for a given matrix (an input or a weight). ``value`` is read-only float64.
    ``undefined`` holds the rows that have no value of their own because every key was blocked:
    they stand as 0, and every surface says so. ``blocked`` tells that it holds −∞ (a difference
    also ∞). ``by_column`` tells that it stands as columns what the paper writes as rows: then
    ``undefined`` holds columns.
    """

    value: Array
    key: str
    rows: Axis
    cols: Axis
    op: Op | None = None
    inputs: tuple[Matrix, ...] = ()
    undefined: frozenset[int] = frozenset()
    blocked: bool = False
    by_column: bool = False

    def __post_init__(self) -> None:
        self.value.setflags(write=False)

    def __repr__(self) -> str:
        return f"<Matrix {self.symbol.text}, {self.rows.size}×{self.cols.size}>"

    @property
    def symbol(self) -> Symbol:
        """Its typography and words."""
        return in_columns(symbol(self.key)) if self.by_column else symbol(self.key)

    @property
    def line(self) -> str:
        """What the numbers of one query (or token) stand in: a row, or a column."""
        return "column" if self.by_column else "row"

    @property
    def lines(self) -> Axis:
        """The axis that counts these lines."""
        return self.cols if self.by_column else self.rows

    def pair(self, row: int, col: int) -> tuple[str, str]:
        """The labels of a cell as the paper has them: of its query first, then of its key."""
        labels = self.rows.unique(row), self.cols.unique(col)
        return labels[::-1] if self.by_column else labels

    def is_undefined(self, row: int, col: int) -> bool:
        """Whether a cell lies in a line without a value of its own."""
        return (col if self.by_column else row) in self.undefined

    @cached_property
    def turned(self) -> Matrix:
        """The same numbers seen with rows and columns swapped; see `turned.py`."""
        from attention_core.turned import Turned  # it is a matrix itself

        return Turned(
            self.value.T,
            self.key,
            self.cols,
            self.rows,
            inputs=tuple(m.turned for m in self.inputs),
            undefined=self.undefined if self.by_column else frozenset(),
            blocked=self.blocked,
            of=self,
        )

    @property
    def shape(self) -> tuple[int, int]:
        return self.rows.size, self.cols.size

    def num(self, row: int, col: int) -> Num:
        """The number at a cell, as a term of a derivation that knows where it came from."""
        return Num(float(self.value[row, col]), Cell(self.key, row, col))

    def name(self) -> Name:
        """The whole matrix, as in ``Q``."""
        return Name(self.symbol)

    def entry_name(self, row: int, col: int) -> Name:
        """One entry, as in ``S[I, love]``."""
        return Name(self.symbol, self.rows.unique(row), self.cols.unique(col))

    def row_name(self, row: int) -> Name:
        """One row: ``q_I`` where rows are tokens and the symbol is plain, else ``W_Q[1, :]``."""
        vector = self.rows.tokens and not self._lies and not self.symbol.sub
        return Name(self.symbol, self.rows.unique(row), None, vector=vector)

    def any_name(self, row: int) -> Name:
        """The entry of a row that a sum runs over, as in ``S[I, ℓ]``."""
        return Name(self.symbol, self.rows.unique(row), RUNNING)

    def col_name(self, col: int) -> Name:
        """One column, as in ``W_Q[:, 1]``. A column of Kᵀ is a row of K: ``k_love``."""
        vector = self.cols.tokens and self._lies and not self.symbol.sub
        return Name(self.symbol, None, self.cols.unique(col), vector=vector)

    @property
    def _lies(self) -> bool:
        """Whether its vectors (q, k, v …) stand as columns."""
        return self.symbol.transposed != self.by_column


def as_array(
    key: str,
    value: Any,
    *,
    minus_infinity: bool = False,
    hint: str = "one row a token. For a batch call it once for each; heads stand side by side.",
) -> Array:
    """Check what a caller gave for one matrix and copy it to a float64 array.

    Refused by name: ragged, empty, not two-dimensional, not real numbers, NaN or infinite (a mask
    may hold −∞).

    >>> as_array("X", [[1, 2], [3]])
    Traceback (most recent call last):
    ...
    attention_core.errors.AttentionError: X: the rows have different lengths (2, 1). Give every \
row the same number of columns.
    """
    if isinstance(value, Matrix):
        value = value.value
    if isinstance(value, np.ma.MaskedArray) and value.mask.any():
        raise AttentionError(f"{key}: some entries are hidden (a masked array). Fill them first.")
    try:
        raw = np.asarray(value)
    except (RuntimeError, TypeError) as why:  # a tensor with a gradient, or in bfloat16
        raise AttentionError(
            f"{key}: cannot be read as numbers ({why}). For a PyTorch tensor pass "
            ".detach().double()."
        ) from None
    except ValueError:
        lengths = ", ".join(str(len(r)) if hasattr(r, "__len__") else "no length" for r in value)
        if len(set(lengths.split(", "))) == 1:
            raise AttentionError(
                f"{key}: some entries are lists. Give one number an entry."
            ) from None
        raise AttentionError(
            f"{key}: the rows have different lengths ({lengths}). "
            "Give every row the same number of columns."
        ) from None
    if raw.dtype.kind not in "buif":
        raise AttentionError(
            f"{key}: got {_KINDS.get(raw.dtype.kind, raw.dtype)}, wanted real numbers. "
            "Check for texts, complex numbers and missing entries."
        )
    if raw.ndim != 2:
        raise AttentionError(
            f"{key}: got {raw.ndim} dimension{'s' * (raw.ndim != 1)} (shape {raw.shape}), wanted "
            f"2: {hint}"
        )
    if 0 in raw.shape:
        raise AttentionError(
            f"{key}: is empty (shape {raw.shape}). Give at least one row and column."
        )
    array = np.array(raw, dtype=np.float64, order="C")
    with np.errstate(all="ignore"):
        if np.isfinite(array.sum()):  # one fast pass, enough almost always
            return array
    good = np.isfinite(array)
    if minus_infinity:
        good |= np.isneginf(array)
    if not good.all():
        row, col = np.argwhere(~good)[0].tolist()
        raise AttentionError(
            f"{key}: the entry in row {row + 1}, column {col + 1} is {array[row, col]}. "
            "Every entry must be a finite number" + (" or −∞ (blocked)." if minus_infinity else ".")
        )
    return array


def given(
    key: str,
    value: ArrayLike,
    rows: Axis | None = None,
    cols: Axis | None = None,
    *,
    minus_infinity: bool = False,
) -> Matrix:
    """A matrix that nothing computed: an input, a weight or a mask.

    >>> given("X", [[1, 0], [0, 1]]).shape
    (2, 2)
    """
    array = as_array(key, value, minus_infinity=minus_infinity)
    n, m = array.shape
    blocked = minus_infinity and bool(np.isneginf(array).any())
    rows, cols = rows or numbered("row", n), cols or numbered("column", m)
    return Matrix(array, key, rows, cols, blocked=blocked)
