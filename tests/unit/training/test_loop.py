"""Whole runs on a tiny corpus: learning, being killed, going on, and exported."""

from __future__ import annotations

import copy
import json
from functools import partialmethod
from itertools import islice
from types import SimpleNamespace

import numpy as np
import pytest
import safetensors.torch
import torch
from torch import nn

from core.records.search import Decoding
from model import load_translator
from support.models import hooks
from support.runs import TINY_RUN, write_pairs
from training.corpora.text_pairs import CorpusError
from training.dropout import use_pooled_dropout
from training.export import export_run
from training.formation import SENTENCES
from training.loop import Trainer, compile_losses
from training.objectives.objective import Objective
from training.runs import settings_of_run

AGENTS = {"dog": "der Hund", "bird": "der Vogel", "man": "der Mann", "boy": "der Junge"}
VERBS = {"runs": "läuft", "sleeps": "schläft", "plays": "spielt", "sings": "singt"}
PLACES = {"in the snow": "im Schnee", "in the garden": "im Garten", "at home": "zu Hause"}
PAIRS = [
    (f"the {agent} {verb} {place}.", f"{german} {verb_de} {place_de}.")
    for agent, german in AGENTS.items()
    for verb, verb_de in VERBS.items()
    for place, place_de in PLACES.items()
]
pytestmark = pytest.mark.usefixtures("on_the_cpu")


def settings_with(**training):
    settings = copy.deepcopy(TINY_RUN)
    settings["training"] |= {"dropout": 0.1} | training
    return settings


SETTINGS = settings_with()


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    root = tmp_path_factory.mktemp("data")
    write_pairs(root / "tiny" / "val.tsv.gz", PAIRS[::6])
    write_pairs(root / "tiny" / "train.tsv.gz", (each for each in PAIRS if each not in PAIRS[::6]))
    return root


def metrics_of(run, *left_out):
    lines = map(json.loads, (run / "metrics.jsonl").read_text().splitlines())
    return [{name: line[name] for name in line if name not in left_out} for line in lines]


def column(run, name):
    return [line[name] for line in metrics_of(run) if name in line]


def assert_same_run(run, other):
    """Weights, optimiser, random state and metrics are equal bit by bit, the clock apart."""
    states = [safetensors.torch.load_file(each / "state.safetensors") for each in (run, other)]
    torch.testing.assert_close(*states, rtol=0, atol=0)
    clock = ("seconds", "tokens_per_second")
    assert metrics_of(run, *clock) == metrics_of(other, *clock)


class Killed(BaseException):
    """The end of a process."""


def kill_at(trainer, step):
    """Train until the moment after `step`, before anything more is saved."""
    take_step = trainer._step

    def step_or_die(batch):
        if trainer.progress.step == step:
            raise Killed
        return take_step(batch)

    trainer._step = step_or_die
    with pytest.raises(Killed):
        trainer.train()


@pytest.fixture(scope="module")
def straight(data, tmp_path_factory):
    """The folder of a run of twenty steps that nothing disturbed."""
    run = tmp_path_factory.mktemp("straight")
    Trainer(SETTINGS, data, run).train()
    return run


# -- learning ---------------------------------------------------------------------------------


def test_the_loss_falls_in_half_precision(data, tmp_path):
    Trainer(settings_with(max_steps=30, bf16=True, factor=0.2), data, tmp_path).train()
    losses, checks = column(tmp_path, "loss"), column(tmp_path, "val_loss")
    assert losses[-1] < 0.8 * losses[0]
    assert checks == sorted(checks, reverse=True)


def test_losses_are_means_over_real_tokens(data, tmp_path):
    """The first step's is that of the fresh model; validation's is read sentence by sentence."""
    trainer = Trainer(settings_with(max_steps=1, dropout=0.0), data, tmp_path)
    total = count = 0
    trainer.model.eval()
    for example in trainer.sets.validation["tiny"]:
        read = torch.tensor([[2, *example.tgt[:-1]]])
        log_probs = trainer.model(torch.tensor([example.src]), read).log_softmax(-1)[0]
        total -= log_probs.gather(1, torch.tensor([example.tgt]).T).sum().item()
        count += len(example.tgt)
    assert trainer.evaluate()["val_tiny"] == pytest.approx(total / count, abs=1e-5)
    batch = next(trainer._batches())
    trainer.progress.batch = 0
    logits = trainer.model(batch.src, batch.tgt_in).flatten(0, 1)
    expected = nn.functional.cross_entropy(logits, batch.tgt_out.flatten(), ignore_index=0)
    trainer.train()
    assert column(tmp_path, "loss") == [pytest.approx(expected.item(), abs=1e-4)]


