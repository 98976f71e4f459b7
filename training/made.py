"""Sets that are made for a run: by the name of their section in a config, how."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .captioning import scene_sets
from .corpus import Pair, review_sets
from .dropped import dropped_sets

MADE: dict[str, Callable[[dict[str, Any]], tuple[list[Pair], list[Pair]]]] = {
    "scenes": scene_sets,
    "reviews": review_sets,
    "dropped": dropped_sets,
}
"""Each takes its section and gives what to train on and what is held back."""
