"""Order, positions and the heads that follow them, driven without a browser."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from harness import (
    DEFAULT,
    asked,
    charts,
    click,
    n_charts,
    open_frame,
    run,
    shown,
    table_of,
    tables,
    words,
)
from streamlit.testing.v1 import AppTest

from analysis.labels import token_label
from analysis.position_heads import position_head_table
from model import InputError, load_translator
from records import POSITION_MODES, Decoding, Intervention, Positions
from ui.effect import word_changes
from ui.positions.heads import verdict
from ui.positions.model import offset_table, summary_words
from ui.positions.order import order_of
from ui.state import Run
from words import english

OWN = "A dog runs through the snow."
LOOKS = ("order", "model", "heads")


def frame() -> None:
    """One view with as much of the page around it as it needs."""
    import importlib

    import streamlit as st

    from ui.controls import frame_choices
    from ui.state import current_run

    view = current_run(frame_choices())
    if view is not None:
        st.session_state["run"] = view
        look = st.query_params.get("shown", "order")
        importlib.import_module(f"ui.positions.{look}").show(view)


def open_view(look: str, **address: str) -> AppTest:
    return open_frame(frame, shown=look, **address)


def problem(page: AppTest) -> str:
    return "\n".join(element.value for element in page.error).replace("\\", "")


# Every view


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("text", ["A", OWN, "The dog. " * 12, "漢字 漢字"])
def test_every_view_takes_every_sentence(folder, translator, look, text):
    page = open_view(look, text=text)
    assert not page.error
    lines = {
        "order": lambda: len(tables(charts(page)[-1])["lines"]),
        "model": lambda: len(tables(charts(page)[2])["columns"]),
        "heads": lambda: len(table_of(page, "sharpness")),
    }
    # Four kinds of run by eight orders; the tokens of the sentence; all heads.
    wanted = {"order": 4 * 8, "model": len(translator.tokenize(text)), "heads": 24}
    assert lines[look]() == wanted[look]


@pytest.mark.parametrize("look", LOOKS)
def test_every_view_takes_a_model_of_one_layer_and_one_head(smallest, look):
    address = {"order_layer": "3", "order_head": "7", "position_head": "encoder-4-8"}
    page = open_view(look, **address)
    assert not page.error
    menus = ("order_layer", "order_head")  # of one layer and one head there is nothing to choose
    heads = {
        "order": lambda: [box.key for box in page.selectbox if box.key in menus],
        "model": lambda: tables(charts(page)[2])["cells"]["q"].min(),
        "heads": lambda: page.selectbox("position_head").value[1:],
    }
    assert heads[look]() == {"order": [], "model": 0, "heads": (0, 0)}[look]


# The order of words


@pytest.fixture(scope="module")
def translator(checkpoints_root):
    return load_translator(checkpoints_root / "en-de")


@pytest.mark.parametrize(
    ("how", "typed", "expected"),
    [
        ("reversed", "", "runs animal the"),
        ("typed", "animal runs the", "animal runs the"),
        ("typed", " ", "runs animal the"),
    ],
)
def test_words_move_as_wholes_and_the_end_sign_stays_last(translator, how, typed, expected):
    src = translator.tokenize("the animal runs")
    order = order_of(translator, src, how, typed=typed)
    assert translator._tokenizer.decode([src.ids[i] for i in order]).text == expected
    assert order[-1] == len(src) - 1


def test_repeated_words_are_taken_in_turn(translator):
    src = translator.tokenize("the dog the man")
    order = order_of(translator, src, "typed", typed="the the man dog")
    assert sorted(order) == list(range(len(src)))
    assert order.index(0) == 0


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("the animal", {"what": "lacks", "missing": "“runs”"}),
        ("the animal runs runs", {"what": "adds", "extra": "“runs”"}),
        ("the man runs", {"what": "both", "missing": "“animal”", "extra": "“man”"}),
    ],
)
def test_other_words_are_no_order(translator, typed, told):
    src = translator.tokenize("the animal runs")
    said = re.escape(english("positions-order-words", **{"missing": "", "extra": ""} | told))
    with pytest.raises(InputError, match=said):
        order_of(translator, src, "typed", typed=typed)


@pytest.mark.parametrize("seed", range(8))
def test_a_shuffle_moves_something_and_loses_nothing(translator, seed):
    src = translator.tokenize("a dog runs")
    order = order_of(translator, src, "shuffled", seed)
    assert sorted(order) == list(range(len(src)))
    assert order != tuple(range(len(src)))


def test_the_argument_opens_with_i_go_home_and_says_what_the_model_computes(folder, translator):
    page = open_view("order")
    assert page.text_input("order_text").value == "I go home"
    assert n_charts(page) == 4
    src = translator.tokenize("I go home")
    found = translator.reorder(src, order_of(translator, src, "reversed"), positions=True)
    worst = int(found.distances[-1].argmax())
    told = {"word": token_label(src.tokens[worst]), "moved": f"{found.distances[-1][worst]:.2f}"}
    assert english("positions-order", second="home go I", **told) in words(page)
    norm = np.linalg.norm(found.vectors[0, -1, worst])
    assert f"norm in the first order is {norm:.2f}." in words(page)


def test_the_exact_statement_is_about_the_sentence_on_screen(folder, translator):
    page = open_view("order", text=OWN)
    found = translator.equivariance(translator.tokenize(OWN), n_orders=8)
    largest = {(e.positions, e.bits): e.differences.max() for e in found}
    assert f"all {len(translator.tokenize(OWN))} tokens" in words(page)
    assert f"**{largest[True, 64]:.2f}**" in words(page)


def test_shuffle_again_takes_the_next_seed(folder):
    page = open_view("order", order_how="Shuffled", order_seed="4")
    page.button("order_shuffle").click()
    assert run(page).number_input("order_seed").value == 5


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", english("positions-order-no-words")),
        ("   ", english("positions-order-no-words")),
        ("dog", english("positions-order-one-word")),
        ("the dog " * 40, "This view takes at most 40"),
    ],
)
def test_words_without_another_order_are_told_so(folder, text, said):
    page = open_view("order")
    page.text_input("order_text").set_value(text)
    run(page)
    assert said in problem(page)
    assert "encode(P x)" in words(page)  # the rest of the view stands


def test_an_order_that_is_none_is_told_so_and_nothing_is_lost(folder):
    page = open_frame(
        frame, shown="order", order_text="the dog runs", order_how="Typed", order_typed="the cat"
    )
    assert english("positions-order-words-hint") in problem(page)
    assert page.text_input("order_text").value == "the dog runs"


def test_unknown_characters_are_named(folder):
    page = open_view("order", order_text="the 漢 dog")
    assert any("漢" in warning.value for warning in page.warning)


def test_with_positions_the_map_is_not_merely_permuted(folder, translator):
    page = open_frame(frame, shown="order", order_text="the animal runs", order_case="with")
    src = translator.tokenize("the animal runs")
    order = np.array(order_of(translator, src, "reversed"))
    first, second = translator.reorder(src, order, positions=True).attention[:, 0, 0]
    difference = np.abs(second - first[np.ix_(order, order)]).max()
    assert difference > 0.001
    assert english("positions-order-maps-differ", difference=difference) in words(page)


# Positions of the trained model


def test_the_source_loses_its_positions_first_and_both_translations_are_said(folder, translator):
    page = open_view("model", text=OWN)
    chosen = [page.session_state[f"position_{side}"] for side in ("source", "target")]
    assert chosen == ["absent", "normal"]
    plain = translator.translate(OWN, Decoding(n_runners_up=3))
    change = Intervention(Positions("absent"))
    changed = translator.translate(OWN, Decoding(n_runners_up=3), intervention=change)
    assert changed.tgt.ids != plain.tgt.ids
    for name, text in zip(("before", "after"), word_changes(plain.text, changed.text), strict=True):
        assert shown(english(f"masks-effect-{name}", text=text)) in words(page)


def test_the_table_holds_what_the_model_computes(folder, translator):
    lines = table_of(open_view("model", text=OWN), "same")
    plain = translator.translate(OWN, Decoding(n_runners_up=3))
    change = Intervention(Positions("reversed", span=len(plain.tgt), side="target"))
    line = lines[(lines["side"] == "Target") & (lines["positions"] == "Reversed")].iloc[0]
    log_probs = translator.read_again(plain.src, plain.tgt, change)[1]
    assert line["log_prob"] == pytest.approx(float(log_probs.sum()), abs=1e-3)
    changed = translator.translate(OWN, Decoding(n_runners_up=3), intervention=change)
    assert line["output"] == changed.text
    assert line["change"] == pytest.approx(float(log_probs.sum() - plain.log_probs.sum()), abs=1e-3)


@pytest.mark.parametrize("mode", POSITION_MODES)
@pytest.mark.parametrize("side", ["source", "target"])
def test_every_mode_opens_by_its_address(folder, side, mode):
    more = {f"position_{side}_seed": "7", f"position_{side}_offset": "500"}
    page = open_view("model", text=OWN, **{f"position_{side}": mode}, **more)
    assert page.session_state[f"position_{side}"] == mode
    assert not page.error
    lines = table_of(page, "same")
    named = set(zip(lines["side"], lines["positions"], strict=True))
    # The other side keeps what it begins with.
    own, other = {"seed": 0, "offset": 50}, {"seed": 0, "offset": 50}
    own |= {"permuted": {"seed": 7}, "shifted": {"offset": 500}}.get(mode, {})
    assert named == {
        (
            english(f"positions-{each}"),
            english(f"positions-changed-{how}", **(own if each == side else other)),
        )
        for each in ("source", "target")
        for how in POSITION_MODES
        if how != "normal"
    }


def test_the_curve_begins_at_the_plain_log_probability(translator):
    plain = translator.translate(OWN, Decoding())
    run = Run(None, translator, plain)
    curve = offset_table.__wrapped__(run)
    first = curve[curve["offset"] == 0]["log_prob"]
    np.testing.assert_allclose(first, float(plain.log_probs.sum()), atol=1e-4)
    assert len(first) == 2


def test_the_sentence_above_the_table_says_its_numbers():
    modes = {"mode": ["absent", "reversed"] * 2, "change": [-16.05, -2.0, -0.03, -6.0]}
    said = summary_words(pd.DataFrame({"side": ["source", "source", "target", "target"], **modes}))
    assert said == english("positions-summary", source=-16.05, target=-0.03)


# Heads


def test_a_click_on_a_dot_opens_its_head_if_it_is_there(folder):
    page = open_view("heads", text=OWN)
    for layer in (0, 9):
        click(page, "position_scatter", "head", kind="decoder", layer=layer, head=1)
        assert page.selectbox("position_head").value == ("decoder", 0, 1)
    assert asked(page)["position_head"] == "decoder-1-2"


def test_the_open_head_outlives_another_sentence(folder):
    page = open_view("heads", text=OWN)
    page.selectbox("position_head").set_value(("decoder", 0, 1))
    run(page)
    page.text_input("text").set_value(DEFAULT.text)
    assert run(page).selectbox("position_head").value == ("decoder", 0, 1)


def test_the_table_ranks_every_head(folder, translator):
    lines = table_of(open_view("heads", text=OWN), "sharpness")
    plain = translator.translate(OWN, Decoding(n_runners_up=3))
    found = translator.position_heads(plain.src, plain.tgt, n_others=12)
    expected = position_head_table(found)
    pd.testing.assert_frame_equal(lines[["layer", "head"]], expected[["layer", "head"]])
    assert list(lines["kind"]) == [english(f"site-{kind}-short") for kind in expected["kind"]]
    np.testing.assert_allclose(lines["words"], expected["words"], atol=1e-6)


def test_other_words_take_the_next_seed(folder):
    page = open_view("heads", text=OWN, position_words="3")
    before = table_of(page, "sharpness")["words"].tolist()
    page.button("position_words_next").click()
    run(page)
    assert page.number_input("position_words").value == 4
    assert table_of(page, "sharpness")["words"].tolist() != before


def test_the_verdict_names_the_head_that_keeps_its_map_and_counts_them(folder):
    heads = pd.DataFrame(
        {
            "kind": ["encoder", "encoder", "cross"],
            "name": ["one", "two", "three"],
            "words": [0.9, 0.5, 0.2],
            "positions": [0.1, 0.6, 0.8],
            "chance": [0.3, 0.3, 0.25],
        }
    )
    told = {"head": "three", "positions": "0.80", "places": 1, "n": 3}
    assert verdict(heads) == english("positions-heads-verdict", chance="yes", **told)
    nothing = verdict(heads.assign(chance=float("nan")))
    assert nothing == english("positions-heads-verdict", chance="no", **told)
    page = open_view("heads", text=OWN)
    first = table_of(page, "sharpness").iloc[0]
    overlap = {name: f"{first[name]:.2f}" for name in ("words", "spread")}
    name = page.selectbox("position_head").options[0]
    assert english("positions-heads", head=name, n=12, **overlap) in words(page)
