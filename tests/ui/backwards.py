"""The page on gradients, computed a second time: every gradient from its formula, cell by cell."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Run = Callable[[dict[str, Array]], dict[str, Array]]


def flipped(value: Array) -> Array:
    return np.array([list(column) for column in zip(*value.tolist(), strict=True)])


def product(left: Array, right: Array) -> Array:
    return np.array([[math.fsum(row * column) for column in right.T] for row in left])


def loss(m: dict[str, Array], target: Array) -> dict[str, Array]:
    """The loss with everything on the way to it."""
    R = m["O"] - target
    rows = [[math.fsum(x * x for x in row)] for row in R.tolist()]
    total = math.fsum(x for (x,) in rows)
    found = {"T": target, "R": R, "Sq": R * R, "L_row": np.array(rows)}
    found |= {"L_row_T": flipped(found["L_row"])}
    return found | {"L_sum": np.array([[total]]), "L": np.array([[total / 2]])}


def slopes(m: dict[str, Array]) -> dict[str, Array]:
    """Every gradient, from the formulas of the paper on the board and the Jacobian of a softmax."""
    A, n = m["A"], len(m["A"])
    d: dict[str, Array] = {"dL": np.ones((1, 1)), "dO": m["R"], "dR": m["R"]}
    d |= {"dL_sum": np.full((1, 1), 0.5), "dL_row": np.full((n, 1), 0.5)}
    d |= {"dL_row_T": np.full((1, n), 0.5), "dSq": np.full(m["R"].shape, 0.5)}
    d |= {"dR_Sq": m["R"] / 2, "dR_Sq2": m["R"] / 2}
    d["dA"] = np.array([[math.fsum(o * v) for v in m["V"]] for o in m["R"]])
    d["dV"] = product(A.T, m["R"])
    d["P_A"] = A * d["dA"]
    d["r_A"] = np.array([[math.fsum(row)] for row in d["P_A"]])
    d["R_A"] = np.array([[r] * n for (r,) in d["r_A"].tolist()])
    d["D_A"] = d["dA"] - d["r_A"]
    jacobians = [np.diag(a) - np.outer(a, a) for a in A]
    d["dS_masked"] = np.array([J @ g for J, g in zip(jacobians, d["dA"], strict=True)])
    is_open = np.isfinite(m["S_masked"])
    d["open_S_masked"] = is_open.astype(float)
    d["dS_scaled"] = np.where(is_open, d["dS_masked"], 0.0)
    d["dS"] = d["dS_scaled"] * m["factor"]
    d["dQ"], d["dK"] = product(d["dS"], m["K"]), product(d["dS"].T, m["Q"])
    if "X" in m:
        for key in "QKV":
            d[f"dW_{key}"] = product(m["X"].T, d[f"d{key}"])
            d[f"dX_{key}"] = product(d[f"d{key}"], m[f"W_{key}"].T)
        d["dX"] = d["dX_Q"] + d["dX_K"] + d["dX_V"]
    return d


def in_gradients(query: dict[str, str], given: dict[str, Array], run: Run) -> dict[str, Array]:
    """All that the page shows: forward, back, one step, and forward again."""
    m = run(given)
    last = len(m["Q"]) - 1
    whose, aim = (min(int(query.get(k, d)), last) for k, d in (("whose", "11"), ("aim", "0")))
    rate = float(query.get("rate", "0.1"))
    plain = np.einsum("ij,kj->ik", m["Q"], m["K"])
    scale = query.get("scale", "root")
    named = {"root": 1 / math.sqrt(m["Q"].shape[1]), "off": 1.0}
    m["factor"] = np.array(named[scale] if scale in named else float(scale))
    assert np.allclose(plain * m["factor"], m["S_scaled"])
    target = m["O"].copy()
    target[whose] = m["V"][aim]
    m |= loss(m, target)
    m |= slopes(m)
    a, da = m["A"][whose], m["dA"][whose]
    m |= {"a": a[None], "a_T": a[:, None], "da": da[None], "da_T": da[:, None]}
    m |= {"D": np.diag(a), "B": np.outer(a, a), "J": np.diag(a) - np.outer(a, a)}
    m |= {"ds": m["dS_masked"][[whose]], "dA_T": flipped(m["dA"])}
    moved = dict(given)
    for key in ("W_Q", "W_K", "W_V") if "X" in m else ("Q", "K", "V"):
        m[f"step_{key}"] = rate * m[f"d{key}"]
        moved[key] = given[key] - m[f"step_{key}"]
    again = run(moved)
    again |= loss(again, target)
    m |= {f"{key}_after": value for key, value in again.items() if not key.endswith("_T")}
    m |= {"K_after_T": again["K_T"], "L_row_after_T": again["L_row_T"]}
    m["A_diff"] = again["A"] - m["A"]
    return (
        m
        | {f"{key}_T": flipped(m[key]) for key in ("Q", "A", "V", "X", "dK") if key in m}
        | {f"W_{key}_T": flipped(m[f"W_{key}"]) for key in "QKV" if "X" in m}
    )
