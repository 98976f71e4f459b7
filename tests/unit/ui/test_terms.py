"""Terms of explanations lead to the glossary, in both languages."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlparse

import pytest

from support.messages import pages as explanations
from ui.kit.terms import MOST_LINKS, with_terms
from words import languages
from words.glossary import search

LINK = re.compile(r"\[([^\]]+)\]\((glossary\?[^)]+)\)")


def linked(markdown: str, language: str = "en") -> list[str]:
    """The texts of the links that are set."""
    return [text for text, _ in LINK.findall(with_terms(markdown, language))]


@pytest.mark.parametrize(
    ("language", "markdown", "expected"),
    [
        ("en", "The residual stream.", ["residual stream"]),
        ("en", "Residual\nconnections", ["Residual\nconnections"]),
        ("en", "BLEU, then BLEU again", ["BLEU"]),
        ("en", "a **logit lens** in bold", ["logit lens"]),
        ("en", "Scaled dot-product attention", ["Scaled dot-product attention"]),
        ("en", "encoder and decoders", ["encoder"]),
        ("en", "`softmax` and ```\nsoftmax\n```", []),
        ("en", "$softmax(x)$", []),
        ("en", "# Softmax\n\ntext", []),
        ("en", "[softmax](https://example.org)", []),
        ("en", "mostly from [MASK]", []),
        ("en", "the “beam search” quoted", []),
        ("en", "the tab *Beam width*", []),
        ("en", "a score, a token, the memory of a machine", []),
        ("en", "softmaxed, presoftmax", []),
        ("ko", "소프트맥스를 적용하면", ["소프트맥스"]),
        ("ko", "잔차 연결(skip connection)은", ["잔차 연결"]),
        ("ko", "스킵 연결이라고도", ["스킵 연결"]),
        ("ko", "BertViz의 그림", []),
        ("ko", "가설적인 값", []),
        ("ko", "BLEU가 낮아도", ["BLEU"]),
    ],
)
def test_first_mentions_are_linked_and_code_is_not(language, markdown, expected):
    assert linked(markdown, language) == expected


def test_the_longest_terms_are_linked_if_there_are_many():
    terms = "Softmax. BLEU. Overfitting. Residual stream. Beam search. Logit lens. Label smoothing."
    found = linked(terms)
    assert len(found) == MOST_LINKS
    assert "BLEU" not in found


@pytest.mark.parametrize("language", languages())
def test_every_link_of_an_explanation_finds_its_term_first(language):
    found = set()
    for text in explanations(language).values():
        explained = with_terms(text, language)
        links = LINK.findall(explained)
        assert len(links) <= MOST_LINKS
        assert LINK.sub(r"\1", explained) == text
        for _, address in links:
            query = parse_qs(urlparse(address).query)
            assert query["lang"] == [language]
            found.add(query["glossary_find"][0])
    assert len(found) > 40
    assert [term for term in sorted(found) if search(term)[0].rank(term) != 0] == []
