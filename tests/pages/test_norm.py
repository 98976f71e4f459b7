"""Norms and value zeroing in the place of weights, worked out by hand."""

import re

import numpy as np
import pytest
import torch

from core.contributions import measured
from core.files import attention_table, map_npz
from core.records.search import Decoding
from core.value_zeroing import zeroing_facts
from core.weights.checks import vectors_check
from core.weights.measures import row_shares
from model.experiments.contributions import contributions_of
from model.experiments.value_zeroing import value_zeroing
from support.app import (
    DEFAULT,
    asked,
    choose,
    focus,
    heads_of,
    maps_of,
    open_page,
    put,
    says,
    told_of,
    words,
)
from ui.components import FULL
from words import english

SCENE = "small red circle at 2 1; large dotted blue square at 2 3"
PAIR = "The dog sleeps because it is tired."
TEXT = (PAIR, "Der Hund schläft, weil er müde ist.")


def measures(page) -> list[str]:
    """What the switch offers; nothing where there is none."""
    return [each for box in page.selectbox if box.key == "measure" for each in box.options]


# -- norms -----------------------------------------------------------------------------------


def test_the_switch_draws_norms_is_kept_in_the_address_and_goes_back(folder):
    page = choose(open_page(kind="encoder"), "encoder", layer=1, head=1)
    weights, before = maps_of(page, "encoder"), focus(page).place
    put(page, measure="length")
    assert asked(page)["measure"] == "length"
    run = page.session_state["run"]
    norms = measured(run.record, contributions_of(run.translator, run.record), "length").encoder
    np.testing.assert_allclose(maps_of(page, "encoder") / FULL, norms.weights, atol=1 / FULL)
    assert heads_of(page)["words"]["weight"] == english("figures-length")
    assert "Norms of the vectors" in heads_of(page)["sites"][0]["alt"]
    assert "Vectors sum to the output" in words(page)
    assert "✗" not in words(page)
    put(page, measure="normed")
    assert {site["heads"] for site in heads_of(page)["sites"]} == {1}, "one map a layer"
    assert focus(page).place == (1, 0)
    put(page, measure="weight")
    assert focus(page).place == before
    assert "measure" not in asked(page)
    np.testing.assert_array_equal(maps_of(page, "encoder"), weights)
    assert vectors_check(9e-7).passed
    assert not vectors_check(2e-6).passed


def test_files_name_what_is_drawn(tiny_translator):
    record = tiny_translator.translate(DEFAULT.text, Decoding()).attention
    norms = measured(record, contributions_of(tiny_translator, record), "length").encoder
    assert "length" in attention_table(norms)
    assert "weight" not in attention_table(norms)
    assert b"encoder_length.npy" in map_npz(norms)


@pytest.mark.parametrize(
    ("page", "address", "id"),
    [
        *(
            (name, {key: view}, f"view-{name}-{view}-no-norms")
            for name, key, view in (
                ("masks", "mask_look", "seen"),
                ("masks", "mask_look", "explain"),
                ("positions", "position_look", "encoding"),
                ("positions", "position_look", "order"),
            )
        ),
        (
            "documents",
            {"documents_look": "agree", "document_test": "adversarial"},
            "documents-other-no-norms",
        ),
        *(
            (
                "captions",
                {"checkpoint": f"captions-{how}", "text": SCENE},
                f"captions-no-values-{how}",
            )
            for how in ("hard", "mean")
        ),
        ("attention", {"checkpoint": "captions-hard", "text": SCENE}, "model-no-values"),
        ("attention", {"look": "arithmetic"}, None),  # how weights are made
    ],
    ids=str,
)
def test_what_has_no_norms_says_why_and_has_no_switch(page, address, id):
    page = open_page(page, **address, measure="length")
    assert not measures(page)
    assert id is None or says(page, id, name="captions-hard")


# -- value zeroing ---------------------------------------------------------------------------


@torch.inference_mode()
def zeroed_by_hand(model, ids, layer) -> np.ndarray:
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
        return block.feed_forward_residual(after, block.feed_forward(after))[0].double()

    plain = outcome()
    changed = torch.stack([outcome(token) for token in range(n)], dim=1)
    return 1 - torch.cosine_similarity(changed, plain[:, None], dim=-1).numpy()


@pytest.mark.parametrize("layer", [0, 3])
def test_zeroing_equals_every_value_put_to_zero_by_hand(en_de, layer):
    record = en_de.attend(*TEXT)
    found = value_zeroing(en_de, record.src, record.tgt, layer)
    by_hand = zeroed_by_hand(en_de.model, record.src.ids, layer)
    np.testing.assert_allclose(found, by_hand, atol=1e-6)
    assert (found > 1e-7).mean() > 0.9  # never a map of nothing
    again = value_zeroing(en_de, record.src, record.tgt, layer)
    np.testing.assert_array_equal(found, again)
    if layer == 3:
        told = zeroing_facts(row_shares(found), record.encoder.weights[3].mean(0), record.src)
        assert told["weight"] > told["share"]  # the sink gets more than it gives


def test_the_map_on_screen_is_that_of_each_layer_and_comes_and_goes_with_its_site(folder):
    page = open_page(measure="zeroing", kind="cross")
    run = page.session_state["run"]
    (site,) = heads_of(page)["sites"]
    assert (site["name"], site["heads"]) == ("encoder", 1), "no head has a map of its own"
    sent = maps_of(page, "encoder") / FULL
    for layer in range(site["layers"]):
        found = value_zeroing(run.translator, run.src, run.tgt, layer)
        expected = found / found.sum(-1, keepdims=True)
        np.testing.assert_allclose(sent[layer, 0], expected, atol=1 / FULL)
        assert np.abs(np.delete(sent[:, 0], layer, 0) - expected).max() > 10 / FULL
    assert told_of(page)["kind"] == "encoder"
    assert told_of(put(page, measure="weight"))["kind"] == "cross"


def test_zeroing_is_offered_for_what_the_model_read_and_in_the_matrix(folder):
    offered = english("attention-measure-zeroing")
    assert offered in measures(open_page())
    for asks in ({"look": "ribbons"}, {"hidden": "2"}):
        page = open_page(measure="zeroing", **asks)
        assert offered not in measures(page)
        assert page.selectbox("measure").value == "weight"


@pytest.mark.parametrize(("measure", "word"), [("weight", "weight"), ("length", "norm")])
def test_a_part_of_a_text_names_the_measure_that_it_leaves_out(folder, monkeypatch, measure, word):
    for name, tokens in {"MOST_SHOWN": 6, "MOST_IN_WINDOW": 4}.items():
        monkeypatch.setattr(f"ui.pages.attention.window.{name}", tokens)
    page = open_page(kind="encoder", measure=measure, look="ribbons")
    assert not page.error
    assert re.search(rf"these queries have .+ of their {word} on other keys", words(page))
