"""Every number of every page, computed a second time without the core, and rounded without it."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal
from hashlib import sha256
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from attention_core import OPTIONS
from tests.ui.backwards import in_gradients
from tests.ui.test_pages import board, open_page
from ui.given import inputs_of
from ui.pages import ORDER, PAGES, SHARPEN, STREAM, Page, variant
from ui.settings import read_settings

Array = NDArray[np.float64]
QUERIES: dict[str, dict[str, str]] = {
    "love": {},
    "hand": {"example": "hand", "mask": "padding"},
    "cat": {"example": "cat", "mask": "causal", "decimals": "2"},
    "own": {"text": "no one is no one", "mask": "window", "d_k": "5", "d_v": "2", "decimals": "4"},
    "no mask": {"text": "no one is no one", "at": "4", "causal": "0", "d_v": "2"},
    "blocked": {"mask": "custom", "allow": "110.000.011", "scale": "off"},
    "−10⁹": {"error": "big", "mask": "custom", "allow": "110.111.000"},
    "+∞": {"error": "sign", "mask": "causal", "decimals": "2"},
    "corner": {"error": "corner", "example": "cat", "scale": "0.5"},
    "corner, few": {"error": "corner", "text": "no no", "mask": "causal"},
    "zeros": {"edits": "X:1,1=0;X:1,3=0"},
    "no direction": {"example": "hand", "edits": "Q:0,0=0;K:1,0=0;K:1,1=0"},
    "tied": {"tied": "1", "scale": "-0.75", "shift": "1", "layers": "3", "at": "1"},
    "orders": {"text": "dog bites man", "order": "rotated", "positions": "1", "mask": "causal"},
    "four heads": {"text": "a b a", "d_model": "4", "d_k": "8", "d_v": "4", "h": "4"},
    "shared keys": {"text": "a b a", "d_k": "8", "d_v": "4", "h": "4", "kv_heads": "2"},
    "two sentences": {
        "example": "cat",
        "source": "Die Katze setzte sich hin <b>",
        "pad": "1",
        "edits": "Y:0,1=2.5;W_K:0,0=-2",
        "scale": "0.5",
    },
    "blocks": {"text": "a b c d e f g h i j k l", "block": "3", "shown": "3", "query": "6"},
    "blocked block": {"text": "no a b c no d", "mask": "window", "block": "2", "query": "5"},
    "sinusoidal": {"encoding": "sinusoidal", "example": "cat", "moved": "12", "decimals": "2"},
    "halves": {"encoding": "halves", "text": "a b a", "d_k": "7", "mask": "causal"},
    "ALiBi": {"encoding": "alibi", "slope": "0.125", "example": "hand", "mask": "causal"},
    "base 2": {"base": "2", "example": "cat", "mask": "padding", "exact": "1"},
    "longer step": {"whose": "1", "aim": "2", "rate": "1", "mask": "causal"},
    "low cap": {"cap": "0.5", "example": "cat", "mask": "causal"},
    "low sink": {"sink": "-1.5", "mask": "causal", "decimals": "2"},
    "large": {"edits": "X:0,0=900;W_Q:1,1=-3.5;W_O:0,2=0.25", "seed": "3"},
}


# The lab on one row: its parts, rows, typed scores and extremes.
ROWS: dict[str, dict[str, str]] = {
    "shares": {"part": "shares", "edits": "s:0,0=-3"},
    "typed into X": {"part": "shares", "edits": "s:0,1=1.5;X:2,0=2"},
    "sum 0": {"part": "shares", "row": "64", "edits": "s:0,0=-9.5"},
    "source": {"part": "temperature", "row": "64", "tau": "8"},
    "hand": {"part": "temperature", "example": "hand", "mask": "padding", "tau": "0.3"},
    "shift": {"part": "shift", "offset": "-3.25", "example": "cat"},
    "10000": {"part": "shift", "edits": "s:0,0=10000;s:0,1=-10000;s:0,2=9999", "decimals": "4"},
    "slopes": {"part": "slopes", "text": "a b c d e f g h i j k l", "tau": "2.5"},
    "one token": {"part": "slopes", "text": "one"},
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


def mask_errors(m: dict[str, Array]) -> dict[str, Array]:
    """The classic mistakes with a mask, and the causal mask from both corners."""
    is_open = np.isfinite(m["M"])
    late = np.where(is_open, m["A_scaled"], 0.0)
    sums = np.array([[math.fsum(row)] for row in late])
    large = np.where(is_open, 0.0, -1e9)
    out = {"M_open": is_open.astype(float), "A_late": late, "Z_late": sums}
    out["A_renorm"] = late / np.where(sums == 0.0, 1.0, sums)
    out |= {"M_big": large, "S_big": m["S_scaled"] + large}
    out["A_big"] = softmax(out["S_big"])
    n = len(m["Q"])
    few = 2 if n > 2 else 1
    out |= {"P_few": np.eye(n)[-few:], "Q_few": m["Q"][-few:], "S_few": m["S"][-few:]}
    out["S_few_scaled"] = m["S_scaled"][-few:]
    for corner, first in (("top", 0), ("bottom", n - few)):
        sees = [[j <= first + i for j in range(len(m["K"]))] for i in range(few)]
        out[f"M_{corner}"] = np.where(sees, 0.0, -np.inf)
        out[f"S_{corner}"] = out["S_few_scaled"] + out[f"M_{corner}"]
        out[f"A_{corner}"] = softmax(out[f"S_{corner}"])
    return out


def positions(n: int, d_model: int) -> Array:
    """Sines of the even features and cosines of the odd ones, as the paper prints them."""
    found = np.zeros((n, d_model))
    for place in range(n):
        for t in range(0, d_model, 2):
            turned = place / 10000 ** (t / d_model)
            found[place, t : t + 2] = (math.sin(turned), math.cos(turned))[: d_model - t]
    return found


def angles(places: Any, width: int, repeated: int = 1) -> dict[str, Array]:
    """Places, frequencies and angles: one for each pair, or ``repeated`` for both of a pair."""
    pairs = [t // repeated for t in range(width)]
    whole = width if repeated == 2 else 2 * width
    theta = [1 / 10000 ** (2 * t / whole) for t in pairs]
    turned = [[float(place) * each for each in theta] for place in places]
    column = [[float(place)] for place in places]
    return {"p": np.array(column), "theta": np.array([theta]), "Phi": np.array(turned)}


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
            run |= angles(np.arange(n), run["X"].shape[1], 2)
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
    m["O_diff"] = np.round(m["O_back"] - m["O"], 10)
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


def in_heads(query: dict[str, str]) -> dict[str, Array]:
    """All that the page on heads shows: each head is a run of its own on its columns."""
    m, _ = by_head(query)
    if "X" in m:
        m["U"] = np.einsum("ij,jk->ik", m["O_heads"], m["W_O"])
        m["X_out"] = m["X"] + m["U"]
    return m


def in_groups(query: dict[str, str]) -> dict[str, Array]:
    """All that the page on grouped keys shows: neighbours read one head of keys and values."""
    _, h = by_head(query)
    wanted = int(query.get("kv_heads", "1"))
    kv = next((n for n in range(1, h + 1) if h % n == 0 and n >= wanted), h)
    return by_head(query, [head for head in range(kv) for _ in range(h // kv)])[0]


def by_head(query: dict[str, str], reads: list[int] | None = None) -> tuple[dict[str, Array], int]:
    """Every head by itself, and how many there are; ``reads`` says whose keys a head takes."""
    m = everything(query)
    both = [h for h in range(1, 9) if m["Q"].shape[1] % h == 0 == m["V"].shape[1] % h]
    wanted = int(query.get("h", "2"))
    count = next((h for h in both if h >= wanted), both[-1])
    outputs = []
    for head in range(count):
        group = head if reads is None else reads[head]
        parts = {"Q": head, "K": group, "V": group}
        columns = {key: np.array_split(m[key], count, axis=1)[at] for key, at in parts.items()}
        run = everything(query, columns)
        m |= {f"{key}_{head + 1}": run[key] for key in run if key not in ("K", "V", "K_T")}
        m |= {f"{key}_{group + 1}": run[key] for key in "KV"} | {f"K_{group + 1}_T": run["K_T"]}
        outputs.append(run["O"])
    m["O_heads"] = np.array(
        [[x for part in row for x in part] for row in zip(*outputs, strict=True)]
    )
    return m, count


def of_two_sentences(query: dict[str, str]) -> dict[str, Array]:
    """All that the page on cross-attention shows: keys and values are made of Y, as from an X."""
    given = given_of(query)
    asks = everything(query, given)
    if "X" not in given:  # toy weights, read off a hash
        widths = {"W_K": given["Q"].shape[1], "W_V": given["V"].shape[1]}
        for key, width in widths.items():
            rows = [sha256(f"42|{key}|{i}".encode()).digest() for i in range(4)]
            given[key] = np.array([[byte % 3 - 1.0 for byte in row[:width]] for row in rows])
    made = {key: np.einsum("ij,jk->ik", given["Y"], given[f"W_{key}"]) for key in "KV"}
    mask = np.zeros((len(asks["Q"]), len(given["Y"])))
    if query.get("pad") == "1":
        mask[:, -1] = -np.inf
    met = everything(query, {"Q": asks["Q"]} | made, mask)
    return given | {key: value for key, value in met.items() if key not in given or key in "QKV"}


def with_cache(query: dict[str, str]) -> dict[str, Array]:
    """All that the page on the cache shows: what is kept comes from a run of its own."""
    first = given_of(query)
    t = min(int(query.get("at", "3")), len(first["X" if "X" in first else "Q"]))
    mask = {"mask": "none" if query.get("causal") == "0" else "causal"}

    def run(rows: int, **instead: Array) -> dict[str, Array]:
        few = {k: v[:rows] if k in ("X", "Q", "K", "V") else v for k, v in first.items()}
        return everything(query, few | instead, blocks(mask, rows))

    m, was = run(t), run(t - 1) if t > 1 else {}
    m |= {"M_read": m["M"]} | {f"{key}_was": value for key, value in was.items()}
    m |= new_row(query, m, was, "")
    if "X" in m:
        m |= {"U_1": m["U"], "X_1": m["X_out"]}
        m |= {"X_new": m["X"][-1:], "U_1_new": m["U"][-1:], "X_1_new": m["X_out"][-1:]}
        second, before = run(t, X=m["X_out"]), {}
        if was:
            m |= {"U_1_was": was["U"], "X_1_was": was["X_out"]}
            before = run(t - 1, X=was["X_out"])
        m |= {f"{key}_2": value for key, value in second.items()} | {"K_2_T": second["K_T"]}
        m |= new_row(query, second, before, "_2")
    return m


def new_row(
    query: dict[str, str], now: dict[str, Array], was: dict[str, Array], layer: str
) -> dict[str, Array]:
    """The new row of a layer over its kept keys and values, beside all rows computed again."""
    K, V = (np.array([*was.get(key, []), now[key][-1]]) for key in "KV")
    found = {f"{key}_new": now[key][-1:] for key in "QKV"} | {"K_all": K, "V_all": V}
    found["S_new"] = np.array([[math.fsum(now["Q"][-1] * k) for k in K]])
    found["S_scaled_new"] = found["S_new"] * factor_of(query, K.shape[1])
    found["A_new"] = softmax(found["S_scaled_new"])
    found["O_new"] = np.array([[math.fsum(found["A_new"][0] * v) for v in V.T]])
    found["O_last"] = now["O"][-1:]
    found["O_gap"] = np.round(found["O_new"] - found["O_last"], 10)
    for key in "KVO" if was else "":
        found |= {f"{key}_kept": was[key], f"{key}_now": now[key][:-1]}
        found[f"{key}_diff"] = np.round(now[key][:-1] - was[key], 10)
    parts = {key: key.rpartition("_") for key in found}
    m = {f"{base}{layer}_{run}": found[key] for key, (base, _, run) in parts.items()}
    m[f"K{layer}_all_T"] = np.einsum("ij->ji", K)
    return m | ({f"K{layer}_kept_T": was["K_T"]} if was else {})


def factor_of(query: dict[str, str], d_k: int) -> float:
    """What scores are multiplied by."""
    scale = query.get("scale", "root")
    return {"root": 1 / math.sqrt(d_k), "off": 1.0}.get(scale) or float(scale)


def in_places(query: dict[str, str]) -> dict[str, Array]:
    """All that the page on positions shows: at their places, and further on."""
    m = in_place(query, 0)
    moved = in_place(query, int(query.get("moved", "5")))
    m |= {f"{key}_moved": value for key, value in moved.items()}
    m |= {f"{key[:-2]}_moved_T": moved[key] for key in ("K_T", "K_rot_T") if key in moved}
    scores = "S_alibi" if "S_alibi" in m else "S_scaled"
    m["S_diff"] = np.round(moved[scores] - m[scores], 9)
    return m


def in_place(query: dict[str, str], first: int) -> dict[str, Array]:
    """Positions from one place on, pair by pair as complex numbers."""
    given = given_of(query)
    n, kind = len(given["X" if "X" in given else "Q"]), query.get("encoding", "rotary")
    places = range(first, first + n)
    if kind == "sinusoidal" and "X" in given:
        width = given["X"].shape[1]
        Pos = positions(first + n, width)[first:]
        given |= angles(places, width, 2) | {"Pos": Pos, "X_pos": given["X"] + Pos}
        return everything(query, given)
    m = everything(query, given)
    if kind == "alibi":
        apart = [[float(abs(i - j)) for j in places] for i in places]
        m |= {"p": np.array([[float(place)] for place in places]), "dist": np.array(apart)}
        m["B_alibi"] = -float(query.get("slope", "0.5")) * m["dist"]
        m["S_alibi"] = m["S_scaled"] + m["B_alibi"]
        return m
    pairs = m["Q"].shape[1] // 2
    if kind == "none" or not pairs:
        return m
    m |= angles(places, pairs)
    for key in "QK":
        turned = m[key].copy()
        for place, t in np.ndindex(n, pairs):
            one, other = (t, t + pairs) if kind == "halves" else (2 * t, 2 * t + 1)
            number = complex(turned[place, one], turned[place, other])
            number *= cmath.exp(1j * m["Phi"][place, t])
            turned[place, [one, other]] = number.real, number.imag
        m[f"{key}_rot"] = turned
    m["K_rot_T"] = np.einsum("ij->ji", m["K_rot"])
    rest = everything(query, {"Q": m["Q_rot"], "K": m["K_rot"], "V": m["V"]})
    return m | {key: rest[key] for key in ("S", "S_scaled", "S_masked", "A", "O")}


def shares(scores: Array) -> Array:
    """A softmax, row by row; a row with nothing open is 0."""
    with np.errstate(invalid="ignore"):
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        found: Array = np.nan_to_num(powers / powers.sum(axis=1, keepdims=True))
    return found


def capped(query: dict[str, str]) -> dict[str, Array]:
    """All that the page on the soft cap shows."""
    m, cap = everything(query), float(query.get("cap", "2"))
    m["S_ratio"] = m["S_scaled"] / cap
    m["S_tanh"] = 1 - 2 / (np.exp(2 * np.minimum(m["S_ratio"], 300)) + 1)
    m["S_cap"] = cap * m["S_tanh"]
    m["S_cap_masked"] = m["S_cap"] + m["M"]
    m["A_cap"] = shares(m["S_cap_masked"])
    return m | {"O_cap": np.einsum("ij,jk->ik", m["A_cap"], m["V"])}


def beside_a_sink(query: dict[str, str]) -> dict[str, Array]:
    """All that the page on the sink shows."""
    m = everything(query)
    m["sink"] = np.full((len(m["S"]), 1), float(query.get("sink", "0")))
    m["S_sink"] = np.hstack([m["S_scaled"], m["sink"]])
    m["M_sink"] = np.pad(m["M"], ((0, 0), (0, 1)))
    m["S_sink_masked"] = m["S_sink"] + m["M_sink"]
    m["A_all"] = shares(m["S_sink_masked"])
    m["A_sink"] = m["A_all"][:, :-1]
    return m | {"O_sink": np.einsum("ij,jk->ik", m["A_sink"], m["V"])}


def by_blocks(query: dict[str, str]) -> dict[str, Array]:
    """All that the page on the online softmax shows: each block from all keys up to its end."""
    m = everything(query)
    n, d_v = m["V"].shape
    row, size = min(int(query.get("query", "11")), n - 1), int(query.get("block", "2"))
    m |= {"q": m["Q"][[row]], "M_row": m["M"][[row]], "O_row": m["O"][[row]]}
    s, top, Z, o = m["S_masked"][row], -np.inf, 0.0, np.zeros(d_v)
    m |= {"m_run_0": np.array([[top]]), "Z_run_0": np.zeros((1, 1)), "o_run_0": np.zeros((1, d_v))}
    for b, start in enumerate(range(0, n, size), start=1):
        stop = min(start + size, n)
        part, before = slice(start, stop), top
        top = max(s[:stop])
        powers = np.array([0.0 if x == -np.inf else math.exp(x - top) for x in s[:stop]])
        c = 0.0 if before == -np.inf else math.exp(before - top)
        m[f"K_{b}_T"], m[f"V_{b}"] = m["K_T"][:, part], m["V"][part]
        m |= {f"{key}_{b}": m[key][[row], part] for key in ("M", "S", "S_scaled", "S_masked")}
        m |= {f"m_run_{b}": np.array([[top]]), f"c_run_{b}": np.array([[c]])}
        m |= {f"E_run_{b}": powers[None, part], f"Z_kept_{b}": np.array([[c * Z]])}
        m |= {f"o_kept_{b}": c * o[None], f"Z_added_{b}": powers[None, part].sum(1, keepdims=True)}
        m[f"o_added_{b}"] = powers[None, part] @ m["V"][part]
        Z, o = math.fsum(powers), powers @ m["V"][:stop]
        m |= {f"Z_run_{b}": np.array([[Z]]), f"o_run_{b}": o[None]}
    return m | {"O_online": o[None] / (Z or 1.0)}


def with_base_two(query: dict[str, str]) -> dict[str, Array]:
    """All that the page on exact numbers shows: 2^x is e^(x ln 2)."""
    m = everything(query)
    m["A_two"] = shares(m["S_masked"] * math.log(2.0))
    return m | {"O_two": np.einsum("ij,jk->ik", m["A_two"], m["V"])}


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
    m["S_scaled"] = m["S"] * factor_of(query, m["Q"].shape[1])
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
    m |= mask_errors(m)
    if "X" in m:
        m["U"] = np.einsum("ij,jk->ik", m["O"], m["W_O"])
        m["X_out"] = m["X"] + m["U"]
    return m | directed(m)


def directed(m: dict[str, Array]) -> dict[str, Array]:
    """Scores with one matrix, lengths and cosines, cell by cell."""
    Q, K, S = m["Q"], m["K"], m["S"]
    more = {f"len_{key}": np.array([[math.hypot(*row)] for row in m[key]]) for key in "QK"}
    more["S_tied"] = np.array([[math.fsum(a * b) for b in Q] for a in Q])
    more["len_QK"] = np.array([[math.hypot(*q) * math.hypot(*k) for k in K] for q in Q])
    more["C"] = np.array(
        [
            [s / size if size else 0.0 for s, size in zip(*rows, strict=True)]
            for rows in zip(S.tolist(), more["len_QK"].tolist(), strict=True)
        ]
    )
    if "X" in m:
        X, W_Q, W_K = m["X"], m["W_Q"], m["W_K"]
        more["W_QK"] = np.array([[math.fsum(a * b) for b in W_K] for a in W_Q])
        more["X_QK"] = np.einsum("ij,jk->ik", X, more["W_QK"])
        more["S_X"] = np.einsum("ia,ab,jb->ij", X, more["W_QK"], X)
        more |= {"X_T": np.einsum("ij->ji", X), "W_K_T": np.einsum("ij->ji", W_K)}
    return more | {"Q_T": np.einsum("ij->ji", Q), "len_K_T": more["len_K"].reshape(1, -1)}


def of_one_row(query: dict[str, str], S: Array) -> dict[str, Array]:
    """All that the lab on one row shows."""
    s = np.array([[16, 5, 0, 4.5]]) if query.get("row") == "64" else S[-1:].copy()
    for edit in filter(None, query.get("edits", "").split(";")):
        place, number = edit.split("=")
        if place.startswith("s:"):
            s[0, int(place.rpartition(",")[2])] = float(number)
    total = math.fsum(s[0])
    tau, c = (
        np.array([[float(query.get("tau", "0.5"))]]),
        np.array([[float(query.get("offset", "10"))]]),
    )
    m = {"s": s, "r": np.array([[total]]), "A_plain": s / total if total else s * 0.0}
    m |= {"tau": tau, "c": c, "m": np.array([[max(s[0])]]), "s_tau": s / tau, "s_c": s - c}
    m |= {"A": softmax(s), "A_tau": softmax(s / tau), "A_c": softmax(s - c), "A_m": softmax(s)}
    m["s_m"] = s - m["m"]
    m["E_m"] = np.array([[math.exp(x) for x in m["s_m"][0]]])
    m["Z_m"] = np.array([[math.fsum(m["E_m"][0])]])
    if max(s[0]) <= 700:
        m["E"] = np.array([[math.exp(x) for x in s[0]]])
    for sub in ("", "_tau"):
        a = m[f"A{sub}"][0].tolist()
        places = [(i, j) for i in range(len(a)) for j in range(len(a))]
        square = {
            f"D{sub}": [a[i] if i == j else 0.0 for i, j in places],
            f"B{sub}": [a[i] * a[j] for i, j in places],
            f"J{sub}": [a[i] * (float(i == j) - a[j]) for i, j in places],
        }
        m |= {key: np.array(cells).reshape(len(a), -1) for key, cells in square.items()}
        m[f"A{sub}_T"] = np.array([[x] for x in a])
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


@pytest.mark.parametrize("query", ROWS.values(), ids=ROWS)
def test_every_number_of_the_lab_on_one_row_is_the_computed_one(query: dict[str, str]) -> None:
    expected = of_one_row(query, everything(query)["S"])
    check(board(open_page(SHARPEN.file, **query)), expected, int(query.get("decimals", "3")))


BOARDS = [p for p in PAGES if p.board and p != SHARPEN]
# Pages with matrices that `everything` has not.
REFERENCES: dict[Page, Callable[[dict[str, str]], dict[str, Array]]] = {
    ORDER: in_other_order,
    STREAM: in_layers,
    variant("heads"): in_heads,
    variant("grouped"): in_groups,
    variant("cross"): of_two_sentences,
    variant("convention"): lambda query: {key: m.T for key, m in everything(query).items()},
    variant("cache"): with_cache,
    variant("positions"): in_places,
    variant("softcap"): capped,
    variant("sink"): beside_a_sink,
    variant("gradients"): lambda query: in_gradients(
        query, given_of(query), lambda given: everything(query, given)
    ),
    variant("online"): by_blocks,
    variant("exact"): with_base_two,
}


def about(page: Page, query: dict[str, str]) -> bool:
    """Whether a query can matter on a page: it may set what only another variant has."""
    own = query.keys() & (OPTIONS.keys() - {"at", "causal", "h"})
    return not own or bool(own & set(page.chooses))


@pytest.mark.parametrize(
    ("page", "name"),
    [(page, name) for page in BOARDS for name, query in QUERIES.items() if about(page, query)],
    ids=lambda value: value if isinstance(value, str) else value.title,
)
def test_every_number_on_the_page_is_the_computed_one(page: Page, name: str) -> None:
    query = QUERIES[name]
    message: dict[str, Any] = board(open_page(page.file, **query))
    expected = REFERENCES.get(page, everything)(query)
    scores = expected["S_shift" if "S_shift" in message["matrices"] else "S_masked"]
    with np.errstate(over="ignore"):
        expected["E"] = np.exp(scores)
    expected["Z"] = expected["E"].sum(axis=1, keepdims=True)
    check(message, expected, int(query.get("decimals", "3")))


def test_every_option_of_a_variant_has_another_value_in_some_query() -> None:
    used = {name for query in QUERIES.values() for name in query}
    wanted = {name for name, option in OPTIONS.items() if not option.same}
    assert wanted <= used, f"give {wanted - used} a value other than the default in QUERIES"


def check(message: dict[str, Any], expected: dict[str, Array], decimals: int) -> None:
    """Every number as it is shown."""
    missing = message["matrices"].keys() - expected.keys()
    assert not missing, f"give the page a row in REFERENCES that computes {sorted(missing)}"
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
