"""Losses of a step: label smoothing against torch, weights, the bottleneck and the exchange."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
import torch
import torch.nn.functional as F

from support.models import make_model
from training.corpora.coreference import generate_training
from training.corpora.text_pairs import TextPair
from training.objectives import loss as loss_module
from training.objectives.batching import TrainingExample, encode_pairs, make_batch
from training.objectives.bottleneck import draw_routes, it_alone_looks
from training.objectives.loss import guided_attention_loss, label_smoothed_loss
from training.objectives.objective import Objective, RouteShares, objective_at
from training.objectives.translation import translation_losses

# -- the fused loss ---------------------------------------------------------------------------

N, D_MODEL, VOCAB = 13, 6, 11


def inputs():
    torch.manual_seed(0)
    hidden = torch.randn(N, D_MODEL, requires_grad=True)
    weight = torch.randn(VOCAB, D_MODEL, requires_grad=True)
    return hidden, weight, torch.randint(VOCAB, (N,))


def torch_loss(hidden, weight, targets, smoothing):
    return F.cross_entropy(hidden @ weight.T, targets, label_smoothing=smoothing, reduction="sum")


@pytest.fixture(params=[512, 4], ids=["one chunk", "chunks of four"])
def chunks(request, monkeypatch):
    monkeypatch.setattr(loss_module, "CHUNK_ROWS", request.param)


@pytest.mark.usefixtures("chunks")
@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.5])
def test_loss_and_gradients_are_torchs_and_a_weight_of_three_is_three_copies(smoothing):
    hidden, weight, targets = inputs()
    row_weights = torch.ones(N)
    row_weights[4] = 3.0
    copies = torch.cat([torch.arange(N), torch.tensor([4, 4])])
    loss, nll = label_smoothed_loss(hidden, weight, targets, smoothing, row_weights)
    expected = torch_loss(hidden[copies], weight, targets[copies], smoothing)
    torch.testing.assert_close(loss, expected, rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(nll, torch_loss(hidden, weight, targets, 0.0), rtol=1e-5, atol=1e-5)
    assert not nll.requires_grad
    loss.mul(0.3).backward()
    gradients = hidden.grad, weight.grad
    hidden.grad = weight.grad = None
    expected.mul(0.3).backward()
    torch.testing.assert_close(gradients, (hidden.grad, weight.grad), rtol=1e-5, atol=1e-5)


def test_half_precision_stays_near_and_has_weight_gradients_of_full_precision():
    hidden, weight, targets = inputs()
    loss, _ = label_smoothed_loss(hidden.bfloat16(), weight, targets, 0.1)
    assert loss.item() == pytest.approx(torch_loss(hidden, weight, targets, 0.1).item(), rel=0.02)
    loss.backward()
    assert (weight.grad.dtype, hidden.grad.dtype) == (torch.float32, torch.float32)


@pytest.mark.usefixtures("chunks")
@pytest.mark.parametrize("output", ["tied", "tied, bias", "bias"])
def test_the_output_layer_that_is_trained_is_that_of_the_model(output):
    model = make_model(tied_output="tied" in output, output_bias="bias" in output)
    if "bias" in output:
        torch.nn.init.normal_(model.output_bias)
    examples = [
        TrainingExample((5, 6, 7, 3), (8, 9, 3)),
        TrainingExample((7, 3), (5, 10, 11, 12, 13, 3)),
    ]
    batch = make_batch(examples, model.config.pad_id, model.config.bos_id)
    loss, nll, n = translation_losses(model, batch, Objective(0.1), bf16=False)
    loss.mul(0.3).backward()
    gradients = {name: own.grad for name, own in model.named_parameters()}
    model.zero_grad()
    logits, targets = model(batch.src, batch.tgt_in).flatten(0, 1), batch.tgt_out.flatten()
    options = {"ignore_index": model.config.pad_id, "reduction": "sum"}
    expected = F.cross_entropy(logits, targets, label_smoothing=0.1, **options)
    expected.mul(0.3).backward()
    torch.testing.assert_close(loss, expected)
    torch.testing.assert_close(nll, F.cross_entropy(logits, targets, **options))
    assert n == 9
    for name, own in model.named_parameters():
        torch.testing.assert_close(gradients[name], own.grad, rtol=1e-5, atol=1e-6, msg=name)


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


# -- decisions, and sentences of which only the nouns are seen --------------------------------


@pytest.fixture(scope="module")
def batch(tiny_tokenizer):
    links = generate_training(60, seed=0, two_nouns=0.7)
    pairs = [TextPair(link.source, link.target, link) for link in links]
    return make_batch(encode_pairs(pairs, tiny_tokenizer, 200), pad_id=0, bos_id=2)


@pytest.fixture(scope="module")
def model(tiny_tokenizer):
    sizes = {"vocab_size": tiny_tokenizer.vocab_size, "n_heads": 2, "max_len": 220}
    return make_model(**sizes, dropout=0.0).requires_grad_(False)


def losses_of(model, batch, **objective):
    return translation_losses(model, batch, Objective(**objective), bf16=False)


def test_a_weighted_decision_adds_its_loss_that_many_times(model, batch):
    plain, nll, count = losses_of(model, batch)
    weighed, weighed_nll, _ = losses_of(model, batch, decision_weight=5.0)
    log_probs = model(batch.src, batch.tgt_in).log_softmax(-1)
    pronouns = -log_probs.gather(2, batch.tgt_out[..., None])[..., 0][batch.decisions].sum()
    assert batch.decisions.any()
    assert count == batch.n_tokens
    torch.testing.assert_close(weighed, plain + 4 * pronouns)
    torch.testing.assert_close(weighed_nll, nll)


def test_with_all_but_the_nouns_hidden_only_the_pronouns_count(model, batch):
    """Two nouns are read by a decoder whose memory holds nothing else; of one, all is seen."""
    _, nll, count = losses_of(model, batch, nouns_only=(1.0, 0.0))
    nouns, expected, counted = dict(batch.nouns), 0.0, 0
    padding = model.source_padding(batch.src)
    memory = model.encode(batch.src, padding)
    for row in range(len(batch.src)):
        seen = list(nouns[row]) if row in nouns else slice(int((~padding[row]).sum()))
        logits = model.decode(batch.tgt_in[[row]], memory[[row]][:, seen], None)
        log_probs = logits.log_softmax(-1)[0].gather(1, batch.tgt_out[row, :, None])[:, 0]
        counts = batch.decisions[row] if row in nouns else batch.tgt_out[row] != 0
        expected, counted = expected - float(log_probs[counts].sum()), counted + counts.sum()
    assert 0 < len(nouns) < len(batch.src)
    assert count == counted
    assert float(nll) == pytest.approx(expected, rel=1e-4)


# -- the bottleneck and the exchange ----------------------------------------------------------


def test_the_bottleneck_leaves_nothing_but_it_to_read(model, batch):
    shares = RouteShares(it_only=1.0, one_noun=1.0)
    _, nll, count = losses_of(model, batch, shares=shares)
    expected, pronouns = 0.0, 0
    for row, example in batch.routes:
        memory = model.encode(torch.tensor([example.src]))[:, list(example.query)]
        before = [1] * len(example.tgt[:-1])  # <unk> in the place of the German prefix
        log_probs = model.decode(torch.tensor([[2, *before]]), memory).log_softmax(-1)[0]
        for i in example.pronoun:
            expected -= float(log_probs[i, batch.tgt_out[row, i]])
            pronouns += 1
    assert count == pronouns
    assert float(nll) == pytest.approx(expected, rel=1e-4)
    kept = RouteShares(it_only=1.0, one_noun=1.0, prefix_kept=1.0)
    assert float(losses_of(model, batch, shares=kept)[1]) != pytest.approx(expected, rel=1e-4)


def test_the_exchange_takes_all_but_it_from_the_other_reading(model, batch):
    """Only the pronouns of exchanged rows count, and every token of the others."""
    exchanged = {row: example for row, example in batch.routes if example.other}
    rest = [row for row in range(len(batch.src)) if row not in exchanged]
    _, nll, count = losses_of(model, batch, shares=RouteShares(exchange=1.0))
    plain = model(batch.src[rest], batch.tgt_in[rest]).double().log_softmax(-1)
    real = batch.tgt_out[rest] != 0
    nll += float(plain.gather(2, batch.tgt_out[rest, :, None])[..., 0][real].sum())
    expected, swapped = [], []
    assert len(exchanged) >= 3
    for example in exchanged.values():
        assert len(example.other) == len(example.src)
        at_it = list(example.query)
        own, other = (model.encode(torch.tensor([ids])) for ids in (example.src, example.other))
        for base, taken, into in ((other, own, expected), (own, other, swapped)):
            memory = base.clone()
            memory[:, at_it] = taken[:, at_it]
            tgt_in = torch.tensor([[2, *example.tgt[:-1]]])
            log_probs = model.decode(tgt_in, memory).double().log_softmax(-1)[0]
            into.append(-sum(float(log_probs[i, example.tgt[i]]) for i in example.pronoun))
    assert count == sum(len(each.pronoun) for each in exchanged.values()) + int(real.sum())
    assert abs(sum(swapped) - sum(expected)) > 0.1
    assert float(nll) == pytest.approx(sum(expected), abs=0.02)


def test_pronouns_elsewhere_count_only_when_asked_and_shares_are_chances(model, batch):
    assert losses_of(model, batch, shares=RouteShares())[2] == batch.n_tokens
    fewer = losses_of(model, batch, shares=RouteShares(elsewhere=0.0))[2]
    assert batch.n_tokens - fewer == int(batch.decisions.sum())
    torch.manual_seed(1)
    drawn = [draw_routes(batch, RouteShares(it_only=0.5)) for _ in range(40)]
    share = sum(len(routes.it_only) for routes in drawn) / 40 / int(batch.decisions.any(1).sum())
    assert 0.4 < share < 0.6


def test_weights_hiding_and_shares_start_at_their_named_steps():
    settings = {
        "label_smoothing": 0.1,
        "decision_weights": [[1, 5.0]],
        "nouns_only": [[2, 0.5, 0.2]],
        "routes": [{"from_step": 2, "it_only": 0.6}, {"from_step": 3, "exchange": 0.7}],
    }
    third = Objective(0.1, 5.0, nouns_only=(0.5, 0.2), shares=RouteShares(it_only=0.6))
    fourth = replace(third, shares=RouteShares(exchange=0.7))
    expected = [Objective(0.1), Objective(0.1, 5.0), third, fourth, fourth]
    assert [objective_at(step, settings) for step in range(5)] == expected


def test_it_alone_looks_at_other_tokens_where_asked(model, batch):
    routes = draw_routes(batch, RouteShares(it_only=1.0, one_noun=1.0, alone=1.0))
    assert routes.alone == routes.it_only
    n_rows, n_src = batch.src.shape
    padding = model.source_padding(batch.src)
    looks = it_alone_looks(routes, padding, n_rows + 2)
    assert looks[n_rows:].all()
    for row, example in batch.routes:
        for query in range(n_src):
            sees_all = query in example.query or query >= len(example.src)
            assert looks[row, query].tolist() == [sees_all or key == query for key in range(n_src)]
    assert it_alone_looks(draw_routes(batch, RouteShares(it_only=1.0)), padding, n_rows) is None
