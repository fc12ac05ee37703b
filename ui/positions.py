"""The page on positions: its board, its question, and what each way of telling places does."""

from __future__ import annotations

from dataclasses import replace

import attention_core as core
from attention_core import OPTIONS, Cell, Matrix
from attention_core.rounding import apart, show
from ui.asks import Ask, all_of
from ui.board.layout import Layout, Line
from ui.lesson import Lesson
from ui.sayings import many, table
from ui.settings import NONE, OWN, Settings

_TURNED = ("rotary", "halves")
_SCORES = ("S", "S_scaled", "S_alibi")


def _kind(lesson: Lesson) -> str:
    return str(lesson.option("encoding"))


def _by(lesson: Lesson) -> int:
    return int(lesson.option("moved"))


def told_by(lesson: Lesson) -> str:
    """The matrix that tells the places: what the page is about."""
    return {"sinusoidal": "Pos", "alibi": "B_alibi", "none": "S"}.get(_kind(lesson), "Q_rot")


def layout(lesson: Lesson) -> Layout:
    """From places to scores, and the same further on; each kind has some of the lines."""
    by = _by(lesson)
    further = f"The same tokens, {by} place{'s' * (by != 1)} further on"
    turned = "Place 0 has the angle 0, so its row stays as it is."
    return Layout(
        "S_alibi" if "S_alibi" in lesson.graph else "S",
        lines=(
            Line("Phi", "Angles: places times frequencies", "In radians: 1 is about 57 degrees."),
            Line("Pos", "Sine and cosine of the angles, in turn"),
            Line("X_pos", "A row for each place is added to its token"),
            Line("Q_rot", "Queries, turned by the angles of their places", turned),
            Line("K_rot", "Keys, turned in the same way"),
            Line("dist", "How many places two tokens are apart"),
            Line("B_alibi", "Each place of distance takes off the slope"),
            Line("S", "Scores"),
            Line("S_alibi", "Scaled scores, with their biases"),
            Line("S_diff", further, "What is scored then, less what is scored now."),
        ),
    )


def scores_stay(lesson: Lesson) -> Ask | None:
    """Ask whether scores stay when all tokens move on. Not where rounding hides what they do."""
    graph, by = lesson.graph, _by(lesson)
    if "S_diff" not in graph or not by:
        return None
    change = graph["S_diff"].value
    stay = not change.any()
    shown = {show(x, lesson.settings.decimals).value for x in change.flat}
    if stay != (shown == {0.0}):
        return None
    # The score that changes most, or that of the two tokens that are farthest apart.
    row, col = divmod(int(abs(change).argmax()), len(change)) if not stay else (lesson.last, 0)
    because = _because(lesson, Cell("S_diff", row, col), stay)
    hidden = [f"{key}_moved" for key in _SCORES if f"{key}_moved" in graph]
    return Ask(
        title=f"All tokens move on by {by} place{'s' * (by != 1)} together. Do their scores stay?",
        hint="Before you look: choose, and the scores there open.",
        cells=tuple(cell for key in (*hidden, "S_diff") for cell in all_of(graph[key])),
        pin=Cell("S_diff", row, col),
        right=f"Right: {because}",
        wrong="Not so. What in a score depends on a token’s own place, and what on the distance?",
        given=f"The answer: {because}",
        options=(("They stay", stay), ("They change", not stay)),
    )


def _because(lesson: Lesson, most: Cell, stay: bool) -> str:
    graph = lesson.graph
    if not stay:
        then, now, *_ = graph["S_diff"].inputs
        before, after = (
            shown.text
            for shown in apart(
                float(now.value[most.row, most.col]),
                float(then.value[most.row, most.col]),
                lesson.settings.decimals,
            )
        )
        who, whom = now.rows.unique(most.row), now.cols.unique(most.col)
        return (
            "they change. Other rows of Pos are added to the same rows of X, and so queries and "
            f"keys are other ones. The score of «{whom}» for «{who}» goes from {before} to {after}."
        )
    if _kind(lesson) == "alibi":
        return "they stay. A bias is made from a distance, and all distances are as before."
    if _kind(lesson) in _TURNED:
        return (
            "they stay. All rows are turned on by the same angles, and a dot product stays when "
            "both of its rows are turned alike."
        )
    return "they stay. With these numbers, the scores do not tell the place."


