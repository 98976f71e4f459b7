"""``python -m benchmarks.fuzz [--files N] [--layout NAME ...]``: damaged files of every layout.

Each is opened as `model.opening` does, in a process of its own for each layout. A file is either
read or refused with a CheckpointError, in at most `MOST_SECONDS`, and takes no more memory than
twice its size and `MOST_MEMORY`.
"""

from __future__ import annotations

import random
import re
import resource
import shutil
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

MOST_SECONDS, MOST_MEMORY = 2.0, 200 * 2**20
HEADER = 2000  # bytes at the beginning, in which half of the damage is done


@dataclass
class Outcome:
    """What came of damaged files."""

    size: int  # of the largest file, bytes
    counts: Counter[str] = field(default_factory=Counter)  # "read", "refused", "unknown"
    faults: list[str] = field(default_factory=list)  # what was neither read nor refused in time
    slowest: float = 0.0  # seconds
    memory: int = 0  # bytes by which the peak of the process grew

    @property
    def holds(self) -> bool:
        return not self.faults and self.memory <= 2 * self.size + MOST_MEMORY


def damaged(content: bytes, chance: random.Random) -> bytes:
    """The same with bytes flipped, cut off, doubled or zero, or with a count made large."""
    made, end = bytearray(content), len(content)
    at = chance.randrange(min(end, HEADER) if chance.random() < 0.5 else end)
    numbers = [match.span() for match in re.finditer(rb"\d+", content[:HEADER])]
    match chance.choice(("flip", "cut", "count", "text", "double", "zero")):
        case "flip":
            for place in (at, *(chance.randrange(end) for _ in range(chance.randrange(4)))):
                made[place] ^= 1 << chance.randrange(8)
        case "cut":
            return content[:at]
        case "count":
            width = chance.choice((1, 2, 4, 8))
            value = chance.choice((256**width - 1, 256**width // 2, 256**width // 2 - 1, 0))
            made[at : at + width] = value.to_bytes(width, "little")
        case "text" if numbers:
            value = chance.choice((b"0", b"-1", b"99999999999", b"1e300", b"NaN", b"null"))
            made[slice(*chance.choice(numbers))] = value
        case "double":
            made[at:at] = made[at : at + chance.randrange(1, 200)]
        case _:
            made[at : at + chance.randrange(1, 64)] = bytes(len(made[at : at + 8]))
    return bytes(made)


def fuzz(folder: Path, n: int, seed: int = 0) -> Outcome:
    """Open `n` damaged copies of a model; the folder is as before when it returns."""
    from model import CheckpointError
    from model.formats import recognised
    from model.opening import converted

    files = {path: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}
    chance, outcome = random.Random(seed), Outcome(max(map(len, files.values())))
    before = 0
    for number in range(-1, n):
        path, content = chance.choice([item for item in files.items() if item[1]])
        # The first is whole: what is loaded once counts for nothing.
        path.write_bytes(content if number < 0 else damaged(content, chance))
        began, came = time.perf_counter(), "read"
        try:
            if (layout := recognised(folder)) is None:
                came = "unknown"
            else:
                converted(folder, layout, {}, "cpu")
        except CheckpointError as error:
            came = "refused" if str(error) and number >= 0 else "fault"
        except BaseException as error:  # a panic of tokenizers is no Exception
            came = "fault"
            outcome.faults.append(f"{number} {path.name}: {type(error).__name__}: {error}"[:300])
        seconds = time.perf_counter() - began
        path.write_bytes(content)
        if number < 0:
            before = _peak()
            continue
        if seconds > MOST_SECONDS:
            outcome.faults.append(f"{number} {path.name}: {seconds:.1f} s")
        outcome.counts[came] += 1
        outcome.slowest = max(outcome.slowest, seconds)
    outcome.memory = _peak() - before
    return outcome


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def fuzz_layout(name: str, n: int) -> Outcome:
    """`fuzz` of the tiny model of a layout (``tests/formats``)."""
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
    from formats import SAMPLES

    folder = Path(tempfile.mkdtemp())
    try:
        SAMPLES[name][1](folder / name)
        return fuzz(folder / name, n)
    finally:
        shutil.rmtree(folder)


def main(
    files: Annotated[int, Option(min=1, help="damaged files of each layout")] = 10_000,
    layout: Annotated[list[str] | None, Option(help="only these layouts")] = None,
) -> None:
    """Open damaged files of every layout, and print what came of them."""
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
    from formats import SAMPLES

    held = True
    for name in layout or SAMPLES:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            outcome = pool.submit(fuzz_layout, name, files).result()
        counts = ", ".join(f"{n:,} {came}" for came, n in sorted(outcome.counts.items()))
        peak = f"{outcome.memory / 2**20:.0f} MB more memory at most"
        print(f"{name}: {counts}; slowest {outcome.slowest:.2f} s; {peak}", flush=True)
        for fault in outcome.faults[:20]:
            print(f"  {fault}")
        held &= outcome.holds
    raise SystemExit(int(not held))


if __name__ == "__main__":
    sys.exit(alone(main, "python -m benchmarks.fuzz"))
