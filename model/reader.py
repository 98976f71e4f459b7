"""Something to read in, records out: for families that write no text, and what all share."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any

import torch

from core.attention import AttentionMap, AttentionRecord, AttentionSite
from core.card import CheckpointCard
from core.runs import Reading
from core.sources import GridSource, Source
from core.tokens import TokenSequence
from words import Message

from .capture import Hooks, capture_attention, listening, probes_of
from .checkpoint import LoadedCheckpoint
from .errors import InputError, ModelError, expect
from .family import sites_of
from .lacking import lacking
from .read import maps_of, sides_of


def withdrawn_message(capability: str, difference: float) -> Message:
    """That a check showed a claim to be false, and by how much."""
    claim = Message(f"check-{capability}")
    known = math.isfinite(difference)
    apart = f"{difference:,.0f}" if difference >= 100 else f"{difference:.2g}"
    return Message.of("need-withdrawn", claim=claim, known=known, difference=apart)


class Reader:
    """A loaded checkpoint that reads a source and shows what it looked at. Nothing is remembered
    between calls, so one instance serves any number of threads."""

    def __init__(self, checkpoint: LoadedCheckpoint) -> None:
        # Whatever the family built: what may be asked of it, its capabilities say.
        self.model: Any = checkpoint.model
        self.tokenizers = checkpoint.tokenizers
        self.family = checkpoint.family
        self.card: CheckpointCard = checkpoint.card
        # Where the model attends, in the order that records and pages keep.
        self.sites: tuple[AttentionSite, ...] = sites_of(checkpoint.model)
        # What the family claims, and a check of this model showed to be false, by how much.
        self.withdrawn: Mapping[str, float] = checkpoint.withdrawn
        self.proofs = checkpoint.proofs
        # For each need of which it is certain that the model has nothing of the kind, the fact that
        # settles it (`model.lacking.FACTS`).
        self.has_none: Mapping[str, str] = MappingProxyType(
            lacking(checkpoint.family, checkpoint.model)
        )

    @property
    def capabilities(self) -> frozenset[str]:
        """What the family offers, of `model.family.CAPABILITIES`, less what is `withdrawn`."""
        return self.family.offers(self.model.config) - self.withdrawn.keys()

    @property
    def writes(self) -> bool:
        """Whether it is a `Translator`, which produces a text."""
        return self.family.writes

    @property
    def n_bytes(self) -> int:
        """What the weights take in memory."""
        tensors = (*self.model.parameters(), *self.model.buffers())
        return sum(tensor.nbytes for tensor in tensors)

    @property
    def max_source_len(self) -> int:
        """Longest source in tokens, ``</s>`` included."""
        return int(self.model.config.max_len)

    @property
    def example(self) -> str:
        """Something to read that fits: the first example of the card, or the least there is."""
        return next(iter(self.card.examples), self.least)

    @property
    def least(self) -> str:
        """The least there is to read that fits."""
        return self.family.reads.sample(self.sites)

    def tokenize(self, text: str) -> Source:
        """The source that any text is, however long; of a sentence its pieces, ``</s>`` included.
        InputError where the family reads something else, a grid say, and the text is none; a
        TypeError for a list of texts."""
        expect("the text", text, str)
        return self.family.reads.parse(text, self.tokenizers.get("source"))

    def read(self, text: str) -> Reading:
        """What the model looks at while it reads; InputError where the text is empty, longer than
        the model takes or no source of its kind."""
        began = time.perf_counter()
        src = self.source_of(text, "sentence")
        attention = AttentionRecord(src, None, self._maps_of(src))
        return Reading(src, attention, time.perf_counter() - began)

    @torch.inference_mode()
    @contextmanager
    def asking(self, poll: Callable[[], object]) -> Iterator[None]:
        """Call `poll` at every attention that this thread computes inside the ``with``, or at every
        part of a model without attention. What it raises ends the computation, which leaves nothing
        behind."""
        parts = [part for part in self.model.modules() if not any(part.children())]

        def ask(*_: object) -> None:
            poll()

        with listening(dict.fromkeys(probes_of(self.model) or parts, ask)):
            yield

    def _maps_of(self, src: Source) -> tuple[AttentionMap, ...]:
        with capture_attention(self.model, scores="scores" in self.capabilities) as captured:
            self.model(self.input_of(src))
        return maps_of(captured, self.sites, sides_of(src))

    def pass_again(self, record: AttentionRecord, change: Any, hooks: Hooks) -> None:
        """Run the model as it ran for `record`, with `hooks`. `change` is what was changed then:
        of a writer an intervention, of a document a `DocumentChange`, of masked words whether the
        left alone was seen; None for nothing."""
        with listening(hooks):
            (self.model.encode if self.writes else self.model)(self.input_of(record.src))

    def need(self, *capabilities: str) -> None:
        """Refuse what the family does not offer: a ModelError names the first capability that is
        lacking."""
        for capability in capabilities:
            if capability in self.withdrawn:
                raise ModelError(withdrawn_message(capability, self.withdrawn[capability]))
            if capability not in self.capabilities:
                names = {"name": self.card.name, "architecture": self.family.name}
                raise ModelError(
                    Message.of("model-lacks", capability=capability, **names),
                    hint=Message("model-lacks-hint"),
                )

    def source_of(self, text: str, what: str) -> Any:
        """A source the model can take."""
        src = self.tokenize(text)
        self._refuse_empty(src, text, what)
        self.refuse_long(src, what)
        grid = next((site.grid for site in self.sites if site.grid), None)
        if isinstance(src, GridSource) and grid and src.shape != grid:
            sizes = dict(zip(("rows", "columns"), src.shape, strict=True))
            taken = dict(zip(("most_rows", "most_columns"), grid, strict=True))
            raise InputError(
                Message.of("model-grid-shape", **sizes, **taken),
                hint=Message("model-grid-shape-hint"),
            )
        return src

    @staticmethod
    def _refuse_empty(src: Source, text: str, what: str) -> None:
        if all(src.special) if isinstance(src, TokenSequence) else len(src) == 0:
            raise InputError(
                Message.of(f"model-text-{'invisible' if text else 'empty'}", text=what),
                hint=Message("model-text-empty-hint"),
            )

    def refuse_long(self, src: Source, what: str) -> None:
        if len(src) > self.max_source_len:
            raise InputError(
                Message.of("model-text-long", text=what, n=len(src), most=self.max_source_len),
                hint=Message("model-text-long-hint"),
            )

    def input_of(self, src: Source) -> Any:
        """What the model is called with to read `src`."""
        tensor = self.family.reads.tensor(src)
        if isinstance(tensor, tuple):
            return tuple(part.to(self._device) for part in tensor)
        return tensor.to(self._device)

    @property
    def _device(self) -> torch.device:
        return next(self.model.parameters()).device
