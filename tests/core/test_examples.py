"""Every number that the sources print, compared with the computed one."""

from __future__ import annotations

import numpy as np
import pytest

from attention_core import EXAMPLES, SATURATED_ROW, Agreement, Graph, Printed, saturated_row

# Prints that hand arithmetic on rounded numbers explains: the source's text, the true digits.
ROUNDED_BEFORE = {("25.372", "25.368"), ("3.174", "3.173")}
# Prints that no rounding before gives exactly, but rounding on the way does not rule out.
WITHIN = {("17.940", "17.935"), ("5.651", "5.652"), ("10.063", "10.068"), ("18.888", "18.894")}
ALL = [
    pytest.param(example.graph(), printed, id=f"{example.key}-{i}-{printed.text}")
    for example in EXAMPLES.values()
    for i, printed in enumerate(example.printed)
]


@pytest.mark.parametrize(("graph", "printed"), ALL)
def test_every_printed_number_agrees_through_the_ledger(graph: Graph, printed: Printed) -> None:
    agreement = printed.check(graph)
    assert agreement is not Agreement.DIFFERS
    true = f"{printed.computed(graph):.{printed.decimals}f}"
    if agreement is not Agreement.SAME:
        known = ROUNDED_BEFORE if agreement is Agreement.ROUNDED_BEFORE else WITHIN
        assert (printed.text, true) in known
        assert printed.text in str(printed.note(graph))
        assert true in str(printed.note(graph))
    else:
        assert float(true) == pytest.approx(float(printed.text), abs=1.01 * 10.0**-printed.decimals)
        assert printed.note(graph) is None


def test_a_wrong_print_is_found_out() -> None:
    graph = EXAMPLES["hand"].graph()
    weight = next(p for p in EXAMPLES["hand"].printed if p.text == "0.503")
    wrong = Printed("0.513", weight.place, weight.quantity)
    assert wrong.check(graph) is Agreement.DIFFERS
    assert "prints 0.513; the computation gives 0.503" in str(wrong.note(graph))


def test_love_has_the_matrices_of_the_design() -> None:
    graph = EXAMPLES["love"].graph()
    assert graph["Q"].value.tolist() == [[2, 0, 1], [0, 2, 1], [1, 1, 1]]
    assert graph["K"].value.tolist() == [[0, 1, 1], [2, 1, 1], [1, 1, 1]]
    assert graph["V"].value.tolist() == [[1, 0, 1], [1, 2, 0], [1, 1, 0]]
    assert graph["S"].value.tolist() == [[1, 5, 3], [3, 3, 3], [2, 4, 3]]
    np.testing.assert_allclose(graph["A"].value[0], [0.0702, 0.7070, 0.2228], atol=5e-5)
    np.testing.assert_allclose(graph["O"].value[0], [1.0, 1.6368, 0.0702], atol=5e-5)


def test_cat_looks_at_its_determiner_and_its_verb() -> None:
    example = EXAMPLES["cat"]
    graph = example.graph()
    assert example.inputs.sizes == {"d_model": 8, "d_k": 4, "d_v": 4}
    assert graph["X"].cols.labels[:3] == ("determiner", "noun", "verb")
    the, cat, sat, down = graph["A"].value[1]
    assert f"{sat:.2f}" == "0.35"
    assert min(the, sat) > max(cat, down)
    assert graph["A"].value[2].argmax() == 1, "«sat» leans most on «cat»"


def test_three_tokens_start_from_queries_keys_and_values() -> None:
    graph = EXAMPLES["hand"].graph()
    assert list(graph)[:3] == ["Q", "K", "V"]
    assert graph["S"].value.tolist() == [[1, 1, 0], [1, 2, 1], [0, 1, 1]]


def test_the_saturated_row_shows_what_the_source_cannot_have_computed() -> None:
    graph = saturated_row()
    found = [printed.check(graph) for printed in SATURATED_ROW]
    differing = {
        p.text for p, f in zip(SATURATED_ROW, found, strict=True) if f is Agreement.DIFFERS
    }
    assert differing == {"0.9999", "0.0001"}
    np.testing.assert_allclose(graph["A"].value, [[0.615, 0.156, 0.083, 0.146]], atol=5e-4)
    assert graph["A_raw"].value[0, 0] > 0.9999
