"""Command line of training: `python -m training --config training/configs/en-de.json`.

Modules that load torch are imported inside the commands, so that `--help` answers at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

from .commands import (
    DATA,
    Checkpoint,
    Config,
    Data,
    Option,
    Run,
    Threads,
    Variant,
    application,
    settings_of,
)
from .commands import command as command_of
from .commands import run as run_command

app = application(
    help="Train models. Without a command, `train`: "
    "python -m training --config training/configs/en-de.json"
)
command = partial(command_of, app)


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

    settings = settings_of(config, variant)
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

    settings = settings_of(config, variant)
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

    unpack_checkpoint(checkpoint, settings_of(config, variant), run)


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
