"""`python -m training --config training/configs/en-de.json` and its smaller siblings."""

from __future__ import annotations

import argparse
import functools
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from .variants import variant_of

SHARED: dict[str, dict[str, Any]] = {
    "--config": {"type": Path, "required": True, "help": "config of the run"},
    "--checkpoint": {"default": "en-de", "help": "a name in checkpoints/ or a path"},
    "--data": {"type": Path, "default": Path("data"), "help": "folder of the datasets"},
    "--threads": {"type": int, "help": "CPU threads (default: all cores)"},
    "--variant": {"help": "a variant that the config defines; it gets its own run"},
}
"""Arguments of more than one command."""


def _parser(command: str, description: str, *shared: str) -> argparse.ArgumentParser:
    prog = f"python -m training {command}".strip()
    parser = argparse.ArgumentParser(prog=prog, description=description)
    for name in shared:
        parser.add_argument(name, **SHARED[name])
    return parser


def _with_threads(parser: argparse.ArgumentParser, argv: list[str]) -> argparse.Namespace:
    """The arguments of a command that computes, which from here on runs on its ``--threads``."""
    args = parser.parse_args(argv)
    if args.threads:
        torch.set_num_threads(args.threads)
    return args


def _command(run: Callable[[list[str]], None]) -> Callable[[list[str]], int]:
    """A command that answers 1 and says why when something that a person can mend is wrong."""

    @functools.wraps(run)
    def told(argv: list[str]) -> int:
        from model import ModelError

        from .corpus import CorpusError

        try:
            run(argv)
        except (OSError, ModelError, CorpusError) as error:
            print(*filter(None, (error, getattr(error, "hint", None))), file=sys.stderr)
            return 1
        return 0

    return told


def _settings(path: Path) -> dict[str, Any]:
    from .storing import read

    return read(path)


@_command
def train(argv: list[str]) -> None:
    parser = _parser(
        "",
        "Train a model. If the run is killed, the same command continues it.",
        *("--config", "--variant", "--data", "--threads"),
    )
    parser.add_argument(
        "--folder", type=Path, dest="run", help="folder of the run (default: runs/<name>)"
    )
    parser.add_argument(
        "--max-steps", type=int, help="stop at this step instead of the config's max_steps"
    )
    parser.add_argument(
        "--share",
        type=float,
        default=1.0,
        help="shorten the run to this share of its steps, epochs and warmup",
    )
    args = _with_threads(parser, argv)

    from .loop import Trainer
    from .schedule import shortened

    settings = variant_of(_settings(args.config), args.variant)
    if args.share != 1:
        settings = shortened(settings, args.share)
    trainer = Trainer(settings, args.data, args.run or Path("runs") / settings["name"])
    if trainer.workers.leads:
        n_pairs = len(trainer.examples(trainer.progress.epoch))
        print(
            f"{sum(p.numel() for p in trainer.model.parameters()):,} parameters, "
            f"{n_pairs:,} pairs, step {trainer.progress.step}, "
            f"{torch.get_num_threads()} threads on {trainer.device}"
        )
    trainer.train(args.max_steps)


@_command
def grow(argv: list[str]) -> None:
    args = _parser(
        "grow",
        "Give a checkpoint more subwords and wider layers, so that a run can start from it.",
        *("--checkpoint", "--config", "--data"),
    ).parse_args(argv)

    from .grow import grow_checkpoint

    settings = _settings(args.config)
    target = Path(settings["training"]["start_from"]).parent
    grown = grow_checkpoint(args.checkpoint, settings, args.data, target)
    print(f"{sum(p.numel() for p in grown.parameters()):,} parameters in {target}")


@_command
def export(argv: list[str]) -> None:
    parser = _parser("export", "Average the saved weights of a run and write them as a checkpoint.")
    parser.add_argument("--run", type=Path, required=True, help="folder of the run")
    parser.add_argument("--checkpoint", type=Path, required=True, help="folder to write")
    parser.add_argument(
        "--newest", type=int, help="average only this many saved weights, the newest"
    )
    parser.add_argument(
        "--steps",
        type=int,
        nargs="+",
        default=(),
        help="average the weights of these steps; a step named twice counts twice",
    )
    args = parser.parse_args(argv)

    from .export import export_run

    card = export_run(args.run, args.checkpoint, newest=args.newest, steps=args.steps)
    print(f"averaged steps {card['training']['averaged_steps']} into {args.checkpoint}")


