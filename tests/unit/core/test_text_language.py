"""One language told from another: bits counted by hand."""

from __future__ import annotations

import json
import math

import pytest

from core.measurements import LANGUAGE
from core.text_language import (
    LanguageCheck,
    Profile,
    TextLanguage,
    behind_of,
    excess_of,
    foreign_share,
    learned_profile,
    other_language,
    word_bits,
    words_of,
)
from support.models import ROOT, read_json

# Two letters: after a space always "a" or "b", each followed by either or the end.
PLAIN = Profile("en", " ab", ("f11", "222", "222"), {})


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
def shipped() -> LanguageCheck:
    text = (ROOT / "checkpoints" / "en-de" / LANGUAGE.file).read_text(encoding="utf-8")
    return TextLanguage.from_values(json.loads(text)).check


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
    assert other_language(shipped, text) is None


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
    assert other_language(shipped, text) == language


def test_what_is_shipped_is_small_and_its_numbers_are_kept():
    path = ROOT / "checkpoints" / "en-de" / LANGUAGE.file
    assert path.stat().st_size < 20_000
    tested = read_json(path)["check"]["tested"]
    english = tested["en, validation"]
    assert english["alarms"] < 0.01 * english["sentences"]
    german = tested["de, validation"]
    assert german["alarms"] > 0.95 * german["sentences"]
