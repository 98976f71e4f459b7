"""Values in messages: a change is called a change, a loss has no sign."""

from __future__ import annotations

import ast
import re
from functools import cache

import pytest

from support.messages import entries, nodes, pattern, texts
from words import languages

CHANGE = {"en": r"Δ|chang|moved", "ko": r"Δ|변화|바뀐|바뀜"}
LOSS = {
    "en": r"\b(?:costs?|loses?|lost|falls?|drops?|lowers)\b",
    "ko": r"잃|떨어|감소|낮아|내려",
}
CORRELATION = r"correlation|상관"
SENTENCES = re.compile(r"(?<=[.!?;])\s+")
PLACE = re.compile(r"\$(\w+)")
SIGNED = re.compile(r"SIGNED\(\$(\w+)")
WRITTEN = re.compile(r"\b((?!JOSA)[A-Z]+)\((\$\w+)(?:, digits: (\d))?\)")
FORBIDDEN = {
    # A word for the quantity, and then what it changed by.
    "a change told as a value": (
        r"(?:log [pP]|log-odds|로그 오즈)[\s:*(]*\{ (?:[A-Z]+\()?\$(?:\w+_)?(?:change|drop)\b"
    ),
    # 1st, 2nd, 21st: one ending fits some numbers alone.
    "an ordinal of a number": r"\}[*”\"]*(?:st|nd|rd|th)\b",
}


def calls() -> list[ast.Call]:
    """Everything that the code calls."""
    return [node for own in nodes().values() for node in own if isinstance(node, ast.Call)]


def called(node: ast.AST) -> str:
    return ast.unparse(node.func).split(".")[-1] if isinstance(node, ast.Call) else ""


@cache
def with_a_sign() -> dict[str, set[str]]:
    """The places of every message that are filled or written with a signed number."""
    found = {id: set(SIGNED.findall(text)) for id, text in texts("en").items()}
    for call in calls():
        names = {each.arg for each in call.keywords if "signed" in called(each.value)}
        if names and call.args and (id := pattern(call.args[0])):
            for known in entries("en"):
                if re.fullmatch(id, known):
                    found[known] |= names
    return {id: places for id, places in found.items() if places}


def charted() -> list[tuple[str, str]]:
    """Fields of charts with the messages that are their titles, of axes and of tooltips."""
    found = []
    for call in calls():
        if called(call) in ("X", "Y") and call.args:
            field = pattern(call.args[0])
            titles = [each.value for each in call.keywords if called(each.value) == "measure"]
            found += [(field, pattern(title.args[0])) for title in titles if title.args]
        elif called(call).endswith("tips"):
            for each in call.keywords:
                title = each.value.elts[0] if isinstance(each.value, ast.Tuple) else each.value
                found.append((each.arg, pattern(title)))
    return [(field.split(":")[0], id.replace("\\", "")) for field, id in found if field and id]


@pytest.mark.parametrize("language", languages())
def test_a_change_is_called_one_and_no_value_or_ordinal(language):
    told = texts(language)
    charts = [id for field, id in charted() if re.fullmatch(r"(?:\w+_)?change", field)]
    labels = {id for id in entries("en") if re.search(r"[-_]change$", id)} | set(charts)
    labels = {id for id in labels if "$" not in told[id] and not id.startswith("view-")}
    assert charts
    assert len(labels) > 3
    assert [id for id in labels if not re.search(CHANGE[language], told[id])] == []
    for what, forbidden in FORBIDDEN.items():
        assert [id for id, text in told.items() if re.search(forbidden, text)] == [], what


@pytest.mark.parametrize("language", languages())
def test_what_is_lost_is_told_without_a_sign(language):
    signed = with_a_sign()
    assert len(signed) > 10
    wrong = {
        id: sentence
        for id, text in texts(language).items()
        for sentence in SENTENCES.split(text)
        if re.search(LOSS[language], sentence) and not re.search(CORRELATION, sentence)
        for place in PLACE.findall(sentence)
        if place == "change" or place.endswith("_change") or place in signed.get(id, ())
    }
    assert wrong == {}


@pytest.mark.parametrize("language", languages())
def test_a_number_has_the_same_digits_in_every_language(language):
    english = texts("en")
    differing = {
        id: sorted(difference)
        for id, text in texts(language).items()
        if (difference := {*WRITTEN.findall(text)} ^ {*WRITTEN.findall(english[id])})
    }
    assert len(english) > 1000
    assert differing == {}
