"""English-German pairs in which "it" must be resolved before German can be written.

A *situation* is a main clause about one or two nouns and the reasons that fit either of them; a
*form* is a way of joining main clause and reason. Situation and form together make a frame.
"""

import hashlib
import itertools
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from training.lexicon import ADJECTIVES, MODIFIERS, NOUNS, PEOPLE, Noun, Person

PRONOUN_FORMS = {
    "nom": {"m": "er", "f": "sie", "n": "es"},
    "acc": {"m": "ihn", "f": "sie", "n": "es"},
    "dat": {"m": "ihm", "f": "ihr", "n": "ihm"},
}
ARTICLES = {
    "nom": {"m": "der", "f": "die", "n": "das"},
    "acc": {"m": "den", "f": "die", "n": "das"},
    "dat": {"m": "dem", "f": "der", "n": "dem"},
}
_STRONG_ENDINGS = {
    "nom": {"m": "er", "f": "e", "n": "es"},
    "acc": {"m": "en", "f": "e", "n": "es"},
    "dat": {"m": "em", "f": "er", "n": "em"},
}
_CASES = {"1": "nom", "3": "dat", "4": "acc"}
_CONTRACTIONS = {"in dem": "im", "an dem": "am", "von dem": "vom", "zu dem": "zum"}
_CONTRACTIONS |= {"zu der": "zur", "in das": "ins", "bei dem": "beim"}
# Private-use characters bracket the two nouns and the pronoun until their spans are read off.
_MARKS = {"A": ("\ue000", "\ue001"), "B": ("\ue002", "\ue003"), "it": ("\ue004", "\ue005")}
_MARK = re.compile("[\ue000-\ue005]")
_DEFINITE_MODIFIERS = ("next", "first", "other", "second")
_CANONICAL_PAIR = ("animal", "street")
_NEVER_HELD_OUT = {"tired", "wide", "big", "small"}


@dataclass(frozen=True)
class CoreferencePair:
    """A sentence pair with character spans of "it", its antecedent and the other noun."""

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


@dataclass(frozen=True)
class Clause:
    """English text and a German clause as subject, finite verb, middle field and right bracket."""

    english: str
    subject: str
    finite: str
    middle: str
    end: str

    @classmethod
    def parse(cls, text: str) -> "Clause":
        """Read "english ; subject | finite | middle | end"."""
        english, german = text.split(";")
        subject, finite, middle, end = (part.strip() for part in german.split("|"))
        return cls(english.strip(), subject, finite, middle, end)

    def main(self) -> str:
        """Put the verb second."""
        return _words(self.subject, self.finite, self.middle, self.end.lstrip("+"))

    def inverted(self) -> str:
        """Put the verb before the subject, as after an adverb or a clause."""
        return _words(self.finite, self.subject, self.middle, self.end.lstrip("+"))

    def subordinate(self) -> str:
        """Put the verb last; "+" marks a separable prefix that joins it."""
        if self.end.startswith("+"):
            return _words(self.subject, self.middle, self.end[1:] + self.finite)
        return _words(self.subject, self.middle, self.end, self.finite)


@dataclass(frozen=True)
class Reason:
    """One clause about "it"; `tags` limits the nouns it fits."""

    key: str
    past: Clause
    present: Clause | None
    degree: bool
    tags: frozenset[str]

    def fits(self, noun: Noun) -> bool:
        return not self.tags or bool(self.tags & noun.tags)


@dataclass(frozen=True)
class Situation:
    """Main clauses with the forms they take, and the reasons for either noun."""

    name: str
    tags: tuple[str, str]
    mains: tuple[tuple[str, str, tuple[Clause, ...]], ...]
    reasons: tuple[tuple[Reason, ...], tuple[Reason, ...]]
    fit: str = ""
    second_mains: tuple[tuple[str, str, tuple[Clause, ...]], ...] = field(default=())


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


def _words(*parts: str) -> str:
    return " ".join(part for part in parts if part)


def _reason(text: str) -> Reason:
    text, _, tags = text.partition("@")
    limits = frozenset(tags.split("/")) if tags else frozenset()
    if ";" in text:
        english, german = (part.strip() for part in text.split(";"))
        if "{it" in english:
            past = Clause.parse(f"{english}; {german}")
        else:
            past = Clause.parse(f"{{it}} {english}; {{it}} | {german}")
        return Reason(english, past, None, False, limits)
    key = text.strip().lstrip("!")
    german = ADJECTIVES[key]
    degree = not text.strip().startswith("!")
    english_degree, german_degree = ("{deg}", "{grad}") if degree else ("", "")
    past = Clause(f"{{it}} was {english_degree}{key}", "{it}", "war", german_degree + german, "")
    present = Clause(f"{{it}} is {english_degree}{key}", "{it}", "ist", german_degree + german, "")
    return Reason(key, past, present, degree, limits)


def _reasons(text: str) -> tuple[Reason, ...]:
    return tuple(_reason(part) for part in text.replace("\n", " ").split(",") if part.strip())


def _mains(text: str) -> tuple[tuple[str, str, tuple[Clause, ...]], ...]:
    """Read lines "polarity tense: clause" and gather them by polarity and tense."""
    groups: dict[tuple[str, str], list[Clause]] = {}
    for line in text.strip().splitlines():
        head, _, clause = line.partition(":")
        polarity, tense = head.split()
        groups.setdefault((polarity, tense), []).append(Clause.parse(clause))
    return tuple((polarity, tense, tuple(group)) for (polarity, tense), group in groups.items())


