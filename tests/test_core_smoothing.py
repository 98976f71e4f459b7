"""Smoothed targets and calibration, against torch and by hand."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from core.confidence import calibration, expected_calibration_error
from core.schedule import smoothed_target


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.4])
def test_the_loss_is_that_of_torch(epsilon):
    logits = torch.randn(50, generator=torch.Generator().manual_seed(3), dtype=torch.float64)
    found = smoothed_target(logits.log_softmax(-1).numpy(), 7, epsilon)
    expected = F.cross_entropy(logits[None], torch.tensor([7]), label_smoothing=epsilon)
    assert found.smoothed_loss == pytest.approx(float(expected))
    assert found.plain_loss == pytest.approx(
        float(F.cross_entropy(logits[None], torch.tensor([7])))
    )


def test_the_target_sums_to_one_and_its_own_distribution_costs_least():
    found = smoothed_target(np.log(np.full(4, 0.25)), 2, 0.2)
    assert found.on_label == pytest.approx(0.85)
    assert found.on_others == pytest.approx(0.05)
    own = np.log([0.05, 0.05, 0.85, 0.05])
    assert smoothed_target(own, 2, 0.2).smoothed_loss == pytest.approx(found.least_loss)
    assert (
        smoothed_target(np.log([0.01, 0.01, 0.97, 0.01]), 2, 0.2).smoothed_loss > found.least_loss
    )


def test_without_smoothing_nothing_less_than_zero_is_possible():
    assert smoothed_target(np.log([0.5, 0.5]), 0, 0.0).least_loss == 0


def test_calibration_by_hand():
    sure = np.array([0.95, 0.95, 0.95, 0.95, 0.55, 0.55])
    right = np.array([True, True, True, False, True, False])
    bins = calibration(sure, right)
    assert bins["count"] == [2, 4]
    assert bins["accuracy"] == [0.5, 0.75]
    assert expected_calibration_error(bins) == pytest.approx((2 * 0.05 + 4 * 0.2) / 6)


def test_certainty_itself_has_a_bin():
    assert calibration(np.array([1.0]), np.array([True]))["count"] == [1]
