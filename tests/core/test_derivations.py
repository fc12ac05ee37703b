"""Law 3: what a derivation says, read as a person reads it, is the number or carries a note."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from hypothesis import given as generated
from hypothesis import settings
from hypothesis import strategies as st

from attention_core import attention, gradients
from attention_core.explain import Explanation
from attention_core.expression import (
    Difference,
    Exp,
    Expr,
    Function,
    Num,
    Product,
    Quotient,
    Root,
    Sum,
)
from attention_core.matrix import Array, given
from attention_core.ops import OPS, exponential, matmul, scale
from attention_core.rounding import show
from tests.core.op_cases import EXTREME, INF, drawn

pytestmark = pytest.mark.filterwarnings("error")
every_op = pytest.mark.parametrize("name", OPS)
DECIMALS = st.integers(0, 6)
_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


class _E:
    """e, so that «e^x» can be read as ``E ** x``."""

    def __pow__(self, power: float) -> float:
        return math.exp(power)


class _Root:
    """√, so that «√x» can be read as ``R ** x``."""

    def __pow__(self, inside: float) -> float:
        return math.sqrt(inside)


def read(text: str) -> float:
    """The number that a line of a derivation gives to a reader who knows the order of operations.

    A quotient by 0 is no number.
    """
    assert not re.search(r"(\^|√)−?[\d.]+×", text), f"is the power of ten in the exponent? {text}"
    text = re.sub(r"×10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda m: f"e{m[1].translate(_DIGITS)}", text)
    text = re.sub(r"(?<![.\de-])(\d+)(?![\d.e])", r"\1.0", text)
    for sign, code in (
        ("−", "-"),
        ("·", "*"),
        ("e^", "E**"),
        ("^", "**"),
        ("√", "R**"),
        ("∞", "INF"),
    ):
        text = text.replace(sign, code)
    assert re.fullmatch(r"(?:(?:sin|cos|tanh)(?=\()|[-+*/(). \deEINFR])*", text), text
    functions = {"sin": math.sin, "cos": math.cos, "tanh": math.tanh}
    try:
        return float(eval(text, {"E": _E(), "R": _Root(), "INF": INF, **functions}))
    except ZeroDivisionError:
        return math.nan


def size(expression: Expr) -> float:
    """How large the numbers are that a sum cancels: what 1e-12 is relative to."""
    match expression:
        case Sum(terms):
            return sum(map(size, terms))
        case Difference(left, right):
            return size(left) + size(right)
        case Product(factors):
            return math.prod(map(size, factors))
        case Num() | Exp() | Quotient() | Root() | Function():
            return abs(expression.value)
    raise AssertionError(f"no number: {expression}")


def check_line(expression: Expr, result: float, note: str | None, decimals: int) -> None:
    """The exact value, and the agreement of the printed line with the printed result."""
    room = 1e-12 * size(expression) + 1e-300
    assert expression.value == result or abs(expression.value - result) <= room
    text, wanted = expression.text(decimals), show(result, decimals)
    printed = read(text)
    verdicts = {
        not math.isnan(p) and show(p, decimals).value == wanted.value
        for p in (printed, printed * (1 - 1e-13), printed * (1 + 1e-13))
    }
    if len(verdicts) == 1:  # else it stands within float dust of a tie: either way is right
        assert verdicts == {note is None}, (text, wanted.text, note)
    if note is not None:
        assert wanted.text in note
        assert text in note or len(text) > 80


def check_cell(why: Explanation) -> None:
    check_line(why.expression, why.result, why.note, why.decimals)
    assert why.substituted == why.expression.text(why.decimals)
    assert why.shown == show(why.result, why.decimals).text
    for step in why.steps:
        check_line(step.expression, step.result, why.step_note(step), why.decimals)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2·2 + 0·1 + 1·(−1)", 3.0),
        ("−2·3", -6.0),
        ("6 / √4", 3.0),
        ("e^−∞", 0.0),
        ("e^(1 − (−1))", math.exp(2)),
        ("1.500×10⁶ − (−1)", 1500001.0),
        ("e^0 / (e^0 + e^0)", 0.5),
        ("1.000×10⁻²·3", 0.03),
    ],
)
def test_the_reader_reads(text: str, value: float) -> None:
    assert read(text) == pytest.approx(value, rel=1e-15)


@every_op
@settings(max_examples=25)
@generated(data=st.data())
def test_a_derivation_gives_the_number(name: str, data: st.DataObject) -> None:
    use = data.draw(drawn(name, EXTREME))
    decimals = data.draw(DECIMALS)
    for row, col in np.ndindex(*use.matrix.shape):
        check_cell(Explanation(use.matrix, row, col, decimals))


@every_op
@generated(data=st.data())
def test_the_leaves_are_the_numbers_of_their_cells(name: str, data: st.DataObject) -> None:
    use = data.draw(drawn(name, EXTREME))
    values = {m.key: m.value for m in use.matrix.inputs}

    def check(num: Num) -> float:
        if num.cell is not None:
            assert num.value == values[num.cell.symbol][num.cell.row, num.cell.col]
            leaves.add(str(num.cell))
        return num.value

    for row, col in np.ndindex(*use.matrix.shape):
        leaves: set[str] = set()
        why = Explanation(use.matrix, row, col)
        why.expression.evaluate(check)
        assert {str(cell) for cell in why.sources} <= leaves
        for step in why.steps:
            step.expression.evaluate(check)


_CAUSAL_AND_BLOCKED = np.array([[0.0, -INF, -INF], [-INF] * 3, [1.5, -0.25, 0.0]])


@pytest.mark.parametrize(
    "mask", [None, "causal", _CAUSAL_AND_BLOCKED], ids=["none", "causal", "blocked"]
)
@pytest.mark.parametrize("decimals", range(7))
@pytest.mark.parametrize("size", [0.1, 1.0, 100.0, 1e4])
def test_every_cell_of_a_graph_and_its_gradients(
    mask: str | Array | None, decimals: int, size: float
) -> None:
    rng = np.random.default_rng(decimals)
    Q, K, V = (rng.normal(size=(3, d)) * size for d in (2, 2, 1))
    graph = gradients(attention(Q, K, V, mask), "O", rng.normal(size=(3, 1)))
    for matrix in graph.steps:
        for row, col in np.ndindex(*matrix.shape):
            check_cell(graph.explain(matrix.key, row, col, decimals))


def test_a_note_says_what_the_shown_terms_give() -> None:
    third = scale(given("A", [[1.0], [1.0], [1.0]]), 1 / 3, "B")
    total = matmul(given("C", [[1.0, 1.0, 1.0]]), third, "Z")
    note = Explanation(total, 0, 0).note
    assert note is not None
    assert note.startswith("1·0.333 + 1·0.333 + 1·0.333 gives 0.999.")
    assert Explanation(total, 0, 0, decimals=0).note is not None


def test_a_quotient_whose_shown_bottom_is_zero_carries_a_note() -> None:
    graph = attention([[0.0]], [[1.0], [1.0]], [[1.0], [1.0]], mask=[[-3.0, -3.0]])
    why = graph.explain("A", 0, 0, decimals=0)
    notes = {step.name: why.step_note(step) for step in why.steps}
    assert notes["weight"] is not None
    assert notes["weight"].startswith("0 / 0 gives no number.")


@pytest.mark.parametrize("top", [-1e6, -3.0001, -3.0, 0.0, 700.0, 700.1, 1e4, 1e300])
def test_softmax_shows_plain_exponentials_where_they_can_be_shown(top: float) -> None:
    """Plain, as sources print them; the maximum subtracted where they overflow or vanish."""
    graph = attention([[1.0]], [[top], [top - 1.0]], [[1.0], [2.0]], scale=1.0)
    why = graph.explain("A", 0, 0)
    shifted = [s.name for s in why.steps if "row maximum" in s.name]
    plain = -3.0 <= top <= 700.0
    assert ("−" in why.substituted.removeprefix("e^−").replace("e^−", "")) == (not plain)
    assert [s.name == "row maximum" for s in why.steps] == [not plain] + [False] * (
        len(why.steps) - 1
    )
    assert len(shifted) == 1  # why one subtracts the maximum is always there
    assert [s.name for s in why.steps].count("exponential") == 2
    assert [s.name for s in why.steps].count("row sum") == 1


def test_a_power_of_ten_in_an_exponent_stands_in_brackets() -> None:
    graph = attention([[1.0]], [[0.0], [-2e6]], [[1.0], [2.0]], scale=1.0)
    assert graph.explain("A", 0, 1).substituted == "e^(−2.000×10⁶) / (e^0 + e^(−2.000×10⁶))"


def test_a_blocked_row_has_no_inner_lines_and_says_why() -> None:
    graph = attention([[1.0], [1.0]], [[1.0]], [[1.0]], mask=[[False], [True]], tokens=("a", "b"))
    why = graph.explain("A", 0, 0)
    assert (why.steps, why.substituted, why.undefined, why.sources) == ((), "0", True, ())
    assert why.words == (
        "Every key is blocked for «a». 0/0 has no value: this row has no distribution, and it "
        "stands as 0."
    )


def test_a_power_that_is_shown_beyond_float64_carries_a_note() -> None:
    why = Explanation(exponential(given("S", [[709.6]]), "E"), 0, 0, decimals=0)
    assert why.substituted == "e^710"
    assert why.note is not None
    assert why.note.startswith("e^710 gives ∞. Before rounding the result is ")


def test_a_power_too_low_for_float64_says_so() -> None:
    why = Explanation(exponential(given("S", [[-800.0]]), "E"), 0, 0)
    assert (why.result, why.words) == (
        0.0,
        "e to so low a power is too small for a float64 and is 0.",
    )
