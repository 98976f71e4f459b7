"""Time layer types on this machine by sequence length and dimension.

`python -m benchmarks.layers [--write]`

torch has one thread, and processor time is measured. `--write` stores the times for the page
Complexity. On a quiet machine the command takes less than six minutes.
"""

from __future__ import annotations

import datetime
import sys
from pathlib import Path
from typing import Annotated

import torch
from typer import Option

from core.cost import LayerCost
from model.nets.layers import WIDTH, WINDOW, measured_layers
from training.commands import alone
from training.files import store_rows

from .commands import typed
from .report import cpu_name

RESULTS = Path(__file__).resolve().parent.parent / "ui" / "pages" / "cost" / "layers.json"
SECONDS = 240.0


def store(rows: list[LayerCost], path: Path = RESULTS) -> None:
    """Store one line for each measured length and width; see `core.cost.Costs`."""
    result = {
        "command": typed("layers"),
        "hardware": f"{cpu_name()}, torch {torch.__version__.split('+')[0]} on one thread",
        "when": datetime.date.today().isoformat(),
        "width": WIDTH,
        "window": WINDOW,
        "rows": [
            [row.kind, row.n, row.d, _rounded(row.forward), _rounded(row.both), row.kept]
            for row in rows
        ],
    }
    store_rows(path, result, "rows", 1)


def _rounded(seconds: float) -> float:
    # Four digits: more would be noise, and change with every run.
    return float(f"{seconds:.4g}")


def main(
    seconds: Annotated[float, Option(help="about how long the measurement may take")] = SECONDS,
    write: Annotated[bool, Option("--write", help=f"also write {RESULTS.name}")] = False,
) -> None:
    torch.set_num_threads(1)
    rows = []
    for row in measured_layers(seconds=seconds):
        rows.append(row)
        name, n, d, forward, both, kept = row
        print(
            f"{name:12} n {n:5} d {d:4} {forward * 1000:9.3f} ms {both * 1000:9.3f} ms {kept:12,}"
        )
    if write:
        store(rows)


if __name__ == "__main__":
    sys.exit(alone(main, "python -m benchmarks.layers", __doc__))
