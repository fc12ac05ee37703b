"""Every number of every page, computed a second time without the core, and rounded without it."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.ui.test_pages import board, open_page
from ui.given import inputs_of
from ui.pages import EXAMPLES, ORDER, PAGES, STREAM, Page
from ui.settings import read_settings

Array = NDArray[np.float64]
QUERIES: dict[str, dict[str, str]] = {
    "love": {},
    "hand": {"example": "hand", "mask": "padding"},
    "cat": {"example": "cat", "mask": "causal", "decimals": "2"},
    "own": {"text": "no one is no one", "mask": "window", "d_k": "5", "d_v": "2", "decimals": "4"},
    "blocked": {"mask": "custom", "allow": "110.000.011", "scale": "off"},
    "tied": {"tied": "1", "scale": "-0.75", "shift": "1", "layers": "3"},
    "orders": {"text": "dog bites man", "order": "rotated", "positions": "1", "mask": "causal"},
    "large": {"edits": "X:0,0=900;W_Q:1,1=-3.5;W_O:0,2=0.25", "seed": "3"},
}


def blocks(query: dict[str, str], n: int) -> Array:
    """The mask as it is described to viewers, as numbers to add."""
    kinds: dict[str, Callable[[int, int], bool]] = {
        "none": lambda i, j: True,
        "causal": lambda i, j: j <= i,
        "window": lambda i, j: i - 1 <= j <= i,
        "padding": lambda i, j: j < n - 1,
        "custom": lambda i, j: query["allow"].split(".")[i][j] == "1",
    }
    may = kinds[query.get("mask", "none")]
    return np.array([[0.0 if may(i, j) else -np.inf for j in range(n)] for i in range(n)])


def softmax(scores: Array) -> Array:
    """Each row by itself; a row of nothing but −∞ is 0."""
    out = np.zeros_like(scores)
    for i, row in enumerate(scores):
        if np.isfinite(row).any():
            powers = [math.exp(x - max(row)) for x in row]
            out[i] = [p / math.fsum(powers) for p in powers]
    return out


def positions(n: int, d_model: int) -> Array:
    """Sines of the even features and cosines of the odd ones, as the paper prints them."""
    found = np.zeros((n, d_model))
    for place in range(n):
        for t in range(0, d_model, 2):
            turned = place / 10000 ** (t / d_model)
            found[place, t : t + 2] = (math.sin(turned), math.cos(turned))[: d_model - t]
    return found


def given_of(query: dict[str, str]) -> dict[str, Array]:
    given = inputs_of(read_settings(query)[0])[0].given
    return {key: np.array(value) for key, value in given.items()}


def in_other_order(query: dict[str, str]) -> dict[str, Array]:
    """All that the Order page shows: rows are taken and put back one by one, never through P."""
    first = given_of(query)
    n = len(first["X" if "X" in first else "Q"])
    here = list(range(n))
    there = {
        "reversed": here[::-1],
        "rotated": [*here[1:], *here[:1]],
        "swapped": [*here[:2][::-1], *here[2:]],
    }[query.get("order", "reversed")]
    second = first | {key: first[key][there] for key in ("X", "Q", "K", "V") if key in first}
    if "X" in first and query.get("positions") == "1":
        for run in (first, second):
            run["Pos"] = positions(*run["X"].shape)
            run["X_pos"] = run["X"] + run["Pos"]
    mask = blocks(query, n)
    if query.get("mask") == "padding":  # the padding is a token, and goes where it goes
        mask = np.array([[mask[i, j] for j in there] for i in there])
    m, other = everything(query, first), everything(query, second, mask)
    m |= {f"{key}_P": value for key, value in other.items()} | {"K_P_T": other["K_T"]}
    m["P"] = np.array([[float(token == wanted) for token in here] for wanted in there])
    m["P_T"] = np.array([[float(token == wanted) for wanted in there] for token in here])
    m["O_back"] = np.array([other["O"][there.index(token)] for token in here])
    # What a sum's order leaves in the last bits is no difference.
    m["D"] = np.round(m["O_back"] - m["O"], 10)
    return m


def in_layers(query: dict[str, str]) -> dict[str, Array]:
    """All that the page of the residual stream shows: each layer is a run of its own."""
    first = given_of(query)
    m = everything(query, first)
    if "X" not in first:
        return m
    m["X_sum"] = read = first["X"]
    for layer in range(1, int(query.get("layers", "2")) + 1):
        run = everything(query, first | {"X": read})
        made = {f"{key}_{layer}": value for key, value in run.items()}
        m |= made | {f"K_{layer}_T": run["K_T"], f"X_{layer}": run["X_out"]}
        m["X_sum"] = m["X_sum"] + run["U"]
        read = run["X_out"]
    return m


def everything(
    query: dict[str, str], given: dict[str, Array] | None = None, mask: Array | None = None
) -> dict[str, Array]:
    """All that a page shows, from the given numbers."""
    m = dict(given or given_of(query))
    if "X" in m:
        rows = m.get("X_pos", m["X"])
        m |= {key: np.einsum("ij,jk->ik", rows, m[f"W_{key}"]) for key in "QKV"}
    m["K_T"] = np.array([list(column) for column in zip(*m["K"].tolist(), strict=True)])
    m["S"] = np.array([[math.fsum(q * k) for k in m["K"]] for q in m["Q"]])
    scale = query.get("scale", "root")
    factor = {"root": 1 / math.sqrt(m["Q"].shape[1]), "off": 1.0}.get(scale)
    m["S_scaled"] = m["S"] * (float(scale) if factor is None else factor)
    m["M"] = blocks(query, len(m["Q"])) if mask is None else mask
    m["S_masked"] = m["S_scaled"] + m["M"]
    m["A"], m["A_scaled"], m["A_raw"] = map(softmax, (m["S_masked"], m["S_scaled"], m["S"]))
    tops = [[max(row)] if np.isfinite(row).any() else [0.0] for row in m["S_masked"]]
    m["m"] = np.array(tops)
    m["S_shift"] = m["S_masked"] - m["m"]
    m["H"] = np.array([row == max(row) for row in m["S_masked"]]) * np.isfinite(m["S_masked"])
    m["H"] = m["H"] / np.maximum(m["H"].sum(axis=1, keepdims=True), 1)
    for out, weights in (("O", "A"), ("O_H", "H")):
        m[out] = np.array([[math.fsum(a * v) for v in m["V"].T] for a in m[weights]])
    if "X" in m:
        m["U"] = np.einsum("ij,jk->ik", m["O"], m["W_O"])
        m["X_out"] = m["X"] + m["U"]
    return m


def rounded(value: float, decimals: int) -> Decimal | float:
    """As at school: halves away from 0."""
    if math.isinf(value):
        return value
    return Decimal(repr(value)).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)


def read(text: str) -> float:
    """A number as it stands on the screen."""
    plain = text.replace("−", "-").replace("∞", "inf")
    number, _, power = plain.partition("×10")
    return float(number) * 10.0 ** int(
        power.translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")) or 0
    )


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
@pytest.mark.parametrize("page", [p for p in PAGES if p != EXAMPLES], ids=lambda page: page.title)
def test_every_number_on_the_page_is_the_computed_one(page: Page, query: dict[str, str]) -> None:
    message: dict[str, Any] = board(open_page(page.file, **query))
    expected = {ORDER: in_other_order, STREAM: in_layers}.get(page, everything)(query)
    decimals = int(query.get("decimals", "3"))
    scores = expected["S_shift" if "S_shift" in message["matrices"] else "S_masked"]
    with np.errstate(over="ignore"):
        expected["E"] = np.exp(scores)
    expected["Z"] = expected["E"].sum(axis=1, keepdims=True)
    for key, matrix in message["matrices"].items():
        for i, row in enumerate(matrix["cells"]):
            for j, text in enumerate(row):
                value = float(expected[key][i, j])
                if "×10" in text:
                    assert read(text) == pytest.approx(value, rel=10.0**-decimals)
                else:
                    shown = rounded(value, decimals)
                    same = read(text) == pytest.approx(float(shown), abs=1e-9)
                    assert same, f"{key}[{i}, {j}]"
