"""Run a model with some of what it may see, or compute, changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, TypeVar

import numpy as np
import torch
from torch import Tensor, nn

from core.attention import AttentionSite
from core.card import CheckpointCard
from core.change import Room
from core.intervention import Intervention
from core.measurements import INTERVENTIONS
from words import Message, site_title

from .attention import AttentionProbe, attention_weights, causal_mask
from .block import sublayers_of
from .capture import ForwardHook, ForwardPreHook, listening, probes_of
from .changes import Effect, HeadMeans, site_words
from .errors import InterventionError

LEAVE_ONE = Message("model-change-nothing-left-hint")
_Effect = TypeVar("_Effect", bound=Effect)


class Intervened:
    """A model under interventions, itself a `Seq2SeqModel`: what all families have in common. Made
    by `intervening`; good inside its `with` and on its thread only. With several interventions item
    b of every batch is run under the b-th; a source or target given once serves them all.

    An heir runs a family's models: `start`, `step`, `select`, `forward`, and `hidden`, which gives
    `forward` before the output layer. It calls `_begin` before every pass, and names the `effects`
    that it can have, in the order in which they act; the capabilities that their kinds need are
    what it `offers`."""

    effects: ClassVar[tuple[type[Effect], ...]] = ()
    offers: ClassVar[frozenset[str]] = frozenset()

    def __init_subclass__(cls) -> None:
        cls.offers = frozenset(effect.of.needs for effect in cls.effects)

    def __init__(
        self,
        model: Any,
        interventions: Sequence[Intervention],
        n_src: int,
        n_tgt: int,
        means: HeadMeans | None,
    ) -> None:
        self.config = model.config
        self.sites = tuple(model.sites)
        self.n_items = len(interventions)
        self.model = model
        self.lengths = {"source": n_src, "target": n_tgt}
        self.means = means
        self.device = model.embedding.weight.device
        self._first_query = 0  # position of the first query row of the pass under way
        self._calls: Counter[AttentionProbe] = Counter()  # in it, of those that go step by step
        for intervention in interventions:
            self._check(intervention)
        self._effects = tuple(effect(self, interventions) for effect in self.effects)
        self._refuse_empty_rows()

    # Running the model

    def hidden(self, src: Tensor, tgt: Tensor) -> Tensor:
        """ids (1 or B, T_src), (1 or B, T_tgt), nothing padded -> (B, T_tgt, d_model)."""
        raise NotImplementedError

    def forward(self, src: Tensor, tgt: Tensor) -> Tensor:
        """ids (1 or B, T_src), (1 or B, T_tgt), nothing padded -> logits (B, T_tgt, V)."""
        return self.model.logits(self.hidden(src, tgt))

    def __call__(self, src: Tensor, tgt: Tensor) -> Tensor:
        return self.forward(src, tgt)

    @staticmethod
    def head_size(model: Any) -> int:
        """How many numbers a head of the model gives for each query."""
        raise NotImplementedError

    @staticmethod
    def activations(model: Any, n_src: int, n_tgt: int) -> int:
        """About how many numbers the largest step of a pass keeps for a gradient."""
        raise NotImplementedError

    def may_look(self, name: str, n_queries: int, n_keys: int) -> np.ndarray:
        """Where the heads may look under the first intervention: bool (L, H, n_queries, n_keys)."""
        site = self.site(name)
        layers = (self._seen(site, i, n_queries, n_keys)[0] for i in range(site.n_layers))
        return np.stack([layer.cpu().numpy() for layer in layers])

    def _begin(self, first_query: int = 0) -> None:
        """A pass begins whose first row of the target is `first_query`."""
        self._first_query = first_query
        self._calls.clear()

    def _for_all(self, ids: Tensor) -> Tensor:
        return ids.expand(self.n_items, -1) if len(ids) == 1 else ids

    # What effects know of it

    def site(self, name: str) -> AttentionSite:
        return next(site for site in self.sites if site.name == name)

    def size(self, site: AttentionSite) -> tuple[int, int, int]:
        """H, T_q and T_k, at most."""
        return site.n_heads, self.lengths[site.query], self.lengths[site.key]

    def effect(self, effect_class: type[_Effect]) -> _Effect:
        return next(effect for effect in self._effects if isinstance(effect, effect_class))

    # What the hooks do

    def hooks(self) -> dict[nn.Module, ForwardHook]:
        """What to call after which module."""
        hooks: dict[nn.Module, ForwardHook] = {
            probe: self._weigh
            for probe in probes_of(self.model)
            if any(effect.weighs(probe.site, probe.layer) for effect in self._effects)
        }
        for effect in self._effects:
            hooks |= effect.hooks()
        return hooks

    def pre_hooks(self) -> dict[nn.Module, ForwardPreHook]:
        """What to call before which module."""
        hooks: dict[nn.Module, ForwardPreHook] = {}
        for effect in self._effects:
            hooks |= effect.pre_hooks()
        return hooks

    def _weigh(self, probe: Any, inputs: tuple[Any, ...], weights: Tensor) -> Tensor:
        _, scores, own = inputs[:3]
        at, first = (probe.kind, probe.layer), self._first_row(probe)
        rows, seen = slice(first, first + weights.shape[-2]), own
        for effect in self._effects:
            if not effect.in_model:
                seen = effect.seen(at, seen, rows, weights.shape[-1])
        if seen is not None and not bool(seen.any(-1).all()):
            raise InterventionError(
                Message.of("model-change-nothing-left", site=site_title(probe.kind)),
                hint=LEAVE_ONE,
            )
        if seen is not own:
            weights = _weighed_anew(probe.site, weights, scores, own, seen)
        for effect in self._effects:
            weights = effect.weights(at, weights, seen, rows)
        return weights

    def _first_row(self, probe: AttentionProbe) -> int:
        """Which row of the target the first query of this call is."""
        if probe.site.query != "target":
            return 0
        if probe.one_call != "step":
            return self._first_query
        self._calls[probe] += 1
        return self._first_query + self._calls[probe] - 1

    def _silences(self, probe: AttentionProbe) -> bool:
        return any(effect.silences((probe.kind, probe.layer)) for effect in self._effects)

    def _outputs(self, probe: AttentionProbe, heads: Tensor) -> Tensor:
        """Outputs of heads (B, T_q, H, d) with those put to zero or to their mean that are off."""
        for effect in self._effects:
            heads = effect.outputs((probe.kind, probe.layer), heads)
        return heads

    # What cannot be done

    def _check(self, intervention: Intervention) -> None:
        most = self.config.max_len
        # A target position may lie beyond what this run reaches.
        lengths = {"source": self.lengths["source"], "target": most}
        room = Room(self.sites, lengths, most, self.means is not None, sublayers_of(self.model))
        faults = intervention.faults(room)
        faults += tuple(
            Message.of("model-change-lacks", capability=capability)
            for capability in sorted(intervention.needs - self.offers)
        )
        if faults:
            raise InterventionError(
                Message.of("model-change-unfit", faults=faults),
                hint=Message("model-change-unfit-hint"),
            )

    def _refuse_empty_rows(self) -> None:
        for site in self.sites:
            for layer in range(site.n_layers):
                if not any(effect.weighs(site, layer) for effect in self._effects):
                    continue
                seen = self._seen(site, layer, *self.size(site)[1:])
                _, heads, queries = np.nonzero(~seen.any(-1).cpu().numpy())
                if len(heads):
                    whole = len(heads) == seen.shape[1] * seen.shape[2]
                    row = {} if whole else {"row": int(queries[0]) + 1, "head": int(heads[0]) + 1}
                    raise InterventionError(
                        Message.of(
                            f"model-change-nothing-left-{'layer' if whole else 'row'}",
                            layer=layer + 1,
                            **site_words(site),
                            **row,
                        ),
                        hint=LEAVE_ONE,
                    )
                for effect in self._effects:
                    effect.check(site, layer, seen)

    def _seen(self, site: AttentionSite, layer: int, n_queries: int, n_keys: int) -> Tensor:
        """Where may be looked: bool (B, H, n_queries, n_keys)."""
        own = causal_mask(n_keys) if site.causal else torch.ones(1, dtype=torch.bool)
        seen: Tensor | None = own.to(self.device)
        for effect in self._effects:
            seen = effect.seen((site.name, layer), seen, slice(n_queries), n_keys)
        return seen.expand(self.n_items, site.n_heads, n_queries, n_keys)


def _weighed_anew(
    site: AttentionSite, weights: Tensor, scores: Tensor, own: Tensor | None, seen: Tensor | None
) -> Tensor:
    """The softmax under another mask; what a site multiplies its softmax by, a Gaussian, stays."""
    anew = attention_weights(scores, seen)
    if site.normalised:
        return anew
    softmax = attention_weights(scores, own)
    return anew * torch.where(softmax > 0, weights / softmax, 0.0)


def head_means_of(card: CheckpointCard, model: Any) -> HeadMeans | None:
    """The stored mean outputs of the heads, where there are such of this model's shape."""
    stored = card.lies(INTERVENTIONS).values.get("head_means")
    if not isinstance(stored, dict):
        return None
    try:
        means = {s.name: torch.tensor(stored[s.name], dtype=torch.float32) for s in model.sites}
    except (KeyError, TypeError, ValueError):
        return None
    size = model.changed_as.head_size(model)
    sound = all(
        means[site.name].shape == (site.n_layers, site.n_heads, size)
        and bool(means[site.name].isfinite().all())
        for site in model.sites
    )
    return means if sound else None


@contextmanager
def intervening(
    model: Any,
    interventions: Intervention | Sequence[Intervention],
    *,
    n_src: int,
    n_tgt: int,
    means: HeadMeans | None = None,
) -> Iterator[Intervened]:
    """The model with something changed, for this thread and inside the `with` only: one
    intervention, or one for every item of a batch, for sources of `n_src` tokens, ``</s>``
    included, and decoders that read at most `n_tgt`, ``<s>`` included. `means` is what "mean" puts
    in the place of a head's output.

    How, the model's `changed_as` says, an heir of `Intervened`. Changes go through hooks that keep
    to this thread (see `listening`); `capture_attention` opened inside hears the changed weights.
    Where a layer has nothing changed it has no hook, so no intervention computes bit for bit what
    the model does. InterventionError where a layer, head or position does not exist, a row is left
    with nothing to look at, or a given row looks where it may not."""
    if isinstance(interventions, Intervention):
        interventions = (interventions,)
    intervened = model.changed_as(model, tuple(interventions), n_src, n_tgt, means)
    with listening(intervened.hooks(), intervened.pre_hooks()):
        yield intervened
