"""Render a generated sentence pair from its choices: noun phrases, clauses, position of "it"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from .grammar import Clause, Noun, Person, Reason, Situation, load_grammar, pronoun_forms
from .sentences import Span, articles, filled, with_spans

GRAMMAR = load_grammar("en_de")
PRONOUN_FORMS = pronoun_forms("en-de")
ROLES = "AB"
"""Names of the first and the second noun of a situation in templates."""
# Not after a comma, where "in dem" begins a relative clause.
_LONG = re.compile(rf"(?<!, )\b(?:{'|'.join(GRAMMAR.contractions)})\b")


@dataclass(frozen=True)
class CoreferencePair:
    """A sentence pair with character spans of "it", its antecedent and the other noun.

    `other_reading` is the English of the same situation with the other noun meant ("tired" for
    "wide"), `other_pronoun` the span of its "it"; empty if there is none.
    """

    source: str
    target: str
    frame: str
    n_nouns: int
    pronoun: Span
    antecedent: Span
    distractor: Span | None
    target_pronoun: Span
    case: str
    half: str
    pair_id: str
    held_out: str
    other_reading: str = ""
    other_pronoun: Span | None = None

    @property
    def right_form(self) -> str:
        """The pronoun in the target, in lower case."""
        return self.target[slice(*self.target_pronoun)].lower()


class Form(NamedTuple):
    """Join, polarity and tense of a sentence."""

    join: str  # of main clause and reason
    polarity: str  # of the main clause
    tense: str  # of both, "p" or "n"


@dataclass(frozen=True)
class Choices:
    """Everything about a sentence except its half; both halves of a minimal pair share it."""

    situation: Situation
    form: Form
    nouns: Sequence[Noun]
    reasons: Sequence[Reason]
    variant: int
    degree: tuple[str, str]  # English and German
    person: Person
    determiners: Sequence[tuple[str, str]]  # of each noun: determiner and modifier
    contract: bool


def render(choices: Choices, side: int) -> CoreferencePair:
    """Return the sentence in which "it" means the noun of `side`, 0 or 1."""
    nouns, meant = choices.nouns, ROLES[side]
    clauses = dict(zip("mr", _clauses(choices, side), strict=True))
    cases = []

    # Slots are filled recursively: a clause's own slots are those of its words.
    def english(slot: str, _: str) -> str:
        if slot in clauses:
            return filled(clauses[slot].english, english)
        if slot in ROLES:
            at = ROLES.index(slot)
            determiner, modifier = choices.determiners[at]
            return " ".join([determiner, *modifier.split()[:1], f"[{slot}:{nouns[at].english}]"])
        return {"it": "[it:it]", "P": choices.person.english, "deg": choices.degree[0]}[slot]

    def german(slot: str, form: str) -> str:
        if slot in clauses:
            return filled(clauses[slot].german(form), german)
        if slot in ROLES:
            return _german_noun_phrase(choices, slot, form)
        if slot == "it":
            # The slot names the pronoun's case, which the pair records.
            cases.append(form)
            return f"[it:{PRONOUN_FORMS[form][nouns[side].gender]}]"
        return {"P": choices.person.german, "deg": choices.degree[1]}[slot]

    templates = GRAMMAR.joins[choices.form.join]
    # A question keeps its own mark, the join brings the full stop.
    written = articles(filled(templates[0], english)).replace("?.", "?")
    written_german = filled(templates[1], german).replace("?.", "?")
    source, spans = with_spans(_contracted(written) if choices.contract else written)
    target, target_spans = with_spans(
        _LONG.sub(lambda long: GRAMMAR.contractions[long[0]], written_german)
    )
    antecedent, distractor = spans[meant], spans.get(ROLES[1 - side])
    if distractor is None:
        half = "only"
    elif choices.form.join.startswith("so_"):
        # The antecedent always comes first here, so halves go by role: the one who acts, or the
        # other.
        half = ("first", "second")[side]
    else:
        half = "first" if antecedent < distractor else "second"
    frame = f"{choices.situation.name}_{choices.form.join}"
    return CoreferencePair(
        source, target, frame, len(nouns), spans["it"], antecedent, distractor,
        target_spans["it"], cases[-1], half, "", "",
    )  # fmt: skip


def _clauses(choices: Choices, side: int) -> tuple[Clause, Clause]:
    """Return the main clause, and the one that contains "it"."""
    situation, reason = choices.situation, choices.reasons[side]
    if choices.form.join.startswith("so_"):
        # The first clause names one noun and its reason, the second has "it" beside the other noun.
        noun = "{" + ROLES[side]
        first = replace(
            reason.past,
            english=reason.past.english.replace("{it", noun),
            subject=reason.past.subject.replace("{it", noun),
        )
        # The template is written for one side; its "it" takes the place of this side's noun.
        return first, Clause.parse(GRAMMAR.so_clauses[situation.name].replace(noun, "{it"))
    mains = situation.second_mains if side and situation.second_mains else situation.mains
    group = mains[choices.form.polarity, choices.form.tense]
    # A reason without a present tense stays in the past.
    present = reason.present if choices.form.tense == "n" else None
    return group[choices.variant % len(group)], present or reason.past


def _german_noun_phrase(choices: Choices, role: str, form: str) -> str:
    """Return article, adjective and noun, inflected for case and gender."""
    noun = choices.nouns[ROLES.index(role)]
    determiner, modifier = choices.determiners[ROLES.index(role)]
    # "nom-article" asks for the article alone, which serves as a relative pronoun.
    case, _, article_alone = form.partition("-")
    if article_alone:
        determiner = "the"
    article, ending = GRAMMAR.determiners[determiner][case][noun.gender].split(" -")
    if article_alone:
        return article
    word = noun.german if case == "nom" else noun.oblique
    adjective = [stem + ending for stem in modifier.split()[1:]]
    return " ".join([article, *adjective, f"[{role}:{word}]"])


def _contracted(english: str) -> str:
    short = re.sub(r"\b(did|does|could|is|was) not\b", r"\1n't", english)
    return short.replace("cannot", "can't")
