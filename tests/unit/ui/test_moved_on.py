"""Long measurements end when their page has moved on, and leave nothing behind."""

from __future__ import annotations

import threading
from functools import partial
from types import SimpleNamespace

import pytest
import torch
from torch import nn

from model import Reader
from model.experiments.ablation import ablate_each_head
from model.experiments.explain import explain
from model.experiments.word_order import equivariance, reorder
from support.models import hooks
from ui.frame import admission
from ui.frame.model_cache import ask
from ui.frame.run import Run


class MovedOn(Exception):
    pass


LONG = {
    "explain": lambda run: ask(run.translator, explain, run.src, run.tgt),
    "equivariance": lambda run: ask(run.translator, equivariance, run.src),
    "knockout": lambda run: ask(run.translator, ablate_each_head, run.src, run.tgt),
}


@pytest.fixture
def run(tiny_translator):
    translation = tiny_translator.translate("The animal is tired.")
    return Run(None, tiny_translator, translation)


@pytest.mark.parametrize("name", LONG)
def test_it_ends_where_the_page_has_moved_on_halfway(run, monkeypatch, name):
    asked = []

    def interrupted() -> bool:
        asked.append(1)
        if len(asked) == 3:
            raise MovedOn
        return False

    monkeypatch.setattr(admission, "interrupted", interrupted)
    with pytest.raises(MovedOn):
        LONG[name](run)
    assert len(asked) == 3
    assert admission.queues().long.n_working == 0
    assert hooks(run.translator.model) == []


def test_only_what_this_thread_computes_is_asked_about_once_a_layer(run):
    asked, src = [], run.src
    encode = partial(reorder, run.translator, src, range(len(src)), positions=True)
    with run.translator.asking(lambda: asked.append(1)):
        other = threading.Thread(target=encode)
        other.start()
        other.join()
        assert asked == []
        encode()
    assert len(asked) == run.translator.card.config["n_encoder_layers"]


def test_a_model_without_attention_is_asked_at_every_part_of_it():
    asked = []
    reader = SimpleNamespace(model=nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 2)))
    with Reader.asking(reader, lambda: asked.append(1)):
        reader.model(torch.zeros(1, 2))
    assert len(asked) == 3
