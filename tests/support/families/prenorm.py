"""A Transformer of somebody else: settings of ours, and beside them what no config tells.

Its norms come before, its output layer is its own with a bias; but its units are squared (So et al.
2021), a second table of positions is added where nobody looks, and nothing is cached. `FAMILY`
claims what is true of it. `BOASTING` claims all that the project's own Transformer does, as a
copied line of capabilities would; `OTHER_NAMES` calls its parts what nobody here knows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from model.config import TransformerConfig
from model.families.base import Family
from model.families.transformer import FAMILY as TRANSFORMER
from model.families.transformer import Transformer
from model.hooks.capture import probes_of
from model.hooks.transformer_effects import ChangedTransformer
from model.nets.sublayers import FeedForward, residuals_of


class Squared(FeedForward):
    def units(self, x: Tensor) -> Tensor:
        return super().units(x) ** 2


@dataclass(frozen=True)
class ReadAgain:
    """The source's memory (1, T_src, d_model) and all ids (K, t) so far."""

    memory: Tensor
    ids: Tensor


class Changed(ChangedTransformer):
    """Under a change too, every step reads its prefix again."""

    def __init__(self, *given) -> None:
        super().__init__(*given)
        self._causal = False


class PreNorm(Transformer):
    changed_as = Changed

    def __init__(self, config: TransformerConfig) -> None:
        ours = {"norm": "before", "final_norm": True, "tied_output": False, "output_bias": True}
        super().__init__(replace(config, **ours))
        for layer in (*self.encoder_layers, *self.decoder_layers):
            layer.feed_forward = Squared(config.d_model, config.d_ff)
        self.places = nn.Embedding(config.max_len, config.d_model)
        for parameter in self.parameters():
            nn.init.normal_(parameter, std=0.5)

    def embed(self, ids: Tensor, start: int = 0) -> Tensor:
        return super().embed(ids, start) + self.places.weight[start : start + ids.shape[1]]

    def embed_target(self, ids: Tensor, start: int = 0) -> Tensor:
        return super().embed_target(ids, start) + self.places.weight[start : start + ids.shape[1]]

    def start(self, src: Tensor) -> ReadAgain:
        return ReadAgain(self.encode(src), src[:, :0])

    def step(self, state: ReadAgain, prev: Tensor) -> tuple[Tensor, ReadAgain]:
        ids = torch.cat((state.ids.expand(len(prev), -1), prev[:, None]), dim=1)
        hidden = self.decode_hidden(ids, state.memory.expand(len(prev), -1, -1))[:, -1]
        return self.logits(hidden).log_softmax(dim=-1), ReadAgain(state.memory, ids)

    def select(self, state: ReadAgain, rows: Tensor) -> ReadAgain:
        return ReadAgain(state.memory, state.ids[rows])


FALSE = frozenset({"tree-attention", "order", "positions", "change-positions"})
FAMILY = Family(
    name="toy-pre-norm",
    config=TransformerConfig,
    build=PreNorm,
    capabilities=TRANSFORMER.capabilities - FALSE,
    excludes=TRANSFORMER.excludes,
)
BOASTING = replace(FAMILY, name="toy-boasting", capabilities=TRANSFORMER.capabilities)
EXAMPLE = "The dog runs."


def config(vocab_size: int) -> TransformerConfig:
    return TransformerConfig(vocab_size, 8, 2, 2, 2, 16, max_len=40)


def renamed(config: TransformerConfig) -> PreNorm:
    """The same with names of its own for its sites and for a sub-layer."""
    model = PreNorm(config)
    model.sites = tuple(replace(site, name=f"{site.name}_of_mine") for site in model.sites)
    sites = {site.name.removesuffix("_of_mine"): site for site in model.sites}
    for probe in probes_of(model):
        probe.site = sites[probe.site_id]
    for residual in residuals_of(model):
        if residual.sublayer.name == "self":
            residual.sublayer = replace(residual.sublayer, name="recurrence")
    return model


OTHER_NAMES = replace(FAMILY, name="toy-other-names", build=renamed)
