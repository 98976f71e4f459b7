"""Command line of training: `python -m training --config training/configs/en-de.json`.

Modules that load torch are imported inside the commands, so that `--help` answers at once.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from .commands import SpreadCommand, application
from .commands import run as run_command


def _on_threads(n: int | None) -> int | None:
    """Set torch's threads as soon as the option is parsed; return `n`."""
    if n:
        import torch

        torch.set_num_threads(n)
    return n


Option = typer.Option
Config = Annotated[Path, Option(help="config of the run")]
Checkpoint = Annotated[str, Option(help="a name in checkpoints/ or a path")]
Data = Annotated[Path, Option(help="folder of the datasets")]
Threads = Annotated[
    int | None, Option(min=1, callback=_on_threads, help="CPU threads (default: all cores)")
]
Variant = Annotated[
    str | None, Option(help="a variant that the config defines; it gets its own run")
]
Run = Annotated[Path, Option(help="folder of the run")]
Runs = Annotated[Path, Option(help="folder of the runs")]
Limit = Annotated[int | None, Option(min=1, help="use only this many sentences of each set")]
Write = Annotated[bool, Option("--write", help="store the results beside the weights or in docs/")]

DATA = Path("data")
CONFIGS = Path("training/configs")
GOES_ON = (
    "With --write, each part is stored when it is done and not measured again. If the command is "
    "killed, the same command continues. Delete {} to start over."
)

app = application(
    help="Train models and measure them. Without a command, `train` runs: "
    "python -m training --config training/configs/en-de.json"
)


def command(about: str) -> Callable[[Callable], Callable]:
    """Return a decorator that adds a function as a command, its underscores turned into hyphens."""

    def register(function: Callable) -> Callable:
        app.command(function.__name__.replace("_", "-"), cls=SpreadCommand, help=about)(function)
        return function

    return register


def _settings(path: Path, variant: str | None = None) -> dict[str, Any]:
    from .settings import read_config, variant_of

    return variant_of(read_config(path), variant)


@command("Train a model. If the run is killed, the same command continues it.")
def train(
    config: Config,
    variant: Variant = None,
    data: Data = DATA,
    threads: Threads = None,
    folder: Annotated[Path | None, Option(help="folder of the run (default: runs/<name>)")] = None,
    max_steps: Annotated[
        int | None, Option(help="stop at this step instead of the config's max_steps")
    ] = None,
    share: Annotated[
        float, Option(help="shorten the run to this share of its steps, epochs and warmup")
    ] = 1.0,
) -> None:
    import torch

    from .loop import Trainer
    from .settings import shortened

    settings = _settings(config, variant)
    if share != 1:
        settings = shortened(settings, share)
    trainer = Trainer(settings, data, folder or Path("runs") / settings["name"])
    if trainer.workers.leads:
        print(
            f"{sum(p.numel() for p in trainer.model.parameters()):,} parameters, "
            f"{len(trainer.sets.examples(trainer.progress.epoch)):,} pairs, "
            f"step {trainer.progress.step}, "
            f"{torch.get_num_threads()} threads on {trainer.device}"
        )
    trainer.train(max_steps)


@command(
    "Give a checkpoint more or other subwords and wider layers, so that a run can start from it."
)
def grow(
    config: Config,
    variant: Variant = None,
    checkpoint: Checkpoint = "en-de",
    data: Data = DATA,
) -> None:
    from .grow import grow_checkpoint

    settings = _settings(config, variant)
    target = Path(settings["training"]["start_from"]).parent
    grown = grow_checkpoint(checkpoint, settings, data, target)
    print(f"{sum(p.numel() for p in grown.parameters()):,} parameters in {target}")


@command("Average the saved weights of a run and write them as a checkpoint.")
def export(
    run: Run,
    checkpoint: Annotated[Path, Option(help="folder to write")],
    newest: Annotated[
        int | None, Option(help="average only this many of the saved weights, newest first")
    ] = None,
    steps: Annotated[
        list[int] | None,
        Option(help="average the weights of these steps; a step named twice counts twice"),
    ] = None,
) -> None:
    from .export import export_run

    card = export_run(run, checkpoint, newest=newest, steps=steps or ())
    print(f"averaged steps {card['training']['averaged_steps']} into {checkpoint}")


@command("Restore the folder of a finished run from its checkpoint, to measure it with other runs.")
def unpack(
    config: Config,
    checkpoint: Annotated[Path, Option(help="folder of the checkpoint")],
    run: Annotated[Path, Option(help="folder to write")],
    variant: Variant = None,
) -> None:
    from .export import unpack_checkpoint

    unpack_checkpoint(checkpoint, _settings(config, variant), run)


@command(
    'A quick check of about a minute: the heads that resolve "it", pronoun accuracy, and how often '
    "the pronoun changes when words are hidden."
)
def probe(
    checkpoint: Checkpoint = "en-de",
    threads: Threads = None,
    pairs: Annotated[int, Option(min=1, help="held-out minimal pairs")] = 100,
) -> None:
    from evaluation.probe import probe as measure
    from evaluation.probe import report
    from model import load_translator

    print(report(measure(load_translator(checkpoint), pairs)))


