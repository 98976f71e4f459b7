"""Which decision of a translation is looked at, and how it survives what a person types."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import masks_page
import numpy as np
import pytest
from harness import charts, press, put, table_of, tables
from masks_page import N_HEADS, SHORT, TIRED, open_page, says

from ui.masks import choices
from words import english

view = masks_page.view


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


def test_any_token_can_be_followed_with_its_likeliest_rivals(view):
    found = choices.choice_at(view, 0)
    likeliest = view.translator.candidates(TIRED, (), 3)
    assert found.ids[0] == view.translation.tgt.ids[0]
    assert set(found.ids[1:]) <= {each.token_id for each in likeliest}
    assert len(set(found.ids)) == 3


def test_without_a_pronoun_the_least_sure_token_tells_most(view):
    log_probs = np.full(len(view.translation.tgt), -1.0, np.float32)
    log_probs[3] = -2.0
    other = replace(view.translation, src=view.translator.tokenize(SHORT), log_probs=log_probs)
    assert choices.telling_position(replace(view, translation=other)) == 3


def test_words_are_whole_and_leave_special_tokens_out(view):
    found = choices.source_words(view)
    assert [word.text for word in found][:4] == ["The", "animal", "didn't", "cross"]
    covered = sorted(i for word in found for i in word.positions)
    assert covered == list(range(len(view.translation.src) - 1))


def test_the_sites_of_a_run_are_found_by_their_sides(view):
    assert choices.site_between(view, "source", "source") == "encoder"
    assert choices.site_between(view, "target", "source") == "cross"
    assert choices.site_between(view, "image", "source") is None
    assert choices.causal_map(view) is view.translation.attention.decoder


# What a person may type


def open_look(page, look: str):
    return put(page, mask_look=look)


def n_drawn(page, table: str) -> int:
    """How many lines the first figure has in one of its tables."""
    return len(tables(charts(page)[0])[table])


@pytest.mark.parametrize("text", ["Hello", "It", ".", "it it it", "漢字 <b>x</b> `y` [z](w)"])
def test_odd_sentences_are_measured_like_any_other(folder, tiny_translator, text):
    n_src = len(tiny_translator.tokenize(text))
    page = open_page("knockout", text)
    n_tgt = len(page.session_state["run"].translation.tgt)
    assert np.isfinite(table_of(page, "token_change")["change"]).sum() == N_HEADS
    open_look(page, "pronoun")
    assert says(page, "masks-pronoun-choose-known", group=english("example-riddle"))
    assert len(page.selectbox("test_row").options) == n_tgt
    open_look(page, "trace")
    assert n_drawn(page, "source") == n_src
    open_look(page, "explain")
    assert n_drawn(page, "lines") == n_src
    assert not page.error


def test_a_long_sentence_is_measured_or_waits_for_a_button(folder, tiny_translator):
    text = "A dog runs through the snow and a man plays the guitar. " * 3
    n_src = len(tiny_translator.tokenize(text))
    page = open_page("knockout", text)
    assert len(table_of(page, "token_change")) == N_HEADS
    open_look(page, "trace")
    assert not charts(page)
    press(page, "trace_start")
    assert n_drawn(page, "source") == n_src
    open_look(page, "explain")
    assert n_drawn(page, "lines") == n_src
