"""Sizes of a Transformer, and their faults."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from core.positions import SINES
from words import Message

MAX_LEN = 10_000


NormOrder = Literal["after", "before"]
Activation = Literal["relu", "gelu", "gelu-tanh", "gelu-sigmoid", "silu"]
PositionKind = Literal["sines", "halves", "tensor2tensor", "learned", "relative"]
"""Layout of `core.positions.SINES`, a learned table, or a relative bias of the scores.

The relative bias depends on the distance of query and key (Raffel et al. 2020, section 2.1).
"""


@dataclass(frozen=True, kw_only=True)
class BlockConfig:
    """Options of embeddings and layers in which models differ from Vaswani et al. 2017.

    The defaults are those of that paper.
    """

    scale_embedding: bool = True  # by sqrt(d_model)
    embedding_norm: bool = False  # after the positions (Lewis et al. 2020)
    positions: PositionKind = "sines"
    position_offset: int = 0  # number of the first position
    relative_buckets: int = 32
    relative_distance: int = 128  # distance beyond which one bucket holds all
    d_head: int = 0  # 0 for d_model / n_heads
    norm: NormOrder = "after"  # the sub-layer (Xiong et al. 2020)
    norm_kind: Literal["layer", "rms"] = "layer"  # "rms" as in Zhang and Sennrich 2019
    final_norm: bool = False  # at the end of each stack
    activation: Activation = "relu"
    gated: bool = False  # a second layer times the activation (Shazeer 2020)


@dataclass(frozen=True)
class TransformerConfig(BlockConfig):
    """Sizes and special ids of a Transformer, named as in Vaswani et al. 2017, table 3.

    `max_len` is the longest source or target in tokens, special tokens included.
    """

    vocab_size: int  # size of the target vocabulary
    d_model: int = 256
    n_heads: int = 8
    n_encoder_layers: int = 4
    n_decoder_layers: int = 2
    d_ff: int = 1024
    dropout: float = 0.1
    max_len: int = 160
    position_base: float = 10_000.0
    layer_norm_eps: float = 1e-5
    pad_id: int = 0
    unk_id: int = 1
    bos_id: int = 2
    eos_id: int = 3
    source_vocab_size: int = 0  # 0 for the size of the target vocabulary
    shared_embedding: bool = True  # one table of embeddings for both sides
    decoder: Literal["attention", "ssru"] = "attention"  # "ssru" as in Kim et al. 2019
    tied_output: bool = True  # the output layer is the embedding of the target
    output_bias: bool = False
    output_transform: bool = False  # a layer before the output layer (Devlin et al. 2019)
    forced_ids: tuple[int, ...] = ()  # ids after ``<s>`` in every target, such as a language

    def __post_init__(self) -> None:
        # The dataclass is frozen; 0 is the default because it depends on `vocab_size`.
        object.__setattr__(self, "source_vocab_size", self.source_vocab_size or self.vocab_size)

    def faults(self) -> list[Message]:
        """Return everything that is wrong with these sizes, one sentence each."""
        sizes = ("vocab_size", "d_model", "n_heads", "n_encoder_layers", "n_decoder_layers")
        faults = size_faults(self, (*sizes, "d_ff", "max_len"))
        faults += stack_faults(self) + special_faults(self)
        faults += [
            entry_fault("vocabulary", "forced_ids", token_id, n=self.vocab_size)
            for token_id in self.forced_ids
            # A forced ``</s>`` would end every target at once.
            if not 0 <= token_id < self.vocab_size or token_id == self.eos_id
        ]
        if self.shared_embedding and self.source_vocab_size != self.vocab_size:
            faults.append(
                Message.of(
                    "model-config-vocabularies", n=self.vocab_size, source=self.source_vocab_size
                )
            )
        return faults

    @property
    def d_k(self) -> int:
        """Width of one head."""
        return self.d_head or self.d_model // self.n_heads


def size_faults(config: Any, sizes: Iterable[str]) -> list[Message]:
    """Return faults of sizes below one, an absurd `max_len` or a dropout outside [0, 1)."""
    faults = [
        entry_fault("least", name, getattr(config, name), least=1)
        for name in sizes
        if getattr(config, name) < 1
    ]
    if "max_len" in sizes and config.max_len > MAX_LEN:
        faults.append(entry_fault("most", "max_len", config.max_len, most=MAX_LEN))
    # Written as "not" so that NaN is a fault as well.
    if "max_len" in sizes and not 0.0 <= config.dropout < 1.0:
        faults.append(entry_fault("share", "dropout", config.dropout))
    return faults


def stack_faults(config: Any) -> list[Message]:
    """Return faults of widths that are not divisible, and of constants out of range.

    The heads divide d_model; sines need an even one.
    """
    least = {"d_head": 0, "position_offset": 0, "relative_buckets": 4, "relative_distance": 4}
    faults = [
        entry_fault("least", name, getattr(config, name), least=smallest)
        for name, smallest in least.items()
        if getattr(config, name) < smallest
    ]
    if config.n_heads >= 1 and not config.d_head and config.d_model % config.n_heads:
        faults.append(
            Message.of("model-config-heads", d_model=config.d_model, n_heads=config.n_heads)
        )
    if config.d_model % 2 and config.positions in SINES:
        faults.append(Message.of("model-config-odd", d_model=config.d_model))
    if not 0 < config.layer_norm_eps < math.inf:
        faults.append(entry_fault("above", "layer_norm_eps", config.layer_norm_eps, least=0))
    if not 1 < config.position_base < math.inf:
        faults.append(entry_fault("above", "position_base", config.position_base, least=1))
    return faults


SPECIAL_IDS = ("pad_id", "unk_id", "bos_id", "eos_id")


def special_faults(config: Any, names: Iterable[str] = SPECIAL_IDS) -> list[Message]:
    """Return faults of special ids that are outside the vocabulary or equal."""
    ids = {name: getattr(config, name) for name in names}
    faults = [
        entry_fault("vocabulary", name, value, n=config.vocab_size)
        for name, value in ids.items()
        if not 0 <= value < max(config.vocab_size, 1)
    ]
    if len(set(ids.values())) < len(ids):
        faults.append(Message.of("model-config-special", ids=str(ids)))
    return faults


def entry_fault(expected: str, entry: str, value: Any, **values: Any) -> Message:
    """Build the message about one entry and its value."""
    return Message.of(f"model-config-{expected}", entry=entry, value=repr(value), **values)
