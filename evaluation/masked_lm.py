"""Measure how well a masked language model predicts words, resolves "it" and makes verbs agree.

Everything is measured twice: with bidirectional context, and with left context only, for which the
model was never trained (`model.readers.masked_words`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from tqdm import tqdm

from core.bootstrap import bootstrap, mean, one_each
from core.measurements import MASKED
from model import MaskedReader
from model.io.checkpoint import load_checkpoint
from model.readers.masked_words import SIDES
from training.corpora.agreement import CONSTRUCTIONS, UNTRAINED, AgreementSentence, generate
from training.corpora.coreference import generate_held_out
from training.corpora.pairs import set_pairs, spread_out
from training.corpora.text_pairs import CoreferencePair
from training.files import (
    DOCS,
    OBJECTS,
    SHARE_DIGITS,
    drawn_values,
    interval_values,
    number,
    write_between,
)
from training.objectives.batching import pad
from training.objectives.masking import mask_pieces

from .antecedent_heads import chosen_head, encoder_margins
from .attention_links import share
from .measured_sets import HELD_OUT_PAIRS, HELD_OUT_SEED
from .measurement import Measurement, ResultPart
from .templating import rendered

SENTENCES = 1000
"""Number of sentences of each set."""
AGREEMENTS = 600
UNTRAINED_AGREEMENTS = 1200
SEED = 7
BATCH = 32
VERBS = (("is", "are"), ("was", "were"), ("has", "have"), ("does", "do"))
"""Forms between which the model has to choose in sentences that people wrote."""


class MaskedMeasurement(Measurement):
    name = "masked"
    file_kind = MASKED
    on_a_line = (OBJECTS,)

    @staticmethod
    def load(name: str) -> MaskedReader:
        """Load a masked language model.

        Raises ModelError if the checkpoint does not guess words.
        """
        reader = MaskedReader(load_checkpoint(name))
        reader.need("masked-words")
        return reader

    def parts(self) -> Iterator[ResultPart]:
        reader = self.of
        tokenizer = self.of.tokenizers["source"]
        texts = {
            entry["folder"]: written(reader, self.data, entry, self.limit or SENTENCES)
            for entry in self.sources["sets"]
        }
        agreements = [
            sentence
            for constructions, n in (
                (CONSTRUCTIONS, AGREEMENTS),
                (UNTRAINED, UNTRAINED_AGREEMENTS),
            )
            for sentence in generate(
                self.limit or n, seed=SEED, held_out=True, constructions=constructions
            )
        ]
        pairs = generate_held_out(self.limit or HELD_OUT_PAIRS, seed=HELD_OUT_SEED)
        every = [text for rows in texts.values() for text in rows]
        for folder, rows in texts.items():
            yield ResultPart(("sets", folder), partial(guessed, reader.model, tokenizer, rows))
        yield ResultPart(("it",), partial(it_head, reader, pairs))
        for construction in (*CONSTRUCTIONS, *UNTRAINED):
            sentences = [one for one in agreements if one.construction == construction]
            yield ResultPart(("agreement", construction), partial(agreeing, reader, sentences))
        yield ResultPart(("verbs",), partial(verbs, reader, every, self.limit))

    @classmethod
    def report(cls, result: Mapping[str, Any]) -> str:
        """Return the tables as Markdown."""
        forms = ", ".join("/".join(forms) for forms in VERBS)
        return rendered("masked.md.j2", result=result, verbs=forms)

    def publish(self, folder: Path, result: Mapping[str, Any]) -> None:
        super().publish(folder, result)
        page = DOCS / "masked.md"
        # Only the shipped model has a page; others are printed.
        if folder.name == "masked-lm" and page.exists():
            write_between(page, self.report(result))


def written(reader: MaskedReader, data: Path, entry: dict[str, Any], most: int) -> list[str]:
    """Return distinct validation sentences of a set that fit the model, at most `most`."""
    texts = dict.fromkeys(pair.source for pair in set_pairs(data, entry, "val"))
    return spread_out(
        [text for text in texts if len(reader.tokenize(text)) <= reader.max_source_len], most
    )


# -- words that people wrote ----------------------------------------------------------------


@torch.inference_mode()
def guessed(model: Any, tokenizer: Any, texts: Sequence[str]) -> dict[str, Any]:
    """Measure how well hidden pieces are guessed, the same ones from both sides and from the left.

    About 15 % of every sentence are hidden, all by ``[MASK]``, drawn by a seed.

    ``pieces``; for each of `SIDES` the share whose likeliest piece is right, with its interval (95
    %, bootstrap over sentences), and the ``perplexity``; ``gain``: share from both sides minus
    share from the left, with its interval.
    """
    generator = torch.Generator().manual_seed(SEED)
    config = model.config
    # Sorted by length: batches of equal length need hardly any padding.
    rows = sorted(tokenizer.encode_batch(texts), key=len)
    parts: dict[str, list[np.ndarray]] = {side: [] for side in SIDES}
    for first in range(0, len(rows), BATCH):
        ids = pad(rows[first : first + BATCH], config.pad_id)
        # Chosen as in training, but always shown as [MASK].
        _, chosen = mask_pieces(ids, config, generator)
        masked_ids = ids.masked_fill(chosen, config.mask_id)
        for side, left_only in SIDES.items():
            hidden = model.hidden(masked_ids, left_only=left_only)
            parts[side].append(_guess_sums(model.logits(hidden[chosen]), ids, chosen))
    sums = {side: np.concatenate(batches) for side, batches in parts.items()}
    # A short sentence may have nothing hidden: it says nothing, with either context.
    sums = {side: rows[rows[:, 2] > 0] for side, rows in sums.items()}
    of = {
        side: drawn_values(rows[:, [0, 2]], mean, SHARE_DIGITS)
        | {"perplexity": number(math.exp(-rows[:, 1].sum() / rows[:, 2].sum()))}
        for side, rows in sums.items()
    }
    right, left = (sums[side][:, [0, 2]] for side in SIDES)
    # Paired: both sides of one sentence are drawn together.
    gain = bootstrap(np.hstack([right, left]), lambda s: mean(s[..., :2]) - mean(s[..., 2:]))
    return {"pieces": int(right[:, 1].sum()), **of, "gain": interval_values(gain, SHARE_DIGITS)}


def _guess_sums(logits: torch.Tensor, ids: torch.Tensor, chosen: torch.Tensor) -> np.ndarray:
    """Return for every sentence the right guesses, log p of all hidden pieces and their number.

    float64 array (B, 3), sums over positions.
    """
    targets = ids[chosen]
    log_probs = logits.log_softmax(dim=-1)
    # Zero at pieces that are not hidden, so that a plain sum over positions counts the rest.
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
    """Find the head that tells the antecedent of "it" from the other noun.

    As `evaluation.antecedent_heads.head_links` for an encoder: weight from the pieces of "it" on
    the antecedent minus the other noun, while the whole sentence is read. The head is chosen on
    every second pair of sentences and measured on the others.

    ``margin`` with ``margin_low`` and ``margin_high`` (95 %, bootstrap over pairs); ``first`` and
    ``second``: the margin in either half, whose right answer is one noun or the other; ``right``:
    share of ``sentences`` in which the antecedent gets more weight.
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
    # The halves of a pair share all words but one, so pairs are drawn, not sentences.
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


