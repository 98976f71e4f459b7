"""Grow a trained checkpoint: more or other pieces, wider feed-forward layers.

`python -m training grow --checkpoint en-de --config training/configs/en-de-broad.json` writes the
``tokenizer.json`` and ``model.safetensors`` that the config's ``start_from`` names.
"""

from __future__ import annotations

import heapq
import itertools
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import safetensors.torch
import torch
from tokenizers import Tokenizer

from model.families.transformer import Transformer
from model.io.checkpoint import checkpoint_path, load_checkpoint
from model.special_tokens import SPECIAL_TOKENS
from model.tokenizer import build_tokenizer

from .corpora.pairs import repeats_of, training_pairs
from .corpora.text_pairs import TextPair
from .objectives.batching import repeated

RARE = 50
"""Occurrences from which a character joins the alphabet, if a config gives no ``rare``."""
PiecePair = tuple[str, str]
"""Two pieces that stand next to each other in a word."""


def count_words(texts: Iterable[str], tokenizer: Tokenizer) -> Counter[str]:
    """Count the pre-tokens of `texts`: a word with its ``▁``, a punctuation mark."""
    words: Counter[str] = Counter()
    for text in texts:
        text = tokenizer.normalizer.normalize_str(text)
        words.update(word for word, _ in tokenizer.pre_tokenizer.pre_tokenize_str(text))
    return words


def further_merges(
    words: dict[tuple[str, ...], int], vocabulary: set[str], n_merges: int
) -> list[PiecePair]:
    """Continue byte-pair merging (Sennrich et al. 2016) on words that are already cut into pieces.

    Returns at most `n_merges` merges, in their order. Pairs that occur once are not merged, nor
    those that spell a piece of the old `vocabulary`. `words`: the count of each distinct word, by
    its pieces.
    """
    counts = _PairCounts(words)
    # A heap with stale entries: counts change with every merge, and are checked when popped.
    heap = [(-n, pair) for pair, n in counts.pairs.items()]
    heapq.heapify(heap)
    merges: list[PiecePair] = []
    while heap and len(merges) < n_merges:
        negative, pair = heapq.heappop(heap)
        # Outdated: push the current count instead, if any is left.
        if counts.pairs[pair] != -negative:
            if counts.pairs[pair] > 0:
                heapq.heappush(heap, (-counts.pairs[pair], pair))
            continue
        if -negative < 2:
            break
        # An old piece is spelt by its old merge, which ranks before all new ones.
        if "".join(pair) in vocabulary:
            counts.pairs[pair] = 0
            continue
        merges.append(pair)
        for changed in counts.merge(pair):
            if counts.pairs[changed] > 0:
                heapq.heappush(heap, (-counts.pairs[changed], changed))
    return merges


class _PairCounts:
    """Counts of neighbouring pieces over words that are cut anew with every merge."""

    def __init__(self, words: dict[tuple[str, ...], int]) -> None:
        self.pairs: Counter[PiecePair] = Counter()
        self._words = [list(word) for word in words]
        self._counts = list(words.values())
        self._words_with: dict[PiecePair, set[int]] = defaultdict(set)
        for i, word in enumerate(self._words):
            for pair in itertools.pairwise(word):
                self.pairs[pair] += self._counts[i]
                self._words_with[pair].add(i)

    def merge(self, pair: PiecePair) -> set[PiecePair]:
        """Merge a pair in all words that hold it, and return the pairs whose counts changed."""
        changed: set[PiecePair] = set()
        for i in self._words_with.pop(pair):
            word = self._words[i]
            # Subtract all pairs of the word and add those of its new cut, instead of finding the
            # overlap.
            for old in itertools.pairwise(word):
                self.pairs[old] -= self._counts[i]
                changed.add(old)
            merged = _merged(word, pair)
            for new in itertools.pairwise(merged):
                self.pairs[new] += self._counts[i]
                self._words_with[new].add(i)
                changed.add(new)
            self._words[i] = merged
        return changed


def _merged(word: list[str], pair: tuple[str, str]) -> list[str]:
    """Replace each occurrence of `pair` in the pieces of a word by their concatenation."""
    joined: list[str] = []
    i = 0
    while i < len(word):
        if i + 1 < len(word) and (word[i], word[i + 1]) == pair:
            joined.append(word[i] + word[i + 1])
            i += 2
        else:
            joined.append(word[i])
            i += 1
    return joined


def extend_tokenizer(
    tokenizer: Tokenizer,
    texts: Iterable[str],
    vocab_size: int,
    special: Sequence[str] = (),
    *,
    rare: int = RARE,
) -> Tokenizer:
    """Return a vocabulary of `vocab_size` pieces that begins with the old pieces and their ids.

    The old merges keep their ranks and come first, so a word that no new merge touches is cut as
    before. Characters with at least `rare` occurrences join the alphabet, after `special` tokens.
    """
    counts = count_words(texts, tokenizer)
    # The library cannot extend a model in place: its JSON is edited and read again.
    spec = json.loads(tokenizer.to_str())
    vocabulary = spec["model"]["vocab"]
    merges = spec["model"]["merges"]
    for token in special:
        vocabulary.setdefault(token, len(vocabulary))
    for character in _frequent_characters(counts, rare):
        vocabulary.setdefault(character, len(vocabulary))
    words = _cut_words(counts, Tokenizer.from_str(json.dumps(spec)))
    for pair in further_merges(words, set(vocabulary), vocab_size - len(vocabulary)):
        merges.append(list(pair))
        vocabulary.setdefault("".join(pair), len(vocabulary))
    extended = Tokenizer.from_str(json.dumps(spec))
    extended.add_special_tokens(list(special))
    return extended


