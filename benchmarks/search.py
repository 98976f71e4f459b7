"""Compare the search of this project with CTranslate2 and transformers, as Markdown tables."""

from __future__ import annotations

import platform
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

import torch
import transformers

from model.io.assembly import LoadedCheckpoint
from model.io.checkpoint import checkpoint_path, load_checkpoint
from viz.export import figure_svg
from viz.sweep import cost_chart

from .cases import (
    ALPHA,
    BEAM_SIZE,
    N_RUNNERS_UP,
    SENTENCE,
    SRC_LENGTH,
    TGT_LENGTH,
    cost_cases,
    default_checkpoint,
    forward_cases,
    same_answers,
    search_cases,
    tree_cases,
    write_random_checkpoint,
)
from .report import RESULTS, Aim
from .startup import Startup, measure_startup
from .timing import Timing, interleave

LIBRARIES = ("torch", "transformers", "ctranslate2", "tokenizers", "numpy")
"""Packages whose versions the table names."""
PICTURE = RESULTS.parent.parent / "docs" / "images" / "search-cost.svg"


@dataclass(frozen=True)
class SideBySide:
    """Everything that one run measures: the model, times of each group of cases, startups."""

    checkpoint: LoadedCheckpoint
    is_random: bool
    agree: bool  # True if the libraries find the same translation
    timings: dict[str, dict[str, Timing]]
    startups: list[Startup]


def run(
    checkpoint_name: str | None,
    *,
    repeats: int,
    n_processes: int = 3,
    picture: Path | None = None,
) -> tuple[list[Aim], dict[str, Any]]:
    """Measure everything on one thread; return aims and values of the template ``measured``.

    `checkpoint_name`: a name under ``checkpoints/`` or a path; None takes the shipped checkpoint,
    or random weights of its sizes if there is none. `repeats`: measured rounds of the interleaved
    cases. `n_processes`: fresh processes started for the waiting times of the app. `picture`: where
    to draw the cost of a search against length and width as SVG.
    """
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    measured = _measure(checkpoint_name, repeats, n_processes)
    if picture is not None:
        rows = cost_rows(measured.timings["length"], measured.timings["width"])
        picture.write_text(figure_svg(cost_chart(rows)) + "\n", encoding="utf-8")
    aims = promises(measured.timings, measured.startups)
    return aims, _template_values(measured, repeats)


def _template_values(measured: SideBySide, repeats: int) -> dict[str, Any]:
    """Return what the template ``measured`` prints: times, tables, and the conditions of both."""
    return {
        "checkpoint": measured.checkpoint,
        "is_random": measured.is_random,
        "agree": measured.agree,
        "system": platform.system(),
        "python": platform.python_version(),
        "versions": [f"{name} {version(name)}" for name in LIBRARIES],
        "repeats": repeats,
        "timings": measured.timings,
        "lengths": cost_table(measured.timings["length"], "target tokens", "token"),
        "widths": cost_table(measured.timings["width"], "beam width", "hypothesis"),
        "startups": measured.startups,
        "waits": waits(measured.startups),
        "sentence": repr(SENTENCE),
        "width": BEAM_SIZE,
        "src_length": SRC_LENGTH,
        "tgt_length": TGT_LENGTH,
        "alpha": ALPHA,
        "n_runners_up": N_RUNNERS_UP,
    }