@_command
def unpack(argv: list[str]) -> None:
    parser = _parser(
        "unpack",
        "Restore the folder of a finished run from its checkpoint, to measure it with other runs.",
        *("--config", "--variant"),
    )
    parser.add_argument("--checkpoint", type=Path, required=True, help="folder of the checkpoint")
    parser.add_argument("--run", type=Path, required=True, help="folder to write")
    args = parser.parse_args(argv)

    from .export import unpack_checkpoint

    settings = variant_of(_settings(args.config), args.variant)
    unpack_checkpoint(args.checkpoint, settings, args.run)


def _measuring(
    command: str, description: str, file_name: str, argv: list[str]
) -> argparse.Namespace:
    """The arguments of a command that measures a checkpoint and may store what it finds."""
    parser = _parser(command, description, "--checkpoint", "--data", "--threads")
    return _limited(parser, file_name, argv)


def _limited(
    parser: argparse.ArgumentParser, file_name: str, argv: list[str]
) -> argparse.Namespace:
    """The arguments of a parser and how much is measured and kept."""
    parser.add_argument("--limit", type=int, help="use only this many sentences of each set")
    parser.add_argument("--write", action="store_true", help=f"store the results in {file_name}")
    args = _with_threads(parser, argv)
    if args.limit is not None and (args.limit < 1 or args.write):
        fault = "--write needs whole sets" if args.write else f"found {args.limit}, expected 1 up"
        parser.error(f"argument --limit: {fault}")
    return args


@_command
def probe(argv: list[str]) -> None:
    parser = _parser(
        "probe",
        'A quick check of about a minute: the heads that resolve "it", pronoun accuracy, and how '
        "often the pronoun changes when words are hidden.",
        *("--checkpoint", "--threads"),
    )
    parser.add_argument("--pairs", type=int, default=100, help="held-out minimal pairs")
    args = _with_threads(parser, argv)

    from model import load_translator

    from .probe import probe as measure
    from .probe import report

    print(report(measure(load_translator(args.checkpoint), args.pairs)))


@_command
def evaluate(argv: list[str]) -> None:
    args = _measuring(
        "evaluate",
        "Measure BLEU, pronoun accuracy and antecedent heads of a checkpoint (beam width 5).",
        "card.json",
        argv,
    )

    from model import load_translator
    from model.checkpoint import checkpoint_path

    from .card import stored_card, write_card
    from .evaluate import evaluate as measure
    from .evaluate import report
    from .results_page import write_results

    folder = checkpoint_path(args.checkpoint)
    sources = stored_card(folder).get("data", {})
    result = measure(load_translator(args.checkpoint), args.data, sources, limit=args.limit)
    print(report(result))
    if args.write:
        write_card(folder, result)
        write_results(folder.name, result)


GOES_ON = (
    "With --write, each part is stored when it is done and not measured again. If the command is "
    "killed, the same command continues. Delete {file_name} to start over."
)


def _storing(
    args: argparse.Namespace, stored: dict[str, Any], write: Callable[[Path, dict], None]
) -> dict[str, Any]:
    """How a measurement that goes on is told what it has, and where to put each part."""
    from model.checkpoint import checkpoint_path

    folder = checkpoint_path(args.checkpoint)

    def save(result: dict) -> None:
        if args.write:
            write(folder, result)

    return {"limit": args.limit, "stored": stored if args.write else None, "save": save}


@_command
def sweep(argv: list[str]) -> None:
    args = _measuring(
        "sweep",
        "Measure BLEU, log P, length, time and search errors of a checkpoint by beam width. "
        + GOES_ON.format(file_name="search.json"),
        "search.json",
        argv,
    )

    from model import load_translator

    from .sweep import report, write_search
    from .sweep import sweep as measure

    translator = load_translator(args.checkpoint)
    storing = _storing(args, translator.card.searches, write_search)
    print(report(measure(translator, args.data, **storing)))


@_command
def intervene(argv: list[str]) -> None:
    args = _measuring(
        "intervene",
        "Measure interventions on a checkpoint: how often the pronoun changes when words are "
        "hidden, rank correlations of attention with leave-one-out and gradient × input, and the "
        "mean outputs of heads. " + GOES_ON.format(file_name="interventions.json"),
        "interventions.json",
        argv,
    )

    from model.checkpoint import checkpoint_path, load_checkpoint

    from .card import write_readme
    from .intervene import intervene as measure
    from .intervene import report, write_interventions

    checkpoint = load_checkpoint(args.checkpoint)
    storing = _storing(args, checkpoint.card.interventions, write_interventions)
    print(report(measure(checkpoint, args.data, **storing)))
    if args.write:
        write_readme(checkpoint_path(args.checkpoint))


