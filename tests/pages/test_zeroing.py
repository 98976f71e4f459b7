"""Value zeroing against one token at a time, by hand."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from core.intervention import hide
from core.measures import row_shares
from core.zeroing import zeroing_facts
from model.experiments.contributions import contributions_of
from model.experiments.zeroing import value_zeroing
from support.app import choose, heads_of, maps_of, open_page, put, told_of, words
from support.number_text import holds
from ui.components import FULL
from words import english
from words.numbers import percent

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


@torch.inference_mode()
def test_hiding_a_token_is_zeroing_its_values_and_sharing_out_its_weight(en_de):
    """Zeroing leaves the weights of the others as they are; hiding divides them by their sum. In
    the first layer, which reads the same either way, that is all the difference there is."""
    src, tgt = pair(en_de)
    plain, block = contributions_of(en_de, en_de.attend(*TEXT))[0], en_de.model.encoder_layers[0]
    x = torch.from_numpy(plain.inputs[0])[None]
    zeroed = value_zeroing(en_de, src, tgt, 0)

    def after_attention(weights):
        added = np.einsum("hqk,hkd->qd", weights, plain.vectors[0]) + plain.out_bias[0]
        return block.self_attention_residual(x, torch.from_numpy(added)[None])

    def whole(weights):
        after = after_attention(weights)
        made = block.feed_forward_residual(after, block.feed_forward(after))[0].double()
        return made / made.norm(dim=-1, keepdim=True)

    for token in range(len(src)):
        left = plain.weights[0].copy()
        left[..., token] = 0
        apart = 1 - (whole(left) * whole(plain.weights[0])).sum(-1)
        np.testing.assert_allclose(zeroed[:, token], apart.clamp(min=0), atol=1e-6)
        change = hide(token, where="encoder")
        hidden = contributions_of(en_de, en_de.read_again(src, tgt, change)[0], change)[0]
        expected = after_attention(left / left.sum(-1, keepdims=True))[0]
        np.testing.assert_allclose(hidden.outputs[0], expected, atol=1e-5)
        assert np.abs(hidden.outputs[0] - after_attention(left)[0].numpy()).max() > 1e-4


def test_the_map_on_screen_is_that_of_the_chosen_layer_and_no_other(folder):
    page = open_page(measure="zeroing")
    run = page.session_state["run"]
    (site,) = heads_of(page)["sites"]
    assert (site["name"], site["heads"]) == ("encoder", 1), "no head has a map of its own"
    sent = maps_of(page, "encoder") / FULL
    for layer in range(site["layers"]):
        found = value_zeroing(run.translator, run.src, run.tgt, layer)
        expected = found / found.sum(-1, keepdims=True)
        np.testing.assert_allclose(sent[layer, 0], expected, atol=1 / FULL)
        assert np.abs(np.delete(sent[:, 0], layer, 0) - expected).max() > 10 / FULL


def test_the_sentence_tells_the_open_layer_beside_its_weights(folder):
    page = open_page(measure="zeroing")
    run = page.session_state["run"]
    weights = run.record.encoder.weights.mean(1)[..., -1].mean(-1)
    for layer in range(len(weights)):
        choose(page, "encoder", layer=layer, head=0)
        found = value_zeroing(run.translator, run.src, run.tgt, layer)
        share = (found / found.sum(-1, keepdims=True))[:, -1].mean()
        told = next(line for line in words(page).splitlines() if "of the effect on" in line)
        assert told.startswith(f"Layer {layer + 1}: ")
        both = f"gets {percent(weights[layer], 0)} of the weight and **{percent(share, 0)}** of"
        assert holds(told, both)


@pytest.mark.parametrize(
    "asks", [{"look": "ribbons"}, {"hidden": "2"}], ids=["no matrix", "hidden"]
)
def test_it_is_offered_for_what_the_model_read_and_in_the_matrix(folder, asks):
    page = open_page(measure="zeroing", **asks)
    (menu,) = [box for box in page.selectbox if box.key == "measure"]
    assert english("attention-measure-zeroing") not in menu.options
    assert menu.value == "weight"


def test_the_site_that_was_open_comes_back_with_the_weights(folder):
    page = open_page(measure="zeroing", kind="cross")
    assert told_of(page)["kind"] == "encoder"
    assert told_of(put(page, measure="weight"))["kind"] == "cross"
