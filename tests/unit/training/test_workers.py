"""Training in two processes: the losses of one, killed and resumed, and one process that writes."""

from __future__ import annotations

import copy
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors.torch
import torch
from torch.distributed.run import get_args_parser

from model.io.assembly import set_weights
from support.models import ROOT
from support.runs import TINY_RUN
from training import loop
from training.__main__ import main
from training.loop import Trainer

pytestmark = pytest.mark.usefixtures("on_the_cpu")

STEPS = 40
PAIRS = {"sets": [], "coreference": {"pairs": 300, "held_out_pairs": 8, "seed": 1}}
SCENES = {"sets": [], "scenes": {"pairs": 300, "held_out_pairs": 8, "seed": 1}}
RECURRENT = {"d_model": 16, "hidden_size": 16, "max_len": 128}
FAMILIES = {
    "transformer": (PAIRS, TINY_RUN["model"]),
    "additive-attention": (PAIRS, RECURRENT),
    "convolutional": (PAIRS, RECURRENT | {"n_encoder_layers": 2, "n_decoder_layers": 2}),
    "captioner": (SCENES, {"d_model": 16, "hidden_size": 32, "attention": "soft"}),
}
"""Sequence-to-sequence families, one for each kind of network and of training."""

# `python -m training`, whose leader dies at a step as if the machine had stopped, and whose
# processes say which files they touched and which weights they ended with.
ONE_PROCESS = """
import json, os, signal, sys
from pathlib import Path
import safetensors.torch
import training.loop
from model.io.assembly import stored_tensors
from training.__main__ import main

rank, folder, last_step = os.environ["RANK"], Path(sys.argv[1]), int(sys.argv[2])
touched, trainers = set(), []

def notice(event, args):
    writes = event == "open" and args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
    if (writes or event in ("os.rename", "os.remove")) and str(args[0]).startswith(str(folder)):
        touched.add(Path(args[0]).name)

class Remembered(training.loop.Trainer):
    def __init__(self, *args):
        super().__init__(*args)
        trainers.append(self)

    def _step(self, batch):
        if rank == "0" and self.progress.step == last_step:
            os.kill(os.getpid(), signal.SIGKILL)
        return super()._step(batch)

training.loop.Trainer = Remembered
sys.addaudithook(notice)
code = main(sys.argv[3:])
files = sorted(touched)
tensors = {name: tensor.clone() for name, tensor in stored_tensors(trainers[0].model).items()}
safetensors.torch.save_file(tensors, folder / f"rank-{rank}.safetensors")
(folder / f"rank-{rank}.json").write_text(json.dumps(files))
sys.exit(code)
"""


def settings_of(family: str, **training: Any) -> dict[str, Any]:
    data, model = FAMILIES[family]
    settings = copy.deepcopy(TINY_RUN) | {"architecture": family, "data": data, "model": model}
    settings["training"] |= {
        "max_len": 100, "factor": 0.1, "max_steps": STEPS, "validate_every": STEPS,
    } | training  # fmt: skip
    return settings


def run_two(folder: Path, settings: dict[str, Any], *, killed_at: int = -1) -> None:
    """Train in two processes of one thread until the end, or until the leader is killed."""
    folder.mkdir(exist_ok=True)
    (folder / "config.json").write_text(json.dumps(settings))
    (folder / "process.py").write_text(ONE_PROCESS)
    done = subprocess.run(
        [
            *(sys.executable, "-m", "torch.distributed.run", "--standalone"),
            *("--nproc_per_node", "2", folder / "process.py", folder, str(killed_at)),
            *("--threads", "1", "--config", folder / "config.json"),
            *("--data", folder, "--folder", folder / "run"),
        ],
        cwd=folder,
        env=os.environ
        | {"CUDA_VISIBLE_DEVICES": "", "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert (done.returncode != 0) == (killed_at > 0), done.stderr[-3000:]


def run_one(folder: Path, settings: dict[str, Any]) -> None:
    """Train in this process on batches that each hold those of two."""
    plan_batches = loop.plan_batches

    def joined(examples, budget, seed):
        plan = plan_batches(examples, budget, seed)
        return [plan[i] + plan[i + 1] for i in range(0, len(plan) - 1, 2)]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loop, "plan_batches", joined)
        trainer = Trainer(settings, folder, folder)
        # The joined plan is not meant for validation.
        patch.setattr(trainer, "evaluate", lambda: {"val_loss": 0.0})
        trainer.train()


def column(run: Path, name: str) -> list[float]:
    lines = map(json.loads, (run / "metrics.jsonl").read_text().splitlines())
    return [line[name] for line in lines if name in line]


def final_weights(folder: Path, rank: int) -> dict[str, torch.Tensor]:
    return safetensors.torch.load_file(folder / f"rank-{rank}.safetensors")


def touched_files(folder: Path, rank: int) -> list[str]:
    return json.loads((folder / f"rank-{rank}.json").read_text())


def test_torchrun_leaves_every_option_of_training_alone(capsys):
    assert main(["train", "--help"]) == 0
    options = sorted(set(re.findall(r"--[a-z-]+", capsys.readouterr().out)) - {"--help"})
    parser = get_args_parser()
    for option in options:
        parsed = parser.parse_args(["--nproc_per_node", "2", "-m", "training", option, "x"])
        assert parsed.training_script_args == [option, "x"]


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_two_processes_learn_what_one_learns_even_if_one_is_killed(family, tmp_path):
    """One process takes the batches of both at once; all other numbers of the run are the same."""
    settings = settings_of(family)
    run_two(tmp_path, settings, killed_at=STEPS - 13)
    run_two(tmp_path, settings)
    run_one(tmp_path / "one", settings)
    checked = Trainer(settings, tmp_path, tmp_path / "checked")
    set_weights(checked.model, final_weights(tmp_path, 0))
    val_loss = checked.evaluate()["val_loss"]
    both = tmp_path / "run"
    losses = column(both, "loss")
    assert len(losses) == STEPS
    one = column(tmp_path / "one", "loss")
    np.testing.assert_allclose(losses, one, rtol=0, atol=1e-4)
    assert losses[-1] < 0.9 * losses[0]
    assert column(both, "val_loss") == [pytest.approx(val_loss, abs=1e-5)]


@pytest.mark.slow
def test_a_killed_run_of_two_ends_as_an_undisturbed_one_and_one_process_writes(tmp_path):
    # Which sentences hide all but their nouns is drawn: as many numbers as a batch needs.
    settings = settings_of(
        "transformer", max_steps=20, validate_every=10, dropout=0.1, nouns_only=[[0, 0.5, 0.25]]
    )
    settings["data"]["coreference"]["two_nouns"] = 0.5
    straight, killed = tmp_path / "straight", tmp_path / "killed"
    run_two(straight, settings)
    run_two(killed, settings, killed_at=13)
    assert column(killed / "run", "step")[-1] == 13
    run_two(killed, settings)
    for rank in (0, 1):
        weights = final_weights(straight, 0)
        for folder in (straight, killed):
            torch.testing.assert_close(final_weights(folder, rank), weights, rtol=0, atol=0)
    for name in ("loss", "gradient_norm", "val_loss"):
        assert column(killed / "run", name) == column(straight / "run", name)
    assert "metrics.jsonl" in touched_files(straight, 0)
    assert touched_files(straight, 1) == []
