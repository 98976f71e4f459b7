"""Train small runs side by side: effects of warmup, learning rate and label smoothing."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from core.calibration import calibration, expected_calibration_error
from core.measurements import SMALL_RUNS
from core.records.search import Decoding
from model import Translator, load_translator
from model.io.formation import FORMATION, METRICS, read_metrics
from model.teacher_forcing import read_ids
from model.tokenizer import TextTokenizer
from training.card import hardware
from training.corpora.pairs import validation_pairs
from training.corpora.text_pairs import TextPair
from training.export import export_run
from training.files import number
from training.formation import merge_formation, sentences_of
from training.loop import Trainer
from training.runs import settings_of_run

from .ablation_steps import KnockOutStepsMeasurement
from .bleu import corpus_bleu
from .measurement import Measurement

SHOWN = Path(__file__).resolve().parent.parent / "ui" / "pages" / "training" / "small"
"""Folder in which the page looks for the results."""
CURVES = ("loss", "val_loss", "lr", "gradient_norm")
KEPT_SETTINGS = ("warmup", "factor", "label_smoothing", "flat_start", "max_steps", "seed")
N_TRANSLATED = 200


class SmallRunsMeasurement(Measurement):
    """Training and scores of each variant; `of` holds the settings by name.

    The first variant is the one with nothing changed.
    """

    name = "small_runs"
    file_kind = SMALL_RUNS
    goes_on = False  # the runs themselves do
    indent = None

    def __init__(self, variants: dict[str, dict[str, Any]], data: Path, runs: Path) -> None:
        super().__init__(variants, data)
        self.runs = runs
        self.first = next(iter(variants.values()))

    @property
    def plain(self) -> Path:
        """Folder of the run with nothing changed."""
        return self.runs / self.first["name"]

    def frame(self) -> dict[str, Any]:
        runs = {name: _train(settings, self.data, self.runs) for name, settings in self.of.items()}
        return {
            "command": self.file_kind.command,
            "hardware": hardware(),
            "pieces": _tokenizer(self.plain).vocab_size,
            "model": self.first["model"],
            "pairs": self.first["data"]["coreference"]["pairs"],
            "runs": runs,
        }

    def publish(self, folder: Path, result: Mapping[str, Any]) -> None:
        """Store how the plain run's heads form, and what they are worth."""
        sentences = sentences_of(settings_of_run(self.plain))
        merge_formation(self.plain, folder / FORMATION, _tokenizer(self.plain), sentences)
        # The stored command is that of the page's data as a whole.
        knock_outs = KnockOutStepsMeasurement(self.plain).measure()
        KnockOutStepsMeasurement.write(folder, knock_outs | {"command": self.file_kind.command})


def _train(settings: dict[str, Any], data: Path, runs: Path) -> dict[str, Any]:
    run = runs / settings["name"]
    progress = Trainer(settings, data, run).train()
    # Only the last weights: such short runs are not averaged.
    export_run(run, run / "checkpoint", newest=1)
    metrics = read_metrics(run / METRICS)
    # `Trainer` has just written the file.
    assert metrics is not None
    curves = {}
    for name in CURVES:
        steps, values = metrics.of(name)
        curves[name] = [
            [int(step), float(value)] for step, value in zip(steps, values, strict=True)
        ]
    held_out = validation_pairs(data, settings["data"])["coreference"]
    return {
        "settings": {
            name: settings["training"][name]
            for name in KEPT_SETTINGS
            if name in settings["training"]
        },
        "seconds": round(progress.seconds, 1),
        "curves": curves,
        **scores(load_translator(run / "checkpoint"), held_out),
    }


def scores(translator: Translator, pairs: Sequence[TextPair]) -> dict[str, Any]:
    """Return perplexity, BLEU and calibration on held-out pairs.

    Perplexity and calibration are teacher-forced, over every token, ``</s>`` included; BLEU is
    sacreBLEU of greedy translations of the first `N_TRANSLATED`.
    """
    log_probs, sure, right = _forced(translator, pairs)
    bins = calibration(sure, right)
    # Searching takes far longer than reading, so BLEU is measured on fewer sentences.
    some = pairs[:N_TRANSLATED]
    written = [translator.translate(pair.source, Decoding(beam_size=1)).text for pair in some]
    score, signature = corpus_bleu(written, [pair.target for pair in some])
    return {
        "perplexity": number(math.exp(-float(log_probs.mean()))),
        "accuracy": number(float(right.mean())),
        "bleu": round(score.score, 2),
        "signature": signature,
        "sentences": len(pairs),
        "tokens": len(log_probs),
        "calibration_error": number(expected_calibration_error(bins)),
        "bins": {
            name: [value if name == "count" else number(value) for value in values]
            for name, values in bins.items()
        },
    }


@torch.inference_mode()
def _forced(
    translator: Translator, pairs: Sequence[TextPair]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return for every token log p, the largest probability, and if it is the token's own."""
    model: Any = translator.model
    columns: tuple[list[Any], list[Any], list[Any]] = ([], [], [])
    for pair in pairs:
        src = translator.tokenize(pair.source).ids
        tgt = translator.tokenize(pair.target).ids
        # One sentence a pass: the small models take seconds, and nothing needs padding.
        read = torch.tensor([list(read_ids(model.config, tgt))])
        probs = model(torch.tensor([list(src)]), read)[0].log_softmax(dim=-1)
        ids = torch.tensor(list(tgt))
        largest, likeliest = probs.max(dim=-1)
        picked = probs.gather(1, ids[:, None])[:, 0]
        for column, values in zip(columns, (picked, largest.exp(), likeliest == ids), strict=True):
            column.append(values.numpy())
    log_probs, sure, right = map(np.concatenate, columns)
    return log_probs, sure, right


def _tokenizer(run: Path) -> TextTokenizer:
    return TextTokenizer.from_file(run / "tokenizer.json")
