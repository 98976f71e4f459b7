"""Korean particles after a value, against a table made by hand."""

from __future__ import annotations

import pickle
import unicodedata

import pytest
from fluent.runtime import FluentBundle, FluentResource

from ui.words import plain, quoted
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
    LIEUL: "길 밸류 1 7 8 0.01 animal table L R 17 ㄹ 모델 “모델”",
}


def rows() -> list[tuple[str, tuple[str, ...]]]:
    return [
        (word.replace("␣", " "), forms)
        for forms, words_ in TABLE.items()
        for word in words_.split()
        if word != "밸류"
    ]


@pytest.mark.parametrize(("word", "forms"), rows())
def test_the_particle_follows_the_last_sound(word, forms):
    pairs = ("을/를", "이/가", "은/는", "과/와", "으로/로")
    assert tuple(josa(word, pair) for pair in pairs) == forms
    taken_apart = unicodedata.normalize("NFD", word)
    assert tuple(josa(taken_apart, pair) for pair in pairs) == forms


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
    assert {word: josa(word, "을/를") for word in words.split()} == dict.fromkeys(
        words.split(), particle
    )


GERMAN = {
    CLOSED: "Dom Baum Traum ihm dem dumm Mann Hahn Sohn den ein schön wenn Wagen haben ist·ein "
    "Ring lang Übung „Hund·und·Mann“",
    OPEN: "Eine keine kleine meine Dame Name Blume Bäume Schule viele alle Stelle Tasse müde "
    "mit hat gut Bett Rock ab weil·er er Tier Hund Tag Weg Stadt Schiff Haus Tisch Fuchs Bank "
    "Herz Koffer Straße Frau Zoo Eule sie See Eine₂ “Eine” **mit** Stück",
    LIEUL: "weil Pokal viel Stuhl voll Apfel Vogel schnell",
}


@pytest.mark.parametrize(
    ("word", "forms"),
    [(word.replace("·", " "), forms) for forms, all_ in GERMAN.items() for word in all_.split()],
)
def test_a_german_word_ends_as_it_is_spoken(word, forms):
    """Every e is heard, and of the consonants only l, m, n and ng close a syllable of Hangul."""
    pairs = ("을/를", "이/가", "은/는", "과/와", "으로/로")
    assert tuple(josa(Spoken(word, "de"), pair) for pair in pairs) == forms


@pytest.mark.parametrize("language", ["en", "ko", "", "fr"])
def test_a_text_of_another_language_is_read_as_english(language):
    assert josa(Spoken("name", language), "을/를") == "을"


@pytest.mark.parametrize(
    "mark", [*".?!,;:-", "–", "“.”", "“!”", "**,**", "\\.", "“Hund”, “.”", "…"]
)
def test_a_punctuation_mark_alone_is_read_by_its_name(mark):
    """마침표, 물음표, 느낌표, 쉼표, 세미콜론, 콜론, 하이픈, 줄표, 말줄임표."""
    closed = mark in (";", ":", "-")
    assert josa(mark, "을/를") == ("을" if closed else "를")
    assert josa(mark, "으로/로") == ("으로" if closed else "로")


@pytest.mark.parametrize(
    ("text", "form"),
    [("Ein Hund schläft.", "를"), ("Das ist gut!", "를"), ("문장.", "을"), ("3.", "을")],
)
def test_a_mark_behind_a_word_is_passed_over(text, form):
    assert josa(Spoken(text, "de"), "을/를") == form


def test_a_message_reads_a_word_in_the_language_of_its_value():
    """Words that are written alike are kept apart where messages are kept."""
    ko, id = Words("ko"), "attention-link-writer"
    said = [ko(id, word=Spoken("name", language)) for language in ("en", "de", "en")]
    assert said == [f"“name”{form} 예측하는 위치" for form in ("을", "를", "을")]


def test_markdown_and_quotes_keep_the_language():
    eine = Spoken("Eine", "de")
    assert josa(plain(eine), "을/를") == josa(quoted("mit", eine), "을/를") == "를"


def test_a_text_with_its_language_survives_a_cache_on_disk():
    copied = pickle.loads(pickle.dumps(Spoken("Eine", "de")))
    assert (copied, copied.language) == ("Eine", "de")


def test_longer_forms_are_chosen_alike():
    assert [josa(word, "이라는/라는") for word in ("토큰", "쿼리", "모델")] == [
        "이라는",
        "라는",
        "이라는",
    ]
    assert josa("모델", "으로부터/로부터") == "로부터"


@pytest.mark.parametrize("word", ["漢", "😀", "", "かな"])
def test_both_forms_stand_where_nobody_can_say(word):
    assert josa(word, "을/를") == "을(를)"
    assert josa(word, "으로/로") == "(으)로"


def test_a_message_chooses_the_particle_of_its_value():
    bundle = FluentBundle(["ko"], functions={"JOSA": josa}, use_isolating=False)
    bundle.add_resource(FluentResource('hide = “{ $token }”{ JOSA($token, "을/를") } 가립니다.'))
    pattern = bundle.get_message("hide").value
    said = [bundle.format_pattern(pattern, {"token": token}) for token in ("문장", "쿼리", 3, 2)]
    assert said == [
        ("“문장”을 가립니다.", []),
        ("“쿼리”를 가립니다.", []),
        ("“3”을 가립니다.", []),
        ("“2”를 가립니다.", []),
    ]
