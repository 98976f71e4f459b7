"""Batches of similar length under a token budget."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from model.tokenizer import TextTokenizer

from ..corpora.text_pairs import CorpusError, TextPair

_END_OF_CLAUSE = re.compile(r"[,.;!?]")


@dataclass(frozen=True)
class TrainingExample:
    """One pair as ids, each side ending in ``</s>``.

    `query` and `keys` are the pieces of "it" and of its antecedent in `src`, empty if unknown.
    `pronoun` holds the pieces of the German pronoun in `tgt`; `decision` is the same if two nouns
    compete for it, and `nouns` are the pieces of both nouns in `src`. `other` holds the ids of the
    other reading of `src` if it has the same length and its "it" in the same place. `predicate`
    then holds the pieces of `tgt` after the pronoun, up to the end of its clause.
    """

    src: list[int]
    tgt: list[int]
    query: tuple[int, ...] = ()
    keys: tuple[int, ...] = ()
    decision: tuple[int, ...] = ()
    nouns: tuple[int, ...] = ()
    pronoun: tuple[int, ...] = ()
    other: tuple[int, ...] = ()
    predicate: tuple[int, ...] = ()


@dataclass(frozen=True)
class Batch:
    """Padded ids of several examples.

    `src` (B, T_src); `tgt_in` (B, T_tgt) starts with ``<s>``; `tgt_out` (B, T_tgt) ends with
    ``</s>``. `links` holds (row, query pieces, key pieces) of sentences with a known antecedent;
    `nouns` (row, pieces of both nouns) of those with two nouns. `decisions` (B, T_tgt) is True at
    pronouns that two nouns compete for. `routes` holds the rows whose "it" and pronoun are known.
    """

    src: Tensor
    tgt_in: Tensor
    tgt_out: Tensor
    n_tokens: int
    links: tuple[tuple[int, tuple[int, ...], tuple[int, ...]], ...]
    decisions: Tensor
    nouns: tuple[tuple[int, tuple[int, ...]], ...] = ()
    routes: tuple[tuple[int, TrainingExample], ...] = ()

    def to(self, device: torch.device) -> Batch:
        """Return the batch with its ids on `device`."""
        return replace(
            self,
            src=self.src.to(device),
            tgt_in=self.tgt_in.to(device),
            tgt_out=self.tgt_out.to(device),
            decisions=self.decisions.to(device),
        )


def encode_pairs(
    pairs: Sequence[TextPair], tokenizer: TextTokenizer, max_len: int
) -> list[TrainingExample]:
    """Return the ids of all pairs except those beyond `max_len` or of very unequal length.

    Raises CorpusError if the vocabulary lacks the tag of a pair.
    """
    sources = tokenizer.encode_batch([p.source for p in pairs])
    targets = tokenizer.encode_batch([p.target for p in pairs])
    examples = []
    for pair, src, tgt in zip(pairs, sources, targets, strict=True):
        longer = max(len(src), len(tgt))
        shorter = min(len(src), len(tgt))
        # A side four times as long as the other is nearly always misaligned text.
        if longer > max_len or longer > 4 * shorter + 4:
            continue
        if pair.tag:
            src = [tag_id(pair.tag, tokenizer), *src]
        example = TrainingExample(src, tgt)
        examples.append(_with_link(example, pair, tokenizer) if pair.link else example)
    return examples


def _with_link(
    example: TrainingExample, pair: TextPair, tokenizer: TextTokenizer
) -> TrainingExample:
    """Return the example with the pieces that the link of its pair names."""
    link = pair.link
    assert link is not None
    source = tokenizer.encode(pair.source)
    target = tokenizer.encode(pair.target)
    query = source.pieces_at(*link.pronoun)
    pronoun = target.pieces_at(*link.target_pronoun)
    keys = () if link.antecedent is None else source.pieces_at(*link.antecedent)
    rival = () if link.distractor is None else source.pieces_at(*link.distractor)
    example = replace(
        example,
        query=query,
        keys=keys,
        pronoun=pronoun,
        decision=pronoun if link.distractor else (),
        nouns=(*keys, *rival) if link.distractor else (),
    )
    if not link.other_reading or link.other_pronoun is None:
        return example
    reading = tokenizer.encode(link.other_reading)
    # Memories are exchanged position by position, so both readings must have the same layout.
    same_layout = (
        len(reading.ids) == len(example.src) and reading.pieces_at(*link.other_pronoun) == query
    )
    if not same_layout:
        return example
    after_pronoun = link.target_pronoun[1]
    end_of_clause = _END_OF_CLAUSE.search(pair.target, after_pronoun)
    end = end_of_clause.start() if end_of_clause else len(pair.target)
    # Begins behind the space.
    predicate = target.pieces_at(after_pronoun + 1, end)
    return replace(example, other=reading.ids, predicate=predicate)


def tag_id(tag: str, tokenizer: TextTokenizer) -> int:
    """Return the id of a pair's tag.

    Raises CorpusError if the vocabulary lacks it.
    """
    token_id = tokenizer.id_of(tag)
    if token_id is None:
        raise CorpusError(f'the vocabulary lacks {tag!r}; name it under "tokenizer", "special"')
    return token_id


def repeated(examples: Sequence[TrainingExample], times: float, seed: str) -> list[TrainingExample]:
    """Return `times` copies of every example; a fraction of a copy is drawn at random by `seed`."""
    whole = int(times)
    drawn = random.Random(seed).sample(examples, round((times - whole) * len(examples)))
    return [*(list(examples) * whole), *drawn]


def plan_batches(examples: Sequence[TrainingExample], budget: int, seed: int) -> list[list[int]]:
    """Return the indices of examples, batch by batch, in random order.

    Every batch holds sentences of nearly one length and at most `budget` padded tokens on its
    longer side. The same seed gives the same plan, which makes resuming exact.
    """
    rng = random.Random(seed)
    order = list(range(len(examples)))
    # Shuffled before the stable sort, so that sentences of equal length mix anew in every epoch.
    rng.shuffle(order)
    order.sort(key=lambda i: (len(examples[i].src), len(examples[i].tgt)))
    batches: list[list[int]] = []
    batch: list[int] = []
    longest = 0
    for i in order:
        length = max(len(examples[i].src), len(examples[i].tgt))
        # Padding counts: the budget is rows times the longest row.
        if batch and (len(batch) + 1) * max(longest, length) > budget:
            batches.append(batch)
            batch = []
            longest = 0
        batch.append(i)
        longest = max(longest, length)
    if batch:
        batches.append(batch)
    rng.shuffle(batches)
    return batches


def pad(rows: Sequence[Sequence[int]], pad_id: int) -> Tensor:
    """Return rows as int64 Tensor (B, longest), filled with `pad_id` at the end."""
    longest = max(len(row) for row in rows)
    return torch.tensor([[*row, *[pad_id] * (longest - len(row))] for row in rows])


def make_batch(examples: Sequence[TrainingExample], pad_id: int, bos_id: int) -> Batch:
    """Return the padded batch of `examples`."""
    tgt_out = pad([e.tgt for e in examples], pad_id)
    decisions = torch.zeros(tgt_out.shape, dtype=torch.bool)
    for row, example in enumerate(examples):
        decisions[row, list(example.decision)] = True
    return Batch(
        src=pad([e.src for e in examples], pad_id),
        # Shifted right by one: position t reads the token before the one that it has to write.
        tgt_in=pad([[bos_id, *e.tgt[:-1]] for e in examples], pad_id),
        tgt_out=tgt_out,
        n_tokens=sum(len(e.tgt) for e in examples),
        links=tuple((i, e.query, e.keys) for i, e in enumerate(examples) if e.keys),
        decisions=decisions,
        nouns=tuple((i, e.nouns) for i, e in enumerate(examples) if e.nouns),
        routes=tuple((i, e) for i, e in enumerate(examples) if e.query and e.pronoun),
    )
