"""Pointing at the right word: links between words, and the largest weights at them."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch
from torch import nn

from core.bootstrap import wilson
from core.gaze import chance, pointed_at
from core.records.attention import CROSS
from core.records.sources import TokenSequence
from core.weights.groups import Groups, shown_at, word_groups
from core.weights.measures import strongest_head
from model.hooks.capture import capture_attention
from model.teacher_forcing import read_ids, tensor_of
from model.tokenizer import TextTokenizer
from training.corpora.coreference_text import GRAMMAR
from training.corpora.text_pairs import CoreferencePair
from training.files import SHARE_DIGITS, number


@dataclass(frozen=True)
class LinkedPair:
    """A pair in pieces, with its links.

    Each link holds the rows that write its target word, and the source words that are right.
    """

    src: TokenSequence
    tgt: TokenSequence
    words: Groups
    links: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]


def linked(
    source: str, target: str, links: Iterable[WordLink], tokenizer: TextTokenizer
) -> LinkedPair:
    """Cut a pair into pieces, with the links between words of its two texts."""
    src = tokenizer.encode(source)
    tgt = tokenizer.encode(target)
    words = word_groups(src)
    rows = tuple(
        (tgt.pieces_at(*link.target), shown_at(src.pieces_at(*link.source), words))
        for link in links
    )
    return LinkedPair(src, tgt, words, rows)


def uniform_share(pairs: Sequence[LinkedPair]) -> float | None:
    """Return the mean weight that uniform attention would give the right word of a link."""
    shares = [
        chance([piece for word in right for piece in pair.words[word]], len(pair.src))
        for pair in pairs
        for _, right in pair.links
    ]
    return number(float(np.mean(shares)), SHARE_DIGITS)


@torch.inference_mode()
def maps_of(model: nn.Module, pair: LinkedPair) -> np.ndarray:
    """Return cross-attention (L, H, T_tgt, T_src) while the target is read."""
    with capture_attention(model) as captured:
        model(
            tensor_of(model, pair.src.ids), tensor_of(model, read_ids(model.config, pair.tgt.ids))
        )
    return captured.weights(CROSS.name)[0]


def right_maps(model: nn.Module, pair: LinkedPair) -> np.ndarray:
    """Return for each link if each map points at the right word, bool (links, L, H)."""
    weights = maps_of(model, pair)
    hits = [np.isin(pointed_at(weights, rows, pair.words), right) for rows, right in pair.links]
    # The reshape gives a pair without links its dimensions, too.
    return np.array(hits, dtype=bool).reshape(-1, *weights.shape[:2])


def of_maps(right: Sequence[np.ndarray], choosing: Sequence[np.ndarray]) -> dict[str, Any]:
    """Return shares right by map, and that of the map which is right most often on other pairs.

    `right`, `choosing`: for each pair, bool (links, L, H) as `right_maps` returns them.
    """
    every = np.concatenate(right)
    chosen = np.concatenate(choosing).mean(axis=0)
    layer, head = strongest_head(chosen)
    best = share(int(every[:, layer, head].sum()), len(every))
    return {
        "map": {"layer": layer, "head": head} | best,
        "maps": np.round(every.mean(axis=0), 3).tolist(),
    }


def head_of(entry: Mapping[str, Any]) -> tuple[int, int]:
    """Return layer and head, counted from 0, of a stored entry."""
    return entry["layer"], entry["head"]


def majority(answers: Sequence[str]) -> dict[str, Any]:
    """Return the most frequent answer, and the share of right answers for always giving it."""
    answer, k = Counter(answers).most_common(1)[0] if answers else ("", float("nan"))
    return {"answer": answer, "value": number(k / max(len(answers), 1), SHARE_DIGITS)}


def share(k: int, n: int, name: str = "value") -> dict[str, Any]:
    """Return a share, called `name`, with its bounds (Wilson 1927, 95 %); None if `n` is 0.

    Six digits: texts round once more, to tenths of a percent, and must agree with `k` and `n`.
    """
    low, high = wilson(k, n)
    values = {name: k / n if n else math.nan, "low": low, "high": high}
    return {key: number(value, SHARE_DIGITS) for key, value in values.items()}


def by_answer(right: Mapping[str, Sequence[bool]], name: str = "value") -> dict[str, Any]:
    """Return the share right with its counts, also by pronoun, and the `majority`.

    `right`: by the right answer, one flag for each sentence.
    """
    pronouns = {
        answer: {"right": sum(flags), "sentences": len(flags)}
        for answer, flags in sorted(right.items())
    }
    answers = [answer for answer, flags in right.items() for _ in flags]
    whole = share(sum(map(sum, right.values())), len(answers), name)
    counts = {"sentences": len(answers), "pronouns": pronouns, "majority": majority(answers)}
    return whole | counts


WordClass = Literal["noun", "modifier", "adjective", "person"]
Span = tuple[int, int]

_BEFORE = re.compile(r"(\w+) $")
_ENDINGS = ("e", "er", "es", "en", "em")


@dataclass(frozen=True)
class WordLink:
    """Characters ``[start, end)`` of a source word and of the target word that renders it."""

    word_class: WordClass
    source: Span
    target: Span


def word_links(pair: CoreferencePair) -> tuple[WordLink, ...]:
    """Return all links of a pair, in the order of the source.

    A word that occurs twice on a side is left out, since the choice would be a guess.
    """
    links: list[WordLink] = []
    for span in filter(None, (pair.antecedent, pair.distractor)):
        # The grammar keys its nouns in lower case, but one may begin the sentence.
        noun = GRAMMAR.nouns[pair.source[slice(*span)].lower()]
        target = _once(pair.target, noun.german, noun.oblique)
        if target is None:
            continue
        links.append(WordLink("noun", span, target))
        modifier = _modifier(pair, span, target)
        if modifier is not None:
            links.append(modifier)
    links += _adjectives(pair)
    person = _person(pair)
    if person is not None:
        links.append(person)
    return tuple(sorted(links, key=lambda link: link.source))


def _once(text: str, *words: str) -> Span | None:
    """Return the span of the only occurrence of one of `words`; None if there is not just one."""
    # Nominative and oblique are often the same word.
    forms = "|".join(map(re.escape, dict.fromkeys(words)))
    spans = [match.span() for match in re.finditer(rf"\b(?:{forms})\b", text)]
    return spans[0] if len(spans) == 1 else None


def _modifier(pair: CoreferencePair, source: Span, target: Span) -> WordLink | None:
    """Link the words right before a noun and its counterpart, if one is the other's modifier."""
    english = _BEFORE.search(pair.source[: source[0]])
    german = _BEFORE.search(pair.target[: target[0]])
    if english is None or german is None:
        return None
    # Modifiers are stored as English word and German stem; endings depend on case and gender.
    modifiers = (entry.split() for entries in GRAMMAR.modifiers.values() for entry in entries)
    stems = {stem for word, stem in modifiers if word == english[1].lower()}
    if german[1].lower() not in {stem + ending for stem in stems for ending in _ENDINGS}:
        return None
    return WordLink("modifier", english.span(1), german.span(1))


def _adjectives(pair: CoreferencePair) -> list[WordLink]:
    """Link the adjectives that occur once on both sides; predicative ones have no ending."""
    links = []
    for english, german in GRAMMAR.adjectives.items():
        source = _once(pair.source, english)
        target = _once(pair.target, german)
        if source is not None and target is not None:
            links.append(WordLink("adjective", source, target))
    return links


def _person(pair: CoreferencePair) -> WordLink | None:
    """Link the last words of the person who is named, such as "brother" of "my brother"."""
    for person in GRAMMAR.people:
        source, target = (
            # A person may begin the sentence.
            _once(text, name, name[0].upper() + name[1:])
            for text, name in ((pair.source, person.english), (pair.target, person.german))
        )
        if source is not None and target is not None:
            words = person.english.split()[-1], person.german.split()[-1]
            return WordLink(
                "person",
                (source[1] - len(words[0]), source[1]),
                (target[1] - len(words[1]), target[1]),
            )
    return None
