"""A pronoun put to the test: words hidden from places of a model, and what comes of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from words import Message

from .attention import AttentionMap, AttentionRecord, Head
from .changes import MaskedCell
from .intervention import UNREAD, Intervention, hide, hiding_places
from .measures import pair_weights, strongest_head
from .tokens import TokenSequence, token_label
from .transform import is_special, word_groups

NOUN, PHRASE, OTHER, CONTROL = "antecedent", "antecedent_phrase", "other_phrase", "control"
ROLES = (NOUN, PHRASE, "other", OTHER, CONTROL)
PLACES = (
    "encoder_from_it_best",
    "encoder_from_it_others",
    "encoder_from_it_guided",
    "encoder_from_it",
    "cross_from_pronoun_best",
    "cross_from_pronoun",
    "it_and_pronoun",
    "cross",
    "encoder",
    "both",
    UNREAD,
)
"""From the narrowest to the widest."""
# Words other than the noun and its phrase are hidden from these alone: a run costs a search.
COMPARED = ("encoder_from_it", "cross_from_pronoun", "cross", "encoder", "both", UNREAD)
# In this order the widest place says the least; each has its verdict.
WAYS = (
    "encoder_from_it",
    "cross_from_pronoun",
    "it_and_pronoun",
    "encoder",
    "cross",
    "both",
    UNREAD,
)
LARGE = 0.1  # a change of probability that counts as one
# What the noun's phrase is compared with in words, place by place; the table holds the rest.
REPORTED = {"cross_from_pronoun": OTHER, "encoder_from_it": NOUN, "both": CONTROL}
Cell = tuple[str, int | None, int | None, int]
"""A site's name, layer, head (None for all) and query."""


# -- words ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Word:
    """A word of the source: its positions and a label with its place, from 1."""

    positions: tuple[int, ...]
    text: str
    label: str


@lru_cache(maxsize=256)
def words_of(src: TokenSequence) -> tuple[Word, ...]:
    """The words of the sentence, special tokens left out."""
    special = is_special(src.tokens)
    groups = [
        (number, group, token_label("".join(src.tokens[i] for i in group)))
        for number, group in enumerate(word_groups(src), start=1)
        if not all(special[i] for i in group)
    ]
    return tuple(Word(group, text, f"{number} · {text}") for number, group, text in groups)


def word_at(words: Sequence[Word], text: str) -> Word | None:
    return next((word for word in words if text and word.text.lower() == text.lower()), None)


def phrase_of(words: Sequence[Word], noun: Word, determiners: Collection[str]) -> tuple[Word, ...]:
    """The noun with its determiner and an adjective between them; the noun alone without one."""
    end = list(words).index(noun)
    for begin in (end - 1, end - 2):
        phrase = tuple(words[begin : end + 1]) if begin >= 0 else (noun,)
        is_of_words = all(word.text[:1].isalnum() for word in phrase)
        if is_of_words and phrase[0].text.lower() in determiners:
            return phrase
    return (noun,)


def joined(words: Sequence[Word]) -> Word | None:
    """Words as one, in the order of the sentence, "…" where others stand between; None of none."""
    if not words:
        return None
    text, last = "", -1
    for word in words:
        between = "" if not text else " " if word.positions[0] == last + 1 else " … "
        text, last = text + between + word.text, word.positions[-1]
    return Word(tuple(position for word in words for position in word.positions), text, text)


def control_word(
    words: Sequence[Word],
    pronoun: Word | None,
    noun: Word | None,
    other: Word | None,
    determiners: Collection[str],
) -> Word | None:
    """Nearest word before the pronoun with as many pieces as the noun, outside both noun phrases.

    A word after the pronoun is no control: it is usually the one that decides ("too tired").
    """
    if pronoun is None or noun is None:
        return None
    phrases = [phrase_of(words, each, determiners) for each in (noun, other) if each]
    taken = {word.positions for phrase in phrases for word in phrase}
    before = [
        word
        for word in words
        if word.positions not in taken
        and len(word.positions) == len(noun.positions)
        and word.positions < pronoun.positions
        and word.text[:1].isalnum()
    ]
    return before[-1] if before else None


# -- places --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Place:
    """A place from which a word can be hidden, and its cells; without cells all queries of a side.

    `words` are the last part of its message's id, `head` is the one that it names.
    """

    name: str
    words: str
    cells: Sequence[Cell] = ()
    head: Head | None = None

    def change(self, word: Word) -> Intervention:
        if not self.cells:
            return hide(*word.positions, where=self.name)
        return Intervention(
            *(MaskedCell(*cell, key) for cell in self.cells for key in word.positions)
        )


