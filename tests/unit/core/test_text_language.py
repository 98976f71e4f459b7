"""One language told from another: bits counted by hand, and the shipped check."""

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
from support.models import ROOT

# Two letters: after a space always "a" or "b", each followed by either or the end.
PLAIN = Profile("en", " ab", ("f11", "222", "222"), {})


def test_names_numbers_and_case_are_no_words_and_another_script_is_one_capital():
    words = words_of("Yesterday Anna's DOG saw 3 trains, didn’t it?")
    assert words == ["yesterday", "saw", "trains", "didn't", "it"]
    assert words_of("그 동물") == ["H", "HH"]
    assert foreign_share(LanguageCheck((PLAIN,), 1.0, 1.0, 1.0), "ab 그") == pytest.approx(1 / 3)


def test_the_bits_of_words_and_texts_by_hand():
    for word, words, bits in (
        ("ab", {}, 1 + 2 + 2),  # " a", "ab", "b "
        ("x", {}, 15 + 15),  # the most, for a letter that the language lacks
        # 1/2 as a frequent word, and 1/2 * 2^-9 by its letters.
        ("abba", {"abba": 50_000}, -math.log2(0.5 + 0.5 * 2**-9)),
    ):
        assert word_bits(Profile("en", " ab", PLAIN.spelling, words), word) == pytest.approx(bits)
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


OF_TEXTS = {
    "The animal didn't cross the street because it was too tired.": None,
    "Stop!": None,
    "Colorless green ideas sleep furiously.": None,
    "Where is Siobhán O'Connor?": None,
    "Johann Sebastian Bach": None,
    "A dog.": None,
    "I CAN HEAR YOU": None,
    "42": None,
    "?": None,
    "": None,
    "Das Tier überquerte die Straße nicht, weil es zu müde war.": "de",
    "Wo ist der Bahnhof?": "de",
    "L'animal n'a pas traversé la rue parce qu'il était trop fatigué.": "fr",
    "그 동물은 너무 피곤해서 길을 건너지 않았다.": "",
    "Где находится вокзал?": "",
    "駅はどこですか。": "",
    "qwrtz plmkx fghjk wvbnq": "",
}


def test_other_languages_and_random_letters_are_noticed_and_english_is_let_alone():
    path = ROOT / "checkpoints" / "en-de" / LANGUAGE.file
    assert path.stat().st_size < 20_000
    values = json.loads(path.read_text(encoding="utf-8"))
    check = TextLanguage.from_values(values).check
    assert {text: other_language(check, text) for text in OF_TEXTS} == OF_TEXTS
    tested = values["check"]["tested"]
    english, german = tested["en, validation"], tested["de, validation"]
    assert english["alarms"] < 0.01 * english["sentences"]
    assert german["alarms"] > 0.95 * german["sentences"]
