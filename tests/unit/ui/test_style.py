"""Style rules are cheap to match: a page has charts of thousands of marks, and each is asked."""

from __future__ import annotations

import re

from support.models import ROOT

STYLES = sorted((ROOT / "ui").rglob("*.css"))
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
SELECTOR = re.compile(r"[^{};]+(?=\{)")
UNNAMED = r"(?:\*|:(?!is\())"  # any element, or one that is known by a condition alone
SIBLINGS = re.compile(rf"~\s*{UNNAMED}|(?:^|[\s>+~(,]){UNNAMED}\S*\([^~]*\)\s*~")


def selectors(css: str) -> list[str]:
    found = (" ".join(each.split()) for each in SELECTOR.findall(COMMENT.sub("", css)))
    return [each for each in found if not each.startswith("@")]


def looks_through_siblings(selector: str) -> bool:
    """Whether any element at all has to look through those before it."""
    return bool(SIBLINGS.search(selector))


def test_no_rule_makes_every_mark_of_a_chart_look_through_those_before_it():
    """Of n marks in a row that is n²/2 looks, and with `:has` each is one into a whole subtree."""
    assert looks_through_siblings(".block > [data-testid]:has(.skeleton) ~ *")
    assert not looks_through_siblings(".block > [data-testid]:has(.skeleton) ~ [data-testid]")
    found = [each for path in STYLES for each in selectors(path.read_text("utf-8"))]
    assert len(found) > 20
    assert list(filter(looks_through_siblings, found)) == []
