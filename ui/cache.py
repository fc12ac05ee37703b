"""The page on the key/value cache: its board, its question, and what is counted."""

from __future__ import annotations

from dataclasses import replace

from attention_core import BYTES, Cell, counted, decoding, in_units
from attention_core.rounding import show
from ui.asks import Ask, all_of
from ui.board.layout import Layout, Stage
from ui.lesson import Lesson
from ui.panels import say
from ui.sayings import many, table
from ui.settings import NONE, OWN, Settings

# Name, d_model, heads, layers and lengths: Vaswani et al. (2017), base; Touvron et al. (2023), 7B.
_MODELS = (
    ("the paper", 512, 8, 6, (512, 1024)),
    ("Llama 7B", 4096, 32, 32, (1024, 2048)),
)
_SIZES = " ".join(
    f"{name[0].upper()}{name[1:]} has d_model = {d_model} and {layers} layers."
    for name, d_model, _, layers, _ in _MODELS
)
# What the question is about: nothing of it stands on the board before it is answered.
_CHANGES = ("O_was", "O_diff", "K_2_kept", "K_2_diff", "O_2_new", "O_2_gap")


def _read(lesson: Lesson) -> int:
    return int(lesson.option("at"))


def _causal(lesson: Lesson) -> bool:
    return bool(lesson.option("causal"))


def _token(lesson: Lesson, at: int) -> str:
    return f"«{lesson.graph['O'].rows.unique(at)}»"


def cache_board(lesson: Lesson) -> Layout:
    """The step with the cache, all computed again, and what the new token changes."""
    rows = "kept rows, and the new one below" if _read(lesson) > 1 else "the first row"
    return Layout(
        "O_new",
        stages=(
            Stage("The new token: one row", (("X_new",), ("Q_new",))),
            Stage(f"Keys and values: {rows}", (("K_kept", "K_new"), ("V_kept", "V_new"))),
            Stage("One row of scores, weights and output", (("S_new",), ("A_new",), ("O_new",))),
            Stage("All computed again", (("X",), ("Q",), ("K",), ("V",))),
            Stage("… all weights, all outputs, and the difference", (("A",), ("O",), ("O_gap",))),
            Stage("Outputs before the new token, and the change", (("O_was",), ("O_diff",))),
            Stage("A second layer: kept keys, and the change", (("K_2_kept",), ("K_2_diff",))),
            Stage(
                "A second layer: with what is kept, all computed again, and the difference",
                (("O_2_new",), ("O_2_last",), ("O_2_gap",)),
            ),
        ),
    )


def earlier_output(lesson: Lesson) -> Ask | None:
    """Ask whether the new token changes the output of an earlier one, where that can be seen."""
    graph = lesson.graph
    if "O_diff" not in graph:
        return None
    change = abs(graph["O_diff"].value)
    row, col = divmod(int(change.argmax()), change.shape[1])
    changes = bool(change.any())
    visible = show(float(change[row, col]), lesson.settings.decimals).value != 0
    if changes and (_causal(lesson) or not visible):
        return None
    who, new = _token(lesson, row), _token(lesson, _read(lesson) - 1)
    because = _because(lesson, row, changes)
    hidden = (key for key in _CHANGES if key in graph)
    return Ask(
        title=f"{new} comes. Will the output of {who} change?",
        hint="Before you look: choose, and the differences open.",
        cells=tuple(cell for key in hidden for cell in all_of(graph[key])),
        pin=Cell("O_diff", row, col),
        right=f"Right: {because}",
        wrong=f"Not so. May {who} attend to {new}? Look at its row of A.",
        given=f"The answer: {because}",
        options=(("It stays", not changes), ("It changes", changes)),
    )


def _because(lesson: Lesson, row: int, changes: bool) -> str:
    who, new = _token(lesson, row), _token(lesson, _read(lesson) - 1)
    if _causal(lesson):
        return f"it stays. The mask blocks {new} for {who}, which came before it."
    if not changes and not lesson.graph["A"].value[row, _read(lesson) - 1]:
        return f"it stays. {who} gives {new} the weight 0."
    if not changes:
        return f"it stays. {who} attends to {new}, but with these numbers its blend is the same."
    weight = lesson.graph.explain("A", row, _read(lesson) - 1, lesson.settings.decimals).shown
    return f"it changes. Without a mask {who} gives {new} a weight of {weight}."


def mask_of_cache(lesson: Lesson) -> str:
    """Which mask is used here, and that the viewer's own is not."""
    here = "The causal mask is off: every token sees all tokens read so far."
    if _causal(lesson):
        here = "This page uses a causal mask, as models that write do. You can take it away below."
    if lesson.settings.mask == NONE:
        return here
    return f"{here} The mask of the sidebar, «{lesson.settings.mask}», is not used on this page."


