"""The registry of ops. A new op is one file here and one line in this list."""

from __future__ import annotations

from attention_core.ops.add import Add, Subtract, add, add_all, subtract
from attention_core.ops.binary_softmax import BinarySoftmax, binary_softmax
from attention_core.ops.by_column import ByColumn, by_column
from attention_core.ops.columns import (
    DivideByColumn,
    SubtractColumn,
    divide_by_column,
    subtract_column,
)
from attention_core.ops.compare import Compare, compare
from attention_core.ops.diagonal import Diagonal, diagonal
from attention_core.ops.distance import Distance, distance
from attention_core.ops.divide import Divide, divide
from attention_core.ops.exp_less import ExpLess, exp_less
from attention_core.ops.exponential import Exponential, exponential
from attention_core.ops.hard_max import HardMax, hard_max
from attention_core.ops.join import JoinColumns, TakeColumns, join_columns, take_columns
from attention_core.ops.join_rows import JoinRows, join_rows
from attention_core.ops.mask import Mask, mask_scores
from attention_core.ops.matmul import MatMul, matmul
from attention_core.ops.multiply import Multiply, multiply
from attention_core.ops.op import Block, Op, apply
from attention_core.ops.rotate import Rotate, rotate
from attention_core.ops.row_length import RowLength, row_length
from attention_core.ops.row_max import RowMax, row_max
from attention_core.ops.row_softmax import RowSoftmax, row_softmax
from attention_core.ops.row_sum import RowSum, Spread, row_sum, spread
from attention_core.ops.running_max import RunningMax, running_max
from attention_core.ops.scale import DivideBy, DivideByRoot, Scale, divide_by, divide_by_root, scale
from attention_core.ops.share import ShareOfColumn, share_of_column
from attention_core.ops.sinusoid import Sinusoid, sinusoid
from attention_core.ops.take_rows import TakeRows, take_rows
from attention_core.ops.tanh import HyperbolicTangent, tanh
from attention_core.ops.transpose import Transpose, transpose

OPS: dict[str, type[Op]] = {
    op.name: op
    for op in (
        MatMul,
        Transpose,
        Scale,
        DivideBy,
        DivideByRoot,
        Mask,
        RowSoftmax,
        Add,
        Subtract,
        Multiply,
        RowSum,
        Spread,
        Exponential,
        RowMax,
        SubtractColumn,
        DivideByColumn,
        HardMax,
        Diagonal,
        ShareOfColumn,
        Divide,
        RowLength,
        Compare,
        TakeColumns,
        JoinColumns,
        ByColumn,
        TakeRows,
        JoinRows,
        RunningMax,
        ExpLess,
        Sinusoid,
        Rotate,
        Distance,
        HyperbolicTangent,
        BinarySoftmax,
    )
}

__all__ = [
    "OPS",
    "Block",
    "Op",
    "add",
    "add_all",
    "apply",
    "binary_softmax",
    "by_column",
    "compare",
    "diagonal",
    "distance",
    "divide",
    "divide_by",
    "divide_by_column",
    "divide_by_root",
    "exp_less",
    "exponential",
    "hard_max",
    "join_columns",
    "join_rows",
    "mask_scores",
    "matmul",
    "multiply",
    "rotate",
    "row_length",
    "row_max",
    "row_softmax",
    "row_sum",
    "running_max",
    "scale",
    "share_of_column",
    "sinusoid",
    "spread",
    "subtract",
    "subtract_column",
    "take_columns",
    "take_rows",
    "tanh",
    "transpose",
]
