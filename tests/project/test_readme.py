"""README and docs: two languages that say the same, links that lead somewhere, code that runs."""

from __future__ import annotations

import contextlib
import io
import json
import re
import tomllib
from collections import Counter

import pytest
from PIL import Image

from scripts.demo import BYTES, FILE
from support.models import ROOT
from ui import VERSION
from ui.pages import menu, pages
from ui.pages.lessons.book import lessons
from words import Words

PAIRS = tuple(
    (name, name.replace(".md", ".ko.md"))
    for name in ("README.md", "docs/tour.md", "docs/results.md")
)
PAGES = (
    *(name for pair in PAIRS for name in pair),
    *(f"docs/{name}.md" for name in ("python", "training", "deploy", "architecture")),
    *("docs/adding-a-model.md", "benchmarks/RESULTS.md", "CONTRIBUTING.md", "CHANGELOG.md"),
)
MOST_LINES = 110
MOST_RELEASED = 60  # lines of a release in the CHANGELOG
BLOCK = re.compile(r"```(\w*)\n(.*?)```", re.DOTALL)


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def code(text: str) -> list[str]:
    """The lines of code, without their comments."""
    blocks = [block for language, block in BLOCK.findall(text) if language]
    return [line.partition("#")[0].rstrip() for block in blocks for line in block.splitlines()]


def prose(text: str) -> str:
    return BLOCK.sub("", text)


def links(name: str) -> list[tuple[str, str]]:
    """Files of the repository that a page links or shows, from its root, each with its anchor."""
    text = prose(read(name))
    asked = re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'src(?:set)?="([^"]+)"', text)
    found = []
    for path, _, anchor in (link.partition("#") for link in asked if "://" not in link):
        target = (ROOT / name).parent.joinpath(path).resolve() if path else ROOT / name
        found.append((str(target.relative_to(ROOT)), anchor))
    return found


