"""Report of benchmarks: aims and measured numbers, as tables in ``RESULTS.md``."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training.files import write_between
from training.templating import rendered

from .commands import typed

RESULTS = Path(__file__).with_name("RESULTS.md")
TEMPLATES = Path(__file__).with_name("templates")


@dataclass(frozen=True)
class Aim:
    """A promise: `value` should not exceed `limit` (or not fall below it, if `at_least`)."""

    what: str
    value: float
    limit: float
    unit: str = "×"
    at_least: bool = False

    @property
    def met(self) -> bool:
        """True if the promise is kept."""
        return self.value >= self.limit if self.at_least else self.value <= self.limit

    def row(self) -> str:
        """Return the aim as a row of a table."""
        bound = "at least" if self.at_least else "at most"
        return (
            f"| {self.what} | {self.value:.2f}{self.unit} | {bound} {self.limit:g}{self.unit} "
            f"| {'met' if self.met else '**missed**'} |"
        )


def cpu_name() -> str:
    """Return the processor's name as the kernel gives it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or platform.machine()


def machine() -> str:
    """Return processor and number of cores."""
    return f"{cpu_name()}, {os.cpu_count()} cores"


def table(name: str, aims: Sequence[Aim], values: Mapping[str, Any]) -> str:
    """Return the filled-in template of a benchmark, with machine, load and command.

    `values`: whatever else the template needs, or another command.
    """
    facts = {
        "machine": machine(),
        "cpu": cpu_name(),
        # The load tells how far the times of this run can be trusted.
        "load": f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown",
        "command": typed("" if name == "measured" else name),
        "aims": [
            "| Aim | measured | aim | |",
            "|---|---:|---:|---|",
            *(aim.row() for aim in aims),
        ],
    }
    return rendered(f"{name}.md.j2", templates=TEMPLATES, **facts | values)


def publish(name: str, aims: Sequence[Aim], values: Mapping[str, Any], *, write: bool) -> None:
    """Print the tables, and with `write` put them between the marks of this name in `RESULTS`."""
    tables = table(name, aims, values)
    print(tables)
    if write:
        write_between(RESULTS, tables, marks(name))


def marks(name: str) -> tuple[str, str]:
    return f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
