"""`python -m training --config training/configs/en-de.json` and its smaller siblings."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

import torch


def train(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m training",
        description="Train a translator; killed at any moment, the same command goes on.",
    )
    parser.add_argument("--config", type=Path, required=True)
    parser.add_argument("--data", type=Path, default=Path("data"), help="folder of the data sets")
    parser.add_argument(
        "--folder", type=Path, dest="run", help="folder of the run (default: runs/<name>)"
    )
    parser.add_argument(
        "--max-steps", type=int, help="stop here instead of at the config's max_steps"
    )
    parser.add_argument("--threads", type=int, help="CPU threads (default: all cores)")
    args = parser.parse_args(argv)

    from .corpus import CorpusError
    from .loop import Trainer

    if args.threads:
        torch.set_num_threads(args.threads)
    try:
        settings = json.loads(args.config.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        print(f"{args.config} cannot be read: {error}", file=sys.stderr)
        return 1
    run = args.run or Path("runs") / settings["name"]
    try:
        trainer = Trainer(settings, args.data, run)
        if trainer.workers.leads:
            n_pairs = len(trainer.examples(trainer.progress.epoch))
            print(
                f"{sum(p.numel() for p in trainer.model.parameters()):,} parameters, "
                f"{n_pairs:,} pairs, step {trainer.progress.step}, "
                f"{torch.get_num_threads()} threads on {trainer.device}"
            )
        trainer.train(args.max_steps)
    except CorpusError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def grow(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m training grow",
        description="Give a checkpoint more pieces and wider layers, for a run to go on from.",
    )
    parser.add_argument("--checkpoint", default="en-de", help="a name under checkpoints/ or a path")
    parser.add_argument("--config", type=Path, required=True, help="config of the run")
    parser.add_argument("--data", type=Path, default=Path("data"), help="folder of the data sets")
    args = parser.parse_args(argv)

    from model import ModelError

    from .corpus import CorpusError
    from .grow import grow_checkpoint

    try:
        settings = json.loads(args.config.read_text(encoding="utf-8"))
        target = Path(settings["training"]["start_from"]).parent
        grown = grow_checkpoint(args.checkpoint, settings, args.data, target)
    except (OSError, ModelError, CorpusError) as error:
        print(error, getattr(error, "hint", ""), file=sys.stderr)
        return 1
    print(f"{sum(p.numel() for p in grown.parameters()):,} parameters in {target}")
    return 0


def export(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m training export", description="Average a run's weights into a checkpoint."
    )
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--checkpoint", type=Path, required=True, help="folder to write")
    parser.add_argument("--newest", type=int, help="average only this many of the saved weights")
    args = parser.parse_args(argv)

    from .export import export_run

    try:
        card = export_run(args.run, args.checkpoint, newest=args.newest)
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"averaged steps {card['training']['averaged_steps']} into {args.checkpoint}")
    return 0


def evaluate(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m training evaluate",
        description="BLEU, right pronouns and antecedent heads of a checkpoint, beam 5.",
    )
    parser.add_argument("--checkpoint", default="en-de", help="a name under checkpoints/ or a path")
    parser.add_argument("--data", type=Path, default=Path("data"), help="folder of the data sets")
    parser.add_argument("--limit", type=int, help="only so many lines of each set")
    parser.add_argument("--threads", type=int, help="CPU threads (default: all cores)")
    parser.add_argument("--write", action="store_true", help="put the results into card.json")
    args = parser.parse_args(argv)

    from model import ModelError, load_translator
    from model.checkpoint import checkpoint_path

    from .card import write_card
    from .corpus import CorpusError
    from .evaluate import evaluate as measure
    from .evaluate import report

    if args.threads:
        torch.set_num_threads(args.threads)
    try:
        translator = load_translator(args.checkpoint)
        result = measure(translator, args.data, limit=args.limit)
    except (ModelError, CorpusError) as error:
        print(error, getattr(error, "hint", ""), file=sys.stderr)
        return 1
    print(report(result))
    if args.write:
        if args.limit:
            print("not written: --limit measures only a part", file=sys.stderr)
            return 1
        write_card(checkpoint_path(args.checkpoint), result)
    return 0


def _stored_arguments(
    parser: argparse.ArgumentParser, argv: list[str], file_name: str
) -> argparse.Namespace:
    """The arguments of a command that measures a checkpoint and may store what it finds."""
    parser.add_argument("--checkpoint", default="en-de", help="a name under checkpoints/ or a path")
    parser.add_argument("--data", type=Path, default=Path("data"), help="folder of the data sets")
    parser.add_argument("--limit", type=int, help="only so many sentences of each set")
    parser.add_argument("--threads", type=int, help="CPU threads (default: all cores)")
    parser.add_argument("--write", action="store_true", help=f"store the results as {file_name}")
    args = parser.parse_args(argv)
    if args.limit is not None and (args.limit < 1 or args.write):
        fault = "--write needs whole sets" if args.write else f"found {args.limit}, expected 1 up"
        parser.error(f"argument --limit: {fault}")
    return args


def sweep(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m training sweep",
        description="BLEU, log P, length, time and search errors of a checkpoint by beam width. "
        "With --write every part is stored when it is done, and what is stored is not measured "
        "again: killed at any moment, the same command goes on. Delete search.json to begin anew.",
    )
    args = _stored_arguments(parser, argv, "search.json")

    from model import ModelError, load_translator
    from model.checkpoint import checkpoint_path

    from .corpus import CorpusError
    from .sweep import report, write_search
    from .sweep import sweep as measure

    if args.threads:
        torch.set_num_threads(args.threads)
    try:
        translator = load_translator(args.checkpoint)
        folder = checkpoint_path(args.checkpoint)
        stored = translator.card.searches if args.write else None

        def save(result: dict) -> None:
            if args.write:
                write_search(folder, result)

        result = measure(translator, args.data, limit=args.limit, stored=stored, save=save)
    except (ModelError, CorpusError) as error:
        print(error, getattr(error, "hint", ""), file=sys.stderr)
        return 1
    print(report(result))
    return 0


def intervene(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m training intervene",
        description="What a checkpoint does when words are hidden from it: flips of the pronoun, "
        "rank correlations of attention with drops and gradients, mean outputs of heads. "
        "With --write every part is stored when it is done, and what is stored is not measured "
        "again: killed at any moment, the same command goes on. Delete interventions.json to begin "
        "anew.",
    )
    args = _stored_arguments(parser, argv, "interventions.json")

    from model import ModelError
    from model.checkpoint import checkpoint_path, load_checkpoint

    from .card import write_readme
    from .corpus import CorpusError
    from .intervene import intervene as measure
    from .intervene import report, write_interventions

    if args.threads:
        torch.set_num_threads(args.threads)
    try:
        checkpoint = load_checkpoint(args.checkpoint)
        folder = checkpoint_path(args.checkpoint)
        stored = checkpoint.card.interventions if args.write else None

        def save(result: dict) -> None:
            if args.write:
                write_interventions(folder, result)

        result = measure(checkpoint, args.data, limit=args.limit, stored=stored, save=save)
    except (ModelError, CorpusError) as error:
        print(error, getattr(error, "hint", ""), file=sys.stderr)
        return 1
    print(report(result))
    if args.write:
        write_readme(folder)
    return 0


def fetch(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m training fetch",
        description="Download Multi30k and Tatoeba from their public homes and check them.",
    )
    parser.add_argument("--data", type=Path, default=Path("data"), help="folder to write")
    args = parser.parse_args(argv)

    from .corpus import CorpusError
    from .fetch import fetch as fetch_all

    try:
        fetch_all(args.data)
    except CorpusError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


COMMANDS = {
    "train": train,
    "grow": grow,
    "export": export,
    "evaluate": evaluate,
    "sweep": sweep,
    "intervene": intervene,
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
