"""What tells good translations from bad and one language from another: counts made by hand."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from conftest import ROOT, read_json
from msgspec.structs import replace

from core.confidence import (
    FEWEST,
    Band,
    Confidence,
    LanguageCheck,
    Profile,
    Sure,
    auc,
    auc_interval,
    band_of,
    behind_of,
    excess_of,
    foreign_share,
    learned_profile,
    mean_log_prob,
    other_language,
    word_bits,
    words_of,
)
from core.measurements import CONFIDENCE

LOW, MIDDLE, HIGH = (
    Band("low", -1.0, 30.0, 0.1, 10),
    Band("middle", -0.5, 45.0, 0.4, 40),
    Band("high", None, 65.0, 0.8, 50),
)
BANDED = Confidence(command="", bands=(LOW, MIDDLE, HIGH), auc=0.8, check=None)

# Two letters: after a space always "a" or "b", each followed by either or the end.
PLAIN = Profile("en", " ab", ("f11", "222", "222"), {})


@pytest.mark.parametrize(
    ("values", "good", "expected"),
    [
        # Good 3 and 1 against bad 2 and 1: right, right; wrong, equal. (2 + 1/2) of 4.
        ([3, 1, 2, 1], [True, True, False, False], 2.5 / 4),
        ([1, 2, 3], [False, False, True], 1.0),
        ([3, 2, 1], [False, False, True], 0.0),
        ([1, 2], [True, True], math.nan),
    ],
    ids=["two pairs and a half", "all", "none", "no pair"],
)
def test_the_auc_is_the_share_of_pairs_in_the_right_order(values, good, expected):
    assert auc(values, good) == pytest.approx(expected, nan_ok=True)


def test_pairs_within_a_set_are_counted_set_by_set():
    # One set: good 4 over bad 3; the other: good 1 under bad 2. Across sets 4 > 2 and 1 < 3.
    values, good = [4, 3, 1, 2], [True, False, True, False]
    assert auc(values, good) == 2 / 4
    assert auc(values, good, ["a", "a", "b", "b"]) == 1 / 2
    # What tells the sets apart and nothing else tells nothing within them.
    assert auc([2, 2, 1, 1], [True, False, True, False], ["a", "a", "b", "b"]) == 1 / 2
    assert math.isnan(auc([2, 1], [True, False], ["a", "b"]))


def test_the_interval_of_an_auc_is_that_of_hanley_and_mcneil():
    """Their standard error from the AUC and the two counts, equation 2."""
    rng = np.random.default_rng(0)
    good = rng.random(600) < 0.4
    values = rng.normal(size=600) + good
    found, n, m = auc_interval(values, good), good.sum(), (~good).sum()
    a = found.value
    q1, q2 = a / (2 - a), 2 * a * a / (1 + a)
    error = math.sqrt((a * (1 - a) + (n - 1) * (q1 - a * a) + (m - 1) * (q2 - a * a)) / (n * m))
    assert (found.high - found.low) / 2 == pytest.approx(1.96 * error, rel=0.12)
    assert found.low < a < found.high


@pytest.mark.parametrize(
    ("value", "band"),
    [(-3.0, LOW), (-1.0, MIDDLE), (-0.75, MIDDLE), (-0.5, HIGH), (0.0, HIGH)],
)
def test_a_bound_belongs_to_the_band_above_it(value, band):
    of_token = np.array([value - 1, value + 1, value], np.float32)
    assert mean_log_prob(of_token) == pytest.approx(value)
    assert band_of(BANDED, np.array([value, value])) == band


def test_names_numbers_and_case_are_no_words_and_another_script_is_one_capital():
    assert words_of("Yesterday Anna's DOG saw 3 trains, didn’t it?") == [
        "yesterday", "saw", "trains", "didn't", "it",
    ]  # fmt: skip
    assert words_of("그 동물") == ["H", "HH"]
    assert foreign_share(LanguageCheck((PLAIN,), 1.0, 1.0, 1.0), "ab 그") == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("word", "words", "bits"),
    [
        ("ab", {}, 1 + 2 + 2),  # " a", "ab", "b "
        ("x", {}, 15 + 15),  # the most, for a letter that the language lacks
        # 1/2 as a frequent word, and 1/2 * 2^-9 by its letters.
        ("abba", {"abba": 50_000}, -math.log2(0.5 + 0.5 * 2**-9)),
    ],
)
def test_the_bits_of_a_word(word, words, bits):
    assert word_bits(Profile("en", " ab", PLAIN.spelling, words), word) == pytest.approx(bits)


def test_the_excess_of_a_text_is_shrunk_as_if_it_were_longer():
    check = LanguageCheck((PLAIN,), 1.0, 9.0, 9.0)
    # 5 bits for three letters (the space counted) are 2 too many; 15 letters more without any.
    assert excess_of(check, ["ab"]) == pytest.approx(2 / (3 + 15))


def test_one_word_speaks_for_another_language_by_seven_bits_at_most():
    other = Profile("de", " x", ("f1", "11"), {})
    check = LanguageCheck((PLAIN, other), 1.0, 9.0, 7.0)
    # "x" costs 30 bits here and 2 there, "ab" 5 here and 45 there.
    assert behind_of(check, ["x"]) == (7.0, "de")
    assert behind_of(check, ["x", "x", "ab"]) == (7.0, "de")
    assert behind_of(LanguageCheck((PLAIN,), 1.0, 9.0, 7.0), ["x"]) == (-math.inf, "")


def test_a_profile_learns_words_letters_and_what_follows():
    profile = learned_profile("en", ["aa ab", "aa"])
    assert profile.alphabet == " ab"
    assert profile.words == {"aa": 66_666, "ab": 33_333}
    # "a" begins every word, so it costs nothing after a space; "b" never does.
    assert profile.spelling[0][1] == "0"
    assert profile.spelling[0][2] > "1"


@pytest.fixture(scope="module")
def shipped() -> Confidence:
    text = (ROOT / "checkpoints" / "en-de" / CONFIDENCE.file).read_text(encoding="utf-8")
    return Confidence.from_values(json.loads(text))


@pytest.mark.parametrize(
    "text",
    [
        "The animal didn't cross the street because it was too tired.",
        "Hello!",
        "Stop!",
        "Where is Siobhán O'Connor?",
        "Tom Müller",
        "Johann Sebastian Bach",
        "A dog.",
        "I CAN HEAR YOU",
        "42",
        "?",
        "",
    ],
)
def test_english_and_names_are_let_alone(shipped, text):
    assert other_language(shipped.check, text) is None


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Das Tier überquerte die Straße nicht, weil es zu müde war.", "de"),
        ("Wo ist der Bahnhof?", "de"),
        ("L'animal n'a pas traversé la rue parce qu'il était trop fatigué.", "fr"),
        ("그 동물은 너무 피곤해서 길을 건너지 않았다.", ""),
        ("Где находится вокзал?", ""),
        ("駅はどこですか。", ""),
        ("qwrtz plmkx fghjk wvbnq", ""),
    ],
)
def test_other_languages_and_random_letters_are_noticed(shipped, text, language):
    assert other_language(shipped.check, text) == language


def test_what_is_shipped_is_small_and_its_numbers_are_kept(shipped):
    path = ROOT / "checkpoints" / "en-de" / CONFIDENCE.file
    assert path.stat().st_size < 25_000
    tested = read_json(path)["language"]["tested"]
    english = tested["en, validation"]
    assert english["alarms"] < 0.01 * english["sentences"]
    german = tested["de, validation"]
    assert german["alarms"] > 0.95 * german["sentences"]
    assert [band.name for band in shipped.bands] == ["low", "middle", "high"]
    assert [band.chrf for band in shipped.bands] == sorted(band.chrf for band in shipped.bands)


def test_the_range_over_sets_leaves_small_ones_out():
    sure = {"a": Sure(0.7, FEWEST), "b": Sure(0.9, FEWEST + 1), "small": Sure(0.1, FEWEST - 1)}
    assert replace(BANDED, sure=sure).good_by_set == (0.7, 0.9)
    assert BANDED.good_by_set is None
