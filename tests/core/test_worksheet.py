"""Worksheets: what is blank, what is told, and that the answers are the graph's own."""

from __future__ import annotations

import numpy as np
import pytest

from attention_core import (
    BLANKS,
    EXAMPLES,
    VARIANTS,
    AttentionError,
    ByHand,
    Cell,
    Explanation,
    Graph,
    Inputs,
    Worksheet,
    also_right,
    as_columns,
    attention,
    cross_attention,
    split_heads,
    toy_inputs,
    worksheet,
)
from attention_core.expression import Num
from attention_core.ops.transpose import Transpose

LOVE, HAND, CAT = (EXAMPLES[key] for key in ("love", "hand", "cat"))
SCORE_ON = ("Q", "K", "V")


def asked(sheet: Worksheet, key: str) -> set[tuple[int, int]]:
    return {(why.row, why.col) for why in sheet.blanks if why.cell.symbol == key}


def told_by(why: Explanation, graph: Graph) -> set[Cell]:
    """The cells whose numbers a derivation tells; a transpose tells those of what it turns."""
    found: set[Cell] = set()

    def note(num: Num) -> float:
        if num.cell is not None:
            turned = isinstance(graph[num.cell.symbol].op, Transpose)
            source = graph[num.cell.symbol].inputs[0].key if turned else ""
            found.add(Cell(source, num.cell.col, num.cell.row) if turned else num.cell)
        return num.value

    why.expression.evaluate(note)
    return found


def test_one_token_is_followed_through_every_step() -> None:
    sheet = worksheet(LOVE.graph())
    assert sheet.lines == (2,)
    assert [[part.matrix.key for part in task.parts] for task in sheet.tasks] == [
        ["Q", "K", "V"],
        ["S"],
        ["S_scaled"],
        ["A"],
        ["O"],
    ]
    for task in sheet.tasks:
        for part in task.parts:
            assert asked(sheet, part.matrix.key) == {(2, 0), (2, 1), (2, 2)}
    q, k, v = [[1, 1, 1]] * 3, [[0, 1, 1], [2, 1, 1], [1, 1, 1]], [[1, 0, 1], [1, 2, 0], [1, 1, 0]]
    scores = [sum(a * b for a, b in zip(q[0], key, strict=True)) for key in k]
    powers = np.exp(np.array(scores) / 3**0.5)
    expected = [*q[0], *k[2], *v[2], *scores, *(np.array(scores) / 3**0.5)]
    expected += [*(powers / powers.sum()), *(powers @ v / powers.sum())]
    assert [why.result for why in sheet.blanks] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("blanks", "wanted"),
    [
        ("row", {(2, 0), (2, 1)}),
        ("half", {(0, 1), (1, 0), (2, 1)}),
        ("all", {(i, j) for i in range(3) for j in range(2)}),
    ],
)
def test_the_pattern_says_which_cells_are_blank(blanks: str, wanted: set[tuple[int, int]]) -> None:
    sheet = worksheet(HAND.graph(), blanks=blanks)
    assert asked(sheet, "O") == wanted
    assert (sheet.lines == ()) == (blanks != "row")
    assert all(part.cells == {w.cell for w in part.blanks} for t in sheet.tasks for part in t.parts)


@pytest.mark.parametrize("blanks", BLANKS)
@pytest.mark.parametrize("key", VARIANTS)
def test_a_sheet_is_made_of_any_graph_and_gives_no_answer_away(key: str, blanks: str) -> None:
    inputs = CAT.inputs
    graph = VARIANTS[key].graph(inputs.graph("causal"), inputs, {})
    sheet = worksheet(graph, blanks=blanks)
    answers = {why.cell for why in sheet.blanks}
    assert answers
    known = {m.key for m in sheet.given}
    for part in (part for task in sheet.tasks for part in task.parts):
        read = (m.inputs[0] if isinstance(m.op, Transpose) else m for m in part.matrix.inputs)
        assert {m.key for m in read} <= known  # every step comes after what it needs
        known.add(part.matrix.key)
        if part.worked:
            assert part.worked.cell not in answers
            assert not told_by(part.worked, sheet.graph) & answers
    for why in sheet.blanks:  # the numbers of the board, also where steps were left out
        assert why.shown == graph.explain(*why.cell).shown


def test_what_only_copies_a_blank_cell_is_blank_too() -> None:
    sheet = worksheet(split_heads(CAT.graph(), 4), blanks="half")
    for head in range(4):  # a single column: its own pattern would leave other cells open
        copied = {(row, 0) for row in range(4) if (row + head) % 2 == 1}
        assert asked(sheet, f"Q_{head + 1}") >= copied


