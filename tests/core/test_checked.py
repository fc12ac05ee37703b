"""Programs and notebooks that check the screen: they run, agree, and fail on a wrong number."""

from __future__ import annotations

import json
import re
from typing import Any

import nbformat
import numpy as np
import pytest

from attention_core import (
    EXAMPLES,
    MASKS,
    VARIANTS,
    AttentionError,
    Graph,
    Inputs,
    checked_code,
    mha_code,
    notebook,
    residual,
    split_heads,
    toy_inputs,
)
from attention_core.masks import MaskLike
from tests.core.test_emit import run

LONG = toy_inputs(["a", "b", "c", "a", "e", "f"], seed=3, d_model=8, d_k=8, d_v=8)
INPUTS = {key: example.inputs for key, example in EXAMPLES.items()} | {"long": LONG}
BLOCKED = np.array([[False] * 3, [True] * 3, [True, False, True]])


def on(inputs: Inputs, variant: str, mask: MaskLike = None) -> Graph:
    return VARIANTS[variant].graph(inputs.graph(mask), inputs, {})


@pytest.mark.parametrize("torch", [False, True], ids=["numpy", "torch"])
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(("inputs", "decimals"), [("love", 3), ("hand", 0), ("long", 2)])
def test_every_variant_is_a_program_that_holds(
    inputs: str, variant: str, decimals: int, torch: bool
) -> None:
    mask = BLOCKED if inputs == "love" else "causal"
    graph = on(INPUTS[inputs], variant, mask)
    names = run(checked_code(graph, decimals, torch=torch))
    for matrix in graph.steps:
        np.testing.assert_allclose(
            np.asarray(names[matrix.key]), matrix.value, rtol=1e-9, atol=1e-9
        )


@pytest.mark.parametrize("torch", [False, True], ids=["numpy", "torch"])
def test_a_number_that_is_not_the_shown_one_is_found(torch: bool) -> None:
    code = checked_code(EXAMPLES["love"].graph(), torch=torch)
    assert "2.887" in code
    with pytest.raises(AssertionError):
        run(code.replace("2.887", "2.888"))


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("inputs", ["hand", "cat"])
def test_a_notebook_is_valid_and_runs_from_top_to_bottom(inputs: str, variant: str) -> None:
    graph = on(INPUTS[inputs], variant)
    text = notebook(graph, "Two <b>words</b> $x$")
    nbformat.validate(nbformat.reads(text, as_version=4))  # type: ignore[no-untyped-call]
    cells: list[dict[str, Any]] = json.loads(text)["cells"]
    names: dict[str, Any] = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
    assert {m.key for m in graph.steps} <= names.keys()
    assert sum("check(" in "".join(cell["source"]) for cell in cells) > len(graph.keys()) / 2


@pytest.mark.parametrize("title", ["Heads: <b>x</b> $y$ **z** `a` [b](c) &lt; a_b_ #", "I love AI"])
def test_the_title_of_a_notebook_is_read_as_it_is_written(title: str) -> None:
    """Markdown takes a backslash before a sign of its own for «this sign, as it is»."""
    (heading,) = json.loads(notebook(INPUTS["love"].graph(), title))["cells"][0]["source"]
    signs = re.findall(r"\\.|.", heading.removeprefix("# "))
    assert "".join(sign[-1] for sign in signs) == title
    assert not [sign for sign in signs if sign in "<>$*`[]&_#|~"]


@pytest.mark.parametrize("heads", [1, 2, 4, 8])
@pytest.mark.parametrize("mask", MASKS)
def test_pytorchs_own_module_of_several_heads_says_the_same(mask: str, heads: int) -> None:
    graph = split_heads(LONG.graph(MASKS[mask][1](6)), heads)
    graph = residual(graph, LONG.given["W_O"], "O_heads")
    result = run(mha_code(graph))["result"]
    np.testing.assert_allclose(result, graph["X_out"].value, rtol=1e-9, atol=1e-11)


def test_where_pytorchs_module_cannot_say_the_same_the_reason_is_named() -> None:
    cat = EXAMPLES["cat"].inputs
    for graph, why in (
        (cat.graph(), "not several heads"),
        (on(cat, "heads"), "X has 8, Q has 4"),
        (VARIANTS["heads"].graph(LONG.graph(scale=1.0), LONG, {}), "divides by √d_k"),
    ):
        with pytest.raises(AttentionError, match=why):
            mha_code(graph)
