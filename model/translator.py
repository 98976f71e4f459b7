"""Translator: text in, records out; the class that pages and scripts use."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from core.interventions.intervention import Intervention
from core.records.attention import AttentionRecord
from core.records.runs import Translation
from core.records.search import BeamTree, Decoding, SearchVerdict
from core.records.sources import GridSource, Source, TokenSequence

from .errors import expect
from .hooks.activations import Activation, HookPoint, hook_points, recording
from .hooks.capture import Captured, capture_attention
from .readers.experiment import experiment
from .readers.writer import Writer
from .search.diagnosis import search_verdict
from .teacher_forcing import maps_of, padded, read_ids, sides_of, tensor_of, token_log_probs


@dataclass(frozen=True, eq=False)
class ForcedOutput:
    """Output of a teacher-forced pass over B pairs, with the tokens on either side."""

    logits: torch.Tensor  # (B, T_tgt, V); row t predicts token t of the target
    sources: tuple[Source, ...]
    targets: tuple[TokenSequence, ...]
    source_mask: torch.Tensor  # bool (B, T_src), True at tokens, False at padding
    target_mask: torch.Tensor  # bool (B, T_tgt)


@dataclass(frozen=True, eq=False)
class CapturedStart:
    """State of ``model.start`` and the encoder's attention that was captured with it."""

    state: Any
    captured: Captured


