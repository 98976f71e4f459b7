"""All heads together and the self-check: the numbers, the words, and the widgets."""

from __future__ import annotations

import numpy as np
import pytest
import streamlit as st

from core.aggregate import flow_rows, rollout
from core.padding import PaddingEffect
from core.search import Decoding
from core.transform import Regrouped, groups_for, regroup, single_groups
from model import save_checkpoint
from support.app import choose, open_page, words
from support.models import make_model
from ui.attention import together
from ui.attention.lab import padding_check
from ui.attention.scene import Scene
from ui.controls import Display
from ui.focus import Focus
from ui.state import Choices, Run
from words import english

SOURCE = "The animal didn't cross the street."


@pytest.fixture(scope="module")
def view(tiny_translator) -> Run:
    decoding = Decoding(beam_size=2, max_len=12)
    translation = tiny_translator.translate(SOURCE, decoding)
    return Run(Choices("en-de", SOURCE, decoding), tiny_translator, translation)


@pytest.fixture(autouse=True)
def nothing_cached():
    st.cache_data.clear()
    st.cache_resource.clear()


def make_scene(view, kind="encoder", *, words=False, special="show", rows=()) -> Scene:
    record = view.translation.attention
    raw = record.of(kind)
    produced = kind == "cross"
    if words or special != "show":
        queries, keys = groups_for(record, kind, produced=produced) if words else (None, None)
        shown = regroup(
            raw, query_groups=queries, key_groups=keys, special=special, produced=produced
        )
    else:
        n_rows, n_columns = raw.weights.shape[2:]
        shown = Regrouped(raw, single_groups(n_rows), single_groups(n_columns))
    display = Display(produced=produced, contrast=False, words=words, special=special)
    return Scene(view, kind, raw, raw, shown, Focus(rows=rows), None, display)


def weights(scene, how, layer=None) -> np.ndarray:
    return together.work_out(scene, how, layer).attention.weights[0, 0]


def told(scene, how, layer=None) -> str:
    return together.work_out(scene, how, layer).told


ONE, LEFT_OUT = english("attention-sums-one"), english("attention-left-out")
OF_ALL = "all 8 heads of encoder self-attention (2 layers of 4 heads)"
OF_LAYER = "all 4 heads of layer 2 of encoder self-attention"
ASSUMED = ("½ A + ½ I", "assumed", "Abnar and Zuidema 2020")


@pytest.mark.parametrize(
    ("kind", "how", "more", "said", "unsaid"),
    [
        ("encoder", "mean", {}, (OF_ALL, ONE), ()),
        ("encoder", "spread", {"layer": 1}, (OF_LAYER,), ()),
        ("encoder", "max", {}, (), (ONE,)),
        ("decoder", "spread", {}, (), (ONE,)),
        ("decoder", "rollout", {}, (ONE, *ASSUMED), ()),
        ("cross", "rollout", {}, (*ASSUMED, "0.75 comes from the source. The other 0.25"), (ONE,)),
        ("encoder", "flow", {}, ASSUMED, (ONE,)),
        ("encoder", "mean", {"special": "hide"}, ("Rows do *not* sum to 1", LEFT_OUT), (ONE,)),
    ],
)
def test_the_words_say_what_was_counted_and_assumed_and_whether_rows_sum_to_one(
    view, kind, how, more, said, unsaid
):
    more = {"layer": None, "special": "show", **more}
    text = told(make_scene(view, kind, special=more["special"]), how, more["layer"])
    text = " ".join(text.split())
    assert [each for each in said if each not in text] == []
    assert not any(each in text for each in unsaid)


@pytest.mark.parametrize("words", [True, False])
@pytest.mark.parametrize("how", together.HOW)
@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
def test_the_picture_has_the_rows_and_columns_of_the_scene(view, kind, how, words):
    scene = make_scene(view, kind, words=words)
    found = together.work_out(scene, how, None)
    assert found.attention.weights.shape == (1, 1, *scene.attention.weights.shape[2:])
    assert found.attention.key_tokens == scene.attention.key_tokens
    assert found.row_tokens == scene.row_tokens
    assert (found.attention.mask is None) == (kind != "decoder")


