"""Detect features that a model provably lacks.

A view that needs a missing capability says why it is missing. "The model has nothing of the kind"
is said only if it is certain: for a foreign architecture, an unknown feature is not an absent one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from torch import nn

from ..families.base import Family, config_of, sites_of
from ..nets.attention import AttentionProbe
from ..nets.sublayers import SSRU
from ..sources import SCENE

# Names, because a foreign model may attend without a probe: a match means "maybe", none "certainly
# not".
_ATTENDS = re.compile(r"att(entio)?n|attend|query|q_proj|qkv", re.IGNORECASE)
_POSITIONS = re.compile(r"pos|place|wpe|rotary|alibi", re.IGNORECASE)
_NORMS = re.compile(r"norm|gamma|gain|\bln", re.IGNORECASE)


@dataclass(frozen=True)
class Fact:
    """Feature that a model may lack; the message is ``none-<id>``."""

    holds: Callable[[Family, nn.Module], bool]  # True if the feature is certainly absent
    settles: tuple[str, ...]  # needs of views that fail for that reason


def _names(module: nn.Module) -> Iterator[str]:
    """Yield the names of a module's class, children, parameters and buffers."""
    yield type(module).__name__
    for named in (module.named_children(), module.named_parameters(recurse=False)):
        yield from (name for name, _ in named)
    yield from (name for name, _ in module.named_buffers(recurse=False))


def _called(model: nn.Module, pattern: re.Pattern[str]) -> list[nn.Module]:
    """Return the parts of a model with a name that matches `pattern`."""
    return [part for part in model.modules() if any(map(pattern.search, _names(part)))]


def _sites_tell_all(model: nn.Module) -> bool:
    """Return True if everything named like an attention contains a probe.

    Then the sites are all the attention that there is.
    """
    return all(
        any(isinstance(module, AttentionProbe) for module in part.modules())
        for part in _called(model, _ATTENDS)
    )


def _one_head(family: Family, model: nn.Module) -> bool:
    """Return True if the model has at most one head in all."""
    heads = sum(site.n_layers * site.n_heads for site in sites_of(model))
    return _sites_tell_all(model) and heads <= 1


def _reads_in_order(family: Family, model: nn.Module) -> bool:
    """Return True if a model is recurrent and has no positions.

    No part may be named after positions, and no tensor may be as long as the longest text.
    """
    longest = getattr(config_of(model), "max_len", None)
    tensors = (*model.parameters(), *model.buffers())
    return (
        any(isinstance(part, nn.RNNBase | nn.RNNCellBase) for part in model.modules())
        and not any(site.is_self for site in sites_of(model))
        and not _called(model, _POSITIONS)
        and not any(longest in tensor.shape for tensor in tensors)
    )


def _writes_nothing(family: Family, model: nn.Module) -> bool:
    """Return True if a family declares no output and its model cannot be a writer.

    A model with classes, or one that attends to both sides of a word, is no writer.
    """
    sites = sites_of(model)
    both_sides = any(site.is_self for site in sites) and not any(site.causal for site in sites)
    return not family.writes and (both_sides or hasattr(config_of(model), "classes"))


FACTS: dict[str, Fact] = {
    "writing": Fact(_writes_nothing, ("search", "teacher-forcing")),
    # A source without a vocabulary is a picture or a grid.
    "text": Fact(lambda family, model: "source" not in family.vocabularies, ("text",)),
    "scene": Fact(lambda family, model: family.reads.parse is not SCENE.parse, ("scene",)),
    "attention": Fact(
        lambda family, model: not sites_of(model) and not _called(model, _ATTENDS),
        (
            *("any-attention", "self-attention", "causal-attention", "source-attention"),
            *("several-heads", "scores"),
            *("vectors", "rollout", "change-mask", "change-ablate", "change-row", "change-causal"),
        ),
    ),
    "self-attention": Fact(
        lambda family, model: (
            _sites_tell_all(model) and not any(site.is_self for site in sites_of(model))
        ),
        ("self-attention", "rollout"),
    ),
    # Before "causal-attention": of two facts that settle a need the first is reported, and this one
    # says more.
    "recurrence": Fact(
        lambda family, model: any(isinstance(part, SSRU) for part in model.modules()),
        ("causal-attention", "change-causal"),
    ),
    "causal-attention": Fact(
        lambda family, model: (
            _sites_tell_all(model) and not any(site.causal for site in sites_of(model))
        ),
        ("causal-attention", "change-causal"),
    ),
    "source-attention": Fact(
        lambda family, model: (
            _sites_tell_all(model)
            and not any((site.query, site.key) == ("target", "source") for site in sites_of(model))
        ),
        ("source-attention",),
    ),
    "several-heads": Fact(_one_head, ("several-heads",)),
    "positions": Fact(
        _reads_in_order,
        ("positions", "learned-positions", "position-table", "change-positions"),
    ),
    "layer-norm": Fact(lambda family, model: not _called(model, _NORMS), ("block", "change-norm")),
}
"""Facts by id; if several settle a need, the first is reported."""


def lacking(family: Family, model: nn.Module) -> dict[str, str]:
    """Return the needs that are settled for a model, each with the id of its fact."""
    settled: dict[str, str] = {}
    for name, fact in FACTS.items():
        if fact.holds(family, model):
            settled |= {need: name for need in fact.settles if need not in settled}
    return settled