@_command
def confidence(argv: list[str]) -> None:
    args = _measuring(
        "confidence",
        "Measure how well the mean log p of a translation separates good from bad ones (by chrF), "
        "and how often the check of the source language is correct.",
        "confidence.json",
        argv,
    )

    from model import load_translator
    from model.checkpoint import checkpoint_path

    from .card import stored_card
    from .confidence import measure, report, write_confidence

    folder = checkpoint_path(args.checkpoint)
    sources = stored_card(folder).get("data", {})
    result = measure(load_translator(folder), args.data, sources, limit=args.limit)
    print(report(result))
    if args.write:
        write_confidence(folder, result)


@_command
def captions(argv: list[str]) -> None:
    args = _measuring(
        "captions",
        "Measure caption accuracy, BLEU and the pointing game for the image attention of a "
        "checkpoint. Scenes are generated, so --data is not read.",
        "gaze.json",
        argv,
    )

    from model import load_translator
    from model.checkpoint import checkpoint_path, checkpoints_folder

    from .captions import (
        measure,
        measured_models,
        report,
        trained_scenes,
        write_gaze,
        write_tables,
    )
    from .card import CONFIGS, stored_card, write_readme
    from .results_page import DOCS

    trained = trained_scenes(stored_card(checkpoint_path(args.checkpoint)))
    result = measure(load_translator(args.checkpoint), trained=trained, limit=args.limit)
    print(report(result))
    if args.write:
        write_gaze(checkpoint_path(args.checkpoint), result)
        write_readme(checkpoint_path(args.checkpoint))
        variants = _settings(CONFIGS / "captions.json")["variants"]
        if found := measured_models(checkpoints_folder(), variants):
            write_tables(DOCS / "captions.md", found)


@_command
def units(argv: list[str]) -> None:
    args = _measuring(
        "units",
        "Find the tokens of validation sentences that activate each neuron of the feed-forward "
        "layers most.",
        "units.json",
        argv,
    )

    from model.checkpoint import checkpoint_path, load_checkpoint

    from .units import measure, report, write_units

    result = measure(load_checkpoint(args.checkpoint), args.data, limit=args.limit)
    print(report(result))
    if args.write:
        write_units(checkpoint_path(args.checkpoint), result)


@_command
def back_translate(argv: list[str]) -> None:
    parser = _parser(
        "back-translate",
        "Translate the English side of sets with a checkpoint, as training data for the other "
        "direction.",
        *("--checkpoint", "--data", "--threads"),
    )
    parser.add_argument(
        "--sets", nargs="+", required=True, help="folders whose English side is translated"
    )
    parser.add_argument("--folder", required=True, help="set to write, in the folder --data")
    parser.add_argument("--limit", type=int, help="use only this many sentences")
    args = _with_threads(parser, argv)

    from .back_translation import english_of, write_back_translation

    texts = english_of(args.data, args.sets, args.limit)
    n_pairs = write_back_translation(args.checkpoint, texts, args.data / args.folder)
    print(f"{n_pairs:,} of {len(texts):,} sentences in {args.data / args.folder}")


@_command
def lineage(argv: list[str]) -> None:
    parser = _parser(
        "lineage",
        "Measure all models in a folder of runs: perplexity, BLEU by sentence length, alignment "
        "accuracy, speed, and the differences between models. "
        + GOES_ON.format(file_name="lineage.json in the folder of a run"),
        *("--data", "--threads"),
    )
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--runs", type=Path, help="folder of the runs")
    where.add_argument(
        "--stored",
        action="store_true",
        help="measure nothing; update what the stored results say of differences and papers",
    )
    parser.add_argument(
        "--systems", nargs="+", default=(), help="variants to measure (default: all trained)"
    )
    kept = "the folder of each run; finished runs also in checkpoints/lineage.json"
    args = _limited(parser, kept, argv)

    from model.checkpoint import checkpoints_folder

    from .lineage import FILE, finished, report, told_again, write_lineage, write_tables
    from .lineage import lineage as measure
    from .results_page import DOCS
    from .storing import read

    path = checkpoints_folder() / FILE
    if args.stored:
        result = told_again(read(path))
    else:
        result = measure(args.runs, args.data, args.systems, limit=args.limit, write=args.write)
    print(report(result))
    if args.write:
        write_lineage(path, finished(result))
        write_tables(DOCS / "lineage.md", finished(result))


@_command
def practices(argv: list[str]) -> None:
    parser = _parser(
        "practices",
        "Measure what each training practice contributes: the runs of a config and of its variants "
        "translate the same sentences. With --write, the translations of each finished run are "
        "stored, so the same command continues if it is killed.",
        *("--config", "--data", "--threads"),
    )
    parser.add_argument("--runs", type=Path, required=True, help="folder of the runs")
    args = _limited(parser, "the folder of each run and as a table in docs/", argv)

    from .practices import practices as measure
    from .practices import report, write_practices

    result = measure(args.runs, args.data, limit=args.limit, write=args.write)
    print(report(result))
    if args.write:
        write_practices(_settings(args.config)["name"], result)


