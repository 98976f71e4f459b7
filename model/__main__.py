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
    found = check(reader)
    width = max((len(each.capability) for each in found), default=0)
    for each in found:
        verdict = "ok   " if each.holds else "FALSE"
        told = each.error or f"{each.difference:.2g}"
        print(f"{verdict}  {each.capability:{width}}  {each.claim}: {told} ({each.seconds:.1f} s)")
    return int(not all(each.holds for each in found))


if __name__ == "__main__":
    sys.exit(main())
