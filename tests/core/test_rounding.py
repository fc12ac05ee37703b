"""The one place that rounds, and the ledger that says when it shows."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given as generated
from hypothesis import settings
from hypothesis import strategies as st

from attention_core.expression import Difference, Exp, Expr, Num, Product, Quotient, Root, Sum
from attention_core.rounding import ledger_note, reach, show

INF = float("inf")


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (0.0, 3, "0"),
        (-0.0, 3, "0"),
        (5.0, 3, "5"),
        (-5.0, 0, "−5"),
        (5.0, 6, "5"),
        (4.999999999999, 3, "5"),
        (-INF, 3, "−∞"),
        (INF, 0, "∞"),
        (0.07, 3, "0.070"),
        (-0.07, 1, "−0.1"),
        (0.0004, 3, "0.000"),
        (-0.0004, 3, "0.000"),
        (-0.0004, 4, "−0.0004"),
        (1e-300, 6, "0.000000"),
        (0.4, 0, "0"),
        (0.9999999, 0, "1"),
        (0.9999999, 3, "1.000"),
        (0.9999999, 6, "1.000000"),
        (2.5, 0, "3"),
        (0.15 * 3, 1, "0.5"),
        (-0.15 * 3, 1, "−0.5"),
        (0.3333 * 5, 3, "1.667"),
        (0.4499999, 1, "0.4"),
        (3.5, 0, "4"),
        (2.5, 1, "2.5"),
        (2.5, 6, "2.500000"),
        (1 / 3, 0, "0"),
        (1 / 3, 1, "0.3"),
        (1 / 3, 2, "0.33"),
        (2 / 3, 3, "0.667"),
        (2 / 3, 4, "0.6667"),
        (2 / 3, 5, "0.66667"),
        (-2 / 3, 6, "−0.666667"),
        (10000.0, 3, "10000"),
        (-10000.5, 3, "−10000.500"),
        (900000.0004, 4, "900000.0004"),
        (999999.0, 3, "999999"),
        (1e6, 3, "1.000×10⁶"),
        (-1234567.8, 3, "−1.235×10⁶"),
        (1234567.8, 0, "1×10⁶"),
        (1e300, 2, "1.00×10³⁰⁰"),
    ],
)
def test_show(value: float, decimals: int, text: str) -> None:
    assert show(value, decimals).text == text


@settings(max_examples=200)
@generated(st.floats(-1e12, 1e12) | st.floats(-2, 2), st.integers(0, 6))
def test_what_is_shown_is_what_its_text_says_and_near(value: float, decimals: int) -> None:
    shown = show(value, decimals)
    plain = shown.text.replace("−", "-")
    power = re.fullmatch(r"(.+)×10([⁰¹²³⁴⁵⁶⁷⁸⁹]+)", plain)
    unit = 10.0**-decimals
    if power:
        exponent = power[2].translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789"))
        plain, unit = f"{power[1]}e{exponent}", unit * 10.0 ** int(exponent)
    assert shown.value == float(plain)
    assert abs(shown.value - value) <= unit / 2 * (1 + 1e-9) + 1e-10
    assert not plain.startswith("-0") or shown.value != 0
    assert bool(power) == (abs(value) >= 1e6)
    assert show(-value, decimals).value == -shown.value


NOTES: list[tuple[Expr, int, str | None]] = [
    (
        Sum((Num(0.24826), Num(0.24826))),
        3,
        "0.248 + 0.248 gives 0.496. Before rounding the result is 0.4965, shown as 0.497.",
    ),
    (
        Product((Num(1.2345678), Num(-2.0))),
        2,
        "1.23·(−2) gives −2.46. Before rounding the result is −2.469, shown as −2.47.",
    ),
    (
        Exp(Num(2.886751)),
        3,
        "e^2.887 gives 17.939. Before rounding the result is 17.9349, shown as 17.935.",
    ),
    (
        Quotient(Num(9.0), Root(Num(2.6))),
        0,
        "9 / √3 gives 5. Before rounding the result is 5.6, shown as 6.",
    ),
    (Sum((Num(0.25), Num(0.5))), 2, None),
    (Sum((Num(2.0), Num(1.0))), 0, None),
    (Sum((Num(1.0), Num(-INF))), 3, None),
    (Sum((Num(0.5), Num(0.49999999))), 3, None),  # 1 and 1.000 are one number
    (Product((Num(0.0), Num(1 / 3))), 3, None),
]


@pytest.mark.parametrize(("expression", "decimals", "note"), NOTES)
def test_note(expression: Expr, decimals: int, note: str | None) -> None:
    assert ledger_note(expression, expression.value, decimals) == note


def test_a_note_shortens_long_lines() -> None:
    long = Sum(tuple(Num(1 / 3) for _ in range(30)))
    note = ledger_note(long, long.value, 3)
    assert note is not None
    assert note.startswith("The line with the numbers as shown gives 9.990.")


def test_a_note_where_the_shown_numbers_give_none() -> None:
    none = ledger_note(Quotient(Num(0.04), Num(0.04)), 1.0, 1)
    assert none is not None
    assert none.startswith("0.0 / 0.0 gives no number.")


_leaf = st.floats(-50, 50).map(Num) | st.integers(-9, 9).map(lambda x: Num(float(x)))
_positive = st.floats(1.0, 50.0).map(Num)
_terms = st.lists(_leaf, min_size=1, max_size=4).map(tuple)
_products = st.lists(_leaf, min_size=1, max_size=3).map(lambda f: Product(tuple(f)))
_expressions: st.SearchStrategy[Expr] = st.one_of(
    _leaf,
    _terms.map(Sum),
    _products,
    st.lists(_products, min_size=1, max_size=3).map(lambda t: Sum(tuple(t))),
    st.builds(Difference, _leaf, _leaf),
    st.builds(Quotient, _terms.map(Sum), _positive.map(Root)),
    st.builds(lambda a, b: Quotient(Exp(a), Sum((Exp(a), Exp(b)))), _leaf, _leaf),
    st.builds(lambda a, b: Exp(Difference(a, b)), _leaf, _leaf),
)


@settings(max_examples=150)
@generated(_expressions, st.integers(1, 6))
def test_reach_contains_the_truth_and_hand_arithmetic(expression: Expr, decimals: int) -> None:
    low, high = reach(expression, decimals)
    by_hand = expression.evaluate(lambda num: num.shown(decimals).value)
    dust = 1e-9 * max(1.0, abs(low), abs(high))
    assert low - dust <= expression.value <= high + dust
    assert low - dust <= by_hand <= high + dust


@pytest.mark.parametrize(
    ("score", "printed"),
    [(5 / 3**0.5, 17.940), (3 / 3**0.5, 5.651), (4 / 3**0.5, 10.063)],
)
def test_reach_matches_the_hand_arithmetic_of_a_source(score: float, printed: float) -> None:
    """«I love AI» prints exponentials of scores that it had rounded before."""
    low, high = reach(Exp(Num(score)), 3)
    half = 0.0005  # the printed number was rounded too
    assert low - half < printed < high + half
    assert show(math.exp(score), 3).value != printed
    assert high - low < 0.02


def test_reach_is_exact_for_integers_and_no_wider_than_the_rounding() -> None:
    assert reach(Sum((Product((Num(2.0), Num(3.0))), Num(-1.0))), 3) == (5.0, 5.0)
    low, high = reach(Sum((Num(0.25), Num(1.0))), 1)
    assert (low, high) == pytest.approx((1.2, 1.3))
    low, high = reach(Product((Num(-2.0), Num(0.5))), 1)
    assert (low, high) == pytest.approx((-1.1, -0.9))
    low, high = reach(Difference(Num(0.5), Num(0.25)), 2)
    assert (low, high) == pytest.approx((0.24, 0.26))


@pytest.mark.parametrize(
    ("terms", "result"),
    [((0.49874, 0.29873), 0.79747), ((0.1004, 0.1004), 0.2008), ((1 / 3, 1 / 3, 1 / 3), 1.0)],
)
def test_a_note_gives_enough_digits_to_see_how_the_result_was_rounded(
    terms: tuple[float, ...], result: float
) -> None:
    """0.79747 is shown as 0.797: a note that says 0.7975 would seem to round to 0.798."""
    note = ledger_note(Sum(tuple(map(Num, terms))), result, 3)
    if note and "Before rounding" in note:
        finer = note.split("Before rounding the result is ")[1].split(",")[0]
        assert show(float(finer), 3).text == show(result, 3).text


def test_what_floats_miss_is_not_told_as_a_difference() -> None:
    terms = Sum((Num(1 / 3), Num(1 / 3), Num(1 / 3)))
    note = "0.333 + 0.333 + 0.333 gives 0.999. The result is exactly 1."
    assert ledger_note(terms, 1 - 2**-53, 3) == note
    assert ledger_note(Product((Num(0.15), Num(3.0))), 0.15 * 3, 1) == (
        "0.2·3 gives 0.6. Before rounding the result is 0.45, shown as 0.5."
    )
