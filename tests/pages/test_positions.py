"""The page of positions: the order of words, learned positions, the encoding and its controls."""

from __future__ import annotations

import dataclasses
import json
import math
import re
from copy import deepcopy
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from core.positions import PositionTable, encoding_table, matrix_latex, rotation, worked_out
from core.principal import component_table, principal
from core.records.search import Decoding
from model import InputError
from model.experiments.word_order import position_table
from support.app import (
    charts,
    markdown,
    n_charts,
    open_frame,
    open_page,
    press,
    put,
    says,
    specs,
    tables,
    words,
)
from support.models import SENTENCES, reader_of
from ui.frame.run import Run
from ui.pages.positions.encoding import OF_TWO, PARTS, adds_message, table_words
from ui.pages.positions.word_order import order_of
from words import english

# -- the order of words ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "how", "typed", "expected"),
    [
        ("the animal runs", "reversed", "", "runs animal the"),
        ("the animal runs", "typed", "animal runs the", "animal runs the"),
        ("the animal runs", "typed", " ", "runs animal the"),
        ("the dog the man", "typed", "the the man dog", "the the man dog"),
    ],
)
def test_words_move_as_wholes_and_the_end_sign_stays_last(
    tiny_translator, text, how, typed, expected
):
    src = tiny_translator.tokenize(text)
    order = order_of(tiny_translator, src, how, typed=typed)
    assert sorted(order) == list(range(len(src)))
    assert tiny_translator.tokenizer.decode([src.ids[i] for i in order]).text == expected
    assert order[-1] == len(src) - 1


def test_other_words_are_no_order_and_a_shuffle_moves_something(tiny_translator):
    src = tiny_translator.tokenize("the animal runs")
    for typed, told in (
        ("the animal", {"what": "lacks", "missing": "“runs”"}),
        ("the animal runs runs", {"what": "adds", "extra": "“runs”"}),
        ("the man runs", {"what": "both", "missing": "“animal”", "extra": "“man”"}),
    ):
        said = english("positions-order-words", **{"missing": "", "extra": ""} | told)
        with pytest.raises(InputError, match=re.escape(said)):
            order_of(tiny_translator, src, "typed", typed=typed)
    for seed in range(8):
        order = order_of(tiny_translator, src, "shuffled", seed)
        assert sorted(order) == list(range(len(src)))
        assert order != tuple(range(len(src)))


def test_again_takes_the_next_seed_and_unknown_characters_are_named(folder):
    how = {"position_look": "order", "order_how": "shuffled", "order_seed": "3"}
    page = open_page("positions", **how, order_text="the 漢 dog runs home")
    assert any("漢" in warning.value for warning in page.warning)
    before = words(page)
    assert press(page, "order_shuffle").number_input("order_seed").value == 4
    assert words(page) != before


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


# -- the encoding ----------------------------------------------------------------------------

# The tiny model has d_model 16, base 10,000 and 160 positions.
OWN = {"d_model": 16, "base": 10_000.0, "length": 160}


def run_view(view):
    from ui.pages.positions.encoding import show

    show(view)


@pytest.fixture(scope="module")
def view(tiny_translator):
    translation = tiny_translator.translate(SENTENCES[0], Decoding(beam_size=1, max_len=5))
    return Run(None, tiny_translator, translation)


@pytest.fixture
def open_view(view):
    def open_(of=view, **address):
        return open_frame(run_view, of, **{f"encoding_{k}": v for k, v in address.items()})

    return open_


def sizes(page):
    d_model, length = (page.slider(f"encoding_{name}").value for name in ("d_model", "length"))
    base = page.select_slider("encoding_base").value
    return {"d_model": d_model, "base": base, "length": length}


def plots(page):
    """The figures of Plotly, as JSON."""
    return [json.loads(element.proto.spec) for element in page.get("plotly_chart")]


def with_table(view, values):
    """The view of a model that adds these values, whatever they are."""
    model = deepcopy(view.translator.model)
    model.positions.table = torch.tensor(values)
    return Run(None, reader_of(model), view.translation)


def test_sizes_are_those_of_the_model_or_the_sentence_or_what_was_chosen(open_view, view):
    page = open_view(values="model", d_model="64", base="100", length="300")
    controls = {each.key for each in (*page.slider, *page.select_slider)}
    assert not {"encoding_d_model", "encoding_base"} & controls
    assert any(len(each) == 160 * 16 for each in tables(charts(page)[0]).values())
    kept = {"d_model": 64, "base": 100.0, "length": 300}
    assert sizes(put(page, encoding_values="formula")) == kept
    assert sizes(press(page, "encoding_reset")) == OWN
    page, n_tokens = press(open_view(part="curves"), "encoding_fit"), len(view.src)
    assert sizes(page)["length"] == n_tokens
    assert len(tables(charts(page)[0])["pointed"]) == n_tokens


