"""One generated sentence pair from its choices: noun phrases, clauses, and where "it" stands."""

import re
from dataclasses import dataclass

from .grammar import Clause, Noun, Person, Reason, Situation, load_grammar, pronoun_forms

GRAMMAR = load_grammar("en_de")
ARTICLES = GRAMMAR.articles
PRONOUN_FORMS = pronoun_forms("en-de")
_CASES = {"1": "nom", "3": "dat", "4": "acc"}
# Private-use characters bracket the two nouns and the pronoun until their spans are read off.
_MARKS = {"A": ("\ue000", "\ue001"), "B": ("\ue002", "\ue003"), "it": ("\ue004", "\ue005")}
_MARK = re.compile("[\ue000-\ue005]")


@dataclass(frozen=True)
class CoreferencePair:
    """A sentence pair with character spans of "it", its antecedent and the other noun.

    `other_reading` is the English of the same situation with the other noun meant ("tired" for
    "wide"), `other_pronoun` the span of its "it"; empty where there is none.
    """

    source: str
    target: str
    frame: str
    n_nouns: int
    pronoun: tuple[int, int]
    antecedent: tuple[int, int]
    distractor: tuple[int, int] | None
    target_pronoun: tuple[int, int]
    case: str
    half: str
    pair_id: str
    held_out: str
    other_reading: str = ""
    other_pronoun: tuple[int, int] | None = None


@dataclass(frozen=True)
class Choices:
    """Everything about a sentence but the half: shared by a minimal pair."""

    situation: Situation
    form: str
    nouns: tuple[Noun, ...]
    reasons: tuple[Reason, ...]
    variant: int
    degree: str
    person: Person
    determiners: tuple[tuple[str, str], ...]
    contract: bool


def _english_noun_phrase(noun: Noun, role: str, determiner: str, modifier: str) -> str:
    opening, closing = _MARKS[role]
    adjective = modifier.split()[0] + " " if modifier else ""
    if determiner == "a":
        following = adjective or noun.english
        determiner = "an" if following[0] in "aeiou" and following[:2] != "us" else "a"
    return f"{determiner} {adjective}{opening}{noun.english}{closing}"


def _german_noun_phrase(noun: Noun, role: str, determiner: str, modifier: str, case: str) -> str:
    opening, closing = _MARKS[role]
    gender = noun.gender
    if determiner == "the":
        article = ARTICLES[case][gender]
    elif determiner == "this":
        article = "dies" + GRAMMAR.strong_endings[case][gender]
    else:
        bare = (case == "nom" and gender != "f") or (case == "acc" and gender == "n")
        article = {"a": "ein", "my": "mein"}[determiner]
        article += "" if bare else GRAMMAR.strong_endings[case][gender]
    adjective = ""
    if modifier:
        stem = modifier.split()[1]
        nominative = case == "nom" or (case == "acc" and gender != "m")
        if not nominative:
            ending = "en"
        elif determiner in ("the", "this"):
            ending = "e"
        else:
            ending = GRAMMAR.strong_endings[case][gender]
        adjective = f"{stem}{ending} "
    word = noun.german if case == "nom" else noun.oblique
    return f"{article} {adjective}{opening}{word}{closing}"


def _join(form: str, main: Clause, reason: Clause) -> tuple[str, str]:
    """Join main clause and reason in both languages."""
    english = form.removeprefix("fronted_")
    if english in GRAMMAR.conjunctions:
        german = GRAMMAR.conjunctions[english]
        if form == english:
            return (
                f"{main.english} {english} {reason.english}.",
                f"{main.main()}, {german} {reason.subordinate()}.",
            )
        return (
            f"{english} {reason.english}, {main.english}.",
            f"{german} {reason.subordinate()}, {main.inverted()}.",
        )
    if form in ("two_sentences", "sentences"):
        stop = "" if main.english.endswith("?") else "."
        return (
            f"{main.english}{stop} {_capital(reason.english)}.",
            f"{main.main()}{stop} {_capital(reason.main())}.",
        )
    if form == "but":
        return f"{main.english}, but {reason.english}.", f"{main.main()}, aber {reason.main()}."
    if form == "and":
        return f"{main.english} and {reason.english}.", f"{main.main()} und {reason.main()}."
    return f"{main.english}, so {reason.english}.", f"{main.main()}, deshalb {reason.inverted()}."


def _capital(text: str) -> str:
    """Capitalise the first letter, or the first letter after a marker or a slot's brace."""
    if text.startswith("{"):
        return text.replace("{", "{^", 1)
    return text[0].upper() + text[1:]