# Which forms a kind of main clause takes. "too" marks reasons that prevent, "for" that enable.
_FORMS = {
    "too": ("because", "since", "fronted_because", "fronted_since", "two_sentences"),
    "for": ("because", "since", "fronted_because", "two_sentences"),
    "but": ("but",),
    "although": ("although", "fronted_although"),
    "when": ("when", "fronted_when"),
    "then": ("sentences", "and", "so"),
    "so": ("so_main", "so_two_sentences"),
    "own": ("two_sentences", "and", "but"),
    "intro": ("because", "fronted_because", "two_sentences", "and", "but", "although"),
}
_DEGREES = {
    "own": (("very ", "sehr "), ("", ""), ("quite ", "ziemlich ")),
    "too": (("too ", "zu "), ("so ", "so "), ("very ", "sehr "), ("too ", "zu ")),
    "for": (("so ", "so "), ("very ", "sehr "), ("", "")),
    "but": (("too ", "zu "), ("too ", "zu "), ("much too ", "viel zu ")),
    "although": (("very ", "sehr "), ("", ""), ("so ", "so ")),
    "so": (("too ", "zu "), ("very ", "sehr "), ("much too ", "viel zu ")),
    "intro": (
        ("very ", "sehr "),
        ("", ""),
        ("so ", "so "),
        ("quite ", "ziemlich "),
        ("too ", "zu "),
    ),
}


def _situation(
    name: str,
    tags: tuple[str, str],
    mains: str,
    first: str,
    second: str,
    fit: str = "",
    second_mains: str = "",
) -> Situation:
    return Situation(
        name, tags, _mains(mains), (_reasons(first), _reasons(second)), fit,
        _mains(second_mains) if second_mains else (),
    )  # fmt: skip


_ANIMATE = """tired@animal, hungry@animal, weak@animal, sick@animal, nervous@animal, lazy@animal,
!injured@animal, young@animal, exhausted@animal, frightened@animal, shy@animal, slow@vehicle,
heavy@vehicle, !broken@vehicle, !damaged@vehicle, clumsy@animal,
was afraid; hatte | Angst | @animal, had slept badly; hatte | schlecht | geschlafen@animal,
had no fuel; hatte | keinen Treibstoff | @vehicle"""
_CROSSABLE = """wide, deep@water, dangerous, narrow@bridge/road, icy@bridge/road,
!flooded@land/road, !closed@road/bridge, slippery@bridge/road/ice, muddy@land,
 long@bridge/road, cold@water, steep@ice,
busy@road, was under water; stand | unter Wasser | @land/road/bridge"""
_SIZED = "big, bulky, long@item, wide, thick@item"