class Translator(Writer):
    """Loaded checkpoint that writes text and records its attention.

    Capabilities that its family does not offer are refused with a `ModelError`. Nothing is
    remembered between calls, so one instance serves any number of threads. Texts that are empty or
    longer than the model takes raise InputError; interventions that fit neither the model nor the
    texts raise InterventionError.
    """

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
        """Search for a translation, and record its attention by reading the result once more.

        Parameters
        ----------
        prefix : str
            Beginning of the translation. Its last word may be half typed unless a space or
            punctuation follows it (see `model.search.prefix.read_prefix`). InputError is raised
            also if it leaves no room, or holds characters that the vocabulary lacks.
        stop : callable, optional
            Polled before every step; True ends the search with what there is.
        """
        began = time.perf_counter()
        src = self.source_of(text, "sentence")
        begun = self._read_prefix(prefix)
        start = None if intervention else self._start(src)
        state = start and start.state
        tree = self._search(src, decoding or Decoding(), begun, stop, intervention, state)
        searched = time.perf_counter()
        best = tree.hypothesis(tree.best)
        tgt = self.tokenizer.decode(best.ids)
        # The search's own steps hold attention of all hypotheses; one pass over the best is cheaper
        # than keeping it.
        if start is None:
            attention, _ = self.teacher_force(src, tgt, intervention, scores=True)
        else:
            attention = self._reread(src, tgt, start)
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

    @torch.inference_mode()
    def _start(self, src: Source) -> CapturedStart | None:
        """Encode `src` for a search and its record together; None if the model cannot be reread.

        See `Transformer.can_reread`.
        """
        can_reread = getattr(self.model, "can_reread", None)
        if can_reread is None or not can_reread():
            return None
        with capture_attention(self.model, scores=True) as captured:
            state = self.model.start(self.input_of(src))
        return CapturedStart(state, captured)

    @torch.inference_mode()
    def _reread(
        self, src: TokenSequence, tgt: TokenSequence, start: CapturedStart
    ) -> AttentionRecord:
        """Return the record of `teacher_force` for the output of a search from `start`."""
        read = read_ids(self.model.config, tgt.ids)
        with capture_attention(self.model, scores=True) as captured:
            self.model.reread(start.state, tensor_of(self.model, read))
        sides = sides_of(src, (self.tokenizer.token_of(read[0]), *tgt.tokens[:-1]))
        maps = (
            *maps_of(start.captured, self.sites, sides),
            *maps_of(captured, self.sites, sides, tgt.tokens),
        )
        return AttentionRecord(src, tgt, maps)

    def replay(
        self, record: AttentionRecord, change: Any, points: Mapping[str, HookPoint]
    ) -> dict[str, Activation]:
        """Run the model as for `record` under the intervention `change`; return activations."""
        if record.tgt is None:
            return super().replay(record, change, points)
        read = tensor_of(self.model, read_ids(self.model.config, record.tgt.ids))
        # Registered inside, so that they see what a change has replaced.
        with (
            self.running(change, len(record.src), len(record.tgt)) as running,
            recording(points) as cache,
        ):
            running(self.input_of(record.src), read)
        return cache

    @experiment("teacher-forcing")
    def diagnose_search(
        self,
        src_text: str,
        reference: str,
        decoding: Decoding | None = None,
        *,
        tree: BeamTree | None = None,
    ) -> SearchVerdict:
        """Explain why a search did not return `reference`: a search error or a model error.

        The search is `tree`, or one with `decoding` (Stahlberg and Byrne 2019).
        """
        src = self.source_of(src_text, "sentence")
        wanted = self.target_of(reference, "reference")
        if tree is None:
            tree = self._search(src, decoding or Decoding(), self._read_prefix(""))
        output = self.tokenizer.decode(tree.hypothesis(tree.best).ids)
        return search_verdict(
            tree,
            wanted,
            output,
            self.teacher_force(src, wanted)[1],
            self.teacher_force(src, output)[1],
            # Texts, not ids: the reference may be split into other pieces than the search chose.
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
        """Record the attention while teacher-forcing `tgt_text`, for any pair, without a search."""
        return self.read_pair(src_text, tgt_text, intervention=intervention, scores=scores)[0]

    def attention_over(self, texts: Sequence[str]) -> AttentionRecord:
        return self.attend(*texts)

    @experiment("teacher-forcing")
    def read_pair(
        self,
        src_text: str,
        tgt_text: str,
        *,
        intervention: Intervention | None = None,
        scores: bool = False,
    ) -> tuple[AttentionRecord, np.ndarray]:
        """Return the results of `attend` and `score` for any pair, from one pass."""
        src = self.source_of(src_text, "sentence")
        tgt = self.target_of(tgt_text, "translation")
        return self.teacher_force(src, tgt, intervention, scores=scores)

    @experiment("teacher-forcing")
    @torch.inference_mode()
    def teacher_force(
        self,
        src: TokenSequence,
        tgt: TokenSequence,
        intervention: Intervention | None = None,
        *,
        scores: bool = False,
    ) -> tuple[AttentionRecord, np.ndarray]:
        """Teacher-force a tokenised pair; return its attention and log-probabilities (T_tgt,).

        Ids are read as they stand, not tokenised anew: the output of a search may contain pieces
        into which its text would not be split.
        """
        # A mistake of the calling script, hence TypeError and not a ModelError.
        expect("src", src, TokenSequence, GridSource)
        expect("tgt", tgt, TokenSequence)
        read = read_ids(self.model.config, tgt.ids)
        # Callers ask for scores of any family, also of one that attends by position alone.
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

    @experiment("teacher-forcing")
    @torch.inference_mode()
    def run_with_cache(
        self,
        source: str | Sequence[str],
        target: str | Sequence[str] | None = None,
        *,
        names: str | Collection[str] | None = None,
    ) -> tuple[ForcedOutput, dict[str, Activation]]:
        """Teacher-force one pair or a batch; return the output and the activations called `names`.

        Parameters
        ----------
        source : str, or a sequence of B texts, padded at the end to one length
        target : str, or a sequence of as many texts, optional
            By default what the model writes.
        names : names or patterns of `names`, all by default

        Raises
        ------
        InputError
            If a text is empty or longer than the model takes.
        ValueError
            If sources and targets differ in number, or a name fits no activation.
        """
        pairs = self._pairs_of(source, target)
        read = [read_ids(self.model.config, tgt.ids) for _, tgt in pairs]
        tgt_in, target_mask = padded(self.model, read)
        if len(pairs) == 1:
            src_in = self.input_of(pairs[0][0])
            # A single source may be an image, which has no ids to pad.
            source_mask = torch.ones(1, len(pairs[0][0]), dtype=torch.bool, device=self.device)
        else:
            src_in, source_mask = padded(self.model, [src.ids for src, _ in pairs])
        with recording(hook_points(self.model), names) as cache:
            logits = self.model(src_in, tgt_in)
        sides = tuple(src for src, _ in pairs), tuple(tgt for _, tgt in pairs)
        return ForcedOutput(logits, *sides, source_mask, target_mask), cache

    def _pairs_of(
        self, source: str | Sequence[str], target: str | Sequence[str] | None
    ) -> list[tuple[Any, TokenSequence]]:
        """Return the tokenised pairs of `run_with_cache`."""
        sources = [source] if isinstance(source, str) else list(source)
        if not sources:
            raise ValueError("expected at least one source")
        if target is None:
            written = list(map(self.translate, sources))
            return [(translation.src, translation.tgt) for translation in written]
        targets = [target] if isinstance(target, str) else list(target)
        if len(sources) != len(targets):
            raise ValueError(f"found {len(sources)} sources and {len(targets)} targets")
        return [
            (self.source_of(text, "sentence"), self.target_of(other, "translation"))
            for text, other in zip(sources, targets, strict=True)
        ]

    def score(
        self, src_text: str, tgt_text: str, *, intervention: Intervention | None = None
    ) -> np.ndarray:
        """Return natural log-probabilities (T_tgt,) of the tokens of `tgt_text`, with ``</s>``."""
        return self.read_pair(src_text, tgt_text, intervention=intervention)[1]
