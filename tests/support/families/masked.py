"""An encoder that guesses the words behind a mask (Devlin et al. 2019)."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor, nn

from core.records.attention import AttentionSite
from model.families.base import Family
from model.nets.multi_head import MultiHeadAttention
from model.special_tokens import SPECIAL_TOKENS
from words import Message

TOKENS = (*SPECIAL_TOKENS, "<mask>")


@dataclass(frozen=True)
class MaskedConfig:
    vocab_size: int
    d_model: int = 8
    n_heads: int = 2
    n_layers: int = 2
    max_len: int = 40
    pad_id: int = 0
    unk_id: int = 1
    eos_id: int = 3
    mask_id: int = 4

    def faults(self) -> list[Message]:
        return []


class MaskedEncoder(nn.Module):
    def __init__(self, config: MaskedConfig) -> None:
        super().__init__()
        self.config = config
        site = AttentionSite(
            "encoder", "source", "source", n_layers=config.n_layers, n_heads=config.n_heads
        )
        self.sites = (site,)
        self.embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.places = nn.Embedding(config.max_len, config.d_model)
        self.layers = nn.ModuleList(
            MultiHeadAttention(config.d_model, config.n_heads, site=site, layer=layer)
            for layer in range(config.n_layers)
        )
        # The output shares its weights with the embedding, so a file holds them once.
        self.output = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.output.weight = self.embedding.weight

    def forward(self, src: Tensor) -> Tensor:
        """ids (1, T) -> logits (1, T, V)."""
        x = self.embedding(src) + self.places.weight[: src.shape[1]]
        for layer in self.layers:
            x = x + layer(x, x, x)
        return self.output(x)


FAMILY = Family(
    name="toy-masked",
    config=MaskedConfig,
    build=MaskedEncoder,
    capabilities=frozenset({"scores", "rollout"}),
    vocabularies={"source": "vocab_size"},
    special_tokens={
        "pad_id": "<pad>", "unk_id": "<unk>", "eos_id": "</s>", "mask_id": "<mask>",
    },
)  # fmt: skip
EXAMPLE = "The dog <mask> through the snow."


def config(vocab_size: int) -> MaskedConfig:
    return MaskedConfig(vocab_size)
