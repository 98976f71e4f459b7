"""Courses of trainings: measures by hand, and the verdicts on trainings made up for them."""

from dataclasses import replace

import numpy as np
import pytest

from core.formation import (
    Formation,
    FormedSentence,
    formed_at,
    half_of_largest,
    head_curve,
    holds_from,
    measures_of,
    on_frequent,
    overlap,
    sharpness,
    words_first,
)
from core.records.attention import CROSS, ENCODER, AttentionMap

SOURCE = ("▁a", "▁b", "▁c", "</s>")
TARGET = ("▁x", "▁y", "</s>")
UNIFORM = np.full((1, 1, 3, 4), 0.25, np.float32)
SHARP = np.eye(3, 4, dtype=np.float32)[None, None]
OFTEN = np.array([0.1, 0.1, 1.0, 1.0])
THIRD = 1 / 3


def mix(share: float) -> np.ndarray:
    return share * SHARP + (1 - share) * UNIFORM


def on_third(share: float, end: float = 0.0) -> np.ndarray:
    """So much of the weight on "▁c" and on ``</s>``, the rest alike."""
    rest = (1 - share - end) / 2
    return np.tile(np.array([rest, rest, share, end], np.float32), (1, 1, 3, 1))


def sentence(cross, gains=None, **more) -> FormedSentence:
    """A sentence whose cross-attention is as given, step by step."""
    gain = None if gains is None else np.array(gains, float)[:, None].repeat(3, axis=1)
    log_probs = np.zeros((len(cross), 3))
    return FormedSentence(SOURCE, TARGET, {"cross": np.stack(cross)}, log_probs, None, gain, **more)


def formation(*sentences, site=CROSS) -> Formation:
    return Formation(np.arange(len(sentences[0].log_probs)) * 10, (site,), sentences)


@pytest.mark.parametrize(
    ("weights", "mask", "expected"),
    [
        pytest.param(UNIFORM, None, 0.0, id="all alike"),
        pytest.param(SHARP, None, 1.0, id="all on one"),
        pytest.param([[[[0.5, 0.5, 0, 0]]]], None, 0.5, id="log 2 of log 4"),
        pytest.param([[[[1, 0], [0.5, 0.5]]]], np.tri(2, dtype=bool), 0.0, id="one row may choose"),
    ],
)
def test_sharpness_by_hand(weights, mask, expected):
    weights = np.array(weights, np.float32)
    tokens = (name * n for name, n in zip((("▁x",), ("▁y",)), weights.shape[2:], strict=True))
    found = sharpness(AttentionMap(CROSS, weights, *tokens, mask=mask))
    assert found[0, 0] == pytest.approx(expected, abs=1e-7)


def test_overlap_with_the_last_map_and_the_answer_by_hand():
    first, last = (AttentionMap(CROSS, mix(share), TARGET, SOURCE) for share in (0.0, 1.0))
    assert overlap(first, last).tolist() == [[pytest.approx(0.25)]]
    assert overlap(last, last).tolist() == [[pytest.approx(1.0)]]
    found = formation(sentence([mix(0.0), mix(1.0)], alignment=(0, 3, -1)))
    curve = head_curve(found, 0, CROSS, "answer")  # the mean weight on the known places
    np.testing.assert_allclose(curve[:, 0, 0], [0.25, 0.5])  # of two rows one is right


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
    assert holds_from(np.array([1.0, 1.0, 0.4]), 0.5) is None
    assert holds_from(np.array([0.4, 1.0, 0.5]), 0.5) == 1


