"""Attention against torch's own layers, and by hand."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from core.records.attention import CROSS, ENCODER
from model.hooks.capture import capture_attention
from model.nets.attention import (
    attention_mask,
    causal_mask,
    key_padding_mask,
    scaled_dot_product_attention,
)
from model.nets.multi_head import MultiHeadAttention
from support.twins import copy_attention

D_MODEL, N_HEADS = 12, 3
SCATTERED = torch.rand(2, 3, 4, 6, generator=torch.Generator().manual_seed(1)) < 0.5
SCATTERED[..., 0] = True  # every row sees something
MASKS = {
    "none": None,
    "padding": attention_mask(torch.tensor([[False] * 6, [False] * 3 + [True] * 3])),
    "scattered": SCATTERED,
    "one key": torch.zeros(4, 6, dtype=torch.bool).index_fill(1, torch.tensor([2]), True),
}
"""True where a query may look."""


def pair_of_layers():
    """Our layer and torch's, with the same random weights and biases."""
    torch.manual_seed(2)
    ours = MultiHeadAttention(D_MODEL, N_HEADS, site=CROSS, layer=0)
    theirs = nn.MultiheadAttention(D_MODEL, N_HEADS, batch_first=True)
    for parameter in ours.parameters():
        nn.init.normal_(parameter, std=0.5)
    copy_attention(theirs, ours)
    return ours, theirs


@pytest.mark.parametrize("name", MASKS)
def test_attention_matches_torch_and_a_mask_leaves_scores_alone(name):
    torch.manual_seed(0)
    q, k, v = torch.randn(2, 3, 4, 5), torch.randn(2, 3, 6, 5), torch.randn(2, 3, 6, 5)
    mask = MASKS[name]
    context, weights, scores = scaled_dot_product_attention(q, k, v, mask)
    torch.testing.assert_close(context, F.scaled_dot_product_attention(q, k, v, attn_mask=mask))
    torch.testing.assert_close(scores, scaled_dot_product_attention(q, k, v)[2], rtol=0, atol=0)
    torch.testing.assert_close(weights.sum(dim=-1), torch.ones(2, 3, 4))
    assert mask is None or (weights[~mask.expand_as(weights)] == 0).all()


def torch_answer(layer, query, memory, may_look):
    """torch's layer with its own idea of a mask: True = forbidden, one per batch and head."""
    forbidden = None
    if may_look is not None:
        shape = (query.shape[0], N_HEADS, query.shape[1], memory.shape[1])
        forbidden = (~may_look).expand(shape).flatten(0, 1)
    return layer(query, memory, memory, attn_mask=forbidden, average_attn_weights=False)


@pytest.mark.parametrize("name", [*MASKS, "causal"])
def test_outputs_weights_and_gradients_match_torch_multihead_attention(name):
    ours, theirs = pair_of_layers()
    memory = torch.randn(2, 6, D_MODEL)
    query = memory if name == "causal" else torch.randn(2, 4, D_MODEL)
    mask = attention_mask(None, causal_mask(6)) if name == "causal" else MASKS[name]
    expected, looked = torch_answer(theirs, query, memory, mask)
    with capture_attention(ours) as captured:
        output = ours(query, memory, memory, mask)
    weights = torch.from_numpy(captured.weights("cross")[:, 0])
    torch.testing.assert_close((output, weights), (expected, looked.detach()))
    output.square().sum().backward()
    expected.square().sum().backward()
    projections = ours.query_proj, ours.key_proj, ours.value_proj
    gradient = torch.cat([p.weight.grad for p in projections])
    torch.testing.assert_close(gradient, theirs.in_proj_weight.grad, rtol=1e-4, atol=1e-4)


def test_shared_memory_answers_and_looks_like_a_copy_for_each_hypothesis():
    ours, _ = pair_of_layers()
    q, k, v = torch.randn(4, 3, 1, 4), torch.randn(1, 3, 6, 4), torch.randn(1, 3, 6, 4)
    with capture_attention(ours) as captured:
        shared = ours.attend_shared(q, k, v)
    copied = ours.attend(q, k.expand(4, -1, -1, -1), v.expand(4, -1, -1, -1))
    torch.testing.assert_close(shared, copied)
    _, expected, _ = scaled_dot_product_attention(q, k, v)
    torch.testing.assert_close(torch.from_numpy(captured.weights("cross")[:, 0]), expected)


def test_a_width_the_heads_cannot_share_is_refused():
    with pytest.raises(ValueError, match="12 is not a multiple of n_heads 5"):
        MultiHeadAttention(12, 5, site=ENCODER, layer=0)


def test_padding_and_future_turn_into_keys_that_may_not_be_seen():
    assert attention_mask(None) is None
    assert causal_mask(3).int().tolist() == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    padding = key_padding_mask(torch.tensor([[5, 0], [7, 8]]), pad_id=0)
    assert padding.tolist() == [[False, True], [False, False]]
    mask = attention_mask(padding)
    assert mask.shape == (2, 1, 1, 2)
    assert mask[:, 0, 0].tolist() == [[True, False], [True, True]]
    both = attention_mask(torch.tensor([[False, False, True]]), causal_mask(3))
    assert both[0, 0].int().tolist() == [[1, 0, 0], [1, 1, 0], [1, 1, 0]]
