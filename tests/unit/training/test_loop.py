"""Whole runs on a tiny corpus: learning, being killed, going on, and two processes."""

import copy
import json
import math
import os
import re
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
import safetensors.torch
import torch
from torch.distributed.run import get_args_parser

from core.search import Decoding
from model import load_translator
from support.models import ROOT, hooks
from support.runs import TINY_RUN, write_pairs
from training import loop
from training.__main__ import main
from training.corpus import CorpusError
from training.export import average_weights, export_run
from training.formation import SENTENCES
from training.loop import Trainer
from training.loss import guided_attention_loss
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

SETTINGS = TINY_RUN | {"training": TINY_RUN["training"] | {"dropout": 0.1}}
pytestmark = pytest.mark.usefixtures("on_the_cpu")


def settings_with(**training):
    settings = copy.deepcopy(SETTINGS)
    settings["training"] |= training
    return settings


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    root = tmp_path_factory.mktemp("data")
    write_pairs(root / "tiny" / "val.tsv.gz", PAIRS[::6])
    write_pairs(root / "tiny" / "train.tsv.gz", (each for each in PAIRS if each not in PAIRS[::6]))
    return root


def metrics_of(run):
    return [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]


def without_clock(metrics):
    return [
        {k: v for k, v in line.items() if k not in ("seconds", "tokens_per_second")}
        for line in metrics
    ]


def state_of(run):
    return safetensors.torch.load_file(run / "state.safetensors")


class Killed(BaseException):
    """What a process would not survive."""


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


# -- learning ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("training", "share"),
    [
        ({"max_steps": 50, "dropout": 0.0, "factor": 0.3}, 0.3),
        ({"max_steps": 30, "bf16": True, "factor": 0.2}, 0.8),
    ],
    ids=["in full precision", "in half precision"],
)
def test_the_loss_falls(data, tmp_path, training, share):
    Trainer(settings_with(**training), data, tmp_path).train()
    metrics = metrics_of(tmp_path)
    losses = [line["loss"] for line in metrics if "loss" in line]
    checks = [line["val_loss"] for line in metrics if "val_loss" in line]
    assert losses[-1] < share * losses[0]
    assert checks == sorted(checks, reverse=True)


def test_the_first_loss_is_that_of_the_fresh_model(data, tmp_path):
    settings = settings_with(max_steps=1, dropout=0.0)
    trainer = Trainer(settings, data, tmp_path)
    batch = next(trainer._batches())
    trainer.progress.batch = 0
    logits = trainer.model(batch.src, batch.tgt_in)
    expected = torch.nn.functional.cross_entropy(
        logits.flatten(0, 1), batch.tgt_out.flatten(), ignore_index=0
    )
    trainer.train()
    assert metrics_of(tmp_path)[0]["loss"] == pytest.approx(expected.item(), abs=1e-4)


def test_validation_loss_is_the_mean_over_real_tokens(data, tmp_path):
    trainer = Trainer(SETTINGS, data, tmp_path)
    total = count = 0
    trainer.model.eval()
    for example in trainer.sets.validation["tiny"]:
        tgt = torch.tensor([example.tgt])
        log_probs = trainer.model(
            torch.tensor([example.src]), torch.tensor([[2, *example.tgt[:-1]]])
        )
        picked = log_probs.log_softmax(-1)[0].gather(1, tgt.T)
        total, count = total - picked.sum().item(), count + len(example.tgt)
    assert trainer.evaluate()["val_tiny"] == pytest.approx(total / count, abs=1e-5)


def test_metrics_have_a_line_for_every_logged_step_and_check(straight):
    metrics = metrics_of(straight)
    assert [m["step"] for m in metrics if "loss" in m] == list(range(1, 21))
    assert [m["step"] for m in metrics if "val_loss" in m] == [10, 20]
    rates = [line["lr"] for line in metrics if "lr" in line]
    assert rates == pytest.approx([n / 4 / 20**1.5 for n in range(1, 21)], abs=1e-6)


def test_training_stops_for_good_when_validation_no_longer_improves(data, tmp_path):
    settings = settings_with(max_steps=50, factor=0.0, validate_every=2, patience=3)
    for _ in range(2):
        # The first check is the best; three without gain follow.
        assert Trainer(settings, data, tmp_path).train().step == 8


@pytest.mark.timeout(60)
def test_a_corpus_without_usable_pairs_is_refused(data, tmp_path):
    with pytest.raises(CorpusError):
        Trainer(settings_with(max_len=1), data, tmp_path).train()


