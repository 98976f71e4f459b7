"""Words by id: messages, numbers as text, and the explanations."""

from __future__ import annotations

import numpy as np
import pytest

import words.catalogue
import words.numbers
from words import Message, Words, english, languages


@pytest.fixture
def invented(tmp_path, monkeypatch) -> Words:
    """A language with one message of its own, beside the English of this test."""
    for language, text in (
        (
            "en",
            "n-heads = { $n ->\n    [one] { $n } head\n   *[other] { $n } heads\n }\nonly = here",
        ),
        (
            "xx",
            "n-heads = n={ $n }\n"
            "share = { $x }, { FIXED($x, digits: 3) }, { PERCENT($x, digits: 0) }, { SIGNED($x) }",
        ),
    ):
        (tmp_path / language).mkdir()
        (tmp_path / language / "some.ftl").write_text(text + "\n")
    (tmp_path / "en" / "page.md").write_text("English")
    (tmp_path / "en" / "other.md").write_text("only English")
    (tmp_path / "xx" / "page.md").write_text("invented")
    monkeypatch.setattr(words.catalogue, "FOLDER", tmp_path)
    words.catalogue._bundle.cache_clear()
    yield Words("xx")
    words.catalogue._bundle.cache_clear()


def test_plurals_are_the_languages_own(invented):
    assert [english("n-heads", n=n) for n in (0, 1, 1234)] == ["0 heads", "1 head", "1234 heads"]
    assert invented("n-heads", n=1) == "n=1"


def test_a_number_has_two_decimals_or_what_its_message_says(invented):
    for number in (0.0 - 0.1234, np.float32(-0.1234)):
        assert invented("share", x=number) == "−0.12, −0.123, −12%, −0.12"
    assert invented("n-heads", n=np.int64(3)) == "n=3"
    assert [invented("n-heads", n=one) for one in (1, 1.0)] == ["n=1", "n=1.00"]
    with pytest.raises(ValueError, match="found None"):
        invented("share", x=None)


def test_what_is_true_or_not_is_yes_or_no():
    assert [english("quoted", text=truth) for truth in (True, False)] == ["“yes”", "“no”"]


def test_a_value_too_long_for_a_message_is_cut_not_refused():
    told = english("quoted", text="x" * 10_000)
    assert told.startswith("“xxx")
    assert told.endswith("…”")
    many = Message.of("quoted", text=tuple(Message.of("quoted", text="y" * 90) for _ in range(99)))
    assert str(many).count("y" * 90) > 20


def test_english_stands_in_for_a_missing_message_and_page(invented):
    assert invented("only") == "here"
    assert (invented.page("page"), invented.page("other")) == ("invented", "only English")


def test_an_unknown_id_is_a_key_error():
    with pytest.raises(KeyError, match="no-such-message"):
        english("no-such-message")


def test_a_place_left_empty_is_a_fault(invented):
    with pytest.raises(ValueError, match="n-heads"):
        english("n-heads")


def test_messages_within_a_message_become_words_of_the_same_language(invented):
    inner = Message.of("n-heads", n=1)
    (words.catalogue.FOLDER / "xx" / "more.ftl").write_text("outer = ({ $all })\n")
    words.catalogue._bundle.cache_clear()
    assert invented("outer", all=(inner, inner)) == "(n=1; n=1)"


def test_languages_name_english_first(invented):
    assert languages() == ("en", "xx")


def test_equal_messages_are_equal_and_print_in_english(invented):
    assert Message.of("only") == Message("only") != Message.of("n-heads", n=1)
    assert str(Message.of("n-heads", n=2)) == "2 heads"


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("pt", ("Portuguese", "포르투갈어")),
        ("de", ("German", "독일어")),
        ("por_Latn", ("Portuguese", "포르투갈어")),
        ("pt-BR", ("Portuguese (Brazil)", "포르투갈어 (브라질)")),
        ("pt_XX", ("Portuguese", "포르투갈어")),
        ("source", ("source", "원문 언어")),
        *((code, (code, code)) for code in ("", "-", "a b", "zls", "x" * 3000, "../en", "\0")),
    ],
)
def test_every_language_has_a_name_and_what_is_none_keeps_its_code(code, names):
    assert (english.language_name(code), Words("ko").language_name(code)) == names
