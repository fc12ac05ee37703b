"""Who made whom, in few bytes: one rule for a whole matrix where all its cells follow one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attention_core import Matrix

# The sources of one cell: key, rows and columns of each block.
_Blocks = tuple[tuple[str, tuple[int, ...], tuple[int, ...]], ...]


def sources_of(matrix: Matrix) -> dict[str, Any]:
    """The sources of all cells of a computed matrix.

    Either one rule, ``{"rule": ["Q:{i},0-2", "K_T:0-2,{j}"]}``, or the cells one by one,
    ``{"0,1": ["Q:0,0-2", "K_T:0-2,1"]}``. A rule stands only where each cell was seen to follow it.
    """
    n, m = matrix.shape
    cells = {(i, j): _blocks(matrix, i, j) for i in range(n) for j in range(m)}
    rule = _rule(cells)
    if rule is not None:
        return {"rule": rule}
    return {
        f"{i},{j}": [
            f"{key}:{rs},{cs}"
            for key, rows, cols in blocks
            for rs in spans(rows)
            for cs in spans(cols)
        ]
        for (i, j), blocks in cells.items()
        if blocks
    }


def _blocks(matrix: Matrix, row: int, col: int) -> _Blocks:
    assert matrix.op is not None
    return tuple(
        (matrix.inputs[block.input].key, tuple(block.rows), tuple(block.cols))
        for block in matrix.op.sources(matrix, row, col)
    )


def _rule(cells: dict[tuple[int, int], _Blocks]) -> list[str] | None:
    """The rule that all cells follow, or ``None``."""
    all_blocks = list(cells.values())
    keys = [key for key, _, _ in all_blocks[0]]
    if any([key for key, _, _ in blocks] != keys for blocks in all_blocks):
        return None
    rule = []
    for at, key in enumerate(keys):
        rows = _index({place: blocks[at][1] for place, blocks in cells.items()})
        cols = _index({place: blocks[at][2] for place, blocks in cells.items()})
        if rows is None or cols is None:
            return None
        rule.append(f"{key}:{rows},{cols}")
    return rule


def _index(found: dict[tuple[int, int], tuple[int, ...]]) -> str | None:
    """How an index follows from a cell's place: its row, its column, or one span for all.

    >>> _index({(0, 0): (0,), (0, 1): (0,), (1, 0): (1,)})
    '{i}'
    >>> _index({(0, 0): (0, 1), (1, 0): (1, 2)}) is None
    True
    """
    if all(indices == (i,) for (i, _), indices in found.items()):
        return "{i}"
    if all(indices == (j,) for (_, j), indices in found.items()):
        return "{j}"
    first = next(iter(found.values()))
    one = spans(first)
    return one[0] if len(one) == 1 and all(indices == first for indices in found.values()) else None


def spans(indices: Sequence[int]) -> list[str]:
    """Rising indices as spans.

    >>> spans([0, 1, 2, 5])
    ['0-2', '5']
    """
    found: list[tuple[int, int]] = []
    for index in indices:
        if found and index == found[-1][1] + 1:
            found[-1] = (found[-1][0], index)
        else:
            found.append((index, index))
    return [str(a) if a == b else f"{a}-{b}" for a, b in found]
