"""A graph as a program that a reader can run, in NumPy or in PyTorch: line by line, or a function.

The PyTorch module and the built-in call of PyTorch are in ``idioms.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from textwrap import indent

import numpy as np
from numpy.typing import NDArray

from attention_core.errors import AttentionError
from attention_core.graph import Graph
from attention_core.matrix import Array, Matrix
from attention_core.ops import Op
from attention_core.ops.mask import Mask
from attention_core.plain import RESULTS

_WIDTH = 60  # a literal that is longer is written one row a line


@dataclass(frozen=True)
class Dialect:
    """What differs between NumPy and PyTorch."""

    imports: str
    inf: str
    array: str
    line: Callable[[Op, tuple[str, ...]], str]
    setup: Callable[[Op], str]
    check: str


NUMPY = Dialect(
    "import numpy as np",
    "np.inf",
    "np.array({})",
    lambda op, names: op.numpy(*names),
    lambda op: op.numpy_setup,
    "print(result.round(3))\nassert np.allclose(result, {})\n",
)
TORCH_SHOW = "torch.set_printoptions(precision=3, sci_mode=False)\nprint(result)\n"
TORCH = Dialect(
    "import torch",
    "torch.inf",
    "torch.tensor({}, dtype=torch.float64)",
    lambda op, names: op.torch(*names),
    lambda op: op.torch_setup,
    TORCH_SHOW + "assert torch.allclose(result, torch.tensor({}, dtype=torch.float64))\n",
)


def numpy_code(graph: Graph) -> str:
    """The NumPy program of a graph. Run, it leaves every matrix in a variable named by its key.

    >>> from attention_core import attention
    >>> print(numpy_code(attention([[1]], [[2]], [[3]])).splitlines()[-7])
    K_T = K.T  # (1, 1)
    """
    return _program(graph, NUMPY)


def torch_code(graph: Graph) -> str:
    """The PyTorch program of a graph, in float64.

    >>> from attention_core import attention
    >>> "S = Q @ K_T" in torch_code(attention([[1]], [[2]], [[3]]))
    True
    """
    return _program(graph, TORCH)


def numpy_line(matrix: Matrix) -> str:
    """The one line that computes a matrix, as in ``S = Q @ K_T``."""
    return line(matrix, NUMPY)


def torch_line(matrix: Matrix) -> str:
    """The one PyTorch line that computes a matrix."""
    return line(matrix, TORCH)


def numpy_function(graph: Graph, of: str | None = None) -> str:
    """A NumPy program around one function, such as ``self_attention(X, W_Q, W_K, W_V)``.

    It returns ``of``, is called with the numbers of the graph, and checks that the result is
    theirs. Without ``of`` that is what the graph leads to: X_out where there is a residual stream
    (X_sum of several layers), else the output of what was built on attention (O_heads, O_cap,
    O_sink, O_two, O_online, or U where that is made from it), else U, else O, else O_new of a step
    with a cache. Everything else, such as gradients, is no part of it. A mask that does nothing is
    left out.

    Errors: :class:`AttentionError` for a graph without such a matrix, and for one that leads to
    several, where ``of`` does not say which.

    >>> from attention_core import attention
    >>> print(numpy_function(attention([[1, 0]], [[1, 2]], [[3]])).split("\\n\\n\\n")[2])
    def attention(Q, K, V):
        K_T = K.T  # (d_k, n)
        S = Q @ K_T  # (n, n)
        S_scaled = S / np.sqrt(2)  # (n, n)
        A = row_softmax(S_scaled)  # (n, n)
        O = A @ V  # (n, d_v)
        return O
    """
    return _function(graph, NUMPY, of, "numpy_function")


def torch_function(graph: Graph, of: str | None = None) -> str:
    """The same as :func:`numpy_function` in PyTorch, in float64.

    >>> from attention_core import attention
    >>> "def attention(Q, K, V):" in torch_function(attention([[1]], [[2]], [[3]]))
    True
    """
    return _function(graph, TORCH, of, "torch_function")


def target(graph: Graph, who: str) -> Matrix:
    """What a graph leads to: see :func:`numpy_function`."""
    found = [key for key in RESULTS.values() if key in graph]
    behind = {m.key for key in found for m in graph[key].inputs for m in graph.behind(m.key)}
    ends = [key for key in found if key not in behind]
    if "O_new" in ends and "O" in graph:
        ends.remove("O_new")  # the same row as O has
    if "O_heads" in ends and {"O_cap", "O_sink"}.intersection(ends):
        ends.remove("O_heads")  # the plain heads beside the others
    if len(ends) > 1:
        raise AttentionError(
            f"{who}: this graph leads to {' and '.join(ends)}. Say which one, as in of={ends[0]!r}."
        )
    if not ends and "O" not in graph:
        raise AttentionError(f"{who}: this graph has no output O. Say what it leads to with of=.")
    return graph[(*ends, "O")[0]]


def _function(graph: Graph, dialect: Dialect, of: str | None, who: str) -> str:
    result = target(graph, who) if of is None else graph[of]
    lines = graph.behind(result.key)
    masking = [m for m in lines if isinstance(m.op, Mask)]
    nothing = {m.key for m in masking if not m.inputs[1].value.any()}
    used = {source.key for m in lines if m.key not in nothing for source in m.inputs}
    masks = {"M", *(m.inputs[1].key for m in masking)}
    given = [m for m in lines if m.op is None and m.key not in masks]
    written: dict[str, str] = {}  # what a matrix is called, where that is not its key
    body: list[str] = []
    for matrix in lines:
        if matrix.key in nothing:
            before = matrix.inputs[0].key  # a mask of zeros does nothing
            written[matrix.key] = written.get(before, before)
        elif matrix.op is None and matrix.key in masks:
            if matrix.key in used:
                value = array(matrix.value, dialect)
                body.append(f"{matrix.key} = {value}  # is added: -inf blocks a key")
        elif matrix.op is not None:
            names = tuple(written.get(m.key, m.key) for m in matrix.inputs)
            shape = f"({matrix.rows.name}, {matrix.cols.name})"
            body.append(f"{matrix.key} = {dialect.line(matrix.op, names)}  # {shape}")
    body.append(f"return {written.get(result.key, result.key)}")
    keys = [m.key for m in given]
    call = f"{_called(keys)}({', '.join(keys)})"
    function = f"def {call}:\n" + indent("\n".join(body), "    ")
    inputs = "\n".join(f"{m.key} = {array(m.value, dialect)}" for m in given)
    check = dialect.check.format(literal(result.value))
    end = f"{inputs}\n\nresult = {call}\n{check}"
    return "\n\n\n".join((dialect.imports, *setups(lines, dialect), function, end))


def _called(keys: list[str]) -> str:
    if "X" not in keys:
        return "attention"
    return "cross_attention" if "Y" in keys else "self_attention"


def array(value: Array, dialect: Dialect) -> str:
    return dialect.array.format(literal(value, dialect.inf))


def literal(value: Array | NDArray[np.bool_], inf: str = "torch.inf") -> str:
    """The numbers as nested lists: in one line where that is short, else one row a line.

    >>> literal(np.array([[0.0, -np.inf]]))
    '[[0.0, -torch.inf]]'
    """
    rows = [str(row).replace("inf", inf) for row in value.tolist()]
    line = f"[{', '.join(rows)}]"
    return line if len(line) <= _WIDTH else "[\n" + "".join(f"    {row},\n" for row in rows) + "]"


def setups(lines: Iterable[Matrix], dialect: Dialect) -> list[str]:
    """The functions that the lines of some matrices need, each once."""
    needed = dict.fromkeys(dialect.setup(m.op).strip() for m in lines if m.op is not None)
    return [setup for setup in needed if setup]


def _program(graph: Graph, dialect: Dialect) -> str:
    parts = [
        dialect.imports,
        f"\ninf = {dialect.inf}",
        *(f"\n{setup}\n" for setup in setups(graph.steps, dialect)),
        "",
    ]
    for matrix in graph.steps:
        shape = f"({matrix.shape[0]}, {matrix.shape[1]})"
        parts.append(f"{line(matrix, dialect)}  # {shape}")
    return "\n".join(parts) + "\n"


def line(matrix: Matrix, dialect: Dialect) -> str:
    """The line of a matrix; a given one with its numbers."""
    if matrix.op is None:
        return f"{matrix.key} = {dialect.array.format(matrix.value.tolist())}"
    return f"{matrix.key} = {dialect.line(matrix.op, tuple(m.key for m in matrix.inputs))}"
