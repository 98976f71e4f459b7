"""The masks page: the decision, heads off, attention beside drops, words of a pronoun."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.intervention import hide
from core.pronoun import control_word, phrase_of, word_at, words_of
from core.search import Decoding
from core.tokens import head_title
from model.experiments.knockout import knock_out
from support import app as harness
from support.app import asked, n_charts, press, put, says, words
from support.models import spell
from ui.masks import choices, explain, knockout
from ui.state import Choices, Run
from words import english

TIRED = "The animal didn't cross the street because it was too tired."
SHORT = "A dog runs."
N_HEADS = 24  # 2 layers of 4 heads at each of three sites


def open_page(look: str, text: str = SHORT, **address: str) -> AppTest:
    known = {"mask_look": look, "text": text, "max_len": "8", "beam": "2"}
    return harness.open_page("masks", **(known | address))


@pytest.fixture(scope="module")
def view(tiny_translator) -> Run:
    """The sentence with "it" and a translation that is known, whatever the weights."""
    decoding = Decoding(beam_size=1, max_len=8)
    translation = tiny_translator.translate(TIRED, decoding)
    tgt = tiny_translator.tokenize("Das Tier überquerte die Straße nicht, weil es zu müde war.")
    attention, log_probs = tiny_translator.read_again(translation.src, tgt)
    translation = replace(translation, tgt=tgt, log_probs=log_probs, attention=attention)
    return Run(Choices("en-de", TIRED, decoding), tiny_translator, translation)


# Which decision


def test_the_pronoun_is_followed_with_its_rivals(view):
    found = choices.pronoun_choice(view)
    assert view.translation.tgt.tokens[found.position] == "▁es"
    assert found.tokens[0] == "▁es"
    assert set(found.ids) <= set(range(view.translator.card.config["vocab_size"]))


def test_no_pronoun_is_followed_without_a_pack_nor_at_another_token(view):
    assert choices.forms_at(view, 0) is None
    card = replace(view.translator.card, languages=("en", "xx"))
    other = replace(view, translator=SimpleNamespace(card=card))
    assert (other.pack.pronoun, other.example) == ("", None)
    assert choices.forms_at(other, choices.pronoun_position(view)) is None


def test_without_a_pronoun_the_least_sure_token_tells_most(view):
    log_probs = np.full(len(view.translation.tgt), -1.0, np.float32)
    log_probs[3] = -2.0
    other = replace(view.translation, src=view.translator.tokenize(SHORT), log_probs=log_probs)
    assert choices.telling_position(replace(view, translation=other)) == 3


# Every head switched off in turn


@pytest.mark.parametrize(
    ("look", "chart", "menu", "place", "others", "spelt"),
    [
        (
            *("knockout", "knock_bars", "knock_head"),
            {"kind": "decoder", "layer": 1, "head": 2},
            [{"kind": "cross", "layer": 9, "head": 0}, {"kind": "image", "layer": 0, "head": 0}],
            "decoder 2.3",
        ),
        (
            *("explain", "explain_heads", "explain_head"),
            {"layer": 0, "head": 3},
            [{"layer": 9, "head": 0}, {"layer": 0, "head": 9}, {"layer": "0", "head": 1}],
            "1.4",
        ),
    ],
    ids=["knockout", "explain"],
)
def test_a_click_opens_a_head_and_one_beside_it_nothing(
    folder, look, chart, menu, place, others, spelt
):
    page = open_page(look)
    for each in (place, *others, dict.fromkeys(place)):
        harness.click(page, chart, "head", **each)
        assert page.selectbox(menu).value == tuple(place.values())
    assert asked(page)[menu] == spelt


def test_a_head_can_be_kept_off_in_the_change_that_is_being_built(folder):
    page = open_page("knockout", knock_head="cross 2.1")
    press(page, "knock_keep")
    view_name = english("view-masks-change")
    assert says(page, "masks-knockout-kept", head="cross L2 H1", view=view_name)
    assert asked(page)["change"] == "zero-cross-2.1"


def test_a_rival_that_overtakes_the_pronoun_is_named(tiny_translator, view):
    found = knock_out(
        tiny_translator, view.translation.src, view.translation.tgt, position=0, choice_ids=(5, 6)
    )
    probabilities = np.tile([0.9, 0.1], (N_HEADS, 1)).astype(np.float32)
    certain = replace(found, choices=("▁es", "▁sie"), choice_probs=probabilities)
    assert english("masks-knockout-never-overtaken") in knockout.choice_words(certain)
    probabilities[3] = [0.2, 0.7]
    assert f"{head_title(*found.heads[3])} (sie 0.70)" in knockout.choice_words(certain)


@pytest.mark.parametrize("how", ["zero", "uniform"])
def test_where_no_weight_moves_the_head_that_is_off_is_shown_and_it_is_said(folder, how):
    """Nothing attends after the cross-attention of the last layer."""
    page = open_page("knockout", knock_how=how, knock_head="cross 2.3")
    shown = [page.selectbox(f"knockout_effect_{name}").value for name in ("kind", "layer", "head")]
    assert shown == ["cross", 1, 2]
    assert says(page, "masks-effect-unmoved", measure="weight") is (how == "zero")


def test_what_takes_long_waits_for_the_button(folder, monkeypatch):
    monkeypatch.setattr(explain, "MOST_AT_ONCE", 3)
    page = open_page("explain", "The dog runs.")
    assert n_charts(page) == 0
    shown = page.session_state["run"]
    assert says(page, "masks-explain-long", source=len(shown.src), target=len(shown.tgt))
    press(page, "explain_start")
    assert n_charts(page) == 2


# A pronoun and its nouns


DETERMINERS = frozenset({"the", "a"})


def test_a_phrase_is_the_noun_with_its_determiner(view):
    words = words_of(view.src)
    found = {word.text: phrase_of(words, word, DETERMINERS) for word in words}
    whole = {"street": "the street", "tired": "tired", "The": "The", "cross": "cross"}
    for noun, phrase in whole.items():
        assert [word.text for word in found[noun]] == phrase.split()


CONTROLS = {
    ("The dog did not see the old truck because it was red·.", "dog", "truck"): "because",
    # An adjective belongs to its noun, and a comma is no word.
    ("The dog saw the old truck·, it was red·.", "truck", "dog"): "saw",
    ("A dog·, it slept·.", "dog", ""): None,
    ("It slept because the dog ran·.", "dog", ""): None,
    # As many pieces as the noun.
    ("The dach·shund often bark·ed at me so it ran·.", "dachshund", ""): "barked",
}
"""By a sentence, with "·" between the pieces of a word, its noun and the other noun."""


@pytest.mark.parametrize(("sentence", "control"), CONTROLS.items())
def test_the_control_is_the_nearest_word_before_it_with_as_many_pieces(sentence, control):
    text, noun, other = sentence
    pieces = re.findall("▁?[^▁·]+", "▁" + text.replace(" ", "▁"))
    words = words_of(spell(*pieces))
    named = (word_at(words, name) for name in ("it", noun, other))
    found = control_word(words, *named, DETERMINERS)
    assert (found.text if found else None) == control


# What becomes of a pronoun


@pytest.mark.parametrize(
    ("role", "word"), {"antecedent": "animal", "other": "street", "control": "because"}.items()
)
def test_a_coreference_test_hides_its_word_from_encoder_and_cross_attention(role, word):
    page = open_page("change", TIRED, checkpoint="en-de", change="peek")
    put(page, change_preset=role)
    tokens = [token.strip("▁") for token in page.session_state["run"].src.tokens]
    removable = [each.key for each in page.button if each.key.startswith("change_remove_")]
    assert removable == [f"change_remove_hide-both-{tokens.index(word) + 1}"]


def test_the_headline_says_what_the_pronoun_becomes_and_held_out_sentences_how_often():
    page = open_page("change", TIRED, max_len="", checkpoint="en-de", change="hide-both-2")
    run = page.session_state["run"]
    _, log_probs = run.translator.read_again(run.src, run.tgt, hide(1))
    place = [token.strip("▁") for token in run.tgt.tokens].index("es")
    before, after = (float(np.exp(of[place])) for of in (run.translation.log_probs, log_probs))
    assert f"“es” becomes “**sie**”: P(es) {before:.2f} → **{after:.2f}**" in words(page)
    stored = json.loads((harness.ROOT / "checkpoints/en-de/interventions.json").read_text())
    (flips,) = (
        row["all"]
        for row in stored["pronoun"]["forced"]
        if (row["where"], row["word"]) == ("both", "antecedent")
    )
    facts = {"n": flips["n"], "share": flips["flips"] / flips["n"], "role": "antecedent"}
    assert says(page, "masks-change-flips", **facts)


def test_a_recurrent_model_has_no_preset_of_a_component_that_it_lacks():
    page = open_page("change", TIRED, checkpoint="lineage-bahdanau")
    offered = set(page.selectbox("change_preset").options)
    lacking = ("residual", "norm", "attention-encoder", "attention-decoder", "source-absent")
    assert not {english(f"change_preset-{id}") for id in lacking} & offered
    assert {english(f"change_preset-{id}") for id in ("antecedent", "attention-cross")} <= offered
