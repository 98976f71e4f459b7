"""Korean says all that English says, with the same places, and in Korean."""

from __future__ import annotations

import ast
import re
from functools import cache

import pytest
from fluent.syntax.ast import (
    FunctionReference,
    MessageReference,
    SelectExpression,
    VariableReference,
)
from fluent.syntax.visitor import Visitor

from support.messages import ROOT, entries, files, nodes, pages
from words import Words, languages
from words.catalogue import FIRST, FOLDER
from words.josa import josa

OTHERS = tuple(name for name in languages() if name != FIRST)
PLACE = re.compile(r"(?<!\{)\{(\w+)\}(?!\})")
PAIRS = {
    *("을/를", "이/가", "은/는", "과/와", "으로/로", "이라고/라고", "이라는/라는"),
    *("이고/고", "이며/며", "이나/나", "이면/면", "이었/였", "으로서/로서", "으로써/로써"),
    *("이므로/므로", "이지만/지만", "이라면/라면", "으로는/로는", "이다/다", "이란/란"),
    "으로만/로만",
}
# Words in Latin letters that belong into a Korean sentence: what they mean has no other name.
LATIN_RUN = re.compile(r"[A-Za-z][A-Za-z'’]+(?:[ ,]+[A-Za-z][A-Za-z'’]+){3,}")
QUOTED = re.compile(r"“[^”]*”|`[^`]*`|```.*?```|\$[^$]*\$|\{[^}]*\}|\([^)]*\)", re.DOTALL)


class Found(Visitor):
    def __init__(self, language: str) -> None:
        self.language = language
        self.places: set[str] = set()
        self.numbers: set[str] = set()
        self.josa: list[tuple[str, str]] = []

    def visit_VariableReference(self, node: VariableReference) -> None:
        self.places.add(node.id.name)

    def visit_MessageReference(self, node: MessageReference) -> None:
        self.visit(entries(self.language)[node.id.name])

    def visit_FunctionReference(self, node: FunctionReference) -> None:
        if node.id.name == "JOSA":
            value, pair = node.arguments.positional
            if isinstance(value, FunctionReference):  # a number, as it is written
                (value,) = value.arguments.positional
            self.josa.append((value.id.name, pair.value))
        else:
            self.numbers |= {each.id.name for each in node.arguments.positional}
        self.generic_visit(node)


@cache
def messages(language: str) -> dict[str, tuple[Found, str]]:
    """Names in every message of a language, and its file."""
    found = {}
    for file, own in files(language).items():
        for id, entry in own.items():
            found[id] = Found(language), file
            found[id][0].visit(entry)
    return found


def templates() -> set[str]:
    """Ids of the messages that travel with open places, which a script fills in later."""
    found = {"beam-lines-now"}
    for own in nodes().values():
        for node in own:
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "template":
                found.add(ast.literal_eval(node.args[0]))
    return found


@pytest.mark.parametrize("language", OTHERS)
def test_every_message_is_there_in_the_file_of_its_name_and_with_its_places(language):
    first, other = messages(FIRST), messages(language)
    files, translated = ({id: file for id, (_, file) in each.items()} for each in (first, other))
    assert files.items() - translated.items() == translated.items() - files.items() == set()
    wrong = {id: first[id][0].places ^ other[id][0].places for id in first}
    assert {id: places for id, places in wrong.items() if places} == {}
    expected, said = (
        {name: set(PLACE.findall(text)) for name, text in pages(each).items()}
        for each in (FIRST, language)
    )
    assert said == expected


def test_particles_follow_a_known_place_come_in_known_pairs_and_wait_for_their_value():
    for id, (found, _) in messages("ko").items():
        for place, pair in found.josa:
            assert place in found.places or place in messages("ko"), id
            assert pair in PAIRS, (id, pair)
    assert [id for id in templates() if messages("ko")[id][0].josa] == []


# Nouns that end as if a particle followed.
WHOLE = {"경로", "마을", "사과", "효과"}
AFTER_A_NOUN = re.compile(r"([가-힣]+)(을|를|으로|로|과|와)(?![가-힣(/])")
AFTER_A_BRACKET = re.compile(
    r"([가-힣]+)\((?:[^()]|\([^()]*\))*\)(을|를|은|는|이|가|과|와|으로|로)(?![가-힣(/])"
)


def written_in_korean() -> dict[str, str]:
    """Every text of the project that people read in Korean, by its file."""
    files = [
        *sorted((FOLDER / "ko").iterdir()),
        *(FOLDER / "glossary.md", ROOT / "README.ko.md", *sorted((ROOT / "docs").glob("*.ko.md"))),
        *sorted((ROOT / "checkpoints").glob("*/card.json")),
        *sorted((ROOT / "training" / "configs").glob("*.json")),
    ]
    return {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in files}


