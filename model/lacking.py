"""What a model has nothing of, where that can be seen on itself.

A view that needs what a model does not offer says why. That the model has nothing of the kind is
said only where it is certain: of an architecture of somebody else, not knowing is no proof.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from torch import nn

from .attention import AttentionProbe
from .block import SSRU
from .family import Family, config_of, sites_of
from .sources import SCENE

_ATTENDS = re.compile(r"att(entio)?n|attend|query|q_proj|qkv", re.IGNORECASE)
_POSITIONS = re.compile(r"pos|place|wpe|rotary|alibi", re.IGNORECASE)
_NORMS = re.compile(r"norm|gamma|gain|\bln", re.IGNORECASE)


@dataclass(frozen=True)
class Fact:
    """Something that a model may have nothing of; it is said as ``none-<id>``."""

    holds: Callable[[Family, nn.Module], bool]  # whether it has nothing of it for certain
    settles: tuple[str, ...]  # the needs of views that are then not met for that reason


def _names(module: nn.Module) -> Iterator[str]:
    """How a module and what it holds itself are called."""
    yield type(module).__name__
    for named in (module.named_children(), module.named_parameters(recurse=False)):
        yield from (name for name, _ in named)
    yield from (name for name, _ in module.named_buffers(recurse=False))


def _called(model: nn.Module, pattern: re.Pattern[str]) -> list[nn.Module]:
    return [part for part in model.modules() if any(map(pattern.search, _names(part)))]


def _sites_tell_all(model: nn.Module) -> bool:
    """Whether all that is called an attention has a probe, and so one of the model's sites."""
    return all(
        any(isinstance(module, AttentionProbe) for module in part.modules())
        for part in _called(model, _ATTENDS)
    )


def _one_head(family: Family, model: nn.Module) -> bool:
    heads = sum(site.n_layers * site.n_heads for site in sites_of(model))
    return _sites_tell_all(model) and heads <= 1


def _reads_in_order(family: Family, model: nn.Module) -> bool:
    """It is recurrent, and nothing in it is named after places or as long as its longest text."""
    longest = getattr(config_of(model), "max_len", None)
    tensors = (*model.parameters(), *model.buffers())
    return (
        any(isinstance(part, nn.RNNBase | nn.RNNCellBase) for part in model.modules())
        and not any(site.is_self for site in sites_of(model))
        and not _called(model, _POSITIONS)
        and not any(longest in tensor.shape for tensor in tensors)
    )


def _writes_nothing(family: Family, model: nn.Module) -> bool:
    """It says so, and judges, or looks to both sides of a word, which no writer can."""
    sites = sites_of(model)
    both_sides = any(site.is_self for site in sites) and not any(site.causal for site in sites)
    return not family.writes and (both_sides or hasattr(config_of(model), "classes"))


FACTS: dict[str, Fact] = {
    "writing": Fact(_writes_nothing, ("search", "teacher-forcing")),
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
"""Of several facts that settle a need the first is said."""


def lacking(family: Family, model: nn.Module) -> dict[str, str]:
    """For each need that is settled by a fact of `FACTS` which holds for the model, that fact."""
    settled: dict[str, str] = {}
    for name, fact in FACTS.items():
        if fact.holds(family, model):
            settled |= {need: name for need in fact.settles if need not in settled}
    return settled
