"""Translation of many sentences, in batches of equal length, and what is measured on each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np
import torch

from core.records.attention import AttentionMap
from core.records.search import Decoding
from core.records.sources import Source, TokenSequence
from core.roles import RoleNames, SeenRoles, measured_roles, seen_roles
from core.weights.groups import is_special

from .errors import ModelError, expect
from .hooks.capture import capture_attention
from .lines import WINDOW, TranslatedLine
from .nets.attention import causal_mask
from .readers.experiment import experiment
from .readers.translator import Translator
from .search.batched import batched_beam_search
from .teacher_forcing import MOST_LOGITS, in_batches, padded, read_ids

MOST_ROWS = 160
"""Hypotheses of a batch; more of them are no faster on a processor."""
Progress = Callable[[float], None]
"""Called with the fraction that is done, 0 to 1."""


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
        lines = _translated(translator, ahead, decoding or Decoding(), first)
        # Batches come by length, but the caller wants the order of the texts.
        yield from sorted(lines, key=lambda line: line.line)
        first += len(ahead)


@experiment("search", "teacher-forcing", slow=True)
def translate_table(
    translator: Translator,
    texts: Sequence[str],
    decoding: Decoding | None = None,
    *,
    progress: Progress | None = None,
) -> tuple[TranslatedLine, ...]:
    """Translate texts as `translate_many` does, and tell the progress after each batch."""
    lines = []
    for line in _translated(translator, texts, decoding or Decoding(), 1):
        lines.append(line)
        if progress is not None:
            progress(len(lines) / len(texts))
    return tuple(sorted(lines, key=lambda line: line.line))


@experiment("teacher-forcing", slow=True)
def force_table(
    translator: Translator,
    pairs: Sequence[tuple[str, str]],
    *,
    progress: Progress | None = None,
) -> tuple[TranslatedLine, ...]:
    """Read given targets instead of searching: one line for each pair, with the target as output.

    The score of a line is its log-probability, without a length penalty. A pair that the model
    refuses has its error in its line.
    """
    roles = _roles_of(translator)
    lines = []
    for number, (source, target) in enumerate(pairs, start=1):
        try:
            record, log_probs = translator.read_pair(source, target)
        except ModelError as error:
            lines.append(TranslatedLine(number, source, error=error))
        else:
            line = TranslatedLine(number, source, target, float(log_probs.sum()))
            lines.append(
                replace(
                    line,
                    score=line.log_prob,
                    tokens=record.tgt.tokens if record.tgt else (),
                    log_probs=log_probs,
                    end_share=_end_share(record.maps),
                    roles=_seen(record.maps, roles),
                )
            )
        if progress is not None:
            progress(number / len(pairs))
    return tuple(lines)


def _roles_of(translator: Translator) -> RoleNames | None:
    """Return the measured roles of the heads; None if there are none."""
    measured = translator.card.roles
    return None if measured is None else measured_roles(measured, translator.sites)


def _translated(
    translator: Translator, texts: Sequence[str], decoding: Decoding, first: int
) -> Iterator[TranslatedLine]:
    """Yield the translations of texts, which count from `first`, in the order of their batches."""
    # Sources of equal length need no padding, which every step would have to mask; pictures of one
    # size may have another number of rows.
    by_length: dict[tuple[Any, ...], list[tuple[int, Any]]] = defaultdict(list)
    for number, text in enumerate(texts, start=first):
        expect("the text", text, str)
        try:
            src = translator.source_of(text, "sentence")
        except ModelError as error:
            yield TranslatedLine(number, text, error=error)
        else:
            by_length[len(src), getattr(src, "shape", None)].append((number, src))
    roles = _roles_of(translator)
    for group in by_length.values():
        # A batch is limited by its hypotheses, of which each text has as many as the beam is wide.
        for items in in_batches(len(group), decoding.beam_size, MOST_ROWS):
            numbers, sources = zip(*(group[item] for item in items), strict=True)
            lines = _batch(translator, sources, decoding, roles)
            for number, line in zip(numbers, lines, strict=True):
                yield replace(line, line=number, source=texts[number - first])


@torch.inference_mode()
def _batch(
    translator: Translator, sources: Sequence[Any], decoding: Decoding, roles: RoleNames | None
) -> list[TranslatedLine]:
    """Return the translations of sources of one length, without number and text."""
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
    maps = _maps(translator, src, sources, outputs, roles)
    return [
        TranslatedLine(
            # `_translated` knows the number and the text, and sets both.
            line=0,
            source="",
            output=output.text,
            log_prob=hypothesis.cum_log_prob,
            score=hypothesis.score,
            tokens=output.tokens,
            log_probs=np.array(hypothesis.log_probs, dtype=np.float32),
            end_share=_end_share(of_item),
            roles=_seen(of_item, roles),
        )
        for hypothesis, output, of_item in zip(best, outputs, maps, strict=True)
    ]


def _maps(
    translator: Translator,
    src: torch.Tensor,
    sources: Sequence[Source],
    outputs: Sequence[TokenSequence],
    roles: RoleNames | None,
) -> Iterator[tuple[AttentionMap, ...]]:
    """Yield the maps of each item that its numbers need, from teacher-forced passes of batches."""
    needed = [
        site
        for site in translator.sites
        if {site.query, site.key} <= {"source", "target"}
        and (site.name in (roles or {}) or (site.query, site.key) == ("target", "source"))
    ]
    if not needed:
        yield from ((),) * len(outputs)
        return
    read = [read_ids(translator.model.config, output.ids) for output in outputs]
    # The logits of a pass take far more memory than its weights.
    size = max(map(len, read)) * translator.vocab_size
    for items in in_batches(len(read), size, MOST_LOGITS):
        ids, _ = padded(translator.model, [read[item] for item in items])
        with capture_attention(translator.model) as captured:
            translator.model(src[items], ids)
        weights = {site.name: captured.weights(site.name) for site in needed}  # (B, L, H, T_q, T_k)
        for row, item in enumerate(items):
            start = translator.tokenizer.token_of(read[item][0])
            tokens = {
                "source": sources[item].tokens,
                "target": (start, *outputs[item].tokens[:-1]),
            }
            maps = []
            for site in needed:
                queries = tokens[site.query]
                keys = tokens[site.key]
                mask: Any = causal_mask(len(queries)).numpy() if site.causal else None
                # Shorter outputs of the batch are padded at their end.
                of_item = weights[site.name][row, :, :, : len(queries), : len(keys)]
                maps.append(AttentionMap(site, of_item, queries, keys, mask=mask))
            yield tuple(maps)


def _end_share(maps: Sequence[AttentionMap]) -> float | None:
    """Return the `end_share` of a line from its maps."""
    across = next((m for m in maps if (m.site.query, m.site.key) == ("target", "source")), None)
    if across is None or not any(special := is_special(across.key_tokens)):
        return None
    return float(across.weights[..., list(special)].sum(axis=-1).mean())


def _seen(maps: Sequence[AttentionMap], roles: RoleNames | None) -> SeenRoles | None:
    """Return the `roles` of a line from its maps."""
    return None if roles is None else seen_roles(maps, roles)