def fits(noun: str, particle: str) -> bool:
    """True if a form follows a syllable with a final consonant, by the numbers of Hangul."""
    final = (ord(noun[-1]) - ord("가")) % 28
    if particle in ("으로", "로"):
        return (particle == "로") == (final in (0, 8))
    return (particle in ("을", "은", "이", "과")) == bool(final)


@pytest.mark.parametrize("after", [AFTER_A_NOUN, AFTER_A_BRACKET], ids=["noun", "bracket"])
def test_particles_that_are_written_out_fit(after):
    """A bracket is passed over when it is read aloud."""
    found = [
        (name, match[0], fits(*match.groups()))
        for name, text in written_in_korean().items()
        for match in after.finditer(text)
        if match[1] + match[2] not in WHOLE and match[0] not in WHOLE
    ]
    assert len(found) > 50
    assert [(name, text) for name, text, right in found if not right] == []
    for noun, particle in ((m[1], m[2]) for _, text, _ in found for m in after.finditer(text)):
        (pair,) = (each for each in PAIRS if particle in each.split("/") and len(each) < 5)
        assert josa(noun, pair) == particle


def selected(language: str) -> dict[str, dict[str, set[str]]]:
    """The places of every message that choose between variants, with the keys of the variants."""
    found: dict[str, dict[str, set[str]]] = {}

    class Chosen(Visitor):
        def visit_SelectExpression(self, node: SelectExpression) -> None:
            keys = {getattr(v.key, "name", getattr(v.key, "value", "")) for v in node.variants}
            found.setdefault(self.id, {}).setdefault(node.selector.id.name, set()).update(keys)
            self.generic_visit(node)

    chosen = Chosen()
    for chosen.id, entry in entries(language).items():
        chosen.visit(entry)
    return found


def test_one_of_a_kind_is_not_counted_as_several():
    """Korean has no plural, and still nothing is the largest "of the 1 heads"."""
    counted = r"(?<![\d.])1(?:개|명|편|번|층|토큰|문장)(?:의)?(?: [가-힣]+)? "
    one_of_several = re.compile(counted + "(?:가운데|중|모두|전체|하나씩)")
    korean, choices, told = Words("ko"), selected("ko"), {}
    for id, places in selected("en").items():
        for place in (name for name, keys in places.items() if keys & {"one", "1"}):
            said = messages("ko")[id][0]
            values = dict.fromkeys(said.places, "7") | dict.fromkeys(said.numbers, 7)
            values |= {name: 2 for name in choices.get(id, {})}
            told[id, place] = korean(id, **values | {place: 1})
    assert len(told) > 100
    assert {at: text for at, text in told.items() if one_of_several.search(text)} == {}


CHOSEN = re.compile(r"\{ JOSA\([^}]*\) \}")
FORBIDDEN = {
    # Between a place, what closes it, and a space: a form that would be wrong for half the values.
    "a bare particle": r"\}[”\"*]*(?:을|를|이|가|은|는|과|와|으로|로)(?=[ .,:;])",
    "a bare particle after a bracket": (
        r"\}[”\"*]+\((?:[^()]|\([^()]*\))*\)\**(?:을|를|이|가|은|는|과|와|으로|로)(?=[ .,:;])"
    ),
    "both forms of a particle": r"은\(는\)|는\(은\)|을\(를\)|이\(가\)|과\(와\)|와\(과\)|\(으\)로",
    # 첫 번째, 두 번째; a figure goes with 번.
    "an ordinal of a figure": r"(?:\d|\} ?)번째",
    # "3층 2번 헤드" is a whole name; "{ $head }번 헤드" makes one of a number.
    "a head called a head again": r"\{ \$\w*head \}[*”]* 헤드",
    "what is passive twice, or a person": r"보여진|되어진|당신",
    # 합니다체 throughout: no sentence ends in the plain or the soft style.
    "an impolite end": r"(?<![니습합입됩옵있없])(?:한다|된다|이다|있다|없다|않다|해요|에요|예요)\.",
}


def test_no_line_of_korean_has_what_is_forbidden_or_an_english_sentence():
    found = []
    for path in (FOLDER / "ko").iterdir():
        text = path.read_text(encoding="utf-8")
        for line in text.splitlines():
            bare = CHOSEN.sub("", line)
            found += [
                f"{path.name} has {what}: {line.strip()[:90]}"
                for what, pattern in FORBIDDEN.items()
                if re.search(pattern, bare if "particle" in what else line)
            ]
        for line in re.sub(r"```.*?```", "", text, flags=re.DOTALL).splitlines():
            prose = QUOTED.sub(" ", line.partition("= ")[2] or line)
            if not line.startswith("#"):
                found += [f"{path.name} has English: {run[0]}" for run in LATIN_RUN.finditer(prose)]
    assert found == [], "\n".join(found)
