"""The whole model: against torch's, and properties that must hold."""

import pytest
import torch
from torch import nn

from model.block import sinusoidal_encoding
from model.config import TransformerConfig
from model.transformer import Transformer
from support.models import make_model
from support.twins import copy_layer


def randomised(model):
    """Biases and norms other than their initial zeros and ones, so that a missing one shows."""
    for parameter in model.parameters():
        if parameter.dim() == 1:
            nn.init.normal_(parameter, mean=float(parameter.detach().mean().round()), std=0.2)
    return model


def torch_twin(model):
    """`nn.Transformer` with the weights of `model`; embeddings and logits are not part of it."""
    config = model.config
    sizes = {"d_model": config.d_model, "nhead": config.n_heads, "dim_feedforward": config.d_ff}
    options = sizes | {"batch_first": True, "norm_first": False, "dropout": 0.0}
    twin = nn.Transformer(
        d_model=config.d_model,
        nhead=config.n_heads,
        batch_first=True,
        custom_encoder=nn.TransformerEncoder(
            nn.TransformerEncoderLayer(**options), config.n_encoder_layers, norm=None,
            enable_nested_tensor=False,
        ),
        custom_decoder=nn.TransformerDecoder(
            nn.TransformerDecoderLayer(**options), config.n_decoder_layers, norm=None
        ),
    )  # fmt: skip

    for stack in ("encoder", "decoder"):
        layers = getattr(twin, stack).layers, getattr(model, f"{stack}_layers")
        for theirs, ours in zip(*layers, strict=True):
            copy_layer(theirs, ours)
    return twin.eval()


def twin_logits(model, src, tgt):
    config = model.config
    table = sinusoidal_encoding(config.max_len, config.d_model)

    def embed(ids):
        return model.embedding.weight[ids] * config.d_model**0.5 + table[: ids.shape[1]]

    hidden = torch_twin(model)(
        embed(src),
        embed(tgt),
        tgt_mask=torch.ones(tgt.shape[1], tgt.shape[1], dtype=torch.bool).triu(1),
        src_key_padding_mask=src == config.pad_id,
        memory_key_padding_mask=src == config.pad_id,
    )
    return hidden @ model.embedding.weight.T


def ids(*rows):
    longest = max(len(row) for row in rows)
    return torch.tensor([[*row, *[0] * (longest - len(row))] for row in rows])


SRC = ids([5, 6, 7, 8, 9, 3], [10, 11, 3], [12, 3])
TGT = ids([2, 4, 5, 6], [2, 7, 8, 9], [2, 10, 11, 12])


@pytest.mark.parametrize(
    ("sizes", "n"),
    [
        ({}, 1),
        ({}, 3),  # padded
        ({"n_encoder_layers": 3, "n_decoder_layers": 1, "d_ff": 8}, 1),
        ({"d_model": 256, "n_heads": 8, "d_ff": 512, "vocab_size": 50}, 3),
    ],
)
def test_logits_match_torch_transformer(sizes, n):
    model = randomised(make_model(**sizes))
    expected = twin_logits(model, SRC[:n], TGT[:n])
    torch.testing.assert_close(model(SRC[:n], TGT[:n]), expected, rtol=0, atol=1e-5)


@pytest.mark.parametrize("changed", [1, 2, 3])
def test_changing_a_token_changes_its_own_logits_and_later_ones_alone(tiny_model, changed):
    other = TGT.clone()
    other[:, changed] = 20
    before, after = tiny_model(SRC, TGT), tiny_model(SRC, other)
    torch.testing.assert_close(after[:, :changed], before[:, :changed], rtol=0, atol=0)
    assert ((before - after).abs().amax(dim=(0, 2))[changed:] > 1e-3).all()


def test_steps_after_reordering_equal_teacher_forcing(tiny_model):
    src = SRC[:1]
    state = tiny_model.start(src)
    _, state = tiny_model.step(state, torch.tensor([2]))
    state = tiny_model.select(state, torch.tensor([0, 0, 0]))
    _, state = tiny_model.step(state, torch.tensor([4, 5, 6]))
    state = tiny_model.select(state, torch.tensor([2, 0, 0, 1]))
    _, state = tiny_model.step(state, torch.tensor([7, 8, 9, 10]))
    state = tiny_model.select(state, torch.tensor([3, 1]))
    log_probs, _ = tiny_model.step(state, torch.tensor([11, 12]))
    read = torch.tensor([[2, 5, 10, 11], [2, 4, 8, 12]])
    expected = tiny_model(src.expand(2, -1), read).log_softmax(dim=-1)
    torch.testing.assert_close(log_probs, expected[:, -1], rtol=0, atol=1e-5)


def test_source_target_and_output_share_one_matrix():
    model = make_model(vocab_size=23)
    assert [n for n, p in model.state_dict().items() if 23 in p.shape] == ["embedding.weight"]


def test_a_sentence_of_the_greatest_length_fits_and_a_longer_one_is_refused():
    assert make_model(max_len=6)(SRC[:1], TGT[:1]).shape == (1, 4, 23)
    with pytest.raises(ValueError, match="beyond"):
        make_model(max_len=5)(SRC[:1], TGT[:1])


def test_fresh_logits_start_near_one():
    torch.manual_seed(0)
    config = TransformerConfig(vocab_size=1000, n_encoder_layers=1, n_decoder_layers=1)
    logits = Transformer(config).eval()(
        torch.randint(4, 999, (4, 9)), torch.randint(4, 999, (4, 9))
    )
    assert 0.5 < logits.std().item() < 2.0
