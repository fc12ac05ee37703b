"""The glossary: sizes, symbols and terms, each with an anchor and the page where it lives."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from attention_core import MAX_LAYERS, VARIANTS, AttentionError, Graph, Matrix
from attention_core.symbols import RUNS, SYMBOLS, symbol
from ui.board.math import CaptionWriter, html, symbol_math
from ui.lesson import Lesson, graph_of
from ui.pages import (
    COST,
    EMBED,
    MASK,
    MISCONCEPTIONS,
    MIX,
    PAGES,
    PROJECT,
    SCALE,
    SCORE,
    SOFTMAX,
    Page,
    variant,
)
from ui.prose import anchor, prose, typeset
from ui.sayings import by
from ui.settings import Settings
from ui.terms import TERMS
from ui.words import CLAIMS

# Where the paper's own quantities are made; all others live on the first page that shows them.
_HOME: dict[str, Page] = (
    dict.fromkeys(("X",), EMBED)
    | dict.fromkeys(("W_Q", "W_K", "W_V", "Q", "K", "V"), PROJECT)
    | dict.fromkeys(("K_T", "S"), SCORE)
    | dict.fromkeys(("S_scaled",), SCALE)
    | dict.fromkeys(("M", "S_masked"), MASK)
    | dict.fromkeys(("A",), SOFTMAX)
    | dict.fromkeys(("O",), MIX)
)
_SIZES: tuple[tuple[str, str, Page], ...] = (
    ("n", "The number of tokens.", EMBED),
    ("n_k", "The number of tokens of the source, in cross-attention.", variant("cross")),
    ("d_model", "The number of features of an embedding.", EMBED),
    ("d_k", "The number of components of a query and of a key.", PROJECT),
    ("d_v", "The number of components of a value.", PROJECT),
    ("h", "The number of heads of a layer, where its cost is counted.", COST),
)
# Another run of the same computation, such as S_was.
_RUN = f"(.+)_(?:{'|'.join(RUNS)})"


def entry_of(key: str) -> str:
    """The symbol under which a matrix stands: a transpose, a copy and a gradient have none.

    >>> entry_of("W_K_T"), entry_of("Q_2"), entry_of("dV"), entry_of("K_T"), entry_of("K_P_T")
    ('W_K', 'Q', 'V', 'K_T', 'K')
    >>> entry_of("S_masked_was"), entry_of("O_diff"), entry_of("K_after_T"), entry_of("dX_Q")
    ('S_masked', 'O', 'K', 'X')
    """
    if key in SYMBOLS:
        return key
    for form in (r"(.+)_T", _RUN, r"(.+)_\d+", r"d(.+)", r"d([A-Z])_\w+",
                 r"(?:open|step)_(.+)"):  # fmt: skip
        found = re.fullmatch(form, key)
        if found and (entry := entry_of(found[1])) in SYMBOLS:
            return entry
    return key


def sizes(lesson: Lesson) -> str:
    """The letters for sizes, and what they are here."""
    given = lesson.inputs.given
    here = {"n": len(lesson.inputs.tokens), "n_k": len(given["Y"]), "h": lesson.settings.heads}
    here |= lesson.inputs.sizes
    return _list(
        _entry(
            f"size-{name}",
            _letters(name),
            f"{prose(says)} {_here(here.get(name))}",
            page,
            lesson.settings,
        )
        for name, says, page in _SIZES
    )


def symbol_entries(lesson: Lesson) -> str:
    """Every symbol that a page can show: what it is, how it is made, its shape, and its page."""
    return _symbol_entries(lesson.settings)


@lru_cache(maxsize=32)
def _symbol_entries(settings: Settings) -> str:
    """Cached, since they are read off every matrix of every page, and a class opens the same."""
    # One key may stand on several pages with other sizes: the first page is its own.
    shown = tuple(_shown(settings))
    here: dict[str, Matrix] = {}
    for _, matrix in shown:
        here.setdefault(_own(matrix.key), matrix)
    entries: dict[str, str] = {}
    # In the order of the usual example, and with its formula where the viewer's numbers are given.
    for page, matrix in (*_shown(Settings()), *shown):
        key = _own(matrix.key)
        if key in SYMBOLS and key not in entries:
            entries[key] = _entry(
                f"symbol-{key}",
                typeset(symbol(key)),
                _what(matrix, here.get(key)),
                _HOME.get(key, page),
                settings,
            )
    return _list(entries.values())


def _own(key: str) -> str:
    """The key itself; of numbered copies the first stands for all, where there are only copies."""
    return key if key in SYMBOLS else key.removesuffix("_1")


def term_entries(lesson: Lesson) -> str:
    """Every term: one sentence, and its page."""
    return _list(
        _entry(term.id, prose(term.name), prose(term.says), term.page, lesson.settings)
        for term in TERMS.values()
    )


def _shown(settings: Settings) -> Iterator[tuple[Page, Matrix]]:
    """All matrices of all pages, each with the first page that has it; page by page."""
    for page in PAGES:
        for graph in _graphs(settings, page.form):
            for matrix in graph.steps:
                yield page, matrix


def _graphs(settings: Settings, form: str) -> Iterator[Graph]:
    # With every switch on that adds a matrix to a board, and every claim that has its own.
    more = replace(settings, shift=True, positions=True, layers=MAX_LAYERS)
    more = more.with_options({"base": "2"})
    claims = {own: replace(settings, claim=claim) for claim, own in CLAIMS.items()}
    claimed = claims.values() if form == MISCONCEPTIONS.form else ()
    for each in (settings, more, *claimed, *_kinds(settings, form)):
        try:
            yield graph_of(each, form)
        except AttentionError:  # that page says so itself
            continue


def _kinds(settings: Settings, form: str) -> Iterator[Settings]:
    """A variant in each of its kinds, where an option chooses one of several compositions."""
    for option in VARIANTS[form].options if form in VARIANTS else ():
        for value in option.among:
            if isinstance(value, str):
                yield settings.with_options({option.name: value})


def _what(matrix: Matrix, here: Matrix | None) -> str:
    """What the rows and columns are; below, how the matrix is made and its shape."""
    sym, axes = matrix.symbol, (matrix.rows.name, matrix.cols.name)
    columns = "in one column" if axes[1] == "1" else f"one column a {sym.col}"
    said = f"{sym.title[0].upper()}{sym.title[1:]}: one row a {sym.row}, {columns}."
    shape = f"{by(map(_letters, axes))}. {_here(here and by(here.shape))}"
    made = _made(here if here and here.op else matrix)
    return f"{prose(said)}<br><small>{made}{shape}</small>"


def _made(matrix: Matrix) -> str:
    """The formula of a matrix; nothing for a given one, and for a transpose."""
    if matrix.op is None:
        return ""
    name, made = symbol_math(matrix.symbol), matrix.op.definition(*matrix.inputs)
    formula = made.write(CaptionWriter())
    return "" if formula == name else f"{html(name)} = {html(formula)}.&emsp;"


def _letters(size: str) -> str:
    """A size as it stands in a shape; only letters lean."""
    return size if size.isdigit() else typeset(symbol(size))


def _here(size: object) -> str:
    return "Not in this example." if size is None else f"Here {size}."


def _entry(place: str, name: str, text: str, page: Page, settings: Settings) -> str:
    go = anchor(page.link(settings.query()), page.title)
    return (
        f'<div id="{place}" tabindex="-1"><dt>{name}</dt><dd>{text}</dd>'
        f'<dd class="where">{go}</dd></div>'
    )


def _list(entries: Iterable[str]) -> str:
    return f'<dl class="entries">{"".join(entries)}</dl>'