_SITUATIONS = (
    _situation("cross", ("animal/vehicle", "place"), """
too p: {A} did not cross {B}; {A1} | überquerte | {B4} nicht |
too p: {A} could not cross {B}; {A1} | konnte | {B4} nicht | überqueren
too n: {A} does not cross {B}; {A1} | überquert | {B4} nicht |
too n: {A} cannot cross {B}; {A1} | kann | {B4} nicht | überqueren
but p: {A} tried to cross {B}; {A1} | versuchte, | {B4} zu überqueren |
but p: {A} was supposed to cross {B}; {A1} | sollte | {B4} | überqueren
although p: {A} crossed {B}; {A1} | überquerte | {B4} |
although p: {A} has crossed {B}; {A1} | hat | {B4} | überquert""", _ANIMATE, _CROSSABLE),
    _situation("be_crossed", ("animal/vehicle", "place"), """
too p: {B} was not crossed by {A}; {B1} | wurde | von {A3} nicht | überquert
too p: {B} could not be crossed by {A}; {B1} | konnte | von {A3} nicht | überquert werden
although p: {B} was crossed by {A}; {B1} | wurde | von {A3} | überquert""",
               _ANIMATE, _CROSSABLE),
    _situation("enter", ("animal", "building"), """
too p: {A} did not go into {B}; {A1} | ging | nicht in {B4} |
too p: {A} did not enter {B}; {A1} | betrat | {B4} nicht |
too n: {A} does not go into {B}; {A1} | geht | nicht in {B4} |
but p: {A} was supposed to go into {B}; {A1} | sollte | in {B4} | gehen
although p: {A} went into {B}; {A1} | ging | in {B4} |
although p: {A} has gone into {B}; {A1} | ist | in {B4} | gegangen""", _ANIMATE,
               """dark, loud, was locked; war | verschlossen | @building, hot,
               was full of people; war | voller Menschen |,
               was burning; brannte | |, smelled of smoke; roch | nach Rauch |,
               was flooded; stand | unter Wasser |"""),
    _situation("leave", ("animal", "building"), """
when p: {A} left {B}; {A1} | verließ | {B4} |
when p: {A} ran out of {B}; {A1} | rannte | aus {B3} | +hinaus
when p: {A} was still in {B}; {A1} | war | noch in {B3} |""",
               """became hungry; bekam | Hunger |, heard a noise; hörte | ein Geräusch |,
               smelled the food; roch | das Futter |, woke up; wachte | | +auf,
               saw the hunter; sah | den Jäger |, became nervous; wurde | nervös |""",
               """caught fire; fing | Feuer |, began to burn; begann | zu brennen |,
               was flooded; wurde | | überflutet, was closed for the night; wurde | für die Nacht |
               geschlossen, was sold; wurde | | verkauft, was searched; wurde | | durchsucht"""),
    _situation("fit", ("item/container", "container"), """
too n: {A} does not fit in {B}; {A1} | passt | nicht in {B4} |
too p: {A} did not fit into {B}; {A1} | passte | nicht in {B4} |
too p: {P} could not put {A} into {B}; {P} | konnte | {A4} nicht in {B4} | legen
too p: {A} could not be put into {B}; {A1} | konnte | nicht in {B4} | gelegt werden
but p: {P} wanted to put {A} into {B}; {P} | wollte | {A4} in {B4} | legen
but p: {A} was supposed to go into {B}; {A1} | sollte | in {B4} | kommen
although p: {A} fit into {B}; {A1} | passte | in {B4} |""", _SIZED,
               "small, tight, short, narrow, flat", "near"),
    _situation("hold", ("container", "item/container"), """
too n: {A} cannot hold {B}; {A1} | kann | {B4} nicht | aufnehmen
too p: in {A} there was no room for {B}; in {A3} | war | kein Platz für {B4} |""",
               "small, tight, short, full, flat", _SIZED, "contains"),
    _situation("fit_well", ("item/container", "container"), """
for p: {A} fit easily into {B}; {A1} | passte | leicht in {B4} |
for n: {A} fits easily into {B}; {A1} | passt | leicht in {B4} |
for p: {P} could put {A} into {B}; {P} | konnte | {A4} in {B4} | legen""",
               "small, short, thin@item, flat, soft@item", "big, wide, deep, spacious", "near"),
    _situation("inside", ("item", "container"), """
then p: {A} was in {B}; {A1} | war | in {B3} |
then p: {A} lay in {B}; {A1} | lag | in {B3} |
then p: {B} contained {A}; {B1} | enthielt | {A4} |
then p: in {B} there was {A}; in {B3} | war | {A1} |
then p: {A} had been put into {B}; {A1} | war | in {B4} | gelegt worden
then p: {A} that was in {B} was new; {A1}, {Ar1} in {B3} war, | war | neu |""",
               """{P} took {it} out;{P} | nahm | {it4} | +heraus,
               {P} pulled {it} out;{P} | zog | {it4} | +heraus,
               {P} lifted {it} out;{P} | hob | {it4} | +heraus,
               {P} removed {it};{P} | entfernte | {it4} |""",
               """{P} opened {it};{P} | öffnete | {it4} |, {P} closed {it};{P} | schloss | {it4} |,
               {P} emptied {it};{P} | leerte | {it4} |,
               {P} locked {it};{P} | verschloss | {it4} |""", "near"),
    _situation("chase", ("beast", "beast"), """
for p: {A} chased {B}; {A1} | jagte | {B4} |
for p: {A} followed {B}; {A1} | folgte | {B3} |
for p: {A} attacked {B}; {A1} | griff | {B4} | +an
for p: {A} has attacked {B}; {A1} | hat | {B4} | angegriffen
for p: {B} was chased by {A}; {B1} | wurde | von {A3} | gejagt
for p: {B} was attacked by {A}; {B1} | wurde | von {A3} | angegriffen""",
               """hungry, angry, aggressive, greedy, wanted to play; wollte | | spielen,
               was looking for food; suchte | Futter |""",
               """had stolen the food; hatte | das Futter | gestohlen,
               was running away; lief | | +weg, had eaten the bread; hatte | das Brot | gefressen,
               had destroyed the nest; hatte | das Nest | zerstört,
               had found the meat; hatte | das Fleisch | gefunden"""),
    _situation("miss", ("beast", "beast"), """
too p: {A} could not catch {B}; {A1} | konnte | {B4} nicht | fangen
too p: {A} did not catch {B}; {A1} | fing | {B4} nicht |
too n: {A} cannot catch {B}; {A1} | kann | {B4} nicht | fangen
too p: {B} could not be caught by {A}; {B1} | konnte | von {A3} nicht | gefangen werden
too p: {B} was not caught by {A}; {B1} | wurde | von {A3} nicht | gefangen
but p: {A} wanted to catch {B}; {A1} | wollte | {B4} | fangen""",
               "slow, tired, weak, fat, lazy, old, heavy, clumsy",
               "fast, clever, careful, agile"),
    _situation("catch", ("beast", "beast"), """
for p: {A} caught {B}; {A1} | fing | {B4} |
for p: {A} has caught {B}; {A1} | hat | {B4} | gefangen
for p: {B} was caught by {A}; {B1} | wurde | von {A3} | gefangen
for p: {A} was able to catch {B}; {A1} | konnte | {B4} | fangen""",
               "fast, clever, agile, strong, patient", "slow, tired, weak, careless, sick, lazy"),
    _situation("escape", ("beast", "beast"), """
for p: {A} escaped from {B}; {A1} | entkam | {B3} |
for p: {A} was able to escape from {B}; {A1} | konnte | {B3} | entkommen""",
               "fast, clever, careful, agile", "slow, tired, lazy, fat, blind"),
    _situation("overtake", ("vehicle", "vehicle"), """
too p: {A} could not overtake {B}; {A1} | konnte | {B4} nicht | überholen
too p: {A} did not overtake {B}; {A1} | überholte | {B4} nicht |
too p: {B} was not overtaken by {A}; {B1} | wurde | von {A3} nicht | überholt
but p: {A} tried to overtake {B}; {A1} | versuchte, | {B4} zu überholen |""",
               "slow, weak, had too little power; hatte | zu wenig Kraft |",
               "fast, wide, powerful"),
    _situation("fear", ("animal", "beast/vehicle"), """
for p: {A} was afraid of {B}; {A1} | hatte | Angst vor {B3} |
for n: {A} is afraid of {B}; {A1} | hat | Angst vor {B3} |
for p: {A} ran away from {B}; {A1} | lief | vor {B3} | +weg""",
               "small, young, shy, weak, timid, nervous",
               "dangerous, loud, strong@beast, big, aggressive@beast, wild@beast"),
    _situation("hide", ("beast/vehicle", "beast/vehicle"), """
then p: {A} stood behind {B}; {A1} | stand | hinter {B3} |
then p: {A} was hidden behind {B}; {A1} | war | hinter {B3} | versteckt""",
               """{P} could not see {it};{P} | konnte | {it4} nicht | sehen,
               {P} did not find {it};{P} | fand | {it4} nicht |,
               {P} did not notice {it};{P} | bemerkte | {it4} nicht |,
               {P} could not photograph {it};{P} | konnte | {it4} nicht | fotografieren""",
               """{P} could not see {it};{P} | konnte | {it4} nicht | sehen,
               {P} did not find {it};{P} | fand | {it4} nicht |,
               {P} did not notice {it};{P} | bemerkte | {it4} nicht |,
               {P} could not photograph {it};{P} | konnte | {it4} nicht | fotografieren""",
               second_mains="""
then p: {A} stood in front of {B}; {A1} | stand | vor {B3} |
then p: {A} covered {B} completely; {A1} | verdeckte | {B4} vollständig |"""),
    _situation("help", ("beast", "beast"), """
then p: {A} attacked {B}; {A1} | griff | {B4} | +an
then p: {A} bit {B}; {A1} | biss | {B4} |
then p: {B} was bitten by {A}; {B1} | wurde | von {A3} | gebissen""",
               """{P} ran away from {it};{P} | lief | vor {it3} | +weg,
               {P} punished {it};{P} | bestrafte | {it4} |,
               {P} stopped {it};{P} | stoppte | {it4} |""",
               """{P} helped {it};{P} | half | {it3} |, {P} saved {it};{P} | rettete | {it4} |,
               {P} comforted {it};{P} | tröstete | {it4} |,
               {P} protected {it};{P} | beschützte | {it4} |"""),
    _situation("pull", ("beast/vehicle", "beast/vehicle/item/container"), """
too p: {A} could not pull {B}; {A1} | konnte | {B4} nicht | ziehen
too p: {A} could not carry {B}; {A1} | konnte | {B4} nicht | tragen
too n: {A} cannot carry {B}; {A1} | kann | {B4} nicht | tragen
too p: {B} could not be carried by {A}; {B1} | konnte | von {A3} nicht | getragen werden
but p: {A} tried to pull {B}; {A1} | versuchte, | {B4} zu ziehen |""",
               "weak, tired@animal, exhausted@animal, lazy@animal, young@animal, small",
               "heavy, big, wide@vehicle/item/container, bulky@item/container, fat@animal"),
    _situation("carry", ("beast/vehicle", "beast/vehicle/item/container"), """
for p: {A} was able to carry {B}; {A1} | konnte | {B4} | tragen
for p: {A} could easily pull {B}; {A1} | konnte | {B4} leicht | ziehen
for p: {B} was carried by {A}; {B1} | wurde | von {A3} | getragen""",
               "strong, powerful, determined@animal, big", "light, small, thin, !empty@container"),
    _situation("damage", ("item", "item"), """
for p: {A} damaged {B}; {A1} | beschädigte | {B4} |
for p: {A} has damaged {B}; {A1} | hat | {B4} | beschädigt
for p: {B} was damaged by {A}; {B1} | wurde | von {A3} | beschädigt
for p: {A} destroyed {B}; {A1} | zerstörte | {B4} |""",
               "heavy, hard, was made of steel; war | aus Stahl |, fell down; fiel | | +herunter",
               "fragile, thin, soft, was made of glass; war | aus Glas |"),
    _situation("prefer", ("item/container/vehicle", "item/container/vehicle"), """
for p: {P} sold {A} and kept {B}; {P} | verkaufte | {A4} und behielt {B4} |
for p: {P} gave away {A} and kept {B}; {P} | verschenkte | {A4} und behielt {B4} |""",
               "!broken, ugly, useless, dirty, !damaged, boring",
               "beautiful, useful, valuable, practical, comfortable@vehicle", "same"),
    _situation("choose", ("item/container/vehicle", "item/container/vehicle"), """
for p: {P} liked {A} more than {B}; {P} | mochte | {A4} lieber als {B4} |
for p: {P} bought {A} and not {B}; {P} | kaufte | {A4} und nicht {B4} |""",
               "beautiful, cheap, practical, new, useful, modern",
               "ugly, expensive, old, useless, !broken, !damaged", "same"),
    _situation("eat", ("animal", "food"), """
for p: {A} ate {B}; {A1} | fraß | {B4} |
for p: {A} has eaten {B}; {A1} | hat | {B4} | gefressen
for p: {B} was eaten by {A}; {B1} | wurde | von {A3} | gefressen
for n: {A} is eating {B}; {A1} | frisst | {B4} |""",
               "hungry, greedy, starving, curious", "fresh, sweet, delicious, soft"),
    _situation("refuse", ("animal", "food"), """
too p: {A} did not eat {B}; {A1} | fraß | {B4} nicht |
too p: {B} was not eaten by {A}; {B1} | wurde | von {A3} nicht | gefressen
too n: {A} does not eat {B}; {A1} | frisst | {B4} nicht |
but p: {A} was supposed to eat {B}; {A1} | sollte | {B4} | fressen""",
               "sick, tired, nervous, frightened, shy", "!spoiled, sour, bitter, hard, hot, old"),
)  # fmt: skip