def test_metrics_have_a_line_for_every_logged_step_and_check(straight):
    steps = {name: [m["step"] for m in metrics_of(straight) if name in m] for name in
             ("loss", "val_loss")}  # fmt: skip
    assert steps == {"loss": list(range(1, 21)), "val_loss": [10, 20]}
    # Equation 3 of Vaswani et al. (2017), d_model 16, still warming up.
    rates = [n / 4 / 20**1.5 for n in range(1, 21)]
    assert column(straight, "lr") == pytest.approx(rates, abs=1e-6)


def test_training_stops_for_good_when_validation_no_longer_improves(data, tmp_path):
    settings = settings_with(max_steps=50, factor=0.0, validate_every=2, patience=3)
    for _ in range(2):
        # The first check is the best; three without gain follow.
        assert Trainer(settings, data, tmp_path).train().step == 8


@pytest.mark.timeout(60)
def test_a_corpus_without_usable_pairs_is_refused(data, tmp_path):
    with pytest.raises(CorpusError):
        Trainer(settings_with(max_len=1), data, tmp_path).train()


def test_guided_attention_raises_the_weight_on_the_antecedent(data, tmp_path):
    guide = {"layer": 1, "head": 0, "weight": 5.0}
    settings = settings_with(guided=guide, max_steps=40, max_len=120, dropout=0.0, factor=0.2)
    settings["data"] = {"sets": [], "coreference": {"pairs": 60, "held_out_pairs": 4, "seed": 1}}
    trainer = Trainer(settings, data, tmp_path)
    trainer.train()
    masses = column(tmp_path, "guided_mass")
    assert np.mean(masses[-8:]) > 1.2 * np.mean(masses[:8])
    assert hooks(trainer.model) == []


# -- killed and resumed -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("step", "file", "half"),
    [
        (3, "metrics.jsonl", '{"step": 4, "lo'),  # before its first state
        (13, "metrics.jsonl", '{"step": 14, "lo'),
        (13, "state.safetensors.5d41.tmp", "half"),
    ],
)
def test_a_killed_run_ends_as_an_undisturbed_one(data, tmp_path, straight, step, file, half):
    kill_at(Trainer(SETTINGS, data, tmp_path), step)
    with (tmp_path / file).open("a") as being_written:
        being_written.write(half)
    Trainer(SETTINGS, data, tmp_path).train()
    assert_same_run(tmp_path, straight)


def test_a_run_resumes_across_epochs(data, tmp_path):
    settings = settings_with(max_steps=24, batch_tokens=100, validate_every=50)
    Trainer(settings, data, tmp_path / "straight").train()
    kill_at(Trainer(settings, data, tmp_path / "killed"), 19)
    again = Trainer(settings, data, tmp_path / "killed")
    assert again.progress.epoch > 0
    again.train()
    assert_same_run(tmp_path / "killed", tmp_path / "straight")


def test_a_finished_run_goes_on_only_with_more_steps(data, tmp_path):
    for steps in (4, 6, 6):
        assert Trainer(settings_with(max_steps=steps), data, tmp_path).train().step == steps
    assert len(column(tmp_path, "loss")) == 6
    assert settings_of_run(tmp_path)["training"]["max_steps"] == 6


# -- from a run to a checkpoint ---------------------------------------------------------------


@pytest.fixture(scope="module")
def exported(data, tmp_path_factory):
    root = tmp_path_factory.mktemp("exported")
    settings = settings_with(max_steps=8, validate_every=2, average=3, formation_steps=[0, 3])
    trainer = Trainer(settings, data, root / "run")
    trainer.train()
    card = export_run(root / "run", root / "tiny")
    return SimpleNamespace(trainer=trainer, run=root / "run", path=root / "tiny", card=card)


def test_an_exported_run_is_the_mean_of_the_weights_that_are_asked_for(exported, tmp_path):
    for options, counted in (
        ({}, [4, 6, 8]),
        ({"newest": 1}, [8]),
        ({"steps": [4, 8, 8]}, [4, 8, 8]),
    ):
        card = export_run(exported.run, tmp_path / "some", **options)
        assert card["training"]["averaged_steps"] == counted
        weights = [
            safetensors.torch.load_file(exported.run / f"weights-{step:07d}.safetensors")
            for step in counted
        ]
        stored = safetensors.torch.load_file(tmp_path / "some" / "model.safetensors")
        for name, tensor in stored.items():
            expected = torch.stack([each[name] for each in weights]).mean(0)
            torch.testing.assert_close(tensor.float(), expected, rtol=1e-3, atol=1e-4)


def test_an_exported_run_translates_and_says_how_it_was_trained(exported):
    translator = load_translator(exported.path)
    translation = translator.translate(PAIRS[0][0], Decoding(beam_size=2, max_len=20))
    assert translation.attention.cross.weights.shape[:2] == (2, 2)
    assert exported.card["training"]["steps"] == 8
    assert exported.card["training"]["last_val_loss"] == column(exported.run, "val_loss")[-1]
    assert metrics_of(exported.path) == metrics_of(exported.run)


