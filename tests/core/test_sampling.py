"""Random pairs: the measures against theory and against plain NumPy, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from attention_core import DIVISORS, AttentionError, dot_products, sharpness

SIZES = (1, 2, 15, 16, 17, 64, 511, 512)


def test_every_size_is_there_and_scaled_by_its_root() -> None:
    found = dot_products(SIZES, pairs=50, seed=3)
    assert tuple(one.d for one in found) == SIZES
    for one in found:
        np.testing.assert_allclose(one.scaled * one.d**0.5, one.raw, rtol=1e-12)


@pytest.mark.parametrize("seed", [1, 2, 42])
def test_mean_and_variance_follow_theory(seed: int) -> None:
    """Within five standard errors: of the mean √(d/n), of the variance d·√(2/n) at least."""
    pairs = 10_000
    for one in dot_products(SIZES, pairs, seed):
        mean, variance, scaled_mean, scaled_variance = one.moments
        fourth = (3 + 6 / one.d) - 1  # of a sum of d products of two normal numbers
        assert abs(mean) < 5 * (one.d / pairs) ** 0.5
        assert abs(variance / one.d - 1) < 5 * (fourth / pairs) ** 0.5
        assert scaled_mean == pytest.approx(mean / one.d**0.5)
        assert scaled_variance == pytest.approx(variance / one.d)
        spread = float(np.sum((one.raw - one.raw.mean()) ** 2))
        assert variance == pytest.approx(spread / (pairs - 1))


def test_also_few_pairs_give_the_variance_of_theory_on_average() -> None:
    variances = [dot_products((16,), 2, seed)[0].moments[1] for seed in range(1, 2001)]
    assert np.mean(variances) == pytest.approx(16, rel=0.15)


def test_a_larger_size_adds_products_to_the_same_sums() -> None:
    """So d = 64 is the same number, whatever other sizes are asked for."""
    alone = dot_products((64,), 30, 5)[0].raw
    among = next(one for one in dot_products(SIZES, 30, 5) if one.d == 64).raw
    np.testing.assert_array_equal(alone, among)


def test_a_seed_is_a_sample() -> None:
    first, again, other = (dot_products((8,), 20, seed)[0].raw for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert not np.allclose(first, other)


def test_sharpness_is_that_of_a_softmax() -> None:
    """Entropy and Jacobian of the same scores, by PyTorch."""
    seed, d, keys, rows = 4, 33, 8, 64
    random = np.random.default_rng(seed)
    q = random.standard_normal((rows, 1, 512))
    k = random.standard_normal((rows, keys, 512))
    scores = torch.tensor((q * k)[:, :, :d].sum(axis=2))
    by = dict(zip(DIVISORS, (1.0, d**0.5, float(d)), strict=True))
    for one in sharpness((d,), seed):
        logits = scores / by[one.divisor]
        entropy = torch.special.entr(torch.softmax(logits, 1)).sum(dim=1) / np.log(keys)
        jacobians = [torch.func.jacrev(torch.softmax)(row, 0) for row in logits]
        assert one.entropy == pytest.approx(float(entropy.mean()))
        assert one.gradient == pytest.approx(
            float(torch.stack([j.norm() for j in jacobians]).mean())
        )


def test_undivided_scores_end_in_a_hard_softmax_and_over_divided_ones_in_a_flat_one() -> None:
    first = {one.divisor: one for one in sharpness((1,), 1)}
    last = {one.divisor: one for one in sharpness((512,), 1)}
    assert len({one.entropy for one in first.values()}) == 1  # at d = 1 the three are one
    assert last["1"].entropy < 0.1 < 0.75 < last["root"].entropy < 0.9 < 0.99 < last["d"].entropy
    assert last["1"].gradient < 0.1 < 0.3 < last["root"].gradient


@pytest.mark.parametrize(
    ("sizes", "pairs", "said"),
    [
        ((), 10, "the sizes are"),
        ((0, 1), 10, "from 1 to 512"),
        ((1, 513), 10, "from 1 to 512"),
        ((4, 2), 10, "ascending"),
        ((4, 4), 10, "ascending"),
        ((4,), 1, "pairs is 1, wanted a whole number from 2 to 10000"),
        ((4,), 10_001, "pairs is 10001, wanted a whole number from 2 to 10000"),
    ],
)
def test_what_cannot_be_drawn_is_refused(sizes: tuple[int, ...], pairs: int, said: str) -> None:
    with pytest.raises(AttentionError, match=said):
        dot_products(sizes, pairs, 0)
