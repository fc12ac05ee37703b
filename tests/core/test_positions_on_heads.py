"""Positions on several heads: against rotary embeddings and ALiBi written in PyTorch."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from attention_core import (
    EXAMPLES,
    AttentionError,
    Graph,
    alibi_slopes,
    as_columns,
    cached,
    causal_corners,
    checked_code,
    gradients,
    layered,
    moved_on,
    multi_head,
    notebook,
    online_softmax,
    reordered,
    self_attention,
    split_heads,
    with_alibi,
    with_positions,
    with_rotary,
)
from attention_core.symbols import symbol
from tests.core.test_derivations import check_cell
from tests.core.test_emit import check_programs, run
from tests.core.test_sdpa import expect_same

pytestmark = pytest.mark.filterwarnings("error")
every_layout = pytest.mark.parametrize("halves", [False, True], ids=["pairs", "halves"])
every_mask = pytest.mark.parametrize("mask", [None, "causal"])
HEADS = [(1, 1), (2, 1), (2, 2), (4, 1), (4, 2), (4, 4)]
every_heads = pytest.mark.parametrize(("heads", "kv_heads"), HEADS)
N, D_MODEL, D_V = 5, 6, 3
KEYS = ("X", "W_Q", "W_K", "W_V", "W_O")


def numbers(heads: int, kv_heads: int, d_k: int) -> list[Any]:
    """X and the packed weights."""
    rng = np.random.default_rng(heads * 10 + d_k)
    wide = (heads * d_k, kv_heads * d_k, kv_heads * D_V)
    shapes = ((N, D_MODEL), *((D_MODEL, width) for width in wide), (heads * D_V, D_MODEL))
    return [rng.normal(size=shape) for shape in shapes]


def on_heads(heads: int, kv_heads: int, d_k: int, mask: Any = None) -> Graph:
    given = numbers(heads, kv_heads, d_k)
    return multi_head(*given, heads=heads, kv_heads=kv_heads, mask=mask)


def turned(x: torch.Tensor, halves: bool, first: int = 0) -> torch.Tensor:
    """Rotary embeddings of (heads, n, d_k), as GPT-J (pairs) and GPT-NeoX and Llama (halves)."""
    d_k = x.shape[-1] // 2 * 2
    rest, x = x[..., d_k:], x[..., :d_k]
    speeds = 1.0 / 10000.0 ** (torch.arange(0, d_k, 2, dtype=torch.float64) / d_k)
    angles = torch.outer(torch.arange(first, first + x.shape[-2], dtype=torch.float64), speeds)
    if halves:
        angles = torch.cat([angles, angles], dim=-1)
        other = torch.cat([-x[..., d_k // 2 :], x[..., : d_k // 2]], dim=-1)
    else:
        angles = angles.repeat_interleave(2, dim=-1)
        other = torch.stack([-x[..., 1::2], x[..., 0::2]], dim=-1).flatten(-2)
    return torch.cat([x * angles.cos() + other * angles.sin(), rest], dim=-1)


def same_as_pytorch(
    graph: Graph,
    heads: int,
    kv_heads: int,
    turn: Callable[[torch.Tensor], torch.Tensor] = lambda x: x,
    bias: torch.Tensor | None = None,
) -> None:
    """The outputs and the gradients of X and every weight, for a loss with weights of its own."""
    leaves = [torch.tensor(graph[key].value, requires_grad=True) for key in KEYS]
    x, W_Q, W_K, W_V, W_O = leaves
    q, k, v = (
        (x @ W).reshape(N, count, -1).transpose(0, 1)
        for W, count in ((W_Q, heads), (W_K, kv_heads), (W_V, kv_heads))
    )
    blocked = torch.tensor(graph["M"].value)
    added = blocked.expand(heads, N, N) if bias is None else bias + blocked
    out = torch.nn.functional.scaled_dot_product_attention(
        turn(q)[None], turn(k)[None], v[None], attn_mask=added[None], enable_gqa=True
    )
    O = out[0].transpose(0, 1).flatten(1)
    U = O @ W_O
    upstream = np.random.default_rng(1).normal(size=U.shape)
    np.testing.assert_allclose(graph["O"].value, O.detach().numpy(), atol=1e-12)
    np.testing.assert_allclose(graph["U"].value, U.detach().numpy(), atol=1e-12)
    back = gradients(graph, "U", upstream)
    truths = torch.autograd.grad((U * torch.tensor(upstream)).sum(), leaves)
    for key, truth in zip(KEYS, truths, strict=True):
        np.testing.assert_allclose(back[f"d{key}"].value, truth.numpy(), atol=1e-10)


@every_layout
@every_mask
@every_heads
@pytest.mark.parametrize("d_k", [2, 3, 4, 7])
def test_every_head_is_turned_as_models_turn_it(
    d_k: int, heads: int, kv_heads: int, mask: str | None, halves: bool
) -> None:
    graph = with_rotary(on_heads(heads, kv_heads, d_k, mask), halves=halves, first=3)
    assert graph["Phi"].shape == (N, d_k // 2)
    same_as_pytorch(graph, heads, kv_heads, lambda x: turned(x, halves, 3))
    for head in range(heads):
        assert graph[f"Q_rot_{head + 1}"].shape == (N, d_k)
    for key in ("Q", "K"):
        np.testing.assert_array_equal(graph[key].value, on_heads(heads, kv_heads, d_k)[key].value)


@every_layout
@every_heads
def test_one_wide_head_shared_out_is_turned_head_by_head(
    heads: int, kv_heads: int, halves: bool
) -> None:
    rng = np.random.default_rng(5)
    X, W = rng.normal(size=(N, 4)), [rng.normal(size=(4, 4 * heads)) for _ in range(3)]
    plain = self_attention(X, W[0], W[1], W[2], "causal")
    graph = with_rotary(split_heads(plain, heads, kv_heads), halves=halves)
    leaves = [torch.tensor(a, requires_grad=True) for a in (X, *W)]
    x, *weights = leaves
    q, k, v = (
        (x @ w[:, : 4 * count]).reshape(N, count, -1).transpose(0, 1)
        for w, count in zip(weights, (heads, kv_heads, kv_heads), strict=True)
    )
    out = torch.nn.functional.scaled_dot_product_attention(
        turned(q, halves)[None], turned(k, halves)[None], v[None], is_causal=True, enable_gqa=True
    )
    O = out[0].transpose(0, 1).flatten(1)
    np.testing.assert_allclose(graph["O_heads"].value, O.detach().numpy(), atol=1e-12)
    back = gradients(graph, "O_heads")
    truths = torch.autograd.grad(O.sum(), leaves)
    for key, truth in zip(KEYS, truths, strict=False):
        np.testing.assert_allclose(back[f"d{key}"].value, truth.numpy(), atol=1e-10)
    np.testing.assert_array_equal(graph["O"].value, plain["O"].value)  # the wide head stays


@every_layout
@every_heads
@pytest.mark.parametrize("d_k", [2, 5])
def test_turned_scores_of_every_head_depend_on_the_distance_only(
    d_k: int, heads: int, kv_heads: int, halves: bool
) -> None:
    X, *W = numbers(heads, kv_heads, d_k)
    same = multi_head(np.repeat(X[:1], N, 0), *W, heads=heads, kv_heads=kv_heads)
    graph = with_rotary(same, halves=halves)
    for head in range(1, heads + 1):
        S = graph[f"S_{head}"].value
        np.testing.assert_allclose(S[1:, 1:], S[:-1, :-1], atol=1e-10)
        assert not np.allclose(S[0], S[0, 0])
        for first in (-7, 100):
            further = with_rotary(same, halves=halves, first=first)
            np.testing.assert_allclose(further[f"S_{head}"].value, S, atol=1e-10)


@every_mask
@every_heads
def test_every_head_has_a_slope_of_its_own(heads: int, kv_heads: int, mask: str | None) -> None:
    slopes = alibi_slopes(heads)
    graph = with_alibi(on_heads(heads, kv_heads, 3, mask), slopes)
    place = torch.arange(N, dtype=torch.float64)
    apart = (place[:, None] - place[None, :]).abs()
    bias = torch.stack([-apart * slope for slope in slopes])
    same_as_pytorch(graph, heads, kv_heads, bias=bias)
    further = with_alibi(on_heads(heads, kv_heads, 3, mask), slopes, first=50)
    np.testing.assert_array_equal(further["U"].value, graph["U"].value)


def test_slopes_can_be_a_list_an_array_or_a_tensor() -> None:
    graph = on_heads(2, 1, 2)
    U = with_alibi(graph, (0.5, 0.25))["U"].value
    for slopes in ([0.5, 0.25], np.array([0.5, 0.25]), torch.tensor([0.5, 0.25])):
        np.testing.assert_array_equal(with_alibi(graph, slopes)["U"].value, U)  # type: ignore[arg-type]
    one = on_heads(1, 1, 2)
    np.testing.assert_array_equal(
        with_alibi(one, 0.25)["U"].value, with_alibi(one, (0.25,))["U"].value
    )
    both = with_alibi(TWO, (1, 0))
    np.testing.assert_array_equal(both["S_alibi_2"].value, TWO["S_scaled_2"].value)
    np.testing.assert_array_equal(both["O"].value, ONE["O"].value)  # the wide head stays


def published(heads: int) -> list[float]:
    """The slopes as the authors' code computes them: a start, and each the one before times it."""
    power = 1
    while 2 * power <= heads:
        power *= 2
    found = [[2.0 ** (-8.0 / power)], [2.0 ** (-4.0 / power)]]
    for row, count in zip(found, (power, 2 * power), strict=True):
        while len(row) < count:
            row.append(row[-1] * row[0])
    return found[0] + [slope for at, slope in enumerate(found[1]) if at % 2 == 0][: heads - power]