# -- killed and resumed --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("step", "file", "half"),
    [
        (3, "metrics.jsonl", '{"step": 4, "lo'),  # before its first state
        (7, "metrics.jsonl", ""),
        (13, "metrics.jsonl", '{"step": 14, "lo'),
        (13, "state.tmp", "half"),
    ],
)
def test_a_killed_run_ends_as_an_undisturbed_one(data, tmp_path, straight, step, file, half):
    kill_at(Trainer(SETTINGS, data, tmp_path), step)
    with (tmp_path / file).open("a") as being_written:
        being_written.write(half)
    Trainer(SETTINGS, data, tmp_path).train()
    torch.testing.assert_close(state_of(tmp_path), state_of(straight), rtol=0, atol=0)
    assert without_clock(metrics_of(tmp_path)) == without_clock(metrics_of(straight))


def test_a_run_resumes_across_epochs(data, tmp_path):
    settings = settings_with(max_steps=24, batch_tokens=100, validate_every=50)
    Trainer(settings, data, tmp_path / "straight").train()
    kill_at(Trainer(settings, data, tmp_path / "killed"), 19)
    again = Trainer(settings, data, tmp_path / "killed")
    assert again.progress.epoch > 0
    again.train()
    torch.testing.assert_close(
        state_of(tmp_path / "killed"), state_of(tmp_path / "straight"), rtol=0, atol=0
    )


def test_a_run_is_known_by_the_settings_it_last_went_on_with(data, tmp_path):
    for steps in (4, 6):
        Trainer(settings_with(max_steps=steps), data, tmp_path).train()
    assert settings_of_run(tmp_path)["training"]["max_steps"] == 6


def test_a_stop_at_a_step_does_not_change_what_follows(data, tmp_path, straight):
    Trainer(SETTINGS, data, tmp_path).train(max_steps=10)
    Trainer(SETTINGS, data, tmp_path).train()
    torch.testing.assert_close(state_of(tmp_path), state_of(straight), rtol=0, atol=0)


def test_a_finished_run_does_not_train_on(data, tmp_path, straight):
    before = state_of(straight)
    assert Trainer(SETTINGS, data, straight).train().step == 20
    torch.testing.assert_close(state_of(straight), before, rtol=0, atol=0)


# -- guided attention ----------------------------------------------------------------------


def test_guided_attention_loss_by_hand():
    weights = torch.zeros(2, 2, 4, 4)
    weights[0, 1, 3] = torch.tensor([0.5, 0.25, 0.15, 0.1])
    weights[1, 1, 2] = torch.tensor([0.1, 0.1, 0.4, 0.4])
    weights[1, 1, 3] = torch.tensor([0.3, 0.3, 0.2, 0.2])
    # Row 0: piece 3 looks at 0 and 1 with 0.75. Row 1: pieces 2 and 3 at 0, (0.1 + 0.3) / 2.
    links = ((0, (3,), (0, 1)), (1, (2, 3), (0,)))
    loss, mass = guided_attention_loss(weights, 1, links)
    assert loss.item() == pytest.approx(-math.log(0.75) - math.log(0.2), abs=1e-6)
    assert mass == pytest.approx((0.75 + 0.2) / 2, abs=1e-6)


def test_guided_attention_raises_the_weight_on_the_antecedent(data, tmp_path):
    guide = {"layer": 1, "head": 0, "weight": 5.0}
    settings = settings_with(guided=guide, max_steps=40, max_len=120, dropout=0.0, factor=0.2)
    settings["data"] = {"sets": [], "coreference": {"pairs": 60, "held_out_pairs": 4, "seed": 1}}
    trainer = Trainer(settings, data, tmp_path)
    trainer.train()
    masses = [m["guided_mass"] for m in metrics_of(tmp_path) if "guided_mass" in m]
    assert np.mean(masses[-8:]) > 1.2 * np.mean(masses[:8])
    assert hooks(trainer.model) == []


# -- from a run to a checkpoint ------------------------------------------------------------


@pytest.fixture(scope="module")
def exported(data, tmp_path_factory):
    root = tmp_path_factory.mktemp("exported")
    settings = settings_with(max_steps=8, validate_every=2, average=3, formation_steps=[0, 3])
    trainer = Trainer(settings, data, root / "run")
    trainer.train()
    card = export_run(root / "run", root / "tiny")
    return SimpleNamespace(trainer=trainer, run=root / "run", path=root / "tiny", card=card)


def test_an_exported_run_translates_with_the_mean_of_its_last_weights(exported):
    translator = load_translator(exported.path)
    translation = translator.translate(PAIRS[0][0], Decoding(beam_size=2, max_len=20))
    assert translation.attention.cross.weights.shape[:2] == (2, 2)
    expected = average_weights(sorted(exported.run.glob("weights-*")))
    stored = safetensors.torch.load_file(exported.path / "model.safetensors")
    torch.testing.assert_close(stored, {n: t.half() for n, t in expected.items()}, rtol=0, atol=0)


