"""Translation of many sentences, in batches of equal length."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import numpy as np
import torch

from core.records.search import Decoding
from core.records.sources import Source
from core.records.tokens import TokenSequence
from core.weights.transform import is_special

from .errors import ModelError, expect
from .hooks.capture import capture_attention
from .search.batched import batched_beam_search
from .teacher_forcing import MOST_LOGITS, in_batches, padded, read_ids
from .translator import Translator

WINDOW = 1024
"""Texts that are read ahead and grouped by length."""
MOST_ROWS = 160
"""Hypotheses of a batch; more of them are no faster on a processor."""


@dataclass(frozen=True, eq=False)
class TranslatedLine:
    """Translation of one text, or the error that stands in its place.

    Attributes
    ----------
    line : number of the text, from 1.
    output : the translation; None if there is an error.
    log_prob, score : natural log-probability of the output, and the same divided by the length
        penalty.
    tokens, log_probs : pieces of the output, ``</s>`` included, and their natural
        log-probabilities, float32 (T_tgt,).
    end_share : mean attention weight on special tokens of the source such as ``</s>``, over all
        layers, heads and output tokens, 0 to 1; None without such attention.
    """

    line: int
    source: str
    output: str | None = None
    log_prob: float = 0.0
    score: float = 0.0
    tokens: tuple[str, ...] = ()
    log_probs: np.ndarray = field(default_factory=lambda: np.zeros(0, np.float32))
    end_share: float | None = None
    error: ModelError | None = None

    @property
    def probabilities(self) -> np.ndarray:
        """Probability of each token, (T_tgt,), 0 to 1."""
        return np.exp(self.log_probs)


def translate_many(
    translator: Translator,
    texts: Iterable[str],
    decoding: Decoding | None = None,
    *,
    window: int = WINDOW,
) -> Iterator[TranslatedLine]:
    """Translate texts and yield one line for each, in their order.

    Of each `window` texts, those of equal length are searched together. A text that is empty, too
    long or otherwise refused has its error in its line, and the others go on.

    Raises
    ------
    ModelError
        If the model cannot search.
    TypeError
        If a text is no str.
    """
    translator.need("search", "teacher-forcing")
    remaining = iter(texts)
    first = 1
    while ahead := list(islice(remaining, window)):
        yield from _translated(translator, ahead, decoding or Decoding(), first)
        first += len(ahead)


def _translated(
    translator: Translator, texts: Sequence[str], decoding: Decoding, first: int
) -> list[TranslatedLine]:
    """Translate the texts of a window, which count from `first`."""
    lines: dict[int, TranslatedLine] = {}
    by_length: dict[int, list[tuple[int, Any]]] = defaultdict(list)
    for number, text in enumerate(texts, start=first):
        expect("the text", text, str)
        try:
            src = translator.source_of(text, "sentence")
        except ModelError as error:
            lines[number] = TranslatedLine(number, text, error=error)
        else:
            by_length[len(src)].append((number, src))
    for group in by_length.values():
        for items in in_batches(len(group), decoding.beam_size, MOST_ROWS):
            numbers, sources = zip(*(group[item] for item in items), strict=True)
            for number, line in zip(numbers, _batch(translator, sources, decoding), strict=True):
                lines[number] = replace(line, line=number, source=texts[number - first])
    return [lines[number] for number in sorted(lines)]


@torch.inference_mode()
def _batch(
    translator: Translator, sources: Sequence[Any], decoding: Decoding
) -> Iterator[TranslatedLine]:
    """Yield the translations of sources of one length, without number and text."""
    src = torch.cat([translator.input_of(source) for source in sources])
    trees = batched_beam_search(
        translator.model,
        src,
        translator.limited(decoding, sources[0], len(translator.forced)),
        prefix=translator.forced,
        token_of=translator.tokenizer.token_of,
    )
    best = [tree.hypothesis(tree.best) for tree in trees]
    outputs = [translator.tokenizer.decode(hypothesis.ids) for hypothesis in best]
    shares = _end_shares(translator, src, sources[0], outputs)
    for hypothesis, output, share in zip(best, outputs, shares, strict=True):
        yield TranslatedLine(
            line=0,
            source="",
            output=output.text,
            log_prob=hypothesis.cum_log_prob,
            score=hypothesis.score,
            tokens=output.tokens,
            log_probs=np.array(hypothesis.log_probs, dtype=np.float32),
            end_share=share,
        )


def _end_shares(
    translator: Translator, src: torch.Tensor, source: Source, outputs: Sequence[TokenSequence]
) -> list[float | None]:
    """Return the `end_share` of each output, from teacher-forced passes over the batch.

    `source` stands for all sources, whose special tokens have the same positions.
    """
    site = next((s for s in translator.sites if (s.query, s.key) == ("target", "source")), None)
    special = list(is_special(source.tokens))
    if site is None or not any(special):
        return [None] * len(outputs)
    read = [read_ids(translator.model.config, output.ids) for output in outputs]
    shares: list[float | None] = []
    size = max(map(len, read)) * translator.vocab_size
    for items in in_batches(len(read), size, MOST_LOGITS):
        ids, _ = padded(translator.model, [read[item] for item in items])
        with capture_attention(translator.model) as captured:
            translator.model(src[items], ids)
        weights = captured.weights(site.name)[..., special].sum(axis=-1)  # (B, L, H, T_q)
        shares += [
            float(of_item[..., : len(read[item])].mean())
            for item, of_item in zip(items, weights, strict=True)
        ]
    return shares
