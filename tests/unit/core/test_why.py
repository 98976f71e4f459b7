"""Scores split by what query and key are sums of, against torch's own modules."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from pages.test_zeroing import LAYERS, pair

from core.why import centred, pair_table
from model.capture import capture_attention
from model.experiments.why import why_of


def split(en_de, layer):
    return why_of(en_de, *pair(en_de), layer)


@pytest.mark.parametrize("layer", LAYERS)
def test_the_parts_add_up_to_the_scores_of_the_model(en_de, layer):
    found = split(en_de, layer)
    with torch.inference_mode(), capture_attention(en_de.model, scores=True) as captured:
        en_de.model.encode(torch.tensor([pair(en_de)[0].ids]))
    scores = captured.scores("encoder")[0, layer]
    for head in range(8):
        np.testing.assert_allclose(found.of(head).sum((0, 1)), scores[head], atol=1e-5)
        assert found.error(head) < 1e-5
    assert len(found.parts) == (2 if layer == 0 else 3 + 2 * layer)
    np.testing.assert_allclose(found.shares().sum(-1), 1)


@torch.inference_mode()
def test_content_and_position_are_projected_apart(en_de):
    model, (src, _) = en_de.model, pair(en_de)
    ids, attention = torch.tensor([src.ids]), model.encoder_layers[0].self_attention
    content = model.embedding(ids) * model.config.d_model**0.5
    position = model.positions(torch.zeros_like(content))
    weights = [each.weight for each in (attention.query_proj, attention.key_proj)]
    queries, keys = (content @ weight.T for weight in weights)
    asked = attention.query_proj(position)
    found = split(en_de, 0)
    for head in (3, 7):
        at = slice(32 * head, 32 * head + 32)
        both = queries[0, :, at] @ keys[0, :, at].T / 32**0.5
        np.testing.assert_allclose(found.of(head)[0, 0], both, atol=1e-5)
        mixed = asked[0, :, at] @ keys[0, :, at].T / 32**0.5
        np.testing.assert_allclose(found.of(head)[1, 0], mixed, atol=1e-5)


def test_what_a_sub_layer_wrote_is_what_the_norm_makes_of_it(en_de):
    """The norm with its own sigma is linear: a part is a difference of norms with sigma held."""
    found = split(en_de, 1)
    total = found.queries.sum(0)
    weights = [en_de.model.encoder_layers[1].self_attention.query_proj]
    with torch.inference_mode():
        x = en_de.model.embed(torch.tensor([pair(en_de)[0].ids]))
        x = en_de.model.encoder_layers[0](x, None)
        asked = weights[0](x)[0].unflatten(-1, (8, -1)).transpose(0, 1)
    np.testing.assert_allclose(total, asked, atol=1e-4)


def test_the_lines_of_a_cell_add_up_and_shares_are_covariances(en_de):
    for layer in (0, 3):
        found = split(en_de, layer)
        lines = pair_table(found, 2, 4, 1)
        assert lines["value"][:-1].sum() == pytest.approx(found.scores[2, 4, 1], abs=1e-5)
    found = split(en_de, 0)
    whole = centred(found.of(3).sum((0, 1))).ravel()
    parts = [centred(found.of(3)[a, b]).ravel() for a in (0, 1) for b in (0, 1)]
    expected = [np.dot(part, whole) / np.dot(whole, whole) for part in parts]
    np.testing.assert_allclose(found.shares()[3], expected)
    assert found.shares()[3].argmax() == 3  # position asks, position answers
