"""Sets that are made for a run: by the name of their section in a config, how."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .agreement import agreement_sets
from .captioning import scene_sets
from .coreference import generate_held_out, generate_training
from .corpus import Pair, review_sets
from .dropped import dropped_sets


def riddle_sets(spec: dict[str, Any]) -> tuple[list[Pair], list[Pair]]:
    """What a config's "riddles" ask for: English sentences in which "it" must be resolved, and
    held-out ones."""
    train = generate_training(spec["sentences"], seed=spec["seed"])
    held = generate_held_out(spec["held_out"] // 2, seed=spec["seed"] + 1)
    return [Pair(each.source, "") for each in train], [Pair(each.source, "") for each in held]


MADE: dict[str, Callable[[dict[str, Any]], tuple[list[Pair], list[Pair]]]] = {
    "scenes": scene_sets,
    "reviews": review_sets,
    "dropped": dropped_sets,
    "riddles": riddle_sets,
    "agreement": agreement_sets,
}
"""Each takes its section and gives what to train on and what is held back."""
