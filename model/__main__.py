"""``python -m model check NAME_OR_PATH``: whether the claims of a checkpoint's family hold."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from .check import check
from .errors import ModelError
from .translator import load_reader


def main(argv: Sequence[str] | None = None) -> int:
    """Print a line for each claim; 1 where one is false or the checkpoint does not load."""
    parser = argparse.ArgumentParser(prog="python -m model", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    checking = commands.add_parser("check", help="hold every claim against a slower way")
    checking.add_argument("checkpoint", help="a name under checkpoints/, or a path")
    try:
        reader = load_reader(parser.parse_args(argv).checkpoint, check_claims=False)
    except ModelError as error:
        print(error, file=sys.stderr)
        return 1
    results = check(reader)
    width = max((len(result.capability) for result in results), default=0)
    for result in results:
        verdict = "ok   " if result.holds else "FALSE"
        outcome = result.error or f"{result.difference:.2g}"
        claim = f"{result.capability:{width}}  {result.claim}"
        print(f"{verdict}  {claim}: {outcome} ({result.seconds:.1f} s)")
    return int(not all(result.holds for result in results))


if __name__ == "__main__":
    sys.exit(main())
