"""Join sentences that people wrote, so that "it" in the second means the first one's noun.

Nouns, their genders and their English come from the training text: genders from German articles, a
noun's English from how often the two words co-occur. "I bought a table." and "The table is heavy."
become "I bought a table. It is heavy." with "Er ist schwer."; the antecedent of "it" is known from
the way the pair was joined. Its span is stored beside the text, which holds no mark of it.
"""

from __future__ import annotations

import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from .coreference_text import PRONOUN_FORMS
from .german_nouns import GERMAN_NOUN, noun_genders
from .grammar import grammar
from .sentences import digest
from .text_pairs import CoreferencePair, TextPair

_TEXT = grammar("en_de_chains")
_JOINS = [tuple(join) for join in _TEXT["joins"]]
_LISTS = {name: tuple(words.split()) for name, words in _TEXT.items() if name != "joins"}
_ONE_OF = {name: "|".join(words) for name, words in _LISTS.items()}
_WORD = re.compile(r"[a-z]+")
_DETERMINER = r"(?:a|an|the|my|your|his|her|our|their|this|that)"
_AFTER_DETERMINER = re.compile(rf"\b{_DETERMINER} ([a-z]+)\b")
_WHO = re.compile(r"\b([a-z]+),? who\b")
_SINGULAR = re.compile(r"\b(?:the|this|my|that) ([a-z]+) (?:is|was|has|does|isn't|wasn't)\b")
_PLURAL = re.compile(r"\b(?:the|these|my|those) ([a-z]+) (?:are|were|have|do|aren't|weren't)\b")
# Pronouns for anything but "it": a sentence that holds one may speak of somebody else.
_OTHERS = re.compile(
    r"\b(?:it|its|itself|he|him|himself|she|her|hers|herself|they|them|their|theirs|these|those)\b",
    re.IGNORECASE,
)
_GERMAN_OTHERS = re.compile(r"\b(?:er|ihn|ihm|ihnen|sie|es|ihr|ihre[nmrs]?|dessen|deren)\b")
_GERMAN_START = re.compile(r"^(?:Er|Es|Sie|Ihr|Ihm|Ihn|Ihre[nmrs]?)\b")
# A noun that goes on ("the table's leg", "the table of") is not the whole phrase.
_GOES_ON = rf"(?!'s)(?! (?:{_ONE_OF['goes_on']})\b)"
_GERMAN_GOES_ON = rf"(?! (?:{_ONE_OF['goes_on_in_german']})\b)(?!,)"
_SUBJECT = re.compile(
    rf"^(?:The|This|My|Your|Our|That) (?P<noun>[a-z]+)(?= (?P<next>[a-z']+)){_GOES_ON}"
)
_AFTER_PERSON = re.compile(r"^(?:It|He|She) ([a-z']+)")
_GERMAN_SUBJECT = re.compile(
    r"^(?:Der|Die|Das|Diese[rs]?|Jene[rs]?|(?:Mein|Dein|Ihr|Euer|Unser)e?) "
    rf"(?P<noun>[A-ZÄÖÜ][\wäöüß-]+)(?= [a-z]){_GERMAN_GOES_ON}"
)
_OBJECT = re.compile(
    "".join(rf"(?<! {word})" for word in _LISTS["before_no_object"])
    + rf"(?<!'s)(?<=[a-z]) (?:the|this|that|my|your) (?P<noun>[a-z]+)\b{_GOES_ON}"
)
_GERMAN_OBJECT = re.compile(
    r"(?:^[A-ZÄÖÜ]\w+(?: [a-zäöüß]+)?|\b(?:ich|du|wir|Sie|man|Tom|Maria|bitte))"
    r" (?P<article>den|die|das|diesen|diese|dieses|(?:mein|dein)(?:en|e)?)"
    r" (?P<noun>[A-ZÄÖÜ][\wäöüß-]+)"
    rf"{_GERMAN_GOES_ON}"
)
_CONTEXTS = {
    "determiner": _AFTER_DETERMINER,
    "who": _WHO,
    "singular": _SINGULAR,
    "plural": _PLURAL,
}
"""Patterns whose matches show that a word is a noun, a person, singular or plural."""
_HELD_OUT_NOUNS = 8