def test_steps_that_change_nothing_are_left_out() -> None:
    keys = {
        part.matrix.key for task in worksheet(HAND.graph(scale=1.0)).tasks for part in task.parts
    }
    assert keys == {"S", "A", "O"}
    sheet = worksheet(HAND.graph("causal"))
    assert {"S_scaled", "S_masked"} <= set(sheet.graph)
    assert [m.key for m in sheet.given] == ["Q", "K", "V", "M"]
    weights = worksheet(HAND.graph(scale=1.0)).tasks[1].parts[0]
    assert weights.blanks[0].symbolic == "e^(S[t3, t1]) / (Σ_ℓ e^(S[t3, ℓ]))"


def test_it_starts_and_ends_where_it_is_told_to() -> None:
    sheet = worksheet(LOVE.graph(), "S", start=("Q", "K"))
    assert [m.key for m in sheet.given] == ["Q", "K"]
    assert [task.title for task in sheet.tasks] == ["Scores"]
    assert [task.title for task in worksheet(LOVE.graph(), "A").tasks] == [
        "Queries and keys",
        "Scores",
        "Scaled scores",
        "Attention weights",
    ]


def test_the_token_that_is_followed_has_a_blocked_key_where_one_has() -> None:
    assert worksheet(LOVE.graph("causal")).lines == (1,)  # the last row sees all keys
    nothing_seen = np.array([[1, 0, 0], [0, 0, 0], [0, 0, 0]], dtype=bool)
    assert worksheet(LOVE.graph(nothing_seen)).lines == (0,)


def test_a_row_without_a_value_is_never_blank() -> None:
    mask = np.array([[0, 0, 0], [1, 1, 0], [1, 1, 1]], dtype=bool)
    sheet = worksheet(HAND.graph(mask), blanks="all")
    assert asked(sheet, "A") == {(i, j) for i in (1, 2) for j in range(3)}
    assert (0, 0) in asked(sheet, "S_masked")  # −∞ has a value of its own
    none = worksheet(HAND.graph(np.zeros((3, 3), dtype=bool)))
    assert asked(none, "O") == set()
    assert asked(none, "S")


def test_a_worked_cell_is_the_usual_case_where_there_is_one() -> None:
    weights = worksheet(CAT.graph("causal"), start=SCORE_ON).tasks[3].parts[0]
    assert weights.worked is not None
    assert weights.worked.row == 1  # in the first row one key is open, and gets all
    assert weights.worked.words is None


def test_keys_of_another_sentence_may_be_fewer() -> None:
    graph = cross_attention([[1], [2], [3]], [[1, 0]], [[1]], [[1], [2]], [[1], [0]])
    assert asked(worksheet(graph), "O") == {(2, 0)}
    assert asked(worksheet(graph), "K") == {(0, 0)}


REPEATED = toy_inputs(["the", "dog", "saw", "the", "dog"], seed=42, d_model=4, d_k=3, d_v=3)
ALL_ALIKE = toy_inputs(["no"] * 3, seed=42, d_model=4, d_k=3, d_v=3)


def told_elsewhere(sheet: Worksheet, inputs: Inputs) -> list[Cell]:
    """Blank cells whose numbers are printed for a token, or below one, that is the same word."""
    blank = {why.cell for why in sheet.blanks}
    found = []
    for key, row, col in blank:
        n, m = sheet.graph[key].shape
        rows = [i for i in range(n) if inputs.tokens[i] == inputs.tokens[row]]
        tokens = sheet.graph[key].cols.tokens
        cols = [j for j in range(m) if tokens and inputs.tokens[j] == inputs.tokens[col]] or [col]
        found += [Cell(key, i, j) for i in rows for j in cols if Cell(key, i, j) not in blank]
    return found


@pytest.mark.parametrize("mask", [None, "causal"])
@pytest.mark.parametrize("blanks", BLANKS)
def test_a_word_that_stands_twice_gives_no_answer_away(blanks: str, mask: str | None) -> None:
    for inputs in (REPEATED, ALL_ALIKE):
        sheet = worksheet(inputs.graph(mask), blanks=blanks)
        assert sheet.blanks
        assert told_elsewhere(sheet, inputs) == []


def test_a_token_that_stands_once_is_followed_rather() -> None:
    assert worksheet(REPEATED.graph()).lines == (2,)  # «saw»
    assert worksheet(REPEATED.graph("causal")).lines == (2,)
    assert worksheet(ALL_ALIKE.graph()).lines == (0, 1, 2)
    by_numbers = LOVE.inputs.with_edit(Cell("X", 2, 0), 0).with_edit(Cell("X", 2, 3), 1)
    assert worksheet(by_numbers.graph()).lines == (0,)  # «AI» is given the numbers of «love»