def _frequent_characters(words: Counter[str], least: int) -> list[str]:
    """Return the characters with at least `least` occurrences, most frequent first."""
    counts: Counter[str] = Counter()
    for word, n in words.items():
        for character in word:
            counts[character] += n
    # Ties are broken by the character, so that ids are the same on every machine.
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [character for character, n in ranked if n >= least]


def _cut_words(counts: Counter[str], tokenizer: Tokenizer) -> dict[tuple[str, ...], int]:
    """Return the pieces of every word that occurs twice and can still be merged, with its count."""
    words: dict[tuple[str, ...], int] = {}
    for word, n in counts.items():
        if n > 1 and len(word) > 1:
            pieces = tuple(token.value for token in tokenizer.model.tokenize(word))
            # Words with a character outside the alphabet would be merged around an unknown piece.
            if len(pieces) > 1 and "".join(pieces) == word:
                words[pieces] = n
    return words


def grow(model: Transformer, tokenizer: Tokenizer, other: Tokenizer, d_ff: int) -> Transformer:
    """Return the model over another vocabulary and with more feed-forward units.

    An old piece keeps its embedding. A new piece starts at the mean of the old pieces that spell it
    or, if there are none, at random with the spread of the old ones. New units read at random and
    write nothing yet: their columns of the outer weights are zero. So a text that both vocabularies
    cut alike is translated as before.
    """
    config = replace(model.config, vocab_size=other.get_vocab_size(), d_ff=d_ff)
    grown = Transformer(config)
    targets = dict(grown.named_parameters())
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            target = targets[name]
            # The only weights whose input side grows; all others grow along the first dimension.
            if name.endswith("outer.weight"):
                target.zero_()
                target[:, : parameter.shape[1]] = parameter
            # Rows beyond the old ones keep the random weights of a new model.
            elif name != "embedding.weight":
                target[: parameter.shape[0]] = parameter
        spread = float(model.embedding.weight.std())
        for piece_id in range(config.vocab_size):
            parts = _spelled_by(tokenizer, other.id_to_token(piece_id), model.config.unk_id)
            start = model.embedding.weight[parts].mean(dim=0) if parts else None
            grown.embedding.weight[piece_id] = (
                torch.randn(config.d_model) * spread if start is None else start
            )
    return grown


def _spelled_by(tokenizer: Tokenizer, piece: str, unk_id: int) -> list[int]:
    """Return the ids of the old pieces that spell `piece`: its own id if it is one of them."""
    piece_id = tokenizer.token_to_id(piece)
    if piece_id is not None:
        return [piece_id]
    return [token.id for token in tokenizer.model.tokenize(piece) if token.id != unk_id]


def grow_checkpoint(name: str, settings: dict[str, Any], data: Path, target: Path) -> Transformer:
    """Write the grown ``model.safetensors`` and ``tokenizer.json`` that a run starts from.

    `settings`: a training config, of which vocabulary, feed-forward width and sets are used.

    Raises CorpusError if a set is missing or damaged, CheckpointError if the checkpoint cannot be
    read.
    """
    checkpoint = load_checkpoint(name)
    tokenizer = Tokenizer.from_file(str(checkpoint_path(name) / "tokenizer.json"))
    sets = training_pairs(data, settings["data"])
    other = _vocabulary(tokenizer, sets, settings)
    # New embeddings and units are random: seeded, so that the file can be made again.
    torch.manual_seed(settings["training"]["seed"])
    grown = grow(checkpoint.model, tokenizer, other, settings["model"]["d_ff"])
    target.mkdir(parents=True, exist_ok=True)
    other.save(str(target / "tokenizer.json"))
    tensors = {n: p.detach() for n, p in grown.named_parameters()}
    safetensors.torch.save_file(tensors, target / "model.safetensors")
    return grown


def _vocabulary(
    tokenizer: Tokenizer, sets: dict[str, list[TextPair]], settings: dict[str, Any]
) -> Tokenizer:
    """Return the old vocabulary, extended, or one learnt anew if the config says ``"anew"``.

    A new vocabulary is learnt from each set as often as the first epoch repeats it: a large set
    with a small share of the training should not decide how words are cut.
    """
    wanted = settings["tokenizer"]
    special = wanted.get("special", ())
    if not wanted.get("anew"):
        texts = (text for pairs in sets.values() for p in pairs for text in (p.source, p.target))
        rare = wanted.get("rare", RARE)
        return extend_tokenizer(tokenizer, texts, wanted["vocab_size"], special, rare=rare)
    times = repeats_of(settings["data"], epoch=0)
    read = [repeated(pairs, times[name], f"vocabulary {name}") for name, pairs in sets.items()]
    texts = (text for pairs in read for p in pairs for text in (p.source, p.target))
    learnt = build_tokenizer(
        texts, wanted["vocab_size"], (*SPECIAL_TOKENS, *special), alphabet=wanted["alphabet"]
    )
    return Tokenizer.from_str(learnt.spec)
