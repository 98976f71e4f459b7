"""The view of the encoding: its controls, its numbers, the model's own table, and the address."""

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

from core.positions import (
    PositionTable,
    encoding_table,
    matrix_latex,
    rotation,
    rotation_error,
    worked_out,
)
from core.principal import component_table, principal
from core.search import Decoding
from model.experiments.order import embeddings, position_table
from support.app import charts, markdown, open_frame, press, put, specs, tables
from support.models import SENTENCES, reader_of
from ui.positions.encoding import OF_TWO, PARTS, adds_message, table_words
from ui.state import Run
from words import english

# The tiny model has d_model 16, base 10,000 and 160 positions.
OWN = {"d_model": 16, "base": 10_000.0, "length": 160}


def run_view(view):
    from ui.positions.encoding import show

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


def test_the_models_own_values_fix_d_model_and_base(open_view):
    page = open_view(values="model", d_model="64", base="100", length="300")
    controls = {each.key for each in (*page.slider, *page.select_slider)}
    assert not {"encoding_d_model", "encoding_base"} & controls
    cells = tables(charts(page)[0])
    assert any(len(each) == 160 * 16 for each in cells.values())
    kept = {"d_model": 64, "base": 100.0, "length": 300}
    assert sizes(put(page, encoding_values="formula")) == kept


def plots(page):
    """The figures of Plotly, as JSON."""
    return [json.loads(element.proto.spec) for element in page.get("plotly_chart")]


def with_table(view, values):
    """The view of a model that adds these values, whatever they are."""
    model = deepcopy(view.translator.model)
    model.positions.table = torch.tensor(values)
    return Run(None, reader_of(model), view.translation)


def test_the_buttons_take_the_sizes_of_the_model_and_the_length_of_the_sentence(open_view, view):
    page = press(open_view(d_model="64", base="100", length="40"), "encoding_reset")
    assert sizes(page) == OWN
    page, n_tokens = press(open_view(part="curves"), "encoding_fit"), len(view.src)
    assert sizes(page)["length"] == n_tokens
    assert len(tables(charts(page)[0])["pointed"]) == n_tokens


# The model's own numbers


def test_the_table_is_the_models_own_and_adds_up_with_embeddings_to_what_it_reads(tiny_translator):
    own = position_table(tiny_translator)
    np.testing.assert_array_equal(own.values, tiny_translator.model.positions.table.numpy())
    assert (own.base, own.embedding_scale) == (10_000.0, 4.0)
    src = tiny_translator.tokenize(SENTENCES[0])
    added = embeddings(tiny_translator, src) + own.values[: len(src)]
    with torch.inference_mode():
        read = tiny_translator.model.embed(torch.tensor([src.ids]))[0].numpy()
    np.testing.assert_allclose(added, read, rtol=1e-6)
    with pytest.raises(ValueError, match="read-only"):
        own.values[0, 0] = 1


# The controls


def test_a_smaller_d_model_keeps_the_dimensions_it_has_and_without_any_a_few_are_shown(open_view):
    page = put(open_view(part="curves", dims=["1", "12"]), encoding_d_model=4)
    assert page.multiselect("encoding_dims").value == [1]
    assert english("encoding_dims-none") in markdown(put(page, encoding_dims=[]))
    assert len(specs(page)) == 1


# The formula


def test_the_formula_with_its_numbers_by_hand():
    # Dimension 3 of 8 is the cosine of pair 1: 100^(2/8) = 3.16228.
    text = worked_out(5, 3, 8, 100.0)
    assert r"\cos(5 \,/\, 100^{\,2/8})" in text
    assert r"\cos(5 \,/\, 3.16228)" in text
    assert f"{5 / math.sqrt(10):.6g}" in text
    assert f"{math.cos(5 / math.sqrt(10)):.6f}" in text


@pytest.mark.parametrize(("position", "dimension", "held"), [(4, 0, 0), (0, 6, 0), (3, 5, 1)])
def test_a_value_the_table_does_not_hold_is_said_so(position, dimension, held):
    own = PositionTable(np.zeros((4, 6), np.float32), 100.0, 2.0)
    told = english("positions-in-table", value=0, away=0.25)
    found = table_words(own, position, dimension, 0.25)
    assert found == (told if held else english("positions-in-table-not"))


def test_tokens_with_markup_are_shown_as_they_are(open_view, view):
    src = view.src
    tokens = ("▁**x**", "▁<b>", *src.tokens[2:])
    translation = SimpleNamespace(src=dataclasses.replace(src, tokens=tokens))
    page = open_view(Run(None, view.translator, translation), pos="0")
    assert r"Position 0 is “\*\*x\*\*”" in markdown(page)


# What the model adds


def test_a_table_that_is_not_the_formula_shows(open_view, view):
    rounding = re.search(r"by at most \*\*(\S+)\*\*, which is float32", markdown(open_view()))
    assert 1e-9 < float(rounding[1]) < 6e-8
    values = position_table(view.translator).values.copy()
    values[3, 4] += 0.5
    page = open_view(with_table(view, values))
    assert "from the formula by at most **5.0e-01**." in markdown(page)
    page = open_view(with_table(view, values), values="model", part="rotation", length="20")
    error = rotation_error(values[:20], 3)
    assert error > 0.4
    assert f"**{error:.1e}**" in markdown(page)


# In space


@pytest.mark.parametrize("part", PARTS)
def test_small_sizes_are_drawn_and_one_position_may_end_in_a_sentence(open_view, part):
    page = open_view(part=part, length="1")
    told = "positions-helix-none" if part == "helix" else "positions-one-position"
    assert (english(told) in markdown(page)) == (part in OF_TWO or part == "helix")
    assert bool(specs(page) or plots(page)) == (part in ("curves", "heatmap", "wavelengths"))
    for small in ({"length": "2"}, {"d_model": "2"}):
        page = open_view(part=part, **small)
        assert specs(page) or plots(page)


@pytest.mark.parametrize("part", ["surface", "helix"])
def test_a_learned_table_is_drawn_in_space_and_one_that_does_not_vary_is_a_sentence(
    open_view, view, part
):
    values = np.random.default_rng(0).normal(0, 0.02, (12, 16)).astype(np.float32)
    page = open_view(with_table(view, values), part=part, values="model")
    assert len(plots(page)) == 1
    if part == "helix":
        share = principal(values).shares.sum()
        assert english("positions-helix", share=share, n=12) in markdown(page)
        page = open_view(with_table(view, 0 * values + 1), part=part, values="model")
        assert english("positions-helix-none") in markdown(page)


def test_the_table_of_components_has_a_line_for_each_position():
    found = principal(encoding_table(4, 8))
    table = component_table(found, ("▁a", "</s>"))
    assert table["position"].tolist() == [0, 1, 2, 3]
    assert table["token"].tolist() == ["▁a", "</s>", "", ""]
    np.testing.assert_array_equal(table[["pc1", "pc2", "pc3"]], found.coordinates)
    assert component_table(found, tuple("abcdef"))["token"].tolist() == list("abcd")


def test_the_matrix_by_hand():
    text = matrix_latex(rotation(0, 0, 1, 8))
    assert r"\begin{pmatrix} 0.5403 & 0.8415 \\ -0.8415 & 0.5403 \end{pmatrix}" in text
    assert r"\begin{pmatrix} 0.0000 \\ 1.0000 \end{pmatrix}" in text


def test_rounding_is_named_only_where_it_explains_the_difference():
    assert adds_message(3e-8) == "positions-adds-rounded"
    assert adds_message(1e-6) == "positions-adds"
