"""Tiny models with random weights, and sequences of tokens by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from core.card import CheckpointCard
from core.records.sources import TokenSequence
from core.storage import Kind
from model import Translator
from model.config import TransformerConfig
from model.families.base import Family
from model.families.transformer import Transformer
from model.io.assembly import LoadedCheckpoint
from model.io.checkpoint import load_checkpoint
from model.io.registry import families

ROOT = Path(__file__).resolve().parents[2]


SENTENCES = (
    "The animal didn't cross the street because it was too tired.",
    "Das Tier überquerte die Straße nicht, weil es zu müde war.",
    "The trophy doesn't fit in the suitcase because it is too big.",
    "Der Pokal passt nicht in den Koffer, weil er zu groß ist.",
    "A dog runs through the snow and a man plays the guitar.",
    "Ein Hund läuft durch den Schnee und ein Mann spielt Gitarre.",
)


def read_json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def write_measured(folder: Path, kind: Kind, **changes: Any) -> None:
    """The shipped measurements of a kind with some of it changed, beside other weights as if they
    were of these.
    """
    values = read_json(ROOT / "checkpoints" / "en-de" / kind.file)
    own = {"fingerprint": load_checkpoint(folder).card.fingerprint}
    (folder / kind.file).write_text(json.dumps(values | own | changes), encoding="utf-8")


def make_model(seed: int = 0, **sizes: int) -> Transformer:
    """A small Transformer with random weights, in evaluation mode."""
    torch.manual_seed(seed)
    defaults = {
        "vocab_size": 23, "d_model": 16, "n_heads": 4, "n_encoder_layers": 2,
        "n_decoder_layers": 2, "d_ff": 32, "max_len": 64,
    }  # fmt: skip
    return Transformer(TransformerConfig(**(defaults | sizes))).eval()


def hooks(model: torch.nn.Module) -> list[int]:
    """Hooks on the modules of a model, before and after their calls."""
    return [h for m in model.modules() for h in (*m._forward_hooks, *m._forward_pre_hooks)]


class Numbers:
    """A vocabulary in which every token is the number of its id."""

    def __init__(self, vocab_size: int) -> None:
        self.vocab_size, self.token_of = vocab_size, str

    def beginning_with(self, ids: Sequence[int]) -> Numbers:
        return self

    def decode(self, ids: Sequence[int]) -> TokenSequence:
        return TokenSequence("", tuple(ids), tuple(map(str, ids)), ((0, 0),) * len(ids))


def spell(*pieces: str) -> TokenSequence:
    """A sequence of these pieces, ``▁`` for the space before a word, and ``</s>``."""
    text, offsets = "", []
    for piece in pieces:
        shown = piece.replace("▁", " " if text else "")
        start = len(text) + len(shown) - len(shown.lstrip())
        text += shown
        offsets.append((start, len(text)))
    ids = tuple(range(len(pieces) + 1))
    return TokenSequence(text, ids, (*pieces, "</s>"), (*offsets, (0, 0)))


def reader_of(
    model: torch.nn.Module, tokenizer: Any = None, family: Family | None = None
) -> Translator:
    """A model that is not stored, as experiments are handed it."""
    config = model.config
    own = (each for each in families().values() if type(config) is each.config)
    tokenizer = tokenizer or Numbers(config.vocab_size)
    family = family or next(own)
    card = CheckpointCard("made", family.name, ("en", "de"), 0, {}, "made")
    vocabularies = {"source": tokenizer, "target": tokenizer}
    return Translator(LoadedCheckpoint(model, vocabularies, card, family))
