"""Generated sets of a run, by the name of their section in a config."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from .corpora import agreement, reviews, zero_pronouns
from .corpora.coreference import generate_held_out, generate_training
from .corpora.reviews import review_pair
from .corpora.text_pairs import TextPair
from .objectives.captioning import scene_sets

Sets = Callable[[dict[str, Any]], tuple[list[TextPair], list[TextPair]]]


def _sets(
    generate: Callable[..., Sequence[Any]], count: str, pair: Callable[[Any], TextPair]
) -> Sets:
    """Return the sets of a generator: `count` names the entry with the number of training items.

    Held-out items are drawn with the next seed.
    """

    def sets(spec: dict[str, Any]) -> tuple[list[TextPair], list[TextPair]]:
        train = generate(spec[count], seed=spec["seed"])
        held = generate(spec["held_out"], seed=spec["seed"] + 1, held_out=True)
        return list(map(pair, train)), list(map(pair, held))

    return sets


def riddle_sets(spec: dict[str, Any]) -> tuple[list[TextPair], list[TextPair]]:
    """Return training and held-out sentences for the "riddles" section of a config.

    They are English sentences in which "it" must be resolved, without a target.
    """
    train = generate_training(spec["sentences"], seed=spec["seed"])
    # Minimal pairs count as two sentences.
    held = generate_held_out(spec["held_out"] // 2, seed=spec["seed"] + 1)
    return (
        [TextPair(pair.source, "") for pair in train],
        [TextPair(pair.source, "") for pair in held],
    )


MADE: dict[str, Sets] = {
    "scenes": scene_sets,
    "reviews": _sets(reviews.generate, "reviews", review_pair),
    "dropped": _sets(
        zero_pronouns.generate, "pairs", lambda pair: TextPair(pair.source, pair.target)
    ),
    "riddles": riddle_sets,
    "agreement": _sets(
        agreement.generate, "sentences", lambda sentence: TextPair(sentence.text, "")
    ),
}
"""Function for each section: takes it and returns training and held-out pairs."""


def joined(
    pairs: Sequence[TextPair], n: int, fewest: int, most: int, seed: int | str
) -> list[TextPair]:
    """Return `n` texts of `fewest` to `most` distinct pairs, joined on both sides."""
    rng = random.Random(seed)
    texts = []
    for _ in range(n):
        drawn = rng.sample(pairs, rng.randint(fewest, most))
        texts.append(TextPair(" ".join(p.source for p in drawn), " ".join(p.target for p in drawn)))
    return texts


def joined_pairs(sets: dict[str, list[TextPair]], spec: dict[str, Any]) -> list[TextPair]:
    """Return the texts of a section such as `{"of": folder, "pairs": n, "most": 4, "seed": 1}`."""
    return joined(sets[spec["of"]], spec["pairs"], 2, spec["most"], spec["seed"])
