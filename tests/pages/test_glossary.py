"""The page of terms: every row of the file, in both languages, and a search through them."""

from __future__ import annotations

import re

import pytest

from support.app import open_page
from support.models import ROOT
from ui.pages.glossary.terms import topic_id
from words import english
from words.glossary import FILE, entries, search

ENTRIES = tuple(entries(FILE.read_text(encoding="utf-8")))
ROOMS = ("core", "model", "training", "evaluation", "ui", "viz")


def test_every_row_of_the_file_is_an_entry():
    rows = [
        line
        for line in FILE.read_text(encoding="utf-8").splitlines()
        if line.startswith("|") and not line.startswith(("|---", "| Term"))
    ]
    assert len(ENTRIES) == len(rows) > 60
    for entry in ENTRIES:
        assert entry.term
        assert entry.meaning.endswith(".")
        assert re.search("[가-힣]", entry.korean_meaning)
        assert all(entry.section)


def test_what_is_said_of_the_code_is_there():
    text = "".join(
        path.read_text(encoding="utf-8") for room in ROOMS for path in (ROOT / room).rglob("*.py")
    )
    for entry in ENTRIES:
        for name in re.findall(r"`([A-Za-z_][\w./-]*)", entry.code):
            found = name in text or (ROOT / name).exists() or name.split(".")[-1] in text
            assert found, f"{entry.term}: {name}"


SECTIONS = tuple(dict.fromkeys(entry.section for entry in ENTRIES))


def shown(**choices: str) -> str:
    return "\n".join(block.value for block in open_page("glossary", **choices).markdown)


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("section", [SECTIONS[1], SECTIONS[-1]], ids=["attention", "background"])
def test_a_topic_holds_all_its_terms_in_the_language_of_the_page(section, language):
    text = shown(lang=language, glossary_topic=topic_id(section))
    for entry in ENTRIES:
        meaning = entry.korean_meaning if language == "ko" else entry.meaning
        assert (meaning in text) == (entry.section == section)
        assert entry.term in text or entry.section != section


@pytest.mark.parametrize(
    ("language", "letter", "terms"),
    [
        ("en", "Q", ["Query, key, value", "Query (row), key (column)", "QK circuit"]),
        ("ko", "ㄹ", ["레이블 스무딩", "로짓 렌즈", "리랭킹(rerank)"]),
    ],
)
def test_a_letter_holds_its_terms_of_all_topics(language, letter, terms):
    text = shown(lang=language, glossary_by="letter", glossary_letter=letter)
    for term in terms:
        assert f"**{term}**" in text


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_term_is_listed_under_a_letter(language):
    letters = {entry.letter(language) for entry in ENTRIES}
    assert all(re.fullmatch("[A-Zㄱ-ㅎ#]", letter) for letter in letters)
    assert all(entry.headword(language)[0].isalnum() for entry in ENTRIES)
    assert len(letters) > 15


@pytest.mark.parametrize(
    ("wanted", "term"),
    [
        ("multihead attention", "Multi-head attention"),
        ("multi-head attention", "Multi-head attention"),
        ("MULTI HEAD", "Multi-head attention"),
        ("멀티헤드", "Multi-head attention"),
        ("멀티 헤드 어텐션", "Multi-head attention"),
        ("warm-up", "Learning-rate warmup"),
        ("warm up", "Learning-rate warmup"),
        ("웜업", "Learning-rate warmup"),
        ("skip connection", "Residual connection (skip connection)"),
        ("스킵 연결", "Residual connection (skip connection)"),
        ("length normalization", "Length normalisation"),
        ("layer normalization", "LayerNorm (layer normalisation), BatchNorm (batch normalisation)"),
        ("log probability", "Log-probability, log p (token), log P (sequence)"),
        ("로그 확률", "Log-probability, log p (token), log P (sequence)"),
        ("autoregressive", "Autoregressive"),
        ("auto-regressive", "Autoregressive"),
        ("position wise", "Position-wise"),
        ("구문 분석", "Constituency parsing"),
        ("parallelization", "Parallelisation"),
        ("BERT", "BERT"),
        ("RMS norm", "RMSNorm"),
        ("gradient vanishing", "Vanishing gradient"),
        ("기울기 소실", "Vanishing gradient"),
        ("자기 회귀", "Autoregressive"),
        ("look-ahead mask", "Causal mask (look-ahead mask)"),
        ("encoder-decoder attention", "Cross-attention (encoder–decoder attention)"),
        ("conditional language model", "Conditional language model"),
        ("BRNN", "Bidirectional RNN (BRNN)"),
        (
            "monotonic alignment",
            "Monotonic alignment, predictive alignment (local-m, local-p)",
        ),
        ("예측 정렬", "Monotonic alignment, predictive alignment (local-m, local-p)"),
        ("MLM perplexity", "MLM perplexity"),
        ("fast-align", "Statistical word aligner (MGIZA, fast_align)"),
        ("AUROC", "AUROC"),
        ("SSRU", "SSRU"),
        ("WMT", "WMT"),
        ("ELMo", "ELMo"),
        ("continuation mark", "Continuation mark (`·`)"),
    ],
)
def test_a_term_is_found_first_in_either_language_with_and_without_hyphen(wanted, term):
    assert search(wanted)[0].term == term


def test_a_name_does_not_match_across_the_words_of_a_text():
    assert [entry.term for entry in search("elmo")] == ["ELMo"]


def test_a_term_is_found_by_a_part_of_its_name_and_nothing_is_said_plainly():
    text = shown(glossary_find="PADding")
    assert "패딩" in text
    assert "Byte-pair" not in text
    nothing = open_page("glossary", glossary_find="zzzz <b>")
    assert nothing.info[0].value == english("glossary-none")


def listed() -> list[tuple[str, str, str]]:
    """Authors, year and title of every paper of the list."""
    papers = re.sub(r"\n  ", " ", FILE.read_text(encoding="utf-8").split("## Papers")[1])
    return re.findall(r"^- ([^*\n]+?) (\d{4})\. \*([^*]+)\*$", papers, re.MULTILINE)


def test_every_paper_that_is_cited_is_in_the_list():
    cited = [
        (entry.term, *found)
        for entry in ENTRIES
        for found in re.findall(r"([A-ZÀ-ž]\w+)(?: et al\.| & \w+)? (\d{4})", entry.paper)
    ]
    assert len(cited) > 60
    papers = {(name, year) for names, year, _ in listed() for name in re.findall(r"\w+", names)}
    assert [each for each in cited if each[1:] not in papers] == []


def test_a_term_in_the_title_of_a_paper_is_its_authors():
    """Who described a thing is one question, and who named it another."""
    named = [
        (entry, names, title)
        for entry in ENTRIES
        for names, _, title in listed()
        if " " in entry.term and entry.term.casefold() in title.casefold()
    ]
    assert len(named) > 3
    wrong = [
        (e.term, title) for e, names, title in named if re.split(r"\W", names)[0] not in e.paper
    ]
    assert wrong == []
