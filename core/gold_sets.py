"""Sets of gold alignments, read from a local folder: their licences forbid passing them on.

``align/rwth-de-en``
    508 pairs of Europarl, German and English, with sure and possible links, of RWTH Aachen (used
    by Luong et al. 2015, Table 6).
``align/pud-en-ko``
    884 pairs of the parallel treebanks PUD, English and Korean, with links of content words, all
    sure (Nikolaev et al. 2020).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from .gold import Gold, GoldPair, Span, read_links

Languages = tuple[str, str]
_GLUED = re.compile(r"[.,;:!?)]+|'s")
# Endings written with ß before 1996 and with ss since: daß, muß, läßt.
_OLD = re.compile(r"(da|mu|lu|hu|wu|fa|wi|lä|Ru|ze|mi|la|hlo|[er]pa)ß", re.IGNORECASE)
MOST_LINES = 10_000
"""Lines read of a file."""


def gold_sets(languages: Languages) -> tuple[str, ...]:
    """Return the sets with a gold alignment of two languages, in either direction."""
    return tuple(name for name, (of, _) in _SETS.items() if {*of} == {*languages})


def gold_pairs(data: Path, name: str, languages: Languages) -> tuple[GoldPair, ...]:
    """Return the pairs of a set in the folder `data`, from the first language to the second.

    Raises
    ------
    OSError : files of the set are missing.
    ValueError : files are damaged.
    """
    of, read = _SETS[name]
    pairs = tuple(read(data / "align" / name))
    return pairs if of == tuple(languages) else tuple(pair.reversed() for pair in pairs)


def _rwth(folder: Path) -> Iterator[GoldPair]:
    """Yield German to English pairs.

    Texts are detokenised, and German is respelled as after the reform of 1996: the models learnt it
    so.
    """
    files = ("test.uc.de", "test.uc.en", "alignment.talp")
    lines = [(folder / file).read_text("utf-8").splitlines()[:MOST_LINES] for file in files]
    for german, english, links in zip(*lines, strict=True):
        german = _OLD.sub(r"\1ss", german)
        source, starts = _joined(german.split())
        target, ends = _joined(english.split())
        yield GoldPair(source, target, starts, ends, read_links(links, len(starts), len(ends), 1))


def _joined(words: Sequence[str]) -> tuple[str, tuple[Span, ...]]:
    """Join words as printed, without spaces before punctuation; returns text and spans."""
    after = ("", *words)
    return _text(
        (word, " " * (not (_GLUED.fullmatch(word) or before == "(")))
        for before, word in zip(after, words, strict=False)
    )


def _pud(folder: Path) -> Iterator[GoldPair]:
    """Yield English to Korean pairs of the JSON lines of PUD."""
    with (folder / "pud-en-ko.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            pair = json.loads(line)
            (source, starts), (target, ends) = map(text_of, (pair["en"], pair["ko"]))
            gold = Gold.of(tuple(link) for link in pair["links"])
            yield GoldPair(source, target, starts, ends, gold, content=True)


def text_of(tree: Sequence[Sequence[Any]]) -> tuple[str, tuple[Span, ...]]:
    """Return the text of a tree of PUD, and the spans of its words.

    Each word is listed with its part of speech, its head from 1, its relation, and True if a space
    follows.
    """
    before = (0, *(word[4] for word in tree[:-1]))
    return _text((word[0], " " * space) for word, space in zip(tree, before, strict=True))


def _text(words: Iterable[tuple[str, str]]) -> tuple[str, tuple[Span, ...]]:
    """Join (word, space before it) to a text; returns it and the spans of the words."""
    text = ""
    spans = []
    for word, space in words:
        text += space if text else ""
        spans.append((len(text), len(text) + len(word)))
        text += word
    return text, tuple(spans)


_SETS: dict[str, tuple[Languages, Callable[[Path], Iterator[GoldPair]]]] = {
    "rwth-de-en": (("de", "en"), _rwth),
    "pud-en-ko": (("en", "ko"), _pud),
}
