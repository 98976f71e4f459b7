"""Show, Attend and Tell: the step as the paper writes it, its choices, and its losses."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import torch
from torch.nn.functional import one_hot

from core.records.scenes import GRID, picture, read_scene
from model.families.captioner import Captioner, CaptionerConfig
from model.hooks.capture import capture_attention
from training.objectives.batching import TrainingExample
from training.objectives.captioning import (
    Captioning,
    coverage_penalty,
    encode_scenes,
    gaze_loss,
    scene_pairs,
    scene_sets,
)
from training.objectives.objective import Objective, objective_at

SIZES = {"d_model": 6, "hidden_size": 5, "annotation_size": 4, "attention_size": 3, "dropout": 0.0}
TGT = torch.tensor([[2, 7, 8, 9]])
SCENE = read_scene("large red circle at 1 1; small blue star at 3 4")
PIXELS = torch.from_numpy(picture(SCENE))[None]


def captioner(attention: str = "soft", **more) -> Captioner:
    torch.manual_seed(3)
    config = CaptionerConfig(12, **(SIZES | {"attention": attention} | more))
    return Captioner(config).eval()


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def by_the_paper(model: Captioner, choose) -> tuple[np.ndarray, np.ndarray]:
    """Logits (T, V) and alphas (T, 196) of `TGT`, one step after the other from the equations.

    `choose` makes of alpha what the annotations are weighed by.
    """
    with torch.no_grad():
        a = model.encoder(PIXELS)[0].double().numpy()
    p = {name: value.detach().double().numpy() for name, value in model.named_parameters()}

    def linear(name: str, x: np.ndarray) -> np.ndarray:
        return p[f"{name}.weight"] @ x + p.get(f"{name}.bias", 0.0)

    mean = a.mean(axis=0)
    h, c = np.tanh(linear("initial_hidden", mean)), np.tanh(linear("initial_cell", mean))
    logits, alphas = [], []
    for token in TGT[0].tolist():
        e = [linear("energy", np.tanh(linear("key", ai) + linear("query", h)))[0] for ai in a]
        alpha = np.exp(e) / np.exp(e).sum()
        beta = sigmoid(linear("gate", h))
        z = beta * (choose(alpha)[:, None] * a).sum(axis=0)
        y = p["embedding.weight"][token] * np.sqrt(SIZES["d_model"])
        gates = p["decoder.weight_ih"] @ np.concatenate((y, z)) + p["decoder.bias_ih"]
        gates = gates + p["decoder.weight_hh"] @ h + p["decoder.bias_hh"]
        i, f, g, o = np.split(gates, 4)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(c)
        logits.append(linear("output", y + linear("of_hidden", h) + linear("of_context", z)))
        alphas.append(alpha)
    return np.array(logits), np.array(alphas)


CHOICES = {
    "soft": lambda alpha: alpha,
    "hard": lambda alpha: np.eye(len(alpha))[alpha.argmax()],
    "mean": lambda alpha: np.full(len(alpha), 1 / len(alpha)),
}


@pytest.mark.parametrize("attention", CHOICES)
def test_a_step_is_what_the_paper_writes(attention):
    model = captioner(attention)
    expected, alphas = by_the_paper(model, CHOICES[attention])
    with torch.no_grad(), capture_attention(model) as captured:
        logits = model(PIXELS, TGT)[0]
    np.testing.assert_allclose(logits.numpy(), expected, rtol=0, atol=1e-5)
    np.testing.assert_allclose(captured.weights("gaze")[0, 0, 0], alphas, rtol=0, atol=1e-6)


def test_annotations_lie_on_the_grid():
    """A change in one corner of the picture changes the cells of that corner alone."""
    model = captioner()
    changed = PIXELS.clone()
    changed[0, 96:, 96:] = 0
    with torch.no_grad():
        difference = (model.encoder(changed) - model.encoder(PIXELS)).abs().sum(-1)
    rows = difference.reshape(GRID)
    assert (rows[:9] == 0).all()
    assert (rows[:, :9] == 0).all()
    assert rows[13, 13] > 0


def test_hard_attention_draws_in_training_and_not_after_it():
    model = captioner("hard")
    with torch.no_grad():
        assert torch.equal(model(PIXELS, TGT), model(PIXELS, TGT))
        model.train()
        torch.manual_seed(0)
        given = PIXELS.expand(64, -1, -1, -1), TGT.expand(64, -1)
        _, weights, chosen, drawn = model.training_outputs(*given)
        assert not model.training_outputs(*given, 0.0)[3].any()
        assert model.training_outputs(*given, 1.0)[3].all()
    assert 16 < drawn.sum() < 48
    ones = chosen[drawn[:, 0]]
    assert ((ones == 0) | (ones == 1)).all()
    assert (ones.sum(-1) == 1).all()
    assert torch.equal(chosen[~drawn[:, 0]], weights[~drawn[:, 0]])
    # Drawn by alpha: cells that are taken are likelier than most.
    assert len(ones.argmax(-1).unique()) > 20


def test_the_penalty_by_hand():
    weights = torch.tensor([[[0.5, 0.5], [1.0, 0.0], [0.2, 0.8]]])
    written = torch.tensor([[True, True, False]])
    torch.testing.assert_close(coverage_penalty(weights, written), torch.tensor([0.5**2 + 0.5**2]))


FLAGS = torch.ones(1, 2, dtype=torch.bool)


def gaze_gradient(model, scores, cells, log_p):
    """Gradient of the loss of two words whose gazes fell on `cells`."""
    chosen = one_hot(torch.tensor([cells]), 4).float()
    loss = gaze_loss(model, log_p[None], scores.softmax(-1), chosen, FLAGS[:, :1], FLAGS)
    return torch.autograd.grad(loss, scores)[0]


def test_the_gradient_of_drawn_gazes_is_that_of_the_expected_log_p():
    """Over all gazes, weighed by their probability, eq. 12 is the exact gradient of E[log p],
    whatever the baseline. The second word is likely by both gazes, and the first gaze answers for
    both words; words before a gaze say nothing of it.
    """
    model = captioner("hard", entropy=0.0, reinforce=1.0)
    scores = torch.randn(1, 2, 4, requires_grad=True)
    first, second = torch.randn(4), torch.randn(4, 4)  # log p of the words, by where they look
    alpha = scores.softmax(-1)[0]
    both = alpha[0][:, None] * alpha[1]
    (expected,) = torch.autograd.grad((both * (first[:, None] + second)).sum(), scores)
    total = torch.zeros_like(scores)
    for i, j in itertools.product(range(4), range(4)):
        model.baseline.fill_(0.7)
        log_p = torch.stack((first[i], second[i, j]))
        total -= gaze_gradient(model, scores, [i, j], log_p) * both[i, j].detach()
    torch.testing.assert_close(total, expected)
    one, other = (
        gaze_gradient(model, scores, [1, 2], torch.tensor([p, -2.0]))[0] for p in (-1.0, -4.0)
    )
    assert torch.equal(one[1], other[1])
    assert not torch.allclose(one[0], other[0])


def test_the_baseline_follows_the_log_p_of_words_whose_gaze_was_drawn():
    model = captioner("hard")
    weights = torch.full((2, 2, 4), 0.25)
    log_p = torch.tensor([[-3.0, 0.0], [-5.0, -7.0]])
    written = torch.tensor([[True, False], [True, True]])
    drawn = torch.tensor([[False], [True]])
    given = (log_p, weights, weights, drawn, written)
    gaze_loss(model, *given)
    assert float(model.baseline) == 0.0
    gaze_loss(model.train(), *given)
    assert float(model.baseline) == pytest.approx(0.1 * -6.0)
    gaze_loss(model, log_p, weights, weights, torch.zeros_like(drawn), written)
    assert float(model.baseline) == pytest.approx(0.9 * 0.1 * -6.0 + 0.1 * -5.0)


def test_how_many_gazes_are_drawn_is_asked_by_the_config():
    settings = {"label_smoothing": 0.0, "drawn_gazes": [[0, 0.0], [3, 0.75]]}
    assert [objective_at(step, settings).drawn for step in (0, 2, 3, 9)] == [0, 0, 0.75, 0.75]
    assert objective_at(0, {"label_smoothing": 0.0}).drawn == 0.5
    assert CaptionerConfig(12, annotation_size=0).faults()
    assert not CaptionerConfig(12).faults()


EXAMPLES = [TrainingExample([0, 0, 1, 0, 0], [7, 8, 3]), TrainingExample([1, 1, 0, 0, 9], [9, 3])]


def losses(attention, objective, **config):
    model = captioner(attention, **config).train()
    torch.manual_seed(1)
    batch = Captioning().batch(EXAMPLES, model.config)
    return model, batch, Captioning().losses(model, batch, objective, bf16=False)


@pytest.mark.parametrize("attention", CHOICES)
def test_losses_take_every_parameter_and_tell_the_nll(attention):
    model, batch, (loss, nll, n) = losses(attention, Objective())
    loss.backward()
    assert n == 5
    assert [name for name, p in model.named_parameters() if p.grad is None] == []
    if attention != "hard":
        log_probs = model(batch.src, batch.tgt_in).log_softmax(-1)
        picked = log_probs.gather(-1, batch.tgt_out[..., None])[..., 0]
        torch.testing.assert_close(nll, -picked[batch.tgt_out != 0].sum())
        return
    hard, soft = (losses(a, Objective(drawn=0.0), entropy=0.0)[2] for a in ("hard", "soft"))
    torch.testing.assert_close(hard, soft)  # before gazes are drawn


def test_pairs_of_scenes_are_the_same_for_the_same_seed_and_parts_share_none(tiny_tokenizer):
    assert scene_pairs(5, 1) == scene_pairs(5, 1) != scene_pairs(5, 2)
    train, held_back = scene_sets({"pairs": 300, "held_out_pairs": 50, "seed": 4})
    assert not {pair.source for pair in train} & {pair.source for pair in held_back}
    examples = encode_scenes(train[:4], tiny_tokenizer, 1000)
    expected = [5 * pair.source.count(" at ") for pair in train[:4]]
    assert [len(each.src) for each in examples] == expected
