"""Interface of a model family: everything that the project asks of an architecture."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from torch import nn

from core.records.architecture import Drawing
from core.records.attention import AttentionSite
from core.records.scenes import GRID

from ..nets.multi_head import MultiHeadAttention
from ..nets.sublayers import residuals_of
from ..sources import TEXT, SourceKind
from ..special_tokens import SPECIAL


def _offers(*names: str) -> Callable[[nn.Module], bool]:
    """Return a test that a model has all the attributes `names`, none of them None."""
    return lambda model: all(getattr(model, name, None) is not None for name in names)


def _changes(name: str) -> Callable[[nn.Module], bool]:
    """Return a test that a model's `changed_as` supports the kind of change `name`."""
    return lambda model: name in getattr(getattr(model, "changed_as", None), "offers", ())


_STACKS = ("encode", "decode_hidden", "logits", "embedding", "encoder_layers", "decoder_layers")
CAPABILITIES: dict[str, Callable[[nn.Module], bool]] = {
    # Stepwise search (`Seq2SeqModel`), and reading a given target in one pass.
    "search": _offers("start", "step", "select"),
    # `nn.Module` has a `forward` of its own that only raises.
    "teacher-forcing": lambda model: type(model).forward is not nn.Module.forward,
    # Quantities from which the weights are computed.
    "scores": lambda model: bool(sites_of(model)),
    "vectors": lambda model: any(isinstance(m, MultiHeadAttention) for m in model.modules()),
    "positions": _offers("positions", "embedding"),
    "learned-positions": _offers("source_positions", "target_positions"),
    "relative-positions": _offers("encoder_bias", "decoder_bias"),
    # The quantities of its paper's equations.
    "values": lambda model: bool(getattr(model, "equations", ())),
    # Classification of documents, with sentences and words changed (`model.readers.documents`).
    "documents": _offers("judge", "judge_many", "sentence_vectors"),
    # Prediction of masked words, from both sides or from the left (`model.readers.masked_words`).
    "masked-words": lambda model: hasattr(getattr(model, "config", None), "mask_id"),
    # Captions of a scene, attending to the cells of its picture.
    "scene": lambda model: any(site.grid == GRID for site in sites_of(model)),
    # Analyses of a stack of self-attention, whose parts `model.experiments.protocol` describes.
    "rollout": lambda model: any(site.is_self for site in sites_of(model)),
    "order": _offers("encode", "embedding", "positions"),
    "padding": _offers("encode", "decode", "source_padding"),
    # Analyses of a block: what each sub-layer adds, the states between them.
    "block": lambda model: _offers(*_STACKS)(model) and bool(residuals_of(model)),
    # Attention of all nodes of a search tree in one batch; other models walk the tree.
    "tree-attention": _offers("start", "decoder_layers"),
    # Kinds of change that `changed_as` (`model.hooks.interventions.Intervened`) supports; "changes"
    # stands for any of them.
    "changes": _offers("changed_as", "embedding", "logits"),
    **{
        name: _changes(name)
        for name in (
            *("change-hide", "change-unread", "change-mask", "change-ablate", "change-row"),
            *("change-positions", "change-causal", "change-residual", "change-norm"),
        )
    },
}
"""Every capability that a family may offer, with a test that a model has the parts for it."""


Sources = Literal["vector", "attention", "self"]
"""Access of a decoder to its source: one vector, attention over a recurrent encoder, attention
alone."""
Training = Literal[
    "teacher-forcing", "shared-output", "encoder-decoder", "captions", "judging", "masked-words"
]
"""Training procedures by their names in `training.objectives.families.HOOKS`."""


@dataclass(frozen=True)
class Paper:
    """Paper of an architecture as the timeline of the lineage shows it.

    Its title is the message ``timeline-<family>``, its novelty ``timeline-<family>-new``.
    """

    at: float  # date of its conference, in years
    sources: Sources
    attention: str  # kind of attention, used where the config does not say
    equation: str  # its central equation, as KaTeX
    shown_by: str = ""  # checkpoint to open, if not the first of several


@dataclass(frozen=True)
class Family:
    """Architecture that checkpoints can name."""

    name: str  # the "architecture" of config.json
    # Frozen dataclass of the other entries of config.json. Its fields are int, float, str (with
    # `Literal` for allowed values), bool, or tuples of these; `faults()` returns a message for
    # everything that is wrong.
    config: type
    # Builds a model with random weights from a config. The model keeps it as `config` and declares
    # its attention as `sites`; its weights pass through an `AttentionProbe`. `changed_as` is the
    # class that runs it under interventions.
    build: Callable[[Any], nn.Module]
    capabilities: frozenset[str] = frozenset()  # of `CAPABILITIES`
    # Capabilities that a model of some config lacks; none by default.
    excludes: Callable[[Any], frozenset[str]] = lambda config: frozenset()
    reads: SourceKind = TEXT
    # Entry of the config that counts the pieces of "source" and of "target". A family without
    # "target" writes no text.
    vocabularies: Mapping[str, str] = field(
        default_factory=lambda: {"source": "vocab_size", "target": "vocab_size"}
    )
    # Token by the entry of the config that holds its id, the same in every vocabulary.
    special_tokens: Mapping[str, str] = field(default_factory=lambda: dict(SPECIAL))
    # Builds the figure of the architecture from a config; without it there is no model map.
    drawing: Callable[[Any], Drawing] | None = None
    training: Training | None = None  # None if it cannot be trained here
    paper: Paper | None = None

    def __post_init__(self) -> None:
        # A typo in a declaration should fail where the family is written, not when a checkpoint is
        # loaded.
        entries = {f.name for f in dataclasses.fields(self.config)}
        unknown = {*self.vocabularies.values(), *self.special_tokens} - entries
        if unknown:
            raise ValueError(f"the config of {self.name!r} lacks {', '.join(sorted(unknown))}")

    def offers(self, config: Any) -> frozenset[str]:
        """Return the capabilities of a model with `config`."""
        return self.capabilities - self.excludes(config)

    @property
    def writes(self) -> bool:
        """True if the family produces text."""
        return "target" in self.vocabularies


def sites_of(model: nn.Module) -> tuple[AttentionSite, ...]:
    """Return the attention sites that a model declares; none if it declares nothing."""
    return tuple(getattr(model, "sites", ()))


def site_across(model: Any) -> AttentionSite | None:
    """Return the site at which the target attends to the source, or None."""
    sites = (site for site in model.sites if (site.query, site.key) == ("target", "source"))
    return next(sites, None)


def config_of(model: nn.Module) -> Any:
    """Return the config that a model was built from."""
    return model.config