def test_the_slopes_are_those_of_the_published_code() -> None:
    for heads in range(1, 18):
        assert len(alibi_slopes(heads)) == heads
        assert alibi_slopes(heads) == pytest.approx(published(heads), rel=1e-12)
    assert alibi_slopes(np.int64(3)) == (1 / 16, 1 / 256, 1 / 4)  # type: ignore[arg-type]
    assert alibi_slopes(12)[8:] == pytest.approx([2.0 ** -(0.5 + t) for t in range(4)])
    assert alibi_slopes(12)[:8] == alibi_slopes(8)


@pytest.mark.parametrize("heads", [0, -1, True, 2.5, 8.0, "8", None, float("nan")])
def test_slopes_for_no_number_of_heads_are_refused(heads: Any) -> None:
    with pytest.raises(AttentionError, match=r"alibi_slopes: heads is .* whole number from 1 on\."):
        alibi_slopes(heads)


def wide(mask: Any) -> Graph:
    X, W_Q, W_K, *_ = numbers(4, 4, 2)
    return self_attention(X, W_Q, W_K, W_K[:, 4:], mask)


BUILDS: dict[str, Callable[[Graph], Graph]] = {
    "rotary": with_rotary,
    "halves": lambda graph: with_rotary(graph, halves=True),
    "alibi": lambda graph: with_alibi(graph, alibi_slopes(4)),
}
GRAPHS: dict[str, Callable[[Any], Graph]] = {
    "multi_head": lambda mask: on_heads(4, 4, 2, mask),
    "grouped": lambda mask: on_heads(4, 2, 3, mask),
    "split": lambda mask: split_heads(wide(mask), 4, 2),
}
every_kind = pytest.mark.parametrize("kind", BUILDS)
every_graph = pytest.mark.parametrize("of", GRAPHS)


