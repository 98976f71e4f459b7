"""Facts that are told of a model when it does not fit a view, held against runs of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from core.measurements import Proofs
from core.records.attention import CROSS, ENCODER
from model import load_model
from model.families.base import CAPABILITIES, Family
from model.io.checkpoint import checkpoints_folder, load_checkpoint
from model.readers.absent import FACTS, lacking
from model.readers.reader import Reader
from support.facts import PROOFS
from ui.frame.reasons import offers, why_not
from ui.pages import page_ids
from words import Words, english, languages

SHIPPED = sorted(path.parent.name for path in checkpoints_folder().glob("*/config.json"))
NEEDS = {
    need
    for name in page_ids()
    for view in import_module(f"ui.pages.{name}.page").PAGE.views
    for need in view.needs
}


@cache
def shipped(name: str) -> Reader:
    return load_model(name)


def unmet(name: str) -> set[str]:
    return (NEEDS | CAPABILITIES.keys()) - offers(shipped(name))


QUICK = {
    "en-de": {"scene"},
    "masked-lm": {"writing", "causal-attention"},
    "lineage-cho": {"attention", "positions", "layer-norm"},
    "lineage-bahdanau": {"self-attention", "several-heads", "positions", "layer-norm"},
    "lineage-convolutional": {"self-attention", "causal-attention", "layer-norm"},
    "documents-no-mixing": {"writing", "self-attention", "layer-norm"},
    "captions-soft": {"text", "self-attention", "several-heads", "layer-norm"},
}
"""Facts that are certain of some shipped models, or else nothing would ever be told."""


@pytest.mark.parametrize(
    "name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in SHIPPED]
)
def test_a_shipped_model_is_told_only_facts_that_are_true_of_it(name):
    reader = shipped(name)
    assert reader.has_none.keys() & offers(reader) == set()
    told = {fact for need, fact in reader.has_none.items() if need in unmet(name)}
    assert {fact for fact in told if not PROOFS[fact](reader, reader.example)} == set()
    found = set(reader.has_none.values())
    assert QUICK.get(name, set()) <= found
    assert name != "en-de" or found == {"scene"}


def test_every_fact_can_be_checked_and_every_reason_said():
    assert PROOFS.keys() == FACTS.keys()
    ids = {f"none-{fact}" for fact in FACTS}
    ids |= {f"need-{need}" for need in NEEDS | CAPABILITIES.keys()}
    for language in languages():
        assert {each for each in ids if not Words(language).has(each)} == set()


@dataclass(frozen=True)
class Config:
    vocab_size: int = 9
    max_len: int = 12


class Base(nn.Module):
    """Embedding, then whatever; its family does not know what it is made of."""

    sites = ()

    def __init__(self, **parts: nn.Module) -> None:
        super().__init__()
        self.config = Config()
        self.embedding = nn.Embedding(9, 8)
        for name, part in parts.items():
            self.add_module(name, part)


class Normed(nn.Module):
    """Layer norm by hand, as many checkpoints have it."""

    def __init__(self) -> None:
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(8))

    def forward(self, x):
        return F.layer_norm(x, (8,)) * self.gamma


class Projected(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.q_proj, self.k_proj = nn.Linear(8, 8), nn.Linear(8, 8)


def gru() -> nn.GRU:
    return nn.GRU(8, 8, batch_first=True)


HAVE = {
    "attention of torch": (lambda: Base(mixer=nn.MultiheadAttention(8, 2)), "attention"),
    "attention by its projections": (lambda: Base(mixer=Projected()), "attention"),
    "a layer of torch": (lambda: Base(block=nn.TransformerEncoderLayer(8, 2, 8)), "layer-norm"),
    "layer norm by hand": (lambda: Base(last=Normed()), "layer-norm"),
    "learnt positions": (lambda: Base(reader=gru(), wpe=nn.Embedding(12, 8)), "positions"),
    "others of its size": (lambda: Base(reader=gru(), other=nn.Embedding(12, 8)), "positions"),
    "nothing recurrent": (lambda: Base(mixer=nn.Conv1d(8, 8, 3)), "positions"),
}


def found_of(model: nn.Module, *sites) -> set[str]:
    model.sites = sites
    reads = {"vocabularies": {"source": "vocab_size"}, "special_tokens": {}}
    made = Family("somebody's", Config, Base, **reads)
    return set(lacking(made, model).values())


@pytest.mark.parametrize("kind", HAVE)
def test_a_model_that_has_a_part_is_never_told_to_have_none(kind):
    build, fact = HAVE[kind]
    assert fact not in found_of(build())


def test_facts_that_a_family_does_not_declare_are_left_open():
    mixer = nn.MultiheadAttention(8, 2)
    beside = found_of(Base(mixer=mixer), CROSS)
    assert not {"self-attention", "causal-attention", "several-heads"} & beside
    for writes in (
        found_of(Base(mixer=mixer), replace(ENCODER, causal=True)),
        found_of(Base(reader=gru())),
    ):
        assert "writing" not in writes


def test_a_withdrawn_claim_is_told_as_such_and_facts_come_first():
    checkpoint = load_checkpoint("lineage-bahdanau")
    reader = Reader(checkpoint)
    reader.withdraw(Proofs(command="", when="2026-01-01", claims={}), {"scores": 0.5})
    assert reader.capabilities == Reader(checkpoint).capabilities - {"scores"}
    reason, claim = why_not(reader, ("scores",)), english("check-scores")
    assert not reason.is_fact
    assert reason.text == english("need-withdrawn", claim=claim, known="yes", difference="0.5")
    cho = shipped("lineage-cho")
    reason = why_not(cho, ("change-ablate", "several-heads", "order"))
    assert (reason.text, reason.is_fact) == (english("none-attention"), True)
    assert not why_not(cho, ("order",)).is_fact
