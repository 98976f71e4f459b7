"""Every variant of the project's families in tiny, with random weights."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache, partial
from itertools import product
from typing import Any

import torch
from torch import Tensor, nn

from core.card import CheckpointCard
from core.records.scenes import picture, read_scene
from model import MaskedReader, Reader, Translator
from model.config import TransformerConfig
from model.families import (
    additive,
    captioner,
    convolutional,
    hierarchical,
    lstm,
    luong,
    masked,
    recurrent,
    transformer,
)
from model.families.base import Family
from model.io.assembly import LoadedCheckpoint
from model.io.config_files import config_from_dict
from model.readers.documents import DocumentReader
from model.special_tokens import SPECIAL_TOKENS
from model.tokenizer import TextTokenizer, build_tokenizer
from support.models import SENTENCES, make_model

# -- Transformers -----------------------------------------------------------------------------

BEFORE = {"norm": "before", "final_norm": True}
BART = {"activation": "gelu", "positions": "learned", "embedding_norm": True, "output_bias": True}
T5 = {"norm_kind": "rms", "positions": "relative", "scale_embedding": False, "d_head": 3, **BEFORE}
MARIAN = {"positions": "tensor2tensor", "shared_embedding": False, "output_bias": True}
SETTINGS: dict[str, dict[str, Any]] = {
    "ours": {},
    "bart": BART,
    "mbart": BART | BEFORE,
    "m2m100": {"positions": "tensor2tensor", "position_offset": 2, **BEFORE},
    "t5": T5,
    "gated-t5": T5 | {"activation": "gelu-tanh", "gated": True, "tied_output": False},
    "opus-mt": MARIAN | {"positions": "halves", "activation": "silu"},
    "student": MARIAN | {"decoder": "ssru"},
    "torch": {"final_norm": True, "tied_output": False, "output_bias": True},
}
"""By whose models they are."""
EVERY = {
    "norm": ["after", "before"],
    "norm_kind": ["layer", "rms"],
    "activation": ["relu", "gelu", "gelu-tanh", "gelu-sigmoid", "silu"],
    "gated": [False, True],
    "positions": ["sines", "halves", "tensor2tensor", "learned", "relative"],
    "scale_embedding": [True, False],
    "embedding_norm": [False, True],
    "final_norm": [False, True],
    "tied_output": [True, False],
    "output_bias": [False, True],
    "decoder": ["attention", "ssru"],
    "shared_embedding": [True, False],
    "d_head": [0, 3],
    "relative_distance": [128, 10],
}
"""The values that each setting may have."""


def drawn(seed: int) -> dict[str, Any]:
    """Random settings."""
    generator = random.Random(seed)
    return {name: generator.choice(values) for name, values in EVERY.items()}


@cache
def tokenizer(vocab_size: int, tokens: tuple[str, ...] = SPECIAL_TOKENS) -> TextTokenizer:
    return build_tokenizer(SENTENCES * 3, vocab_size, tokens)


def shaken(model: nn.Module, by: float = 0.3) -> nn.Module:
    """`model` with no weight at the value that layers begin with."""
    with torch.no_grad():
        for parameter in model.parameters():
            parameter += by * torch.randn(parameter.shape)
    return model.eval()


def loaded(model: nn.Module, family: Family, **tokenizers: TextTokenizer) -> LoadedCheckpoint:
    card = CheckpointCard("made", family.name, ("en", "de"), 0, {}, "made")
    return LoadedCheckpoint(model, tokenizers, card, family)


def transformer_reader(**settings: Any) -> Translator:
    """A translator whose Transformer has two layers on either side and two heads."""
    shared = settings.get("shared_embedding", True)
    source = tokenizer(90 if shared else 75)
    vocabulary = {} if shared else {"source_vocab_size": source.vocab_size}
    sizes = {"d_model": 8, "n_heads": 2, "n_encoder_layers": 2, "n_decoder_layers": 2, "d_ff": 16}
    config = TransformerConfig(90, max_len=60, **sizes, **vocabulary, **settings)
    assert not config.faults()
    torch.manual_seed(5)
    model = shaken(transformer.FAMILY.build(config))
    return Translator(loaded(model, transformer.FAMILY, source=source, target=tokenizer(90)))


# -- families before the Transformer -----------------------------------------------------------

V, WIDTH, HIDDEN = 30, 6, 8
SIZES = {"vocab_size": V, "d_model": WIDTH, "hidden_size": HIDDEN, "max_len": 20}
SCORES = ("dot", "general", "concat", "location")
LUONG = [("global", score) for score in SCORES] + list(
    product(("local-m", "local-p"), ("dot", "general", "concat"))
)
SRC = torch.tensor([[5, 9, 4, 12, 7, 3]])
TGT = torch.tensor([[2, 8, 15, 4, 21]])


def with_biases(model: nn.Module) -> nn.Module:
    """`model` with random biases: zeros would hide one that is not used."""
    for parameter in model.parameters():
        if parameter.dim() == 1:
            nn.init.uniform_(parameter, -0.5, 0.5)
    return model.eval()


def built(family: Family, **entries: Any) -> nn.Module:
    torch.manual_seed(3)
    return with_biases(family.build(config_from_dict(family.config, SIZES | entries)))


def luong_model(attention: str, score: str, **entries: Any) -> nn.Module:
    chosen = {"attention": attention, "score": score, "n_layers": 2, "window": 2} | entries
    return built(luong.FAMILY, **chosen)


STEPWISE: dict[str, Callable[..., nn.Module]] = {
    "cho": partial(built, recurrent.FAMILY),
    "lstm": partial(built, lstm.FAMILY, n_layers=3),
    "lstm-reversed": partial(built, lstm.FAMILY, n_layers=2, reverse_source=True),
    "bahdanau": partial(built, additive.FAMILY),
    "convolutional": partial(built, convolutional.FAMILY),
    "convolutional-even": partial(
        built, convolutional.FAMILY, kernel=4, n_encoder_layers=2, n_decoder_layers=1
    ),
    "luong-reversed": partial(luong_model, "global", "general", reverse_source=True),
    "luong-global-dot-unfed": partial(luong_model, "global", "dot", input_feeding=False),
    **{f"luong-{where}-{score}": partial(luong_model, where, score) for where, score in LUONG},
}

# -- readers of masked words, documents and scenes ---------------------------------------------

BERT = {"d_model": 16, "n_heads": 2, "n_encoder_layers": 2, "d_ff": 24, "max_len": 40}
MASKED_TOKENS = tuple(masked.SPECIAL.values())
LEVELS = {
    f"hierarchical-{mixing}-{attention}": {"mixing": mixing, "attention": attention}
    for mixing, attention in product(("recurrent", "none"), ("learned", "uniform"))
}
GAZES = ("soft", "hard", "mean")
SCENE = read_scene("large red circle at 1 1; small blue star at 3 4")
PIXELS: Tensor = torch.from_numpy(picture(SCENE))[None]


def masked_model(vocab_size: int = 30) -> nn.Module:
    torch.manual_seed(3)
    return with_biases(masked.FAMILY.build(masked.MaskedConfig(vocab_size, **BERT)))


def hierarchical_model(vocab_size: int = 30, **entries: str) -> nn.Module:
    """Weights large enough that attention is far from even."""
    torch.manual_seed(5)
    sizes = {"d_model": 6, "hidden_size": 4, "max_len": 60}
    model = hierarchical.FAMILY.build(
        hierarchical.HierarchicalConfig(vocab_size, **sizes, **entries)
    )
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(3)
    return model.eval()


def captioner_model(attention: str) -> nn.Module:
    torch.manual_seed(3)
    sizes = {"d_model": 6, "hidden_size": 5, "annotation_size": 4, "attention_size": 3}
    return captioner.Captioner(
        captioner.CaptionerConfig(12, attention=attention, dropout=0.0, **sizes)
    ).eval()


MODELS: dict[str, Callable[..., nn.Module]] = {
    **STEPWISE,
    "transformer": lambda: shaken(make_model()),
    "transformer-uneven": lambda: shaken(make_model(n_encoder_layers=3, n_decoder_layers=1)),
    "masked": masked_model,
    **{f"captioner-{attention}": partial(captioner_model, attention) for attention in GAZES},
    **{name: partial(hierarchical_model, **entries) for name, entries in LEVELS.items()},
}
"""A model of every variant; all take ids below 12."""


def reader_with(name: str) -> Reader:
    """A reader of a variant, by its name in `STEPWISE`, `SETTINGS`, or "masked", "documents"."""
    if name in SETTINGS:
        return transformer_reader(**SETTINGS[name])
    if name == "masked":
        pieces = tokenizer(90, MASKED_TOKENS)
        model = masked_model(pieces.vocab_size)
        return MaskedReader(loaded(model, masked.FAMILY, source=pieces))
    pieces = tokenizer(90)
    if name == "documents":
        model = hierarchical_model(pieces.vocab_size)
        return DocumentReader(loaded(model, hierarchical.FAMILY, source=pieces))
    model = STEPWISE[name](vocab_size=pieces.vocab_size, max_len=60)
    families = (recurrent, lstm, additive, convolutional, luong)
    family = next(m.FAMILY for m in families if type(model) is m.FAMILY.build)
    return Translator(loaded(model, family, source=pieces, target=pieces))
