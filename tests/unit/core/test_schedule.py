"""Learning rates, label smoothing and calibration, by hand and against torch's loss."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from core.calibration import calibration, expected_calibration_error
from core.schedule import flat_start, rate_multiplier, warmup_learning_rate
from core.smoothing import smoothed_target


def test_learning_rates_by_hand():
    for step, expected in (
        (1, 1 / 8 / 1000),  # 64^-0.5 * 1 * 100^-1.5
        (50, 50 / 8 / 1000),
        (100, 1 / 8 / 10),  # both branches meet
        (400, 1 / 8 / 20),
    ):
        assert warmup_learning_rate(step, 64, 100) == pytest.approx(expected)
        assert warmup_learning_rate(step, 64, 100, 2.5) == pytest.approx(2.5 * expected)
    points = [[100, 1.0], [200, 0.5], [210, 1.0]]  # with straight lines between them
    factors = [rate_multiplier(step, points) for step in (1, 100, 150, 200, 205, 300)]
    assert factors == pytest.approx([1.0, 1.0, 0.75, 0.5, 0.75, 1.0])
    assert rate_multiplier(10_000, []) == 1.0


def test_a_flat_start_stands_at_the_peak_and_then_falls_as_it_would():
    points, peak = flat_start(100), warmup_learning_rate(100, 64, 100)
    rates = [warmup_learning_rate(n, 64, 100) * rate_multiplier(n, points) for n in (1, 37, 100)]
    assert rates == pytest.approx([peak] * 3)
    assert rate_multiplier(400, points) == 1


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.4])
def test_the_loss_is_that_of_torch(epsilon):
    logits = torch.randn(50, generator=torch.Generator().manual_seed(3), dtype=torch.float64)
    found = smoothed_target(logits.log_softmax(-1).numpy(), 7, epsilon)
    plain, smoothed = (
        float(F.cross_entropy(logits[None], torch.tensor([7]), label_smoothing=each))
        for each in (0.0, epsilon)
    )
    assert (found.plain_loss, found.smoothed_loss) == pytest.approx((plain, smoothed))


def test_the_target_sums_to_one_and_its_own_distribution_costs_least():
    assert smoothed_target(np.log([0.5, 0.5]), 0, 0.0).least_loss == 0
    found = smoothed_target(np.log(np.full(4, 0.25)), 2, 0.2)
    assert (found.on_label, found.on_others) == pytest.approx((0.85, 0.05))
    own, sharper = (np.log([each, each, 1 - 3 * each, each]) for each in (0.05, 0.01))
    assert smoothed_target(own, 2, 0.2).smoothed_loss == pytest.approx(found.least_loss)
    assert smoothed_target(sharper, 2, 0.2).smoothed_loss > found.least_loss


def test_calibration_by_hand():
    sure = np.array([0.95, 0.95, 0.95, 0.95, 0.55, 0.55])
    right = np.array([True, True, True, False, True, False])
    bins = calibration(sure, right)
    assert bins["count"] == [2, 4]
    assert bins["accuracy"] == [0.5, 0.75]
    assert expected_calibration_error(bins) == pytest.approx((2 * 0.05 + 4 * 0.2) / 6)
    assert calibration(np.array([1.0]), np.array([True]))["count"] == [1]  # has a bin of its own