def places_for(
    record: AttentionRecord,
    capabilities: Collection[str],
    its: Sequence[int],
    row: int,
    noun: Word,
    guided: Mapping[str, tuple[int, int]],
) -> tuple[Place, ...]:
    """Every place that the model has, in the order of `PLACES`.

    Parameters
    ----------
    its : positions of the pronoun in the source.
    row : the position in the output that produces its translation.
    noun : the heads that look most at it are the best.
    guided : by site, the head that was trained to look where it looks.
    """
    source, across = record.between("source", "source"), record.between("target", "source")
    if "change-mask" not in capabilities:
        source = across = None

    def best_of(attention: AttentionMap, rows: Sequence[int]) -> tuple[int, int]:
        return strongest_head(pair_weights(attention, tuple(rows), noun.positions))

    def from_pronoun(site: str, *heads: tuple[int | None, int | None]) -> list[Cell]:
        return [(site, layer, head, query) for layer, head in heads for query in its]

    places, every = [], (None, None)
    if source:
        attention = record.of(source)
        best, known = best_of(attention, its), guided.get(source)
        whose, named = "encoder_from_it_guided", (source, *best)
        words = whose if known == best else "encoder_from_it_best"
        places.append(Place("encoder_from_it_best", words, from_pronoun(source, best), named))
        others = [(best[0], head) for head in range(attention.n_heads) if head != best[1]]
        if others:
            name = "encoder_from_it_others"
            words = whose if others == [known] else name
            places.append(Place(name, words, from_pronoun(source, *others), named))
        if known is not None and known != best:
            places.append(Place(whose, whose, from_pronoun(source, known), (source, *known)))
        places.append(Place("encoder_from_it", "encoder_from_it", from_pronoun(source, every)))
    if across:
        attention, whole = record.of(across), (across, *every, row)
        if attention.n_layers * attention.n_heads > 1:
            head, name = (across, *best_of(attention, (row,))), "cross_from_pronoun_best"
            places.append(Place(name, name, [(*head, row)], head))
        places.append(Place("cross_from_pronoun", "cross_from_pronoun", [whole]))
        if source:
            both = [*from_pronoun(source, every), whole]
            places.append(Place("it_and_pronoun", "it_and_pronoun", both))
    there = hiding_places(record.sites, capabilities)
    return (*places, *(Place(name, name) for name in PLACES if name in there))


Hiding = tuple[str, Place]
"""The role of a word that is hidden, and the place from which."""


def hidings_for(roles: Collection[str], places: Sequence[Place]) -> list[Hiding]:
    """What is hidden from where: the noun and its phrase from each place, the rest from fewer."""
    fully = [role for role in roles if role.startswith(NOUN)]
    return [
        (role, place)
        for role in roles
        for place in places
        if not fully or role in fully or place.name in COMPARED
    ]


# -- what comes of it ----------------------------------------------------------------------


@dataclass(frozen=True)
class Outcome:
    probabilities: tuple[float, ...]  # of each choice, in its place of the translation as it was
    text: str  # that the search then writes

    @property
    def best(self) -> int:
        return int(np.argmax(self.probabilities))


Results = Mapping[tuple[str, str], Outcome]
"""What came of each test, by the role of the word and the name of the place."""


def verdict(role: str, results: Results, nothing: Outcome) -> str:
    """The narrowest of the `WAYS` whose hiding takes the pronoun away, or "none"."""
    ways = (way for way in WAYS if (role, way) in results)
    return next((way for way in ways if _matters(results[role, way], nothing)), "none")


def _matters(result: Outcome, nothing: Outcome) -> bool:
    return nothing.probabilities[0] - result.probabilities[0] >= LARGE


def hiding_facts(
    hidden: Mapping[str, Word], labels: Sequence[str], results: Results, nothing: Outcome
) -> list[tuple[str, dict[str, Any]]]:
    """The verdict, and the probability before and after at its place or at the widest; which rival
    overtakes; and what hiding the noun without its phrase leaves. Messages and their facts.
    """
    role = PHRASE if PHRASE in hidden else NOUN
    way = verdict(role, results, nothing)
    widest = next((name for name in (way, *reversed(WAYS)) if (role, name) in results), "")
    if not widest:
        return []
    result, what, written = results[role, widest], {"what": hidden[role].text}, labels[0]
    before, after = (outcome.probabilities[0] for outcome in (nothing, result))
    facts: list[tuple[str, dict[str, Any]]] = [
        (f"verdict-{way}", what),
        ("instead", {**what, "written": written, "before": before, "after": after}),
    ]
    if result.best and labels[result.best] != written:
        facts.append(("overtaken", {**what, "now": labels[result.best]}))
    alone = results.get((NOUN, widest))
    if role != NOUN and alone is not None:
        rest = "enough" if way != "none" and not _matters(alone, nothing) else "unknown"
        of_noun = {"noun": hidden[NOUN].text, "written": written, "rest": rest}
        facts.append(("alone", {**of_noun, "share": alone.probabilities[0]}))
    return facts


