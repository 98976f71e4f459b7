"""Whole runs on a tiny corpus: learning, being killed, going on, and two processes."""

import copy
import functools
import gzip
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
from conftest import ROOT
from torch.distributed.run import get_args_parser

from core.search import Decoding
from model import load_translator
from model.capture import probes_of
from training import loop
from training.__main__ import main
from training.batching import encode_pairs
from training.coreference import canonical_pairs, generate_training
from training.corpus import CorpusError, Pair
from training.export import average_weights, export_run
from training.formation import SENTENCES
from training.loop import Trainer
from training.loss import guided_attention_loss
from training.objective import Objective
from training.routes import hide_all_but_nouns, rows_to_hide
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

SETTINGS = {
    "name": "tiny",
    "title": "Tiny",
    "languages": ["en", "de"],
    "data": {"sets": [{"folder": "tiny"}]},
    "tokenizer": {"vocab_size": 100},
    "model": {
        "d_model": 16, "n_heads": 2, "n_encoder_layers": 2, "n_decoder_layers": 2, "d_ff": 32,
        "max_len": 128,
    },
    "training": {
        "seed": 1, "dropout": 0.1, "label_smoothing": 0.1, "batch_tokens": 200, "max_len": 60,
        "warmup": 20, "factor": 1.0, "clip_norm": 1.0, "bf16": False, "max_steps": 20,
        "log_every": 1, "validate_every": 10, "save_every": 5, "patience": 5, "average": 3,
    },
}  # fmt: skip


def settings_with(**training):
    settings = copy.deepcopy(SETTINGS)
    settings["training"] |= training
    return settings


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    root = tmp_path_factory.mktemp("data")
    (root / "tiny").mkdir()
    for name, pairs in (("val", PAIRS[::6]), ("train", [p for p in PAIRS if p not in PAIRS[::6]])):
        text = "".join(f"{source}\t{target}\n" for source, target in pairs)
        (root / "tiny" / f"{name}.tsv.gz").write_bytes(gzip.compress(text.encode()))
    return root


@pytest.fixture(scope="module", autouse=True)
def on_the_cpu():
    """One process on the CPU, with a pool of dropout masks that is quickly made."""
    small_pool = functools.partial(loop.use_pooled_dropout, pool_size=1 << 18)
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("WORLD_SIZE", raising=False)
        patch.setattr(loop, "pick_device", lambda: torch.device("cpu"))
        patch.setattr(loop, "use_pooled_dropout", small_pool)
        yield


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


def test_the_loss_falls(data, tmp_path):
    settings = settings_with(max_steps=50, validate_every=10, dropout=0.0, factor=0.3)
    Trainer(settings, data, tmp_path).train()
    metrics = metrics_of(tmp_path)
    losses = [line["loss"] for line in metrics if "loss" in line]
    checks = [line["val_loss"] for line in metrics if "val_loss" in line]
    assert losses[-1] < 0.3 * losses[0]
    assert checks == sorted(checks, reverse=True)


def test_the_loss_falls_in_half_precision(data, tmp_path):
    settings = settings_with(max_steps=30, bf16=True, factor=0.2, log_every=10)
    Trainer(settings, data, tmp_path).train()
    losses = [line["loss"] for line in metrics_of(tmp_path) if "loss" in line]
    assert losses[-1] < 0.8 * losses[0]


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


def test_missing_data_is_named(tmp_path):
    with pytest.raises(CorpusError, match=r"train\.tsv\.gz does not exist"):
        Trainer(SETTINGS, tmp_path, tmp_path / "run")


@pytest.mark.timeout(5)
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
    assert not any(probe._forward_hooks for probe in probes_of(trainer.model))


# -- from a run to a checkpoint ------------------------------------------------------------


def test_averaging_weights_by_hand(tmp_path):
    files = []
    for n, value in enumerate((1.0, 2.0, 6.0)):
        files.append(tmp_path / f"{n}.safetensors")
        safetensors.torch.save_file({"a": torch.tensor([value, -value])}, files[-1])
    torch.testing.assert_close(average_weights(files), {"a": torch.tensor([3.0, -3.0])})


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


def test_only_the_newest_weights_are_averaged_when_asked_for(exported, tmp_path):
    card = export_run(exported.run, tmp_path / "one", newest=1)
    stored = safetensors.torch.load_file(tmp_path / "one" / "model.safetensors")
    newest = exported.trainer.model.embedding.weight.detach().half()
    assert card["training"]["averaged_steps"] == [8]
    torch.testing.assert_close(stored["embedding.weight"], newest, rtol=0, atol=0)


def test_a_step_named_twice_counts_twice(exported, tmp_path):
    card = export_run(exported.run, tmp_path / "some", steps=[4, 8, 8])
    assert card["training"]["averaged_steps"] == [4, 8, 8]
    stored = safetensors.torch.load_file(tmp_path / "some" / "model.safetensors")
    first, last = (
        safetensors.torch.load_file(exported.run / f"weights-{step:07d}.safetensors")
        for step in (4, 8)
    )
    name = "embedding.weight"
    expected = (first[name] + 2 * last[name]) / 3
    torch.testing.assert_close(stored[name].float(), expected, rtol=1e-3, atol=1e-3)


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


