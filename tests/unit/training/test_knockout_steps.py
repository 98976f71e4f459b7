"""Heads switched off at the steps that a run has kept, held against whole runs of the model."""

import json

import numpy as np
import pytest
import safetensors.torch
import torch

from model.checkpoint import stored_tensors
from model.read import read_ids
from support.runs import TINY_RUN, TRAINING
from training import knockout_steps
from training.build_tokenizer import tokenizer_for
from training.coreference import generate_held_out, generate_training
from training.corpus import Pair
from training.families import model_for
from training.knockout_steps import KnockOutSteps, held_out_pronouns
from training.workers import Workers

SETTINGS = TINY_RUN | {
    "name": "kept",
    "data": {"sets": [], "coreference": {"pairs": 40, "held_out_pairs": 8, "seed": 1}},
    "tokenizer": {"vocab_size": 400},
    "model": TINY_RUN["model"] | {"n_decoder_layers": 1},
    "training": TRAINING | {"formation_sentences": [["The dog sleeps.", "Der Hund schläft."]]},
}
STEPS = (10, 20)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kept")
    pairs = [Pair(p.source, p.target) for p in generate_training(2000, seed=1)]
    tokenizer = tokenizer_for(SETTINGS, pairs, folder, Workers.join())
    (folder / "config.json").write_text(json.dumps(SETTINGS))
    for step in STEPS:
        torch.manual_seed(step)
        model = model_for(SETTINGS, tokenizer)
        tensors = {name: t.contiguous() for name, t in stored_tensors(model).items()}
        safetensors.torch.save_file(tensors, folder / f"weights-{step:07d}.safetensors")
    return folder, tokenizer


@pytest.fixture(scope="module")
def found(run):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(knockout_steps, "PRONOUNS", 2)
        return KnockOutSteps(run[0]).measure()


def test_every_head_of_every_site_has_a_change_at_every_step(found):
    assert found["steps"] == list(STEPS)
    for changes in (found["changes"], found["pronoun"]["changes"]):
        shapes = {name: np.shape(values) for name, values in changes.items()}
        assert shapes == {"encoder": (2, 2, 2), "decoder": (2, 1, 2), "cross": (2, 1, 2)}
    assert KnockOutSteps.report(found).count("step ") == len(STEPS)


def test_the_pronouns_log_p_is_that_of_the_model_at_that_step(run, found):
    _, tokenizer = run
    for at, step in enumerate(STEPS):
        torch.manual_seed(step)
        model = model_for(SETTINGS, tokenizer).eval()
        log_probs = []
        for pair in generate_held_out(2, seed=knockout_steps.HELD_OUT_SEED):
            src, tgt = (tokenizer.encode(text) for text in (pair.source, pair.target))
            place = tgt.pieces_at(*pair.target_pronoun)[0]
            read = torch.tensor([list(read_ids(model.config, tgt.ids))])
            with torch.inference_mode():
                logits = model(torch.tensor([list(src.ids)]), read)
            log_probs.append(float(logits[0, place].log_softmax(dim=-1)[tgt.ids[place]]))
        assert found["pronoun"]["log_prob"][at] == pytest.approx(np.mean(log_probs), abs=1e-4)
    assert found["pronoun"]["sentences"] == len(log_probs)


def test_a_head_without_an_output_weight_is_not_missed(run):
    """Switching off what writes nothing changes nothing; any other head changes something."""
    _, tokenizer = run
    torch.manual_seed(1)
    model = model_for(SETTINGS, tokenizer).eval()
    attention = model.encoder_layers[1].self_attention
    with torch.no_grad():
        attention.out_proj.weight[:, :8] = 0  # what head 0 of two writes
    items = held_out_pronouns(SETTINGS, tokenizer)[:2]
    places = [("encoder", 1, 0), ("encoder", 1, 1)]
    means = knockout_steps._changes(model, items, places)
    assert means[1] == pytest.approx(means[0], abs=1e-6)
    assert abs(means[2] - means[0]) > 1e-6


def test_a_run_without_riddles_has_no_pronoun(run):
    assert held_out_pronouns({"data": {"sets": []}}, run[1]) == []


def test_a_run_that_kept_no_weights_says_so(run, tmp_path):
    (tmp_path / "config.json").write_text(json.dumps(SETTINGS))
    (tmp_path / "tokenizer.json").write_bytes((run[0] / "tokenizer.json").read_bytes())
    with pytest.raises(FileNotFoundError, match="holds no weights"):
        KnockOutSteps(tmp_path).measure()
