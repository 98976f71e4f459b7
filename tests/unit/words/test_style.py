"""Every message and explanation follows the guide for writers, in every language."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache

import pytest
from fluent.syntax import FluentParser
from fluent.syntax.ast import (
    FunctionReference,
    InlineExpression,
    MessageReference,
    Pattern,
    SelectExpression,
    StringLiteral,
    TextElement,
    VariableReference,
)
from markdown_it import MarkdownIt

from support.messages import entries as messages
from support.messages import nodes, pattern
from support.messages import pages as explanations
from ui.pages import menu
from words import languages
from words.catalogue import FOLDER
from words.glossary import FILE, Entry, entries

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
LONGEST = {"en": 25, "ko": 26}  # words of a sentence
MOST_WORDS = {"en": 60, "ko": 45}  # of a message on one line
MOST_EXPLAINED = 110  # words of an explanation in English
MOST_NUMBERS = 2  # of a readout, besides counts, steps and the ends of an interval


def variants(pattern: Pattern) -> Iterator[str]:
    """Texts that a message may give, its places as one sign; a choice yields all variants."""
    texts = [""]
    for element in pattern.elements:
        if isinstance(element, TextElement):
            texts = [text + element.value for text in texts]
        elif isinstance(element.expression, SelectExpression):
            chosen = [t for each in element.expression.variants for t in variants(each.value)]
            texts = [text + each for text in texts for each in chosen]
        elif isinstance(element.expression, StringLiteral):
            texts = [text + element.expression.parse()["value"] for text in texts]
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
    """No sentence and no message is longer than can be read at once."""
    prose, explained = CODE.sub(" x ", text), id.endswith(".md")
    n = len(prose.split())
    faults = [f"{n} words"] if not explained and n > MOST_WORDS[language] else []
    if explained or language == "en":
        ended = re.split(r"(?<=[.!?:;])[)”*]*\s+|\n\n|\n[-|]", prose)
        faults += [s.strip() for s in ended if len(s.split()) > LONGEST[language]]
    return faults


def length_of_explanations(language: str, id: str, text: str) -> list[str]:
    words = [word for word in CODE.sub(" x ", text).split() if re.search(r"\w", word)]
    too_long = language == "en" and id.endswith(".md") and len(words) > MOST_EXPLAINED
    return [f"{len(words)} words, at most {MOST_EXPLAINED}"] * too_long


def bold_that_does_not_close(language: str, id: str, text: str) -> list[str]:
    """CommonMark does not end emphasis between a sign and a letter, as before a particle."""
    return re.findall(r"\*\*?[^*\n]+[^\w\s*가-힣]\*\*?[가-힣]+", text)


CHECKS = (
    retired, percent, ranges_with_a_tilde, doubled_nouns, labels, sentences,
    length_of_explanations, bold_that_does_not_close,
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
        (sentences, "en", "any.md", "word " * 26),
        (sentences, "en", "any", "word " * 26),
        (sentences, "ko", "any", "말 " * 46),
        (length_of_explanations, "en", "any.md", "Two words. " * 56),
        (bold_that_does_not_close, "ko", "any", "**순환(GRU)**보다"),
    ],
)
def test_each_check_finds_what_it_is_for(check, language, id, text):
    assert check(language, id, text)


# -- emphasis -------------------------------------------------------------------------------------


FUNCTIONS = {
    **{"PERCENT": "71%", "SIGNED": "−0.71", "FIXED": "0.71", "COMPACT": "−7.1", "SHORT": "0.7"},
    **{"GROUPED": "7,100", "SCIENTIFIC": "7.1 × 10⁻⁷", "FACTOR": "7.1", "SIZE": "71 MB"},
    "JOSA": "는",
}
# Places that hold a name, which may end in a bracket: “가산 어텐션(Bahdanau 2015)”.
NAMED = {"by_least", "by_most", "first", "open", "other", "second", "sublayer", "view"}


def filled(language: str, id: str, pattern: Pattern) -> Iterator[str]:
    """Texts of a message with numbers and names; a choice yields each of its variants."""
    texts = [""]
    for element in pattern.elements:
        match element:
            case TextElement(value=said):
                parts = [said]
            case _:
                parts = [*written(language, id, element.expression)]
        texts = [text + part for text in texts for part in parts]
    yield from texts


def written(
    language: str, id: str, expression: InlineExpression | SelectExpression
) -> Iterator[str]:
    match expression:
        case SelectExpression(variants=choices):
            for each in choices:
                yield from filled(language, id, each.value)
        case MessageReference(id=other):
            yield from filled(language, id, messages(language)[other.name].value)
        case StringLiteral():
            yield expression.parse()["value"]
        case FunctionReference(id=function):
            yield FUNCTIONS[function.name]
        case VariableReference(id=place):
            named = NAMED | WORDS_HERE.get(id, set())
            yield "순환(GRU)" if place.name in named else "7"


def asterisks(text: str) -> list[str]:
    """Text in which Markdown leaves an asterisk to be read; an escaped one is meant."""
    parser = MarkdownIt("commonmark")
    blocks = parser.parse(text.replace(r"\*", "x"))
    said = [
        each.content for block in blocks for each in block.children or () if each.type == "text"
    ]
    return [each for each in said if "*" in each]


@pytest.mark.parametrize("language", languages())
def test_markdown_leaves_no_asterisk_of_a_message_with_its_numbers(language):
    own = messages(language)
    said = {id: [*filled(language, id, each.value)] for id, each in own.items() if each.value}
    said |= {name: [text] for name, text in explanations(language).items()}
    left = {id: found for id, texts in said.items() for text in texts if (found := asterisks(text))}
    assert left == {}


@pytest.mark.parametrize(
    ("message", "renders"),
    [
        ("a = **{ PERCENT($share) }**이고", False),
        ("a = **{ PERCENT($share) }이고**", True),
        ("a = **{ $share }**이고", True),
        ("lineage-fall = **{ $most }**의 값", False),
        ("a = { $n ->\n    [1] **{ $n }**개\n   *[other] **{ PERCENT($n) }**는\n }", False),
        (r"a = 참조 번역 y\*", True),
    ],
)
def test_asterisks_are_left_between_a_sign_and_a_letter(message, renders):
    (entry,) = FluentParser().parse(message).body
    left = [asterisks(text) for text in filled("ko", entry.id.name, entry.value)]
    assert (not any(left)) == renders


# -- readouts -------------------------------------------------------------------------------------


# Ids of readouts by their names; others are found where the code calls `finding` with them.
READOUT = re.compile(
    r".*-(?:found|finding)(?:-.*)?|row(?:-norm|-zeroing)?|attention-(?:decides|link|strongest)"
    r"|beam-(?:gain-.*|tally-shares|width-(?:keeps|lowers|raises))|captions-note"
    r"|cost-(?:crossed|not-crossed)|documents-(?:largest|tau-drops)|lineage-(?:fall|step)"
    r"|masks-(?:change-pronoun|explain-number|seen-(?:moved|row))|training-formed-.*"
)
# Places that are no results: words, what a number is of, counts, and the ends of an interval.
BESIDE = {
    *("best", "by_least", "by_most", "control", "does", "first", "formula", "head", "key", "keys"),
    *("label", "measure", "method", "noun", "now", "open", "other", "over", "place", "queries"),
    *("query", "read", "run", "second", "segment", "sublayer", "text", "thing", "token", "truth"),
    *("who", "word", "words", "work", "written"),
    *(
        "d",
        "d_k",
        "high_at",
        "layer",
        "loss_step",
        "val_loss_step",
        "low_at",
        "offset",
        "pair",
        "step",
    ),
    *("added", "apart", "n", "n_decoder", "n_encoder", "of", "pairs", "real", "sentences"),
    *("low", "high"),
}
# Places that hold a word in this message and a number in others.
WORDS_HERE = {
    "gold-pair-found": {"sure"},
    "positions-near-far": {"here", "near", "far"},
    "beam-tree-found": {"greedy"},
    "share-token-found": {"source"},
    "share-tokens-found": {"most_token", "least_token"},
    "why-cell": {"row", "column", "part"},
    "lineage-fall": {"most"},
    "lineage-length-found": {"most"},
    "masked-found-typed": {"both", "left"},
    "masked-found": {"top"},
}


def numbers_in(pattern: Pattern, beside: set[str]) -> Iterator[list[str]]:
    """Places with a number in what a message may say; a choice yields each of its variants."""
    found: list[list[str]] = [[]]
    for element in pattern.elements:
        match element:
            case TextElement():
                continue
        match element.expression:
            case SelectExpression(variants=choices):
                chosen = [n for each in choices for n in numbers_in(each.value, beside)]
                found = [[*one, *two] for one in found for two in chosen]
            case FunctionReference(arguments=given) if given.positional:
                name = given.positional[0].id.name
                found = [[*one, *[name] * (name not in beside)] for one in found]
            case VariableReference(id=place) if place.name not in beside:
                found = [[*one, place.name] for one in found]
    yield from found


def readouts() -> dict[str, Pattern]:
    """The English messages above a picture."""
    said = {
        text
        for own in nodes().values()
        for call in own
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "finding"
        for each in ast.walk(call)
        if (text := pattern(each))
    }
    found = {id: each.value for id, each in messages("en").items() if each.value}
    return {
        id: value
        for id, value in found.items()
        if READOUT.fullmatch(id) or any(re.fullmatch(text, id) for text in said)
    }


def crowded(id: str, value: Pattern) -> list[list[str]]:
    beside = BESIDE | WORDS_HERE.get(id, set())
    return [each for each in numbers_in(value, beside) if len(each) > MOST_NUMBERS]


def test_a_readout_holds_two_numbers_at_most():
    """Places are alike in all languages, so English stands for the others."""
    found = readouts()
    assert len(found) > 80
    assert {id: over for id, value in found.items() if (over := crowded(id, value))} == {}


@pytest.mark.parametrize(
    ("message", "fits"),
    [
        ("a-found = { $head }: { $value } of { $n }, { PERCENT($share) }", True),
        ("a-found = { $head }: { $value } of { $n }, { PERCENT($share) }, { $more }", False),
        (
            "a-found = { $one } { $which ->\n    [a] { $two }\n   *[b] { $two } { $three }\n }",
            False,
        ),
    ],
)
def test_the_numbers_of_a_readout_are_counted_without_names_and_counts(message, fits):
    (entry,) = FluentParser().parse(message).body
    assert (not crowded("a-found", entry.value)) == fits


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
