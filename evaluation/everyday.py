"""Questions to a checkpoint beside its scores: everyday sentences, nouns, dropped subjects.

It translates everyday sentences; its attention points from nouns with one meaning; and it names
somebody if the source names nobody. A pair of languages without a word list is not asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from torch import nn
from tqdm import tqdm

from model import Translator
from model.tokenizer import TextTokenizer
from training.corpora.text_pairs import TextPair
from training.corpora.word_list import WordList
from training.files import SHARE_DIGITS, number

from .attention_links import Span, WordLink, by_answer, linked, of_maps, right_maps, uniform_share
from .templating import rendered

_WORD = re.compile(r"[\w'-]+")


# -- where it points -------------------------------------------------------------------------


def noun_links(pair: TextPair, words: WordList) -> tuple[WordLink, ...]:
    """Return links of listed nouns that occur once in the source and once in the target.

    A noun is a word of the source, alone or with a particle.
    """
    links = []
    for noun, forms in words.nouns.items():
        spelt = {noun, *(noun + particle for particle in words.particles)}
        source = _only(pair.source, spelt)
        target = _only(pair.target, set(forms))
        if source is not None and target is not None:
            # The span of the noun without its particle.
            links.append(WordLink("noun", (source[0], source[0] + len(noun)), target))
    return tuple(sorted(links, key=lambda link: link.source))


def _only(text: str, words: set[str]) -> Span | None:
    """Return the span of the only word that is one of `words`; None if there is not just one."""
    spans = [match.span() for match in _WORD.finditer(text) if match[0] in words]
    return spans[0] if len(spans) == 1 else None


def noun_pointing(
    model: nn.Module, tokenizer: TextTokenizer, pairs: Iterable[TextPair], words: WordList
) -> dict[str, Any]:
    """Return shares of nouns at whose source word each map of cross-attention points.

    References are forced. The best map is chosen on every second pair with a noun and scored on the
    others; ``mean`` is that of all maps, ``uniform`` the value of uniform attention.
    """
    with_links = [
        linked(pair.source, pair.target, links, tokenizer)
        for pair in pairs
        if (links := noun_links(pair, words))
    ]
    right = [right_maps(model, pair) for pair in tqdm(with_links, desc="nouns", unit="pair")]
    # One pair to choose the map and one to score it are the least.
    if len(right) < 2:
        return {}
    shares = of_maps(right[1::2], right[::2])
    scored = with_links[1::2]
    return {
        "pairs": len(scored),
        "links": sum(len(pair.links) for pair in scored),
        "uniform": uniform_share(scored),
        "mean": number(float(np.concatenate(right[1::2]).mean()), SHARE_DIGITS),
        **shares,
    }


# -- whom it names ---------------------------------------------------------------------------


def named_in(source: str, words: WordList) -> set[str]:
    """Return the pronouns of the target language that words of the source stand for."""
    spelt = set(_WORD.findall(source))
    return {pronoun for pronoun, forms in words.pronouns.items() if spelt & set(forms)}


def subjects(
    pairs: Sequence[TextPair], translations: Mapping[str, str], words: WordList
) -> dict[str, Any]:
    """Return how often the translation begins with the reference's pronoun.

    ``named``: the source names that one alone; ``dropped``: it names none, and the reader has to
    guess. Other sentences do not count. ``majority``: the most frequent first pronoun of the
    references, and the share for always writing it.
    """
    counts: dict[str, dict[str, list[bool]]] = {"named": {}, "dropped": {}}
    for pair in pairs:
        wanted = _first_word(pair.target)
        if wanted not in words.pronouns:
            continue
        named = named_in(pair.source, words)
        # Named by the right word, by none, or ("") by another one, which proves nothing.
        group = "named" if named == {wanted} else "" if named else "dropped"
        if group:
            same = _first_word(translations[pair.source]) == wanted
            counts[group].setdefault(wanted, []).append(same)
    return {group: by_answer(by_word) for group, by_word in counts.items() if by_word}


def _first_word(text: str) -> str:
    """Return the first word, ``I'm`` as ``I``; lower case except for ``I``."""
    match = _WORD.search(text)
    word = match[0].split("'")[0] if match else ""
    return word if word == "I" else word.lower()


# -- sentences -------------------------------------------------------------------------------


def everyday(translate: Callable[[str], str], words: WordList) -> dict[str, list[list[str]]]:
    """Translate every sentence of the list, none left out, by subject."""
    return {
        subject: [[text, translate(text)] for text in texts]
        for subject, texts in words.sentences.items()
    }


def translations_table(everyday: Mapping[str, list[list[str]]]) -> str:
    """Return sentences and their translations by subject, as Markdown."""
    return rendered("everyday.md.j2", everyday=everyday)


def asked(
    translator: Translator,
    texts: Mapping[str, tuple[Sequence[TextPair], Mapping[str, str]]],
    words: WordList,
) -> dict[str, Any]:
    """Return ``nouns`` and ``subjects`` over all pairs and translations of `texts`."""
    pairs = [pair for of_set, _ in texts.values() for pair in of_set]
    translations = {source: text for _, of_set in texts.values() for source, text in of_set.items()}
    return {
        "nouns": noun_pointing(translator.model, translator.tokenizer, pairs, words),
        "subjects": subjects(pairs, translations, words),
    }
