"""Family of the Transformer (Vaswani et al. 2017); the model is in `model.transformer`."""

from __future__ import annotations

from core.architecture import Drawing, Lane
from model.config import TransformerConfig
from model.family import Family, Paper
from model.transformer import Transformer


def drawing_of(config: TransformerConfig) -> Drawing:
    """Return the figure of the architecture, with norms where the config puts them."""
    before = config.norm == "before"
    mixer = "decoder" if config.decoder == "attention" else "ssru"

    def layer(*sublayers: str) -> tuple[str, ...]:
        pairs = (("only-norm", part) if before else (part, "norm") for part in sublayers)
        return tuple(part for pair in pairs for part in pair)

    first = ("embedding",) if config.positions == "relative" else ("positions",)
    last = ("only-norm",) if config.final_norm else ()
    return Drawing(
        Lane(first, layer("encoder", "feed-forward"), config.n_encoder_layers, last),
        Lane(
            first,
            layer(mixer, "cross", "feed-forward"),
            config.n_decoder_layers,
            (*last, "softmax", "search"),
        ),
    )


def excluded(config: TransformerConfig) -> frozenset[str]:
    """Return the capabilities that a config leaves the model without."""
    offers = {
        "learned-positions": config.positions == "learned",
        "relative-positions": config.positions == "relative",
        "change-causal": config.decoder == "attention",
    }
    return frozenset(name for name, offered in offers.items() if not offered)


FAMILY = Family(
    name="transformer",
    config=TransformerConfig,
    build=Transformer,
    # No "change-unread": hiding a token everywhere is the same for attention. No "values": the
    # arithmetic of the heads is shown from their vectors.
    capabilities=frozenset(
        {
            *("search", "teacher-forcing", "scores", "vectors", "positions", "rollout"),
            *("order", "padding", "block", "tree-attention", "changes"),
            *("change-hide", "change-mask", "change-ablate", "change-row", "change-positions"),
            *("change-causal", "change-residual", "change-norm"),
            *("learned-positions", "relative-positions"),
        }
    ),
    excludes=excluded,
    vocabularies={"source": "source_vocab_size", "target": "vocab_size"},
    drawing=drawing_of,
    training="encoder-decoder",
    paper=Paper(
        at=2017.95,
        sources="self",
        attention="self",
        equation=r"\mathrm{softmax}\!\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V",
    ),
)
