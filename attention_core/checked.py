"""A graph as a program, or as a notebook, that checks every number against the screen."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence

import numpy as np

from attention_core.bounds import whole
from attention_core.emit import NUMPY, TORCH, Dialect, array, line, literal, setups
from attention_core.graph import Graph
from attention_core.matrix import Array, Matrix
from attention_core.rounding import MAX_DECIMALS, show

_CHECK = """def check(matrix, shown):
    assert {library}.allclose(matrix, {shown}, rtol=1e-9, atol={within})
"""


# What Markdown, HTML or a formula would read in a title, and the same as it is typed.
_MARKDOWN, _AS_IS = re.compile(r"[\\`*_\[\]<>&$~#|]"), r"\\\g<0>"


def checked_code(graph: Graph, decimals: int = 3, *, torch: bool = False) -> str:
    """A program that computes every matrix, one a line, and then checks it against the screen.

    The numbers that it checks are those that are shown with so many decimals, so one finds them on
    the board again. It is NumPy, or PyTorch in float64.

    >>> from attention_core import attention
    >>> code = checked_code(attention([[1]], [[2]], [[1]], scale=0.1234), decimals=2)
    >>> code.splitlines()[-4]
    'check(S_scaled, [[0.25]])'
    """
    whole("checked_code", "decimals", decimals, 0, MAX_DECIMALS)
    dialect = TORCH if torch else NUMPY
    given = [m for m in graph.steps if m.op is None]
    made = [m for m in graph.steps if m.op is not None]
    parts = (
        beginning(graph.steps, dialect, decimals),
        "\n".join(given_line(m, dialect) for m in given),
        "\n".join(f"{line(m, dialect)}  # {shape(m)}" for m in made),
        "# What the screen shows.\n" + "\n".join(checked(m, decimals, dialect) for m in made),
    )
    return "\n\n".join(parts) + "\n"


def notebook(graph: Graph, title: str, decimals: int = 3) -> str:
    """The same as a notebook file (nbformat 4.5): one cell a matrix, with its formula above.

    >>> import json
    >>> from attention_core import attention
    >>> cells = json.loads(notebook(attention([[1]], [[2]], [[3]]), "One token"))["cells"]
    >>> cells[0]["source"], cells[-1]["source"][-1]
    (['# One token'], 'check(O, [[3.0]])')
    """
    whole("notebook", "decimals", decimals, 0, MAX_DECIMALS)
    cells = [
        _cell("markdown", f"# {_MARKDOWN.sub(_AS_IS, title)}"),
        _cell("code", beginning(graph.steps, NUMPY, decimals)),
    ]
    given = [m for m in graph.steps if m.op is None]
    cells.append(_cell("markdown", "## What is given"))
    cells.append(_cell("code", "\n".join(given_line(m, NUMPY) for m in given)))
    for matrix in graph.steps:
        if matrix.op is not None:
            formula = f"${graph.definition(matrix.key)}$"
            code = f"{line(matrix, NUMPY)}\n{checked(matrix, decimals, NUMPY)}"
            cells.append(_cell("markdown", f"{matrix.symbol.title}: {formula}"))
            cells.append(_cell("code", code))
    for number, cell in enumerate(cells, 1):
        cell["id"] = f"cell-{number}"
    python = {"display_name": "Python 3", "language": "python", "name": "python3"}
    file = {
        "cells": cells,
        "metadata": {"kernelspec": python},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(file, indent=1, ensure_ascii=False)


def beginning(steps: Iterable[Matrix], dialect: Dialect, decimals: int) -> str:
    """Imports, the functions that lines need, and the check."""
    shown = "shown" if dialect is NUMPY else dialect.array.format("shown")
    # Halves round away from 0 on the screen: they are exactly half a unit off.
    within = f"{0.5 * 10.0**-decimals * (1 + 1e-9):g}"
    library = dialect.imports.split()[-1]
    check = _CHECK.format(library=library, shown=shown, within=within)
    parts = (dialect.imports, f"inf = {dialect.inf}", *setups(steps, dialect), check.rstrip())
    return "\n\n".join(parts)


def given_line(matrix: Matrix, dialect: Dialect) -> str:
    """The line of a given matrix, with its shape."""
    return f"{matrix.key} = {array(matrix.value, dialect)}  # {shape(matrix)}"


def checked(matrix: Matrix, decimals: int, dialect: Dialect) -> str:
    """The line that compares a matrix with what the screen shows."""
    return f"check({matrix.key}, {literal(_as_shown(matrix.value, decimals), dialect.inf)})"


def _as_shown(value: Array, decimals: int) -> Array:
    """The numbers that the screen shows; where it shows a power of ten, the number itself."""
    rows = [[(show(x, decimals), x) for x in row] for row in value.tolist()]
    return np.array([[x if "×" in shown.text else shown.value for shown, x in row] for row in rows])


def shape(matrix: Matrix) -> str:
    """The shape as one reads it, 3 × 4."""
    return f"{matrix.shape[0]} × {matrix.shape[1]}"


def _cell(kind: str, text: str) -> dict[str, object]:
    source: Sequence[str] = text.splitlines(keepends=True)
    cell: dict[str, object] = {"cell_type": kind, "metadata": {}, "source": list(source)}
    return cell | ({"execution_count": None, "outputs": []} if kind == "code" else {})
