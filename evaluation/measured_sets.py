"""Sets that models are measured on, by pair of languages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from training.corpora.pairs import own_sets, read_pairs, set_pairs
from training.corpora.text_pairs import CorpusError, TextPair

BLEU_SETS = {
    "multi30k_test_2016_flickr": "multi30k-en-de/test_2016_flickr.tsv.gz",
    "multi30k_test_2017_flickr": "multi30k-en-de/test_2017_flickr.tsv.gz",
    "multi30k_test_2018_flickr": "multi30k-en-de/test_2018_flickr.tsv.gz",
    "tatoeba_val": "tatoeba-en-de/val.tsv.gz",
}


@dataclass(frozen=True)
class MeasuredSets:
    """Sets of one language pair that searches and interventions are measured on.

    - `files`: file of each set in the data folder, by name; references are judged on these
    - `swept`: name and file of the set that is translated with every beam width
    - `pronouns`: True if the generated sentences with "it" are in these languages
    - `reversed`: True if the files have the target first
    """

    files: Mapping[str, str]
    swept: tuple[str, str]
    pronouns: bool = False
    reversed: bool = False

    def read(self, data: Path) -> dict[str, list[TextPair]]:
        return {name: self._pairs(data / file) for name, file in self.files.items()}

    def to_sweep(self, data: Path) -> list[TextPair]:
        return self._pairs(data / self.swept[1])

    def _pairs(self, path: Path) -> list[TextPair]:
        return list(read_pairs(path, reversed=self.reversed))


_KSS = "ko-en-kss-nc/val.tsv.gz"


_ENGLISH_GERMAN = MeasuredSets(
    {"multi30k_val": "multi30k-en-de/val.tsv.gz", "tatoeba_val": "tatoeba-en-de/val.tsv.gz"},
    ("multi30k_test_2016_flickr", BLEU_SETS["multi30k_test_2016_flickr"]),
)


MEASURED = {
    ("en", "de"): replace(_ENGLISH_GERMAN, pronouns=True),
    ("de", "en"): replace(_ENGLISH_GERMAN, reversed=True),
    ("ko", "en"): MeasuredSets(
        {"ko-en-tatoeba": "ko-en-tatoeba/val.tsv.gz", "ko-en-kss-nc": _KSS}, ("ko-en-kss-nc", _KSS)
    ),
}


HELD_OUT_PAIRS = 400


HELD_OUT_SEED = 7


def measured_sets(languages: Sequence[str]) -> MeasuredSets:
    """Return the sets that a model between these languages is measured on.

    Raises CorpusError if there are none.
    """
    pair = tuple(languages)
    if len(pair) != 2 or pair not in MEASURED:
        named = " to ".join(languages) or "no language"
        raise CorpusError(f"no sets are named for models from {named}")
    return MEASURED[pair]


def validation_of(
    data: Path, sources: Mapping[str, Any], limit: int | None
) -> dict[str, list[TextPair]]:
    """Return validation pairs of the sets without a tag on their sources, as a person types."""
    # Tagged sources are another model's translations: scores on them would mean little.
    tagged = {entry["folder"] for entry in sources["sets"] if entry.get("tag")}
    return {
        entry["folder"]: set_pairs(data, entry, "val")[:limit]
        for entry in own_sets(sources)
        if entry["folder"] not in tagged
    }