# -- many held-out sentences: what `interventions.json` holds -------------------------------


def flips(stored: Mapping[str, Any], name: str) -> pd.DataFrame:
    """One line for each place and word of the stored flips, in the order of `PLACES` and `ROLES`.

    Columns where, word (ids), n, flips, share, low, high, right (the last four 0 to 1) and log_odds
    (mean change; NaN where it was not measured).
    """
    rows = [
        {
            "where": entry["where"],
            "word": entry["word"],
            **{key: counts[key] for key in ("n", "flips", "share", "low", "high")},
            "right": counts["share_right"],
            "log_odds": counts.get("log_odds_change"),
        }
        for entry in stored.get("pronoun", {}).get(name, [])
        if entry["where"] in PLACES and entry["word"] in ROLES and (counts := entry["all"])["n"]
    ]
    rows.sort(key=lambda row: (PLACES.index(row["where"]), ROLES.index(row["word"])))
    columns = ["where", "word", "n", "flips", "share", "low", "high", "right", "log_odds"]
    # What was not measured becomes NaN.
    return pd.DataFrame(rows, columns=columns).astype({"right": float, "log_odds": float})


def flip_facts(rows: pd.DataFrame, pronoun: str) -> list[dict[str, Any]]:
    """How often hiding the noun's phrase flips the pronoun, against one other word a place."""
    sentences = []
    for where, other in REPORTED.items():
        by_word = rows[rows["where"] == where].set_index("word")
        shares = by_word["share"]
        first = next((role for role in (PHRASE, NOUN) if role in shares), "")
        if not first:
            continue
        facts: dict[str, Any] = {"word": role_name(first), "others": "none"}
        facts |= {"share": shares[first], "n": int(by_word["n"][first])}
        facts["place"] = Message.of(f"masks-pronoun-flip-{where}", pronoun=pronoun)
        if other != first and other in shares:
            against = {"is": "noun" if other == NOUN else "other", "share": shares[other]}
            word = role_name(other)
            facts["others"] = Message.of("masks-pronoun-flip-other", word=word, **against)
        sentences.append(facts)
    return sentences


def role_name(role: str) -> Message:
    return Message(f"masks-pronoun-role-{role}")


def guided_facts(
    rows: pd.DataFrame, guided: tuple[int, int] | None, measured: Mapping[str, Any], best: Any
) -> dict[str, Any]:
    """What the guided head's weight on the noun is worth; nothing where not both were measured.

    `measured` is what the card tells of the head, `best` the head that was best with the flips.
    """
    weight = measured.get("antecedent")
    if guided is None or guided != (measured.get("layer"), measured.get("head")):
        return {}
    where = "encoder_from_it_best" if guided == best else "encoder_from_it_guided"
    hidden = rows[(rows["where"] == where) & rows["word"].str.startswith(NOUN)]
    if hidden.empty or not isinstance(weight, float):
        return {}
    row = hidden.iloc[-1]
    return {
        "used": "no" if weight >= 0.5 and row["share"] <= 0.05 else "unknown",
        "layer": guided[0] + 1,
        "head": guided[1] + 1,
        "weight": weight,
        "word": role_name(row["word"]),
        "flips": int(row["flips"]),
        "n": int(row["n"]),
    }


def use_facts(measured: Mapping[str, Any]) -> dict[str, Any]:
    """Whether the head of the noun is needed for the pronoun and whether it suffices, if measured.

    It suffices, and the others do without it, where nine of ten right pronouns stay.
    """
    use = measured.get("use")
    if not isinstance(use, dict):
        return {}
    shares = {name: use[name]["value"] for name in ("plain", "without", "alone")}
    least = 0.9 * shares["plain"]
    answers = {(False, True): "shared", (True, True): "needed", (True, False): "part"}
    answer = answers.get((shares["without"] < least, shares["alone"] >= least), "idle")
    head = "encoder", measured["layer"], measured["head"]
    return {"head": head, "n": use["sentences"], "kind": answer, **shares}
