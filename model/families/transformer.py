"""The Transformer of Vaswani et al. 2017, among the families: `model.transformer`."""

from __future__ import annotations

from core.architecture import ENCODER_LAYER, Drawing, Lane
from model.config import TransformerConfig
from model.family import Family, Paper
from model.transformer import Transformer

FAMILY = Family(
    name="transformer",
    config=TransformerConfig,
    build=Transformer,
    # Hiding a token everywhere is what leaving it out is to a network that reads in order; the
    # arithmetic of its heads is shown from their vectors.
    capabilities=frozenset(
        {
            *("search", "teacher-forcing", "scores", "vectors", "positions", "rollout", "trace"),
            *("order", "padding", "block", "feed-forward", "tree-attention", "changes"),
            *("change-hide", "change-mask", "change-ablate", "change-row", "change-positions"),
            *("change-causal", "change-residual", "change-norm"),
        }
    ),
    drawing=lambda config: Drawing(
        Lane(("positions",), ENCODER_LAYER, config.n_encoder_layers),
        Lane(
            ("positions",),
            ("decoder", "norm", "cross", "norm", "feed-forward", "norm"),
            config.n_decoder_layers,
            ("softmax", "search"),
        ),
    ),
    training="encoder-decoder",
    paper=Paper(
        at=2017.95,
        sources="self",
        attention="self",
        equation=r"\mathrm{softmax}\!\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V",
    ),
)
