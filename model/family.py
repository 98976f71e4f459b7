"""What a family of models offers: all that the rest of the project asks of an architecture."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import torch
from torch import nn

from core.architecture import Drawing
from core.attention import ROW_SUM_TOLERANCE, AttentionSite
from core.scenes import GRID
from core.sources import Sides
from words import Message
from words.message import said_by

from .attention import MultiHeadAttention
from .block import residuals_of
from .capture import Captured, capture_attention, probes_of
from .read import sides_of
from .sources import TEXT, SourceKind
from .tokenizer import SPECIAL, TextTokenizer


def _offers(*names: str) -> Callable[[nn.Module], bool]:
    return lambda model: all(getattr(model, name, None) is not None for name in names)


def _changes(name: str) -> Callable[[nn.Module], bool]:
    return lambda model: name in getattr(getattr(model, "changed_as", None), "offers", ())


_STACKS = ("encode", "decode_hidden", "logits", "embedding", "encoder_layers", "decoder_layers")
CAPABILITIES: dict[str, Callable[[nn.Module], bool]] = {
    # To be searched step by step (`Seq2SeqModel`); to read a given target in one pass.
    "search": _offers("start", "step", "select"),
    "teacher-forcing": lambda model: type(model).forward is not nn.Module.forward,
    # What the weights are worked out from.
    "scores": lambda model: bool(sites_of(model)),
    "vectors": lambda model: any(isinstance(m, MultiHeadAttention) for m in model.modules()),
    "positions": _offers("positions", "embedding"),
    "learned-positions": _offers("source_positions", "target_positions"),
    "relative-positions": _offers("encoder_bias", "decoder_bias"),
    # The quantities of its paper's equations.
    "values": lambda model: bool(getattr(model, "equations", ())),
    # To judge documents, with sentences and words changed (`model.documents`).
    "documents": _offers("judge", "judge_many", "sentence_vectors"),
    # To say what stood in a masked place, and to read from the left only (`model.masked_words`).
    "masked-words": lambda model: hasattr(getattr(model, "config", None), "mask_id"),
    # To tell a scene in words, looking at the cells of its picture.
    "scene": lambda model: any(site.grid == GRID for site in sites_of(model)),
    # What takes a stack of self-attention apart.
    "rollout": lambda model: any(site.is_self for site in sites_of(model)),
    "order": _offers("encode", "embedding", "positions"),
    "padding": _offers("encode", "decode", "source_padding"),
    # What takes a block apart: what each sub-layer adds, the states it leaves.
    "block": lambda model: _offers(*_STACKS)(model) and bool(residuals_of(model)),
    # What every node of a search looked at, in one batch; others walk the tree.
    "tree-attention": _offers("start", "decoder_layers"),
    # What may be changed in a run, by `changed_as` (`model.intervene.Intervened`); "changes" stands
    # for any of them.
    "changes": _offers("changed_as", "embedding", "logits"),
    **{
        name: _changes(name)
        for name in (
            *("change-hide", "change-unread", "change-mask", "change-ablate", "change-row"),
            *("change-positions", "change-causal", "change-residual", "change-norm"),
        )
    },
}
"""Everything that a family may offer, and what a model must have for it."""


Sources = Literal["vector", "attention", "self"]
"""How a decoder gets its source: one vector, attention over a recurrent network, or that alone."""
Training = Literal[
    "teacher-forcing", "shared-output", "encoder-decoder", "captions", "judging", "masked-words"
]
"""How a family is trained, by the names of `training.families.HOOKS`."""


@dataclass(frozen=True)
class Paper:
    """The paper of an architecture, as the timeline of the lineage tells it: called
    ``timeline-<family>`` in the message files, and what was new ``timeline-<family>-new``."""

    at: float  # when its conference was, in years
    sources: Sources
    attention: str  # how it attends, where its config does not say
    equation: str  # what it changed, as KaTeX
    shown_by: str = ""  # the checkpoint to open, where the first of several is not the one


@dataclass(frozen=True)
class Family:
    """An architecture, as checkpoints name it."""

    name: str  # the "architecture" of config.json
    # A frozen dataclass of what config.json holds beside that. Its fields are whole numbers,
    # numbers, strings (with `Literal` for the allowed ones), truth values or tuples of these;
    # `faults()` gives a message for everything that is wrong.
    config: type
    # From a config to a model with random weights. The model keeps its config as `config` and says
    # where it attends as `sites`; its weights pass through an `AttentionProbe`. How it is run with
    # something changed, it says as `changed_as`.
    build: Callable[[Any], nn.Module]
    capabilities: frozenset[str] = frozenset()  # of `CAPABILITIES`
    # What of these a model of some config has not; nothing by default.
    excludes: Callable[[Any], frozenset[str]] = lambda config: frozenset()
    reads: SourceKind = TEXT
    # For "source" and "target" the entry of the config that counts the pieces. A family without
    # "target" writes no text.
    vocabularies: Mapping[str, str] = field(
        default_factory=lambda: {"source": "vocab_size", "target": "vocab_size"}
    )
    # For entries of the config the token whose id they are, in every vocabulary.
    special_tokens: Mapping[str, str] = field(default_factory=lambda: dict(SPECIAL))
    # From a config to the figure of the architecture; without one there is no map of the model.
    drawing: Callable[[Any], Drawing] | None = None
    training: Training | None = None  # None where it cannot be trained here
    paper: Paper | None = None

    def __post_init__(self) -> None:
        entries = {f.name for f in dataclasses.fields(self.config)}
        unknown = {*self.vocabularies.values(), *self.special_tokens} - entries
        if unknown:
            raise ValueError(f"the config of {self.name!r} lacks {', '.join(sorted(unknown))}")

    def offers(self, config: Any) -> frozenset[str]:
        """The capabilities of a model with that config."""
        return self.capabilities - self.excludes(config)

    @property
    def writes(self) -> bool:
        """Whether it produces a text."""
        return "target" in self.vocabularies


def sites_of(model: nn.Module) -> tuple[AttentionSite, ...]:
    """Where a model says that it attends; nowhere when it says nothing."""
    return tuple(getattr(model, "sites", ()))


def config_of(model: nn.Module) -> Any:
    """The config that a model was built from."""
    return model.config


def failure(error: Exception) -> Message:
    """That a model could not be built or run."""
    return Message.of("model-family-fails", error=said_by(error))


def structure_faults(family: Family, model: nn.Module) -> list[Message]:
    """What a model lacks of what its family claims, and where its sites are not its probes'."""
    faults = []
    for capability in sorted(family.offers(config_of(model))):
        if capability not in CAPABILITIES:
            faults.append(Message.of("model-family-unknown-capability", capability=capability))
        elif not CAPABILITIES[capability](model):
            faults.append(Message.of("model-family-absent", capability=capability))
    declared = {site.name: site for site in sites_of(model)}
    layers: dict[str, set[int]] = {name: set() for name in declared}
    for probe in probes_of(model):
        if probe.kind not in declared:
            faults.append(Message.of("model-site-undeclared", site=probe.kind))
        layers.setdefault(probe.kind, set()).add(probe.layer)
    for name, site in declared.items():
        if layers[name] != set(range(site.n_layers)):
            counts = {"n": site.n_layers, "found": len(layers[name])}
            faults.append(Message.of("model-site-layers", site=name, **counts))
    return faults