def test_symmetric_scores_tell_nothing_from_the_other_side() -> None:
    for mask in (None, "causal"):
        sheet = worksheet(LOVE.inputs.with_tied().graph(mask))
        (line,) = sheet.lines
        either = {(i, j) for i in range(3) for j in range(3) if line in (i, j)}
        assert asked(sheet, "S") == asked(sheet, "S_scaled") == either
        if mask:  # where the mask adds 0, the number before it stays hidden
            assert asked(sheet, "S_masked") >= {(2, 1), (1, 0), (1, 1)}
    by_chance = attention([[1, 0], [1, 0]], [[1, 5], [1, 7]], [[1], [2]])
    assert asked(worksheet(by_chance), "S") == {(1, 0), (1, 1)}


def test_padding_is_not_the_token_that_is_followed() -> None:
    assert worksheet(CAT.graph(np.array([[1, 1, 1, 0]] * 4, dtype=bool))).lines == (2,)


def test_given_numbers_and_factors_stand_in_full() -> None:
    inputs = LOVE.inputs.with_edit(Cell("X", 2, 0), 1.25).with_edit(Cell("W_Q", 0, 0), 0.125)
    sheet = worksheet(inputs.graph(scale=0.3333), decimals=1)
    said = {why.cell: why.text for why in sheet.blanks}
    assert said[Cell("Q", 2, 0)].endswith(" = 1.25·0.125 + 1·0 + 0·1 + 0·0 = 0.2")
    assert said[Cell("S_scaled", 2, 0)] == "S_scaled[AI, I] = 0.3333·S[AI, I] = 0.3333·2.3 = 0.7"
    later = worksheet(inputs.graph(), start=SCORE_ON, decimals=1).blanks[0]
    assert later.substituted == "0.15625·0 + 1·1 + 1.25·1"


def test_what_else_is_right_is_what_rounded_numbers_give() -> None:
    inputs = LOVE.inputs.with_edit(Cell("X", 0, 0), 0.25).with_edit(Cell("X", 2, 0), 1.25)
    sheet = worksheet(inputs.graph(scale=0.3), decimals=1)
    blanks = {why.cell: why for why in sheet.blanks}
    hands = [ByHand(blanks.keys(), 1, rounds) for rounds in (False, True)]
    also = {cell: [s.text for s in also_right(why, hands)] for cell, why in blanks.items()}
    assert also[Cell("Q", 2, 0)] == []  # 1.25 + 0 + 0 + 0: nothing was rounded before
    # q = (1.25, 1, 1.25) and k = (0, 0.25, 1), printed as 0.3: 1.55 and not 1.5; and 1.3 for 1.25.
    assert blanks[Cell("S", 2, 0)].shown == "1.5"
    assert also[Cell("S", 2, 0)] == ["1.6"]


@pytest.mark.parametrize("rounds", [False, True])
def test_by_hand_one_goes_on_with_what_stands_on_paper(rounds: bool) -> None:
    """Keys and values of the other tokens are printed with one decimal; those of «AI» are blank."""
    inputs = LOVE.inputs.with_edit(Cell("X", 0, 0), 0.25).with_edit(Cell("X", 2, 0), 1.25)
    sheet = worksheet(inputs.graph(), decimals=1)
    hand = ByHand({why.cell for why in sheet.blanks}, 1, rounds)

    def written(numbers: object) -> np.ndarray:
        array = np.asarray(numbers, dtype=float)
        return np.floor(array * 10 + 0.5 + 1e-9) / 10 if rounds else array

    q, k, v = (written(row) for row in ([1.25, 1, 1.25], [1, 1.25, 1], [1.25, 1, 0]))
    keys, values = np.array([[0, 0.3, 1], [2, 1, 1], k]), np.array([[0.3, 0, 1], [1, 2, 0], v])
    scaled = written(written(keys @ q) / 3**0.5)
    weights = written(np.exp(scaled) / np.exp(scaled).sum())
    for key, expected in (("S", keys @ q), ("A", weights), ("O", weights @ values)):
        found = [hand.number(sheet.graph[key], 2, col) for col in range(3)]
        assert found == pytest.approx(written(expected)), key


def test_tokens_as_columns_have_their_column_blank() -> None:
    sheet = worksheet(as_columns(HAND.graph()))
    assert asked(sheet, "O") == {(0, 2), (1, 2)}


def test_decimals_are_those_of_every_derivation() -> None:
    sheet = worksheet(LOVE.graph(), decimals=1)
    assert {why.decimals for why in sheet.blanks} == {1}
    assert {part.worked.decimals for t in sheet.tasks for part in t.parts if part.worked} == {1}


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"blanks": "some"}, "blanks is 'some', wanted one of row, half, all"),
        ({"to": "X"}, "X is given, so there is nothing to work out"),
        ({"to": "Z"}, "there is no matrix 'Z'"),
        ({"to": "S", "start": ("O",)}, "S is not made from O here"),
        ({"start": ("Z",)}, "O is not made from Z here"),
    ],
)
def test_what_makes_no_sheet_is_refused_by_name(options: dict[str, str], says: str) -> None:
    with pytest.raises(AttentionError, match=says):
        worksheet(LOVE.graph(), **options)  # type: ignore[arg-type]