def _measure(checkpoint_name: str | None, repeats: int, n_processes: int) -> SideBySide:
    """Time all cases of a checkpoint, and fresh processes with it."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        path = checkpoint_path(checkpoint_name) if checkpoint_name else default_checkpoint()
        is_random = path is None
        if is_random:
            path = write_random_checkpoint(folder / "random")
        checkpoint = load_checkpoint(path)
        # Speed is only compared if the libraries compute the same.
        agree = same_answers(checkpoint, folder / "same")
        lengths, widths = cost_cases(checkpoint)
        groups = {
            "forward": forward_cases(checkpoint),
            "greedy": search_cases(checkpoint, folder / "greedy", beam_size=1),
            "beam": search_cases(checkpoint, folder / "beam", beam_size=BEAM_SIZE),
            "tree": tree_cases(checkpoint),
            "length": lengths,
            "width": widths,
        }
        # All groups in one round, so that their ratios share the machine's state.
        taken = interleave(
            {f"{g}: {n}": case for g, cases in groups.items() for n, case in cases.items()},
            repeats=repeats,
        )
        timings = {
            group: {name: taken[f"{group}: {name}"] for name in cases}
            for group, cases in groups.items()
        }
        # Last, since fresh processes would disturb the rounds.
        startups = [measure_startup(path, SENTENCE) for _ in range(n_processes)]
    return SideBySide(checkpoint, is_random, agree, timings, startups)


def waits(startups: Sequence[Startup]) -> dict[str, float]:
    """Return the seconds that a person waits, by what for."""
    later = later_of(startups)
    return {
        "interpreter start, imports, load and first translation": median(
            startup.to_first for startup in startups
        ),
        "of that, load and first translation": median(
            startup.load_and_first for startup in startups
        ),
        "each later translation, search and all heads": median(later),
        "slowest later translation": max(later),
    }


def later_of(startups: Iterable[Startup]) -> list[float]:
    """Return the seconds of all translations but the first ones."""
    return [seconds for startup in startups for seconds in startup.later]


def cost_rows(lengths: dict[str, Timing], widths: dict[str, Timing]) -> list[dict[str, float]]:
    """Return the rows of `viz.sweep.cost_chart`: lengths at one width, widths at one length."""
    return [
        {"length": int(n), "beam_size": BEAM_SIZE, "seconds": timing.median_ms / 1000}
        for n, timing in lengths.items()
    ] + [
        {"length": TGT_LENGTH, "beam_size": int(n), "seconds": timing.median_ms / 1000}
        for n, timing in widths.items()
    ]


def cost_table(timings: dict[str, Timing], size: str, unit: str) -> list[str]:
    """Return rows of median times by size, with the cost of each `unit` and of one more.

    `timings`: by size, a whole number as text, smallest first.
    """
    lines = [
        f"| {size} | median ms | fastest ms | median ms per {unit} | ms per further {unit} |",
        "|---:|---:|---:|---:|---:|",
    ]
    sizes = [int(name) for name in timings]
    medians = [timing.median_ms for timing in timings.values()]
    for i, timing in enumerate(timings.values()):
        further = ""
        if i > 0:
            further = f"{(medians[i] - medians[i - 1]) / (sizes[i] - sizes[i - 1]):.2f}"
        lines.append(
            f"| {sizes[i]} | {medians[i]:.2f} | {timing.fastest_ms:.2f} "
            f"| {medians[i] / sizes[i]:.2f} | {further} |"
        )
    return lines


def promises(timings: dict[str, dict[str, Timing]], startups: list[Startup]) -> list[Aim]:
    """Return the project's promises on speed beside the measured values."""

    def ratio(group: str, numerator: str, denominator: str) -> float:
        return timings[group][numerator].median_ms / timings[group][denominator].median_ms

    search = "ours, search and tree"
    whole = "ours, search, tree and all heads"
    runners_up = "ours, search and tree with runners-up"
    attended = "transformers, scores and attentions"
    # The first case is the tree with runners-up, the larger one.
    every_node = next(iter(timings["tree"].values()))
    return [
        Aim("forward with capture / without", ratio("forward", "ours, all heads captured", "ours"),
            1.3),
        Aim(f"beam {BEAM_SIZE}: transformers, scores and attentions / ours, tree and all heads",
            ratio("beam", attended, whole), 2.5, at_least=True),
        Aim(f"beam {BEAM_SIZE}: ours, search and tree / CTranslate2, scores",
            ratio("beam", search, "CTranslate2, scores"), 1),
        Aim(f"beam {BEAM_SIZE}: ours, tree and all heads / CTranslate2, scores and attention",
            ratio("beam", whole, "CTranslate2, scores and attention"), 3),
        Aim(f"beam {BEAM_SIZE}: transformers, scores and attentions / ours, tree with runners-up",
            ratio("beam", attended, runners_up), 2.5, at_least=True),
        Aim(f"beam {BEAM_SIZE}: ours, tree with runners-up / CTranslate2, scores",
            ratio("beam", runners_up, "CTranslate2, scores"), 1),
        Aim("attention of every node of that tree", every_node.median_ms, 50, " ms"),
        Aim("fresh process to first translation", median(s.to_first for s in startups), 3, " s"),
        Aim("each later translation, all heads",
            1000 * median(later_of(startups)), 100, " ms"),
    ]  # fmt: skip
