"""Base class of loaded models: reads a source and returns records of its attention."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any, Self

import torch

from core.card import CheckpointCard
from core.measurements import Proofs
from core.records.attention import AttentionMap, AttentionRecord, AttentionSite
from core.records.runs import Reading
from core.records.sources import GridSource, Source, TokenSequence
from words import Message

from ..errors import InputError, ModelError, expect
from ..families.base import sites_of
from ..hooks.activations import Activation, Change, HookPoint, changing, hook_points, recording
from ..hooks.capture import capture_attention, listening, maps_of, probes_of, sides_of
from ..io.assembly import LoadedCheckpoint
from .absent import lacking


def withdrawn_message(capability: str, difference: float) -> Message:
    """Say that a check disproved a claim, and by how much."""
    claim = Message(f"check-{capability}")
    number = f"{difference:,.0f}" if difference >= 100 else f"{difference:.2g}"
    is_number = math.isfinite(difference)
    return Message.of("need-withdrawn", claim=claim, known=is_number, difference=number)


class Reader:
    """Loaded checkpoint that reads a source and records its attention.

    Nothing is remembered between calls, so one instance serves any number of threads.
    """

    def __init__(self, checkpoint: LoadedCheckpoint) -> None:
        # Any module that the family built; `capabilities` say what may be asked of it.
        self.model: Any = checkpoint.model
        self.tokenizers = checkpoint.tokenizers
        self.family = checkpoint.family
        self.card: CheckpointCard = checkpoint.card
        # In the order of records and pages.
        self.sites: tuple[AttentionSite, ...] = sites_of(checkpoint.model)
        # Capabilities whose claim a check disproved, each with the difference.
        self.withdrawn: Mapping[str, float] = {}
        self.proofs: Proofs | None = None  # results of a check of the claims, if there was one
        # Needs that this kind of model cannot meet, each with the fact that settles it
        # (`model.readers.absent.FACTS`).
        self.has_none: Mapping[str, str] = MappingProxyType(
            lacking(checkpoint.family, checkpoint.model)
        )

    def withdraw(self, proofs: Proofs, differences: Mapping[str, float]) -> None:
        """Take back the claims that `proofs` disproved, each by the difference that was found.

        Called once by the loader, before other threads know the reader.
        """
        self.proofs = proofs
        self.withdrawn = differences

    @property
    def capabilities(self) -> frozenset[str]:
        """Capabilities of the family (`model.families.base.CAPABILITIES`) but those `withdrawn`."""
        return self.family.offers(self.model.config) - self.withdrawn.keys()

    @property
    def writes(self) -> bool:
        """True if it is a `Translator`, which produces text."""
        return self.family.writes

    @property
    def n_bytes(self) -> int:
        """Bytes of the weights in memory."""
        tensors = (*self.model.parameters(), *self.model.buffers())
        return sum(tensor.nbytes for tensor in tensors)

    @property
    def max_source_len(self) -> int:
        """Longest source in tokens, ``</s>`` included."""
        return int(self.model.config.max_len)

    @property
    def example(self) -> str:
        """Source that fits: the first example of the card, or else `least`."""
        return next(iter(self.card.examples), self.least)

    @property
    def least(self) -> str:
        """Shortest source that fits."""
        return self.family.reads.sample(self.sites)

    def tokenize(self, text: str) -> Source:
        """Parse `text` into a source of any length; a sentence becomes its pieces and ``</s>``.

        Raises InputError if the family reads something else, such as a grid, and the text is none;
        TypeError for a list of texts.
        """
        expect("the text", text, str)
        return self.family.reads.parse(text, self.tokenizers.get("source"))

    def read(self, text: str) -> Reading:
        """Read `text` and record the attention.

        Raises InputError if it is empty, longer than the model takes or no source of its kind.
        """
        began = time.perf_counter()
        src = self.source_of(text, "sentence")
        attention = AttentionRecord(src, None, self.attention_maps(src))
        return Reading(src, attention, time.perf_counter() - began)

    @torch.inference_mode()
    @contextmanager
    def asking(self, poll: Callable[[], object]) -> Iterator[None]:
        """Call `poll` at every attention that this thread computes inside the ``with``.

        In a model without attention it is called at every part. An exception of `poll` ends the
        computation, which leaves nothing behind.
        """
        # Leaves only, so that no part is polled twice.
        parts = [part for part in self.model.modules() if not any(part.children())]

        def ask(*_: object) -> None:
            poll()

        # Attention is called often enough to stop a computation soon.
        with listening(dict.fromkeys(probes_of(self.model) or parts, ask)):
            yield

    def attention_over(self, texts: Sequence[str]) -> AttentionRecord:
        """Return the attention over a stored text: a source, and a target if the model writes."""
        return self.read(texts[0]).attention

    def attention_maps(self, src: Source) -> tuple[AttentionMap, ...]:
        """Return the attention maps of one pass over `src`."""
        with capture_attention(self.model, scores="scores" in self.capabilities) as captured:
            self.model(self.input_of(src))
        return maps_of(captured, self.sites, sides_of(src))

    def replay(
        self, record: AttentionRecord, change: Any, points: Mapping[str, HookPoint]
    ) -> dict[str, Activation]:
        """Run the model as it ran for `record`, and return the activations of `points`.

        `change` is the change of that run: an intervention of a writer, a `DocumentChange` of a
        document, for masked words whether only the left was visible, or None.
        """
        with recording(points) as cache:
            (self.model.encode if self.writes else self.model)(self.input_of(record.src))
        return cache

    def names(self) -> tuple[str, ...]:
        """Return the names of all activations (`model.hooks.activations`)."""
        return tuple(hook_points(self.model))

    @contextmanager
    def hooks(self, changes: Mapping[str, Change]) -> Iterator[None]:
        """Change activations of everything that this thread asks of the model inside the ``with``.

        `changes` maps names, or patterns such as ``encoder.*.pattern``, to functions of the
        activation and its name; what they return, unless None, is used instead. Other threads see
        the model as it is. Raises ValueError for a name that the model lacks.
        """
        with changing(hook_points(self.model), changes):
            yield

    @torch.inference_mode()
    def run_with_cache(
        self, source: str, *, names: str | Collection[str] | None = None
    ) -> tuple[Any, dict[str, Activation]]:
        """Read a source and return the model's output and the activations called `names`.

        `names` are names or patterns, all by default. Raises InputError as `read` does, ValueError
        for a name that the model lacks.
        """
        src = self.source_of(source, "sentence")
        with recording(hook_points(self.model), names) as cache:
            output = self.model(self.input_of(src))
        return output, cache

    def to(self, device: str | torch.device) -> Self:
        """Move the weights to `device`, for all who use this reader; returns it.

        Raises ValueError if this machine has no such device; the weights then stay where they are.
        """
        _check_device(device)
        self.model.to(device)
        return self

    def need(self, *capabilities: str) -> None:
        """Raise ModelError naming the first of `capabilities` that the model lacks."""
        for capability in capabilities:
            if capability in self.withdrawn:
                raise ModelError(withdrawn_message(capability, self.withdrawn[capability]))
            if capability not in self.capabilities:
                raise ModelError(
                    Message.of(
                        "model-lacks",
                        capability=capability,
                        name=self.card.name,
                        architecture=self.family.name,
                    ),
                    hint=Message("model-lacks-hint"),
                )

    def source_of(self, text: str, what: str) -> Any:
        """Parse `text` into a source that the model can take; `what` names it in messages.

        Raises InputError if it is empty, too long, or a grid of another shape.
        """
        src = self.tokenize(text)
        self._refuse_empty(src, text, what)
        self.refuse_long(src, what)
        grid = next((site.grid for site in self.sites if site.grid), None)
        if isinstance(src, GridSource) and grid and src.shape != grid:
            raise InputError(
                Message.of(
                    "model-grid-shape",
                    rows=src.shape[0],
                    columns=src.shape[1],
                    most_rows=grid[0],
                    most_columns=grid[1],
                ),
                hint=Message("model-grid-shape-hint"),
            )
        return src

    @staticmethod
    def _refuse_empty(src: Source, text: str, what: str) -> None:
        """Raise InputError if nothing of `text` is left to read."""
        # A text of control characters is not empty, yet has no pieces but ``</s>``.
        if all(src.special) if isinstance(src, TokenSequence) else len(src) == 0:
            raise InputError(
                Message.of(f"model-text-{'invisible' if text else 'empty'}", text=what),
                hint=Message("model-text-empty-hint"),
            )

    def refuse_long(self, src: Source, what: str) -> None:
        """Raise InputError if `src` is longer than the model takes."""
        if len(src) > self.max_source_len:
            raise InputError(
                Message.of("model-text-long", text=what, n=len(src), most=self.max_source_len),
                hint=Message("model-text-long-hint"),
            )

    def input_of(self, src: Source) -> Any:
        """Return the arguments that make the model read `src`, on its device."""
        tensor = self.family.reads.tensor(src)
        if isinstance(tensor, tuple):
            return tuple(part.to(self.device) for part in tensor)
        return tensor.to(self.device)

    @property
    def device(self) -> torch.device:
        """Device of the weights."""
        return next(self.model.parameters()).device


def _check_device(device: str | torch.device) -> None:
    """Raise ValueError unless a tensor can be kept on `device`."""
    try:
        # Read back, since a device without content, such as "meta", would lose the weights.
        torch.ones(1, device=device).cpu()
    except (AssertionError, RuntimeError) as error:
        devices = ["cpu", *(f"cuda:{i}" for i in range(torch.cuda.device_count()))]
        if torch.backends.mps.is_available():
            devices.append("mps")
        raise ValueError(
            f"there is no device {str(device)!r}; this machine has {', '.join(devices)}"
        ) from error
