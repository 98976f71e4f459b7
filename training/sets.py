"""Examples that a run trains on, epoch by epoch, and those that it validates with."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from model.tokenizer import TextTokenizer

from .build_tokenizer import tokenizer_for
from .corpora.chains import chained_pairs
from .corpora.mined_it import with_natural
from .corpora.pairs import (
    coreference_options,
    coreference_pairs,
    repeats_of,
    training_pairs,
    validation_pairs,
)
from .corpora.text_pairs import TextPair
from .corpora.word_list import without_listed
from .generated_sets import MADE, joined_pairs
from .objectives.batching import TrainingExample, repeated
from .objectives.hook import TrainingHook
from .workers import Workers


class Sets:
    """Examples of a run, and the generation of further ones for each epoch.

    `training`, `held_back`: pairs by set, without those generated for an epoch.
    """

    def __init__(
        self,
        settings: dict[str, Any],
        hook: TrainingHook,
        tokenizer: TextTokenizer,
        training: Mapping[str, list[TextPair]],
        held_back: Mapping[str, list[TextPair]],
    ) -> None:
        self.settings = settings
        self.hook = hook
        self.tokenizer = tokenizer
        self.validation = self._encoded(held_back)
        self._kept: dict[str, tuple[Any, Any]] = {"files": (0, self._encoded(training))}
        # With sub-word dropout every epoch but the first cuts the words anew. The cuts are not
        # stored, so a resumed run draws its own.
        self._cut_anew = training if settings["training"].get("bpe_dropout") else {}

    def examples(self, epoch: int) -> list[TrainingExample]:
        """Return the examples of an epoch: files, and pairs generated for it."""
        sources = self.settings["data"]
        sets = self._keep(
            "files",
            epoch if self._cut_anew else 0,
            lambda: self._encoded(self._cut_anew, anew=True),
        )
        generated = self._keep(
            "generated",
            # The generator's options are the key: epochs with the same ones share their pairs.
            coreference_options(sources, epoch) if "coreference" in sources else None,
            lambda: self._encoded({"": coreference_pairs(sources, epoch)})[""],
        )
        times = repeats_of(sources, epoch)
        read = [
            repeated(examples, times[name], f"{name} {epoch}") for name, examples in sets.items()
        ]
        return [*itertools.chain(*read), *generated]

    def _keep(self, name: str, of: Any, make: Callable[[], Any]) -> Any:
        """Return the last result of `make` if `of` is the same, else call it again."""
        # Only the last one is kept: epochs come in order, and a set is large.
        if name not in self._kept or self._kept[name][0] != of:
            self._kept[name] = of, make()
        return self._kept[name][1]

    def _encoded(
        self, sets: Mapping[str, list[TextPair]], *, anew: bool = False
    ) -> dict[str, list[TrainingExample]]:
        training = self.settings["training"]
        cutter = self.tokenizer.with_dropout(training["bpe_dropout"]) if anew else self.tokenizer
        max_len = training["max_len"]
        return {name: self.hook.encode(pairs, cutter, max_len) for name, pairs in sets.items()}


def assemble(
    settings: dict[str, Any], hook: TrainingHook, data: Path, run: Path, workers: Workers
) -> Sets:
    """Read, join and generate the sets of a config; its tokenizer lies in `run` from then on.

    `hook` encodes the pairs.

    Raises CorpusError if a set is missing or damaged.
    """
    sources = settings["data"]
    training = training_pairs(data, sources)
    held_back = validation_pairs(data, sources)
    if sources.get("withhold"):
        training = without_listed(training, settings["languages"])
    # Before the chains, which are made of what the development set leaves.
    if "natural" in sources:
        training = with_natural(training)
    if "chains" in sources:
        training["chains"] = chained_pairs(training, sources["chains"])
    if "joined" in sources:
        training["joined"] = joined_pairs(training, sources["joined"])
    for name, make in MADE.items():
        if name in sources:
            training[name], held_back[name] = make(sources[name])
    # The vocabulary is learnt once: the first epoch's pairs stand for those of all.
    texts = [*itertools.chain(*training.values()), *coreference_pairs(sources, 0)]
    tokenizer = tokenizer_for(settings, texts, run, workers)
    return Sets(settings, hook, tokenizer, training, held_back)