def read_so_far(lesson: Lesson) -> str:
    """What is kept, what is new, and what is still to come."""
    read, tokens = _read(lesson), lesson.inputs.tokens
    wanted = int(dict(lesson.settings.options).get("at", 0))
    before = "Nothing is kept yet."
    if read > 1:
        before = f"Kept from before: {many(read - 1, 'row')} of K and of V, one for each token."
    short = f"The link asks for {wanted} tokens, and the sentence has {len(tokens)}."
    return " ".join(
        (
            *((short,) if wanted > len(tokens) else ()),
            f"{_token(lesson, read - 1)} is being read.",
            before,
            *((f"{many(len(tokens) - read, 'token')} to come.",) if read < len(tokens) else ()),
        )
    )


def same_row(lesson: Lesson) -> str:
    """Whether the step with the cache gives the last row of everything computed again."""
    if not lesson.graph["O_gap"].value.any():
        return (
            "Compare O_new with the last row of O: they are the same, and O_gap is 0. The cache is "
            "no approximation."
        )
    return (
        "O_new is the last row of O. What seems to differ are last bits of a computer’s numbers, "
        "which scores as large as these magnify."
    )


def out_of_date(lesson: Lesson) -> str:
    """What the board shows of the second layer, or why it shows none."""
    graph = lesson.graph
    if "O_2_gap" not in graph:
        return "Without embeddings and weights there is no second layer to show here."
    if "K_2_kept" not in graph:
        return "Nothing is kept for the first token. Read a second one to see more."
    changed = any(graph[key].value.any() for key in ("K_2_diff", "V_2_diff"))
    wrong = bool(graph["O_2_gap"].value.any())
    if _causal(lesson) and not wrong:
        return "So it is on the board: with the causal mask K_2_diff and O_2_gap are 0."
    if _causal(lesson):
        return "What differs on the board are last bits, which numbers as large as these magnify."
    if wrong:
        return (
            "So it is on the board: the kept keys and values of the second layer are out of date, "
            "and O_2_new is wrong by O_2_gap."
        )
    if changed:
        return (
            "So it is on the board: what the second layer has kept is out of date, even if the "
            "output for the new token happens to come out right with these numbers."
        )
    return "With these numbers nothing changes. Try others."


def step_costs(lesson: Lesson) -> str:
    """What the step costs with the cache and without, and all steps so far, as a table."""
    sizes = lesson.inputs.sizes
    read = _read(lesson)
    found = decoding(read, sizes.get("d_model", 0), sizes["d_k"], sizes["d_v"])
    made = "rows of Q, K and V made" if "X" in lesson.graph else "rows of Q, K and V used"
    rows = (
        (made, "1 each", f"{read} each"),
        ("cells of S made", f"{read}", f"{read * read}"),
        ("multiplications in this step", f"{found.step:,}", f"{found.step_again:,}"),
        ("multiplications in all steps so far", f"{found.total:,}", f"{found.total_again:,}"),
        ("bytes of Q, K, V and S made", f"{found.made:,}", f"{found.made_again:,}"),
        ("bytes kept for the next step", f"{found.kept:,}", "0"),
    )
    caption = f"{many(read, 'token')} read, one layer, 4 bytes a number"
    return table(caption, ["", "with the cache", "all computed again"], [list(r) for r in rows])


def model_costs() -> str:
    """What it costs to read texts in models of real size, as a table with their sizes."""
    rows = []
    for name, d_model, heads, layers, lengths in _MODELS:
        for n in lengths:
            found = decoding(n, d_model, d_model, d_model, heads, size=2)
            ratio = f"{found.total_again / found.total:,.0f}"
            rows.append(
                [
                    name,
                    f"{n:,}",
                    counted(found.total, 1),
                    counted(found.total_again, 1),
                    ratio,
                    in_units(found.kept * layers, BYTES, 1),
                ]
            )
    names = ["", "tokens", "with the cache", "all computed again", "times as many", "kept"]
    caption = "Multiplications for Q, K, V, S and O in one layer, all steps; what all layers keep"
    return table(caption, names, rows) + say(
        f"{_SIZES} A kept number has 2 bytes here. The second attention in each layer of the "
        "paper’s decoder, to the text that it translates, is not counted, and neither are W_O and "
        "the feed-forward part."
    )


def steps_to_try(lesson: Lesson) -> tuple[tuple[str, Settings], ...]:
    """Settings that are worth a look."""
    plain = replace(lesson.settings, mask=NONE, edits=(), d_k=0)
    cat = replace(plain, example="cat")
    return (
        ("The cat sat down, three tokens read", cat.with_options({"at": 3, "causal": True})),
        ("All four", cat.with_options({"at": 4, "causal": True})),
        ("All four, without the mask", cat.with_options({"at": 4, "causal": False})),
        ("A sentence of your own", replace(plain, example=OWN).with_options({"at": 5})),
    )