class VerbQuestion(NamedTuple):
    """A text with a verb to choose: its characters, and its form there beside the other form."""

    text: str
    span: tuple[int, int]
    forms: tuple[str, str]


def agreeing(reader: MaskedReader, sentences: Sequence[AgreementSentence]) -> dict[str, Any]:
    """Return how often the form that agrees is likelier than the other at the masked verb.

    Over all sentences, and over those with a ``singular`` and a ``plural`` subject, for both
    `SIDES`.
    """
    questions = [
        VerbQuestion(sentence.text, sentence.verb, (sentence.right, sentence.wrong))
        for sentence in sentences
    ]
    right = _chosen(reader, questions)
    plural = np.array([sentence.plural for sentence in sentences])
    numbers = {"singular": right[~plural], "plural": right[plural]}
    return _shares(right) | {name: _shares(rows) for name, rows in numbers.items()}


def verbs(reader: MaskedReader, texts: Sequence[str], limit: int | None) -> dict[str, Any]:
    """Measure the same for `VERBS` in sentences by people, each verb masked alone."""
    other = {form: forms[1 - i] for forms in VERBS for i, form in enumerate(forms)}
    questions: list[VerbQuestion] = []
    for text in texts:
        begin = 0
        # Nothing stands to the left of the first word, so one side could only guess.
        for word in text.split(" "):
            span = (begin, begin + len(word))
            if word in other and begin:
                questions.append(VerbQuestion(text, span, (word, other[word])))
            begin = span[1] + 1
    return _shares(_chosen(reader, spread_out(questions, limit or SENTENCES)))


def _chosen(reader: MaskedReader, questions: Sequence[VerbQuestion]) -> np.ndarray:
    """Return if the form in the text is likelier than the other one, bool (texts, 2).

    Columns are in the order of `SIDES`. Raises ValueError if the vocabulary cuts a form in two.
    """
    likelier = np.zeros((len(questions), len(SIDES)), dtype=bool)
    for at, question in enumerate(tqdm(questions, desc="verbs", unit="sentence")):
        src = reader.sentence(question.text)
        position = src.pieces_at(*question.span)[0]
        for side, left_only in enumerate(SIDES.values()):
            right, wrong = reader.choose(src, position, question.forms, left_only=left_only)
            if math.isnan(right) or math.isnan(wrong):
                raise ValueError(f"{question.forms} are not single tokens")
            likelier[at, side] = right > wrong
    return likelier


def _shares(right: np.ndarray) -> dict[str, Any]:
    n = len(right)
    return {
        side: share(int(column.sum()), n) | {"sentences": n}
        for side, column in zip(SIDES, right.T, strict=True)
    }
