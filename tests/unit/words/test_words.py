"""Words by id: messages, numbers as text, explanations, packs, and what can be typed in Korean."""

from __future__ import annotations

import re
import unicodedata

import numpy as np
import pytest
from fluent.syntax import FluentParser
from fluent.syntax.ast import Message as Entry

import words.catalogue
import words.numbers
from core.records.search import Decoding
from model import ModelError
from support.messages import entries
from support.models import read_json
from words import Message, Words, english, languages
from words.packs import FOLDER, Pack, pack_of

MESSAGES = {
    "en": "n-heads = { $n ->\n    [one] { $n } head\n   *[other] { $n } heads\n }\nonly = here\n",
    "xx": "n-heads = n={ $n }\nouter = ({ $all })\nwithin = among { two } heads\ntwo = n=2\n"
    "share = { $x }, { FIXED($x, digits: 3) }, { PERCENT($x, digits: 0) }, { SIGNED($x) }\n"
    "plain = x: { $x }\naround = { $x } { share }\n",
}


@pytest.fixture
def invented(tmp_path, monkeypatch) -> Words:
    """A language with a few messages of its own, beside the English of this test."""
    for language, text in MESSAGES.items():
        (tmp_path / language).mkdir()
        (tmp_path / language / "some.ftl").write_text(text)
    (tmp_path / "en" / "page.md").write_text("English")
    (tmp_path / "en" / "other.md").write_text("only English")
    (tmp_path / "xx" / "page.md").write_text("invented")
    monkeypatch.setattr(words.catalogue, "FOLDER", tmp_path)
    words.catalogue._messages.cache_clear()
    yield Words("xx")
    words.catalogue._messages.cache_clear()


def test_plurals_are_the_languages_own_and_numbers_are_written_as_a_message_says(invented):
    assert [english("n-heads", n=n) for n in (0, 1, 1234)] == ["0 heads", "1 head", "1234 heads"]
    for number in (-0.1234, np.float32(-0.1234)):
        assert invented("share", x=number) == "−0.12, −0.123, −12%, −0.12"
    told = [invented("n-heads", n=n) for n in (1, 1.0, np.int64(3))]
    assert told == ["n=1", "n=1.00", "n=3"]
    for id, values, said in (("share", {"x": None}, "found None"), ("n-heads", {}, "n-heads")):
        with pytest.raises(ValueError, match=said):
            invented(id, **values)


def test_numbers_that_read_alike_are_filled_in_once(invented):
    filled = words.catalogue._filled
    assert invented("plain", x=0.281) == "x: 0.28"
    misses = filled.cache_info().misses
    assert invented("plain", x=0.2817) == "x: 0.28"
    assert filled.cache_info().misses == misses
    # A message that writes the number in another way sees all of it.
    assert invented("share", x=0.2817) != invented("share", x=0.281)
    assert invented("around", x=0.2817) != invented("around", x=0.281)


def test_english_stands_in_for_a_missing_message_and_page(invented):
    assert languages() == ("en", "xx")
    assert invented("only") == "here"
    assert (invented.page("page"), invented.page("other")) == ("invented", "only English")


@pytest.mark.parametrize("language", languages())
def test_messages_are_read_as_the_parser_of_fluent_divides_their_files(language):
    divided = words.catalogue._messages(language).texts
    whole = entries(language)
    assert divided.keys() == whole.keys()
    for id, text in divided.items():
        (entry,) = (part for part in FluentParser().parse(text).body if isinstance(part, Entry))
        assert entry.equals(whole[id], ignored_fields=["comment", "span"])


def test_a_message_is_parsed_with_those_that_it_refers_to(invented):
    assert invented("within") == "among n=2 heads"


def test_messages_within_a_message_become_words_of_the_same_language(invented):
    inner = Message.of("n-heads", n=1)
    assert invented("outer", all=(inner, inner)) == "(n=1; n=1)"
    assert Message.of("only") == Message("only") != inner
    assert str(Message.of("n-heads", n=2)) == "2 heads"