@every_kind
@every_graph
@every_mask
def test_the_programs_run_and_say_the_same(kind: str, of: str, mask: str | None) -> None:
    graph = BUILDS[kind](GRAPHS[of](mask))
    check_programs(graph)
    for decimals in (0, 3):
        for torch_too in (False, True):
            names = run(checked_code(graph, decimals, torch=torch_too))
            for m in graph.steps:
                np.testing.assert_allclose(np.asarray(names[m.key]), m.value, atol=1e-9)
        cells = json.loads(notebook(graph, "Positions", decimals))["cells"]
        run("\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code"))
        code = expect_same(graph, decimals)
    assert code.count("F.scaled_dot_product_attention(") == 4 + (of == "split")
    pair = 4 if of == "multi_head" else 2
    called = f"Q_4, K_{pair}, V_{pair}"
    if kind == "alibi":
        added = " + M" if mask else ""
        assert f"O_4 = F.scaled_dot_product_attention({called}, attn_mask=B_alibi_4{added})" in code
    else:
        called = called.replace("Q_", "Q_rot_").replace("K_", "K_rot_")
        assert f"O_4 = F.scaled_dot_product_attention({called}" in code


@every_kind
@every_graph
def test_every_cell_explains_itself(kind: str, of: str) -> None:
    graph = moved_on(BUILDS[kind](GRAPHS[of]("causal")), 7)
    for matrix in graph.steps:
        assert symbol(matrix.key).title != matrix.key or matrix.key == "p"
        for row, col in np.ndindex(matrix.shape):
            check_cell(graph.explain(matrix.key, row, col))


