"""Measure all systems of the lineage alike, to see what attention and its forms are worth.

Each run's folder keeps its measurements in ``lineage.json``, part by part, with a row for each
sentence; ``checkpoints/lineage.json`` is put together from these:

``systems``
    By name, in the order of their years: ``title``, ``family``, ``year``, ``paper``, ``command``,
    ``fingerprint``, ``parameters``, ``operations`` a target token, ``training`` (steps, seconds,
    target tokens a second, hardware), and for each set ``perplexity`` and ``bleu``. ``lengths``
    are BLEU of captions by their words and of joined texts by their number of captions; ``places``
    mean log p a token by its position in a joined text. ``pointing`` is the share of linked words
    at which the largest weight (``map``), or the word that is missed most (``left_out``), is the
    right one, and what ``uniform`` attention would give. ``speed``: sentences a second of
    processor time.
``gains``
    Two systems and what they ``differ`` in, see `evaluation.lineage_gains`; ``seed`` is the BLEU
    that another seed changed in the one case that was tried.

Whatever has ``value``, ``low`` and ``high`` has a 95 % interval: Wilson's for shares, else by
bootstrap over sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from core.lineage import beyond_a_seed
from core.measurements import LINEAGE
from model import Translator
from model.io.assembly import LoadedCheckpoint
from training.card import command_of, hardware, lineage_of, trained_on
from training.corpora.pairs import spread_out
from training.corpora.text_pairs import CorpusError
from training.cost import LENGTH, n_parameters, operations, speeds, training_facts
from training.export import averaged
from training.files import LISTS, OBJECTS, read, store, write_between
from training.runs import is_finished, metrics_of, settings_of_run, systems_in

from .bleu import DECODING
from .lineage_gains import GAINS, OTHER_SEED, described_again, gains
from .lineage_systems import (
    EVERYDAY,
    FEWEST,
    GENERATED,
    JOINED,
    MOST,
    SEEN,
    SETS,
    LineageTexts,
    pointing,
    probabilities,
    texts_for,
    translations,
)
from .measurement import Measurement, ResultPart, nowhere, stored_in
from .templating import rendered

FILE = LINEAGE.file
SPEED_TEXTS = 40
PARTS: dict[str, Callable[[LoadedCheckpoint, LineageTexts], dict[str, Any]]] = {
    "probabilities": probabilities,
    **{f"bleu {name}": partial(translations, name=name) for name in SETS},
    "pointing": pointing,
}


class SystemMeasurement(Measurement):
    """All measurements of one system except its speed, in the folder of its run."""

    file_kind = LINEAGE
    on_a_line = (LISTS, OBJECTS)
    indent = 1

    def __init__(
        self, run: Path, checkpoint: LoadedCheckpoint, sets: LineageTexts, limit: int | None = None
    ) -> None:
        super().__init__(checkpoint, limit=limit)
        self.run = run
        self.sets = sets

    def frame(self) -> dict[str, Any]:
        facts = training_facts(metrics_of(self.run))
        return {
            "fingerprint": self.of.card.fingerprint,
            "settings": settings_of(self.limit),
            "costs": {
                "parameters": n_parameters(self.of.model),
                "operations": operations(self.of.model),
                "training": facts | {"hardware": trained_on(settings_of_run(self.run))},
            },
        }

    def parts(self) -> Iterator[ResultPart]:
        for name, part in PARTS.items():
            yield ResultPart((name,), partial(part, self.of, self.sets))


def settings_of(limit: int | None) -> dict[str, Any]:
    """Return the settings that decide if a stored measurement may be kept."""
    return {
        "decoding": {"beam_size": DECODING.beam_size, "alpha": DECODING.alpha},
        "limit": limit,
        "everyday": EVERYDAY,
        "generated": GENERATED,
        "joined": {"texts": JOINED, "fewest": FEWEST, "most": MOST, "seen": SEEN},
        "operations": LENGTH,
        "speed_texts": SPEED_TEXTS,
    }


def lineage(
    runs: Path,
    data: Path,
    names: Sequence[str] = (),
    *,
    limit: int | None = None,
    write: bool = False,
    tell: Callable[[str], object] = print,
) -> dict[str, Any]:
    """Measure the systems of a folder of runs, and put the results together.

    `names`: variants to measure; all with weights by default. `write`: keep each part in the folder
    of its run, and reuse what is there. `tell`: called with a line for every system that is begun.

    Returns the contents of ``checkpoints/lineage.json``; `finished` keeps only the systems that
    have ended. Raises CorpusError if a run or a set is missing or damaged, or if the systems have
    different vocabularies, which makes their perplexities incomparable.
    """
    folders = systems_in(runs, names)
    loaded = {name: averaged(folder) for name, folder in folders.items()}
    # Perplexity is per token, and only tokens of the same vocabulary are alike.
    tokenizers = {(folder / "tokenizer.json").read_bytes() for folder in folders.values()}
    if len(tokenizers) > 1:
        raise CorpusError(f"the systems in {runs} do not share one tokenizer.json")
    first = next(iter(loaded.values()))
    # Texts must fit every system, so the shortest limit decides.
    configs: list[Any] = [checkpoint.model.config for checkpoint in loaded.values()]
    max_len = min(config.max_len for config in configs)
    sets = texts_for(data, first.tokenizer, max_len, limit)
    measured = {}
    for name, folder in folders.items():
        tell(f"{name}: step {training_facts(metrics_of(folder))['steps']}")
        measured[name] = SystemMeasurement(folder, loaded[name], sets, limit).measure(
            stored_in(folder / FILE) if write else None,
            partial(SystemMeasurement.write, folder) if write else nowhere,
        )
    return together(folders, measured, _speed(runs, loaded, sets, write=write), limit)


def _speed(
    runs: Path, loaded: Mapping[str, LoadedCheckpoint], sets: LineageTexts, *, write: bool
) -> dict[str, Any]:
    """Measure the speed of all systems in turn; a stored result of the very same ones is kept."""
    # In the folder of all runs: speeds of different sessions could not be compared.
    path = runs / f"speed-{FILE}"
    of = {name: checkpoint.card.fingerprint for name, checkpoint in sorted(loaded.items())}
    texts = [pair.source for pair in spread_out(sets.captions, SPEED_TEXTS)]
    frame = {"of": of, "texts": len(texts), "hardware": hardware()}
    stored = stored_in(path) if write else {}
    if frame.items() <= stored.items():
        return stored
    translators = {name: Translator(checkpoint) for name, checkpoint in loaded.items()}
    result = frame | {"systems": speeds(translators, texts)}
    if write:
        write_lineage(path, result)
    return result


def together(
    folders: Mapping[str, Path],
    measured: Mapping[str, Mapping[str, Any]],
    speed: Mapping[str, Any],
    limit: int | None = None,
) -> dict[str, Any]:
    """Return the results of all systems without the rows of their sentences, and the gains."""
    systems = {}
    years = {name: lineage_of(settings_of_run(folder))["year"] for name, folder in folders.items()}
    for name in sorted(folders, key=years.__getitem__):
        # The rows of sentences are left out: the published file needs their intervals alone.
        settings = settings_of_run(folders[name])
        parts = measured[name]
        translated = {texts: parts[f"bleu {texts}"] for texts in SETS}
        systems[name] = {
            "title": settings["title"],
            "checkpoint": settings["name"],
            "family": settings.get("architecture", "transformer"),
            **lineage_of(settings),
            "command": command_of(settings),
            "fingerprint": parts["fingerprint"],
            "finished": is_finished(folders[name]),
            **parts["costs"],
            "perplexity": parts["probabilities"]["perplexity"],
            "bleu": {texts: result["bleu"] for texts, result in translated.items()},
            "lengths": {texts: translated[texts]["lengths"] for texts in ("captions", "joined")},
            "places": parts["probabilities"]["places"],
            "pointing": {key: value for key, value in parts["pointing"].items() if key != "rows"},
            "speed": speed["systems"].get(name),
        }
    return {
        "command": LINEAGE.command,
        "hardware": speed["hardware"],
        "settings": settings_of(limit),
        "systems": systems,
        "seed": OTHER_SEED,
        "gains": gains(measured),
    }


def with_new_descriptions(result: Mapping[str, Any]) -> dict[str, Any]:
    """Return a stored result with its gains described anew; every number stays."""
    return {**result, "seed": OTHER_SEED, "gains": described_again(result["gains"])}


def with_others(stored: Mapping[str, Any], result: Mapping[str, Any]) -> dict[str, Any]:
    """Return the results of some systems, completed by the stored ones of the others."""
    systems = {**stored["systems"], **result["systems"]}
    years = sorted(systems, key=lambda name: systems[name]["year"])
    # The later one wins: what was measured now replaces what was stored.
    gains = {entry["id"]: entry for entry in (*stored["gains"], *result["gains"])}
    return {
        **result,
        "systems": {name: systems[name] for name in years},
        "gains": [gains[gain.id] for gain in GAINS if gain.id in gains],
    }


def finished(result: Mapping[str, Any]) -> dict[str, Any]:
    """Return the result without unfinished systems, and without the gains that involve them."""
    systems = {name: row for name, row in result["systems"].items() if row["finished"]}
    kept = [gain for gain in result["gains"] if {gain["ours"], gain["others"]} <= systems.keys()]
    return {**result, "systems": systems, "gains": kept}


def publish(path: Path, page: Path, result: Mapping[str, Any], *, beside_others: bool) -> None:
    """Store the finished systems and write their tables.

    `beside_others` keeps the stored results of systems that were not measured now.
    """
    kept = finished(result)
    if beside_others and path.exists():
        kept = with_others(read(path), kept)
    write_lineage(path, kept)
    write_tables(page, kept)


def write_lineage(path: Path, result: Mapping[str, Any]) -> None:
    """Store what was measured, rows of numbers on one line each."""
    store(path, result, on_a_line=(LISTS, OBJECTS), indent=1)


def report(result: Mapping[str, Any]) -> str:
    return rendered("lineage.txt.j2", between="\n", result=result)


def write_tables(path: Path, result: Mapping[str, Any]) -> None:
    """Write the results as tables between the two marks of a page; no tables without systems."""
    write_between(path, rendered("lineage.md.j2", result=result, beyond_a_seed=beyond_a_seed))
