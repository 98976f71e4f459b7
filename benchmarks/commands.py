"""Options that several benchmarks share."""

from __future__ import annotations

import sys
from typing import Annotated

from typer import Option

Repeats = Annotated[int, Option(min=1, help="measured rounds")]
Write = Annotated[bool, Option("--write", help="also write benchmarks/RESULTS.md")]


def typed(name: str) -> str:
    """Return the running command as it was typed; "" is ``python -m benchmarks``."""
    return " ".join((f"python -m benchmarks.{name}".rstrip("."), *sys.argv[1:]))