@every_kind
@every_graph
def test_moving_all_tokens_on_leaves_the_scores_of_every_head(kind: str, of: str) -> None:
    graph = moved_on(BUILDS[kind](GRAPHS[of]("causal")), 100)
    assert "S_diff" not in graph
    for head in range(1, 5):
        assert not graph[f"S_{head}_diff"].value.any(), "exactly"
    last = "O_heads" if of == "split" else "U"
    np.testing.assert_allclose(graph[f"{last}_moved"].value, graph[last].value, atol=1e-10)
    added = moved_on(with_positions(GRAPHS[of](None)), 1)
    assert all(added[f"S_{head}_diff"].value.any() for head in range(1, 5))
    assert ("S_diff" in added) == (of == "split")


def test_a_blocked_row_stays_blocked_in_every_head() -> None:
    mask = np.ones((N, N), dtype=bool)
    mask[1] = False
    for build in BUILDS.values():
        graph = build(on_heads(4, 2, 2, mask))
        assert graph.undefined_rows == (1,)
        assert not graph["U"].value[1].any()


@pytest.mark.parametrize("scale", [0.0, -2.0, 0.3])
def test_the_scale_stays(scale: float) -> None:
    X, *W = numbers(2, 1, 3)
    graph = with_rotary(multi_head(X, *W, heads=2, kv_heads=1, scale=scale))
    np.testing.assert_allclose(graph["S_scaled_2"].value, scale * graph["S_2"].value)
    biased = with_alibi(multi_head(X, *W, heads=2, kv_heads=1, scale=scale), (1, 2))
    bias = biased["S_alibi_2"].value - biased["S_scaled_2"].value
    np.testing.assert_allclose(bias[0], [0.0, -2.0, -4.0, -6.0, -8.0])


ONE = EXAMPLES["cat"].graph()
TWO = split_heads(ONE, 2)
FOUR = on_heads(4, 2, 2)
NAN: Any = float("nan")


@pytest.mark.parametrize(
    ("graph", "slope", "says"),
    [
        (ONE, NAN, "with_alibi: slope is nan, wanted a finite number"),
        (ONE, float("-inf"), "with_alibi: slope is -inf, wanted a finite number"),
        (ONE, None, "with_alibi: slope is None, wanted"),
        (ONE, "1", "with_alibi: slope is '1', wanted"),
        (ONE, True, "with_alibi: slope is True, wanted"),
        (ONE, 10**400, "with_alibi: slope is 1000.*…, wanted"),
        pytest.param(ONE, 10**5000, "slope is a number of thousands", id="too long to write"),
        (ONE, 1j, "with_alibi: slope is 1j, wanted"),
        (ONE, (0.5, 0.25), "with_alibi: got 2 slopes for 1 head. Give one a head"),
        (TWO, 0.5, r"with_alibi: got 1 slope for 2 heads. .* alibi_slopes\(2\)"),
        (FOUR, 0.5, r"with_alibi: got 1 slope for 4 heads. .* alibi_slopes\(4\)"),
        (FOUR, (1, 2, 3), "with_alibi: got 3 slopes for 4 heads"),
        (FOUR, (), "with_alibi: got 0 slopes for 4 heads"),
        (TWO, (0.5, NAN), "with_alibi: slope 2 is nan, wanted"),
        (TWO, (None, 1), "with_alibi: slope 1 is None, wanted"),
        (TWO, [[0.5], [1]], r"with_alibi: slope 1 is \[0.5\], wanted"),
        (TWO, {0.5, 1}, "with_alibi: slope is {.*}, wanted"),
        (TWO, "12", "with_alibi: slope is '12', wanted"),
    ],
)
def test_slopes_that_cannot_be_are_refused(graph: Graph, slope: Any, says: str) -> None:
    with pytest.raises(AttentionError, match=says):
        with_alibi(graph, slope)


