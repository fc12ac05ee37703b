"""The worked examples: every number that a source prints, beside the computed one."""

from __future__ import annotations

from functools import lru_cache
from html import escape
from itertools import groupby

from attention_core import (
    EXAMPLES,
    SATURATED_ROW,
    Agreement,
    Graph,
    Printed,
    saturated_row,
)
from attention_core.rounding import show
from ui.pages import SOFTMAX, WHOLE
from ui.prose import anchor
from ui.settings import Settings

# Quantities that stand on a board only where the softmax is written out.
_IN_STEPS = frozenset({"E", "Z"})


def worked_examples() -> str:
    """All three examples, and the row of scores that cannot be as its source prints it."""
    return "".join(map(_section, EXAMPLES)) + _saturated()


@lru_cache(maxsize=8)
def _section(key: str) -> str:
    example = EXAMPLES[key]
    graph = example.graph()
    counts = "; ".join(f"{count} are {said}" for said, count in example.agreement().items())
    intro = (
        f"«{escape(example.source)}» prints {len(example.printed)} numbers. {escape(counts)}. "
        "A computed number that is underlined leads to its cell."
    )
    return f'<h2 class="heading">{escape(example.title)}</h2><p class="say">{intro}</p>' + _table(
        f"Printed and computed: {example.title}", graph, example.printed, example.key
    )


@lru_cache(maxsize=1)
def _saturated() -> str:
    intro = (
        "The third source also prints two rows of weights for one row of scores at d_k = 64. No "
        "row of scores gives both. The scores 16, 5, 0 and 4.5 give the scaled row. What they give "
        "without the division is computed here."
    )
    return f'<h2 class="heading">A row that cannot be</h2><p class="say">{intro}</p>' + _table(
        "Printed and computed: one row at d_k = 64", saturated_row(), SATURATED_ROW, None
    )


def _table(caption: str, graph: Graph, prints: tuple[Printed, ...], example: str | None) -> str:
    heads = "".join(f'<th scope="col">{text}</th>' for text in ("where", "printed", "computed"))
    body, before = "", ""
    for (place, _), group in groupby(prints, _place):
        row = list(group)
        # Said once: the rows of one matrix have one heading, which a screen reader hears each time.
        said = f'<span class="unseen">{escape(place)}</span>' if place == before else escape(place)
        before = place
        printed = " ".join(_print(p, graph) for p in row)
        computed = " ".join(_computed(p, graph, example) for p in row)
        body += f'<tr><th scope="row">{said}</th><td>{printed}</td><td>{computed}</td></tr>'
        notes = "".join(f"<li>{escape(note)}</li>" for p in row if (note := p.note(graph)))
        if notes:
            body += f'<tr class="notes"><td colspan="3"><ul>{notes}</ul></td></tr>'
    label = escape(caption)
    return (
        f'<div class="table prints" tabindex="0" role="region" aria-label="{label}"><table>'
        f"<caption>{label}</caption><thead><tr>{heads}</tr></thead>"
        f"<tbody>{body}</tbody></table></div>"
    )


def _place(printed: Printed) -> tuple[str, int | None]:
    """What stands in one row of the table: one place of the text, one row of a matrix."""
    cell = printed.quantity.cell
    return printed.place, cell.row if cell else None


def _print(printed: Printed, graph: Graph) -> str:
    """The number as the source prints it; marked when it is not the computed one, rounded."""
    if printed.check(graph) is Agreement.SAME:
        return f"<span>{escape(printed.text)}</span>"
    return f"<mark>{escape(printed.text)}</mark>"


def _computed(printed: Printed, graph: Graph, example: str | None) -> str:
    """The computed number at the precision of the print, leading to its cell."""
    text = show(printed.computed(graph), printed.decimals).text
    cell = printed.quantity.cell
    if cell is None or example is None:
        return f"<span>{escape(text)}</span>"
    page = SOFTMAX if cell.symbol in _IN_STEPS else WHOLE
    href = page.link(Settings(example=example).query() | {"cell": str(cell)})
    return anchor(href, text)
