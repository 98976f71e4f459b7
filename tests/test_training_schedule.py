"""The warm-up schedule by hand."""

import pytest

from training.schedule import cooldown, warmup_learning_rate


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


def test_the_cooldown_sinks_linearly_to_a_twentieth():
    factors = [cooldown(step, 100, 200) for step in (1, 100, 150, 190, 200, 300)]
    assert factors == pytest.approx([1.0, 1.0, 0.5, 0.1, 0.05, 0.05])


def test_without_a_start_there_is_no_cooldown():
    assert cooldown(10_000, None, 200) == 1.0