@pytest.mark.parametrize("value", ["1", 1.5, 1.0, True, None, NAN, 10**400, -(10**9) - 1, [0]])
def test_places_that_are_no_whole_numbers_are_refused(value: Any) -> None:
    for graph in (ONE, TWO):
        with pytest.raises(AttentionError, match=r"with_rotary: first is .*whole number from"):
            with_rotary(graph, first=value)
        with pytest.raises(AttentionError, match=r"with_alibi: first is .*whole number from"):
            with_alibi(graph, (0.5,) * (1 if graph is ONE else 2), first=value)
    with pytest.raises(AttentionError, match=r"moved_on: by is .*wanted a whole number"):
        moved_on(with_rotary(ONE), value)
    assert with_rotary(ONE, first=np.int64(2))["p"].value[0, 0] == 2  # type: ignore[arg-type]


@pytest.mark.parametrize("value", ["1", 1, 0, None, NAN])
def test_a_layout_that_is_not_true_or_false_is_refused(value: Any) -> None:
    with pytest.raises(AttentionError, match=r"with_rotary: halves is .*, wanted True or False"):
        with_rotary(ONE, halves=value)


@pytest.mark.parametrize("of", [ONE, TWO, FOUR], ids=["one", "split", "heads"])
def test_positions_are_given_once(of: Graph) -> None:
    slopes = (0.5,) * {id(ONE): 1, id(TWO): 2, id(FOUR): 4}[id(of)]
    makers: dict[str, Callable[[Graph], Graph]] = {
        "with_positions": with_positions,
        "with_rotary": with_rotary,
        "with_alibi": lambda graph: with_alibi(graph, slopes),
    }
    for first, before in makers.items():
        for second in ("with_rotary", "with_alibi"):
            says = f"{second}: this graph has places p already, made by {first}. .* start from"
            with pytest.raises(AttentionError, match=says):
                makers[second](before(of))
        with pytest.raises(AttentionError, match="moved_on: this graph is moved on already"):
            moved_on(moved_on(before(of), 1), 1)


LATER: dict[str, Callable[[Graph], Graph]] = {
    "layered": lambda graph: layered(graph, 2),
    "cached": lambda graph: cached(graph, 2),
    "online_softmax": lambda graph: online_softmax(graph, 0, 2),
    "reordered": lambda graph: reordered(graph, (1, 0, 2, 3)),
    "causal_corners": causal_corners,
}
NUMBER: Any = 3


def test_graphs_that_positions_would_not_reach_as_a_whole_are_refused() -> None:
    for name, build in (("with_rotary", with_rotary), ("with_alibi", with_alibi)):
        with pytest.raises(AttentionError, match=f"{name}: tokens stand as columns .*as_columns"):
            build(as_columns(ONE))
        with pytest.raises(AttentionError, match=f"{name}: .*gradients.*Call {name} before"):
            build(gradients(ONE, "O"))
        for maker, later in LATER.items():
            says = rf"{name}: .* \({maker}\).* Call {name} before {maker}"
            with pytest.raises(AttentionError, match=says):
                build(later(ONE))
        with pytest.raises(AttentionError, match=f"{name}: got int, wanted a graph"):
            build(NUMBER)
    with pytest.raises(AttentionError, match="moved_on: tokens stand as columns"):
        moved_on(as_columns(with_rotary(ONE)), 1)
    with pytest.raises(AttentionError, match="one component, and a rotation turns two"):
        with_rotary(on_heads(4, 2, 1))
