"""Style rules are cheap to match: a page has charts of thousands of marks, and each is asked."""

from __future__ import annotations

import re

import pytest

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


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.name)
def test_no_rule_makes_every_mark_of_a_chart_look_through_those_before_it(path):
    """Of n marks in a row that is n²/2 looks, and with `:has` each is one into a whole subtree."""
    assert list(filter(looks_through_siblings, selectors(path.read_text("utf-8")))) == []


@pytest.mark.parametrize(
    ("selector", "dear"),
    [
        (".block > :has(.skeleton) ~ *", True),
        (".block > [data-testid]:has(.skeleton) ~ *", True),
        (".block > :has(.skeleton) ~ [data-testid]", True),
        (".bar ~ :not(.side)", True),
        (".block > [data-testid]:has(.skeleton) ~ [data-testid]", False),
        (".bar + :not(.side)", False),
        (".heading > :has(.history)", False),
    ],
)
def test_a_dear_selector_is_told_from_a_cheap_one(selector, dear):
    assert looks_through_siblings(selector) is dear
