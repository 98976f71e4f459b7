"""Measure the gain of each training practice: short runs that differ in one thing.

The runs are those of a config and of its variants (`python -m training --config ... --share 0.1`,
and the same with ``--variant``), in one folder. All translate the same validation sentences, and
each variant is compared with the run that lacks nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import sacrebleu

from core.bootstrap import bootstrap, compared, mean, one_each
from model import Translator
from training.corpora.text_pairs import CorpusError, TextPair
from training.cost import training_facts
from training.export import averaged
from training.files import store, write_between
from training.runs import metrics_of, settings_of_run, systems_in

from .bleu import bleu_scores, translate_all
from .measured_sets import validation_of
from .measurement import Measurement, stored_in
from .templating import rendered

FILE = "practices.json"
PLAIN = "all of it"
"""Name of the run without a variant."""
MARKS = "<!-- practices -->", "<!-- end of practices -->"


def translations(
    run: Path, sets: Mapping[str, Sequence[TextPair]], *, write: bool
) -> dict[str, str]:
    """Return the translations of all sources, beam 5; with `write` kept in the run's folder."""
    checkpoint = averaged(run)
    path = run / FILE
    fingerprint = checkpoint.card.fingerprint
    stored = stored_in(path) if write else {}
    texts = stored["texts"] if stored.get("fingerprint") == fingerprint else {}
    sources = [pair.source for pairs in sets.values() for pair in pairs]
    # Only missing ones: after an interruption, or when a set has grown.
    missing = [text for text in sources if text not in texts]
    if missing:
        texts = texts | translate_all(Translator(checkpoint), missing, run.name)
        if write:
            store(path, {"fingerprint": fingerprint, "texts": texts})
    return texts


def chrf_rows(pairs: Sequence[TextPair], texts: Mapping[str, str]) -> np.ndarray:
    """Return chrF (Popović 2015) of every sentence with a count of one, (n, 2)."""
    # BLEU is a measure of a corpus; chrF means something for a single sentence.
    chrf = [sacrebleu.sentence_chrf(texts[p.source], [p.target]).score for p in pairs]
    return one_each(chrf)


class PracticesMeasurement(Measurement):
    """Each run of a folder: steps, BLEU and chrF by set, and chrF minus the plain run's."""

    name = "practices"
    goes_on = False  # the translations are kept with each run

    def __init__(
        self, runs: Path, data: Path, limit: int | None = None, *, keep: bool = False
    ) -> None:
        """Measure the runs of a folder; `keep` stores the translations there."""
        super().__init__(runs, data, limit)
        self.keep = keep

    def frame(self) -> dict[str, Any]:
        """Measure all runs at once.

        Raises CorpusError if there is no run, or none without a variant, or if a set is missing or
        damaged.
        """
        folders = systems_in(self.of)
        settings = {name: settings_of_run(folder) for name, folder in folders.items()}
        plain = next((name for name, config in settings.items() if "variant" not in config), None)
        if plain is None:
            raise CorpusError(f"{self.of} holds variants only, and no run to compare them with")
        sets = validation_of(self.data, settings[plain]["data"], self.limit)
        pairs = [pair for of_set in sets.values() for pair in of_set]
        texts = {
            name: translations(folder, sets, write=self.keep) for name, folder in folders.items()
        }
        rows = {name: chrf_rows(pairs, of_run) for name, of_run in texts.items()}
        result = {}
        for name in (plain, *(name for name in folders if name != plain)):
            result[PLAIN if name == plain else name] = {
                "title": settings[name]["title"],
                "steps": training_facts(metrics_of(folders[name]))["steps"],
                "sets": {
                    folder: {key: scores[key] for key in ("bleu", "chrf", "sentences")}
                    for folder, of_set in sets.items()
                    if (scores := bleu_scores(of_set, texts[name]))
                },
                "chrf": bootstrap(rows[name], mean),
                # Paired by sentence, since all runs translate the same ones.
                "brings": None if name == plain else compared(rows[name], rows[plain], mean),
            }
        return result

    @classmethod
    def report(cls, result: Mapping[str, Any]) -> str:
        """Return the runs as a table in Markdown."""
        return rendered("practices.md.j2", runs=result, shown=largest(result))

    @classmethod
    def write(cls, page: Path, result: Mapping[str, Any]) -> None:
        """Write the table into the page of the checkpoint that the config trains."""
        write_between(page, cls.report(result), MARKS)


def largest(result: Mapping[str, Any]) -> list[str]:
    """Return the four sets with most validation sentences, in their order."""
    sets = result[PLAIN]["sets"]
    chosen = sorted(sets, key=lambda folder: -sets[folder]["sentences"])[:4]
    return [folder for folder in sets if folder in chosen]