@dataclass(frozen=True)
class ChainNoun:
    """A noun of the text that "it" may stand for: English, German, gender "m", "f" or "n"."""

    english: str
    german: str
    gender: str

    @property
    def is_held_out(self) -> bool:
        """True if the noun is kept out of training chains: about one in twelve, by its name."""
        return digest(f"thing {self.english}") % 100 < _HELD_OUT_NOUNS


@dataclass(frozen=True)
class _Opener:
    """First sentence, with the nouns it introduces and the span of each in the source."""

    source: str
    target: str
    things: tuple[tuple[ChainNoun, tuple[int, int]], ...]


@dataclass(frozen=True)
class _Follower:
    """Second sentence, about one noun, which is cut out for a pronoun to take its place."""

    source: tuple[str, str]  # text before and after the noun phrase
    target: tuple[str, str]  # the same in German
    case: str  # of the noun, "nom" or "acc"
    whole: str  # the English sentence before the cut
    words: tuple[str, ...]  # its content words without the noun

    @property
    def is_subject(self) -> bool:
        """True if the pronoun begins the German sentence."""
        return not self.target[0]


@dataclass
class WordTable:
    """Co-occurrence counts of English words and German nouns over sentence pairs."""

    english: Counter[str] = field(default_factory=Counter)
    german: Counter[str] = field(default_factory=Counter)
    both: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    n_pairs: int = 0

    @classmethod
    def of(cls, pairs: Iterable[TextPair], genders: dict[str, str]) -> WordTable:
        """Count the words of `pairs`; `genders` lists the German nouns that matter."""
        table = cls()
        for pair in pairs:
            words = set(_WORD.findall(pair.source.lower()))
            nouns = {n for n in GERMAN_NOUN.findall(pair.target) if n in genders}
            table.n_pairs += 1
            table.english.update(words)
            table.german.update(nouns)
            # In a long sentence nearly everything meets everything.
            if len(words) < 40:
                for noun in nouns:
                    table.both[noun].update(words)
        return table

    def dice(self, english: str, german: str) -> float:
        """Return the Dice coefficient of a word and a noun; 1 if they only occur together."""
        return 2 * self.both[german][english] / (self.english[english] + self.german[german])

    def likely_together(self, thing: ChainNoun, words: Sequence[str], *, without: int = 0) -> float:
        """Return the mean log ratio of observed to expected co-occurrences of `thing` and `words`.

        `without` occurrences of each word are subtracted, so that the sentence to be judged does
        not count as evidence for itself.
        """
        joint_counts = self.both[thing.german]
        noun_count = self.german[thing.german]
        return sum(
            math.log(
                # The 0.3 and the ones smooth: a pair that was never seen must not be minus
                # infinity.
                (max(joint_counts[word] - without, 0) + 0.3) * self.n_pairs
                / ((noun_count + 1) * (self.english[word] + 1))
            )
            for word in words
        ) / max(1, len(words))  # fmt: skip


def things_of(
    pairs: Sequence[TextPair], table: WordTable, genders: dict[str, str]
) -> list[ChainNoun]:
    """Return nouns for things, each with the English word that matches best in both directions."""
    in_context = _context_counts(pairs)
    # The word itself breaks ties, so that every process chooses the same.
    best_english = {
        noun: max(words, key=lambda word: (table.dice(word, noun), word))
        for noun, words in table.both.items()
    }
    rivals: dict[str, list[str]] = defaultdict(list)
    for noun, word in best_english.items():
        rivals[word].append(noun)
    things = []
    for word, nouns in sorted(rivals.items()):
        noun = max(nouns, key=lambda noun: (table.dice(word, noun), noun))
        # A person takes "who" now and then, and often has a feminine in -in (Lehrer, Lehrerin).
        is_person = (
            word in _LISTS["persons"]
            or noun + "in" in genders
            or in_context["who"][word] > 0.015 * table.english[word]
        )
        if (
            # Seen often enough, well aligned, and countable: after determiners, mostly in the
            # singular.
            table.both[noun][word] >= 6
            and table.dice(word, noun) >= 0.3
            and in_context["determiner"][word] >= max(5, 0.1 * table.english[word])
            and in_context["singular"][word] >= 1
            and in_context["singular"][word] > in_context["plural"][word]
            and not is_person
        ):
            things.append(ChainNoun(word, noun, genders[noun]))
    return things