def _sibling(name: str, elder: str, mains: str) -> Situation:
    """Other verbs for the same two roles and reasons."""
    model = next(situation for situation in _SITUATIONS if situation.name == elder)
    return Situation(name, model.tags, _mains(mains), model.reasons, model.fit)


# A word that decides one situation only could not be understood where it is held back. Siblings
# show every reason in the same role beside other verbs; they train only and hold nothing back.
_SIBLINGS = (
    _sibling("come_out", "leave", """
when p: {A} came out of {B}; {A1} | kam | aus {B3} | +heraus
when p: {A} rushed out of {B}; {A1} | stürzte | aus {B3} | +hinaus
when p: {A} was sleeping in {B}; {A1} | schlief | in {B3} |"""),
    _sibling("squeeze", "fit", """
too p: {P} could not squeeze {A} into {B}; {P} | konnte | {A4} nicht in {B4} | quetschen
too n: {A} cannot be squeezed into {B}; {A1} | kann | nicht in {B4} | gequetscht werden
too p: {A} did not disappear completely in {B}; {A1} | verschwand | nicht ganz in {B3} |
but p: {P} tried to squeeze {A} into {B}; {P} | versuchte, | {A4} in {B4} zu quetschen |"""),
    _sibling("have_room", "hold", """
too n: {A} has no room for {B}; {A1} | bietet | keinen Platz für {B4} |
too p: {A} was not suitable for {B}; {A1} | war | nicht für {B4} | geeignet"""),
    _sibling("vanish", "fit_well", """
for p: {A} disappeared completely in {B}; {A1} | verschwand | ganz in {B3} |
for p: {P} easily packed {A} into {B}; {P} | packte | {A4} leicht in {B4} |
for n: {A} has enough room in {B}; {A1} | hat | in {B3} genug Platz |"""),
    _sibling("keep_in", "inside", """
then p: {A} was kept in {B}; {A1} | wurde | in {B3} | aufbewahrt
then p: {A} was hidden in {B}; {A1} | war | in {B3} | versteckt
then p: {A} had been packed into {B}; {A1} | war | in {B4} | gepackt worden"""),
    _sibling("run_after", "chase", """
for p: {A} ran after {B}; {A1} | lief | {B3} | +hinterher
for p: {A} pursued {B}; {A1} | verfolgte | {B4} |
for p: {A} has pursued {B}; {A1} | hat | {B4} | verfolgt
for p: {B} was pursued by {A}; {B1} | wurde | von {A3} | verfolgt
for p: {A} threatened {B}; {A1} | bedrohte | {B4} |"""),
    _sibling("reach", "miss", """
too p: {A} could not reach {B}; {A1} | konnte | {B4} nicht | erreichen
too p: {A} did not reach {B}; {A1} | erreichte | {B4} nicht |
too n: {A} cannot reach {B}; {A1} | kann | {B4} nicht | erreichen
too p: {B} could not be reached by {A}; {B1} | konnte | von {A3} nicht | erreicht werden
but p: {A} tried to reach {B}; {A1} | versuchte, | {B4} zu erreichen |"""),
    _sibling("defeat", "catch", """
for p: {A} defeated {B}; {A1} | besiegte | {B4} |
for p: {A} has defeated {B}; {A1} | hat | {B4} | besiegt
for p: {B} was defeated by {A}; {B1} | wurde | von {A3} | besiegt
for p: {A} was able to defeat {B}; {A1} | konnte | {B4} | besiegen"""),
    _sibling("slip_away", "escape", """
for p: {A} slipped away from {B}; {A1} | entwischte | {B3} |
for p: {A} could slip away from {B}; {A1} | konnte | {B3} | entwischen"""),
    _sibling("get_past", "overtake", """
too p: {A} did not get past {B}; {A1} | kam | nicht an {B3} | +vorbei
too p: {A} did not catch up with {B}; {A1} | holte | {B4} nicht | +ein
but p: {A} tried to catch up with {B}; {A1} | versuchte, | {B4} einzuholen |"""),
    _sibling("avoid", "fear", """
for p: {A} avoided {B}; {A1} | mied | {B4} |
for n: {A} avoids {B}; {A1} | meidet | {B4} |
for p: {A} hid from {B}; {A1} | versteckte | sich vor {B3} |"""),
    _sibling("hurt", "help", """
then p: {A} hurt {B}; {A1} | verletzte | {B4} |
then p: {A} scratched {B}; {A1} | kratzte | {B4} |
then p: {B} was hurt by {A}; {B1} | wurde | von {A3} | verletzt"""),
    _sibling("move", "pull", """
too p: {A} could not move {B}; {A1} | konnte | {B4} nicht | bewegen
too p: {A} could not lift {B}; {A1} | konnte | {B4} nicht | heben
too n: {A} cannot move {B}; {A1} | kann | {B4} nicht | bewegen
too p: {B} could not be moved by {A}; {B1} | konnte | von {A3} nicht | bewegt werden
but p: {A} tried to lift {B}; {A1} | versuchte, | {B4} zu heben |"""),
    _sibling("lift", "carry", """
for p: {A} was able to lift {B}; {A1} | konnte | {B4} | heben
for p: {A} could easily move {B}; {A1} | konnte | {B4} leicht | bewegen
for p: {B} was lifted by {A}; {B1} | wurde | von {A3} | gehoben"""),
    _sibling("crush", "damage", """
for p: {A} crushed {B}; {A1} | zerdrückte | {B4} |
for p: {A} has crushed {B}; {A1} | hat | {B4} | zerdrückt
for p: {B} was crushed by {A}; {B1} | wurde | von {A3} | zerdrückt
for p: {A} scratched {B}; {A1} | zerkratzte | {B4} |"""),
    _sibling("replace", "prefer", """
for p: {P} threw {A} away and used {B}; {P} | warf | {A4} weg und benutzte {B4} |
for p: {P} replaced {A} with {B}; {P} | ersetzte | {A4} durch {B4} |"""),
    _sibling("take", "choose", """
for p: {P} took {A} and not {B}; {P} | nahm | {A4} und nicht {B4} |
for p: {P} recommended {A} and not {B}; {P} | empfahl | {A4} und nicht {B4} |"""),
    _sibling("steal", "eat", """
for p: {A} stole {B}; {A1} | stahl | {B4} |
for p: {A} has stolen {B}; {A1} | hat | {B4} | gestohlen
for p: {B} was stolen by {A}; {B1} | wurde | von {A3} | gestohlen
for p: {A} nibbled at {B}; {A1} | knabberte | an {B3} |"""),
    _sibling("touch", "refuse", """
too p: {A} did not touch {B}; {A1} | rührte | {B4} nicht | +an
too n: {A} does not touch {B}; {A1} | rührt | {B4} nicht | +an
but p: {A} was supposed to try {B}; {A1} | sollte | {B4} | probieren"""),
)  # fmt: skip
SITUATIONS = {situation.name: situation for situation in _SITUATIONS + _SIBLINGS}
_SIBLING_NAMES = {situation.name for situation in _SIBLINGS}

