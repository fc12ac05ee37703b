"""Numbers that make no sense are refused in one class, whoever takes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from attention_core import (
    BYTES,
    EXAMPLES,
    VARIANTS,
    AttentionError,
    Cell,
    across,
    attention,
    blocks_of,
    cached,
    checked_code,
    counted,
    descend,
    dot_products,
    finite_difference,
    given,
    head_weights,
    in_units,
    kv_head_counts,
    layered,
    notebook,
    online_softmax,
    promised,
    pull,
    row_jacobian,
    sdpa_code,
    sharpness,
    sink,
    sinusoids,
    softcap,
    split_heads,
    value_loss,
    weights_in,
    with_alibi,
    with_positions,
    with_rotary,
    without_value,
    wrong_sign,
)

pytestmark = pytest.mark.filterwarnings("error")
LOVE = EXAMPLES["love"].inputs
G = LOVE.graph("causal")
D = descend(G, 2, 0, 0.1)
HUGE: Any = 10**400
NO_WHOLE: list[Any] = [-1, 1.0, 1.5, "1", None, True, float("nan"), [1]]
NO_NUMBER: list[Any] = ["1", None, True, HUGE, float("nan"), float("inf"), [1.0], b"1", 1j]

WHOLE: dict[str, Callable[[Any], object]] = {
    "value_loss row": lambda k: value_loss(G, k, 0),
    "value_loss aim": lambda k: value_loss(G, 0, k),
    "descend": lambda k: descend(G, k, 0, 0.1),
    "row_jacobian": lambda k: row_jacobian(D, k),
    "finite_difference row": lambda k: finite_difference(D, Cell("X", k, 0)),
    "finite_difference column": lambda k: finite_difference(D, Cell("X", 0, k)),
    "wrong_sign": lambda k: wrong_sign(G, k),
    "weights_in": lambda k: weights_in(G, k, "float32"),
    "without_value": lambda k: without_value(G, k),
    "pull query": lambda k: pull(G, k, 0, (0.0,)),
    "pull key": lambda k: pull(G, 0, k, (0.0,)),
    "layered": lambda k: layered(G, k),
    "cached": lambda k: cached(G, k),
    "split_heads": lambda k: split_heads(G, k),
    "head_weights": lambda k: head_weights(G, k),
    "kv_head_counts": kv_head_counts,
    "online query": lambda k: online_softmax(G, k),
    "online block": lambda k: online_softmax(G, 0, k),
    "blocks_of": lambda k: blocks_of(5, k),
    "blocks_of n": lambda k: blocks_of(k, 2),
    "sinusoids n": lambda k: sinusoids(k, 4),
    "sinusoids d": lambda k: sinusoids(4, k),
    "checked_code": lambda k: checked_code(G, k),
    "sdpa_code": lambda k: sdpa_code(G, k),
    "notebook": lambda k: notebook(G, "A", k),
    "dot_products": lambda k: dot_products((k,), 2, 0),
    "dot_products pairs": lambda k: dot_products((1,), k, 0),
    "dot_products seed": lambda k: dot_products((1,), 2, k),
    "sharpness": lambda k: sharpness((k,), 0),
    "counted": counted,
    "first place": lambda k: with_positions(G, k) if k != -1 else counted(-1),
    "block of the variant": lambda k: VARIANTS["online"].graph(G, LOVE, {"block": k}),
    "token of the variant": lambda k: VARIANTS["online"].graph(G, LOVE, {"query": k}),
    "heads of the variant": lambda k: VARIANTS["heads"].graph(G, LOVE, {"h": k if k != 1 else 0}),
}
FINITE: dict[str, Callable[[Any], object]] = {
    "softcap": lambda x: softcap(G, x),
    "sink": lambda x: sink(G, np.nan if x == [1.0] else x),  # one score a head
    "with_alibi": lambda x: with_alibi(G, np.nan if x == [1.0] else x),  # one slope a head
    "descend": lambda x: descend(G, 0, 1, x),
    "promised": lambda x: promised(D, x),
    "eps": lambda x: finite_difference(D, Cell("X", 0, 0), x),
    "pull": lambda x: pull(G, 0, 0, (x,)),
    "in_units": lambda x: in_units(x, BYTES),
    "cap of the variant": lambda x: VARIANTS["softcap"].graph(G, LOVE, {"cap": x}),
    "rate of the variant": lambda x: VARIANTS["gradients"].graph(G, LOVE, {"rate": x}),
}


UNLIMITED = {
    "split_heads",
    "online block",
    "blocks_of",
    "blocks_of n",
    "dot_products seed",
    "counted",
}


def bad_for(name: str) -> list[Any]:
    several = name in ("blocks_of n", "counted")  # these take 0, and most take no 0
    return NO_WHOLE if several else [*NO_WHOLE, *([0] if "block" in name else [])]


@pytest.mark.parametrize("name", WHOLE)
def test_whole_numbers(name: str) -> None:
    for number in bad_for(name):
        with pytest.raises(AttentionError, match="wanted"):
            WHOLE[name](number)
    if name not in UNLIMITED:
        with pytest.raises(AttentionError, match="wanted"):
            WHOLE[name](HUGE)
    if not name.startswith(("heads", "split", "dot_products pairs")):
        WHOLE[name](1)
        WHOLE[name](np.int64(1))


@pytest.mark.parametrize("name", FINITE)
def test_finite_numbers(name: str) -> None:
    for number in NO_NUMBER:
        with pytest.raises(AttentionError, match="wanted"):
            FINITE[name](number)


@pytest.mark.parametrize("eps", [1e-320, 1e308, 0.0, -1e-5])
def test_a_step_that_measures_nothing_is_refused(eps: float) -> None:
    with pytest.raises(AttentionError, match="finite_difference: eps is"):
        finite_difference(D, Cell("X", 0, 0), eps)
    large = descend(attention([[1e9]], [[1.0]], [[1e9]]), 0, 0, 0.1)
    with pytest.raises(AttentionError, match="too small beside 1e"):
        finite_difference(large, Cell("V", 0, 0), 1e-8)


def test_options_are_checked_by_name() -> None:
    for variant, options, says in (
        ("online", {"block": 0}, "option: block is 0, wanted a whole number from 1 to 12"),
        ("exact", {"base": "3"}, "option: base is '3', wanted 'e', '2'"),
        ("cache", {"causal": 1}, "option: causal is 1, wanted True or False"),
        ("cross", {"source": 3}, "option: source is 3, wanted a text"),
        ("softcap", {"cap": 0.0}, "option: cap is 0.0, wanted a finite number from 0.1 to 100"),
    ):
        wrong: Any = options
        with pytest.raises(AttentionError, match=says):
            VARIANTS[variant].graph(G, LOVE, wrong)


def test_words_say_what_was_got() -> None:
    for call, says in (
        (lambda: weights_in(G, 0, "bf16"), "precision is 'bf16', wanted one of float64"),  # type: ignore[arg-type]
        (lambda: in_units(5, ()), "in_units: there are no units"),
        (lambda: LOVE.graph("window"), r"Use MASKS\['window'\]\[1\]\(n\) for n tokens"),
        (lambda: with_alibi(G, float("nan")), "with_alibi: slope is nan"),
        (lambda: softcap(np.eye(2), 2.0), "softcap: got ndarray, wanted a graph"),  # type: ignore[arg-type]
        (lambda: with_rotary(G, first="a"), "first is 'a'"),  # type: ignore[arg-type]
    ):
        with pytest.raises(AttentionError, match=says):
            call()


def test_another_sequence_may_be_an_array() -> None:
    Y, W_K, W_V = np.eye(2, 4), G["W_K"].value, G["W_V"].value
    plain = across(G, Y, W_K, W_V)
    named = across(G, given("Y", Y), G["W_K"], G["W_V"])
    np.testing.assert_array_equal(plain["O"].value, named["O"].value)
    with pytest.raises(AttentionError, match="Give W_K as many rows as Y has columns"):
        across(G, Y, W_K[:3], W_V)
