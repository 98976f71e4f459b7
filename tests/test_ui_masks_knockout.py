"""Every head switched off in turn, driven without a browser."""

from __future__ import annotations

from dataclasses import replace

import harness
import masks_page
import numpy as np
import pytest
from harness import asked, n_charts, press, put, specs, table_of, words
from masks_page import N_HEADS, SHORT, open_page, says

from analysis.labels import head_title
from records import AblatedHead, Decoding, Intervention
from ui.masks import knockout
from words import english, numbers

view, measured, measured_root = masks_page.view, masks_page.measured, masks_page.measured_root


def click(page, **values: object):
    return harness.click(page, "knock_bars", "head", **values)


def measures(page) -> str:
    """What the bars measure, said at their axis."""
    channels = [layer["encoding"] for layer in specs(page)[0]["layer"]]
    return next(each["y"]["title"] for each in channels if "y" in each)


def opened(page) -> str:
    """The head that is open, said as the title of its part says it."""
    site, layer, head = page.selectbox("knock_head").value
    names = {"site": english(f"site-{site}-attention"), "layer": layer + 1, "head": head + 1}
    assert says(page, "masks-knockout-without", **names)
    return head_title(site, layer, head)


def test_every_head_is_in_the_table_and_the_one_missed_most_is_open(folder):
    page = open_page("knockout")
    table = table_of(page, "token_change")
    assert len(table) == N_HEADS
    assert list(table["change"]) == sorted(table["change"])
    assert f"of {N_HEADS}**" in words(page)
    assert n_charts(page) >= 1
    assert opened(page) == table["name"].iloc[0]
    assert "knock_head" not in asked(page)


def test_the_changes_on_the_page_are_those_of_the_model(folder, tiny_translator):
    page = open_page("knockout")
    translation = tiny_translator.translate(SHORT, Decoding(beam_size=2, max_len=8, n_runners_up=3))
    off = Intervention(AblatedHead("cross", 1, 2))
    _, without = tiny_translator.read_again(translation.src, translation.tgt, off)
    table = table_of(page, "token_change").set_index("name")
    expected = without.sum() - translation.log_probs.sum()
    assert table.loc["cross 2.3", "change"] == pytest.approx(expected, abs=1e-4)


def test_a_click_on_a_bar_opens_its_head_and_the_address_keeps_it(folder):
    page = open_page("knockout")
    click(page, kind="decoder", layer=1, head=2)
    assert opened(page) == "decoder 2.3"
    assert asked(page)["knock_head"] == "decoder 2.3"
    for place in (("cross", 9, 0), ("image", 0, 0), (None, None, None)):
        click(page, **dict(zip(("kind", "layer", "head"), place, strict=True)))
        assert opened(page) == "decoder 2.3"


@pytest.mark.parametrize("how", ["uniform", "mean"])
def test_the_kind_of_ablation_changes_the_numbers_and_is_in_the_title(measured, how):
    page = open_page("knockout")
    assert measures(page) == english("masks-knockout-bars", how="zero")
    zero = table_of(page, "token_change").set_index("name")["change"]
    assert measures(put(page, knock_how=how)) == english("masks-knockout-bars", how=how)
    other = table_of(page, "token_change").set_index("name")["change"]
    assert (zero - other[zero.index]).abs().max() > 1e-3


def test_a_head_can_be_kept_off_in_the_change_that_is_being_built(folder):
    page = open_page("knockout", knock_head="cross 2.1")
    press(page, "knock_keep")
    view_name = english("view-masks-change")
    assert says(page, "masks-knockout-kept", head="cross 2.1", view=view_name)
    assert asked(page)["change"] == "zero-cross-2.1"


def test_the_words_count_the_outputs_that_change(tiny_translator, view):
    found = tiny_translator.knock_out(view.translation.src, view.translation.tgt)
    table = knockout.knockout_table(found)
    expected = sum(output.ids != found.plain_output.ids for output in found.outputs)
    text = knockout.found_words(table)
    worst = table.loc[table["change"].idxmin()]
    assert f"**{expected} of {N_HEADS}**" in text
    assert f"**{worst['name']}**" in text
    assert numbers.signed(worst["change"]) in text


def test_the_words_name_a_rival_that_overtakes_the_pronoun(tiny_translator, view):
    found = tiny_translator.knock_out(
        view.translation.src, view.translation.tgt, position=0, choice_ids=(5, 6)
    )
    probabilities = np.tile([0.9, 0.1], (N_HEADS, 1)).astype(np.float32)
    certain = replace(found, choices=("▁es", "▁sie"), choice_probs=probabilities)
    assert english("masks-knockout-never-overtaken") in knockout.choice_words(certain)
    probabilities = probabilities.copy()
    probabilities[3] = [0.2, 0.7]
    text = knockout.choice_words(replace(certain, choice_probs=probabilities))
    assert f"{head_title(*found.heads[3])} (sie 0.70)" in text


@pytest.mark.parametrize("how", ["zero", "uniform"])
def test_where_no_weight_moves_the_head_that_is_off_is_shown_and_it_is_said(folder, how):
    """Nothing attends after the cross-attention of the last layer."""
    page = open_page("knockout", knock_how=how, knock_head="cross 2.3")
    shown = [page.selectbox(f"knockout_effect_{name}").value for name in ("kind", "layer", "head")]
    assert shown == ["cross", 1, 2]
    assert says(page, "masks-effect-unmoved") is (how == "zero")