@_command
def documents(argv: list[str]) -> None:
    parser = _parser(
        "documents",
        "Measure all document classifiers and a bag of words: accuracy, pointing game, attention "
        "vs. importance, and predictions with replaced attention weights. "
        + GOES_ON.format(file_name="checkpoints/documents.json"),
        *("--data", "--threads"),
    )
    config = Path("training/configs/documents.json")
    parser.add_argument("--config", type=Path, default=config, help="config of the runs")
    args = _limited(parser, "checkpoints/documents.json and in the cards", argv)

    from model.checkpoint import checkpoints_folder

    from .document_measures import DOCS, report, stored_in, write, write_tables
    from .document_measures import documents as measure

    settings, folder = _settings(args.config), checkpoints_folder()
    names = {name: folder / f"{settings['name']}-{name}" for name in settings["variants"]}
    installed = {name: path for name, path in names.items() if path.is_dir()}

    def save(result: dict) -> None:
        if args.write:
            write(folder, result)

    stored = stored_in(folder) if args.write else {}
    result = measure(installed, args.data, settings["data"], stored, limit=args.limit, save=save)
    print(report(result))
    if args.write:
        write_tables(DOCS, result)


@_command
def masked(argv: list[str]) -> None:
    args = _measuring(
        "masked",
        "Measure a masked language model: accuracy on written text with bidirectional context and "
        'with left context only, coreference of "it", and subject-verb agreement.',
        "masked.json",
        argv,
    )

    from model.checkpoint import checkpoint_path

    from .masked_measures import measure, report, write

    result = measure(args.checkpoint, args.data, limit=args.limit)
    print(report(result))
    if args.write:
        write(checkpoint_path(args.checkpoint), result)


@_command
def small_runs(argv: list[str]) -> None:
    parser = _parser(
        "small-runs",
        "Train a small model with and without warmup, with ten times the learning rate and with "
        "label smoothing, for the page Training. If the command is killed, the same command "
        "continues.",
        *("--data", "--threads"),
    )
    config = Path("training/configs/small.json")
    parser.add_argument("--config", type=Path, default=config, help="config of the runs")
    parser.add_argument("--runs", type=Path, default=Path("runs"), help="folder of the runs")
    parser.add_argument("--write", action="store_true", help="store the results for the page")
    args = _with_threads(parser, argv)

    from .small_runs import report, train_all, write_small_runs

    settings = _settings(args.config)
    names = (None, *settings.get("variants", {}))
    variants = {name or "plain": variant_of(_settings(args.config), name) for name in names}
    found = train_all(variants, args.data, args.runs)
    print(report(found))
    if args.write:
        write_small_runs(found, args.runs / settings["name"])


@_command
def knock_out_steps(argv: list[str]) -> None:
    parser = _parser(
        "knock-out-steps",
        "Ablate each head at every training step whose weights a run has kept, and measure the "
        "change of log p per token on the recorded sentences.",
        "--threads",
    )
    parser.add_argument("--run", type=Path, required=True, help="folder of the run")
    parser.add_argument("--checkpoint", type=Path, help="folder to store the results in")
    args = _with_threads(parser, argv)

    from .knockout_steps import measure, report, write_knock_outs

    found = measure(args.run)
    print(report(found))
    if args.checkpoint:
        write_knock_outs(args.checkpoint, found)


@_command
def fetch(argv: list[str]) -> None:
    args = _parser(
        "fetch",
        "Download Multi30k and Tatoeba from their public sources and check them.",
        "--data",
    ).parse_args(argv)

    from .fetch import fetch as fetch_all

    fetch_all(args.data)


COMMANDS = {
    "train": train,
    "grow": grow,
    "export": export,
    "unpack": unpack,
    "probe": probe,
    "evaluate": evaluate,
    "sweep": sweep,
    "intervene": intervene,
    "confidence": confidence,
    "captions": captions,
    "units": units,
    "back-translate": back_translate,
    "lineage": lineage,
    "practices": practices,
    "documents": documents,
    "masked": masked,
    "small-runs": small_runs,
    "knock-out-steps": knock_out_steps,
    "fetch": fetch,
}


def main() -> int:
    argv = sys.argv[1:]
    if argv and argv[0] in COMMANDS:
        return COMMANDS[argv[0]](argv[1:])
    return train(argv)


if __name__ == "__main__":
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "true")
    sys.exit(main())
