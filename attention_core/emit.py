"""A graph as a program that a reader can run, in NumPy or in PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from attention_core.graph import Graph
from attention_core.matrix import Matrix
from attention_core.ops import Op


@dataclass(frozen=True)
class _Dialect:
    """What differs between the two programs."""

    imports: str
    array: str
    line: Callable[[Op, tuple[str, ...]], str]
    setup: Callable[[Op], str]


_NUMPY = _Dialect(
    "import numpy as np\n\ninf = np.inf",
    "np.array({})",
    lambda op, names: op.numpy(*names),
    lambda op: op.numpy_setup,
)
_TORCH = _Dialect(
    'import torch\n\ninf = float("inf")',
    "torch.tensor({}, dtype=torch.float64)",
    lambda op, names: op.torch(*names),
    lambda op: op.torch_setup,
)


def numpy_code(graph: Graph) -> str:
    """The NumPy program of a graph. Run, it leaves every matrix in a variable named by its key.

    >>> from attention_core import attention
    >>> print(numpy_code(attention([[1]], [[2]], [[3]])).splitlines()[-7])
    K_T = K.T  # (1, 1)
    """
    return _program(graph, _NUMPY)


def torch_code(graph: Graph) -> str:
    """The PyTorch program of a graph, in float64.

    >>> from attention_core import attention
    >>> "S = Q @ K_T" in torch_code(attention([[1]], [[2]], [[3]]))
    True
    """
    return _program(graph, _TORCH)


def numpy_line(matrix: Matrix) -> str:
    """The one line that computes a matrix, as in ``S = Q @ K_T``."""
    return _line(matrix, _NUMPY)


def torch_line(matrix: Matrix) -> str:
    """The one PyTorch line that computes a matrix."""
    return _line(matrix, _TORCH)


def _program(graph: Graph, dialect: _Dialect) -> str:
    setups = dict.fromkeys(dialect.setup(m.op) for m in graph.steps if m.op is not None)
    parts = [dialect.imports, *(f"\n{setup}" for setup in setups if setup), ""]
    for matrix in graph.steps:
        shape = f"({matrix.shape[0]}, {matrix.shape[1]})"
        parts.append(f"{_line(matrix, dialect)}  # {shape}")
    return "\n".join(parts) + "\n"


def _line(matrix: Matrix, dialect: _Dialect) -> str:
    if matrix.op is None:
        return f"{matrix.key} = {dialect.array.format(matrix.value.tolist())}"
    return f"{matrix.key} = {dialect.line(matrix.op, tuple(m.key for m in matrix.inputs))}"