def how_told(lesson: Lesson) -> str:
    """What the chosen kind does to the numbers on the board."""
    d_k = lesson.inputs.sizes["d_k"]
    if _kind(lesson) in _TURNED:
        pairs = d_k // 2
        partners = ", ".join(_partners(lesson, pair) for pair in range(min(pairs, 4)))
        odd = f" Component {d_k} has no partner, so it stays as it is." if d_k % 2 else ""
        first = f"d_k = {d_k}, so {many(pairs, 'pair')} of components turn{'s' * (pairs == 1)}"
        return f"Here {first}: {partners}.{odd} Values do not turn: places count in scores only."
    if _kind(lesson) == "alibi":
        return (
            f"Here each place of distance takes {OPTIONS['slope'].among[lesson.option('slope')]} "
            "off the score, after the scaling. Keys that come after the query lose as much as "
            "those before it; in a model that writes, a causal mask blocks them anyway."
        )
    if _kind(lesson) == "sinusoidal":
        d_model = lesson.inputs.sizes["d_model"]
        if d_model == 1:
            return "Here Pos holds the sine of an angle that moves on by 1 from place to place."
        later = " The angles of later features move less and less." if d_model > 2 else ""
        return (
            "Here the first feature of Pos is the sine and the second the cosine of one angle. It "
            f"moves on by 1 from place to place.{later}"
        )
    return (
        "Here nothing tells the places. A score depends on the two tokens only, wherever they "
        "stand."
    )


def _partners(lesson: Lesson, pair: int) -> str:
    """The components of one pair, counted from 1."""
    pairs = lesson.inputs.sizes["d_k"] // 2
    if _kind(lesson) == "halves":
        return f"{pair + 1} with {pair + 1 + pairs}"
    return f"{2 * pair + 1} with {2 * pair + 2}"


def not_here(lesson: Lesson) -> str:
    """Which kinds these numbers do not allow, and why."""
    missing = []
    if "X" not in lesson.inputs.given:
        missing.append("Sinusoidal positions are added to X, so they cannot be shown here.")
    if lesson.inputs.sizes["d_k"] == 1:
        missing.append(
            "Queries have one component here, and a rotation turns two. Choose d_k = 2 or more to "
            "see rotary positions."
        )
    return " ".join(missing)


def two_layouts(lesson: Lesson) -> str:
    """What a score is with either choice of partners."""
    d_k = lesson.inputs.sizes["d_k"]
    if d_k < 2:
        return ""
    if d_k < 4:
        return f"With d_k = {d_k} there is one pair, components 1 and 2, in either layout."
    plain = lesson.inputs.graph()
    one, other = (core.with_rotary(plain, halves=halves)["S"] for halves in (False, True))
    change = abs(one.value - other.value)
    row, col = divmod(int(change.argmax()), change.shape[1])
    who, whom = one.rows.unique(row), one.cols.unique(col)
    shown = apart(
        float(one.value[row, col]), float(other.value[row, col]), lesson.settings.decimals
    )
    if shown[0].value == shown[1].value:
        return "With these numbers, both layouts happen to give the same scores."
    return (
        f"Here the score of «{whom}» for «{who}» is {shown[0].text} with neighbours as partners, "
        f"and {shown[1].text} with halves."
    )


def on_diagonals(lesson: Lesson) -> str:
    """What the scores of equal rows show: one number for each distance."""
    graph = lesson.graph
    if len(lesson.inputs.tokens) < 3 or not all(_equal_rows(graph[key]) for key in "QK"):
        return ""
    if _kind(lesson) == "none":
        return "All queries and all keys are equal here, and so are all scores."
    return (
        "All queries are equal here, and so are all keys. What differs between two scores comes "
        "from the places alone. Go along a diagonal of S from the top left to the bottom right: "
        "i − j stays the same, and so does the score."
        if _kind(lesson) in _TURNED
        else ""
    )


def _equal_rows(matrix: Matrix) -> bool:
    return bool((matrix.value == matrix.value[0]).all())


def ways() -> str:
    """The three ways side by side."""
    return table(
        "Three ways to tell places",
        ["", "what it changes", "where", "what counts of i and j", "used in"],
        [
            ["sinusoidal", "X, by a sum", "once, before the first layer", "both",
             "the paper"],
            ["rotary", "Q and K, by a turn", "in every layer", "i − j", "Llama, GPT-NeoX"],
            ["ALiBi", "the scores, by a sum", "in every layer", "|i − j|", "BLOOM, MPT"],
        ],
    )  # fmt: skip


def slopes() -> str:
    """The slopes of some heads, and what a distance of ten costs in each."""
    slopes = OPTIONS["slope"].among
    return table(
        f"Slopes of {len(slopes)} heads",
        ["head", *(str(head) for head in range(1, len(slopes) + 1))],
        [
            ["slope", *slopes.values()],
            ["ten places away", *(show(-10 * float(slope), 2).text for slope in slopes)],
        ],
    )


def to_try(lesson: Lesson) -> tuple[tuple[str, Settings], ...]:
    """Settings that are worth a look."""
    plain = replace(lesson.settings, mask=NONE, edits=(), tied=False, d_k=0)
    cat = replace(plain, example="cat")
    again = replace(plain, example=OWN, text="no no no no", split="words", d_k=4)
    return (
        ("Sinusoidal", cat.with_options({"encoding": "sinusoidal"})),
        ("Rotary", cat.with_options({"encoding": "rotary"})),
        ("Rotary, one word four times", again.with_options({"encoding": "rotary"})),
        ("ALiBi, causal", replace(cat, mask="causal").with_options({"encoding": "alibi"})),
        ("No positions", cat.with_options({"encoding": "none"})),
    )
