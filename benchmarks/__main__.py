"""``python -m benchmarks [--checkpoint NAME_OR_PATH] [--repeats N] [--write]``."""

from __future__ import annotations

import argparse
import os
import sys

from .startup import ONE_THREAD


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measure this model beside CTranslate2 and transformers, on one thread.",
    )
    parser.add_argument("--checkpoint", help="a name under checkpoints/ or the path of a folder")
    parser.add_argument("--repeats", type=int, default=40, help="measured rounds (default 40)")
    parser.add_argument("--write", action="store_true", help="also write benchmarks/RESULTS.md")
    options = parser.parse_args()

    # Thread pools read these once, when their library is imported.
    os.environ.update(ONE_THREAD)
    from .report import PICTURE, run, write_results

    command = " ".join(("python -m benchmarks", *sys.argv[1:]))
    tables = run(
        options.checkpoint,
        repeats=options.repeats,
        command=command,
        picture=PICTURE if options.write else None,
    )
    print(tables)
    if options.write:
        write_results(tables)


if __name__ == "__main__":
    main()
