"""Word list of a pair of languages: sentences kept out of training, nouns and pronouns.

The lists are data, ``grammars/<source>_<target>.toml``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .grammar import GRAMMARS, grammar
from .text_pairs import TextPair


@dataclass(frozen=True)
class WordList:
    """Word list of a pair of languages.

    Sentences by subject; further ones, `typed`, that two readers judge; nouns with the words that
    may render them; particles that may follow a noun within its word; and for each pronoun of the
    target language the words that stand for it.
    """

    sentences: Mapping[str, tuple[str, ...]]
    nouns: Mapping[str, tuple[str, ...]]
    particles: tuple[str, ...]
    pronouns: Mapping[str, tuple[str, ...]]
    typed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def word_list(languages: Sequence[str]) -> WordList | None:
    """Return the list of a pair of languages, None without one."""
    name = "_".join(languages)
    sections = grammar(name) if (GRAMMARS / f"{name}.toml").exists() else {}
    if "everyday" not in sections:
        return None
    subjects = sections["everyday"] | {"notes": sections["notes"]["sentences"]}
    typed = sections.get("typed", {})

    def split(table: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
        return {word: tuple(others.split()) for word, others in table.items()}

    return WordList(
        sentences={subject: tuple(texts) for subject, texts in subjects.items()},
        typed={subject: tuple(texts) for subject, texts in typed.items()},
        nouns=split(sections["nouns"]),
        particles=tuple(sections["particles"]["all"].split()),
        pronouns=split(sections["pronouns"]),
    )


def without_listed(
    sets: Mapping[str, Sequence[TextPair]], languages: Sequence[str]
) -> dict[str, list[TextPair]]:
    """Return the sets without pairs whose source is a sentence of the list."""
    words = word_list(languages)
    subjects = [] if words is None else [*words.sentences.values(), *words.typed.values()]
    listed = {text for texts in subjects for text in texts}
    return {
        name: [pair for pair in pairs if pair.source not in listed] for name, pairs in sets.items()
    }