def test_a_smaller_d_model_keeps_the_dimensions_it_has(open_view):
    page = put(open_view(part="curves", dims=["1", "12"]), encoding_d_model=4)
    assert page.multiselect("encoding_dims").value == [1]


def test_formula_and_matrix_by_hand():
    # Dimension 3 of 8 is the cosine of pair 1: 100^(2/8) = 3.16228.
    text = worked_out(5, 3, 8, 100.0)
    assert r"\cos(5 \,/\, 100^{\,2/8})" in text
    assert r"\cos(5 \,/\, 3.16228)" in text
    assert f"{5 / math.sqrt(10):.6g}" in text
    assert f"{math.cos(5 / math.sqrt(10)):.6f}" in text
    text = matrix_latex(rotation(0, 0, 1, 8))
    assert r"\begin{pmatrix} 0.5403 & 0.8415 \\ -0.8415 & 0.5403 \end{pmatrix}" in text
    assert r"\begin{pmatrix} 0.0000 \\ 1.0000 \end{pmatrix}" in text


def test_a_value_is_held_against_the_table_where_it_has_one():
    own = PositionTable(np.zeros((4, 6), np.float32), 100.0, 2.0)
    for position, dimension, held in ((4, 0, False), (0, 6, False), (3, 5, True)):
        found = table_words(own, position, dimension, 0.25)
        told = english("positions-in-table", value=0, away=0.25)
        assert found == (told if held else english("positions-in-table-not"))
    assert adds_message(3e-8) == "positions-adds-rounded"
    assert adds_message(1e-6) == "positions-adds"


def test_tokens_with_markup_are_shown_as_they_are(open_view, view):
    src = view.src
    tokens = ("▁**x**", "▁<b>", *src.tokens[2:])
    translation = SimpleNamespace(src=dataclasses.replace(src, tokens=tokens))
    page = open_view(Run(None, view.translator, translation), pos="0")
    assert r"“\*\*x\*\*” is token number 1" in markdown(page)


def test_a_table_that_is_not_the_formula_shows(open_view, view):
    values = position_table(view.translator).values.copy()
    values[3, 4] += 0.5
    page = open_view(with_table(view, values))
    assert "from the formula by at most **5.0e−01**." in markdown(page)
    page = open_view(with_table(view, values), values="model", part="rotation", length="20")
    assert "**5.0e−01**" in markdown(page)  # of the turn by three positions, from 0 or to 6


def test_similarity_names_neighbours_and_the_ends_of_the_sentence_if_they_are_farther_apart(
    open_view, view
):
    # The cosine of positions k apart is the mean of cos(k w) over all frequencies w.
    waves = 10_000.0 ** -(np.arange(0, 16, 2) / 16)
    near, far = (np.cos(k * waves).mean() for k in (1, len(view.src) - 1))
    long, short = (words(open_view(part="similarity", length=n)) for n in ("40", "2"))
    assert f"neighbours have a cosine of **{near:.2f}**, any two positions" in long
    assert f"{len(view.src) - 1} apart one of **{far:.2f}**." in long
    assert f"neighbours have a cosine of **{near:.2f}**." in short


@pytest.mark.parametrize("part", PARTS)
def test_a_single_position_is_drawn_or_ends_in_a_sentence(open_view, part):
    page = open_view(part=part, length="1")
    told = "positions-helix-none" if part == "helix" else "positions-one-position"
    assert (english(told) in markdown(page)) == (part in OF_TWO or part == "helix")
    assert bool(specs(page) or plots(page)) == (part in ("curves", "heatmap", "wavelengths"))


def test_a_table_is_drawn_in_its_components_or_a_sentence_says_that_it_does_not_vary(
    open_view, view
):
    values = np.random.default_rng(0).normal(0, 0.02, (12, 16)).astype(np.float32)
    how = {"part": "helix", "values": "model"}
    assert len(plots(open_view(with_table(view, values), **how))) == 1
    page = open_view(with_table(view, 0 * values + 1), **how)
    assert english("positions-helix-none") in markdown(page)
    found = principal(encoding_table(4, 8))
    table = component_table(found, ("▁a", "</s>"))
    assert table["position"].tolist() == [0, 1, 2, 3]
    assert table["token"].tolist() == ["▁a", "</s>", "", ""]
    np.testing.assert_array_equal(table[["pc1", "pc2", "pc3"]], found.coordinates)