def _context_counts(pairs: Sequence[TextPair]) -> dict[str, Counter[str]]:
    """Count the sentences in which a word stands in each of `_CONTEXTS`."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in _CONTEXTS}
    for pair in pairs:
        lowered = pair.source.lower()
        # A set: a word counts once a sentence, however often it stands there.
        for name, pattern in _CONTEXTS.items():
            counts[name].update(set(pattern.findall(lowered)))
    return counts


def _is_whole_sentence(pair: TextPair, longest: int) -> bool:
    """Return True for one sentence of 3 to `longest` words a side, without other pronouns."""
    source = pair.source
    target = pair.target
    return (
        3 <= source.count(" ") + 1 <= longest
        and source[0].isupper()
        and target[0].isupper()
        and source[-1] in ".!?"
        and target[-1] == source[-1]
        and not re.search(r"[.!?;:] |[()\"]", source)
        and not _OTHERS.search(source)
        and not _GERMAN_OTHERS.search(target)
    )


class Chains:
    """First and second sentences found in training pairs, and the chains drawn from them."""

    def __init__(self, pairs: Sequence[TextPair], *, longest: int = 14) -> None:
        genders = noun_genders(pair.target for pair in pairs)
        self.table = WordTable.of(pairs, genders)
        self.things = {t.german: t for t in things_of(pairs, self.table, genders)}
        self._genders = genders
        # A word after "it", "he" or "she" at the start of a sentence is a verb.
        self._verbs = Counter(m[1] for pair in pairs if (m := _AFTER_PERSON.match(pair.source)))
        self.openers: dict[ChainNoun, list[_Opener]] = defaultdict(list)
        self.two_noun_openers: list[_Opener] = []
        self.followers: dict[ChainNoun, list[_Follower]] = defaultdict(list)
        seen: set[str] = set()
        for pair in pairs:
            if pair.source not in seen and _is_whole_sentence(pair, longest):
                seen.add(pair.source)
                self._open(pair)
                self._follow(pair)

    def _open(self, pair: TextPair) -> None:
        """Keep the pair as a first sentence if it names one or two things, each exactly once."""
        nouns = GERMAN_NOUN.findall(pair.target)
        things = [self.things[n] for n in nouns if n in self.things]
        if not things or len(things) > 2 or len(set(things)) != len(things):
            return
        # The first word is capitalised whether or not it is a noun. A noun of another gender would
        # be a second candidate for the pronoun.
        genders = {self._genders[n] for n in nouns[1:] if n in self._genders}
        if _GERMAN_START.search(pair.target):
            return
        spans = []
        for thing in things:
            phrase = rf"\b{_DETERMINER} (?:[a-z]+ )?({thing.english})\b"
            matches = list(re.finditer(phrase, pair.source.lower()))
            if len(matches) != 1:
                return
            spans.append((thing, matches[0].span(1)))
        opener = _Opener(pair.source, pair.target, tuple(spans))
        if len(things) == 1:
            if genders <= {things[0].gender}:
                self.openers[things[0]].append(opener)
        elif things[0].gender != things[1].gender:
            self.two_noun_openers.append(opener)

    def _follow(self, pair: TextPair) -> None:
        """Keep the pair as a second sentence if a thing is its subject or its direct object."""
        clause = self._as_subject(pair) or self._as_object(pair)
        if clause is None:
            return
        english, german, case = clause
        thing = self.things.get(german["noun"])
        source = pair.source
        target = pair.target
        if (
            thing is None
            or english["noun"] != thing.english
            or target.count(thing.german) != 1
            or len(re.findall(rf"\b{thing.english}\b", source.lower())) != 1
            # In the accusative only the masculine article ends in -en: it must agree with the
            # gender.
            or (case == "acc" and (german["article"].endswith("en")) != (thing.gender == "m"))
        ):
            return
        cut, german_cut = (
            (0, 0) if case == "nom" else (english.start() + 1, german.start("article"))
        )
        words = tuple(
            w for w in dict.fromkeys(_WORD.findall(source.lower()))
            if w not in _LISTS["stops"] and w != thing.english
        )  # fmt: skip
        self.followers[thing].append(
            _Follower(
                source=(source[:cut], source[english.end() :]),
                target=(target[:german_cut], target[german.end() :]),
                case=case,
                whole=source,
                words=words,
            )
        )

    def _as_subject(self, pair: TextPair) -> tuple[re.Match[str], re.Match[str], str] | None:
        """Match sentences that begin with the noun on both sides, a verb behind it in English."""
        english = _SUBJECT.search(pair.source)
        german = _GERMAN_SUBJECT.search(pair.target)
        if english and german and self._verbs[english["next"]] >= 2:
            return english, german, "nom"
        return None

    def _as_object(self, pair: TextPair) -> tuple[re.Match[str], re.Match[str], str] | None:
        """Match sentences with the noun once as an object that no preposition governs."""
        if _SUBJECT.search(pair.source) and _GERMAN_SUBJECT.search(pair.target):
            return None
        english = list(_OBJECT.finditer(pair.source))
        german = list(_GERMAN_OBJECT.finditer(pair.target))
        if len(english) != 1 or len(german) != 1 or _GERMAN_START.search(pair.target):
            return None
        before = pair.source[: english[0].start()].split()[-1]
        german_before = pair.target[: german[0].start("article")].lower().split()[-1]
        if before in ("Tom", "Mary") or german_before in _LISTS["german_prepositions"]:
            return None
        return english[0], german[0], "acc"

    # -- drawing ----------------------------------------------------------------------------

    def one_noun(self, n: int, seed: int, *, held_out: bool = False) -> list[CoreferencePair]:
        """Draw `n` distinct chains about one noun each, rare nouns more often than they occur."""
        rng = random.Random(seed)
        usable = [
            thing
            for thing in self.things.values()
            if self.openers[thing] and self.followers[thing] and thing.is_held_out == held_out
        ]
        # The power flattens the distribution: else a dozen nouns would fill the set.
        weights = [
            math.sqrt(len(self.openers[thing]) * len(self.followers[thing])) ** 0.75
            for thing in usable
        ]
        # Neuters come up less: "es" is what a translator writes without looking.
        weights = [
            w * (0.4 if t.gender == "n" else 1.0) for w, t in zip(weights, usable, strict=True)
        ]
        drawn: dict[str, CoreferencePair] = {}
        for _ in range(10 * n if usable else 0):
            if len(drawn) == n:
                break
            thing = rng.choices(usable, weights)[0]
            opener = rng.choice(self.openers[thing])
            follower = rng.choice(self.followers[thing])
            link = _join(opener, follower, thing, rng)
            if link:
                drawn.setdefault(link.source, link)
        return list(drawn.values())

    def two_nouns(self, n: int, seed: int) -> list[CoreferencePair]:
        """Draw `n` chains whose first sentence has two nouns; the second sentence fits one of them.

        Each chain also holds the sentence in which "it" stands for the other noun, and its pronoun.
        """
        rng = random.Random(seed)
        fitting = [
            opener
            for opener in self.two_noun_openers
            if all(
                not thing.is_held_out and any(f.is_subject for f in self.followers[thing])
                for thing, _ in opener.things
            )
        ]
        drawn: dict[str, CoreferencePair] = {}
        # Most draws fail; the bound ends the loop if the material is exhausted.
        for _ in range(20 * n if fitting else 0):
            if len(drawn) >= n:
                break
            opener = rng.choice(fitting)
            followers = [self._apt_follower(opener, i, rng) for i in (0, 1)]
            if not all(followers):
                continue
            join = rng.randrange(2 * len(_JOINS))
            links = [
                _join(opener, follower, thing, rng, join=join)
                for follower, (thing, _) in zip(followers, opener.things, strict=True)
                if follower is not None
            ]
            first, second = links
            if first is None or second is None:
                continue
            for link, other in ((first, second), (second, first)):
                reading = replace(link, other_reading=other.source, other_pronoun=other.pronoun)
                drawn.setdefault(link.source, reading)
        return list(drawn.values())[:n]

    def _apt_follower(self, opener: _Opener, index: int, rng: random.Random) -> _Follower | None:
        """Draw a second sentence that fits the noun at `index` clearly better than the other."""
        thing, _ = opener.things[index]
        other, _ = opener.things[1 - index]
        subjects = [f for f in self.followers[thing] if f.is_subject and f.words]
        for follower in rng.sample(subjects, min(4, len(subjects))):
            # The counts hold the follower's own sentence once.
            fits = self.table.likely_together(thing, follower.words, without=1)
            # One nat: the words are e times likelier beside this noun than beside the other.
            if fits - self.table.likely_together(other, follower.words) >= 1.0 and fits > 0.0:
                return follower
        return None


def chosen_pairs(sets: dict[str, list[TextPair]], spec: dict[str, Any]) -> list[TextPair]:
    """Return the pairs that chains are made of: all sets except those that a config leaves out."""
    left_out = ("natural", *spec.get("without", ()))
    return [pair for name, pairs in sets.items() if name not in left_out for pair in pairs]


def chained_pairs(sets: dict[str, list[TextPair]], spec: dict[str, Any]) -> list[TextPair]:
    """Return the chains that a config asks for."""
    chains = Chains(chosen_pairs(sets, spec))
    links = [
        *chains.one_noun(spec["one_noun"], spec["seed"]),
        *chains.two_nouns(spec["two_nouns"], spec["seed"] + 1),
    ]
    return [TextPair(link.source, link.target, link) for link in links]


def _can_join(opener: _Opener, follower: _Follower) -> bool:
    """Return True if a conjunction may stand between two statements, the second about "it"."""
    return follower.is_subject and opener.source[-1] == "." and follower.source[1][-1] == "."


def _join(
    opener: _Opener,
    follower: _Follower,
    thing: ChainNoun,
    rng: random.Random,
    join: int | None = None,
) -> CoreferencePair | None:
    """Join two sentences by a full stop or a conjunction; None if both are the same sentence."""
    if opener.source == follower.whole:
        return None
    before, after = follower.source
    german_before, german_after = follower.target
    it = "it"
    word = PRONOUN_FORMS[follower.case][thing.gender]
    # Half of all chains get a conjunction: numbers below `len(_JOINS)` choose one of them, the rest
    # stand for a full stop.
    number = rng.randrange(2 * len(_JOINS)) if join is None else join
    if number < len(_JOINS) and _can_join(opener, follower):
        english, german = _JOINS[number]
        source = opener.source[:-1] + english + before
        target = opener.target[:-1] + german + german_before
    else:
        source = f"{opener.source} {before}"
        target = f"{opener.target} {german_before}"
        if follower.is_subject:
            it = it.capitalize()
            word = word.capitalize()
    return CoreferencePair(
        source=source + it + after,
        target=target + word + german_after,
        frame="chain",
        n_nouns=len(opener.things),
        pronoun=(len(source), len(source) + len(it)),
        antecedent=next(span for noun, span in opener.things if noun == thing),
        distractor=next((span for noun, span in opener.things if noun != thing), None),
        target_pronoun=(len(target), len(target) + len(word)),
        case=follower.case,
        half="only",
    )
