"""The whole model against torch's, and properties that must hold."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from model.config import TransformerConfig
from model.families.transformer import Transformer
from model.nets.sublayers import sinusoidal_encoding
from support.models import make_model
from support.twins import copy_layer
from support.variants import shaken


def torch_twin(model):
    """`nn.Transformer` with the weights of `model`; embeddings and logits are not part of it."""
    config = model.config
    sizes = {"d_model": config.d_model, "nhead": config.n_heads, "dim_feedforward": config.d_ff}
    options = sizes | {"batch_first": True, "dropout": 0.0}
    encoder, decoder = nn.TransformerEncoderLayer(**options), nn.TransformerDecoderLayer(**options)
    twin = nn.Transformer(
        d_model=config.d_model,
        nhead=config.n_heads,
        batch_first=True,
        custom_encoder=nn.TransformerEncoder(
            encoder, config.n_encoder_layers, enable_nested_tensor=False
        ),
        custom_decoder=nn.TransformerDecoder(decoder, config.n_decoder_layers),
    )
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


SRC = torch.tensor([[5, 6, 7, 8, 9, 3], [10, 11, 3, 0, 0, 0], [12, 3, 0, 0, 0, 0]])
TGT = torch.tensor([[2, 4, 5, 6], [2, 7, 8, 9], [2, 10, 11, 12]])


@pytest.mark.parametrize(
    ("sizes", "n"),
    [
        ({}, 3),  # padded
        ({"n_encoder_layers": 3, "n_decoder_layers": 1, "d_ff": 8}, 1),
        ({"d_model": 256, "n_heads": 8, "d_ff": 512, "vocab_size": 50}, 3),
    ],
)
def test_logits_match_torch_transformer(sizes, n):
    model = shaken(make_model(**sizes), 0.05)
    expected = twin_logits(model, SRC[:n], TGT[:n])
    torch.testing.assert_close(model(SRC[:n], TGT[:n]), expected, rtol=1e-5, atol=1e-5)


def test_steps_after_reordering_equal_teacher_forcing(tiny_model):
    src = SRC[:1]
    _, state = tiny_model.step(tiny_model.start(src), torch.tensor([2]))
    for rows, read in (([0, 0, 0], [4, 5, 6]), ([2, 0, 0, 1], [7, 8, 9, 10]), ([3, 1], [11, 12])):
        state = tiny_model.select(state, torch.tensor(rows))
        log_probs, state = tiny_model.step(state, torch.tensor(read))
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
    model = Transformer(TransformerConfig(1000, n_encoder_layers=1, n_decoder_layers=1)).eval()
    logits = model(torch.randint(4, 999, (4, 9)), torch.randint(4, 999, (4, 9)))
    assert 0.5 < logits.std().item() < 2.0