def _so_clauses(choices: Choices, side: int) -> tuple[str, str]:
    """The first clause names one noun and its reason, the second has "it" beside the other."""
    reason = choices.reasons[side].past
    role = "AB"[side]
    english = reason.english.replace("{it}", f"{{{role}}}")
    german = Clause(english, f"{{{role}1}}", reason.finite, reason.middle, reason.end).main()
    template = GRAMMAR.so_clauses[choices.situation.name]
    if side == 0:
        template = template.replace("{A}", "{it}").replace("{A1}", "{it}")
    else:
        template = template.replace("{B}", "{it}").replace("{B4}", "{it4}")
    second = Clause.parse(template)
    if choices.form == "so_main":
        return f"{english}, so {second.english}.", f"{german}, deshalb {second.inverted()}."
    return f"{english}. {_capital(second.english)}.", f"{german}. {_capital(second.main())}."


def _strip(text: str) -> tuple[str, dict[str, tuple[int, int]]]:
    """Remove the markers and return the spans they bracketed."""
    positions, plain = {}, []
    for character in text:
        if _MARK.match(character):
            positions[character] = len(plain)
        else:
            plain.append(character)
    spans = {
        role: (positions[opening], positions[closing])
        for role, (opening, closing) in _MARKS.items()
        if opening in positions
    }
    text = "".join(plain)
    return text[0].upper() + text[1:], spans


def render(choices: Choices, side: int, polarity: str, tense: str) -> CoreferencePair:
    situation, nouns = choices.situation, choices.nouns
    reason = choices.reasons[side]
    clause = reason.present if tense == "n" and reason.present else reason.past
    if choices.form.startswith("so_"):
        english, german = _so_clauses(choices, side)
    else:
        mains = situation.second_mains if side and situation.second_mains else situation.mains
        group = next(g for p, t, g in mains if (p, t) == (polarity, tense))
        english, german = _join(choices.form, group[choices.variant % len(group)], clause)
    degree = choices.degree.split("/") if reason.degree else ["", ""]
    antecedent = nouns[side]
    found_case = "nom"

    def fill_english(match: re.Match) -> str:
        capital, slot = bool(match[1]), match[2]
        if slot == "deg":
            return degree[0]
        if slot == "P":
            text = choices.person.english
        elif slot == "it":
            opening, closing = _MARKS["it"]
            return f"{opening}{'It' if capital else 'it'}{closing}"
        else:
            index = "AB".index(slot)
            text = _english_noun_phrase(nouns[index], slot, *choices.determiners[index])
        return text[0].upper() + text[1:] if capital else text

    def fill_german(match: re.Match) -> str:
        nonlocal found_case
        capital, slot = bool(match[1]), match[2]
        if slot == "grad":
            return degree[1]
        if slot == "P":
            text = choices.person.german
        elif slot.startswith("it"):
            found_case = _CASES[slot[2:] or "1"]
            text = PRONOUN_FORMS[found_case][antecedent.gender]
            opening, closing = _MARKS["it"]
            return f"{opening}{text.capitalize() if capital else text}{closing}"
        elif slot[1] == "r":
            return ARTICLES[_CASES[slot[2]]][nouns["AB".index(slot[0])].gender]
        else:
            index = "AB".index(slot[0])
            text = _german_noun_phrase(
                nouns[index], slot[0], *choices.determiners[index], _CASES[slot[1]]
            )
        return text[0].upper() + text[1:] if capital else text

    source = re.sub(r"\{(\^?)(\w+)\}", fill_english, english)
    target = re.sub(r"\{(\^?)(\w+)\}", fill_german, german)
    if choices.contract:
        source = re.sub(r"\b(did|does|could|is|was) not\b", r"\1n't", source)
        source = source.replace("cannot", "can't")
    for long, short in GRAMMAR.contractions.items():
        target = re.sub(rf"(?<!, )\b{long}\b", short, target)
        target = re.sub(rf"^{long.capitalize()}\b", short.capitalize(), target)
    source, spans = _strip(source)
    target, target_spans = _strip(target)
    one_noun = len(nouns) == 1
    distractor = None if one_noun else spans["BA"[side]]
    span = spans["AB"[side]]
    if one_noun:
        half = "only"
    elif choices.form.startswith("so_"):
        # The antecedent always comes first here, so the halves go by role: who acts, what it meets.
        half = ("first", "second")[side]
    else:
        half = "first" if span < distractor else "second"
    return CoreferencePair(
        source, target, f"{situation.name}_{choices.form}", len(nouns), spans["it"], span,
        distractor, target_spans["it"], found_case, half, "", "",
    )  # fmt: skip
