"""A Transformer as many write it: pre-norm, GELU, learned positions, output with bias, no cache.

`FAMILY` claims what is true of it. `BOASTING` claims all that the project's own Transformer does,
as a copied line of capabilities would; `OTHER_NAMES` calls its parts what nobody here knows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from model.block import FeedForward, Residual, residuals_of
from model.capture import probes_of
from model.config import TransformerConfig
from model.families.transformer import FAMILY as TRANSFORMER
from model.family import Family
from model.transformer import DecoderLayer, EncoderLayer, Transformer
from model.transformer_changes import ChangedTransformer


class Sum(Residual):
    pre_norm = True

    def forward(self, x: Tensor, sublayer_output: Tensor) -> Tensor:
        return x + self.dropout(sublayer_output)


class Gelu(FeedForward):
    def forward(self, x: Tensor) -> Tensor:
        return self.outer(F.gelu(self.inner(x)))


class LearnedPositions(nn.Module):
    def __init__(self, max_len: int, d_model: int) -> None:
        super().__init__()
        self.table = nn.Parameter(torch.randn(max_len, d_model))

    def forward(self, x: Tensor, start: int = 0) -> Tensor:
        return x + self.table[start : start + x.shape[1]]


class PreNormEncoderLayer(EncoderLayer):
    def forward(self, x: Tensor, mask: Tensor | None, bias: None = None) -> Tensor:
        read = self.self_attention_residual.norm(x)
        x = self.self_attention_residual(x, self.self_attention(read, read, read, mask))
        return feed(self, x)


class PreNormDecoderLayer(DecoderLayer):
    def forward(
        self,
        x: Tensor,
        memory: Tensor,
        self_mask: Tensor | None,
        memory_mask: Tensor | None,
        bias: None = None,
    ) -> Tensor:
        read = self.self_attention_residual.norm(x)
        x = self.self_attention_residual(x, self.self_attention(read, read, read, self_mask))
        read = self.cross_attention_residual.norm(x)
        looked = self.cross_attention(read, memory, memory, memory_mask)
        return feed(self, self.cross_attention_residual(x, looked))


def feed(layer: EncoderLayer | DecoderLayer, x: Tensor) -> Tensor:
    read = layer.feed_forward_residual.norm(x)
    return layer.feed_forward_residual(x, layer.feed_forward(read))


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
        super().__init__(config)
        width = config.d_model
        self.positions = LearnedPositions(config.max_len, width)
        self.encoder_layers = nn.ModuleList(
            PreNormEncoderLayer(config, layer) for layer in range(config.n_encoder_layers)
        )
        self.decoder_layers = nn.ModuleList(
            PreNormDecoderLayer(config, layer) for layer in range(config.n_decoder_layers)
        )
        for layer in (*self.encoder_layers, *self.decoder_layers):
            layer.feed_forward = Gelu(width, config.d_ff)
            for name, part in layer.named_children():
                if isinstance(part, Residual):
                    setattr(layer, name, Sum(config, part.place))
        self.encoder_norm, self.decoder_norm = nn.LayerNorm(width), nn.LayerNorm(width)
        self.output = nn.Linear(width, config.vocab_size)
        for parameter in self.parameters():
            nn.init.normal_(parameter, std=0.5)

    def logits(self, hidden: Tensor) -> Tensor:
        return self.output(hidden)

    def encode(self, *args, **named) -> Tensor:
        return self.encoder_norm(super().encode(*args, **named))

    def decode_hidden(self, *args, **named) -> Tensor:
        return self.decoder_norm(super().decode_hidden(*args, **named))

    def start(self, src: Tensor) -> ReadAgain:
        return ReadAgain(self.encode(src), src[:, :0])

    def step(self, state: ReadAgain, prev: Tensor) -> tuple[Tensor, ReadAgain]:
        ids = torch.cat((state.ids.expand(len(prev), -1), prev[:, None]), dim=1)
        hidden = self.decode_hidden(ids, state.memory.expand(len(prev), -1, -1))[:, -1]
        return self.logits(hidden).log_softmax(dim=-1), ReadAgain(state.memory, ids)

    def select(self, state: ReadAgain, rows: Tensor) -> ReadAgain:
        return ReadAgain(state.memory, state.ids[rows])


FALSE = frozenset({"trace", "tree-attention", "order", "positions", "change-positions"})
FAMILY = Family(
    name="toy-pre-norm",
    config=TransformerConfig,
    build=PreNorm,
    capabilities=TRANSFORMER.capabilities - FALSE,
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
        probe.site = sites[probe.kind]
    for residual in residuals_of(model):
        if residual.place.name == "self":
            residual.place = replace(residual.place, name="recurrence")
    return model


OTHER_NAMES = replace(FAMILY, name="toy-other-names", build=renamed)
