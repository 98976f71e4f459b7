"""Command line of what is measured: `python -m evaluation scores --checkpoint en-de`.

Modules that load torch are imported inside the commands, so that `--help` answers at once.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from training.commands import (
    CONFIGS,
    DATA,
    Checkpoint,
    Config,
    Data,
    Limit,
    Option,
    Run,
    Runs,
    SpreadCommand,
    Threads,
    Write,
    application,
    settings_of,
)
from training.commands import command as command_of
from training.commands import run as run_command

GOES_ON = (
    "With --write, each part is stored as soon as it is done and not measured again. If the "
    "command is killed, the same command continues. Delete {} to start over."
)

app = application(help="Measure the numbers that the app and the docs show.")
command = partial(command_of, app)


@command(
    'A quick check of about a minute: the heads that resolve "it", pronoun accuracy, and how often '
    "the pronoun changes when words are hidden."
)
def probe(
    checkpoint: Checkpoint = "en-de",
    threads: Threads = None,
    pairs: Annotated[int, Option(min=1, help="held-out minimal pairs")] = 100,
) -> None:
    from model import load_translator

    from .probe import probe as measure
    from .probe import report

    print(report(measure(load_translator(checkpoint), pairs)))


@dataclass(frozen=True)
class MeasurementCommand:
    """Command that measures one checkpoint: the class that does it, and the help text."""

    module: str
    class_name: str
    about: str

    def measurement(self) -> Any:
        """Return the class, imported only now since its module loads torch."""
        return getattr(importlib.import_module(f"evaluation.{self.module}"), self.class_name)


MEASUREMENTS = {
    "scores": MeasurementCommand(
        "scores",
        "EvaluateMeasurement",
        "Measure BLEU, pronoun accuracy and coreference heads of a checkpoint (beam width 5). "
        + GOES_ON.format('"fingerprint" from card.json'),
    ),
    "sweep": MeasurementCommand(
        "sweep",
        "SweepMeasurement",
        "Measure BLEU, log P, length, time and search errors of a checkpoint by beam width. "
        + GOES_ON.format("search.json"),
    ),
    "intervene": MeasurementCommand(
        "interventions",
        "InterveneMeasurement",
        "Measure interventions on a checkpoint: how often the pronoun changes when words are "
        "hidden, rank correlations of attention with leave-one-out and gradient × input, and the "
        "mean outputs of heads. " + GOES_ON.format("interventions.json"),
    ),
    "language": MeasurementCommand(
        "language",
        "LanguageMeasurement",
        "Learn letter and word statistics of a checkpoint's languages, and measure how often the "
        "app recognises a text's language correctly. " + GOES_ON.format("language.json"),
    ),
    "captions": MeasurementCommand(
        "captions",
        "CaptionsMeasurement",
        "Measure caption accuracy, BLEU and the pointing game for the image attention of a "
        "checkpoint. Scenes are generated, so --data is not read. " + GOES_ON.format("gaze.json"),
    ),
    "roles": MeasurementCommand(
        "roles",
        "RolesMeasurement",
        "Measure the role of every attention head (previous token, coreference and so on), its "
        "controls, and the change of log p per token when the head is ablated. "
        + GOES_ON.format("roles.json"),
    ),
    "atlas": MeasurementCommand(
        "atlas",
        "AtlasMeasurement",
        "Measure every attention head over 2,000 sentences for the head atlas, and "
        "select sentences and pairs of tokens as examples. " + GOES_ON.format("atlas.json"),
    ),
    "share": MeasurementCommand(
        "source_share",
        "ShareMeasurement",
        "Measure how much the source contributes to each tenth of the target (ALTI+), and how far "
        "this agrees with leave-one-out. " + GOES_ON.format("share.json"),
    ),
    "align": MeasurementCommand(
        "gold",
        "AlignmentMeasurement",
        "Measure the alignment error rate of every attention head and map on gold word "
        "alignments. " + GOES_ON.format("gold.json"),
    ),
    "pruning": MeasurementCommand(
        "pruning",
        "PruningMeasurement",
        "Measure BLEU, pronoun accuracy and alignment error rate of a checkpoint while its heads "
        "are ablated, least important first and in random order. " + GOES_ON.format("pruning.json"),
    ),
    "proofs": MeasurementCommand(
        "proofs",
        "ProofsMeasurement",
        "Compute the numbers of every figure in a second, slower way, on two short texts, and "
        "report the largest difference. --data is not read.",
    ),
    "masked": MeasurementCommand(
        "masked_lm",
        "MaskedMeasurement",
        "Measure a masked language model: accuracy on written text with bidirectional context "
        'and with left context only, coreference of "it", and subject-verb agreement. '
        + GOES_ON.format("masked.json"),
    ),
}


def _measuring(entry: MeasurementCommand) -> Callable[..., None]:
    # One closure a class: typer reads the options off this signature, so all commands share it.
    def measure(
        checkpoint: Checkpoint = "en-de",
        data: Data = DATA,
        threads: Threads = None,
        limit: Limit = None,
        write: Write = False,
    ) -> None:
        entry.measurement().of_checkpoint(checkpoint, data, limit, write)

    return measure


for _name, _command in MEASUREMENTS.items():
    app.command(_name, cls=SpreadCommand, help=_command.about)(_measuring(_command))


@command(
    "Measure all models in a folder of runs: perplexity, BLEU by sentence length, alignment "
    "accuracy, speed, and the differences between models. "
    + GOES_ON.format("lineage.json in the folder of a run")
)
def lineage(
    runs: Annotated[Path | None, Option(help="folder of the runs")] = None,
    stored: Annotated[
        bool,
        Option(
            "--stored",
            help="measure nothing; update differences and published figures in the stored results",
        ),
    ] = False,
    systems: Annotated[
        list[str] | None, Option(help="variants to measure (default: all trained)")
    ] = None,
    data: Data = DATA,
    threads: Threads = None,
    limit: Limit = None,
    write: Write = False,
) -> None:
    from model.io.checkpoint import checkpoints_folder
    from training.files import DOCS, read

    from .lineage import FILE, publish, report, with_new_descriptions
    from .lineage import lineage as measure

    # Exactly one of the two: measure a folder of runs, or refresh the stored file.
    if stored == (runs is not None):
        raise typer.BadParameter("give one of them", param_hint="--runs, --stored")
    path = checkpoints_folder() / FILE
    if runs is None:
        result = with_new_descriptions(read(path))
    else:
        result = measure(runs, data, systems or (), limit=limit, write=write)
    print(report(result))
    if write:
        publish(path, DOCS / "lineage.md", result, beside_others=bool(systems))


@command(
    "Measure what each training practice contributes: the runs of a config and of its variants "
    "translate the same sentences. With --write, the translations of each finished run are stored, "
    "so the same command continues if it is killed."
)
def practices(
    config: Config,
    runs: Runs,
    data: Data = DATA,
    threads: Threads = None,
    limit: Limit = None,
    write: Write = False,
) -> None:
    from training.files import DOCS
    from training.settings import read_config

    from .practices import PracticesMeasurement

    page = DOCS / f"{read_config(config)['name']}.md"
    PracticesMeasurement(runs, data, limit, keep=write).carry_out(page, write)


@command(
    "Measure all document classifiers and a bag of words: accuracy, pointing game, attention vs. "
    "importance, and predictions with replaced attention weights. "
    + GOES_ON.format("checkpoints/documents.json")
)
def documents(
    config: Config = CONFIGS / "documents.json",
    data: Data = DATA,
    threads: Threads = None,
    limit: Limit = None,
    write: Write = False,
) -> None:
    from model.io.checkpoint import checkpoints_folder

    from .documents import DocumentsMeasurement

    DocumentsMeasurement.of_config(config, data, limit).carry_out(checkpoints_folder(), write)


@command(
    "Train a small model with and without warmup, with ten times the learning rate and with label "
    "smoothing, for the page Training. If the command is killed, the same command continues."
)
def small_runs(
    config: Config = CONFIGS / "small.json",
    runs: Runs = Path("runs"),
    data: Data = DATA,
    threads: Threads = None,
    write: Annotated[bool, Option("--write", help="store the results for the page")] = False,
) -> None:
    from training.settings import read_config

    from .small_runs import SHOWN, SmallRunsMeasurement

    names = (None, *read_config(config).get("variants", {}))
    variants = {name or "plain": settings_of(config, name) for name in names}
    SmallRunsMeasurement(variants, data, runs).carry_out(SHOWN, write)


@command(
    "Ablate each head at every training step whose weights a run has kept, and measure the change "
    "of log p per token on the recorded sentences."
)
def knock_out_steps(
    run: Run,
    checkpoint: Annotated[Path | None, Option(help="folder to store the results in")] = None,
    threads: Threads = None,
) -> None:
    from .ablation_steps import KnockOutStepsMeasurement

    KnockOutStepsMeasurement(run).carry_out(checkpoint or run, write=checkpoint is not None)


def main(argv: Sequence[str] | None = None) -> int:
    return run_command(app, "python -m evaluation", argv)


if __name__ == "__main__":
    # Unless this is set, tokenizers warn after a fork and go on with one thread.
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "true")
    sys.exit(main())
