"""The seven views of the attention page, driven without a browser."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from harness import (
    DEFAULT,
    choose,
    focus,
    heads_of,
    maps_of,
    open_page,
    opened_up,
    put,
    shown,
    told_of,
    words,
)

from core.attention import TRANSFORMER_SITES
from core.measures import pair_weights, strongest_head
from core.search import Decoding
from model import load_translator
from model.experiments import arithmetic
from ui.attention.scene import badge_values
from ui.pages.attention import PAGE
from words import english

OWN = "A dog runs through the snow."


ATTENTION_VIEWS = [view.id for view in PAGE.views]


def translation_of(folder: Path, text: str = DEFAULT.text):
    return load_translator(folder / "en-de").translate(text, Decoding())


@pytest.mark.parametrize("look", ["ribbons", "arithmetic", "space", "pair"])
def test_a_click_on_another_kind_opens_that_kind_in_every_view_of_one_head(folder, look):
    page = open_page(look=look)
    choose(page, "cross", layer=1, head=2)
    assert told_of(page)["kind"] == page.session_state["kind"] == "cross"
    assert (focus(page, "cross").layer, focus(page, "cross").head) == (1, 2)
    assert "Layer 2, head 3" in words(page)


def test_chosen_tokens_open_the_head_with_most_weight_between_them(folder):
    page = open_page(look="Find a head")
    attention = translation_of(folder).attention.encoder
    put(page, encoder_find_rows=[2, 5])
    put(page, encoder_find_columns=[0, 3, 4])
    weights = pair_weights(attention, (2, 5), (0, 3, 4))
    best = strongest_head(weights)
    assert (focus(page).layer, focus(page).head) == best
    assert (focus(page).rows, focus(page).columns) == ((2, 5), (0, 3, 4))
    assert f"has the largest weight of all 8 heads: **{weights[best]:.3f}**" in words(page)
    assert page.query_params["row"] == "3,6"
    assert page.query_params["column"] == "1,4,5"
    listed = page.dataframe[0].value["weight"].tolist()
    assert listed == sorted(weights.ravel().tolist(), reverse=True)
    page = open_page(look="find", text="A dog.")
    assert english("attention-find-choose") in words(page)
    assert len(page.dataframe[0].value) == 8


def test_tokens_of_the_address_are_chosen_as_far_as_there_are_any(folder):
    found = focus(open_page(text=OWN, row="2,400,4", column="9999,1,3", layer="2", head="4"))
    assert (found.layer, found.head, found.rows, found.columns) == (1, 3, (1, 3), (0, 2))


def test_merged_words_have_fewer_rows_and_stand_for_all_their_pieces(folder):
    page = open_page(words="true")
    src = translation_of(folder).src
    # The animal didn't cross the street because it was too tired . </s>
    assert maps_of(page, "encoder").shape[2:] == (13, 13)
    assert len(src) > 13
    assert english("note-words") in words(page)
    choose(page, rows=[2], columns=[2])
    assert focus(page).rows == focus(page).columns == src.pieces_of("didn't")


def test_the_self_check_passes_and_gives_its_numbers(folder):
    for kind in TRANSFORMER_SITES:
        page = open_page(kind=kind)
        padding = english("figures-check-padding")
        assert padding not in words(page), "what takes the model waits until it is asked"
        text = shown(words(opened_up(page, "checks")))
        assert english("figures-check-rows") in text
        assert padding in text
        assert "[✗]" not in text


@pytest.mark.parametrize("look", [name for name in ATTENTION_VIEWS if name != "pair"])
def test_no_view_runs_the_model_when_the_head_changes(folder, look, monkeypatch):
    page = open_page(look=look)

    def refuse(*_args, **_kwargs):
        raise AssertionError("the model ran again")

    monkeypatch.setattr("torch.nn.Module.__call__", refuse)
    choose(page, "encoder", layer=1, head=1)
    choose(page, "encoder", layer=0, head=2)
    assert (focus(page).layer, focus(page).head) == (0, 2)


def test_badges_that_say_nothing_of_a_kind_stay_empty(folder):
    page = open_page(badge="weight on the next token, mean of rows")
    assert told_of(page)["badge"] == "next"
    offered = {site["name"]: site["badges"] for site in heads_of(page)["sites"]}
    assert ("next" in offered["encoder"], "next" in offered["cross"]) == (True, False)

    attention = translation_of(folder).attention
    assert np.isnan(badge_values("next", attention.cross, focus(page))).all()
    assert not np.isnan(badge_values("next", attention.encoder, focus(page))).any()


def space_of(page) -> list[dict]:
    """The traces of the picture of queries and keys."""
    return json.loads(page.get("plotly_chart")[0].proto.spec)["data"]


def test_the_space_shows_subwords_where_others_show_words(folder):
    page = open_page(look="space", words="true")
    marks = [each for each in space_of(page) if each["mode"] == "markers+text"]
    assert [len(each["text"]) for each in marks] == [len(translation_of(folder).src)] * 2
    assert english("attention-arithmetic-pieces") in words(page)


def test_a_space_of_one_point_is_a_sentence(folder, monkeypatch):
    take = arithmetic.vectors_of

    def flat(reader, record):
        return tuple(
            replace(each, queries=0 * each.queries, keys=0 * each.keys)
            for each in take(reader, record)
        )

    monkeypatch.setattr(arithmetic, "vectors_of", flat)
    page = open_page(look="space", text="A flat dog runs.")
    assert english("attention-space-none") in [each.value for each in page.info]
    assert not page.get("plotly_chart")
