"""Measurements of one system of the lineage: texts, probabilities, translations, pointing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from tqdm import tqdm

from core.bootstrap import bleu, mean, perplexity
from core.gaze import pointed_at
from core.records.attention import CROSS
from model import Translator
from model.families.stepwise import Stepwise
from model.io.assembly import LoadedCheckpoint
from model.teacher_forcing import read_ids, tensor_of, token_log_probs
from model.tokenizer import TextTokenizer
from training.corpora.coreference import generate_held_out
from training.corpora.pairs import read_pairs, spread_out
from training.corpora.text_pairs import CoreferencePair, TextPair
from training.cost import BEAM
from training.files import drawn_values
from training.generated_sets import joined
from training.objectives.batching import pad

from .attention_links import (
    LinkedPair,
    head_of,
    linked,
    of_maps,
    right_maps,
    share,
    uniform_share,
    word_links,
)
from .bleu import bleu_row, corpus_bleu
from .measured_sets import BLEU_SETS, HELD_OUT_SEED

SETS = ("captions", "everyday", "generated", "joined")
EVERYDAY = 500
GENERATED = 400
CHOOSING = 200
"""Generated pairs on which the head that points is chosen."""
JOINED = 40
"""Joined texts of each number of captions."""
FEWEST = 2
MOST = 6
"""Largest number of captions in a joined text."""
SEEN = 4
"""Largest number of captions that training texts join."""
ROOM = 10  # tokens by which an output may exceed the longest text
# Three seeds: heads must not be chosen on the pairs that they are measured on.
CHOOSING_SEED = 8
JOINED_SEED = 5
WORDS = (7, 9, 11, 13, 16, math.inf)
"""Bounds of the groups of captions, in words: up to 7, up to 9 ..."""
STRETCH = 10  # tokens whose log p is averaged together
FEWEST_TEXTS = 15  # below this a point of a curve is left out
BATCH = 16

Rows = list[list[float]]


@dataclass(frozen=True)
class LineageTexts:
    """Texts that all systems are measured on; `n_joined` counts the captions of joined ones."""

    captions: tuple[TextPair, ...]
    everyday: tuple[TextPair, ...]
    generated: tuple[TextPair, ...]
    joined: tuple[TextPair, ...]
    n_joined: tuple[int, ...]
    choosing: tuple[CoreferencePair, ...]

    @property
    def links(self) -> tuple[CoreferencePair, ...]:
        """The generated pairs with their spans, as `word_links` needs them."""
        return tuple(pair.link for pair in self.generated if pair.link is not None)

    def of(self, name: str) -> tuple[TextPair, ...]:
        return getattr(self, name)


def texts_for(
    data: Path, tokenizer: TextTokenizer, max_len: int, limit: int | None = None
) -> LineageTexts:
    """Return the sets; joined texts beyond `max_len` tokens are replaced by others.

    Raises CorpusError if a set is missing or damaged.
    """
    captions = list(read_pairs(data / BLEU_SETS["multi30k_test_2016_flickr"]))
    everyday = list(read_pairs(data / BLEU_SETS["tatoeba_val"]))
    generated = generate_held_out(GENERATED // 2, seed=HELD_OUT_SEED)
    measured_sources = {pair.source for pair in generated}
    choosing = generate_held_out(CHOOSING // 2, seed=CHOOSING_SEED)
    texts: list[TextPair] = []
    numbers: list[int] = []
    for n in range(FEWEST, MOST + 1):
        # Twice as many as needed, since too long ones drop out.
        drawn = joined(captions, 2 * JOINED, n, n, f"{JOINED_SEED} {n}")
        fitting = [
            pair
            for pair in drawn
            if max(len(tokenizer.encode(text)) for text in (pair.source, pair.target)) + ROOM
            <= max_len
        ][: min(JOINED, limit or JOINED)]
        texts += fitting
        numbers += [n] * len(fitting)
    return LineageTexts(
        tuple(captions[:limit]),
        tuple(spread_out(everyday, EVERYDAY)[:limit]),
        tuple(TextPair(p.source, p.target, p) for p in generated[:limit]),
        tuple(texts),
        tuple(numbers),
        # Two seeds can draw the same sentence; heads must be chosen on other ones.
        tuple(pair for pair in choosing if pair.source not in measured_sources)[:limit],
    )


# -- probabilities ---------------------------------------------------------------------------


@torch.inference_mode()
def log_probs_of(
    model: nn.Module, tokenizer: TextTokenizer, pairs: Sequence[TextPair]
) -> list[Tensor]:
    """Return natural log p of each token of each target, ``</s>`` included, teacher-forced."""
    sources = tokenizer.encode_batch([pair.source for pair in pairs])
    targets = tokenizer.encode_batch([pair.target for pair in pairs])
    # Sorted by length, so that batches need little padding.
    order = sorted(range(len(pairs)), key=lambda i: (len(sources[i]), len(targets[i])))
    log_probs: dict[int, Tensor] = {}
    for first in range(0, len(order), BATCH):
        chosen = order[first : first + BATCH]
        src = pad([sources[i] for i in chosen], model.config.pad_id)
        read = pad([read_ids(model.config, targets[i]) for i in chosen], model.config.pad_id)
        logits = model(src, read)
        for row, i in enumerate(chosen):
            # Padding stands at the end, and no target token looks ahead to it.
            log_probs[i] = token_log_probs(logits[row, : len(targets[i])], targets[i])
    return [log_probs[i] for i in range(len(pairs))]


def probabilities(checkpoint: LoadedCheckpoint, sets: LineageTexts) -> dict[str, Any]:
    """Return perplexity per token of every set, and log p by position in joined texts."""
    result: dict[str, Any] = {}
    rows: dict[str, Rows] = {}
    for name in tqdm(SETS, desc="perplexity", unit="set"):
        texts = log_probs_of(checkpoint.model, checkpoint.tokenizer, sets.of(name))
        rows[name] = [[round(float(text.sum()), 4), len(text)] for text in texts]
        result[name] = drawn_values(rows[name], perplexity)
        if name == "joined":
            curve = by_position([text.numpy() for text in texts])
    return {"perplexity": result, "places": curve, "rows": rows}


def by_position(texts: Sequence[np.ndarray]) -> list[dict[str, Any]]:
    """Return mean log p of each stretch of `STRETCH` tokens, over texts that reach its end."""
    curve = []
    for first in range(0, max(map(len, texts), default=0), STRETCH):
        last = first + STRETCH
        # Only whole stretches: texts that end inside one would mix in their last tokens.
        rows = np.array([[text[first:last].sum(), STRETCH] for text in texts if len(text) >= last])
        if len(rows) >= FEWEST_TEXTS:
            interval = drawn_values(rows, mean)
            curve.append({"from": first + 1, "to": last, "texts": len(rows)} | interval)
    return curve


# -- translations ----------------------------------------------------------------------------


def translations(checkpoint: LoadedCheckpoint, sets: LineageTexts, name: str) -> dict[str, Any]:
    """Return BLEU of one set (beam 5, alpha 0.6), and by length for captions and joined texts."""
    translator = Translator(checkpoint)
    pairs = sets.of(name)
    texts = [
        translated(translator, checkpoint.tokenizer, pair.source)
        for pair in tqdm(pairs, desc=name, unit="text")
    ]
    rows = [bleu_row(text, pair.target) for text, pair in zip(texts, pairs, strict=True)]
    _, signature = corpus_bleu(texts, [pair.target for pair in pairs])
    interval = drawn_values(rows, bleu, 2)
    result = {
        "bleu": interval | {"sentences": len(pairs), "signature": signature},
        "rows": rows,
    }
    words = [len(pair.source.split()) for pair in pairs]
    if name == "captions":
        groups = [sum(n > most for most in WORDS) for n in words]
        result["lengths"] = by_length(groups, words, rows)
    elif name == "joined":
        result["lengths"] = by_length(sets.n_joined, words, rows)
    return result


def translated(translator: Translator, tokenizer: TextTokenizer, text: str) -> str:
    """Translate by the search alone, without the attention that a translation would gather."""
    tree = translator.search(text, BEAM)
    return tokenizer.decode(tree.hypothesis(tree.best).ids).text


def by_length(groups: Sequence[int], words: Sequence[int], rows: Rows) -> list[dict[str, Any]]:
    """Return BLEU of the sentences of each group, with the mean of their words."""
    curve = []
    for group in sorted(set(groups)):
        members = [i for i, number in enumerate(groups) if number == group]
        if len(members) >= FEWEST_TEXTS:
            interval = drawn_values([rows[i] for i in members], bleu, 2)
            length = round(float(np.mean([words[i] for i in members])), 1)
            curve.append({"group": group, "words": length, "sentences": len(members)} | interval)
    return curve


# -- where it points -------------------------------------------------------------------------


@torch.inference_mode()
def drops_of(model: nn.Module, pair: LinkedPair) -> np.ndarray:
    """Return the drop of log p of each target token without each source word, (T_tgt, words).

    The rest of the sentence keeps its positions. ``</s>`` is always read.
    """
    n_src = len(pair.src)
    n_words = len(pair.words)
    # True at pieces that are not read: none in row 0, then one word a row.
    unread = torch.zeros(n_words + 1, n_src, dtype=torch.bool)  # nothing, then each word
    for row, word in enumerate(pair.words[:-1], start=1):
        unread[row, list(word)] = True
    src = tensor_of(model, pair.src.ids).expand(n_words + 1, -1)
    # Recurrent decoders attend while they step; a Transformer encodes the source first.
    read = tensor_of(model, read_ids(model.config, pair.tgt.ids)).expand(n_words + 1, -1)
    if isinstance(model, Stepwise):
        hidden = model.decode_hidden(src, read, unread)
    else:
        hidden = model.decode_hidden(read, model.encode(src, unread), unread)
    log_probs = token_log_probs(model.logits(hidden), pair.tgt.ids)  # (1 + words, T_tgt)
    return (log_probs[0] - log_probs[1:]).T.numpy()


def right_drops(model: nn.Module, pair: LinkedPair) -> list[bool]:
    """Return for each link if the word whose absence costs most is the right one."""
    drops = drops_of(model, pair)
    # One column a word here, where maps have one a piece.
    single = tuple((word,) for word in range(len(pair.words)))
    return [int(pointed_at(drops, rows, single)) in right for rows, right in pair.links]


def pointing(checkpoint: LoadedCheckpoint, sets: LineageTexts) -> dict[str, Any]:
    """Return shares of linked words at which maps, and leave-one-out, point at the right word.

    The best of several maps is chosen on other pairs.
    """
    model = checkpoint.model
    tokenizer = checkpoint.tokenizer
    pairs = [generated_links(pair, tokenizer) for pair in sets.links]
    dropped = [right_drops(model, pair) for pair in tqdm(pairs, desc="leave-one-out", unit="pair")]
    counted = [right for links in dropped for right in links]
    result = {
        "pairs": len(pairs),
        "links": len(counted),
        "uniform": uniform_share(pairs),
        "left_out": share(sum(counted), len(counted)),
        "map": None,
        "maps": None,
        "rows": {"left_out": [sum(links) for links in dropped]},
    }
    # Systems without attention keep None: they have nothing but leave-one-out.
    if not any(site.name == CROSS.name for site in model.sites):
        return result
    maps = [right_maps(model, pair) for pair in tqdm(pairs, desc="attention maps", unit="pair")]
    others = [right_maps(model, generated_links(pair, tokenizer)) for pair in sets.choosing]
    result |= of_maps(maps, others)
    layer, head = head_of(result["map"])
    result["rows"]["map"] = [int(links[:, layer, head].sum()) for links in maps]
    return result


def generated_links(pair: CoreferencePair, tokenizer: TextTokenizer) -> LinkedPair:
    """Return a generated pair with the links that its grammar knows."""
    return linked(pair.source, pair.target, word_links(pair), tokenizer)
