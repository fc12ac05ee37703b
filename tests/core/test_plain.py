"""What may be built on what: nothing is left out silently, and no function takes columns for rows.

The two tests that go over all public functions find a new one by themselves.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

import attention_core as core
from attention_core import (
    EXAMPLES,
    AttentionError,
    Cell,
    Graph,
    as_columns,
    as_rows,
    attention,
    base_two,
    cached,
    cached_step,
    descend,
    gradients,
    layered,
    look_up,
    loop_code,
    mask_errors,
    mha_code,
    multi_head,
    numpy_function,
    online_softmax,
    residual,
    saturated_row,
    sdpa_code,
    sink,
    softcap,
    softmax_in_steps,
    split_heads,
    torch_function,
    torch_module,
    unscaled,
    value_loss,
    with_alibi,
    with_positions,
    with_rotary,
)
from attention_core.again import made_again
from attention_core.ops import scale
from attention_core.plain import RESULTS
from tests.core.test_emit import run

Build = Callable[[Graph], Any]
PLAIN = EXAMPLES["cat"].inputs.graph("causal")
GIVEN = EXAMPLES["cat"].inputs.given
HEADS = multi_head(*(GIVEN[key] for key in ("X", "W_Q", "W_K", "W_V")), heads=2)
STEP = cached_step(GIVEN["X"][:1], GIVEN["W_Q"], GIVEN["W_K"], GIVEN["W_V"])
SQUARE = EXAMPLES["love"].inputs.graph()  # n = d_k = d_v: the transpose has the same shapes

CHANGES: dict[str, Build] = {
    "softcap": lambda g: softcap(g, 2.0),
    "sink": sink,
    "split_heads": lambda g: split_heads(g, 2),
    "online_softmax": lambda g: online_softmax(g, 1),
    "base_two": base_two,
    "layered": lambda g: layered(g, 2),
}
MORE: dict[str, Build] = CHANGES | {
    "value_loss": lambda g: value_loss(g, 0, 1),
    "descend": lambda g: descend(g, 0, 1, 0.1),
    "cached": lambda g: cached(g, 2),
    "residual": residual,
    "mask_errors": mask_errors,
    "unscaled": unscaled,
    "look_up": look_up,
    "torch_module": torch_module,
}


HEAD_BY_HEAD = {"softcap", "sink"}
PAIRS = {(f, t) for f in CHANGES for t in MORE} - {("split_heads", then) for then in HEAD_BY_HEAD}


@pytest.mark.parametrize(("first", "then"), sorted(PAIRS))
def test_nothing_is_built_beside_another_output(first: str, then: str) -> None:
    with pytest.raises(AttentionError, match=rf"{then}: this graph leads to \w+ \({first}\)"):
        MORE[then](CHANGES[first](PLAIN))


@pytest.mark.parametrize("then", [*CHANGES, "unscaled", "mask_errors", "cached", "torch_module"])
def test_distances_are_not_left_out(then: str) -> None:
    if then in ("base_two", "layered"):  # these take the masked scores, or all of it again
        MORE[then](with_alibi(PLAIN))
        return
    with pytest.raises(AttentionError, match=f"{then}: S_masked is made from S_alibi and M here"):
        MORE[then](with_alibi(PLAIN))


@pytest.mark.parametrize("then", ["split_heads", "online_softmax", "cached", "torch_module"])
def test_turned_queries_are_not_left_out(then: str) -> None:
    with pytest.raises(AttentionError, match=f"{then}: this graph has positions between Q, K"):
        MORE[then](with_rotary(PLAIN))
    if then in ("cached", "torch_module"):
        with pytest.raises(AttentionError, match=f"{then}: Q is made from X_pos and W_Q here"):
            MORE[then](with_positions(PLAIN))


@pytest.mark.parametrize("first", ["online_softmax", "layered", "cached"])
@pytest.mark.parametrize("positions", [with_alibi, with_rotary, with_positions])
def test_positions_come_before_what_they_would_not_reach(first: str, positions: Build) -> None:
    with pytest.raises(AttentionError, match=rf"Call {positions.__name__} before {first}\."):
        positions(MORE[first](PLAIN))


@pytest.mark.parametrize("first", [with_alibi, with_rotary, with_positions])
@pytest.mark.parametrize("then", [with_alibi, with_rotary, with_positions])
def test_positions_come_once(first: Build, then: Build) -> None:
    with pytest.raises(AttentionError, match=f"{then.__name__}: this graph has places p already"):
        then(first(PLAIN))


@pytest.mark.parametrize("then", sorted(MORE.keys() - {"residual"}))
def test_several_heads_and_one_step_are_named(then: str) -> None:
    if then not in HEAD_BY_HEAD:
        with pytest.raises(AttentionError, match=f"^{then}: this graph has several heads"):
            MORE[then](HEADS)
    with pytest.raises(AttentionError, match=f"^{then}: this graph is one step with a cache"):
        MORE[then](STEP)
    with pytest.raises(AttentionError, match=f"^{then}: this graph is not attention"):
        MORE[then](saturated_row())


def test_what_goes_together_still_does() -> None:
    np.testing.assert_allclose(
        softcap(with_rotary(PLAIN), 2.0)["O_cap"].value,
        with_rotary(softcap(PLAIN, 2.0))["O_cap"].value,
    )
    np.testing.assert_allclose(
        sink(with_rotary(PLAIN))["O_sink"].value, with_rotary(sink(PLAIN))["O_sink"].value
    )
    capped = with_alibi(softcap(PLAIN, 2.0), 0.5)
    scores = 2.0 * np.tanh(capped["S_alibi"].value / 2.0)
    np.testing.assert_allclose(capped["S_cap"].value, scores)
    plain, sunk = with_alibi(PLAIN, 0.5), with_alibi(sink(PLAIN), 0.5)
    np.testing.assert_array_equal(sunk["S_sink"].value[:, :-1], plain["S_alibi"].value)
    on_top = residual(softcap(PLAIN, 2.0), of="O_cap")
    np.testing.assert_array_equal(on_top["U"].inputs[0].value, on_top["O_cap"].value)
    for beside in (look_up, unscaled, residual, softmax_in_steps, gradients, mask_errors):
        extended = beside(PLAIN)
        np.testing.assert_array_equal(
            softcap(extended, 2.0)["O_cap"].value, softcap(PLAIN, 2.0)["O_cap"].value
        )
        np.testing.assert_array_equal(
            cached(extended, 2)["O_new"].value, cached(PLAIN, 2)["O_new"].value
        )


def test_a_step_changes_weights_and_no_places() -> None:
    for positions in (with_rotary, with_alibi, with_positions):
        graph = descend(positions(PLAIN), 1, 0, 0.1)
        assert [key for key in graph if key in ("p_after", "theta_after")] == []
        assert graph["W_Q_after"].value.shape == graph["W_Q"].shape


def test_programs_give_what_a_graph_leads_to() -> None:
    for build in CHANGES.values():
        graph = build(PLAIN)
        key = next(key for key in RESULTS.values() if key in graph)
        for write in (numpy_function, torch_function):
            for of in (None, "O", key):
                got = np.asarray(run(write(graph, of))["result"])
                np.testing.assert_allclose(got, graph[of or key].value, atol=1e-12)
    two_ends = softcap(residual(PLAIN), 2.0)
    with pytest.raises(AttentionError, match="numpy_function: this graph leads to X_out and O_cap"):
        numpy_function(two_ends)
    assert "return O_cap" in torch_function(two_ends, "O_cap")


def test_programs_of_plain_attention_refuse_the_rest() -> None:
    square = EXAMPLES["cat"].inputs.with_d_k(4).graph()
    with pytest.raises(AttentionError, match="torch_module: U is not made from O"):
        torch_module(residual(look_up(PLAIN), of="O_H"))
    for graph in (layered(square, 2), HEADS, with_rotary(square), PLAIN):
        with pytest.raises(AttentionError, match="not several heads on X with W_O"):
            mha_code(graph)
    wide = core.toy_inputs(("a", "b"), 1, 4, 4, 4).graph()
    shared = residual(split_heads(wide, 2, 1), of="O_heads")
    with pytest.raises(AttentionError, match="each with its own keys and values"):
        mha_code(shared)
    run(loop_code(online_softmax(with_positions(PLAIN), 1)))
    with pytest.raises(AttentionError, match="loop_code: this graph has no blocks"):
        loop_code(PLAIN)
    online = online_softmax(PLAIN, 1)
    other = made_again(online, {"S_scaled": scale(online["S"], 0.1, "S_other")})
    mixed = Graph(tuple(other.get(m.key, m) for m in online.steps))
    with pytest.raises(AttentionError, match="loop_code: this is not plain attention"):
        loop_code(mixed)


@pytest.mark.parametrize("build", [with_rotary, with_alibi, *CHANGES.values()])
def test_pytorchs_own_attention_is_right_on_all(build: Build) -> None:
    graph = build(PLAIN)
    names = run(sdpa_code(graph))
    for key in (key for key in ("O", *RESULTS.values()) if key in graph):
        np.testing.assert_allclose(names[key].numpy(), graph[key].value, atol=1e-12)


# ── tokens as columns ────────────────────────────────────────────────────────────────────────────

# What is right on columns, too. Of these that give a graph the transposes are compared below.
ON_COLUMNS = {
    "as_columns", "as_rows", "beside", "checked_code", "differs", "exactly", "gradients",
    "finite_difference", "mha_code", "notebook", "numpy_code", "numpy_function", "online_gap",
    "parameters", "promised", "sdpa_calls", "sdpa_code", "torch_code", "torch_function",
    "torch_module", "worksheet",
}  # fmt: skip
ARGUMENTS: dict[str, Any] = {
    "Y": GIVEN["X"], "W_K": GIVEN["W_K"], "W_V": GIVEN["W_V"], "order": (1, 0, 2), "was": SQUARE,
    "cell": Cell("X", 0, 0), "by": (1.0,), "precision": "float32", "key": 1, "title": "A",
    "cap": 2.0, "rate": 0.1, "row": 1, "aim": 0, "query": 1, "heads": 3, "layers": 2, "read": 2,
    "token": 1, "col": 0, "masks": (None, None),
}  # fmt: skip


def taking_graphs() -> dict[str, Callable[..., Any]]:
    """Every public function whose first parameter is a graph."""
    found: dict[str, Callable[..., Any]] = {}
    for name in core.__all__:
        function = getattr(core, name)
        if inspect.isfunction(function):
            first = next(iter(inspect.signature(function).parameters.values()), None)
            if first is not None and first.annotation == "Graph":
                found[name] = function
    return found


def called(function: Callable[..., Any], graph: Graph, **more: Any) -> Any:
    needed = [
        p.name
        for p in list(inspect.signature(function).parameters.values())[1:]
        if p.default is inspect.Parameter.empty
    ]
    return function(graph, **({name: ARGUMENTS[name] for name in needed} | more))


@pytest.mark.parametrize("name", sorted(taking_graphs().keys() - ON_COLUMNS))
def test_what_reads_rows_refuses_columns(name: str) -> None:
    with pytest.raises(AttentionError, match=f"^{name}: tokens stand as columns here"):
        called(taking_graphs()[name], as_columns(SQUARE))


@pytest.mark.parametrize("name", ["as_columns", "as_rows", "gradients"])
def test_what_takes_columns_gives_the_transposes(name: str) -> None:
    rows, columns = (taking_graphs()[name](g) for g in (SQUARE, as_columns(SQUARE)))
    for key in (m.key for m in SQUARE.steps):
        np.testing.assert_allclose(as_rows(columns)[key].value, as_rows(rows)[key].value)
        if name == "gradients":
            np.testing.assert_allclose(columns[f"d{key}"].value, rows[f"d{key}"].value.T)


def test_numbers_of_columns_are_those_of_rows() -> None:
    online, stepped = online_softmax(SQUARE, 1), descend(SQUARE, 1, 0, 0.1)
    assert core.online_gap(as_columns(online)) == pytest.approx(core.online_gap(online), abs=1e-15)
    assert core.promised(as_columns(stepped), 0.1) == pytest.approx(core.promised(stepped, 0.1))
    one = core.finite_difference(stepped, Cell("W_V", 0, 1))
    other = core.finite_difference(as_columns(stepped), Cell("W_V", 1, 0))
    assert one == pytest.approx(other)
    keys = [m.key for m in core.parameters(as_columns(SQUARE))]
    assert keys == ["W_Q", "W_K", "W_V"]


@pytest.mark.parametrize("name", sorted(taking_graphs().keys() - {"exactly", "differs"}))
def test_what_is_no_attention_is_refused_in_one_class(name: str) -> None:
    function: Any = taking_graphs()[name]
    for graph in (HEADS, STEP, saturated_row(), attention([[1.0]], [[1.0]], [[1.0]])):
        with suppress(AttentionError):
            called(function, graph)


# ── what is public ───────────────────────────────────────────────────────────────────────────────


def test_every_public_name_is_there() -> None:
    assert [name for name in core.__all__ if not hasattr(core, name)] == []
    assert list(core.__all__) == sorted(
        set(core.__all__), key=lambda n: (n.islower(), n != n.upper(), n)
    )
    public = {
        name
        for name, value in vars(core).items()
        if not name.startswith("_") and not inspect.ismodule(value)
    }
    assert public == set(core.__all__)
    names: dict[str, Any] = {}
    exec("from attention_core import *", names)
    assert set(core.__all__) <= names.keys()


def test_the_index_names_functions_and_keys() -> None:
    assert core.__doc__ is not None
    for function, key in RESULTS.items():
        assert f" {function}" in core.__doc__
        assert key in core.__doc__