def test_values_of_messages_are_said_and_cut_where_they_are_too_long():
    assert [english("quoted", text=truth) for truth in (True, False)] == ["“yes”", "“no”"]
    told = english("quoted", text="x" * 10_000)
    assert told.startswith("“xxx")
    assert told.endswith("…”")
    many = Message.of("quoted", text=tuple(Message.of("quoted", text="y" * 90) for _ in range(99)))
    assert str(many).count("y" * 90) > 20
    with pytest.raises(KeyError, match="no-such-message"):
        english("no-such-message")


def test_every_language_has_a_name_and_what_is_none_keeps_its_code():
    for code, *names in (
        ("pt", "Portuguese", "포르투갈어"),
        ("por_Latn", "Portuguese", "포르투갈어"),
        ("pt-BR", "Portuguese (Brazil)", "포르투갈어 (브라질)"),
        ("pt_XX", "Portuguese", "포르투갈어"),
        ("source", "source", "원문 언어"),
        *((code, code, code) for code in ("", "-", "a b", "zls", "x" * 3000, "../en", "\0")),
    ):
        assert [english.language_name(code), Words("ko").language_name(code)] == names, code


# -- packs


def test_rivals_are_the_forms_of_one_case_and_a_pair_without_a_pack_has_an_empty_one():
    pack = pack_of(("en", "de"))
    assert pack.rivals_of("Es") == ("es", "sie", "er")
    assert pack.rivals_of("ihn") == ("ihn", "sie", "es")
    assert pack.rivals_of("ihm") == ("ihm", "ihr")
    assert pack.rivals_of("Tier") == ()
    assert pack_of(("xx", "yy")) == Pack(("xx", "yy"))
    assert pack_of(("xx", "yy")).forms == frozenset()


def test_every_pack_is_sound():
    for path in sorted(FOLDER.glob("*.json")):
        assert "-".join(read_json(path)["languages"]) == path.stem
        pack = pack_of(path.stem.split("-"))
        assert pack.rivals or not pack.pronoun
        assert all(len(case) > 1 for case in pack.rivals)
        texts = [example.text for example in pack.examples]
        assert len(set(texts)) == len(texts)
        for example in pack.examples:
            found = set(re.findall(r"\w+", example.text))
            assert {example.pronoun, example.antecedent, example.other} - {""} <= found
            assert bool(example.antecedent) == bool(example.pronoun or example.writes)


# -- typed in Korean


APART = unicodedata.normalize("NFD", "판매량이 늘고 있습니다.")
TYPED = (
    "ㅋㅋㅋ ㅠㅠ",
    "나는 the 犬を 보았다 и всё",
    "ﾡﾢ ﾤ",  # half as wide
    "Ａ　ｄｏｇ　ｒｕｎｓ。",  # as wide as Hangul
    APART,
    "🐶🐾 👩‍👩‍👧 ❤️",
    "\u200b\u3164",
)
REFUSED = {
    "": "model-text-empty",
    "   ": "model-text-invisible",
    "\u200b": "model-text-invisible",
    "가" * 5000: "model-text-long",
}


def test_every_text_ends_in_a_translation_or_in_a_korean_sentence(tiny_translator):
    korean = Words("ko")
    for text in TYPED:
        assert len(tiny_translator.translate(text, Decoding(1, max_len=4)).src) > 1, text
    for text, id in REFUSED.items():
        with pytest.raises(ModelError) as raised:
            tiny_translator.translate(text, Decoding(1, max_len=4))
        parts = raised.value.message, raised.value.hint
        said = " ".join(korean.of(part) for part in parts if part)
        assert raised.value.message.id == id
        assert any("가" <= letter <= "힣" for letter in said)
        assert not any(letter.isascii() and letter.isalpha() for letter in said)
        assert said.rstrip().endswith((".", "요"))


def test_syllables_taken_apart_are_read_as_syllables(tiny_translator):
    whole = unicodedata.normalize("NFC", APART)
    assert tiny_translator.tokenize(APART).ids == tiny_translator.tokenize(whole).ids