_INTROS = _mains("""
intro p: {P} saw {A}; {P} | sah | {A4} |
intro p: {P} noticed {A}; {P} | bemerkte | {A4} |
intro p: {P} liked {A}; {P} | mochte | {A4} |
intro p: {P} photographed {A}; {P} | fotografierte | {A4} |
intro p: I have seen {A}; ich | habe | {A4} | gesehen
intro p: {P} talked about {A}; {P} | sprach | über {A4} |
intro p: {P} thought of {A}; {P} | dachte | an {A4} |
intro p: {P} drew {A}; {P} | zeichnete | {A4} |
intro p: we saw {A}; wir | sahen | {A4} |
intro p: {A} looked strange; {A1} | sah | seltsam | +aus
intro p: {A} was there; {A1} | war | da |
intro n: {A} is famous; {A1} | ist | berühmt |
intro n: {A} is not popular; {A1} | ist | nicht beliebt |
own n: I have {A}; ich | habe | {A4} |
own p: I had {A}; ich | hatte | {A4} |
own p: there was {A} in the picture; auf dem Foto | war | {A1} |
intro n: we know {A}; wir | kennen | {A4} |
then p: {A} was not far away; {A1} | war | nicht weit weg |
then p: where was {A}?; wo | war | {A1}? |
then p: {A} was there again; {A1} | war | wieder da |
then p: we were looking for {A}; wir | suchten | {A4} |
then n: where is {A}?; wo | ist | {A1}? |
then n: {A} is here; {A1} | ist | hier |""")
# "@now" marks what follows a present clause.
_ONE_NOUN_ACTIONS = _reasons("""{P} could not find {it};{P} | konnte | {it4} nicht | finden,
{P} did not see {it};{P} | sah | {it4} nicht |, {P} found {it};{P} | fand | {it4} |,
{P} wanted to see {it};{P} | wollte | {it4} | sehen,
{P} photographed {it};{P} | fotografierte | {it4} |, {P} forgot {it};{P} | vergaß | {it4} |,
{P} can see {it};{P} | kann | {it4} | sehen@now,
{P} cannot find {it};{P} | kann | {it4} nicht | finden@now,
{P} must find {it};{P} | muss | {it4} | finden@now""")