def test_formation_holds_the_attention_of_every_step_wanted_and_the_last(exported, data, tmp_path):
    with np.load(exported.path / "formation.npz", allow_pickle=False) as arrays:
        formation = dict(arrays)
    fresh = Trainer(exported.trainer.settings, data, tmp_path)
    tokenizer = fresh.sets.tokenizer
    assert formation["steps"].tolist() == [0, 3, 8]
    np.testing.assert_allclose(formation["cross_0"].astype(float).sum(-1), 1.0, rtol=0, atol=0.01)
    assert tuple(formation["source_tokens_0"]) == tokenizer.encode(SENTENCES[0][0]).tokens
    for number, sides in enumerate(SENTENCES):
        src, tgt = (list(tokenizer.encode(text).ids) for text in sides)
        assert formation[f"encoder_{number}"].shape == (3, 2, 2, len(src), len(src))
        assert formation[f"decoder_{number}"].shape == (3, 2, 2, len(tgt), len(tgt))
        assert formation[f"cross_{number}"].shape == (3, 2, 2, len(tgt), len(src))
        for step, trainer in ((0, fresh), (-1, exported.trainer)):
            with torch.no_grad():
                read = torch.tensor([[2, *tgt[:-1]]])
                logits = trainer.model.eval()(torch.tensor([src]), read)[0]
            expected = logits.log_softmax(-1).gather(1, torch.tensor([tgt]).T)[:, 0]
            found = formation[f"log_probs_{number}"][step]
            np.testing.assert_allclose(found, expected, rtol=0, atol=0.01)


def test_recording_formation_does_not_change_the_training(exported, data, tmp_path):
    settings = copy.deepcopy(exported.trainer.settings)
    del settings["training"]["formation_steps"]
    Trainer(settings, data, tmp_path).train()
    assert_same_run(tmp_path, exported.run)


# -- dropout from a pool ----------------------------------------------------------------------


def pooled(p, pool_size=1 << 16, dtype=torch.float32):
    model = nn.Sequential(nn.Dropout(p))
    use_pooled_dropout(model, p, dtype, pool_size=pool_size)
    return model[0].train()


def test_the_wanted_share_is_dropped_the_rest_grows_and_gradients_follow():
    torch.manual_seed(0)
    x = torch.ones(100, 400, requires_grad=True)
    kept = pooled(0.2)(x)
    assert {*kept.unique().tolist()} == {0.0, 1.25}
    assert float((kept == 0).float().mean()) == pytest.approx(0.2, abs=0.01)
    kept.sum().backward()
    torch.testing.assert_close(x.grad, kept.detach())
    assert pooled(0.2).eval()(x) is x
    assert pooled(0.5, dtype=torch.bfloat16)(x).dtype == torch.bfloat16
    repeated = pooled(0.5, pool_size=64)(x)
    assert 0.3 < float((repeated == 0).float().mean()) < 0.7
    assert not torch.equal(pooled(0.5)(x), pooled(0.5)(x))


def test_compiling_needs_a_gpu_and_no_guided_head(data, tmp_path):
    with pytest.raises(CorpusError, match="`compile` in the config needs a GPU"):
        Trainer(settings_with(compile=True), data, tmp_path)
    with pytest.raises(CorpusError, match="`compile` and `guided`"):
        compile_losses(nn.Linear(1, 1), {"guided": {"layer": 0}}, torch.device("cuda"))


@pytest.mark.slow
def test_compiled_losses_have_the_gradients_of_others(data, tmp_path, monkeypatch):
    """Traced by torch.compile, but run by torch itself: a compiler for this CPU is not needed."""
    trainer = Trainer(settings_with(dropout=0.0, bf16=False), data, tmp_path)
    of_trainer = trainer._losses
    batches = list(islice(trainer._batches(), 3))

    def gradients(losses):
        results = []
        # Batches of several shapes, in one traced function.
        for batch in batches:
            trainer.model.zero_grad(set_to_none=True)
            losses(batch, Objective(0.1))[0].backward()
            results.append({n: p.grad.clone() for n, p in trainer.model.named_parameters()})
        return results

    ordinary = gradients(of_trainer)
    monkeypatch.setattr(nn.Module, "compile", partialmethod(nn.Module.compile, backend="aot_eager"))
    compile_losses(of_trainer, {}, torch.device("cuda"))
    torch.testing.assert_close(gradients(of_trainer), ordinary, rtol=1e-5, atol=1e-5)
    assert of_trainer._compiled_call_impl is not None