def anchors(name: str) -> set[str]:
    """Those of its headings, as code hosts make them."""
    titles = re.findall(r"^#+ (.+)$", prose(read(name)), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def in_english(path: str) -> str:
    return path.replace(".ko.md", ".md")


# Two languages


def test_links_lead_to_the_same_places_in_either_language_and_korean_ones_to_korean_pages():
    for english, korean in PAIRS:
        places = [{in_english(path) for path, _ in links(name)} for name in (english, korean)]
        assert places[0] == places[1], korean
        left = {path for path, _ in links(korean) if path in dict(PAIRS)}
        assert left <= {english}, korean


def cells(text: str) -> list[Counter[str]]:
    """The numbers of every row of a table."""
    lines = [line for line in prose(text).splitlines() if line.startswith("|")]
    shown = (re.sub(r"\]\([^)]*\)", "]", line) for line in lines)
    return [Counter(re.findall(r"\d+\.\d+|\d+", line)) for line in shown]


ALIKE = {
    "code": code,
    "commands and names": lambda text: Counter(re.findall(r"`([^`]+)`", prose(text))),
    "numbers of tables": cells,
    "decimals": lambda text: Counter(re.findall(r"\d+\.\d+", prose(text))),
    "sections": lambda text: re.findall(r"^#+(?= )", prose(text), re.M),
}


@pytest.mark.parametrize("names", PAIRS, ids=lambda pair: pair[0])
def test_both_languages_have_the_same_code_commands_numbers_and_sections(names):
    english, korean = map(read, names)
    for what, parts in ALIKE.items():
        assert parts(korean) == parts(english), what
    assert names != PAIRS[0] or len(english.splitlines()) <= MOST_LINES


# Words

# Have another meaning in the docs: "system" for other people's translators, straight quotes.
OTHER_MEANINGS = {r"\b[Ss]ystems?\b", "'", '"'}
RETIRED = {
    word: instead
    for word, instead in tomllib.loads(read("words/retired.toml"))["en"].items()
    if word not in OTHER_MEANINGS
}
CODE = re.compile(r"`[^`]*`|\]\([^)]*\)|<[^>]*>")


def sentences(name: str) -> str:
    """The prose of a page without its tables, code and links."""
    lines = (line for line in prose(read(name)).splitlines() if not line.startswith("|"))
    return CODE.sub(" ", "\n".join(lines))


ENGLISH_PAGES = (
    *("README.md", "CONTRIBUTING.md"),
    *(f"docs/{p.name}" for p in sorted((ROOT / "docs").glob("*.md")) if ".ko." not in p.name),
)


@pytest.mark.parametrize("name", ENGLISH_PAGES)
def test_the_docs_use_no_word_that_messages_retired(name):
    text = sentences(name)
    found = {m[0]: instead for word, instead in RETIRED.items() for m in re.finditer(word, text)}
    assert found == {}


# Links, pictures, names


def test_links_lead_to_what_exists():
    lost = [
        f"{name}: {path}#{anchor}"
        for name in PAGES
        for path, anchor in links(name)
        if not (ROOT / path).exists() or (anchor and anchor not in anchors(path))
    ]
    assert lost == []


def test_every_picture_is_shown_or_linked_somewhere():
    pages = (name for name in (*PAGES, *(f"docs/{p.name}" for p in (ROOT / "docs").glob("*.md"))))
    shown = {path for name in pages for path, _ in links(name)}
    files = (path for path in (ROOT / "docs/images").rglob("*") if path.is_file())
    there = {str(path.relative_to(ROOT)) for path in files}
    assert there - shown == set()


N_PAGES = 14  # that the tour leads through


@pytest.mark.parametrize(("name", "language"), [*zip(PAIRS[1], ("en", "ko"), strict=True)])
def test_the_tour_names_pages_tabs_and_lessons_as_the_app_does(name, language):
    say, text = Words(language), read(name)
    sections = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    told = {section.partition("\n")[0]: section for section in sections}
    titles = [say(f"page-{page.id}") for group in menu().values() for page in group]
    assert list(told)[-N_PAGES:] == [title for title in titles if title in told]
    first, *_, last = (say(f"lesson-{lesson.id}") for lesson in lessons())
    for words in (first, last, say("lesson_show")):
        assert words in told[say("page-lessons")]
    for page in pages():
        if (section := told.get(say(f"page-{page.id}"))) is None:  # one that is being tried out
            continue
        named = re.findall(r"^- \*\*\[?(.+?)(?:\]\([^)]*\))?\.\*\*", section, re.M)
        assert named == [say(f"view-{page.id}-{view.id}") for view in page.views]


# Numbers and examples


def card(name: str) -> dict:
    return json.loads(read(f"checkpoints/{name}/card.json"))


@pytest.mark.parametrize("name", PAIRS[0])
def test_the_scores_of_the_readme_are_stored(name):
    text = read(name)
    rows = {
        row[1]: line for line in text.splitlines() if (row := re.match(r"\| \[?`([^`]+)`", line))
    }
    scores, lineage = card("en-de")["scores"], json.loads(read("checkpoints/lineage.json"))
    assert str(scores["multi30k_test_2016_flickr"]["bleu"]) in rows["en-de"]
    assert f"{scores['coreference']['accuracy']:.1%}" in rows["en-de"]
    reverse = card("de-en")["scores"]["multi30k_test_2016_flickr"]
    assert str(reverse["bleu"]) in rows["de-en"]
    assert str(card("ko-en")["scores"]["domains"]["ko-en-tatoeba"]["bleu"]) in rows["ko-en"]
    for system in ("sutskever", "transformer"):
        bleu = lineage["systems"][system]["bleu"]["captions"]["value"]
        assert f"{bleu:.1f}" in rows["lineage-*"]
    for system in ("han", "uniform"):
        accuracy = card(f"documents-{system}")["scores"]["polarity"]["accuracy"]
        assert f"{accuracy:.1%}" in rows["documents-*"]


def test_the_examples_run():
    """Those of each page from top to bottom; other tests run the other pages with Python."""
    elsewhere = {"docs/adding-a-model.md", "docs/recordings.md"}  # with models of their own
    pages = (
        "README.md",
        "CONTRIBUTING.md",
        *(f"docs/{p.name}" for p in (ROOT / "docs").glob("*.md")),
    )
    with_python = {page for page in pages if "```python" in read(page)}
    assert {"README.md", "docs/python.md", "docs/gold.md"} | elsewhere <= with_python
    for name in sorted(with_python - elsewhere):
        names: dict[str, object] = {}
        blocks = [block for language, block in BLOCK.findall(read(name)) if language == "python"]
        assert blocks
        for block in blocks:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(block, name, "exec"), names)


def test_the_citation_names_the_authors_and_the_year_of_the_licence():
    """In the words of the Citation File Format 1.2.0."""
    lines = {line.strip(" -") for line in read("CITATION.cff").splitlines()}
    year, authors = re.search(r"Copyright \(c\) (\d+) (.+)", read("LICENSE")).groups()
    asked = {"cff-version: 1.2.0", "type: software", "license: MIT", f"version: {VERSION}"}
    assert asked | {f"name: {authors}", f"year: {year}"} <= lines


def test_the_cited_version_is_a_release_of_the_changelog_with_its_date():
    """And a release is a page to read, not the history."""
    date = re.search(r"^date-released: (.+)$", read("CITATION.cff"), re.M)[1]
    _, *releases = re.split(r"^## ", read("CHANGELOG.md"), flags=re.M)
    assert any(release.startswith(f"{VERSION} ({date})\n") for release in releases)
    assert all(len(release.splitlines()) <= MOST_RELEASED for release in releases)


def test_the_moving_picture_of_the_readme_is_small_and_moves():
    assert FILE.stat().st_size <= BYTES
    with Image.open(FILE) as film:
        assert film.n_frames > 20