def _digest(*parts: str) -> int:
    return int(hashlib.sha256("|".join(parts).encode()).hexdigest(), 16)


def _pair_is_held_out(first: Noun, second: Noun) -> bool:
    names = tuple(sorted((first.english, second.english)))
    return names == _CANONICAL_PAIR or _digest("nouns", *names) % 100 < 8


@cache
def held_out_reasons(name: str) -> frozenset[str]:
    """Pick one reason in ten, at least one on either side of a situation with three or more.

    Siblings hold nothing back.
    """
    keys: set[str] = set()
    if name in _SIBLING_NAMES:
        return frozenset()
    for reasons in SITUATIONS[name].reasons:
        names = {reason.key for reason in reasons} - _NEVER_HELD_OUT
        ranked = sorted(names, key=lambda key: _digest(name, key))
        if len(reasons) >= 3:
            keys.update(ranked[: max(1, len(reasons) // 10)])
    return frozenset(keys)


def _matching(tags: str) -> list[Noun]:
    wanted = set(tags.split("/"))
    return [noun for noun in NOUNS.values() if wanted & noun.tags]


def _kind(noun: Noun) -> str:
    return next(tag for tag in MODIFIERS if tag in noun.tags)


def _suits(fit: str, first: Noun, second: Noun) -> bool:
    if fit == "near":
        return second.size - 2 <= first.size <= second.size
    if fit == "contains":
        return first.size - 2 <= second.size <= first.size
    return fit != "same" or _kind(first) == _kind(second)


@cache
def _noun_pairs(name: str, held_out: bool) -> list[tuple[Noun, Noun]]:
    situation = SITUATIONS[name]
    return [
        (first, second)
        for first, second in itertools.product(*map(_matching, situation.tags))
        if first.gender != second.gender
        and _suits(situation.fit, first, second)
        and _pair_is_held_out(first, second) == held_out
    ]


@cache
def _forms(name: str) -> list[tuple[str, str, str]]:
    """List the (form, polarity, tense) triples of a situation."""
    consequences = [(form, "so", "p") for form in _FORMS["so"] if name in _SO_CLAUSES]
    return consequences + [
        (form, polarity, tense)
        for polarity, tense, _ in SITUATIONS[name].mains
        for form in _FORMS[polarity]
    ]


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
        article = "dies" + _STRONG_ENDINGS[case][gender]
    else:
        bare = (case == "nom" and gender != "f") or (case == "acc" and gender == "n")
        article = {"a": "ein", "my": "mein"}[determiner]
        article += "" if bare else _STRONG_ENDINGS[case][gender]
    adjective = ""
    if modifier:
        stem = modifier.split()[1]
        nominative = case == "nom" or (case == "acc" and gender != "m")
        if not nominative:
            ending = "en"
        elif determiner in ("the", "this"):
            ending = "e"
        else:
            ending = _STRONG_ENDINGS[case][gender]
        adjective = f"{stem}{ending} "
    word = noun.german if case == "nom" else noun.oblique
    return f"{article} {adjective}{opening}{word}{closing}"


def _join(form: str, main: Clause, reason: Clause) -> tuple[str, str]:
    """Join main clause and reason in both languages."""
    if form in ("because", "since", "although", "when"):
        german = {"because": "weil", "since": "da", "although": "obwohl", "when": "als"}[form]
        return (
            f"{main.english} {form} {reason.english}.",
            f"{main.main()}, {german} {reason.subordinate()}.",
        )
    if form.startswith("fronted_"):
        english = form.removeprefix("fronted_")
        german = {"because": "weil", "since": "da", "although": "obwohl", "when": "als"}[english]
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


_SO_CLAUSES = {
    "cross": "{A} did not cross {B}; {A1} | überquerte | {B4} nicht |",
    "enter": "{A} did not enter {B}; {A1} | betrat | {B4} nicht |",
    "refuse": "{A} did not eat {B}; {A1} | fraß | {B4} nicht |",
    "pull": "{A} could not pull {B}; {A1} | konnte | {B4} nicht | ziehen",
}


def _so_clauses(choices: Choices, side: int) -> tuple[str, str]:
    """The first clause names one noun and its reason, the second has "it" beside the other."""
    reason = choices.reasons[side].past
    role = "AB"[side]
    english = reason.english.replace("{it}", f"{{{role}}}")
    german = Clause(english, f"{{{role}1}}", reason.finite, reason.middle, reason.end).main()
    template = _SO_CLAUSES[choices.situation.name]
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


def _render(choices: Choices, side: int, polarity: str, tense: str) -> CoreferencePair:
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
    for long, short in _CONTRACTIONS.items():
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


def _person(nouns: tuple[Noun, ...], rng: random.Random) -> Person:
    """Choose a person whose German pronoun cannot be mistaken for that of a noun."""
    taken = {noun.gender for noun in nouns}
    people = [p for p in PEOPLE if p.gender not in taken]
    return rng.choice(people)


def _determiners(noun: Noun, polarity: str, rng: random.Random) -> tuple[str, str]:
    draw = rng.random()
    determiner = "the" if draw < 0.76 else "this" if draw < 0.84 else "a" if draw < 0.92 else "my"
    if determiner in ("my", "a") and noun.tags & {"place", "building"}:
        determiner = "the"
    # German negates "ein" with "kein", and a sentence about "it" is about a known thing.
    if determiner == "a" and (polarity in ("too", "so", "then") or "food" in noun.tags):
        determiner = "the"
    if noun.english in ("bread", "cheese", "meat", "fish", "soup"):
        return determiner, ""
    if polarity == "own":
        determiner = "a"
    modifier = rng.choice(MODIFIERS[_kind(noun)].split("|")) if rng.random() < 0.2 else ""
    if determiner != "the" and polarity == "own":
        return determiner, "" if modifier.split(" ")[0] in _DEFINITE_MODIFIERS else modifier
    if determiner != "the" and modifier.split(" ")[0] in _DEFINITE_MODIFIERS:
        determiner = "the"
    return determiner, modifier


def _degree(polarity: str, rng: random.Random) -> str:
    return "/".join(rng.choice(_DEGREES.get(polarity, (("", ""),))))


def _choose(
    situation: Situation, form: tuple[str, str, str], nouns: tuple[Noun, ...],
    reasons: tuple[Reason, ...], rng: random.Random,
) -> Choices:  # fmt: skip
    return Choices(
        situation, form[0], nouns, reasons, rng.randrange(60), _degree(form[1], rng),
        _person(nouns, rng), tuple(_determiners(noun, form[1], rng) for noun in nouns),
        rng.random() < 0.5,
    )  # fmt: skip


def _reason_choices(
    situation: Situation, side: int, noun: Noun, form: tuple[str, str, str], held_out: bool | None
) -> list[Reason]:
    """Reasons that fit noun and tense; `held_out` None takes all."""
    keys = held_out_reasons(situation.name)
    return [
        reason
        for reason in situation.reasons[side]
        if reason.fits(noun)
        and (form[2] == "p" or reason.present)
        and (held_out is None or (reason.key in keys) == held_out)
    ]


def _usable(pair: CoreferencePair) -> bool:
    return len(re.findall(r"\bits?\b", pair.source, re.IGNORECASE)) == 1


def _two_nouns(
    rng: random.Random, situation: Situation, form: tuple[str, str, str], pair_held_out: bool,
    property_held_out: bool | None,
) -> tuple[CoreferencePair, CoreferencePair] | None:  # fmt: skip
    """Draw both readings of one situation, or nothing where the choices do not go together."""
    nouns = rng.choice(_noun_pairs(situation.name, pair_held_out))
    options = [
        _reason_choices(situation, side, nouns[side], form, property_held_out) for side in (0, 1)
    ]
    if not all(options):
        return None
    reasons = tuple(map(rng.choice, options))
    choices = _choose(situation, form, nouns, reasons, rng)
    first, second = (_render(choices, side, form[1], form[2]) for side in (0, 1))
    forms = [PRONOUN_FORMS[pair.case] for pair in (first, second)]
    told_apart = all(words[nouns[0].gender] != words[nouns[1].gender] for words in forms)
    words = [pair.target[slice(*pair.target_pronoun)].lower() for pair in (first, second)]
    if not told_apart or words[0] == words[1] or not (_usable(first) and _usable(second)):
        return None
    return first, second


@cache
def _one_noun_material() -> list[tuple[list[Noun], list[Reason]]]:
    """Every adjective or verb that a two-noun frame can hold back, with the nouns it fits."""
    material = []
    for situation in _SITUATIONS:
        for tags, reasons in zip(situation.tags, situation.reasons, strict=True):
            material.append((_matching(tags), list(reasons)))
    return material


_ONE_NOUN = Situation("one", ("", ""), _INTROS, ((), ()))


def _one_noun(rng: random.Random) -> CoreferencePair | None:
    nouns, reasons = rng.choice(_one_noun_material())
    noun, reason = rng.choice(nouns), rng.choice(reasons)
    if not reason.fits(noun):
        return None
    is_action = "{P}" in reason.past.english
    if is_action or rng.random() < 0.2:
        tense = rng.choice("pppn")
        if not is_action or rng.random() < 0.5 or tense == "n":
            actions = [r for r in _ONE_NOUN_ACTIONS if (tense == "n") == ("now" in r.tags)]
            reason = rng.choice(actions)
        form = ("sentences", "then", tense)
    else:
        tense = "n" if reason.present and rng.random() < 0.35 else "p"
        polarity = "own" if "food" not in noun.tags and rng.random() < 0.2 else "intro"
        form = (rng.choice(_FORMS[polarity]), polarity, tense)
    choices = _choose(_ONE_NOUN, form, (noun,), (reason,), rng)
    pair = _render(choices, 0, form[1], form[2])
    return pair if _usable(pair) else None


def _held_out_label(pair_held_out: bool, property_held_out: bool) -> str:
    if pair_held_out and property_held_out:
        return "both"
    return "nouns" if pair_held_out else "property" if property_held_out else ""


def _training_stream(
    rng: random.Random, situations: tuple[Situation, ...]
) -> Iterator[CoreferencePair]:
    """Alternate one-noun sentences and two-noun sentences whose halves alternate too."""
    wanted = itertools.cycle(("first", "second"))
    while True:
        one = None
        while one is None:
            one = _one_noun(rng)
        yield one
        both = None
        while both is None:
            situation = rng.choice(situations)
            form = rng.choice(_forms(situation.name))
            both = _two_nouns(rng, situation, form, False, False)
        half = next(wanted)
        yield next((pair for pair in both if pair.half == half), both[0])


def generate_training(n: int, seed: int = 0, siblings: bool = True) -> list[CoreferencePair]:
    """Draw `n` distinct training sentences, half with one noun, none of them held out.

    Without `siblings`, a held-out reason is shown in no situation but those that share its key.
    """
    situations = _SITUATIONS + _SIBLINGS if siblings else _SITUATIONS
    limits = {1: n - n // 2, 2: n // 2}
    sources: set[str] = set()
    pairs: list[CoreferencePair] = []
    for pair in itertools.islice(_training_stream(random.Random(seed), situations), 20 * n + 1000):
        if len(pairs) == n:
            break
        if limits[pair.n_nouns] and pair.source not in sources:
            limits[pair.n_nouns] -= 1
            sources.add(pair.source)
            pairs.append(pair)
    if len(pairs) < n:
        raise ValueError(f"asked for {n} distinct sentences, found {len(pairs)}: ask for fewer")
    return pairs


def generate_held_out(n_pairs: int, seed: int = 0) -> list[CoreferencePair]:
    """Draw `n_pairs` minimal pairs, both halves of each, in turn from every two-noun frame."""
    rng = random.Random(seed)
    frames = [(situation, form) for situation in _SITUATIONS for form in _forms(situation.name)]
    rng.shuffle(frames)
    pairs: list[CoreferencePair] = []
    sources: set[str] = set()
    for situation, form in itertools.islice(itertools.cycle(frames), 50 * n_pairs + 1000):
        if len(pairs) == 2 * n_pairs:
            break
        by_property = rng.random() < 0.35
        pair_held_out = not by_property or rng.random() < 0.2
        both = None
        for _ in range(40):
            both = _two_nouns(rng, situation, form, pair_held_out, by_property)
            if both and both[0].source not in sources and both[1].source not in sources:
                break
            both = None
        if both is None:
            continue
        label = _held_out_label(pair_held_out, by_property)
        pair_id = f"{len(pairs) // 2:05d}"
        for pair in sorted(both, key=lambda item: item.half):
            sources.add(pair.source)
            pairs.append(CoreferencePair(**{**vars(pair), "pair_id": pair_id, "held_out": label}))
    return pairs


def canonical_pairs() -> list[CoreferencePair]:
    """Return the two readings of Vaswani et al.'s example: "too tired" and "too wide"."""
    situation = SITUATIONS["cross"]
    reasons = tuple(
        next(reason for reason in side if reason.key == key)
        for side, key in zip(situation.reasons, ("tired", "wide"), strict=True)
    )
    nouns = (NOUNS["animal"], NOUNS["street"])
    choices = Choices(
        situation, "because", nouns, reasons, 0, "too /zu ", PEOPLE[0],
        (("the", ""), ("the", "")), True,
    )  # fmt: skip
    pairs = [_render(choices, side, "too", "p") for side in (0, 1)]
    extra = {"pair_id": "canonical", "held_out": "nouns"}
    return [CoreferencePair(**{**vars(pair), **extra}) for pair in pairs]
