"""Every message and explanation follows the guide for writers, in every language."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache

import pytest
from fluent.syntax.ast import Pattern, SelectExpression, TextElement

from support.messages import entries as messages
from support.messages import pages as explanations
from ui.glossary import FILE, Entry, entries
from ui.pages import menu
from words import languages
from words.catalogue import FOLDER

RETIRED = tomllib.loads((FOLDER / "retired.toml").read_text(encoding="utf-8"))
# What is no word of ours: code, links, formulas, and text that is quoted.
CODE = re.compile(r"```.*?```|`[^`]*`|\$[^$\n]*\$|\]\([^)]*\)|<[^>]*>", re.DOTALL)
PLACE = "Ω"
PAGES = [page for group in menu().values() for page in group]
TABS = {f"view-{page.id}-{view.id}" for page in PAGES for view in page.views}
NAMES = {f"page-{page.id}" for page in PAGES} | {f"group-{group}" for group in menu()}
MOST = {"en": (30, 36), "ko": (18, 24)}  # characters of a name or tab, and of a column
SMALL = re.compile(  # a symbol or a code word at the beginning keeps its case
    r"(?:log|ln|exp|p|x|q|k|v|n|d|r|c|h|s|t|y|vs|top|i|z|a|b|softmax|sacre)(?![a-z])"
)
LONGEST = {"en": 30, "ko": 26}  # words of a sentence in an explanation
MOST_WORDS = {"en": 60, "ko": 45}  # of a message on one line


def variants(pattern: Pattern) -> Iterator[str]:
    """What a message may say, its places as one sign; a choice yields each of its variants."""
    texts = [""]
    for element in pattern.elements:
        if isinstance(element, TextElement):
            texts = [text + element.value for text in texts]
        elif isinstance(element.expression, SelectExpression):
            chosen = [t for each in element.expression.variants for t in variants(each.value)]
            texts = [text + each for text in texts for each in chosen]
        else:
            texts = [text + PLACE for text in texts]
    yield from texts


@cache
def said(language: str) -> dict[str, tuple[str, ...]]:
    """Whatever a reader may read in a language, by message, and by file where it is a text."""
    found = {id: each.value for id, each in messages(language).items() if each.value}
    said = {id: tuple(dict.fromkeys(variants(value))) for id, value in found.items()}
    return said | {name: (text,) for name, text in explanations(language).items()}


def retired(language: str, id: str, text: str) -> list[str]:
    prose = CODE.sub(" ", text)
    return [
        f"{match[0]!r}: {instead}"
        for word, instead in RETIRED[language].items()
        for match in re.finditer(word, prose)
    ]


def percent(language: str, id: str, text: str) -> list[str]:
    return re.findall(rf"[\d{PLACE}] %", text)


def ranges_with_a_tilde(language: str, id: str, text: str) -> list[str]:
    """Markdown takes it for the begin and the end of crossed-out text."""
    return re.findall("~", text)


def doubled_nouns(language: str, id: str, text: str) -> list[str]:
    return re.findall(r"\b(\w{3,}) \1\b", text) if language == "en" else []


def labels(language: str, id: str, text: str) -> list[str]:
    """A label is a short noun phrase in sentence case, no question and no sentence."""
    name, column = id in TABS | NAMES, "-column-" in id and not id.endswith("-help")
    if not (name or column or id.endswith("-title")):
        return []
    most = MOST[language][column] if name or column else 60
    first = text.lstrip("“‘(|‖√*#0123456789. ·")
    faults = [f"{len(text)} characters, at most {most}"] * (len(text) > most)
    faults += ["ends in a stop"] * text.endswith((".", ":"))
    asks = text.endswith("?") and not id.startswith("lesson")
    faults += ["asks"] * asks
    small = first[:1].islower() and first[:1].isascii() and not SMALL.match(first)
    return faults + ["begins small"] * small


def sentences(language: str, id: str, text: str) -> list[str]:
    """No sentence of an explanation and no message is longer than can be read at once."""
    prose = CODE.sub(" x ", text)
    if not id.endswith(".md"):
        return [f"{len(prose.split())} words"] * (len(prose.split()) > MOST_WORDS[language])
    ended = re.split(r"(?<=[.!?:;])[)”*]*\s+|\n\n|\n[-|]", prose)
    return [s.strip() for s in ended if len(s.split()) > LONGEST[language]]


def bold_that_does_not_close(language: str, id: str, text: str) -> list[str]:
    """CommonMark does not end emphasis between a sign and a letter, as before a particle."""
    return re.findall(r"\*\*?[^*\n]+[^\w\s*가-힣]\*\*?[가-힣]+", text)


CHECKS = (
    retired, percent, ranges_with_a_tilde, doubled_nouns, labels, sentences,
    bold_that_does_not_close,
)  # fmt: skip


@pytest.mark.parametrize("language", languages())
def test_the_words_follow_the_guide(language):
    faults = [
        f"{id}: {check.__name__}: {fault}"
        for id, texts in said(language).items()
        for text in texts
        for check in CHECKS
        for fault in check(language, id, text)
    ]
    assert faults == [], "\n".join(faults)


@pytest.mark.parametrize(
    ("check", "language", "id", "text"),
    [
        (retired, "en", "any", "Its gaze rests here."),
        (retired, "ko", "any", "곧 그렇습니다."),
        (percent, "en", "any", "95 % of them"),
        (ranges_with_a_tilde, "en", "any", "3~5 heads"),
        (doubled_nouns, "en", "any", "layer 4 head head"),
        (labels, "en", "view-beam-tree", "what is added"),
        (labels, "en", "some-column-name", "Why is this so?"),
        (labels, "ko", "page-beam", "가" * 30),
        (sentences, "en", "any.md", "word " * 40),
        (sentences, "en", "any", "word " * 70),
        (bold_that_does_not_close, "ko", "any", "**순환(GRU)**보다"),
    ],
)
def test_each_check_finds_what_it_is_for(check, language, id, text):
    assert check(language, id, text)


# -- the table of concepts ------------------------------------------------------------------------


def names_of(entry: Entry, language: str) -> list[str]:
    """A headword and what else it is called, in brackets or after a comma."""
    headword = entry.korean if language == "ko" else entry.term
    plain = headword.replace("`", "")
    return [name.strip() for name in re.split(r"[,/()]", plain) if name.strip()]


@pytest.mark.parametrize("language", languages())
def test_every_term_of_the_glossary_is_used_in_the_app_or_is_background(language):
    shown = "\n".join(
        text.casefold()
        for id, texts in said(language).items()
        for text in texts
        if not id.startswith("glossary-")
    )
    unused = [
        entry.term
        for entry in entries(FILE.read_text(encoding="utf-8"))
        if not entry.is_background
        and (names := names_of(entry, language))
        and not any(name.casefold() in shown for name in names)
    ]
    assert unused == []
