"""Text in, records out: the one class that pages and scripts talk to."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from core.attention import AttentionRecord
from core.intervention import Intervention
from core.measurements import PROOFS
from core.runs import Translation
from core.search import BeamTree, Decoding, SearchVerdict
from core.sources import GridSource
from core.tokens import TokenSequence
from words import Message

from .capture import Hooks, capture_attention, listening
from .check import false_claims, proofs_of
from .documents import DocumentReader
from .errors import CheckpointError, expect
from .experiments import experiment
from .masked_words import MaskedReader
from .opening import load
from .read import maps_of, read_ids, sides_of, tensor_of, token_log_probs
from .reader import Reader
from .registry import is_own
from .verdict import search_verdict
from .writer import Writer


class Translator(Writer):
    """A loaded checkpoint that writes a text and shows what it looked at. What its family does not
    offer (`capabilities`) is refused with a `ModelError`. Nothing is remembered between calls, so
    one instance serves any number of threads.

    Texts that are empty or longer than the model takes raise an InputError, an intervention that
    fits neither the model nor the texts an InterventionError."""

    @experiment("search", "teacher-forcing")
    def translate(
        self,
        text: str,
        decoding: Decoding | None = None,
        *,
        intervention: Intervention | None = None,
        prefix: str = "",
        stop: Callable[[], bool] | None = None,
    ) -> Translation:
        """Search for a translation that begins with `prefix`, under an intervention or not, and
        capture the attention behind it. The prefix's last word may be half typed, unless a space or
        punctuation follows it: then it is whole (see `model.prefix.read_prefix`). `stop`, asked
        before every step, ends the search with what there is. InputError, too, where the prefix
        leaves no room for more, or holds characters that the vocabulary lacks."""
        began = time.perf_counter()
        src = self.source_of(text, "sentence")
        begun = self._read_prefix(prefix)
        tree = self._search(src, decoding or Decoding(), begun, stop, intervention)
        searched = time.perf_counter()
        best = tree.hypothesis(tree.best)
        tgt = self.tokenizer.decode(best.ids)
        attention, _ = self.read_again(src, tgt, intervention, scores=True)
        return Translation(
            src=src,
            tgt=tgt,
            log_probs=np.array(best.log_probs, dtype=np.float32),
            score=best.score,
            attention=attention,
            tree=tree,
            seconds=time.perf_counter() - began,
            search_seconds=searched - began,
        )

    def pass_again(self, record: AttentionRecord, change: Any, hooks: Hooks) -> None:
        if record.tgt is None:
            super().pass_again(record, change, hooks)
            return
        read = tensor_of(self.model, read_ids(self.model.config, record.tgt.ids))
        # Inside, so that they hear what a change has put in the place of what was given.
        with self.running(change, len(record.src), len(record.tgt)) as running, listening(hooks):
            running(self.input_of(record.src), read)

    @experiment("teacher-forcing")
    def compare(
        self,
        src_text: str,
        reference: str,
        decoding: Decoding | None = None,
        *,
        tree: BeamTree | None = None,
    ) -> SearchVerdict:
        """Why the search, `tree` or one with `decoding`, did not return `reference`: a search error
        or the model's own wish (Stahlberg and Byrne 2019)."""
        src = self.source_of(src_text, "sentence")
        wanted = self.target_of(reference, "reference")
        if tree is None:
            tree = self._search(src, decoding or Decoding(), self._read_prefix(""))
        output = self.tokenizer.decode(tree.hypothesis(tree.best).ids)
        return search_verdict(
            tree,
            src,
            wanted,
            output,
            self.read_again(src, wanted)[1],
            self.read_again(src, output)[1],
            same=self.tokenizer.decode(wanted.ids).text == output.text,
        )

    def attend(
        self,
        src_text: str,
        tgt_text: str,
        *,
        intervention: Intervention | None = None,
        scores: bool = False,
    ) -> AttentionRecord:
        """Attention while teacher-forcing `tgt_text`, any pair, no search."""
        return self.read_pair(src_text, tgt_text, intervention=intervention, scores=scores)[0]

    @experiment("teacher-forcing")
    def read_pair(
        self,
        src_text: str,
        tgt_text: str,
        *,
        intervention: Intervention | None = None,
        scores: bool = False,
    ) -> tuple[AttentionRecord, np.ndarray]:
        """`attend` and `score` of any pair, in one pass."""
        src = self.source_of(src_text, "sentence")
        tgt = self.target_of(tgt_text, "translation")
        return self.read_again(src, tgt, intervention, scores=scores)

    @experiment("teacher-forcing")
    @torch.inference_mode()
    def read_again(
        self,
        src: TokenSequence,
        tgt: TokenSequence,
        intervention: Intervention | None = None,
        *,
        scores: bool = False,
    ) -> tuple[AttentionRecord, np.ndarray]:
        """Attention and log-probabilities (T_tgt,) of a pair whose pieces are known already. The
        ids are read as they stand, not tokenised anew: the output of a search may hold pieces that
        its text would not be cut into."""
        expect("src", src, TokenSequence, GridSource)
        expect("tgt", tgt, TokenSequence)
        read = read_ids(self.model.config, tgt.ids)
        scores = scores and "scores" in self.capabilities
        with (
            self.running(intervention, len(src), len(read)) as model,
            capture_attention(self.model, scores=scores) as captured,
        ):
            logits = model(self.input_of(src), tensor_of(self.model, read))
        maps = maps_of(
            captured,
            self.sites,
            sides_of(src, (self.tokenizer.token_of(read[0]), *tgt.tokens[:-1])),
            tgt.tokens,
            may_look=model.may_look if intervention else None,
        )
        log_probs = token_log_probs(logits[0], tgt.ids).cpu().numpy()
        return AttentionRecord(src, tgt, maps), log_probs

    def score(
        self, src_text: str, tgt_text: str, *, intervention: Intervention | None = None
    ) -> np.ndarray:
        """Natural log-probability of each token of `tgt_text`, ``</s>`` included: (T_tgt,)."""
        return self.read_pair(src_text, tgt_text, intervention=intervention)[1]


