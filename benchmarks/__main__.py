"""Entry point: ``python -m benchmarks [--checkpoint NAME_OR_PATH] [--repeats N] [--write]``."""

from __future__ import annotations

import os
import sys
from typing import Annotated

from typer import Option

from training.commands import alone

from .commands import Repeats, Write
from .startup import ONE_THREAD


def main(
    checkpoint: Annotated[str | None, Option(help="a name under checkpoints/, or a path")] = None,
    repeats: Repeats = 40,
    write: Write = False,
) -> None:
    """Compare search, forward pass and start with CTranslate2 and transformers, on one thread."""
    # Thread pools read these variables once, when their library is imported.
    os.environ.update(ONE_THREAD)
    from .report import publish
    from .search import PICTURE, run

    picture = PICTURE if write else None
    aims, values = run(checkpoint, repeats=repeats, picture=picture)
    publish("measured", aims, values, write=write)


if __name__ == "__main__":
    sys.exit(alone(main, "python -m benchmarks"))