def test_formation_is_stored_in_half_precision(formation):
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
def test_two_processes_end_with_one_set_of_weights(two_processes):
    first, second = (
        safetensors.torch.load_file(two_processes.root / f"rank-{rank}.safetensors")
        for rank in (0, 1)
    )
    torch.testing.assert_close(first, second, rtol=0, atol=0)


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
def test_two_processes_write_one_run(two_processes):
    steps = [m["step"] for m in metrics_of(two_processes.run) if "loss" in m]
    assert steps == list(range(1, 7))


@pytest.mark.slow
def test_two_processes_validate_on_every_sentence(two_processes, data, tmp_path):
    trainer = Trainer(two_processes.settings, data, tmp_path)
    loop.set_weights(
        trainer.model, safetensors.torch.load_file(two_processes.root / "rank-0.safetensors")
    )
    checked = [m["val_loss"] for m in metrics_of(two_processes.run) if "val_loss" in m]
    assert checked == pytest.approx([trainer.evaluate()["val_loss"]], abs=1e-5)


def batch_of(trainer, links):
    pairs = [Pair(link.source, link.target, link) for link in links]
    return trainer._batch(encode_pairs(pairs, trainer.sets.tokenizer, 200))


@pytest.fixture(scope="module")
def quiet(data, tmp_path_factory):
    """A trainer without dropout."""
    return Trainer(settings_with(dropout=0.0), data, tmp_path_factory.mktemp("quiet"))


def test_a_weighted_decision_adds_its_loss_that_many_times(quiet):
    batch = batch_of(quiet, canonical_pairs())
    n = batch.decisions.sum()
    with torch.no_grad():
        plain, nll, count = quiet._losses(batch, Objective())
        weighed, weighed_nll, _ = quiet._losses(batch, Objective(decision_weight=5.0))
        logits = quiet.model.decode(
            batch.tgt_in,
            quiet.model.encode(batch.src, quiet.model.source_padding(batch.src)),
            quiet.model.source_padding(batch.src),
        )
    log_probs = logits.log_softmax(-1).gather(2, batch.tgt_out[..., None])[..., 0]
    pronouns = -log_probs[batch.decisions].sum()
    assert n > 0
    assert count == batch.n_tokens
    torch.testing.assert_close(weighed, plain + 4 * pronouns)
    torch.testing.assert_close(weighed_nll, nll)


def test_with_all_but_the_nouns_hidden_only_the_pronouns_count(quiet):
    batch = batch_of(quiet, canonical_pairs())
    with torch.no_grad():
        _, nll, count = quiet._losses(batch, Objective(nouns_only=(1.0, 0.0)))
        padding = quiet.model.source_padding(batch.src)
        memory = quiet.model.encode(batch.src, padding)
        expected = 0.0
        for row, pieces in batch.nouns:
            # The decoder with a memory that holds nothing but the nouns.
            only = memory[row : row + 1, list(pieces)]
            logits = quiet.model.decode(batch.tgt_in[row : row + 1], only, None)
            log_probs = logits.log_softmax(-1).gather(2, batch.tgt_out[row, None, :, None])
            expected -= float(log_probs[0, batch.decisions[row], 0].sum())
    assert count == int(batch.decisions.sum())
    assert float(nll) == pytest.approx(expected, rel=1e-4)


def test_one_noun_sentences_are_never_hidden(quiet):
    links = [p for p in generate_training(20, seed=0) if p.n_nouns == 1]
    batch = batch_of(quiet, links)
    with torch.no_grad():
        _, nll, count = quiet._losses(batch, Objective(nouns_only=(1.0, 0.0)))
        _, plain, everything = quiet._losses(batch, Objective())
    assert (count, float(nll)) == (everything, float(plain))


def test_other_tokens_stay_visible_with_the_chance_asked_for(quiet):
    batch = batch_of(quiet, canonical_pairs() * 200)
    rows = [row for row, _ in batch.nouns[::2]]
    hidden = hide_all_but_nouns(batch, None, rows, 0.25)
    nouns = dict(batch.nouns)
    others = [i for i in range(batch.src.shape[1]) if i not in nouns[rows[0]]]
    assert 0.2 < float((~hidden[rows][:, others]).float().mean()) < 0.3
    assert not hidden[rows][:, list(nouns[rows[0]])].any()
    assert not hidden[[row for row, _ in batch.nouns[1::2]]].any()


def test_the_share_of_hidden_sentences_is_about_what_was_asked():
    batch = SimpleNamespace(nouns=tuple((row, (1, 2)) for row in range(2000)))
    assert 0.25 < len(rows_to_hide(batch, 0.3)) / 2000 < 0.35
    assert rows_to_hide(batch, 0.0) == []


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
