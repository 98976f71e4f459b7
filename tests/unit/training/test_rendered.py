"""Texts from templates: how lines are joined, and that everything shipped is what they say."""

import re
import shutil

import pytest

from support.models import ROOT, read_json
from training import captions, document_measures, lineage, masked_measures, rendered
from training.card import CARD_KINDS, CONFIGS, measured_in, readme_of, stored_card
from training.pages import write_pages
from training.storing import translations_table, write_between

CHECKPOINTS = ROOT / "checkpoints"
SHIPPED = sorted(path.parent.name for path in CHECKPOINTS.glob("*/card.json"))


def test_lines_in_a_row_are_one_but_for_headings_and_tables(tmp_path):
    text = "# A\n## B\none\ntwo\n\n\n\nthree\n- of a\nlist\n- more\n| a |\n|---|\n"
    text += "{% if no %}\nx\n{% endif %}\n\nend {{ n }}\n"
    (tmp_path / "x.j2").write_text(text)
    expected = "# A\n## B\none two\n\nthree\n- of a list\n- more\n| a |\n|---|\n\nend 1"
    assert rendered.rendered("x.j2", templates=tmp_path, no=False, n=1) == expected
    lines = rendered.rendered("x.j2", templates=tmp_path, between="\n", no=True, n=1)
    assert lines.endswith("|---|\nx\nend 1")


def test_shares_and_intervals_have_their_unit_and_nothing_is_nothing():
    for value, said in ((None, ""), (0.0, "0.0%"), (0.12345, "12.3%"), (1.0, "100.0%")):
        assert rendered.percent(value) == said
    found = {"value": 0.5, "low": 0.25, "high": 0.75}
    assert rendered.interval(found) == "50.0% (25.0% to 75.0%)"
    assert rendered.interval(found, "+.1f", 100) == "+50.0 (+25.0 to +75.0)"
    assert rendered.interval(None, none="–") == "–"


@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_readme_is_what_is_stored_beside_it(name):
    folder = CHECKPOINTS / name
    text = readme_of(stored_card(folder), *(measured_in(folder, kind) for kind in CARD_KINDS))
    assert text == (folder / "README.md").read_text(encoding="utf-8")


def _captions(page):
    variants = read_json(CONFIGS / "captions.json")["variants"]
    captions.write_tables(page, captions.measured_models(CHECKPOINTS, variants))


def _stored(name):
    return read_json(CHECKPOINTS / name)


PAGES = {
    "captions.md": _captions,
    "documents.md": lambda page: write_between(
        page, document_measures.Documents.report(_stored("documents.json")), document_measures.MARKS
    ),
    "lineage.md": lambda page: lineage.write_tables(page, _stored("lineage.json")),
    "masked.md": lambda page: write_between(
        page, masked_measures.Masked.report(_stored("masked-lm/masked.json"))
    ),
    "ko-en.md": lambda page: write_between(
        page, translations_table(_stored("ko-en/card.json")["everyday"])
    ),
}


NOT_STORED = {"practices"}  # of runs, which are not shipped
MARKED = sorted(
    path.name
    for path in (ROOT / "docs").glob("*.md")
    if "<!-- " in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", MARKED)
def test_the_tables_of_the_docs_are_those_of_what_is_stored(name, tmp_path):
    """Whatever stands between two marks is written anew."""
    for page in (ROOT / "docs").glob("*.md"):
        shutil.copy(page, tmp_path)
    page, shipped = tmp_path / name, (ROOT / "docs" / name).read_text(encoding="utf-8")
    emptied, n_marks = re.subn(
        r"<!-- (?!end|/)(.+?) -->\n.*?(?=<!-- (?:end|/))",
        lambda found: found[0] if found[1] in NOT_STORED else f"<!-- {found[1]} -->\nold\n",
        shipped,
        flags=re.S,
    )
    page.write_text(emptied, encoding="utf-8")
    write_pages(tmp_path)
    if name in PAGES:
        PAGES[name](page)
    assert n_marks
    assert page.read_text(encoding="utf-8") == shipped
