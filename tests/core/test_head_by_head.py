"""Soft cap, sink and masks of their own on several heads, against PyTorch."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given as drawn
from hypothesis import strategies as st

from attention_core import (
    EXAMPLES,
    AttentionError,
    Graph,
    as_columns,
    as_rows,
    attention,
    base_two,
    checked_code,
    exactly,
    gradients,
    mha_code,
    multi_head,
    multi_head_attention,
    notebook,
    numpy_function,
    residual,
    sink,
    softcap,
    split_heads,
    torch_function,
    with_alibi,
    with_masks,
    with_rotary,
)
from attention_core.symbols import symbol
from tests.core.test_derivations import check_cell
from tests.core.test_emit import check_programs, run
from tests.core.test_multi_head import COUNTS, MASKS, mask_of
from tests.core.test_positions_on_heads import turned
from tests.core.test_sdpa import expect_same

pytestmark = pytest.mark.filterwarnings("error")
sizes = st.integers(1, 4)
KEYS = ("X", "W_Q", "W_K", "W_V", "W_O")


def arrays_of(counts: tuple[int, int], n: int, d_k: int, d_v: int, seed: int) -> list[Any]:
    """X and the packed weights."""
    (heads, kv_heads), rng = counts, np.random.default_rng(seed)
    widths = heads * d_k, kv_heads * d_k, kv_heads * d_v
    shapes = ((n, 3), *((3, width) for width in widths), (heads * d_v, 3))
    return [rng.normal(size=shape) for shape in shapes]


def scores_and_values(
    leaves: list[torch.Tensor], counts: tuple[int, int], turn: Callable[[Any], Any]
) -> tuple[torch.Tensor, torch.Tensor]:
    """The scaled scores of each head, and its values."""
    X, W_Q, W_K, W_V, _ = leaves
    (heads, kv_heads), n = counts, len(X)
    q, k, v = (
        (X @ W).reshape(n, count, -1).transpose(0, 1)
        for W, count in ((W_Q, heads), (W_K, kv_heads), (W_V, kv_heads))
    )
    q, k = turn(q), turn(k).repeat_interleave(heads // kv_heads, 0)
    return q @ k.mT / q.shape[-1] ** 0.5, v.repeat_interleave(heads // kv_heads, 0)


def same(graph: Graph, key: str, weights: torch.Tensor, V: torch.Tensor, leaves: Any) -> Any:
    """Outputs, update and gradients of X and all weights; the gradients of the graph."""
    O = (weights @ V).transpose(0, 1).flatten(1)
    U = O @ leaves[-1]
    upstream = np.random.default_rng(1).normal(size=U.shape)
    np.testing.assert_allclose(graph[key].value, O.detach().numpy(), atol=1e-12)
    np.testing.assert_allclose(graph["U"].value, U.detach().numpy(), atol=1e-11)
    back = gradients(graph, "U", upstream)
    loss = (U * torch.tensor(upstream)).sum()
    for name, slope in zip(KEYS, torch.autograd.grad(loss, leaves, retain_graph=True), strict=True):
        np.testing.assert_allclose(back[f"d{name}"].value, slope.numpy(), atol=1e-10)
    return back, loss


def safe(scores: torch.Tensor) -> torch.Tensor:
    """The softmax, and 0 for a row of nothing but −∞, also on the way back."""
    none = torch.isneginf(scores).all(dim=-1, keepdim=True)
    return scores.masked_fill(none, 0.0).softmax(dim=-1).masked_fill(none, 0.0)


def added(wanted: Any) -> torch.Tensor:
    return torch.tensor(np.where(wanted, 0.0, -np.inf) if wanted.dtype == bool else wanted)


cases = drawn(
    sizes, st.sampled_from(COUNTS), sizes, sizes, MASKS, st.booleans(), st.integers(0, 99)
)


@cases
def test_softcap_on_every_head(
    n: int, counts: tuple[int, int], d_k: int, d_v: int, kind: str, turns: bool, seed: int
) -> None:
    given, (mask, wanted) = arrays_of(counts, n, d_k, d_v, seed), mask_of(kind, n, n, seed)
    turns = turns and d_k > 1
    cap = (0.5, 2.0, 50.0)[seed % 3]
    plain = multi_head(*given, heads=counts[0], kv_heads=counts[1], mask=mask)
    graph = softcap(with_rotary(plain) if turns else plain, cap)
    leaves = [torch.tensor(a, requires_grad=True) for a in given]
    S, V = scores_and_values(leaves, counts, (lambda x: turned(x, False)) if turns else lambda x: x)
    same(graph, "O_cap", safe(cap * torch.tanh(S / cap) + added(wanted)), V, leaves)
    if turns:  # the cap may come first
        again = with_rotary(softcap(plain, cap))
        np.testing.assert_array_equal(again["U"].value, graph["U"].value)


@cases
def test_a_sink_for_every_head(
    n: int, counts: tuple[int, int], d_k: int, d_v: int, kind: str, turns: bool, seed: int
) -> None:
    given, (mask, wanted) = arrays_of(counts, n, d_k, d_v, seed), mask_of(kind, n, n, seed)
    turns, heads = turns and d_k > 1, counts[0]
    learned = (np.random.default_rng(seed).normal(size=heads) * 3).tolist()
    plain = multi_head(*given, heads=heads, kv_heads=counts[1], mask=mask)
    graph = sink(with_rotary(plain) if turns else plain, learned)
    leaves = [torch.tensor(a, requires_grad=True) for a in given]
    sinks = torch.tensor(learned, dtype=torch.float64, requires_grad=True)
    S, V = scores_and_values(leaves, counts, (lambda x: turned(x, False)) if turns else lambda x: x)
    column = sinks[:, None, None].expand(heads, n, 1)
    weights = torch.cat([S + added(wanted), column], dim=-1).softmax(dim=-1)[..., :n]
    back, loss = same(graph, "O_sink", weights, V, leaves)
    (slopes,) = torch.autograd.grad(loss, [sinks])
    for head, slope in enumerate(slopes.tolist(), start=1):
        assert back[f"dsink_{head}"].value.sum() == pytest.approx(slope, abs=1e-10)
    if turns:
        again = with_rotary(sink(plain, learned))
        np.testing.assert_array_equal(again["U"].value, graph["U"].value)


@drawn(sizes, st.sampled_from(COUNTS), sizes, sizes, st.integers(0, 99), st.booleans())
def test_a_mask_for_every_head(
    n: int, counts: tuple[int, int], d_k: int, d_v: int, seed: int, capped: bool
) -> None:
    given, rng = arrays_of(counts, n, d_k, d_v, seed), np.random.default_rng(seed)
    kinds = [("none", "causal", "boolean", "added", "nothing")[rng.integers(5)] for _ in range(9)]
    masks = [mask_of(kinds[head], n, n, seed + head) for head in range(counts[0])]
    plain = multi_head(*given, heads=counts[0], kv_heads=counts[1], mask="causal")
    graph = with_masks(plain, [mask for mask, _ in masks])
    assert "M" not in graph
    leaves = [torch.tensor(a, requires_grad=True) for a in given]
    S, V = scores_and_values(leaves, counts, lambda x: x)
    if capped:
        graph, S = softcap(graph, 1.5), 1.5 * torch.tanh(S / 1.5)
    weights = safe(S + torch.stack([added(wanted) for _, wanted in masks]))
    same(graph, "O_cap" if capped else "O", weights, V, leaves)


def on_heads(mask: Any = "causal") -> Graph:
    return multi_head(*arrays_of((4, 2), 3, 2, 2, 7), heads=4, kv_heads=2, mask=mask)


WIDE = EXAMPLES["cat"].graph(mask="causal")
MASKED = [None, "causal", np.tri(3, dtype=bool), np.ones((3, 3))]
BUILDS: dict[str, tuple[Callable[[], Graph], str]] = {
    "softcap": (lambda: softcap(on_heads(), 2.0), "O_cap"),
    "sink": (lambda: sink(on_heads(), (1.0, -2.0, 0.5, 0.0)), "O_sink"),
    "masks": (lambda: with_masks(on_heads(), MASKED), "O"),
    "capped masks": (lambda: softcap(with_masks(on_heads(), MASKED), 2.0), "O_cap"),
    "sink under masks": (lambda: sink(with_masks(on_heads(), MASKED)), "O_sink"),
    "turned": (lambda: sink(with_rotary(on_heads()), (1.0, -2.0, 0.5, 0.0)), "O_sink"),
    "far": (lambda: with_alibi(softcap(on_heads(), 2.0), (1, 0.5, 0.25, 2)), "O_cap"),
    "split": (lambda: softcap(split_heads(WIDE, 2), 2.0), "O_cap"),
    "split sink": (lambda: sink(split_heads(WIDE, 4, 2)), "O_sink"),
    "blocked": (lambda: softcap(on_heads(np.eye(3, k=-1, dtype=bool)), 2.0), "O_cap"),
}
every_build = pytest.mark.parametrize("name", BUILDS)


@every_build
def test_every_program_says_the_same(name: str) -> None:
    build, key = BUILDS[name]
    graph = build()
    check_programs(graph)
    check_programs(gradients(graph, key))
    for torch_too in (False, True):
        run(checked_code(graph, 3, torch=torch_too))
    cells = json.loads(notebook(graph, "Heads"))["cells"]
    run("\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code"))
    end = "U" if "U" in graph else key
    for write in (numpy_function, torch_function):
        np.testing.assert_allclose(np.asarray(run(write(graph))["result"]), graph[end].value)
    expect_same(graph)


@every_build
def test_pytorchs_attention_is_said_to_make_plain_heads_only(name: str) -> None:
    build, key = BUILDS[name]
    code = expect_same(build())
    calls = [line for line in code.splitlines() if "F.scaled_dot_product_attention(" in line]
    assert calls
    assert not any(line.startswith(("O_cap", "O_sink")) for line in calls)
    if key != "O":
        assert f"{key}_1 = A_{key[2:]}_1 @ V_1" in code


@every_build
def test_every_cell_explains_itself_in_rows_and_in_columns(name: str) -> None:
    graph = BUILDS[name][0]()
    columns = as_columns(graph)
    for matrix in graph.steps:
        assert symbol(matrix.key).title != matrix.key
        for row, col in np.ndindex(matrix.shape):
            check_cell(graph.explain(matrix.key, row, col))
            check_cell(columns.explain(matrix.key, col, row))
        np.testing.assert_array_equal(as_rows(columns)[matrix.key].value, matrix.value)
    check_programs(columns)


def test_what_a_head_is_called() -> None:
    graph = sink(on_heads(), (1.0, -2.0, 0.5, 0.0))
    assert symbol("S_cap_masked_2").text == "S_cap,masked,2"
    joined = r" \mid ".join(f"O_{{sink,{head}}}" for head in range(1, 5))
    assert graph.definition("O_sink") == rf"O_{{\text{{sink}}}} = ({joined})"
    assert symbol("dsink_2").title == "gradient of the score of the sink"
    assert graph["A_sink_3"].cols == graph["A_3"].cols


def test_numbers_of_a_head_are_exact_where_they_can_be() -> None:
    one = [[1.0, 0.0], [0.0, 1.0]]
    graph = sink(multi_head_attention(one, one, one, heads=2, scale=1.0), (0.0, 1.0))
    assert str(exactly(graph, "A_sink_2", 0, 0)) == "exactly: A_sink,2[1, 1] = 1 / (2 + e^1)"
    capped = softcap(multi_head_attention(one, one, one, heads=2), 2.0)
    assert (
        exactly(capped, "S_cap_1", 0, 0).words
        == exactly(softcap(attention([[1.0]], [[1.0]], [[1.0]]), 2.0), "S_cap", 0, 0).words
    )


def test_plain_heads_stay_beside_and_the_update_is_the_new_one() -> None:
    plain = on_heads()
    for graph, key in ((softcap(plain, 1.0), "O_cap"), (sink(plain), "O_sink")):
        for matrix in plain.steps:
            if matrix.key != "U":
                assert graph[matrix.key] is matrix
        assert [m.key for m in graph["U"].inputs] == [key, "W_O"]
    split = split_heads(WIDE, 2)
    graph = softcap(residual(split, of="O_heads"), 1.0)
    assert graph["U"].inputs[0].key == "O_cap"
    np.testing.assert_allclose(graph["X_out"].value, graph["X"].value + graph["U"].value)
    np.testing.assert_array_equal(graph["O"].value, WIDE["O"].value)
    with pytest.raises(AttentionError, match="not several heads on X"):
        mha_code(graph)


def test_one_number_is_for_all_heads_and_several_are_one_a_head() -> None:
    plain = on_heads()
    every, each = sink(plain, 0.5), sink(plain, torch.full((4,), 0.5))  # type: ignore[arg-type]
    np.testing.assert_array_equal(every["U"].value, each["U"].value)
    for scores in ((1.0, 2.0), (1.0,) * 5, ()):
        with pytest.raises(AttentionError, match=rf"sink: got {len(scores)} scores for 4 heads"):
            sink(plain, scores)
    with pytest.raises(AttentionError, match="sink: score 2 is nan"):
        sink(plain, (0.0, float("nan"), 0.0, 0.0))
    with pytest.raises(AttentionError, match="sink: got 2 scores for 1 head"):
        sink(WIDE, (0.0, 1.0))


ON_TOP: dict[str, Callable[[Graph], Graph]] = {
    "softcap": lambda graph: softcap(graph, 1.0),
    "sink": sink,
    "with_masks": lambda graph: with_masks(graph, (None,) * 4),
}


@pytest.mark.parametrize("name", ON_TOP)
def test_what_would_be_left_out_is_refused(name: str) -> None:
    build, plain = ON_TOP[name], on_heads()
    for before, maker in ((softcap(plain, 1.0), "softcap"), (sink(plain), "sink")):
        with pytest.raises(AttentionError, match=rf"{name}: this graph leads to \w+ \({maker}\)"):
            build(before)
    with pytest.raises(AttentionError, match=f"{name}: S_masked_1 is made from S_alibi_1 and M"):
        build(with_alibi(plain, (1, 1, 1, 1)))
    with pytest.raises(AttentionError, match=f"{name}: .*gradients.* Call {name} before gradients"):
        build(gradients(plain, "U"))
    with pytest.raises(AttentionError, match=f"{name}: tokens stand as columns"):
        build(as_columns(plain))
    with pytest.raises(AttentionError, match="base_two: this graph"):
        base_two(build(plain))


@pytest.mark.parametrize(
    ("masks", "says"),
    [
        ((None,) * 3, "with_masks: got 3 masks for 4 heads"),
        ("causal", "with_masks: got 1 mask for 4 heads"),
        (None, "with_masks: got 1 mask for 4 heads"),
        (np.array(1.0), "with_masks: got 1 mask for 4 heads"),
        ((None, None, None, "diagonal"), "mask: got 'diagonal'"),
        (np.zeros((4, 3, 2)), "mask: is 3×2, wanted 3×3"),
    ],
    ids=str,
)
def test_masks_that_do_not_fit_are_refused(masks: Any, says: str) -> None:
    with pytest.raises(AttentionError, match=says):
        with_masks(on_heads(), masks)


def test_one_head_has_its_mask_already() -> None:
    with pytest.raises(AttentionError, match="with_masks: this graph has one head"):
        with_masks(WIDE, [None])
    own = with_masks(split_heads(WIDE, 2), (None, "causal"))
    np.testing.assert_array_equal(own["O"].value, WIDE["O"].value)  # under its M