@torch.inference_mode()
def trial_faults(
    family: Family, model: nn.Module, tokenizer: TextTokenizer | None
) -> list[Message]:
    """Where one short pass contradicts the sites of the model, or fails."""
    try:
        source = family.reads.parse(family.reads.sample(sites_of(model)), tokenizer)
        inputs = [family.reads.tensor(source)]
        if family.writes:
            inputs.append(torch.tensor([[config_of(model).bos_id]]))
        with capture_attention(model, scores=True) as captured:
            model(*inputs)
    except Exception as error:  # whatever a model of somebody else may raise
        return [failure(error)]
    sides = sides_of(source, ("<s>",) if family.writes else ())
    faults = [fault for site in sites_of(model) for fault in _site_faults(site, captured, sides)]
    if "scores" in family.offers(config_of(model)):
        faults += [
            Message.of("model-site-scores", site=site.name)
            for site in sites_of(model)
            if site.name in captured.kinds and not captured.has_scores(site.name)
        ]
    return faults


def _site_faults(site: AttentionSite, captured: Captured, sides: Sides) -> list[Message]:
    if site.name not in captured.kinds:
        return [Message.of("model-site-silent", site=site.name)]
    unknown = sorted({site.query, site.key} - sides.keys())
    if unknown:
        known = ", ".join(map(repr, sides))
        return [Message.of("model-site-side", site=site.name, side=repr(unknown[0]), known=known)]
    faults = []
    if site.has_values and not captured.tells_values(site.name):
        faults.append(Message.of("model-site-values", site=site.name))
    weights = captured.weights(site.name)
    if weights.shape[2] != site.n_heads:
        counts = {"n": site.n_heads, "found": weights.shape[2]}
        faults.append(Message.of("model-site-heads", site=site.name, **counts))
    size = (len(sides[site.query][0]), len(sides[site.key][0]))
    if weights.shape[-2:] != size:
        sizes = {"found": str(weights.shape[-2:]), "expected": str(size)}
        faults.append(Message.of("model-site-size", site=site.name, **sizes))
    furthest = float(np.abs(weights.sum(axis=-1) - 1.0).max(initial=0.0))
    if site.normalised and not furthest <= ROW_SUM_TOLERANCE:
        faults.append(Message.of("model-site-rows", site=site.name))
    return faults