READERS: dict[str, type[Reader]] = {"documents": DocumentReader, "masked-words": MaskedReader}
"""For families that write no text: by a capability, the reader that offers it."""


def load_reader(
    name_or_path: str | Path,
    device: str = "cpu",
    *,
    check_claims: bool = True,
    options: Mapping[str, str] | None = None,
) -> Reader:
    """A `Translator` where the family of the checkpoint, a name under ``checkpoints/`` or a path,
    writes a text, what `READERS` has for one of its capabilities, else a `Reader`. At a path may
    lie the files of others, in any of `model.formats`; `options` are facts that these lack, as
    ``{"heads": "8"}``. With `check_claims` what a family from outside claims, and what is claimed
    of a converted model, is held against slower ways, once for each checkpoint, and what is false
    is withdrawn. CheckpointError where the checkpoint is missing, damaged or does not fit its
    config, ModelError where torch cannot use the `device`."""
    checkpoint = load(name_or_path, device, options)
    family, card = checkpoint.family, checkpoint.card
    own = (reader for capability, reader in READERS.items() if capability in family.capabilities)
    reader_class = Translator if family.writes else next(own, Reader)
    reader = reader_class(checkpoint)
    if not check_claims or (is_own(family) and not card.format):
        return reader
    stored = card.lies(PROOFS).part if card.format else None
    proofs = stored or proofs_of(reader, family)
    withdrawn = false_claims(proofs)
    return reader_class(replace(checkpoint, withdrawn=withdrawn, proofs=proofs))


def load_translator(name_or_path: str | Path, device: str = "cpu", **how: Any) -> Translator:
    """`load_reader` for a checkpoint that must write a text; CheckpointError where it writes
    none."""
    reader = load_reader(name_or_path, device, **how)
    if not isinstance(reader, Translator):
        names = {"name": repr(reader.card.name), "architecture": reader.card.architecture}
        raise CheckpointError(
            Message.of("model-checkpoint-writes-nothing", **names),
            hint=Message("model-checkpoint-writes-nothing-hint"),
        )
    return reader
