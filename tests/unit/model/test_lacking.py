"""What is said of a model that does not fit a view is true of that model."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from core.attention import CROSS, ENCODER
from model import load_reader
from model.checkpoint import checkpoints_folder, load_checkpoint
from model.family import CAPABILITIES, Family
from model.lacking import FACTS, lacking
from model.reader import Reader
from support.facts import PROOFS
from ui.pages import page_ids
from ui.reasons import why_not
from ui.views import offers
from words import Words, english, languages

SHIPPED = sorted(path.parent.name for path in checkpoints_folder().glob("*/config.json"))
NEEDS = {
    need
    for name in page_ids()
    for view in import_module(f"ui.pages.{name}").PAGE.views
    for need in view.needs
}


@cache
def shipped(name: str) -> Reader:
    return load_reader(name)


def unmet(name: str) -> set[str]:
    return (NEEDS | CAPABILITIES.keys()) - offers(shipped(name))


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_model_is_told_that_it_has_none_of_what_it_has_none_of_alone(name):
    reader = shipped(name)
    assert reader.has_none.keys() & offers(reader) == set()
    told = {fact for need, fact in reader.has_none.items() if need in unmet(name)}
    assert {fact for fact in told if not PROOFS[fact](reader, reader.example)} == set()


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        ("en-de", set()),
        ("lineage-transformer", set()),
        ("masked-lm", {"writing", "causal-attention"}),
        ("lineage-cho", {"attention", "positions", "layer-norm"}),
        ("lineage-bahdanau", {"self-attention", "several-heads", "positions", "layer-norm"}),
        (
            "lineage-convolutional",
            {"self-attention", "causal-attention", "layer-norm"},
        ),
        ("documents-no-mixing", {"writing", "self-attention", "layer-norm"}),
        ("captions-soft", {"text", "self-attention", "several-heads", "layer-norm"}),
    ],
)
def test_what_a_model_certainly_has_none_of_is_said_to_be_so(name, facts):
    """Or else nothing would ever be said to be absent."""
    found = set(shipped(name).has_none.values())
    assert facts - found == set()
    if not facts:
        assert found == {"scene"}


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
    "a layer of torch's Transformer": (
        lambda: Base(block=nn.TransformerEncoderLayer(8, 2, 8)),
        "layer-norm",
    ),
    "layer norm by hand": (lambda: Base(last=Normed()), "layer-norm"),
    "learnt positions": (lambda: Base(reader=gru(), wpe=nn.Embedding(12, 8)), "positions"),
    "learnt positions of another name": (
        lambda: Base(reader=gru(), second=nn.Embedding(12, 8)),
        "positions",
    ),
    "nothing recurrent": (lambda: Base(mixer=nn.Conv1d(8, 8, 3)), "positions"),
}


def found_of(model: nn.Module, *sites) -> set[str]:
    model.sites = sites
    reads = {"vocabularies": {"source": "vocab_size"}, "special_tokens": {}}
    made = Family("somebody's", Config, Base, **reads)
    return set(lacking(made, model).values())


@pytest.mark.parametrize("kind", HAVE)
def test_who_has_it_is_never_told_to_have_none_whatever_its_family_declares(kind):
    build, fact = HAVE[kind]
    assert fact not in found_of(build())


def test_what_a_family_does_not_say_is_left_open():
    mixer = nn.MultiheadAttention(8, 2)
    beside = found_of(Base(mixer=mixer), CROSS)
    assert not {"self-attention", "causal-attention", "several-heads"} & beside
    for writes in (
        found_of(Base(mixer=mixer), replace(ENCODER, causal=True)),
        found_of(Base(reader=gru())),
    ):
        assert "writing" not in writes


def test_a_claim_that_a_check_withdrew_is_told_as_such_and_offered_no_more():
    checkpoint = load_checkpoint("lineage-bahdanau")
    reader = Reader(replace(checkpoint, withdrawn={"scores": 0.5}))
    assert "scores" not in reader.capabilities
    assert "scores" in Reader(checkpoint).capabilities
    reason = why_not(reader, ("scores",))
    assert not reason.is_fact
    claim = english("check-scores")
    assert reason.said == english("need-withdrawn", claim=claim, known="yes", difference="0.5")


def test_facts_come_before_what_the_app_cannot_do():
    cho = shipped("lineage-cho")
    reason = why_not(cho, ("change-ablate", "several-heads", "order"))
    assert (reason.said, reason.is_fact) == (english("none-attention"), True)
    assert not why_not(cho, ("order",)).is_fact
