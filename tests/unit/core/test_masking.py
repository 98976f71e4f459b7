"""What a mask does to a softmax, by hand and against SciPy and the model."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.special import softmax
from unit.core.test_aggregate import random_record

from core.masking import head_stages, mean_share, share_outside
from core.padding import PaddedRun

CAUSAL = np.tril(np.ones((3, 3), bool))
SCORES = np.array([[0.0, math.log(3), 0.0], [1.0, 1.0, 1.0], [0.0, 0.0, math.log(2)]])


@pytest.fixture
def stages():
    return head_stages(SCORES, CAUSAL)


def test_a_causal_mask_by_hand(stages):
    # exp: row 0 has 1, 3, 1 and may see the first; row 1 has e, e, e and may see two.
    np.testing.assert_allclose(stages.moved, [4 / 5, 1 / 3, 0.0])
    assert stages.mean_moved == pytest.approx((4 / 5 + 1 / 3) / 2)  # of rows with masked keys
    np.testing.assert_allclose(stages.weights, [[1, 0, 0], [0.5, 0.5, 0], [0.25, 0.25, 0.5]])
    np.testing.assert_allclose(stages.terms[0], [1, 0, 0])
    np.testing.assert_allclose(stages.free_terms[0], [1 / 3, 1, 1 / 3])
    assert stages.added[0].tolist() == [0.0, -math.inf, -math.inf]
    free = head_stages(SCORES)
    assert free.mask.all()
    assert free.mean_moved == 0.0
    np.testing.assert_array_equal(free.weights, free.free_weights)


@given(hnp.arrays(float, (4, 4), elements=st.floats(-20, 20)))
@settings(max_examples=30, deadline=None)
def test_stages_are_scipys_softmax_and_what_the_mask_moves_is_what_allowed_keys_gain(scores):
    mask = np.tril(np.ones((4, 4), bool))
    stages = head_stages(scores, mask)
    masked = softmax(np.where(mask, scores, -np.inf), axis=1)
    np.testing.assert_allclose(stages.weights, masked, atol=1e-12)
    np.testing.assert_allclose(stages.free_weights, softmax(scores, axis=1), atol=1e-12)
    gained = np.where(mask, stages.weights - stages.free_weights, 0).sum(axis=1)
    np.testing.assert_allclose(stages.moved, gained, atol=1e-9)


def test_share_outside_of_every_head():
    weights = np.array([[[0.2, 0.5, 0.3], [0.1, 0.2, 0.7], [0.0, 0.0, 1.0]]] * 2)
    np.testing.assert_allclose(share_outside(weights, CAUSAL), [[0.8, 0.7, 0.0]] * 2)
    np.testing.assert_allclose(mean_share(weights, CAUSAL), [0.75, 0.75])
    assert mean_share(np.ones((1, 1)), np.ones((1, 1), bool)) == 0.0


def test_the_weight_on_padding_is_that_of_the_last_keys_of_its_side():
    record = random_record()
    run = PaddedRun(1, 2, record, np.array([-0.5, -1.0]), None)
    np.testing.assert_allclose(run.on_padding("cross"), record.cross.weights[..., 2])
    np.testing.assert_allclose(run.on_padding("decoder"), np.ones((2, 3, 2)), rtol=1e-6)
    assert run.log_prob == -1.5
