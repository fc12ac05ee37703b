"""The page on cross-attention: two sentences, its board, its question and its sentences."""

from __future__ import annotations

from dataclasses import replace

from attention_core import MASKS, OPTIONS, Cell, source_tokens
from ui.asks import Ask, row_of
from ui.board.layout import Layout, Stage
from ui.given import typed_over
from ui.lesson import Lesson
from ui.notices import tell
from ui.sayings import many
from ui.settings import NONE, OWN, Settings
from ui.whom import most, named

_GERMAN = "Die Katze setzte sich hin"
# How a notice about a sentence begins, and how it does where the sentence is the source.
_OF_SOURCE = (
    ("The sentence has", "The source sentence has"),
    ("Tokens are cut", "Tokens of the source are cut"),
)
# Its words in the features of the worked example: determiner, noun, verb, direction, living,
# motion, first, last.
_BY_HAND = (
    (1, 0, 0, 0, 0, 0, 1, 0),
    (0, 1, 0, 0, 1, 0, 0, 0),
    (0, 0, 1, 0, 0, 1, 0, 0),
    (0, 0, 0, 0, 1, 0, 0, 0),
    (0, 0, 0, 1, 0, 1, 0, 1),
)


def board(lesson: Lesson) -> Layout:
    """Both sentences, what each gives, and the rectangle where they meet."""
    return Layout(
        "A",
        stages=(
            Stage("Your sentence asks", (("X",), ("W_Q",), ("Q",))),
            Stage("The source is found by its keys", (("Y",), ("W_K",), ("K",))),
            Stage("It hands over its values", (("W_V",), ("V",))),
            Stage("Every query meets every key", (("S",), ("S_scaled",))),
            Stage("Mask", (("M",), ("S_masked",)) if lesson.option("pad") else (("S_masked",),)),
            Stage("Softmax", (("A",),)),
            Stage("Mix", (("O",),)),
        ),
    )


def tell_source(lesson: Lesson) -> None:
    """Say what had to be done to the source sentence, and that it is the source."""
    notices = source_tokens(str(lesson.option("source"))).notices
    for known, ours in _OF_SOURCE:
        notices = tuple(notice.replace(known, ours) for notice in notices)
    tell(notices)


def most_in_source(lesson: Lesson) -> Ask | None:
    """Ask which word of the source a token attends to most, where the shown numbers tell."""
    weights = lesson.graph["A"]
    found = [(row, top) for row in range(weights.shape[0]) if (top := most(lesson, "A", row))]
    if not found:
        return None
    row, top = max(found, key=lambda one: (-len(one[1]), one[0]))  # rather one without a tie
    share = lesson.graph.explain("A", row, top[0], lesson.settings.decimals).shown
    who = weights.rows.unique(row)
    because = f"the largest weight of this row, {share}, goes to {named(weights.cols, top)}."
    return Ask(
        title=f"Which word of the source does «{who}» attend to most?",
        hint="Before you look: read its row of scores, choose, and the weights open.",
        cells=tuple(cell for key in ("A", "O") for cell in row_of(lesson.graph[key], row)),
        pin=Cell("A", row, top[0]),
        right=f"Yes: {because}",
        wrong="Not that one. Which number of that row of S_masked is the largest?",
        given=f"The answer: {because}",
        options=tuple((weights.cols.unique(col), col in top) for col in range(weights.shape[1])),
    )


def rectangle(lesson: Lesson) -> str:
    """How many rows and columns there are, and what each of them is."""
    n, n_k = lesson.graph["A"].shape
    return (
        f"Here S has {many(n, 'row')}, one for each token that asks, and {many(n_k, 'column')}, "
        f"one for each token of the source. O has {many(n, 'row')} again: the sentence that asks "
        "keeps its length, however long the source is."
    )


def without_embeddings(lesson: Lesson) -> str:
    """What stands in for the weights of an example that has none."""
    if "X" in lesson.graph:
        return ""
    return (
        "This worked example begins with Q, K and V: it has no X and no weight matrices. Its "
        "queries ask here. Its K and V are left out, since they are of the same sentence. Y, W_K "
        "and W_V are toy numbers that stand in."
    )


def left_out(lesson: Lesson) -> str:
    """That a mask of the viewer's is not used here."""
    mask = lesson.settings.mask
    if mask == NONE:
        return ""
    title = MASKS[mask][0].partition(":")[0] if mask in MASKS else "your own"
    return (
        f"The mask that you chose elsewhere ({title}) is about one sentence. It is not used here."
    )


def _plain(lesson: Lesson, example: str) -> Settings:
    """An example as its source has it, or the own sentence in its usual sizes."""
    return replace(
        lesson.settings, example=example, mask=NONE, edits=(), tied=False, d_k=0, options=()
    )


def _cat(lesson: Lesson) -> Settings:
    return _plain(lesson, "cat").with_options({"source": _GERMAN})


def pairs_to_try(lesson: Lesson) -> tuple[tuple[str, Settings], ...]:
    """Pairs of a sentence and what it translates."""
    cat, own = _cat(lesson), replace(_plain(lesson, OWN), text="The bank of the river")
    return (
        (f"«I love AI» reads «{OPTIONS['source'].default}»", _plain(lesson, "love")),
        (f"«The cat sat down» reads «{_GERMAN}»", cat),
        (
            "Padding at the end of the source",
            cat.with_options({"source": f"{_GERMAN} PAD", "pad": True}),
        ),
        (
            "«The bank of the river» reads «La rive du fleuve»",
            own.with_options({"source": "La rive du fleuve"}),
        ),
    )


def by_hand(lesson: Lesson) -> tuple[tuple[str, Settings], ...]:
    """The German sentence with features that say what its words are."""
    settings = _cat(lesson)
    for row, features in enumerate(_BY_HAND):
        for col, number in enumerate(features):
            settings = typed_over(settings, Cell("Y", row, col), float(number))
    return (("Type the features of the German words in", settings),)