@pytest.mark.parametrize(
    ("asked", "counted"), [({"newest": 1}, [8]), ({"steps": [4, 8, 8]}, [4, 8, 8])]
)
def test_the_newest_weights_or_steps_that_are_named_are_averaged(
    exported, tmp_path, asked, counted
):
    card = export_run(exported.run, tmp_path / "some", **asked)
    assert card["training"]["averaged_steps"] == counted
    files = [exported.run / f"weights-{step:07d}.safetensors" for step in counted]
    expected = np.mean([safetensors.torch.load_file(f)["embedding.weight"] for f in files], axis=0)
    stored = safetensors.torch.load_file(tmp_path / "some" / "model.safetensors")
    np.testing.assert_allclose(stored["embedding.weight"].float(), expected, rtol=1e-3, atol=1e-3)


def test_card_and_metrics_say_how_it_was_trained(exported):
    training = exported.card["training"]
    assert (training["steps"], training["averaged_steps"]) == (8, [4, 6, 8])
    assert training["last_val_loss"] == metrics_of(exported.run)[-1]["val_loss"]
    assert metrics_of(exported.path) == metrics_of(exported.run)


def test_a_run_without_weights_cannot_be_exported(data, tmp_path):
    Trainer(SETTINGS, data, tmp_path / "run")
    with pytest.raises(FileNotFoundError, match="no weights"):
        export_run(tmp_path / "run", tmp_path / "out")


# -- heads forming -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def formation(exported):
    with np.load(exported.path / "formation.npz", allow_pickle=False) as arrays:
        return dict(arrays)


def test_formation_holds_attention_for_every_step_wanted_and_the_last(formation, exported):
    assert formation["steps"].tolist() == [0, 3, 8]
    np.testing.assert_allclose(formation["cross_0"].astype(float).sum(-1), 1.0, rtol=0, atol=0.01)
    tokens = exported.trainer.sets.tokenizer.encode(SENTENCES[0][0]).tokens
    assert tuple(formation["source_tokens_0"].tolist()) == tokens
    for i, (source, target) in enumerate(SENTENCES):
        n_src, n_tgt = (len(exported.trainer.sets.tokenizer.encode(t)) for t in (source, target))
        assert formation[f"encoder_{i}"].shape == (3, 2, 2, n_src, n_src)
        assert formation[f"decoder_{i}"].shape == (3, 2, 2, n_tgt, n_tgt)
        assert formation[f"cross_{i}"].shape == (3, 2, 2, n_tgt, n_src)
        assert formation[f"log_probs_{i}"].shape == (3, n_tgt)
    kept = {k: v.dtype for k, v in formation.items() if k.endswith("_0") and v.dtype.kind == "f"}
    assert kept.pop("frequency_0") == np.float32
    assert set(kept.values()) == {np.dtype(np.float16)}


def log_probs_without_dropout(trainer, source, target):
    src, tgt = (list(trainer.sets.tokenizer.encode(text).ids) for text in (source, target))
    with torch.no_grad():
        logits = trainer.model.eval()(torch.tensor([src]), torch.tensor([[2, *tgt[:-1]]]))
    return logits.log_softmax(-1)[0].gather(1, torch.tensor([tgt]).T)[:, 0].numpy()


def test_formation_is_of_the_fresh_model_first_and_of_the_trained_one_last(
    formation, exported, data, tmp_path
):
    fresh = Trainer(exported.trainer.settings, data, tmp_path)
    for step, trainer in ((0, fresh), (-1, exported.trainer)):
        expected = log_probs_without_dropout(trainer, *SENTENCES[2])
        np.testing.assert_allclose(formation["log_probs_2"][step], expected, rtol=0, atol=0.01)


def test_recording_formation_does_not_change_the_training(exported, data, tmp_path):
    settings = copy.deepcopy(exported.trainer.settings)
    del settings["training"]["formation_steps"]
    Trainer(settings, data, tmp_path).train()
    torch.testing.assert_close(state_of(tmp_path), state_of(exported.run), rtol=0, atol=0)


# -- two processes -------------------------------------------------------------------------

REMEMBERING = """
import os, sys
from pathlib import Path
import safetensors.torch
import training.loop
from training.__main__ import main

made = []

class Remembered(training.loop.Trainer):
    def __init__(self, *args):
        super().__init__(*args)
        made.append(self)

training.loop.Trainer = Remembered
folder = Path(sys.argv[1])
code = main(sys.argv[2:])
tensors = {n: p.detach() for n, p in made[0].model.named_parameters()}
safetensors.torch.save_file(tensors, folder / f"rank-{os.environ['RANK']}.safetensors")
sys.exit(code)
"""


