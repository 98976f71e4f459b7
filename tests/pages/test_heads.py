"""All heads in the browser: what is sent there, and what is made of what comes back."""

from __future__ import annotations

import json

import numpy as np
import pytest
import streamlit as st

from core.measures import badges_of
from support.app import HEADS as COMPONENT
from support.app import component, focus, heads_of, maps_of, open_page, told_of
from ui.attention.drawing import BADGE_NAMES, KEY, Drawn, take_choice
from ui.components import FULL, MASKED
from ui.components.heads import Sizes
from ui.focus import Focus
from viz.look import Look
from viz.theme import palette_of

SHORT = "A dog runs."


# --- what a choice does


@pytest.fixture
def session(monkeypatch):
    """A stand-in for the session: a site whose three rows and columns stand for two pieces each."""
    state = {"focus": {"one": {"identity": (), "focus": Focus(rows=(2,), columns=(5,))}}}
    state |= {"kind": "one", "badge": "weight", "role": "all"}
    monkeypatch.setattr(st, "session_state", state)
    return state


PAIRS = ((0, 1), (2, 3), (4, 5))


def take(session, *, other=None, **changes) -> Focus:
    # On screen the chosen pieces stand in the word of row 1 and in that of column 2.
    choice = {"identity": "a", "number": 7, "kind": "one", "badge": "weight", "role": "all"}
    choice |= {name: changes.pop(name) for name in [*changes] if name in choice}
    places = {"layer": 0, "head": 0, "rows": [1], "columns": [2], **changes}
    session[KEY] = {"choice": {**choice, "foci": {"one": places, "other": other}}}
    groups = {name: (PAIRS, PAIRS) for name in ("one", *(["other"] if other else []))}
    take_choice(Drawn("a", groups, dict.fromkeys(groups, Sizes(2, 4, 3, 3))))
    return session["focus"]["one"]["focus"]


@pytest.mark.parametrize(
    ("changes", "focus"),
    [
        ({"layer": 1, "head": 3}, Focus(1, 3, (2,), (5,))),  # the very pieces that were chosen
        ({"rows": [0, 2]}, Focus(0, 0, (0, 1, 4, 5), (5,))),  # of words all pieces
        ({"columns": [1]}, Focus(0, 0, (2,), (2, 3))),
        ({"rows": [], "columns": []}, Focus()),
        ({"badge": "entropy"}, Focus(0, 0, (2,), (5,))),
    ],
    ids=str,
)
def test_a_choice_is_taken_and_remembered_with_its_number(session, changes, focus):
    assert take(session, **changes) == focus
    badge = changes.get("badge", "weight")
    assert (session["heads_answered"], session["badge"]) == (7, badge)


def test_a_choice_about_another_sentence_changes_nothing(session):
    assert take(session, identity="b", layer=1, badge="entropy") == Focus(0, 0, (2,), (5,))
    assert "heads_answered" not in session
    assert session["badge"] == "weight"


def test_every_site_takes_what_was_chosen_there_and_the_open_one_is_known(session):
    session["focus"]["other"] = {"identity": (), "focus": Focus()}
    other = {"layer": 0, "head": 2, "rows": [], "columns": [0]}
    assert take(session, kind="other", other=other, layer=1, columns=[]) == Focus(1, 0, (2,), ())
    assert session["kind"] == "other"
    assert session["focus"]["other"]["focus"] == Focus(0, 2, (), (0, 1))


# --- what is sent


@pytest.fixture
def page(folder):
    return open_page()


@pytest.fixture
def translation(page):
    return page.session_state["run"].translation


def test_every_weight_travels_to_half_a_step_and_what_may_not_be_seen_is_marked(page, translation):
    for attention in translation.attention.maps:
        sent = maps_of(page, attention.kind)
        assert sent.shape == attention.weights.shape
        alt = next(s["alt"] for s in heads_of(page)["sites"] if s["name"] == attention.kind)
        n_rows, n_columns = sent.shape[2:]
        assert f"{n_rows} query rows" in alt
        assert f"{n_columns} key columns" in alt
        shape = sent.shape[2:]
        forbidden = np.triu(np.ones(shape, bool), 1) if attention.kind == "decoder" else False
        forbidden = np.broadcast_to(forbidden, sent.shape)
        assert (sent[forbidden] == MASKED).all()
        assert (sent[~forbidden] <= FULL).all()
        told = sent[~forbidden].astype(float) / 65534
        assert np.abs(told - attention.weights[~forbidden]).max() <= 0.51 / 65534


