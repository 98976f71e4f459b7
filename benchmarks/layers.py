"""``python -m benchmarks.layers [--write]``: what layers cost on this machine, by length and width.

torch on one thread, in seconds that this thread has worked. ``--write`` stores the times for the
page on cost; on a quiet machine it takes under six minutes.
"""

from __future__ import annotations

import datetime
import json
import os
import sys
from pathlib import Path
from typing import Annotated

import torch
from typer import Option

from core.cost import LayerCost
from model.layers import WIDTH, WINDOW, measured_layers
from training.commands import alone

from .commands import typed
from .report import cpu_name

RESULTS = Path(__file__).resolve().parent.parent / "ui" / "cost" / "layers.json"
SECONDS = 240.0


def stored(rows: list[LayerCost], command: str) -> dict:
    """What the file holds; see `core.cost.Costs`."""
    return {
        "command": command,
        "hardware": f"{cpu_name()}, torch {torch.__version__.split('+')[0]} on one thread",
        "when": datetime.date.today().isoformat(),
        "width": WIDTH,
        "window": WINDOW,
        "rows": [
            [
                row.kind,
                row.n,
                row.d,
                float(f"{row.forward:.4g}"),
                float(f"{row.both:.4g}"),
                row.kept,
            ]
            for row in rows
        ],
    }


def store(values: dict, path: Path = RESULTS) -> None:
    """A line a measured place, at once or not at all."""
    rows = ",\n".join(f"  {json.dumps(row)}" for row in values["rows"])
    head = {name: value for name, value in values.items() if name != "rows"}
    text = json.dumps(head, indent=1)[:-2] + ',\n "rows": [\n' + rows + "\n ]\n}\n"
    temporary = path.with_suffix(".json.part")
    temporary.write_text(text, encoding="utf-8")
    os.replace(temporary, path)


def main(
    seconds: Annotated[float, Option(help="about how long it may take")] = SECONDS,
    write: Annotated[bool, Option("--write", help=f"also write {RESULTS.name}")] = False,
) -> None:
    torch.set_num_threads(1)
    rows = []
    for row in measured_layers(seconds=seconds):
        rows.append(row)
        kind, n, d, forward, both, kept = row
        print(
            f"{kind:12} n {n:5} d {d:4} {forward * 1000:9.3f} ms {both * 1000:9.3f} ms {kept:12,}"
        )
    if write:
        store(stored(rows, typed("benchmarks.layers")))


if __name__ == "__main__":
    sys.exit(alone(main, "python -m benchmarks.layers", __doc__))
