"""The whole model: against torch's, and properties that must hold."""

import copy

import pytest
import torch
from conftest import make_model
from torch import nn

from model.block import sinusoidal_encoding
from model.config import TransformerConfig
from model.transformer import Transformer


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

    def copy_attention(theirs, ours):
        projections = (ours.query_proj, ours.key_proj, ours.value_proj)
        theirs.in_proj_weight.copy_(torch.cat([p.weight for p in projections]))
        theirs.in_proj_bias.copy_(torch.cat([p.bias for p in projections]))
        theirs.out_proj.load_state_dict(ours.out_proj.state_dict())

    def copy_rest(theirs, ours, norms):
        theirs.linear1.load_state_dict(ours.feed_forward.inner.state_dict())
        theirs.linear2.load_state_dict(ours.feed_forward.outer.state_dict())
        for number, residual in enumerate(norms, start=1):
            getattr(theirs, f"norm{number}").load_state_dict(residual.norm.state_dict())

    with torch.no_grad():
        for theirs, ours in zip(twin.encoder.layers, model.encoder_layers, strict=True):
            copy_attention(theirs.self_attn, ours.self_attention)
            copy_rest(theirs, ours, (ours.self_attention_residual, ours.feed_forward_residual))
        for theirs, ours in zip(twin.decoder.layers, model.decoder_layers, strict=True):
            copy_attention(theirs.self_attn, ours.self_attention)
            copy_attention(theirs.multihead_attn, ours.cross_attention)
            before = (ours.self_attention_residual, ours.cross_attention_residual)
            copy_rest(theirs, ours, (*before, ours.feed_forward_residual))
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


# -- torch's own model ---------------------------------------------------------------------


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


# -- what must not matter ------------------------------------------------------------------


@pytest.mark.parametrize("changed", [1, 2, 3])
def test_changing_a_token_changes_its_own_logits_and_later_ones_alone(tiny_model, changed):
    other = TGT.clone()
    other[:, changed] = 20
    before, after = tiny_model(SRC, TGT), tiny_model(SRC, other)
    torch.testing.assert_close(after[:, :changed], before[:, :changed], rtol=0, atol=0)
    assert ((before - after).abs().amax(dim=(0, 2))[changed:] > 1e-3).all()


def test_without_the_causal_mask_the_future_is_seen(tiny_model):
    memory = tiny_model.encode(SRC[:1])
    other = TGT[:1].clone()
    other[0, 3] = 20
    before = tiny_model.decode(TGT[:1], memory, causal=False)
    after = tiny_model.decode(other, memory, causal=False)
    assert (before[0, 0] - after[0, 0]).abs().max() > 1e-3


def test_the_encoder_is_permutation_equivariant_without_positions_alone(tiny_model):
    blind = copy.deepcopy(tiny_model)
    blind.positions.table.zero_()
    order = torch.tensor([3, 0, 5, 1, 4, 2])
    moved, kept = (
        (model.encode(SRC[:1, order]) - model.encode(SRC[:1])[:, order]).abs().max()
        for model in (tiny_model, blind)
    )
    assert moved > 1e-2
    assert kept < 1e-5


# -- step by step --------------------------------------------------------------------------


def forced(model, src, tgt):
    return model(src.expand(tgt.shape[0], -1), tgt).log_softmax(dim=-1)


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
    torch.testing.assert_close(log_probs, forced(tiny_model, src, read)[:, -1], rtol=0, atol=1e-5)


def test_a_state_can_be_stepped_from_twice(tiny_model):
    _, state = tiny_model.step(tiny_model.start(SRC[:1]), torch.tensor([2]))
    first, _ = tiny_model.step(state, torch.tensor([4]))
    tiny_model.step(state, torch.tensor([5]))
    again, _ = tiny_model.step(state, torch.tensor([4]))
    torch.testing.assert_close(again, first, rtol=0, atol=0)


def test_steps_return_normalised_log_probabilities(tiny_model):
    log_probs, _ = tiny_model.step(tiny_model.start(SRC[:1]), torch.tensor([2]))
    torch.testing.assert_close(log_probs.exp().sum(), torch.tensor(1.0))


# -- embeddings ----------------------------------------------------------------------------


def test_embeddings_are_scaled_by_the_root_of_d_model_and_placed(tiny_model):
    expected = tiny_model.embedding.weight[7] * 4.0 + sinusoidal_encoding(64, 16)[1]
    torch.testing.assert_close(tiny_model.embed(torch.tensor([[5, 7]]))[0, 1], expected)


def test_logits_are_products_with_the_embeddings(tiny_model):
    hidden = torch.randn(16)
    by_hand = (hidden * tiny_model.embedding.weight[9]).sum()
    torch.testing.assert_close(tiny_model.logits(hidden)[9], by_hand)


def test_source_target_and_output_share_one_matrix():
    model = make_model(vocab_size=23)
    assert [n for n, p in model.state_dict().items() if 23 in p.shape] == ["embedding.weight"]


def test_output_gradients_reach_the_shared_embedding(tiny_model):
    tiny_model.logits(torch.ones(16))[20].backward()
    torch.testing.assert_close(tiny_model.embedding.weight.grad[20], torch.ones(16))


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
