"""Which architectures a checkpoint may name: a new paper adds a line here."""

from __future__ import annotations

from torch import nn

from .config import TransformerConfig
from .transformer import Transformer

ARCHITECTURES: dict[str, tuple[type, type[nn.Module]]] = {
    "transformer": (TransformerConfig, Transformer),
}
