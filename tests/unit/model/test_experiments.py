"""Properties of every experiment: it leaves the model alone, and threads do not meet."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import partial
from importlib import import_module
from inspect import isfunction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from core.interventions.intervention import Intervention, hide
from core.interventions.kinds import MaskedCell, Positions
from core.records.search import Decoding
from model import experiments as rooms
from model.experiments.ablation import ablate_each_head
from model.experiments.arithmetic import vectors_of
from model.experiments.atlas import examples
from model.experiments.block import gradients_of, lens_of, streams_of
from model.experiments.contributions import contributions_of
from model.experiments.explain import drops_without, explain
from model.experiments.padding import padded_pair, padding_effect
from model.experiments.score_parts import split_scores
from model.experiments.source_share import share_of
from model.experiments.step import score_each
from model.experiments.tree import attend_tree
from model.experiments.value_zeroing import value_zeroing
from model.experiments.word_order import embeddings, equivariance, position_table, reorder
from model.readers.translator import Translator
from support.models import hooks

SHORT = ("The animal was too tired.", "Das Tier war müde.", "A man.")
QUICK = Decoding(beam_size=2, max_len=8)
CHANGE = hide(1) | Intervention(MaskedCell("decoder", 0, 1, 2, 0), Positions("shifted", offset=9))
CALLS = {
    "translate": lambda r, src, tgt: r.translate(src.text, QUICK),
    "translate-changed": lambda r, src, tgt: r.translate(src.text, QUICK, intervention=CHANGE),
    "teacher_force": lambda r, src, tgt: r.teacher_force(src, tgt, scores=True),
    "teacher_force-changed": lambda r, src, tgt: r.teacher_force(src, tgt, CHANGE),
    "next_log_probs": lambda r, src, tgt: r.next_log_probs(src.text, tgt.ids[:1]),
    "vectors_of": lambda r, src, tgt: vectors_of(r, r.teacher_force(src, tgt)[0]),
    "contributions_of": lambda r, src, tgt: contributions_of(r, r.teacher_force(src, tgt)[0]),
    "examples": lambda r, src, tgt: examples(r, [(src.text, tgt.text)], "encoder", 0, 0),
    "share_of": lambda r, src, tgt: share_of(r, r.teacher_force(src, tgt)[0]),
    "split_scores": lambda r, src, tgt: split_scores(r, streams_of(r, src, tgt)[0], src, tgt, 1),
    "value_zeroing": partial(value_zeroing, layer=1),
    "streams_of": streams_of,
    "streams_of-changed": lambda r, src, tgt: streams_of(r, src, tgt, CHANGE),
    "lens_of": lambda r, src, tgt: lens_of(r, streams_of(r, src, tgt)[1], tgt.ids),
    "gradients_of": gradients_of,
    "gradients_of-random": partial(gradients_of, seed=3),
    "explain": explain,
    "ablate_each_head": partial(ablate_each_head, ablation="uniform"),
    "embeddings": lambda r, src, tgt: embeddings(r, src),
    "position_table": lambda r, src, tgt: position_table(r),
    "reorder": lambda r, src, tgt: reorder(r, src, range(len(src)), positions=False),
    "equivariance": lambda r, src, tgt: equivariance(r, src),
    "padded_pair": lambda r, src, tgt: padded_pair(r, src, "A dog."),
    "padding_effect": lambda r, src, tgt: padding_effect(r, r.teacher_force(src, tgt)[0]),
    "score_each": lambda r, src, tgt: score_each(r, [src.text], tgt.text[:3]),
    "drops_without": drops_without,
    "attend_tree": lambda r, src, tgt: attend_tree(r, src.text, r.search(src.text, QUICK)),
}
"""By the name of an experiment, and of what is special about the call."""
OF_OTHERS = {
    "gates_of",
    "learned_positions",
    "relative_positions",
    *("step_values", "source_states", "window_centres"),
}
"""Experiments that ask for what the Transformer of these tests does not have."""


def arrays_in(value: Any) -> Iterator[np.ndarray]:
    if isinstance(value, np.ndarray):
        yield value
    elif is_dataclass(value):
        for field in fields(value):
            yield from arrays_in(getattr(value, field.name))
    elif isinstance(value, dict):
        yield from arrays_in(list(value.values()))
    elif isinstance(value, list | tuple):
        for part in value:
            yield from arrays_in(part)


def ask(reader: Translator, name: str, number: int) -> list[np.ndarray]:
    src, tgt = (reader.tokenize(SHORT[number + i]) for i in (0, 1))
    return list(arrays_in(CALLS[name](reader, src, tgt)))


def left_on(model: torch.nn.Module) -> list[Any]:
    """Weights by what is in them, gradients, and all hooks."""
    weights = [(p.requires_grad, p.grad, p.detach().sum().item()) for p in model.parameters()]
    return [model.training, weights, hooks(model), torch.random.get_rng_state().tolist()]


def test_every_experiment_is_here():
    paths = Path(rooms.__path__[0]).glob("[a-z]*.py")
    modules = (import_module(f"model.experiments.{path.stem}") for path in paths)
    named = (item for module in modules for item in vars(module).items())
    there = {name for name, each in named if isfunction(each) and hasattr(each, "needs")}
    assert there - CALLS.keys() == OF_OTHERS


@pytest.mark.parametrize("name", CALLS)
def test_an_experiment_leaves_the_model_as_it_was_also_when_it_fails(
    tiny_translator, name, monkeypatch
):
    model = tiny_translator.model
    before = left_on(model)
    ask(tiny_translator, name, 0)
    assert left_on(model) == before

    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("mine")

    with monkeypatch.context() as broken, suppress(RuntimeError):
        broken.setattr(model.decoder_layers[1].feed_forward, "forward", fail)
        ask(tiny_translator, name, 0)
    assert left_on(model) == before


def test_threads_get_what_calls_in_turn_get(tiny_translator):
    jobs = [(name, number) for number in (0, 1) for name in CALLS]
    in_turn = [ask(tiny_translator, *job) for job in jobs]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda job: ask(tiny_translator, *job), jobs))
    for job, alone, found in zip(jobs, in_turn, together, strict=True):
        for one, other in zip(alone, found, strict=True):
            np.testing.assert_array_equal(one, other, err_msg=str(job))
