"""The table: what was measured, beside the plain thing, the aim, and whether it is met."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

Cells = tuple[str, str, str, str, str, str]
_HEAD: Cells = ("what", "ours", "plain", "ratio", "aim", "")


@dataclass(frozen=True)
class Row:
    """One line. ``plain`` is ``None`` where a number stands alone; then the aim is for ``ours``.

    ``limit`` is the most that the ratio (or the number that stands alone) may be; without one the
    line only reports.
    """

    what: str
    ours: float
    plain: float | None = None
    unit: str = ""
    limit: float | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """Ours against the plain thing."""
        return self.ours / self.plain if self.plain else None

    @property
    def met(self) -> bool | None:
        """Whether the aim is met; ``None`` where there is none."""
        if self.limit is None:
            return None
        return (self.ours if self.ratio is None else self.ratio) <= self.limit

    def cells(self) -> Cells:
        """The line as text.

        >>> Row("a click", 6.0, 4.0, "ms", 2).cells()
        ('a click', '6 ms', '4 ms', '1.50', '≤ 2', 'met')
        """
        unit = "" if self.ratio is not None else f" {self.unit}".rstrip()
        return (
            self.what,
            f"{_number(self.ours)} {self.unit}".rstrip(),
            "" if self.plain is None else f"{_number(self.plain)} {self.unit}".rstrip(),
            "" if self.ratio is None else f"{self.ratio:.2f}",
            "" if self.limit is None else f"≤ {_number(self.limit)}{unit}",
            {True: "met", False: "missed", None: ""}[self.met],
        )


def _number(value: float) -> str:
    """Three digits, and thousands kept whole.

    >>> [_number(x) for x in (0.01234, 1.5, 1234.5, 3.0)]
    ['0.0123', '1.5', '1,234', '3']
    """
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def table(groups: Iterable[tuple[str, list[Row]]]) -> str:
    """The groups of lines as one table, with the notes of a line below it."""
    groups = list(groups)
    lines = [_HEAD, *(row.cells() for _, rows in groups for row in rows)]
    widths = [max(len(line[k]) for line in lines) for k in range(len(_HEAD))]
    rule = "─" * (sum(widths) + 2 * len(widths))
    out = [_line(_HEAD, widths)]
    for title, rows in groups:
        out += [rule, title]
        for row in rows:
            out.append(_line(row.cells(), widths))
            if row.note:
                out.append(f"    {row.note}")
    return "\n".join([*out, rule])


def _line(cells: Cells, widths: list[int]) -> str:
    first, *numbers, last = cells
    middle = (text.rjust(width) for text, width in zip(numbers, widths[1:], strict=False))
    return "  ".join([first.ljust(widths[0]), *middle, last]).rstrip()