MEASURED = {
    "evaluate.Evaluate": "Measure BLEU, pronoun accuracy and antecedent heads of a checkpoint "
    "(beam width 5). " + GOES_ON.format('"fingerprint" from card.json'),
    "sweep.Sweep": "Measure BLEU, log P, length, time and search errors of a checkpoint by beam "
    "width. " + GOES_ON.format("search.json"),
    "intervene.Intervene": "Measure interventions on a checkpoint: how often the pronoun changes "
    "when words are hidden, rank correlations of attention with leave-one-out and gradient × "
    "input, and the mean outputs of heads. " + GOES_ON.format("interventions.json"),
    "language.Language": "Learn letter and word statistics of a checkpoint's languages, and "
    "measure how often the app recognises a text's language correctly. "
    + GOES_ON.format("language.json"),
    "captions.Captions": "Measure caption accuracy, BLEU and the pointing game for the image "
    "attention of a checkpoint. Scenes are generated, so --data is not read. "
    + GOES_ON.format("gaze.json"),
    "roles.Roles": "Measure the role of every attention head (previous token, antecedent and so "
    "on) against controls, and the change of log p per token when the head is ablated. "
    + GOES_ON.format("roles.json"),
    "atlas.Atlas": "Measure every attention head over 2,000 sentences for the head atlas, and "
    "select sentences and pairs of tokens as examples. " + GOES_ON.format("atlas.json"),
    "share.Share": "Measure how much the source contributes to each tenth of the target (ALTI+), "
    "and how far this agrees with leave-one-out. " + GOES_ON.format("share.json"),
    "gold.Align": "Measure the alignment error rate of every attention head and map on gold word "
    "alignments. " + GOES_ON.format("gold.json"),
    "pruning.Pruning": "Measure BLEU, pronoun accuracy and alignment error rate of a checkpoint "
    "while its heads are ablated, least important first and in random order. "
    + GOES_ON.format("pruning.json"),
    "proofs.Proofs": "Compute the numbers of every figure in a second, slower way, on two short "
    "texts, and report the largest difference. --data is not read.",
    "masked_measures.Masked": "Measure a masked language model: accuracy on written text with "
    'bidirectional context and with left context only, coreference of "it", and subject-verb '
    "agreement. " + GOES_ON.format("masked.json"),
}
"""Commands that measure one checkpoint: class path below `training`, and help text."""


def _measuring(path: str) -> Callable[..., None]:
    # One closure a class: typer reads the options off this signature, so all commands share it.
    def measure(
        checkpoint: Checkpoint = "en-de",
        data: Data = DATA,
        threads: Threads = None,
        limit: Limit = None,
        write: Write = False,
    ) -> None:
        module, name = path.split(".")
        measurement = getattr(importlib.import_module(f"training.{module}"), name)
        measurement.of_checkpoint(checkpoint, data, limit, write)

    return measure


for _path, _about in MEASURED.items():
    # A class name in camel case becomes a command with hyphens.
    _name = re.sub(r"\B(?=[A-Z])", "-", _path.split(".")[1]).lower()
    app.command(_name, cls=SpreadCommand, help=_about)(_measuring(_path))


@command(
    "Translate the English side of sets with a checkpoint, as training data for the other "
    "direction."
)
def back_translate(
    sets: Annotated[list[str], Option(help="folders whose English side is translated")],
    folder: Annotated[str, Option(help="set to write, in the folder --data")],
    checkpoint: Checkpoint = "en-de",
    data: Data = DATA,
    threads: Threads = None,
    limit: Annotated[int | None, Option(min=1, help="use only this many sentences")] = None,
) -> None:
    from .back_translation import english_of, write_back_translation

    texts = english_of(data, sets, limit)
    n_pairs = write_back_translation(checkpoint, texts, data / folder)
    print(f"{n_pairs:,} of {len(texts):,} sentences in {data / folder}")


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
            help="measure nothing; update how the stored models differ and what the papers report",
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
    from evaluation.lineage import FILE, publish, report, with_new_descriptions
    from evaluation.lineage import lineage as measure
    from model.io.checkpoint import checkpoints_folder

    from .files import DOCS, read

    # Exactly one of the two: measure a folder of runs, or refresh the stored file.
    if stored == (runs is not None):
        raise typer.BadParameter("give exactly one of the two", param_hint="--runs, --stored")
    path = checkpoints_folder() / FILE
    if runs is None:
        result = with_new_descriptions(read(path))
    else:
        result = measure(runs, data, systems or (), limit=limit, write=write)
    print(report(result))
    if write:
        publish(path, DOCS / "lineage.md", result, beside_others=bool(systems))


@command(
    "Measure what each training practice contributes: the models of a config and of its variants "
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
    from evaluation.practices import Practices

    from .files import DOCS
    from .settings import read_config

    page = DOCS / f"{read_config(config)['name']}.md"
    Practices(runs, data, limit, keep=write).carry_out(page, write)


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
    from evaluation.documents import Documents
    from model.io.checkpoint import checkpoints_folder

    Documents.of_config(config, data, limit).carry_out(checkpoints_folder(), write)


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
    from evaluation.small_runs import SHOWN, SmallRuns

    from .settings import read_config

    names = (None, *read_config(config).get("variants", {}))
    variants = {name or "plain": _settings(config, name) for name in names}
    SmallRuns(variants, data, runs).carry_out(SHOWN, write)


@command(
    "Ablate each head at every training step whose weights a run has saved, and measure the change "
    "of log p per token on the sentences that the run recorded."
)
def knock_out_steps(
    run: Run,
    checkpoint: Annotated[Path | None, Option(help="folder to store the results in")] = None,
    threads: Threads = None,
) -> None:
    from evaluation.ablation_steps import KnockOutSteps

    KnockOutSteps(run).carry_out(checkpoint or run, write=checkpoint is not None)


@command("Download Multi30k and Tatoeba from their public sources and check them.")
def fetch(data: Data = DATA) -> None:
    from .fetch import fetch as fetch_all

    fetch_all(data)


def main(argv: Sequence[str] | None = None) -> int:
    return run_command(app, "python -m training", argv, default="train")


if __name__ == "__main__":
    # Unless this is set, tokenizers warn after a fork and go on with one thread.
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "true")
    sys.exit(main())
