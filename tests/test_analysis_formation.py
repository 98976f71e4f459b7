"""What heads came to do, by hand; and the verdicts on trainings made up for them."""

import numpy as np
import pytest

from analysis.formation import (
    formed_at,
    head_curve,
    holds_from,
    measures_of,
    on_frequent,
    overlap,
    sharpness,
    words_first,
)
from records import CROSS, DECODER, ENCODER, AttentionMap, Formation, FormedSentence

SOURCE = ("▁a", "▁b", "▁c", "</s>")
TARGET = ("▁x", "▁y", "</s>")
UNIFORM = np.full((1, 1, 3, 4), 0.25, np.float32)
SHARP = np.eye(3, 4, dtype=np.float32)[None, None]


def mix(share: float) -> np.ndarray:
    return share * SHARP + (1 - share) * UNIFORM


def formation(cross, gains=None, **more) -> Formation:
    """A training of one sentence whose cross-attention is as given, step by step."""
    weights = {"cross": np.stack(cross)}
    log_probs = np.zeros((len(cross), 3))
    gain = None if gains is None else np.array(gains, float)[:, None].repeat(3, axis=1)
    sentence = FormedSentence(SOURCE, TARGET, weights, log_probs, None, gain, **more)
    return Formation(np.arange(len(cross)) * 10, (CROSS,), (sentence,))


def test_sharpness_is_none_where_all_is_alike_and_one_where_all_is_on_one():
    for weights, expected in ((UNIFORM, 0.0), (SHARP, 1.0)):
        found = sharpness(AttentionMap(CROSS, weights, TARGET, SOURCE))
        np.testing.assert_allclose(found, [[expected]], atol=1e-7)


def test_sharpness_by_hand_over_two_of_four_keys():
    weights = np.array([[[[0.5, 0.5, 0, 0]]]], np.float32)
    found = sharpness(AttentionMap(CROSS, weights, ("▁x",), SOURCE))
    assert found[0, 0] == pytest.approx(0.5)  # log 2 of log 4


def test_sharpness_counts_only_what_a_row_may_look_at():
    weights = np.array([[[[1, 0], [0.5, 0.5]]]], np.float32)
    tokens = ("▁x", "▁y")
    mask = np.tri(2, dtype=bool)
    found = sharpness(AttentionMap(DECODER, weights, tokens, tokens, mask=mask))
    assert found[0, 0] == pytest.approx(0.0)  # the first row has no choice, the second is uniform


def test_overlap_with_the_last_map_by_hand():
    first, last = (AttentionMap(CROSS, mix(share), TARGET, SOURCE) for share in (0.0, 1.0))
    assert overlap(first, last)[0, 0] == pytest.approx(0.25)
    assert overlap(last, last)[0, 0] == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0.0, 0.1, 0.6, 0.9], 2),
        ([0.0, 0.6, 0.1, 0.9], 3),  # it fell back in between
        ([0.8, 0.9, 0.9, 0.8], 0),
        ([0.0, 0.9, 0.9, 0.2], None),  # it does not do so at the end
    ],
)
def test_a_head_has_formed_where_it_stays_above_half_of_its_end(values, expected):
    assert formed_at(np.array(values)) == expected


def test_what_falls_below_at_the_end_does_not_hold():
    assert holds_from(np.array([1.0, 1.0, 0.4]), 0.5) is None
    assert holds_from(np.array([0.4, 1.0, 0.5]), 0.5) == 1


def test_the_answer_is_the_mean_weight_on_the_known_places():
    found = formation([mix(0.0), mix(1.0)], alignment=(0, 3, -1))
    curve = head_curve(found, 0, CROSS, "answer")
    np.testing.assert_allclose(curve[:, 0, 0], [0.25, 0.5])  # of two rows one is right


def test_measures_are_offered_where_they_mean_something():
    found = formation([mix(0.0), mix(1.0)])
    assert measures_of(found, 0, CROSS) == ("sharpness", "largest", "final")
    with pytest.raises(ValueError, match="next"):
        head_curve(found, 0, CROSS, "next")


@pytest.mark.parametrize(
    ("shares", "gains", "verdict"),
    [
        ([0, 0, 0, 0.9], [0, 1, 1, 1], "words-first"),
        ([0, 0.9, 0.9, 0.9], [0, 0, 0, 1], "attention-first"),
        ([0, 0.9, 0.9, 0.9], [0, 1, 1, 1], "together"),
        ([0.9, 0.9, 0.9, 0.9], [0, 1, 1, 1], "not-uniform"),
        ([0, 0, 0.9, 0.9], None, "unknown"),
    ],
)
def test_what_came_first_is_said_as_it_was(shares, gains, verdict):
    assert words_first(formation([mix(s) for s in shares], gains)).verdict == verdict


def test_a_model_that_looks_at_one_side_alone_has_no_word_knowledge_to_follow():
    own = np.full((2, 1, 1, 4, 4), 0.25, np.float32)
    sentence = FormedSentence(SOURCE, TARGET, {"encoder": own}, np.zeros((2, 3)))
    assert words_first(Formation(np.array([0, 1]), (ENCODER,), (sentence,))) is None


def on_end(share: float) -> np.ndarray:
    """So much of the weight on ``</s>``, the rest alike."""
    rest = (1 - share) / 3
    return np.tile(np.array([rest, rest, rest, share], np.float32), (1, 1, 3, 1))


@pytest.mark.parametrize(
    ("shares", "verdict", "highest"),
    [
        ([0.25, 0.6, 0.25], "gathers-spreads", 1),
        ([0.25, 0.6, 0.6], "gathers", 1),
        ([0.6, 0.4, 0.25], "spreads", 0),
        ([0.25, 0.26, 0.25], "steady", 1),
    ],
)
def test_weight_on_frequent_pieces_by_hand(shares, verdict, highest):
    often = np.array([0.1, 0.1, 0.1, 1.0])
    found = on_frequent(formation([on_end(s) for s in shares], frequency=often))
    assert (found.pieces, found.recorded) == (("</s>",), True)
    assert (found.verdict, found.highest) == (verdict, highest)
    np.testing.assert_allclose(found.ratio, np.array(shares) / 0.25, rtol=1e-6)


def test_of_a_few_sentences_nobody_tells_what_is_frequent():
    assert on_frequent(formation([mix(0.0), mix(1.0)])) is None
