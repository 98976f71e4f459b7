"""Order, positions and the heads that follow them, driven without a browser."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from harness import (
    DEFAULT,
    asked,
    click,
    n_charts,
    open_frame,
    open_page,
    press,
    put,
    says,
    table_of,
    words,
)
from streamlit.testing.v1 import AppTest

from core.changes import POSITION_MODES, Positions
from core.intervention import Intervention
from core.search import Decoding
from model import InputError, load_translator
from ui.positions.heads import verdict
from ui.positions.model import offset_table
from ui.positions.order import order_of
from ui.state import Run
from words import english

OWN = "A dog runs through the snow."


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


# The order of words


@pytest.fixture(scope="module")
def translator(checkpoints_root):
    return load_translator(checkpoints_root / "en-de")


@pytest.mark.parametrize(
    ("text", "how", "typed", "expected"),
    [
        ("the animal runs", "reversed", "", "runs animal the"),
        ("the animal runs", "typed", "animal runs the", "animal runs the"),
        ("the animal runs", "typed", " ", "runs animal the"),
        ("the dog the man", "typed", "the the man dog", "the the man dog"),
    ],
)
def test_words_move_as_wholes_and_the_end_sign_stays_last(translator, text, how, typed, expected):
    src = translator.tokenize(text)
    order = order_of(translator, src, how, typed=typed)
    assert sorted(order) == list(range(len(src)))
    assert translator.tokenizer.decode([src.ids[i] for i in order]).text == expected
    assert order[-1] == len(src) - 1


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


@pytest.mark.parametrize(
    ("text", "said", "address"),
    [
        ("", "positions-order-no-words", {}),
        ("   ", "positions-order-no-words", {}),
        ("dog", "positions-order-one-word", {}),
        ("the dog " * 40, "This view takes at most 40", {}),
        ("the dog runs", "positions-order-words-hint", {"how": "typed", "typed": "the cat"}),
    ],
)
def test_words_without_another_order_are_told_so_and_nothing_is_lost(folder, text, said, address):
    page = open_view("order", **{f"order_{name}": value for name, value in address.items()})
    put(page, order_text=text)
    assert (english(said) if said.startswith("positions") else said) in problem(page)
    assert page.text_input("order_text").value == text
    assert "encode(P x)" in words(page)  # the rest of the view stands


def test_unknown_characters_are_named(folder):
    page = open_view("order", order_text="the 漢 dog")
    assert any("漢" in warning.value for warning in page.warning)


# Positions of the trained model


def test_the_table_holds_what_the_model_computes(folder, translator):
    page = open_view("model", text=OWN)
    lines = table_of(page, "same")
    plain = translator.translate(OWN, Decoding(n_runners_up=3))
    change = Intervention(Positions("reversed", span=len(plain.tgt), side="target"))
    line = lines[(lines["side"] == "Target") & (lines["positions"] == "Reversed")].iloc[0]
    total = float(translator.read_again(plain.src, plain.tgt, change)[1].sum())
    assert line["log_prob"] == pytest.approx(total, abs=1e-3)
    changed = translator.translate(OWN, Decoding(n_runners_up=3), intervention=change)
    assert line["output"] == changed.text
    assert line["change"] == pytest.approx(total - float(plain.log_probs.sum()), abs=1e-3)
    assert len(lines) == 2 * (len(POSITION_MODES) - 1)
    none = english("positions-changed-absent", seed=0, offset=50)
    absent = lines[lines["positions"] == none].set_index("side")["change"]
    told = {side.lower(): change for side, change in absent.items()}
    assert says(page, "positions-summary", **told)


def test_the_curve_begins_at_the_plain_log_probability(translator):
    plain = translator.translate(OWN, Decoding())
    run = Run(None, translator, plain)
    curve = offset_table(run)
    first = curve[curve["offset"] == 0]["log_prob"]
    np.testing.assert_allclose(first, float(plain.log_probs.sum()), atol=1e-4)
    assert len(first) == 2


# Heads


def test_a_click_on_a_dot_opens_its_head_if_it_is_there_and_outlives_the_sentence(folder):
    page = open_view("heads", text=OWN)
    for layer in (0, 9):
        click(page, "position_scatter", "head", kind="decoder", layer=layer, head=1)
        assert page.selectbox("position_head").value == ("decoder", 0, 1)
    assert asked(page)["position_head"] == "decoder-1-2"
    assert put(page, text=DEFAULT.text).selectbox("position_head").value == ("decoder", 0, 1)


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


@pytest.mark.parametrize(
    ("look", "seed", "again", "address"),
    [
        ("order", "order_seed", "order_shuffle", {"order_how": "shuffled"}),
        ("heads", "position_words", "position_words_next", {"text": OWN}),
    ],
)
def test_again_takes_the_next_seed(folder, look, seed, again, address):
    page = open_view(look, **address, **{seed: "3"})
    before = words(page)
    assert press(page, again).number_input(seed).value == 4
    assert words(page) != before


# Learned positions


@pytest.mark.parametrize("side", ["source", "target"])
def test_positions_that_were_learned_are_shown_as_they_are(side):
    page = open_page("positions", checkpoint="lineage-convolutional", learned_side=side)
    model = page.session_state["run"].translator.model
    rows = getattr(model, f"{side}_positions").weight[:40].detach().double().numpy()
    unit = [row / np.sqrt(sum(row**2)) for row in rows]
    near, far = (np.mean([unit[i] @ unit[i + k] for i in range(40 - k)]) for k in (1, 20))
    assert says(page, "positions-learned-finding", near=near, far=far, apart=20, n=40)
    assert n_charts(page) == 1
    assert not says(page, "need-position-table")
