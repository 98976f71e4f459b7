"""How well a masked language model predicts natural text, resolves "it" and has verbs agree.

Everything is measured twice, with bidirectional context and with left context only, which the model
was never trained for (`model.masked_words`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tqdm import tqdm

from core.bootstrap import bootstrap, mean, one_each
from core.measurements import MASKED
from model import MaskedReader
from model.checkpoint import load_checkpoint
from model.masked_words import SIDES

from .agreement import KINDS, UNTRAINED, Agreement, generate
from .batching import pad
from .coreference import CoreferencePair, generate_held_out
from .corpus import set_pairs, spread_out
from .evaluate import HELD_OUT_PAIRS, HELD_OUT_SEED
from .heads import chosen_head, encoder_margins
from .masking import mask_pieces
from .measuring import Measurement, Part
from .pointing import share
from .rendered import rendered
from .storing import (
    DOCS,
    OBJECTS,
    SHARE_DIGITS,
    drawn_values,
    interval_values,
    number,
    write_between,
)

SENTENCES = 1000
"""Of each set."""
AGREEMENTS = 600
UNTRAINED_AGREEMENTS = 1200
SEED = 7
BATCH = 32
VERBS = (("is", "are"), ("was", "were"), ("has", "have"), ("does", "do"))
"""Forms of which a written sentence is asked for the one that stands there."""


class Masked(Measurement):
    name = "masked"
    kind = MASKED
    on_a_line = (OBJECTS,)

    @staticmethod
    def load(name: str) -> MaskedReader:
        """Raises ModelError where the checkpoint guesses no words."""
        reader = MaskedReader(load_checkpoint(name))
        reader.need("masked-words")
        return reader

    def parts(self) -> Iterator[Part]:
        reader, tokenizer = self.of, self.of.tokenizers["source"]
        texts = {
            entry["folder"]: written(reader, self.data, entry, self.limit or SENTENCES)
            for entry in self.sources["sets"]
        }
        agreements = [
            sentence
            for kinds, n in ((KINDS, AGREEMENTS), (UNTRAINED, UNTRAINED_AGREEMENTS))
            for sentence in generate(self.limit or n, seed=SEED, held_out=True, kinds=kinds)
        ]
        pairs = generate_held_out(self.limit or HELD_OUT_PAIRS, seed=HELD_OUT_SEED)
        every = [text for rows in texts.values() for text in rows]
        for folder, rows in texts.items():
            yield Part(("sets", folder), partial(guessed, reader.model, tokenizer, rows))
        yield Part(("it",), partial(it_head, reader, pairs))
        for kind in (*KINDS, *UNTRAINED):
            of_kind = [sentence for sentence in agreements if sentence.kind == kind]
            yield Part(("agreement", kind), partial(agreeing, reader, of_kind))
        yield Part(("verbs",), partial(verbs, reader, every, self.limit))

    @classmethod
    def report(cls, result: Mapping[str, Any]) -> str:
        """The tables as Markdown."""
        forms = ", ".join("/".join(forms) for forms in VERBS)
        return rendered("masked.md.j2", result=result, verbs=forms)

    def publish(self, folder: Path, result: Mapping[str, Any]) -> None:
        super().publish(folder, result)
        page = DOCS / "masked.md"
        if folder.name == "masked-lm" and page.exists():
            write_between(page, self.report(result))


def written(reader: MaskedReader, data: Path, entry: dict[str, Any], most: int) -> list[str]:
    """Different sentences of the validation part of a set that the model can take."""
    texts = dict.fromkeys(pair.source for pair in set_pairs(data, entry, "val"))
    return spread_out(
        [text for text in texts if len(reader.tokenize(text)) <= reader.max_source_len], most
    )


# -- words that people wrote ----------------------------------------------------------------


@torch.inference_mode()
def guessed(model: Any, tokenizer: Any, texts: Sequence[str]) -> dict[str, Any]:
    """How well hidden pieces are guessed, the same ones from both sides and from the left.

    Of every sentence about 15 % are hidden, all of them by ``[MASK]``, drawn by a seed.

    ``pieces``; for each of `SIDES` the share whose likeliest piece is right with its
    interval (95 %, bootstrap over sentences) and the ``perplexity``; ``gain``: share from both
    sides minus share from the left, with its interval.
    """
    generator = torch.Generator().manual_seed(SEED)
    config = model.config
    rows = sorted(tokenizer.encode_batch(texts), key=len)
    parts: dict[str, list[np.ndarray]] = {side: [] for side in SIDES}
    for first in range(0, len(rows), BATCH):
        ids = pad(rows[first : first + BATCH], config.pad_id)
        _, chosen = mask_pieces(ids, config, generator)
        shown = ids.masked_fill(chosen, config.mask_id)
        for side, left_only in SIDES.items():
            hidden = model.hidden(shown, left_only=left_only)
            parts[side].append(_guess_sums(model.logits(hidden[chosen]), ids, chosen))
    sums = {side: np.concatenate(batches) for side, batches in parts.items()}
    # Of a short sentence nothing may have been hidden: it says nothing, in either way of reading.
    sums = {side: rows[rows[:, 2] > 0] for side, rows in sums.items()}
    of = {
        side: drawn_values(rows[:, [0, 2]], mean, SHARE_DIGITS)
        | {"perplexity": number(math.exp(-rows[:, 1].sum() / rows[:, 2].sum()))}
        for side, rows in sums.items()
    }
    right, left = (sums[side][:, [0, 2]] for side in SIDES)
    gain = bootstrap(np.hstack([right, left]), lambda s: mean(s[..., :2]) - mean(s[..., 2:]))
    return {"pieces": int(right[:, 1].sum()), **of, "gain": interval_values(gain, SHARE_DIGITS)}


def _guess_sums(logits: torch.Tensor, ids: torch.Tensor, chosen: torch.Tensor) -> np.ndarray:
    """For every sentence (B, 3): pieces guessed right, log p of all that were hidden, how many."""
    targets, log_probs = ids[chosen], logits.log_softmax(dim=-1)
    values = torch.zeros((*ids.shape, 3), dtype=torch.float64)
    values[chosen] = torch.stack(
        [
            (log_probs.argmax(dim=-1) == targets).double(),
            log_probs.gather(1, targets[:, None])[:, 0].double(),
            torch.ones(len(targets), dtype=torch.float64),
        ],
        dim=-1,
    )
    return values.sum(dim=1).numpy()


# -- "it" -----------------------------------------------------------------------------------


def it_head(reader: MaskedReader, items: Sequence[CoreferencePair]) -> dict[str, Any]:
    """The head that tells the antecedent of "it" from the other noun.

    As `training.heads.head_links` for an encoder: from the pieces of "it", weight on the antecedent
    minus weight on the other noun, while the whole sentence is read. The head is chosen on every
    second pair of sentences and measured on the others.

    ``margin`` with ``margin_low`` and ``margin_high`` (95 %, bootstrap over pairs),
    ``first`` and ``second``: the margin in the sentences of either half, whose right answer is the
    one noun or the other; ``right``: share of ``sentences`` in which the antecedent gets more
    weight.
    """
    links: dict[str, dict[str, np.ndarray]] = {}
    for pair in tqdm(items, desc="it", unit="sentence"):
        record = reader.read(pair.source).attention
        links.setdefault(pair.pair_id, {})[pair.half] = encoder_margins(record, pair)
    halves = {
        half: np.array([both[half] for both in links.values()]) for half in ("first", "second")
    }  # (pairs, L, H)
    choosing, kept = ({half: margins[i::2] for half, margins in halves.items()} for i in (0, 1))
    layer, head = chosen_head(*(choosing[half].mean(axis=0) for half in halves))
    margins = np.stack([kept[half][:, layer, head] for half in halves], axis=1)
    interval = bootstrap(one_each(margins.mean(axis=1)), mean)
    right = share(int((margins > 0).sum()), margins.size)
    return {
        "sentences": margins.size,
        "layer": layer,
        "head": head,
        "margin": number(interval.value),
        "margin_low": number(interval.low),
        "margin_high": number(interval.high),
        **{half: number(float(kept[half][:, layer, head].mean())) for half in halves},
        "right": right,
    }


# -- agreement ------------------------------------------------------------------------------


def agreeing(reader: MaskedReader, sentences: Sequence[Agreement]) -> dict[str, Any]:
    """How often the form that agrees is likelier than the other at the masked verb.

    Of all sentences, of those with a ``singular`` subject and of those with a ``plural`` one, each
    from both `SIDES`.
    """
    asked = [
        (sentence.text, sentence.verb, (sentence.right, sentence.wrong)) for sentence in sentences
    ]
    right = _chosen(reader, asked)
    plural = np.array([sentence.plural for sentence in sentences])
    numbers = {"singular": right[~plural], "plural": right[plural]}
    return _shares(right) | {name: _shares(rows) for name, rows in numbers.items()}


def verbs(reader: MaskedReader, texts: Sequence[str], limit: int | None) -> dict[str, Any]:
    """The same of the `VERBS` of sentences that people wrote, each verb of them masked alone."""
    other = {form: forms[1 - i] for forms in VERBS for i, form in enumerate(forms)}
    asked: list[tuple[str, tuple[int, int], tuple[str, str]]] = []
    for text in texts:
        begin = 0
        for word in text.split(" "):
            span = (begin, begin + len(word))
            if word in other and begin:
                asked.append((text, span, (word, other[word])))
            begin = span[1] + 1
    return _shares(_chosen(reader, spread_out(asked, limit or SENTENCES)))


def _chosen(
    reader: MaskedReader, asked: Sequence[tuple[str, tuple[int, int], tuple[str, str]]]
) -> np.ndarray:
    """Of texts, the characters of a verb, and it and its other form: whether it is the likelier.

    bool array (texts, 2), in the order of `SIDES`.

    Raises ValueError where the vocabulary cuts a form in two.
    """
    likelier = np.zeros((len(asked), len(SIDES)), dtype=bool)
    for at, (text, span, words) in enumerate(tqdm(asked, desc="verbs", unit="sentence")):
        src = reader.sentence(text)
        position = src.pieces_at(*span)[0]
        for side, left_only in enumerate(SIDES.values()):
            right, wrong = reader.choose(src, position, words, left_only=left_only)
            if math.isnan(right) or math.isnan(wrong):
                raise ValueError(f"{words} are not single tokens")
            likelier[at, side] = right > wrong
    return likelier


def _shares(right: np.ndarray) -> dict[str, Any]:
    n = len(right)
    return {
        side: share(int(column.sum()), n) | {"sentences": n}
        for side, column in zip(SIDES, right.T, strict=True)
    }
