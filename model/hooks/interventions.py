"""Run a model with some of its inputs, masks or activations changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, ClassVar, TypeVar

import numpy as np
import torch
from torch import Tensor, nn

from core.card import CheckpointCard
from core.interventions.base import Room
from core.interventions.intervention import Intervention
from core.measurements import INTERVENTIONS
from core.records.attention import AttentionSite
from words import Message, site_title

from ..errors import InterventionError
from ..nets.attention import AttentionProbe, causal_mask, reweighted
from ..nets.sublayers import sublayers_of
from .activations import changing, has_probe, head_points
from .capture import ForwardHook, ForwardPreHook, listening, probes_of
from .effects import ChangeEffect, HeadMeans, Layer, is_single_head

LEAVE_ONE = Message("model-change-nothing-left-hint")
_Effect = TypeVar("_Effect", bound=ChangeEffect)


class Intervened:
    """Model under interventions, itself a `Seq2SeqModel`: the part that all families share.

    Created by `intervening`; valid inside its ``with`` and on its thread only. With several
    interventions, item b of every batch runs under the b-th; a source or target given once serves
    all of them.

    A model names its subclass as `changed_as`: `ChangedTransformer` in
    `model.hooks.transformer_effects`, `ChangedStepwise` in `model.families.stepwise`.

    Subclasses run one family's models: `start`, `step`, `select`, `forward`, and `hidden`, the part
    of `forward` before the output layer. They call `_begin` before every pass, and list the
    supported `effects` in the order in which they act. `offers` are the capabilities that these
    effects need.
    """

    effects: ClassVar[tuple[type[ChangeEffect], ...]] = ()
    offers: ClassVar[frozenset[str]] = frozenset()

    def __init_subclass__(cls) -> None:
        """Derive `offers` from `effects`."""
        cls.offers = frozenset(effect.change_type.needs for effect in cls.effects)

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
        self._first_query = 0  # position of the first query row of the current pass
        self._calls: Counter[AttentionProbe] = Counter()  # calls of stepwise probes in this pass
        for intervention in interventions:
            self._check(intervention)
        self._effects = tuple(effect(self, interventions) for effect in self.effects)
        # Refused before the pass, with a message that names the row; inside it would end in NaN.
        self._refuse_empty_rows()

    # -- running the model --

    def hidden(self, src: Tensor, tgt: Tensor) -> Tensor:
        """Return the states before the output layer, (B, T_tgt, d_model).

        `src` (1 or B, T_src) and `tgt` (1 or B, T_tgt) are ids without padding.
        """
        raise NotImplementedError

    def forward(self, src: Tensor, tgt: Tensor) -> Tensor:
        """Return the logits (B, T_tgt, V) of ids (1 or B, T_src) and (1 or B, T_tgt), unpadded."""
        return self.model.logits(self.hidden(src, tgt))

    def __call__(self, src: Tensor, tgt: Tensor) -> Tensor:
        return self.forward(src, tgt)

    @staticmethod
    def head_size(model: Any) -> int:
        """Return the width of one head's output."""
        raise NotImplementedError

    @staticmethod
    def activations(model: Any, n_src: int, n_tgt: int) -> int:
        """Estimate how many numbers the largest step of a pass keeps for a gradient."""
        raise NotImplementedError

    def may_look(self, name: str, n_queries: int, n_keys: int) -> np.ndarray:
        """Return where heads may attend under the first intervention, bool (L, H, T_q, T_k)."""
        site = self.site(name)
        layers = (self._allowed(site, i, n_queries, n_keys)[0] for i in range(site.n_layers))
        return np.stack([layer.cpu().numpy() for layer in layers])

    def _begin(self, first_query: int = 0) -> None:
        """Begin a pass whose first target row is `first_query`."""
        self._first_query = first_query
        self._calls.clear()

    def _for_all(self, ids: Tensor) -> Tensor:
        """Repeat a single sequence of ids for every intervention."""
        return ids.expand(self.n_items, -1) if len(ids) == 1 else ids

    # -- used by effects --

    def site(self, name: str) -> AttentionSite:
        """Return the site called `name`."""
        return next(site for site in self.sites if site.name == name)

    def size(self, site: AttentionSite) -> tuple[int, int, int]:
        """Return (H, T_q, T_k) of a site, the lengths being the most that this run reaches."""
        return site.n_heads, self.lengths[site.query], self.lengths[site.key]

    def effect(self, effect_class: type[_Effect]) -> _Effect:
        """Return this run's effect of the class `effect_class`."""
        return next(effect for effect in self._effects if isinstance(effect, effect_class))

    # -- hooks --

    def hooks(self) -> dict[nn.Module, ForwardHook]:
        """Return the forward hooks of this run, by module."""
        hooks: dict[nn.Module, ForwardHook] = {
            probe: self._weigh
            for probe in probes_of(self.model)
            # Layers without a change get no hook and stay bit for bit the same.
            if any(effect.changes_weights(probe.site, probe.layer) for effect in self._effects)
        }
        for effect in self._effects:
            hooks |= effect.hooks()
        return hooks

    @contextmanager
    def changing_outputs(self) -> Iterator[None]:
        """Change the outputs of heads in passes inside the ``with``."""
        changed = {
            (site.name, layer)
            for site in self.sites
            for layer in range(site.n_layers)
            if any(effect.changes_outputs((site.name, layer)) for effect in self._effects)
        }
        if not changed:
            yield
            return
        points = {
            point.name: point
            for part in self.model.modules()
            if has_probe(part) and (part.probe.site_id, part.probe.layer) in changed
            for point in head_points(part)
        }
        changes = {
            f"{site}.{layer}.z": partial(self._outputs, (site, layer)) for site, layer in changed
        }
        with changing(points, changes):
            yield

    def pre_hooks(self) -> dict[nn.Module, ForwardPreHook]:
        """Return the forward pre-hooks of this run, by module."""
        hooks: dict[nn.Module, ForwardPreHook] = {}
        for effect in self._effects:
            hooks |= effect.pre_hooks()
        return hooks

    def _weigh(self, probe: Any, inputs: tuple[Any, ...], weights: Tensor) -> Tensor:
        """Hook of a probe: reweight under the changed mask, then apply each effect."""
        _, scores, mask = inputs[:3]
        at = (probe.site_id, probe.layer)
        first = self._first_row(probe)
        rows = slice(first, first + weights.shape[-2])
        allowed = mask
        for effect in self._effects:
            # The model's mask contains these changes already.
            if not effect.in_model:
                allowed = effect.allow(at, allowed, rows, weights.shape[-1])
        # The softmax of an empty row is NaN, which would spread through the whole pass.
        if allowed is not None and not bool(allowed.any(-1).all()):
            raise InterventionError(
                Message.of("model-change-nothing-left", site=site_title(probe.site_id)),
                hint=LEAVE_ONE,
            )
        # Identity, not equality: effects return the same object if they change nothing.
        if allowed is not mask:
            weights = reweighted(probe.site, weights, (scores, mask), (scores, allowed))
        for effect in self._effects:
            weights = effect.weights(at, weights, allowed, rows)
        return weights

    def _first_row(self, probe: AttentionProbe) -> int:
        """Return the target row of the first query of this call; 0 for queries of the source."""
        if probe.site.query != "target":
            return 0
        if probe.one_call != "step":
            return self._first_query
        self._calls[probe] += 1
        return self._first_query + self._calls[probe] - 1

    def _outputs(self, at: Layer, heads: Tensor, _name: str) -> Tensor:
        """Change of ``z``: ablate outputs of heads (B, H, T_q, d) before they are mixed."""
        for effect in self._effects:
            heads = effect.outputs(at, heads)
        return heads

    # -- refusals --

    def _check(self, intervention: Intervention) -> None:
        """Raise InterventionError if the model or the texts do not allow an intervention."""
        most = self.config.max_len
        # A target position may lie beyond the end of this run.
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
        """Raise InterventionError if a change leaves a query nothing to attend to."""
        for site in self.sites:
            for layer in range(site.n_layers):
                if not any(effect.changes_weights(site, layer) for effect in self._effects):
                    continue
                allowed = self._allowed(site, layer, *self.size(site)[1:])
                _, heads, queries = np.nonzero(~allowed.any(-1).cpu().numpy())
                if len(heads):
                    if len(heads) == allowed.shape[1] * allowed.shape[2]:
                        message = _empty_layer(site, layer)
                    else:
                        message = _empty_row(site, layer, int(heads[0]), int(queries[0]))
                    raise InterventionError(message, hint=LEAVE_ONE)
                for effect in self._effects:
                    effect.check(site, layer, allowed)

    def _allowed(self, site: AttentionSite, layer: int, n_queries: int, n_keys: int) -> Tensor:
        """Return where heads may attend, bool (B, H, n_queries, n_keys)."""
        mask = causal_mask(n_keys) if site.causal else torch.ones(1, dtype=torch.bool)
        allowed: Tensor | None = mask.to(self.device)
        for effect in self._effects:
            allowed = effect.allow((site.name, layer), allowed, slice(n_queries), n_keys)
        assert allowed is not None  # effects only narrow what is there
        return allowed.expand(self.n_items, site.n_heads, n_queries, n_keys)


