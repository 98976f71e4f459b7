"""Translator: text in, records out; the class that pages and scripts use."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import torch

from core.interventions.intervention import Intervention
from core.records.attention import AttentionRecord
from core.records.runs import Translation
from core.records.search import (
    BeamTree,
    Budget,
    Candidate,
    Decoding,
    ExactSearch,
    Sampling,
    SearchVerdict,
    candidates_of,
)
from core.records.sources import GridSource, Source, TokenSequence
from core.records.sublayers import SubLayer
from words import Message

from ..errors import InputError, expect
from ..hooks.activations import Activation, HookPoint, hook_points, recording
from ..hooks.capture import Captured, capture_attention, maps_of, sides_of
from ..hooks.effects import HeadMeans
from ..hooks.interventions import head_means_of, intervening
from ..nets.sublayers import sublayers_of
from ..search.beam import beam_search, length_limit
from ..search.diagnosis import search_verdict
from ..search.exact import exact_search
from ..search.prefix import TypedPrefix, read_prefix, spelling_out, unknown_pieces
from ..search.sampling import sample_search
from ..teacher_forcing import (
    forced_ids,
    output_limits,
    padded,
    read_ids,
    tensor_of,
    token_log_probs,
)
from ..tokenizer import TextTokenizer
from .experiment import experiment
from .reader import Reader

# Long sentences may take hours.
EXACT_BUDGET = Budget(seconds=10.0)


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


class Translator(Reader):
    """Loaded checkpoint that writes text and records its attention.

    Capabilities that its family does not offer are refused with a `ModelError`. Nothing is
    remembered between calls, so one instance serves any number of threads. Texts that are empty or
    longer than the model takes raise InputError; interventions that fit neither the model nor the
    texts raise InterventionError.
    """

    @cached_property
    def forced(self) -> tuple[int, ...]:
        """Ids with which every output begins: the token of its language if there are several."""
        return forced_ids(self.model.config)

    @cached_property
    def tokenizer(self) -> TextTokenizer:
        """Vocabulary of the output, whose texts begin with `forced`."""
        return self.tokenizers["target"].beginning_with(self.forced)

    @cached_property
    def means(self) -> HeadMeans | None:
        """Mean outputs of heads, for mean ablation; None if they are not stored with the model."""
        # Read when needed: the file is among the largest, and few sessions ablate by means.
        if "change-ablate" not in self.capabilities:
            return None
        return head_means_of(self.card, self.model)

    @property
    def eos_id(self) -> int:
        """Id of the token that ends an output."""
        return self.model.config.eos_id

    @property
    def vocab_size(self) -> int:
        """Number of tokens to choose from at each step."""
        return self.tokenizer.vocab_size

    @property
    def sublayers(self) -> tuple[SubLayer, ...]:
        """Stack, layer and name of the sub-layers of its blocks."""
        return sublayers_of(self.model)

    def spells(self, tgt: TokenSequence) -> bool:
        """Return True if the ids of `tgt` are the same tokens in this vocabulary."""
        # `tgt` may come from another model.
        in_range = all(i < self.vocab_size for i in tgt.ids)
        return in_range and tuple(map(self.tokenizer.token_of, tgt.ids)) == tgt.tokens

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

    @experiment("search")
    def search(
        self,
        text: str,
        decoding: Decoding | None = None,
        *,
        prefix: str = "",
        prefix_ids: Sequence[int] = (),
        intervention: Intervention | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> BeamTree:
        """Run the search behind `translate`, without its attention.

        It begins with `prefix`, as in `translate`, or with `prefix_ids`, which replace the forced
        ids as well. Raises ValueError if both are given, or an id is not in the vocabulary.
        """
        if prefix and prefix_ids:
            raise ValueError("expected prefix or prefix_ids, found both")
        src = self.source_of(text, "sentence")
        # Ids are settled; only typed text can end in the middle of a word.
        begun = TypedPrefix(tuple(prefix_ids)) if prefix_ids else self._read_prefix(prefix)
        return self._search(src, decoding or Decoding(), begun, stop, intervention)

    @experiment("search")
    def sample(
        self,
        text: str,
        sampling: Sampling | None = None,
        *,
        intervention: Intervention | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> BeamTree:
        """Draw translations instead of searching."""
        expect("sampling", sampling, Sampling, type(None))
        src = self.source_of(text, "sentence")
        sampling = self.limited(sampling or Sampling(), src)
        with self.running(intervention, len(src), length_limit(sampling)) as model:
            return sample_search(
                model,
                self.input_of(src),
                sampling,
                prefix=self.forced,
                stop=stop,
                token_of=self.tokenizer.token_of,
            )

    @experiment("search", slow=True)
    def exact_search(
        self,
        text: str,
        decoding: Decoding | None = None,
        *,
        start: Sequence[int] | None = None,
        budget: Budget = EXACT_BUDGET,
        intervention: Intervention | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> ExactSearch:
        """Find the best translation under the penalty and lengths of `decoding`.

        Parameters
        ----------
        text : str
        decoding : Decoding, optional
        start : ids of a finished hypothesis to beat, optional
            For example the best of a beam search.
        budget : Budget
            Most seconds, or prefixes to expand; `UNLIMITED` searches to the end.
        intervention : Intervention, optional
        stop : callable, optional
            Polled before every step; True ends the search with what there is.
        """
        src = self.source_of(text, "sentence")
        decoding = self.limited(decoding or Decoding(), src)
        with self.running(intervention, len(src), length_limit(decoding)) as model:
            return exact_search(
                model,
                self.input_of(src),
                decoding,
                prefix=self.forced,
                start=start,
                budget=budget,
                stop=stop,
                token_of=self.tokenizer.token_of,
            )

    def candidates(
        self,
        text: str,
        prefix_ids: Sequence[int] = (),
        k: int = 10,
        *,
        intervention: Intervention | None = None,
    ) -> tuple[Candidate, ...]:
        """Return the `k` likeliest tokens after `prefix_ids`, or all if there are fewer.

        Raises the errors of `next_log_probs`, and ValueError if `k` is below 1.
        """
        if k < 1:
            raise ValueError(f"expected k of 1 or more, found {k}")
        log_probs = self.next_log_probs(text, prefix_ids, intervention=intervention)
        return candidates_of(log_probs, self.tokenizer.token_of, k)

    @experiment("teacher-forcing")
    @torch.inference_mode()
    def next_log_probs(
        self,
        text: str,
        prefix_ids: Sequence[int] = (),
        *,
        intervention: Intervention | None = None,
    ) -> np.ndarray:
        """Return natural log-probabilities (V,) of the token after `prefix_ids`.

        Raises InputError also if the prefix has ended or leaves no room for more.
        """
        src = self.source_of(text, "sentence")
        self._refuse_ended(prefix_ids)
        self._refuse_full(len(prefix_ids), self.model.config.max_len)
        # The decoder reads each token one position late, behind ``<s>``.
        read = tensor_of(self.model, (self.model.config.bos_id, *prefix_ids))
        with self.running(intervention, len(src), read.shape[1]) as model:
            log_probs = model(self.input_of(src), read)[0, -1].log_softmax(dim=-1)
        return log_probs.cpu().numpy()

    @contextmanager
    def running(self, intervention: Intervention | None, n_src: int, n_tgt: int) -> Iterator[Any]:
        """Yield the model, or the model under `intervention` inside the ``with``."""
        expect("intervention", intervention, Intervention, type(None))
        # Neither None nor an intervention without changes needs hooks.
        if not intervention:
            yield self.model
            return
        self.need("changes", *sorted(intervention.needs))
        with intervening(
            self.model, intervention, n_src=n_src, n_tgt=n_tgt, means=self.means
        ) as intervened:
            yield intervened

    def target_of(self, text: str, what: str) -> TokenSequence:
        """Tokenise `text` as the model would write it; `what` names it in messages."""
        expect("the text", text, str)
        tgt = self.tokenizer.encode(text, written=True)
        self._refuse_empty(tgt, text, what)
        self.refuse_long(tgt, what)
        return tgt

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

    def _search(
        self,
        src: TokenSequence,
        decoding: Decoding,
        prefix: TypedPrefix,
        stop: Callable[[], bool] | None = None,
        intervention: Intervention | None = None,
        start: Any = None,
    ) -> BeamTree:
        """Run a beam search from a source and a prefix; `start` as in `beam_search`."""
        decoding = self.limited(decoding, src, len(prefix.ids))
        # A prefix that has ended needs no room for more.
        if prefix.ids[-1:] != (self.eos_id,):
            self._refuse_full(len(prefix.ids), length_limit(decoding))
        # Spelling the whole vocabulary takes a while, and only a half-typed word needs it.
        spellings: tuple[str, ...] = ()
        if prefix.rest:
            tokenizer = self.tokenizer
            every = range(tokenizer.vocab_size)
            spellings = tuple(tokenizer.token_of(i) if tokenizer.spells(i) else "" for i in every)
        with self.running(intervention, len(src), length_limit(decoding)) as model:
            return beam_search(
                model,
                self.input_of(src),
                decoding,
                prefix=prefix.ids,
                allowed=spelling_out(prefix, spellings, self.eos_id),
                stop=stop,
                token_of=self.tokenizer.token_of,
                start=start,
            )

    def limited(self, options: Any, src: TokenSequence, n_prefix: int = 0) -> Any:
        """Return search options with the lengths that this model allows for `src`."""
        expect("decoding", options, Decoding, Sampling)
        wanted = options.min_len, options.max_len
        min_len, max_len = output_limits(self.max_source_len, len(src), *wanted, n_prefix)
        return replace(options, min_len=min_len, max_len=max_len)

    def _read_prefix(self, text: str) -> TypedPrefix:
        """Split a typed prefix into settled ids and an open rest."""
        expect("prefix", text, str)
        pieces = self.tokenizer.encode(text, written=True)
        unknown = unknown_pieces(pieces)
        if unknown:
            raise InputError(
                Message.of("model-prefix-unknown", characters=" ".join(unknown)),
                hint=Message("model-prefix-unknown-hint"),
            )
        return read_prefix(pieces)

    def _refuse_ended(self, ids: Sequence[int]) -> None:
        """Raise InputError if a prefix contains ``</s>``."""
        if self.model.config.eos_id in ids:
            raise InputError(Message("model-prefix-ended"), hint=Message("model-prefix-ended-hint"))

    @staticmethod
    def _refuse_full(n_prefix: int, max_len: int) -> None:
        """Raise InputError if a prefix leaves no room for another token."""
        if n_prefix >= max_len:
            raise InputError(
                Message.of("model-prefix-full", n=n_prefix, most=max_len),
                hint=Message("model-prefix-full-hint"),
            )
