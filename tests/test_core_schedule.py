"""The warm-up schedule by hand."""

import pytest

from core.schedule import flat_start, rate_multiplier, warmup_learning_rate


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (1, 1 / 8 / 1000),  # 64^-0.5 * 1 * 100^-1.5
        (50, 50 / 8 / 1000),
        (100, 1 / 8 / 10),  # both branches meet
        (400, 1 / 8 / 20),
        (10_000, 1 / 8 / 100),
    ],
)
def test_learning_rate_by_hand(step, expected):
    assert warmup_learning_rate(step, 64, 100) == pytest.approx(expected)


def test_the_peak_is_at_the_end_of_the_warmup():
    rates = [warmup_learning_rate(step, 512, 37) for step in range(1, 200)]
    assert rates.index(max(rates)) + 1 == 37


def test_warmup_is_a_straight_line():
    rates = [warmup_learning_rate(step, 512, 50) for step in range(1, 51)]
    assert rates == pytest.approx([rates[0] * step for step in range(1, 51)])


def test_the_base_model_of_the_paper_peaks_at_seven_in_ten_thousand():
    assert warmup_learning_rate(4000, 512, 4000) == pytest.approx(6.99e-4, rel=1e-3)


def test_the_factor_scales_every_step():
    assert warmup_learning_rate(70, 64, 100, 2.5) == 2.5 * warmup_learning_rate(70, 64, 100)


def test_the_rate_follows_straight_lines_between_its_points():
    points = [[100, 1.0], [200, 0.5], [210, 1.0]]
    factors = [rate_multiplier(step, points) for step in (1, 100, 150, 200, 205, 300)]
    assert factors == pytest.approx([1.0, 1.0, 0.75, 0.5, 0.75, 1.0])


def test_without_points_the_rate_is_the_papers():
    assert rate_multiplier(10_000, []) == 1.0


def test_a_flat_start_stands_at_the_peak_and_then_falls_as_it_would():
    points, peak = flat_start(100), warmup_learning_rate(100, 64, 100)
    rates = [warmup_learning_rate(n, 64, 100) * rate_multiplier(n, points) for n in (1, 37, 100)]
    assert rates == pytest.approx([peak] * 3)
    assert rate_multiplier(400, points) == 1