def _empty_layer(site: AttentionSite, layer: int) -> Message:
    """Say that no head of a layer has a key left to attend to."""
    return Message.of(
        "model-change-nothing-left-layer",
        site=site_title(site.name),
        single=is_single_head(site),
        layer=layer + 1,
    )


def _empty_row(site: AttentionSite, layer: int, head: int, query: int) -> Message:
    """Say that one query of a head has no key left to attend to."""
    return Message.of(
        "model-change-nothing-left-row",
        site=site_title(site.name),
        single=is_single_head(site),
        layer=layer + 1,
        head=head + 1,
        row=query + 1,
    )


def head_means_of(card: CheckpointCard, model: Any) -> HeadMeans | None:
    """Return the stored mean outputs of heads, or None if they are missing or unfit."""
    stored = card.measured(INTERVENTIONS).values.get("head_means")
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
    """Run `model` under interventions, for this thread and inside the ``with`` only.

    The model's `changed_as`, a subclass of `Intervened`, applies the changes through hooks that
    keep to this thread (see `listening`). `capture_attention` opened inside records the changed
    weights. Layers without a change have no hook, so an empty intervention computes bit for bit
    what the model does.

    Parameters
    ----------
    interventions : Intervention or sequence of them
        One, or one for every item of a batch.
    n_src : int
        Source tokens, ``</s>`` included.
    n_tgt : int
        Most tokens that the decoder reads, ``<s>`` included.
    means : HeadMeans, optional
        Replacements of a head's output under mean ablation.

    Raises
    ------
    InterventionError
        If a layer, head or position does not exist, a row is left without keys, or a given row
        puts weight on a masked key.
    """
    if isinstance(interventions, Intervention):
        interventions = (interventions,)
    intervened = model.changed_as(model, tuple(interventions), n_src, n_tgt, means)
    with listening(intervened.hooks(), intervened.pre_hooks()), intervened.changing_outputs():
        yield intervened