def test_numbers_under_the_heads_are_those_of_the_measures(page, translation):
    for attention in translation.attention.maps:
        site = next(s for s in heads_of(page)["sites"] if s["name"] == attention.kind)
        expected = {badge.name: badge.of(attention) for badge in badges_of(attention)}
        expected.pop("largest", None)  # the browser works it out, as the weight of what is chosen
        assert set(site["badges"]) == set(expected) & set(BADGE_NAMES)
        assert len(site["badges"]) > 1
        for name, values in site["badges"].items():
            np.testing.assert_allclose(values, expected[name].ravel(), atol=1e-4)


def lines_of(page) -> dict[tuple[str, int], dict]:
    """By site and line of tokens: the rows and the columns that its tokens stand for."""
    return {
        (site["name"], line): places
        for site in heads_of(page)["sites"]
        for line, places in enumerate(site["lines"])
    }


@pytest.mark.parametrize("rows", ["read", "produced"])
def test_each_token_above_the_heads_is_the_right_row_and_column(folder, rows):
    page = open_page(text=SHORT, max_len="4", kind="decoder", decoder_rows=rows)
    src, tgt = (len(line["tokens"]) for line in heads_of(page)["lines"])
    n = tgt
    here, ahead = [*range(n)], [*range(1, n), -1]
    # The decoder reads <s> first: what it writes in a row it reads in the next one, and the last
    # token it writes it never reads.
    expected = {
        ("encoder", 0): {"rows": [*range(src)], "columns": [*range(src)]},
        ("encoder", 1): {"rows": None, "columns": None},
        ("decoder", 0): {"rows": None, "columns": None},
        ("decoder", 1): {"rows": here if rows == "produced" else ahead, "columns": ahead},
        ("cross", 0): {"rows": None, "columns": [*range(src)]},
        ("cross", 1): {"rows": here, "columns": None},
    }
    assert lines_of(page) == expected
    sites = {site["name"]: site for site in heads_of(page)["sites"]}
    labels = [token["label"] for token in heads_of(page)["lines"][1]["tokens"]]
    assert sites["decoder"]["columns"] == ["<s>", *labels[:-1]]
    assert sites["cross"]["rows"] == labels, "as a site is shown that is not open"
    assert sites["decoder"]["rows"] == (labels if rows == "produced" else ["<s>", *labels[:-1]])


def test_pieces_of_a_word_are_one_row_and_left_out_tokens_none(folder):
    page = open_page(text="The animal didn't cross", words="true", special="hide")
    source = page.session_state["run"].translation.src
    words = ["The", "animal", "didn't", "cross"]
    assert heads_of(page)["sites"][0]["rows"] == words
    expected = [place for place, word in enumerate(words) for _ in source.pieces_of(word)]
    assert len(expected) > len(words)
    assert lines_of(page)["encoder", 0]["rows"] == [*expected, -1], "</s> is left out"


def test_lines_rows_and_columns_carry_the_language_of_their_side_and_name_what_is_unknown(folder):
    sent = heads_of(open_page(text="A 漢 dog."))
    assert [line["lang"] for line in sent["lines"]] == ["en", "de"]
    unknown, special = (
        [token["label"].strip("·") for token in sent["lines"][0]["tokens"] if token[name]]
        for name in ("unknown", "special")
    )
    assert (unknown, special) == (["漢"], ["</s>"])
    langs = {site["name"]: tuple(site["langs"].values()) for site in sent["sites"]}
    assert langs == {"encoder": ("en", "en"), "decoder": ("de", "de"), "cross": ("de", "en")}


def test_each_site_has_its_own_ramp_in_both_themes(page, translation):
    for attention in translation.attention.maps:
        sent = heads_of(page)["colours"][attention.kind]
        for theme, dark in (("light", False), ("dark", True)):
            assert sent[theme] == list(Look(dark=dark)(palette_of, attention.site).ramp)
    assert len({json.dumps(each) for each in heads_of(page)["colours"].values()}) == 3


def test_the_products_of_the_open_head_go_with_what_is_open(page, translation):
    scores = told_of(page)["scores"]
    attention, now = translation.attention.encoder, focus(page)
    assert (scores["kind"], scores["layer"], scores["head"]) == ("encoder", now.layer, now.head)
    found = np.frombuffer(scores["packed"], "<f4")
    found = found.reshape(attention.weights.shape[2:]).astype(float)
    raised = np.exp(found - found.max(-1, keepdims=True))
    softmax = raised / raised.sum(-1, keepdims=True)
    np.testing.assert_allclose(softmax, attention.head(now.layer, now.head), atol=1e-5)


@pytest.mark.slow
def test_64_tokens_of_a_model_as_large_as_ours_are_small_enough():
    page = open_page(text=" ".join(["the"] * 63), max_len="64", min_len="64", beam="1")
    shapes = [maps_of(page, site).shape for site in ("encoder", "cross")]
    assert shapes[0] == (4, 8, 64, 64)
    assert shapes[1][2] >= 64
    assert len(component(page, COMPONENT).json.encode()) <= 1_500_000
