"""Value zeroing against one token at a time, by hand."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from core.measures import row_shares
from core.zeroing import zeroing_facts
from model.experiments.zeroing import value_zeroing

TEXT = ("The dog sleeps because it is tired.", "Der Hund schläft, weil er müde ist.")
LAYERS = (0, 1, 3)


def pair(reader):
    record = reader.attend(*TEXT)
    return record.src, record.tgt


@torch.inference_mode()
def by_hand(model, ids, layer) -> np.ndarray:
    """Every value put to zero alone, the layer written out."""
    x = model.embed(torch.tensor([ids]))
    for each in model.encoder_layers[:layer]:
        x = each(x, None)
    block, n = model.encoder_layers[layer], len(ids)
    part = block.self_attention
    split = part.split_heads
    weights = (split(part.query_proj(x)) @ split(part.key_proj(x)).mT / 32**0.5).softmax(-1)

    def outcome(without=None):
        values = part.value_proj(x).clone()
        if without is not None:
            values[:, without] = 0
        heads = (weights @ split(values)).transpose(1, 2).flatten(2)
        after = block.self_attention_residual(x, part.out_proj(heads))
        return block.feed_forward_residual(after, block.feed_forward(after))[0].double().numpy()

    plain, found = outcome(), np.zeros((n, n))
    for j in range(n):
        for i, vector in enumerate(outcome(j)):
            length = np.linalg.norm(vector) * np.linalg.norm(plain[i])
            found[i, j] = 1 - vector @ plain[i] / length
    return found


@pytest.mark.parametrize("layer", LAYERS)
def test_zeroing_equals_every_value_put_to_zero_by_hand(en_de, layer):
    src, tgt = pair(en_de)
    found = value_zeroing(en_de, src, tgt, layer)
    np.testing.assert_allclose(found, by_hand(en_de.model, src.ids, layer), atol=1e-6)
    assert (found > 1e-7).mean() > 0.9  # never a map of nothing
    np.testing.assert_allclose(row_shares(found).sum(-1), 1)


def test_a_token_without_weight_changes_nothing_and_nothing_stays_hooked(en_de):
    src, tgt = pair(en_de)
    first = value_zeroing(en_de, src, tgt, 3)
    np.testing.assert_array_equal(first, value_zeroing(en_de, src, tgt, 3))
    weights = en_de.attend(*TEXT).encoder.weights[3].mean(0)
    told = zeroing_facts(row_shares(first), weights, src)
    assert told["weight"] > told["share"]  # the sink gets more than it gives
