"""The page of terms: every row of the file, in both languages, and a search through them."""

from __future__ import annotations

import re

import pytest

from support.app import open_page
from support.models import ROOT
from words.glossary import FILE, SEPARATOR, entries, search
from words import english

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


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_page_holds_all_sections_in_its_language(language):
    page = open_page("glossary", lang=language)
    shown = "\n".join(block.value for block in page.markdown)
    for entry in ENTRIES:
        assert entry.section[language == "ko"] in shown
        assert entry.term in shown
        assert (entry.korean_meaning if language == "ko" else entry.meaning) in shown
    assert SEPARATOR not in shown.split("## ")[1].splitlines()[0]


def test_a_term_is_found_by_a_part_of_its_name_and_nothing_is_said_plainly():
    page = open_page("glossary", glossary_find="PADding")
    shown = "\n".join(block.value for block in page.markdown)
    assert "패딩" in shown
    assert "Byte-pair" not in shown
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
