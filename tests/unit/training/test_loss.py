"""The fused, label-smoothed loss against torch's own."""

import math

import pytest
import torch
import torch.nn.functional as F

from support.models import make_model
from training import loss as loss_module
from training.batching import Example, make_batch
from training.loss import label_smoothed_loss
from training.objective import Objective, translation_losses

N, D_MODEL, VOCAB = 13, 6, 11


def inputs(dtype=torch.float32):
    torch.manual_seed(0)
    hidden = torch.randn(N, D_MODEL, dtype=dtype, requires_grad=True)
    weight = torch.randn(VOCAB, D_MODEL, dtype=dtype, requires_grad=True)
    return hidden, weight, torch.randint(VOCAB, (N,))


def torch_loss(hidden, weight, targets, smoothing):
    return F.cross_entropy(hidden @ weight.T, targets, label_smoothing=smoothing, reduction="sum")


@pytest.fixture(params=[512, 4], ids=["one chunk", "chunks of four"])
def chunks(request, monkeypatch):
    monkeypatch.setattr(loss_module, "CHUNK_ROWS", request.param)


@pytest.mark.usefixtures("chunks")
@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.5])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_loss_and_gradients_match_torch_cross_entropy(smoothing, dtype):
    hidden, weight, targets = inputs(dtype)
    loss, nll = label_smoothed_loss(hidden, weight, targets, smoothing)
    expected = torch_loss(hidden, weight, targets, smoothing)
    torch.testing.assert_close(loss, expected, check_dtype=False, rtol=1e-5, atol=1e-5)
    plain = torch_loss(hidden, weight, targets, 0.0)
    torch.testing.assert_close(nll, plain, check_dtype=False, rtol=1e-5, atol=1e-5)
    assert not nll.requires_grad
    loss.mul(0.3).backward()
    mine = hidden.grad, weight.grad
    hidden.grad = weight.grad = None
    expected.mul(0.3).backward()
    torch.testing.assert_close(mine, (hidden.grad, weight.grad), rtol=1e-5, atol=1e-5)


def test_a_loss_by_hand():
    # Two equal logits: both log-probabilities are -ln 2, whatever the smoothing.
    loss, _ = label_smoothed_loss(torch.ones(3, 1), torch.ones(2, 1), torch.tensor([0, 1, 1]), 0.1)
    assert float(loss) == pytest.approx(3 * math.log(2))


def test_half_precision_stays_near_full_precision_and_has_weight_gradients_of_it():
    hidden, weight, targets = inputs()
    loss, _ = label_smoothed_loss(hidden.bfloat16(), weight, targets, 0.1)
    expected = torch_loss(hidden, weight, targets, 0.1)
    assert loss.item() == pytest.approx(expected.item(), rel=0.02)
    loss.backward()
    assert (weight.grad.dtype, hidden.grad.dtype) == (torch.float32, torch.float32)


@pytest.mark.usefixtures("chunks")
def test_weighted_rows_count_as_often_as_their_weight():
    """Weight 3 is the same as three copies of the row, gradients included."""
    hidden, weight, targets = inputs()
    row_weights = torch.ones(N)
    row_weights[4] = 3.0
    loss, nll = label_smoothed_loss(hidden, weight, targets, 0.1, row_weights)
    loss.backward()
    mine = weight.grad
    copies = torch.cat([torch.arange(N), torch.tensor([4, 4])])
    weight.grad = None
    expected = torch_loss(hidden[copies], weight, targets[copies], 0.1)
    expected.backward()
    torch.testing.assert_close(loss, expected)
    torch.testing.assert_close(mine, weight.grad)
    torch.testing.assert_close(nll, torch_loss(hidden, weight, targets, 0.0))


@pytest.mark.usefixtures("chunks")
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
@pytest.mark.parametrize("output_bias", [False, True])
@pytest.mark.parametrize("tied_output", [True, False])
def test_the_output_layer_that_is_trained_is_that_of_the_model(tied_output, output_bias, smoothing):
    model = make_model(tied_output=tied_output, output_bias=output_bias)
    if output_bias:
        torch.nn.init.normal_(model.output_bias)
    model.zero_grad()
    examples = [Example((5, 6, 7, 3), (8, 9, 3)), Example((7, 3), (5, 10, 11, 12, 13, 3))]
    batch = make_batch(examples, model.config.pad_id, model.config.bos_id)
    loss, nll, n = translation_losses(model, batch, Objective(smoothing), bf16=False)
    loss.mul(0.3).backward()
    found = {name: own.grad for name, own in model.named_parameters()}
    model.zero_grad()
    logits, targets = model(batch.src, batch.tgt_in).flatten(0, 1), batch.tgt_out.flatten()
    how = {"ignore_index": model.config.pad_id, "reduction": "sum"}
    expected = F.cross_entropy(logits, targets, label_smoothing=smoothing, **how)
    expected.mul(0.3).backward()
    torch.testing.assert_close(loss, expected)
    torch.testing.assert_close(nll, F.cross_entropy(logits, targets, **how))
    assert n == 9
    for name, own in model.named_parameters():
        torch.testing.assert_close(found[name], own.grad, rtol=1e-5, atol=1e-6, msg=name)