def test_the_largest_weight_of_a_word_is_that_of_one_head_and_a_layer_is_combined_alone(view):
    scene = make_scene(view, words=True)
    heads = scene.attention.weights.reshape(-1, *scene.attention.weights.shape[2:])
    np.testing.assert_array_equal(weights(scene, "max"), heads.max(axis=0))
    scene = make_scene(view)
    expected = scene.raw.weights[1].mean(axis=0)
    np.testing.assert_allclose(weights(scene, "mean", 1), expected, rtol=1e-6)


def test_rollout_is_merged_after_it_is_worked_out(view):
    scene = make_scene(view, words=True)
    pieces = rollout(view.translation.attention, "encoder").attention.weights[0, 0]
    rows, columns = scene.shown.query_groups, scene.shown.key_groups
    assert any(len(row) > 1 for row in rows)
    expected = [
        [np.mean([sum(pieces[q, k] for k in column) for q in row]) for column in columns]
        for row in rows
    ]
    np.testing.assert_allclose(weights(scene, "rollout"), expected, rtol=1e-5)


def test_flow_to_a_word_is_shared_by_its_pieces(view):
    scene = make_scene(view, words=True)
    record = view.translation.attention
    row = next(n for n, group in enumerate(scene.shown.query_groups) if len(group) > 1)
    rows, columns = scene.shown.query_groups[row], scene.shown.key_groups
    pieces = flow_rows(record, "encoder", rows, columns)
    np.testing.assert_allclose(weights(scene, "flow")[row], np.mean(pieces, axis=0), rtol=1e-5)


def test_a_long_sentence_gets_the_flow_of_the_chosen_row_or_the_last_only(view, monkeypatch):
    monkeypatch.setattr(together, "MOST_TOKENS_FOR_ALL_FLOWS", 5)
    scene = make_scene(view, "cross", rows=(2,))
    found = together.work_out(scene, "flow", None)
    expected = flow_rows(view.translation.attention, "cross", [2])
    np.testing.assert_array_equal(found.attention.weights, expected[None, None])
    assert found.row_tokens == (scene.row_tokens[2],)
    assert found.locked == (0,)
    assert "for one row only" in found.told
    what = english("attention-what-flow")
    table = together.table_of(found, what)
    assert set(table["query_position"]) == {3}
    np.testing.assert_array_equal(table[what], found.attention.weights[0, 0, 0])
    assert not {"layer", "head", "weight"} & set(table.columns)
    scene = make_scene(view, "decoder")
    assert together.work_out(scene, "flow", None).row_tokens == (scene.row_tokens[-1],)


def test_padding_that_is_looked_at_fails_the_check():
    assert padding_check(PaddingEffect(3, 3, 0.0, 1e-7)).passed
    assert not padding_check(PaddingEffect(3, 3, 1e-9, 1e-7)).passed
    assert not padding_check(PaddingEffect(3, 3, 0.0, 0.01)).passed


def test_a_layer_that_this_kind_does_not_have_becomes_all_layers(
    tmp_path, tiny_tokenizer, monkeypatch
):
    model = make_model(vocab_size=tiny_tokenizer.vocab_size, n_encoder_layers=3, max_len=160)
    save_checkpoint(tmp_path / "en-de", model, tiny_tokenizer, card={"languages": ["en", "de"]})
    monkeypatch.setenv("ATTENTION_LAB_CHECKPOINTS", str(tmp_path))
    page = open_page(look="together", kind="encoder", together_layer="3")
    assert "layer 3 of encoder self-attention" in words(page)
    assert "all 8 heads of decoder self-attention" in words(choose(page, "decoder"))