def test_measures_are_offered_where_they_mean_something():
    found = formation(sentence([mix(0.0), mix(1.0)]))
    assert measures_of(found, 0, CROSS) == ("sharpness", "largest", "final")
    with pytest.raises(ValueError, match="next"):
        head_curve(found, 0, CROSS, "next")
    own = FormedSentence(SOURCE, TARGET, {"encoder": np.ones((2, 1, 1, 4, 4))}, np.zeros((2, 3)))
    found = formation(own, site=ENCODER)
    neighbours = ("sharpness", "largest", "previous", "same", "next", "final")
    assert measures_of(found, 0, ENCODER) == neighbours
    assert measures_of(found, 0, ENCODER, ((0,), (1,))) == (*neighbours, "pair")
    assert words_first(found) is None


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
    assert words_first(formation(sentence([mix(s) for s in shares], gains))).verdict == verdict


def test_the_order_of_words_and_attention_is_told_with_its_steadiness():
    first = sentence([mix(s) for s in (0, 0, 0, 0.9)], [0, 1, 1, 1])
    late = sentence([mix(s) for s in (0, 0.9, 0.9, 0.9)], [0, 0, 0, 1.4])
    for sentences, steady in (((first,) * 4, True), ((first, first, late), False)):
        found = words_first(formation(*sentences))
        assert (found.verdict, found.n) == ("words-first", len(sentences))
        assert (found.same > 0.95) == steady


def trained(*courses, frequency=OFTEN, site=CROSS) -> Formation:
    """A training with a sentence for each course of its cross-attention."""
    return formation(*(sentence(each, frequency=frequency) for each in courses), site=site)


@pytest.mark.parametrize("end", [0.0, 0.5])
def test_weight_on_frequent_pieces_by_hand(end):
    """Whatever goes to the end sign, of the rest a third is even."""
    for shares, verdict, highest in (
        ([THIRD, 0.6, THIRD], "gathers-spreads", 1),
        ([THIRD, 0.6, 0.6], "gathers", 1),
        ([0.6, 0.4, 0.25], "spreads", 0),
        ([THIRD, 0.34, THIRD], "steady", 1),
    ):
        found = on_frequent(trained([on_third(share * (1 - end), end) for share in shares]))
        assert (found.pieces, found.recorded, found.n) == (("▁c",), True, 1)
        assert (found.verdict, found.highest, found.same) == (verdict, highest, 1)
        ratios = [each.value for each in found.ratio]
        np.testing.assert_allclose(ratios, np.array(shares) / THIRD, rtol=1e-5)


def test_rows_that_a_window_cuts_have_no_entropy_and_no_shares():
    cut = replace(CROSS, normalised=False)
    course = [on_third(share) for share in (0.3, 0.6, 0.3)]
    assert words_first(trained(course, site=cut)) is None
    assert on_frequent(trained(course, site=cut)) is None
    assert "sharpness" not in measures_of(trained(course, site=cut), 0, cut)
    assert on_frequent(formation(sentence([mix(0.0), mix(1.0)]))) is None  # too few sentences
    course = [on_third(0.3, end) for end in (0.1, 0.4, 0.1)]  # the end sign alone is none
    assert on_frequent(trained(course, frequency=np.array([0.1, 0.1, 0.1, 1.0]))) is None


def test_sentences_that_disagree_leave_a_verdict_open():
    up, down = ([on_third(share) for share in shares] for shares in ((0.3, 0.9), (0.9, 0.3)))
    agreed = on_frequent(trained(up, up, up, up))
    split = on_frequent(trained(up, up, up, down))
    assert (agreed.verdict, agreed.same) == ("gathers", 1)
    assert split.verdict == "gathers"
    assert 0.5 < split.same < 0.95
    assert split.ratio[0].low < split.ratio[0].value < split.ratio[0].high


@pytest.mark.parametrize(
    ("changes", "first"),
    [([-0.1, -0.5, -0.8], 1), ([0.1, 0.5, 0.8], 1), ([0.3, -0.1, -0.8], 2), ([0.0, 0.0], 0)],
    ids=["fall", "rise", "both", "none"],
)
def test_half_of_the_largest_change_is_reached_whatever_its_sign(changes, first):
    assert half_of_largest(np.array(changes)) == first
