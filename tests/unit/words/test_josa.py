"""Korean particles after a value, against a table made by hand."""

from __future__ import annotations

import pickle
import unicodedata

import pytest
from fluent.runtime import FluentBundle, FluentResource

from ui.frame.messages import plain, quoted
from words import Spoken, Words
from words.josa import josa

# What stands before, and how it goes on with 을/를, 이/가, 은/는, 과/와 and 으로/로.
CLOSED, OPEN, LIEUL = (
    ("을", "이", "은", "과", "으로"),
    ("를", "가", "는", "와", "로"),
    ("을", "이", "은", "과", "로"),
)
TABLE = {
    CLOSED: "쿼리값 토큰 어텐션 문장 0 3 6 10 100 0.50 1,000 13 it cat book web time same token "
    "attention encoding N M LSTM ㄱ “토큰” **문장** 어텐션(attention) q₃ ε",
    OPEN: "쿼리 키 헤드 레이어 2 4 5 9 0.24 25% −0.45 the he Tier es street dog encoder query BLEU "
    "RNN2 ㅏ “키” 헤드(head) </s> 27.4␣ms α ∞ be",
    LIEUL: "길 1 7 8 0.01 animal table L R 17 ㄹ 모델 “모델”",
}
# Every e is heard, and of the consonants only l, m, n and ng close a syllable of Hangul.
GERMAN = {
    CLOSED: "Dom Baum Traum ihm dem dumm Mann Hahn Sohn den ein schön wenn Wagen haben ist␣ein "
    "Ring lang Übung „Hund␣und␣Mann“",
    OPEN: "Eine keine kleine meine Dame Name Blume Bäume Schule viele alle Stelle Tasse müde "
    "mit hat gut Bett Rock ab weil␣er er Tier Hund Tag Weg Stadt Schiff Haus Tisch Fuchs Bank "
    "Herz Koffer Straße Frau Zoo Eule sie See Eine₂ “Eine” **mit** Stück",
    LIEUL: "weil Pokal viel Stuhl voll Apfel Vogel schnell",
}


@pytest.mark.parametrize("forms", TABLE, ids=["closed", "open", "lieul"])
def test_the_particle_follows_the_last_sound(forms):
    pairs = ("을/를", "이/가", "은/는", "과/와", "으로/로")

    def of(word):
        return tuple(josa(word, pair) for pair in pairs)

    words = TABLE[forms].replace("␣", "\0").split()
    for word in (each.replace("\0", " ") for each in words):
        assert of(word) == of(unicodedata.normalize("NFD", word)) == forms, word
    for word in GERMAN[forms].split():
        assert of(Spoken(word.replace("␣", " "), "de")) == forms, word


@pytest.mark.parametrize(
    ("particle", "words"),
    [
        # 북, 풋, 굿, 그룹, 백, 빅, 뮤직, 토픽, 앱, 타입, 퀵
        ("을", "book foot good group bag big music topic app type quick"),
        # 슬립, 십, 딥, 킵, 스텝, 칩, 힙, 초콜릿, 비스킷, 서킷, 아웃, 드롭아웃
        ("을", "sleep sheep deep keep step cheap heap chocolate biscuit circuit out dropout"),
        # 루트, 부트, 루프, 루트, 세트, 비트, 도트, 우드, 블로그, …
        ("를", "root boot loop route set bit dot wood blog tag soup"),
        # 프루트, 슈트, 플레이트, 스카우트, 소프, 호프
        ("를", "fruit suit plate scout soap hope"),
    ],
)
def test_a_word_is_closed_or_open_as_hangul_writes_it(particle, words):
    found = {word: josa(word, "을/를") for word in words.split()}
    assert found == dict.fromkeys(words.split(), particle)


def test_marks_are_read_by_their_names_alone_and_passed_over_behind_a_word():
    """마침표, 물음표, 느낌표, 쉼표, 세미콜론, 콜론, 하이픈, 줄표, 말줄임표."""
    for mark in [*".?!;,:-", "–", "“.”", "“!”", "**,**", "\\.", "“Hund”, “.”", "…"]:
        forms = ("을", "으로") if mark in (";", ":", "-") else ("를", "로")
        assert (josa(mark, "을/를"), josa(mark, "으로/로")) == forms, mark
    for text, form in {
        "Ein Hund schläft.": "를",
        "Das ist gut!": "를",
        "문장.": "을",
        "3.": "을",
    }.items():
        assert josa(Spoken(text, "de"), "을/를") == form


def test_a_value_keeps_its_language_in_messages_markdown_and_caches():
    """Words that are written alike are kept apart where messages are kept."""
    said = [
        Words("ko")("attention-link-writer", word=Spoken("name", code))
        for code in ("en", "de", "en")
    ]
    assert said == [f"“name”{form} 예측하는 위치" for form in ("을", "를", "을")]
    eine = Spoken("Eine", "de")
    assert josa(plain(eine), "을/를") == josa(quoted("mit", eine), "을/를") == "를"
    copied = pickle.loads(pickle.dumps(eine))
    assert (copied, copied.language) == ("Eine", "de")
    for language in ("en", "ko", "", "fr"):  # another language is read as English
        assert josa(Spoken("name", language), "을/를") == "을"


def test_longer_forms_are_chosen_alike_and_both_stand_where_nobody_can_say():
    found = [josa(word, "이라는/라는") for word in ("토큰", "쿼리", "모델")]
    assert found == ["이라는", "라는", "이라는"]
    assert josa("모델", "으로부터/로부터") == "로부터"
    for word in ("漢", "😀", "", "かな"):
        assert (josa(word, "을/를"), josa(word, "으로/로")) == ("을(를)", "(으)로")


def test_a_message_chooses_the_particle_of_its_value():
    bundle = FluentBundle(["ko"], functions={"JOSA": josa}, use_isolating=False)
    bundle.add_resource(FluentResource('hide = “{ $token }”{ JOSA($token, "을/를") } 가립니다.'))
    pattern = bundle.get_message("hide").value
    for token, form in (("문장", "을"), ("쿼리", "를"), (3, "을"), (2, "를")):
        said = bundle.format_pattern(pattern, {"token": token})
        assert said == (f"“{token}”{form} 가립니다.", [])
