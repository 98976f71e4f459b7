"""Norms in the place of weights on the first page, driven without a browser."""

import numpy as np

from core.checks import vectors_check
from core.contributions import measured
from core.files import attention_table, map_npz
from core.search import Decoding
from model.experiments.contributions import contributions_of
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
from words import english


def test_the_switch_draws_norms_is_kept_in_the_address_and_goes_back(folder):
    page = open_page(kind="encoder")
    weights = maps_of(page, "encoder")
    put(page, measure="length")
    assert asked(page)["measure"] == "length"
    assert (maps_of(page, "encoder") != weights).any()
    assert heads_of(page)["words"]["weight"] == english("figures-length")
    assert "Norms of the vectors" in heads_of(page)["sites"][0]["alt"]
    assert english("attention-measure-length-told") in words(page)
    put(page, measure="weight")
    assert "measure" not in asked(page)
    np.testing.assert_array_equal(maps_of(page, "encoder"), weights)


def test_the_check_is_on_the_page_and_fails_where_vectors_do_not_add_up(folder):
    page = open_page(measure="length")
    assert "Vectors sum to the output" in words(page)
    assert "✗" not in words(page)
    assert vectors_check(9e-7).passed
    assert not vectors_check(2e-6).passed


def test_after_the_norm_there_is_one_map_a_layer_and_the_open_head_waits(folder):
    page = choose(open_page(kind="encoder"), "encoder", layer=1, head=1)
    before = focus(page).place
    page = put(page, measure="normed")
    assert {site["heads"] for site in heads_of(page)["sites"]} == {1}
    assert told_of(page)["foci"]["encoder"]["head"] == 0
    assert focus(page).place == (1, 0)
    page = put(page, measure="weight")
    assert focus(page).place == before


def test_how_weights_are_made_shows_weights(folder):
    page = open_page(look="arithmetic", measure="length")
    assert not [box for box in page.selectbox if box.key == "measure"]


def test_files_name_what_is_drawn(tiny_translator):
    record = tiny_translator.translate(DEFAULT.text, Decoding()).attention
    norms = measured(record, contributions_of(tiny_translator, record), "length").encoder
    assert "length" in attention_table(norms)
    assert "weight" not in attention_table(norms)
    assert b"encoder_length.npy" in map_npz(norms)


def test_a_family_that_adds_up_nothing_says_why():
    page = open_page(checkpoint="captions-hard", text="small red triangle at 1 1")
    assert not [box for box in page.selectbox if box.key == "measure"]
    assert says(page, "model-no-values", name="captions-hard")
