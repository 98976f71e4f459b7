"""Interleaved repetitions, so that every case has the same noise."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True)
class Timing:
    """Wall-clock times of one case in seconds, in the order in which they were taken."""

    name: str
    seconds: tuple[float, ...]

    @property
    def median_ms(self) -> float:
        return 1000 * median(self.seconds)

    @property
    def fastest_ms(self) -> float:
        return 1000 * min(self.seconds)


def interleave(
    cases: Mapping[str, Callable[[], object]], *, repeats: int, warmup: int = 3
) -> dict[str, Timing]:
    """Run all cases once, then all again: `warmup` unmeasured rounds, then `repeats` measured ones.

    Taking turns spreads other load on the machine over all cases, so ratios of medians hold even if
    the times themselves are disturbed. The garbage collector only runs between rounds.
    """
    if repeats < 1 or warmup < 0:
        raise ValueError(f"expected 1 or more repeats and 0 or more warm-up rounds, "
                         f"found {repeats} and {warmup}")  # fmt: skip
    seconds: dict[str, list[float]] = {name: [] for name in cases}
    # As `timeit` does: a collection would be charged to the case that triggers it.
    enabled = gc.isenabled()
    gc.disable()
    try:
        for turn in range(warmup + repeats):
            for name, run in cases.items():
                began = time.perf_counter()
                run()
                taken = time.perf_counter() - began
                if turn >= warmup:
                    seconds[name].append(taken)
            gc.collect()
    finally:
        if enabled:
            gc.enable()
    return {name: Timing(name, tuple(taken)) for name, taken in seconds.items()}
