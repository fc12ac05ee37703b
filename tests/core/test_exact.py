"""Exact numbers: they are the floats without rounding, for every op, and have one form."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given as generated
from hypothesis import settings
from hypothesis import strategies as st

from attention_core import EXAMPLES, Graph, attention, base_two, exactly, gradients
from attention_core.exact_number import ExactNumber, exact
from attention_core.exact_terms import NotExact, out_of_root
from attention_core.exact_tree import tree
from attention_core.latex import latex
from attention_core.layers import layered
from attention_core.matrix import Matrix
from attention_core.ops import OPS
from attention_core.stages import softmax_in_steps, unscaled
from tests.core.op_cases import drawn

WHOLE = st.integers(-9, 9).map(float)
SHORT = st.integers(-50, 50).map(lambda x: x / 10)
every_op = pytest.mark.parametrize("name", OPS)


def check(matrix: Matrix, graph: Graph) -> int:
    """Every exact value is the float one; returns how many there are."""
    found = 0
    for row, col in np.ndindex(*matrix.shape):
        value = exactly(graph, matrix.key, row, col).value
        if value is None:
            continue
        found += 1
        wanted = float(matrix.value[row, col])
        size = max(1.0, *(float(abs(m.value[np.isfinite(m.value)]).max(initial=0.0)) for m in
                          matrix.inputs)) if matrix.inputs else 1.0  # fmt: skip
        assert float(value) == pytest.approx(wanted, rel=1e-12, abs=1e-13 * size**2)
    return found


@every_op
@settings(max_examples=30)
@generated(data=st.data())
def test_the_exact_number_is_the_float_without_rounding(name: str, data: st.DataObject) -> None:
    use = data.draw(drawn(name, st.one_of(WHOLE, SHORT)))
    graph = Graph((*use.matrix.inputs, use.matrix))
    found = check(use.matrix, graph)
    if name in ("tanh", "sinusoid", "rotate"):  # only some of 0 are exact
        assert found <= use.matrix.value.size
    elif use.parameter != 0.123456789:  # it has more than three decimals
        assert found == np.sum(use.matrix.value < math.inf)


MASKS: tuple[Any, ...] = (
    None,
    "causal",
    [[False] * 3, [True, False, True], [False, True, False]],
    [[0.5, -math.inf, 2.0], [0.0, -3.0, 0.0], [-math.inf] * 3],
)


@settings(max_examples=30)
@generated(data=st.data(), mask=st.sampled_from(MASKS), scale=st.sampled_from([None, 0.5, -1, 0]))
def test_attention_is_exact_from_whole_numbers_to_the_outputs(
    data: st.DataObject, mask: Any, scale: float | None
) -> None:
    d_k = data.draw(st.integers(1, 8))

    def drawn_rows(columns: int) -> list[list[float]]:
        row = st.lists(st.integers(-4, 4).map(float), min_size=columns, max_size=columns)
        return data.draw(st.lists(row, min_size=3, max_size=3))

    graph = attention(drawn_rows(d_k), drawn_rows(d_k), drawn_rows(2), mask, scale)
    for form in (graph, unscaled(graph), softmax_in_steps(graph, shift=True)):
        for key in form:
            assert check(form[key], form) == form[key].value.size
    for row in range(3):
        weights = [value_of(graph, "A", row, col) for col in range(3)]
        assert sum(weights, exact(0)) == exact(0 if row in graph["A"].undefined else 1)


def value_of(graph: Graph, key: str, row: int, col: int) -> ExactNumber:
    value = exactly(graph, key, row, col).value
    assert value is not None
    return value


def test_gradients_are_exact_too() -> None:
    graph = EXAMPLES["love"].graph(mask="causal")
    back = gradients(graph, "O")
    assert check(back["dW_Q"], back) == back["dW_Q"].value.size


@settings(max_examples=40)
@generated(
    scores=st.lists(st.integers(-20, 20), min_size=1, max_size=6),
    shut=st.lists(st.booleans(), min_size=6, max_size=6),
)
def test_a_softmax_with_base_2_is_a_fraction(scores: list[int], shut: list[bool]) -> None:
    allowed = [not s for s in shut[: len(scores)]]
    keys = [[float(score)] for score in scores]
    graph = base_two(attention([[1.0]], keys, keys, [allowed], 1.0))
    powers = [Fraction(2) ** s if a else Fraction(0) for s, a in zip(scores, allowed, strict=True)]
    for col, power in enumerate(powers):
        wanted = power / sum(powers) if any(powers) else Fraction(0)
        assert value_of(graph, "A_two", 0, col).fraction == wanted
    outputs = sum((p * s for p, s in zip(powers, scores, strict=True)), Fraction(0))
    assert value_of(graph, "O_two", 0, 0).fraction == (outputs / sum(powers) if any(powers) else 0)


NUMBERS = st.recursive(
    st.one_of(
        st.fractions(-5, 5, max_denominator=6).map(exact),
        st.integers(0, 12).map(lambda n: exact(n).sqrt()),
    ),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda pair: pair[0] + pair[1]),
        st.tuples(inner, inner).map(lambda pair: pair[0] * pair[1]),
        st.fractions(-3, 3, max_denominator=6).map(lambda x: exact(x).raised()),
        st.fractions(-3, 3, max_denominator=6).map(lambda x: exact(x).raised(2)),
        st.integers(1, 9).map(lambda n: (exact(n) / exact(3).sqrt()).raised()),
    ),
    max_leaves=4,
)


@settings(max_examples=50)
@generated(a=NUMBERS, b=NUMBERS, c=NUMBERS)
def test_the_laws_of_arithmetic(a: ExactNumber, b: ExactNumber, c: ExactNumber) -> None:
    for one, other in [
        (a + b, b + a),
        (a * b, b * a),
        (a * (b + c), a * b + a * c),
        (a - a, exact(0)),
    ]:
        assert one == other
        assert math.isclose(float(one), float(other), rel_tol=1e-30, abs_tol=1e-30)
    if b.shares:
        quotient = a / b
        assert quotient * b == a
        assert float(quotient) == pytest.approx(float(a) / float(b), rel=1e-9, abs=1e-9)
    assert float(a + b) == pytest.approx(float(a) + float(b), rel=1e-9, abs=1e-9)
    assert float(a * b) == pytest.approx(float(a) * float(b), rel=1e-9, abs=1e-9)


@settings(max_examples=50)
@generated(a=NUMBERS, b=NUMBERS)
def test_what_is_written_is_the_number(a: ExactNumber, b: ExactNumber) -> None:
    for number in (a, b, a + b, a / b if b.shares else a):
        written = tree(number)
        assert written.evaluate(lambda leaf: exact(int(leaf.number))) == number
        assert written.value == pytest.approx(float(number), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    ("number", "text", "as_latex"),
    [
        (exact(5) / exact(3).sqrt(), "5 / √3", r"\frac{5}{\sqrt{3}}"),
        (-(exact(5) / exact(3).sqrt()), "−5 / √3", r"-\frac{5}{\sqrt{3}}"),
        (exact(3) / exact(3).sqrt(), "√3", r"\sqrt{3}"),
        (exact(5) / exact(8).sqrt(), "5 / (2·√2)", r"\frac{5}{2 \cdot \sqrt{2}}"),
        (exact(10) / exact(6).sqrt(), "10 / √6", r"\frac{10}{\sqrt{6}}"),
        (exact(5) / exact(4).sqrt(), "5 / 2", r"\frac{5}{2}"),
        (exact(-2.5), "−5 / 2", r"-\frac{5}{2}"),
        (exact(-7), "−7", "-7"),
        (exact(12345678), "12345678", "12345678"),
        (exact(0), "0", "0"),
        (exact(-1).raised() - exact(2).raised(), "e^−1 − e^2", "e^{-1} - e^{2}"),
        (exact(3.25).raised(2), "2^(13 / 4)", r"2^{\frac{13}{4}}"),
        (exact(3.5).raised(2), "8·√2", r"8 \cdot \sqrt{2}"),
    ],
)
def test_how_it_is_written(number: ExactNumber, text: str, as_latex: str) -> None:
    assert tree(number).text() == text
    assert latex(tree(number)) == as_latex


@generated(st.integers(0, 10**7))
def test_squares_are_taken_out_of_a_root(number: int) -> None:
    outside, root = out_of_root(number)
    assert outside**2 * root == number
    assert not any(root % k**2 == 0 for k in range(2, math.isqrt(root) + 1))


def test_a_square_of_a_large_divisor_is_found_or_refused() -> None:
    assert out_of_root(2 * 1009**2) == (1009, 2)
    with pytest.raises(NotExact, match="so large"):
        out_of_root(1013 * 1009**2)


def lines(graph: Graph, *cells: tuple[str, int, int]) -> Sequence[str]:
    return [exactly(graph, *cell).text.removeprefix("exactly: ") for cell in cells]


def test_the_worked_example() -> None:
    graph = EXAMPLES["love"].graph()
    below = "e^(1 / √3) + e^(5 / √3) + e^√3"
    assert lines(graph, ("S", 0, 1), ("S_scaled", 0, 2), ("A", 0, 1), ("O", 0, 1), ("O", 0, 0)) == [
        "S[I, love] = 5",
        "S_scaled[I, AI] = √3",
        f"A[I, love] = e^(5 / √3) / ({below})",
        f"O[I, 2] = (2·e^(5 / √3) + e^√3) / ({below})",
        "O[I, 1] = 1",
    ]


def test_equal_scores_and_blocked_keys() -> None:
    graph = EXAMPLES["love"].graph(mask="causal")
    assert lines(graph, ("A", 1, 0), ("A", 0, 0), ("A", 0, 1), ("S_masked", 0, 1)) == [
        "A[love, I] = e^√3 / (e^√3 + e^√3) = e^√3 / (2·e^√3) = 1 / 2",
        "A[I, I] = e^(1 / √3) / e^(1 / √3) = 1",
        "A[I, love] = 0",
        "S_masked[I, love] = −∞",
    ]


def test_base_2_is_worked_out_to_the_fraction() -> None:
    graph = base_two(EXAMPLES["love"].graph(scale=1.0))
    assert lines(graph, ("A_two", 0, 1), ("O_two", 0, 1)) == [
        "A_two[I, love] = 32 / 42 = 16 / 21",
        "O_two[I, 2] = (1 / 21)·0 + (16 / 21)·2 + (4 / 21)·1 = 12 / 7",
    ]
    assert exactly(graph, "A_two", 0, 1).latex.endswith(r"= \frac{32}{42} = \frac{16}{21}")


def test_what_is_not_exact_says_why() -> None:
    rough = EXAMPLES["love"].graph(scale=0.3333)
    for key in ("S_scaled", "A", "O"):
        found = exactly(rough, key, 0, 0)
        assert found.value is None
        assert found.parts() == ()
        assert found.latex == ""
        assert found.text == "0.3333 has more than three decimals, so it may be rounded."
    assert exactly(rough, "S", 0, 0).words is None
    typed = attention([[1 / 3]], [[1.0]], [[1.0]])
    why = str(exactly(typed, "Q", 0, 0).words)
    assert why.startswith("0.3333333333333333 has more than three decimals")


def test_a_second_layer_is_not_written_out() -> None:
    graph = layered(EXAMPLES["love"].graph(), 2)
    assert exactly(graph, "S_2", 0, 0).value is not None
    assert exactly(graph, "A_2", 0, 0).words == (
        "An exponent holds powers itself, and is not written out."
    )


def test_a_long_sum_is_cut_on_screen_only() -> None:
    keys = [[float(k)] for k in range(12)]
    graph = attention([[1.0]], keys, keys, scale=1.0)
    (short,) = exactly(graph, "A", 0, 3).parts(most=3)
    assert short.text() == "e^3 / (1 + e^1 + e^2 + … (9 more terms))"
    (full,) = exactly(graph, "A", 0, 3).parts()
    assert full.text().count("e^") == 12
    assert exactly(graph, "A", 0, 3).text == f"exactly: A[1, 4] = {full.text()}"


def test_decimals_that_are_typed_are_fractions() -> None:
    graph = attention([[2.5]], [[1.0], [0.2]], [[1.0], [2.0]], scale=1.0)
    assert lines(graph, ("S", 0, 0), ("A", 0, 0)) == [
        "S[1, 1] = (5 / 2)·1 = 5 / 2",
        "A[1, 1] = e^(5 / 2) / (e^(5 / 2) + e^(1 / 2))",
    ]


@pytest.mark.parametrize("number", [0.0625, -1 / 256, 2.123, 1 / 1024])
def test_halves_of_halves_and_thousandths_are_exact(number: float) -> None:
    assert float(exact(number)) == number


def test_a_number_that_may_be_rounded_is_named_whole() -> None:
    with pytest.raises(NotExact, match=r"892\.9604 has more than three decimals"):
        exact(892.9604)
