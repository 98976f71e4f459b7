"""Base class of models that write text: its searches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import torch

from core.interventions.intervention import Intervention
from core.records.search import (
    BeamTree,
    Budget,
    Candidate,
    Decoding,
    ExactSearch,
    Sampling,
    candidates_of,
)
from core.records.sources import TokenSequence
from core.records.sublayers import SubLayer
from words import Message

from ..errors import InputError, expect
from ..hooks.effects import HeadMeans
from ..hooks.interventions import head_means_of, intervening
from ..nets.sublayers import sublayers_of
from ..search.beam import beam_search, length_limit
from ..search.exact import exact_search
from ..search.prefix import TypedPrefix, read_prefix, spelling_out, unknown_pieces
from ..search.sampling import sample_search
from ..teacher_forcing import forced_ids, output_limits, tensor_of
from ..tokenizer import TextTokenizer
from .experiment import experiment
from .reader import Reader

# Long sentences may take hours.
EXACT_BUDGET = Budget(seconds=10.0)


class Writer(Reader):
    """Loaded checkpoint that writes text, by beam search, sampling or exact search."""

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
