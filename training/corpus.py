"""Sentence pairs: from gzip files of `source<TAB>target` lines and from the coreference frames."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from .coreference import CoreferencePair, generate_held_out, generate_training
from .reviews import Review, generate

BETWEEN = " <sent> "
"""What stands between two sentences of a document in a file."""


@dataclass(frozen=True)
class Pair:
    """One sentence pair; `link` is set for generated sentences with a known antecedent, `tag` is a
    special token that is read before the source."""

    source: str
    target: str
    link: CoreferencePair | None = None
    tag: str = ""


Item = TypeVar("Item")


class CorpusError(Exception):
    """The data folder lacks something; the message says what and how to get it."""


def read_pairs(path: Path, *, reversed: bool = False) -> Iterator[Pair]:
    """Pairs of one gzip file; `reversed` takes the target for the source.

    Raises CorpusError where the file is missing, not gzip, or a line is not ``source<TAB>target``.
    """
    if not path.exists():
        raise CorpusError(
            f"{path} does not exist; point --data at the folder that holds it, or download the "
            "originals with `python -m training fetch`"
        )
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                columns = line.rstrip("\n").split("\t")
                if len(columns) != 2:
                    raise CorpusError(
                        f"{path}, line {number}: expected source<TAB>target, found "
                        f"{len(columns)} columns"
                    )
                yield Pair(*(columns[::-1] if reversed else columns))
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise CorpusError(f"{path} is damaged: {error}") from error


def set_pairs(data: Path, entry: dict[str, Any], part: str) -> list[Pair]:
    """One part, "train" or "val", of a set as an entry of a config asks for it.

    ``reversed`` is of `read_pairs`; ``tag`` is a special token that stands before
    every source, so that what comes from elsewhere is told apart (Caswell et al. 2019);
    ``source_only`` takes each source once, and no target.
    """
    path = data / entry["folder"] / f"{part}.tsv.gz"
    pairs: Iterable[Pair] = read_pairs(path, reversed=entry.get("reversed", False))
    if entry.get("source_only"):
        pairs = [Pair(source, "") for source in dict.fromkeys(pair.source for pair in pairs)]
    tag = entry.get("tag", "")
    return [replace(pair, tag=tag) for pair in pairs] if tag else list(pairs)


def training_pairs(data: Path, sources: dict) -> dict[str, list[Pair]]:
    """The training pairs of every folder that ``sources["sets"]`` lists, each pair once."""
    return {
        entry["folder"]: set_pairs(data, _tagged(entry, sources), "train")
        for entry in sources["sets"]
    }


def _tagged(entry: dict, sources: dict) -> dict:
    """An entry without its tag where the config asks for none."""
    return entry if sources.get("tags", True) else entry | {"tag": ""}


def repeats_of(sources: dict, epoch: int) -> dict[str, float]:
    """How often each folder is gone through in an epoch; 0.3 is another three tenths each time.

    ``repeats`` lists (epoch, times), of which the latest one reached counts, once before; or is one
    number for all epochs. ``share`` shortens every epoch.
    """
    share = sources.get("share", 1)
    listed = {entry["folder"]: entry for entry in sources["sets"]}
    made = {
        name: spec
        for name, spec in sources.items()
        if isinstance(spec, dict) and name != "coreference"
    }
    return {
        name: share * _times(spec.get("repeats", 1), epoch)
        for name, spec in (listed | made).items()
    }


def _times(repeats: float | list[list[float]], epoch: int) -> float:
    if not isinstance(repeats, list):
        return repeats
    return ([1] + [times for first, times in repeats if first <= epoch])[-1]


def coreference_choices(sources: dict, epoch: int) -> dict[str, int | float | bool]:
    """How an epoch's pairs are generated: keyword arguments of `generate_training`.

    One seed for all epochs before ``fresh_from_epoch``, then a new one each; sibling situations
    from ``siblings_from_epoch`` on.
    """
    spec = sources["coreference"]
    fresh = epoch >= spec.get("fresh_from_epoch", float("inf"))
    return {
        "seed": spec["seed"] + 1000 * epoch if fresh else spec["seed"],
        "siblings": epoch >= spec.get("siblings_from_epoch", 0),
        "two_nouns": spec.get("two_nouns", 0.5),
    }


def coreference_pairs(sources: dict, epoch: int) -> list[Pair]:
    """The generated pairs of an epoch; none when the config asks for none."""
    spec = sources.get("coreference")
    if not spec:
        return []
    generated = generate_training(spec["pairs"], **coreference_choices(sources, epoch))
    return [Pair(p.source, p.target, p) for p in generated]


def reviews_of(spec: dict[str, Any], *, held_out: bool = False) -> list[Review]:
    """The generated reviews that a config asks for; `held_out` ones have the next seed."""
    count = spec["held_out"] if held_out else spec["reviews"]
    return generate(count, seed=spec["seed"] + held_out, held_out=held_out)


def review_pair(review: Review) -> Pair:
    """A document and its class."""
    return Pair(BETWEEN.join(review.sentences), review.label)


def spread_out(items: Sequence[Item], n: int) -> list[Item]:
    """At most `n` of them, by a fixed stride from the first on."""
    return list(items[:: max(1, len(items) // n)][:n])


def own_sets(sources: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The sets that are there to validate with, without their tags, as what a person types."""
    return [
        {"folder": entry["folder"], "reversed": entry.get("reversed", False)}
        for entry in sources.get("sets", ())
        if entry.get("validate", True)
    ]


def validation_pairs(data: Path, sources: dict) -> dict[str, list[Pair]]:
    """Validation pairs by set, ``validation_limit`` of each; held-out frames as "coreference".

    A set whose entry says ``"validate": false`` has none.
    """
    limit = sources.get("validation_limit", 1000)
    sets = {}
    for entry in sources["sets"]:
        if not entry.get("validate", True):
            continue
        pairs = set_pairs(data, _tagged(entry, sources), "val")
        sets[entry["folder"]] = spread_out(pairs, limit)
    spec = sources.get("coreference")
    if spec:
        held_out = generate_held_out(spec["held_out_pairs"], seed=spec["seed"] + 1)
        sets["coreference"] = [Pair(p.source, p.target, p) for p in held_out][:limit]
    return sets