@pytest.fixture(scope="module")
def two_processes(data, tmp_path_factory):
    """A run of six steps by two processes; each leaves its weights."""
    root = tmp_path_factory.mktemp("two")
    settings = settings_with(max_steps=6, validate_every=6, dropout=0.0)
    (root / "config.json").write_text(json.dumps(settings))
    (root / "remembering.py").write_text(REMEMBERING)
    done = subprocess.run(
        [
            *(sys.executable, "-m", "torch.distributed.run", "--standalone"),
            *("--nproc_per_node", "2", root / "remembering.py", root, "--threads", "1"),
            *("--config", root / "config.json", "--data", data),
        ],
        cwd=root,
        env=os.environ
        | {"CUDA_VISIBLE_DEVICES": "", "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return SimpleNamespace(root=root, run=root / "runs" / "tiny", settings=settings)


def test_torchrun_leaves_every_option_of_training_alone(capsys):
    assert main(["train", "--help"]) == 0
    options = sorted(set(re.findall(r"--[a-z-]+", capsys.readouterr().out)) - {"--help"})
    parser = get_args_parser()
    for option in options:
        parsed = parser.parse_args(["--nproc_per_node", "2", "-m", "training", option, "x"])
        assert parsed.training_script_args == [option, "x"]


@pytest.mark.slow
def test_two_processes_learn_what_one_learns_from_both_batches(
    two_processes, data, tmp_path, monkeypatch
):
    plan_batches = loop.plan_batches

    def joined(examples, budget, seed):
        plan = plan_batches(examples, budget, seed)
        return [plan[i] + plan[i + 1] for i in range(0, len(plan) - 1, 2)]

    trainer = Trainer(two_processes.settings, data, tmp_path)
    monkeypatch.setattr(loop, "plan_batches", joined)
    # The joined plan is not meant for validation.
    monkeypatch.setattr(trainer, "evaluate", lambda: {"val_loss": 0.0})
    trainer.train()
    one, two = (
        [(m["loss"], m["gradient_norm"]) for m in metrics_of(run) if "loss" in m]
        for run in (tmp_path, two_processes.run)
    )
    assert len(two) == 6
    np.testing.assert_allclose(two, one, rtol=1e-4)


@pytest.mark.slow
def test_two_processes_write_one_run_of_one_set_of_weights_and_validate_on_every_sentence(
    two_processes, data, tmp_path
):
    first, second = (
        safetensors.torch.load_file(two_processes.root / f"rank-{rank}.safetensors")
        for rank in (0, 1)
    )
    torch.testing.assert_close(first, second, rtol=0, atol=0)
    metrics = metrics_of(two_processes.run)
    assert [m["step"] for m in metrics if "loss" in m] == list(range(1, 7))
    trainer = Trainer(two_processes.settings, data, tmp_path)
    loop.set_weights(trainer.model, first)
    checked = [m["val_loss"] for m in metrics if "val_loss" in m]
    assert checked == pytest.approx([trainer.evaluate()["val_loss"]], abs=1e-5)


def test_weights_and_hiding_start_at_their_named_steps(data, tmp_path, monkeypatch):
    settings = settings_with(decision_weights=[[1, 5.0]], nouns_only=[[2, 0.5, 0.2]], max_steps=3)
    trainer = Trainer(settings, data, tmp_path / "run")
    asked, losses = [], trainer._shared_losses

    def listen(batch, objective):
        asked.append((objective.decision_weight, objective.nouns_only))
        return losses(batch, objective)

    monkeypatch.setattr(trainer, "_shared_losses", listen)
    monkeypatch.setattr(trainer, "evaluate", lambda: {"val_loss": 0.0})
    trainer.train()
    assert asked == [(1.0, (0.0, 0.0)), (5.0, (0.0, 0.0)), (5.0, (0.5, 0.2))]


def test_sibling_situations_join_at_their_named_epoch(data, tmp_path):
    settings = settings_with()
    settings["data"]["coreference"] = {
        "pairs": 60, "held_out_pairs": 4, "seed": 1, "siblings_from_epoch": 2,
    }  # fmt: skip
    trainer = Trainer(settings, data, tmp_path / "run")
    first, second = ([e.src for e in trainer.sets.examples(epoch)] for epoch in (1, 2))
    assert first != second
    assert second == [e.src for e in trainer.sets.examples(2)]
