"""Render a generated sentence pair from its choices: noun phrases, clauses, position of "it"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from .grammar import Clause, Noun, Person, ReasonClause, Situation, load_grammar, pronoun_forms
from .sentences import articles, filled, with_spans
from .text_pairs import CoreferencePair

GRAMMAR = load_grammar("en_de")
PRONOUN_FORMS = pronoun_forms("en-de")
ROLES = "AB"
"""Names of the first and the second noun of a situation in templates."""
# Not after a comma, where "in dem" begins a relative clause.
_LONG = re.compile(rf"(?<!, )\b(?:{'|'.join(GRAMMAR.contractions)})\b")


class SentenceForm(NamedTuple):
    """Join, polarity and tense of a sentence."""

    join: str  # of main clause and reason
    polarity: str  # of the main clause
    tense: str  # of both, "p" or "n"


@dataclass(frozen=True)
class SentenceChoices:
    """Everything about a sentence except its half; both halves of a minimal pair share it."""

    situation: Situation
    form: SentenceForm
    nouns: Sequence[Noun]  # in the order of `ROLES`
    reasons: Sequence[ReasonClause]  # why "it" means the first or the second noun
    variant: int  # index of the main clause among those of the situation
    degree: tuple[str, str]  # English and German
    person: Person
    determiners: Sequence[tuple[str, str]]  # of each noun: determiner and modifier
    contract: bool  # True for the short forms of English, "didn't"


def render(choices: SentenceChoices, side: int) -> CoreferencePair:
    """Return the sentence in which "it" means the noun of `side`, 0 or 1."""
    slots = _Slots(choices, side)
    english, german = GRAMMAR.joins[choices.form.join]
    # A question keeps its own mark, the join brings the full stop.
    written = articles(filled(english, slots.english)).replace("?.", "?")
    written_german = filled(german, slots.german).replace("?.", "?")
    source, spans = with_spans(_contracted(written) if choices.contract else written)
    target, target_spans = with_spans(
        _LONG.sub(lambda long: GRAMMAR.contractions[long[0]], written_german)
    )
    antecedent = spans[ROLES[side]]
    distractor = spans.get(ROLES[1 - side])
    if distractor is None:
        half = "only"
    elif choices.form.join.startswith("so_"):
        # The antecedent always comes first here, so halves go by role: the one who acts, or the
        # other.
        half = ("first", "second")[side]
    else:
        half = "first" if antecedent < distractor else "second"
    return CoreferencePair(
        source=source,
        target=target,
        frame=f"{choices.situation.name}_{choices.form.join}",
        n_nouns=len(choices.nouns),
        pronoun=spans["it"],
        antecedent=antecedent,
        distractor=distractor,
        target_pronoun=target_spans["it"],
        case=slots.case,
        half=half,
    )


class _Slots:
    """Words for the slots of a join in both languages; a clause's own slots are filled, too.

    `case` is that of the German pronoun, known once its slot has been filled.
    """

    def __init__(self, choices: SentenceChoices, side: int) -> None:
        main, reason = _clauses(choices, side)
        self.case = ""
        self._choices = choices
        self._clauses = {"m": main, "r": reason}
        self._meant = choices.nouns[side]

    def english(self, slot: str, _: str) -> str:
        """Return the English words of a slot, with the span of a noun or of "it" in brackets."""
        if slot in self._clauses:
            return filled(self._clauses[slot].english, self.english)
        if slot in ROLES:
            at = ROLES.index(slot)
            determiner, modifier = self._choices.determiners[at]
            noun = f"[{slot}:{self._choices.nouns[at].english}]"
            return " ".join([determiner, *modifier.split()[:1], noun])
        words = {
            "it": "[it:it]",
            "P": self._choices.person.english,
            "deg": self._choices.degree[0],
        }
        return words[slot]

    def german(self, slot: str, form: str) -> str:
        """Return the German words of a slot; `form` is a case, or the position of a verb."""
        if slot in self._clauses:
            return filled(self._clauses[slot].german(form), self.german)
        if slot in ROLES:
            return _german_noun_phrase(self._choices, slot, form)
        if slot == "it":
            # The slot names the pronoun's case, which the pair records.
            self.case = form
            return f"[it:{PRONOUN_FORMS[form][self._meant.gender]}]"
        return {"P": self._choices.person.german, "deg": self._choices.degree[1]}[slot]


def _clauses(choices: SentenceChoices, side: int) -> tuple[Clause, Clause]:
    """Return the main clause, and the one that contains "it"."""
    situation = choices.situation
    reason = choices.reasons[side]
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


def _german_noun_phrase(choices: SentenceChoices, role: str, form: str) -> str:
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
    """Return English with its negations contracted."""
    short = re.sub(r"\b(did|does|could|is|was) not\b", r"\1n't", english)
    return short.replace("cannot", "can't")
