"""Sentence pairs from gzip files of `source<TAB>target` lines and from coreference frames."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from .coreference import generate_held_out, generate_training
from .text_pairs import CorpusError, TextPair

Item = TypeVar("Item")


def read_pairs(path: Path, *, reversed: bool = False) -> Iterator[TextPair]:
    """Yield the pairs of one gzip file; `reversed` exchanges source and target.

    Raises CorpusError if the file is missing, not gzip, or has a line that is not
    ``source<TAB>target``.
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
                source, target = columns[::-1] if reversed else columns
                yield TextPair(source, target)
    # A truncated gzip file raises EOFError, a damaged one zlib.error: both only while it is read.
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise CorpusError(f"{path} is damaged: {error}") from error


def set_pairs(data: Path, entry: dict[str, Any], part: str) -> list[TextPair]:
    """Return one part, "train" or "val", of a set as an entry of a config asks for it.

    ``reversed`` is passed to `read_pairs`. ``tag`` is a special token before every source, which
    marks data of another origin (Caswell et al. 2019). ``source_only`` takes each source once,
    without a target.
    """
    path = data / entry["folder"] / f"{part}.tsv.gz"
    pairs: Iterable[TextPair] = read_pairs(path, reversed=entry.get("reversed", False))
    if entry.get("source_only"):
        pairs = [TextPair(source, "") for source in dict.fromkeys(pair.source for pair in pairs)]
    tag = entry.get("tag", "")
    return [replace(pair, tag=tag) for pair in pairs] if tag else list(pairs)


def training_pairs(data: Path, sources: dict[str, Any]) -> dict[str, list[TextPair]]:
    """Return the training pairs of every folder that ``sources["sets"]`` lists."""
    return {
        entry["folder"]: set_pairs(data, _tagged(entry, sources), "train")
        for entry in sources["sets"]
    }


def _tagged(entry: dict[str, Any], sources: dict[str, Any]) -> dict[str, Any]:
    """Return the entry without its tag if the config switches tags off."""
    return entry if sources.get("tags", True) else entry | {"tag": ""}


def repeats_of(sources: dict[str, Any], epoch: int) -> dict[str, float]:
    """Return the number of passes over each folder in an epoch; 0.3 is three tenths of it.

    ``repeats`` is a number, or a list of (epoch, times): the latest entry reached counts, and 1
    before the first. ``share`` shortens every epoch.
    """
    share = sources.get("share", 1)
    listed = {entry["folder"]: entry for entry in sources["sets"]}
    generated = {
        name: spec
        # Coreference pairs are generated epoch by epoch and have no repeats.
        for name, spec in sources.items()
        if isinstance(spec, dict) and name != "coreference"
    }
    return {
        name: share * _times(spec.get("repeats", 1), epoch)
        for name, spec in (listed | generated).items()
    }


def _times(repeats: float | list[list[float]], epoch: int) -> float:
    if not isinstance(repeats, list):
        return repeats
    return ([1] + [times for first, times in repeats if first <= epoch])[-1]


@dataclass(frozen=True)
class CoreferenceOptions:
    """Arguments of `generate_training`; epochs with equal ones share their pairs."""

    seed: int
    siblings: bool
    two_nouns: float


def coreference_options(sources: dict[str, Any], epoch: int) -> CoreferenceOptions:
    """Return the options of the pairs that are generated for an epoch.

    All epochs before ``fresh_from_epoch`` share one seed, each later one has its own. Sibling
    situations join from ``siblings_from_epoch`` on.
    """
    spec = sources["coreference"]
    fresh = epoch >= spec.get("fresh_from_epoch", float("inf"))
    return CoreferenceOptions(
        # Far apart, because the held-out pairs have the next seed.
        seed=spec["seed"] + 1000 * epoch if fresh else spec["seed"],
        siblings=epoch >= spec.get("siblings_from_epoch", 0),
        two_nouns=spec.get("two_nouns", 0.5),
    )


def coreference_pairs(sources: dict[str, Any], epoch: int) -> list[TextPair]:
    """Return the generated pairs of an epoch; [] if the config asks for none."""
    spec = sources.get("coreference")
    if not spec:
        return []
    options = coreference_options(sources, epoch)
    generated = generate_training(
        spec["pairs"],
        seed=options.seed,
        siblings=options.siblings,
        two_nouns=options.two_nouns,
    )
    return [TextPair(p.source, p.target, p) for p in generated]


def spread_out(items: Sequence[Item], n: int) -> list[Item]:
    """Return at most `n` items at a fixed stride, beginning with the first."""
    return list(items[:: max(1, len(items) // n)][:n])


def own_sets(sources: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the sets to validate with, untagged, since a person types no tag."""
    return [
        {"folder": entry["folder"], "reversed": entry.get("reversed", False)}
        for entry in sources.get("sets", ())
        if entry.get("validate", True)
    ]


def validation_pairs(data: Path, sources: dict[str, Any]) -> dict[str, list[TextPair]]:
    """Return validation pairs by set; held-out frames form the set "coreference".

    Each set has at most ``validation_limit`` pairs, and is left out if its entry says
    ``"validate": false``.
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
        # Another seed than training's.
        held_out = generate_held_out(spec["held_out_pairs"], seed=spec["seed"] + 1)
        sets["coreference"] = [TextPair(p.source, p.target, p) for p in held_out][:limit]
    return sets
