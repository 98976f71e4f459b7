"""Fixtures: tiny models and a checkpoint with random weights, made by the project itself."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from model import load_translator, save_checkpoint
from model.config import TransformerConfig
from model.tokenizer import build_tokenizer
from model.transformer import Transformer

ROOT = Path(__file__).resolve().parent.parent
SENTENCES = (
    "The animal didn't cross the street because it was too tired.",
    "Das Tier überquerte die Straße nicht, weil es zu müde war.",
    "The trophy doesn't fit in the suitcase because it is too big.",
    "Der Pokal passt nicht in den Koffer, weil er zu groß ist.",
    "A dog runs through the snow and a man plays the guitar.",
    "Ein Hund läuft durch den Schnee und ein Mann spielt Gitarre.",
)


def make_model(seed: int = 0, **sizes: int) -> Transformer:
    """A small Transformer with random weights, in evaluation mode."""
    torch.manual_seed(seed)
    defaults = {
        "vocab_size": 23, "d_model": 16, "n_heads": 4, "n_encoder_layers": 2,
        "n_decoder_layers": 2, "d_ff": 32, "max_len": 64,
    }  # fmt: skip
    return Transformer(TransformerConfig(**(defaults | sizes))).eval()


@pytest.fixture
def tiny_model() -> Transformer:
    return make_model()


@pytest.fixture(scope="session")
def tiny_tokenizer():
    return build_tokenizer(SENTENCES * 3, vocab_size=200)


@pytest.fixture(scope="session")
def checkpoints_root(tmp_path_factory, tiny_tokenizer) -> Path:
    """A folder like `checkpoints/` that holds "en-de" with random weights."""
    root = tmp_path_factory.mktemp("checkpoints")
    model = make_model(vocab_size=tiny_tokenizer.vocab_size, max_len=160)
    card = {"title": "Random weights", "languages": ["en", "de"], "licence": "MIT"}
    save_checkpoint(root / "en-de", model, tiny_tokenizer, card=card)
    return root


@pytest.fixture(scope="session")
def tiny_checkpoint(checkpoints_root) -> Path:
    """The path of a checkpoint with random weights."""
    return checkpoints_root / "en-de"


@pytest.fixture(scope="session")
def tiny_translator(tiny_checkpoint):
    return load_translator(tiny_checkpoint)
