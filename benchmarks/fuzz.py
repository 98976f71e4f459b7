"""Open damaged files of every layout, which must be read or refused.

``python -m benchmarks.fuzz [--files N] [--layout NAME ...]``

Each is opened like `model.loading` does, each layout in a process of its own: it is read or
refused with a CheckpointError, within `MOST_SECONDS` of processor time, in twice its size and
`MOST_MEMORY` of memory.
"""

from __future__ import annotations

import random
import re
import resource
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated

from typer import Option

from training.commands import alone

MOST_SECONDS = 2.0
MOST_MEMORY = 200 * 2**20
HEADER = 2000  # bytes at the beginning, which get half of the damage
NUMBERS = (b"0", b"-1", b"99999999999", b"1e300", b"NaN", b"null")
# The tiny models of all layouts are written by helpers of the tests.
sys.path.append(str(Path(__file__).resolve().parent.parent / "tests"))


@dataclass
class FuzzOutcome:
    """Outcome of damaged files: how many were read, refused, of unknown format or a fault."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    slowest: float = 0.0  # seconds of processor time
    memory: int = 0  # bytes by which the peak of the process grew


def damaged(content: bytes, chance: random.Random) -> bytes:
    """Return `content` with one fault.

    Bits flipped, the end cut off, a count made large, bytes repeated or zeroed.
    """
    end = len(content)
    width = chance.choice((1, 2, 4, 8))
    # Half of the faults hit the header, where sizes and offsets stand.
    at = chance.randrange(min(end, HEADER) if chance.random() < 0.5 else end)
    large = chance.choice((256**width - 1, 256**width // 2, 256**width // 2 - 1))
    # Numbers of a JSON header, such as shapes and offsets.
    numbers = [match.span() for match in re.finditer(rb"\d+", content[:HEADER])]
    zeros = min(8 * width, end - at)
    start, stop, put = chance.choice(
        [
            (at, at + 1, bytes([content[at] ^ chance.randrange(1, 256)])),
            (at, end, b""),
            (at, at + width, large.to_bytes(width, "little")),
            (*chance.choice(numbers or [(at, at + 1)]), chance.choice(NUMBERS)),
            (at, at, content[at : at + 25 * width]),
            (at, at + zeros, bytes(zeros)),
        ]
    )
    return content[:start] + put + content[stop:]


def fuzz(layout: str, n: int) -> FuzzOutcome:
    """Open `n` damaged copies of the tiny model of a layout (``tests/support/formats``)."""
    from support.formats import SAMPLES

    outcome = FuzzOutcome()
    # A fixed seed, so that a fault can be found again by its number.
    chance = random.Random(0)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary, layout)
        SAMPLES[layout][1](folder)
        _open(folder)  # imports and caches of the first time do not count
        files = {path: path.read_bytes() for path in sorted(folder.iterdir())}
        before = _peak()
        for number in range(n):
            path, content = chance.choice([item for item in files.items() if item[1]])
            path.write_bytes(damaged(content, chance))
            result = "fault"
            fault = path.name
            began = time.process_time()
            try:
                result = _open(folder)
            except BaseException as error:  # a panic in the Rust code of tokenizers is no Exception
                fault += f": {type(error).__name__}: {error}"[:300]
            seconds = time.process_time() - began
            # Repaired at once: each copy has one damaged file.
            path.write_bytes(content)
            outcome.slowest = max(outcome.slowest, seconds)
            outcome.counts[result] += 1
            if result == "fault" or seconds > MOST_SECONDS:
                outcome.faults.append(f"{number} {fault}: {result} in {seconds:.1f} s")
    outcome.memory = _peak() - before
    # The peak of a process never falls, so it is compared once, at the end.
    if outcome.memory > 2 * max(map(len, files.values())) + MOST_MEMORY:
        outcome.faults.append(f"{outcome.memory:,} bytes")
    return outcome


def _open(folder: Path) -> str:
    """Open a folder as `model.loading` does: "read", "refused", or "unknown" if of no layout."""
    from model import CheckpointError
    from model.io.formats import convert, format_of

    try:
        layout = format_of(folder)
        if layout:
            convert(folder, layout, {}, "cpu")
        return "read" if layout else "unknown"
    # A refusal without a message helps nobody.
    except CheckpointError as error:
        return "refused" if str(error) else "fault"


def _peak() -> int:
    """Return the peak memory of this process in bytes; Linux counts it in KiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def main(
    files: Annotated[int, Option(min=1, help="damaged files of each format")] = 10_000,
    layout: Annotated[list[str] | None, Option(help="only these formats, by name")] = None,
) -> None:
    """Open damaged files of every format, and count those that are read, refused or mishandled."""
    from support.formats import SAMPLES

    faults = 0
    for name in layout or SAMPLES:
        # Spawned: a forked child would inherit the parent's peak memory.
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            outcome = pool.submit(fuzz, name, files).result()
        counts = ", ".join(f"{n:,} {result}" for result, n in sorted(outcome.counts.items()))
        peak = f"{outcome.memory / 2**20:.0f} MB more memory at most"
        line = f"{name}: {counts}; slowest {outcome.slowest:.2f} s; {peak}"
        print(line, *outcome.faults[:20], sep="\n  ", flush=True)
        faults += len(outcome.faults)
    raise SystemExit(int(faults > 0))


if __name__ == "__main__":
    sys.exit(alone(main, "python -m benchmarks.fuzz"))
