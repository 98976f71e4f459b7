"""Drawings of the arithmetic of one row: the numbers in their tables, and how wide they are."""

import re

import numpy as np
import pytest

from core.arithmetic import Strip, scaling_effect, stage_strips
from core.attention import ENCODER, TRANSFORMER_SITES
from support.figures.arithmetic import shares_of, stages_of
from viz.arithmetic import (
    ROOM_BESIDE,
    contribution_matrix,
    most_rows,
    output_figure,
    scaling_curves,
    strips_figure,
    vector_bars,
)
from viz.export import figure_svg
from viz.figure import tables_of
from viz.look import Look

TOKENS = tuple(f"▁w{i}" for i in range(6))


def cells_of(strips, tokens=TOKENS):
    return tables_of(strips_figure(strips, tokens, kind=ENCODER))["cells"]


@pytest.mark.parametrize("dark", [False, True])
def test_numbers_are_dark_on_pale_cells_and_pale_on_dark_ones(dark):
    strip = Strip("weight", np.array([0.0, 1.0]), "share")
    inks = Look(dark=dark)(cells_of, [strip], ("▁a", "▁b"))["ink"].tolist()
    assert inks == (["#ffffff", "#000000"] if dark else ["#000000", "#ffffff"])


@pytest.mark.parametrize(("heads", "n_parts"), [(3, 3), (1, 2)])
def test_the_parts_drawn_add_up_to_the_output_and_this_head_is_marked(heads, n_parts):
    found = stages_of(TOKENS, heads=heads)
    parts = tables_of(output_figure(found))["parts"].pivot(index="part", columns="j")["value"]
    assert len(parts) == n_parts + 1
    np.testing.assert_allclose(parts[:-1].sum(), parts.iloc[-1])
    np.testing.assert_allclose(parts.iloc[-1], found.output)
    blocks = tables_of(output_figure(found))["blocks"]
    assert blocks[blocks["chosen"]]["start"].tolist() == [(heads - 1) * 4]


@pytest.mark.parametrize("site", ["encoder", "decoder"])
def test_the_arithmetic_of_a_sentence_fits_beside_all_heads(site):
    """A page of 1280 pixels leaves 565 to it; the tokens are those of the first sentence."""
    words = "The animal didn ' t cross the street because it was too tired . </s>"
    tokens = tuple(f"▁{word}" for word in words.split())
    found = stages_of(tokens, TRANSFORMER_SITES[site], heads=8, d_k=32, row=9)
    rows, shares = stage_strips(found), shares_of(found, most_rows(32))
    figures = {
        "strips": strips_figure(rows, tokens, kind=site, chosen=1, room=ROOM_BESIDE),
        "values": contribution_matrix(shares, found, tokens, chosen=1),
        "output": output_figure(found),
        "vectors": vector_bars(found, 1),
        "curves": scaling_curves(scaling_effect(15), found),
    }
    svgs = {name: figure_svg(figure) for name, figure in figures.items()}
    widths = {name: float(re.search(r' width="([\d.]+)"', svg)[1]) for name, svg in svgs.items()}
    assert {name: width for name, width in widths.items() if width > 565} == {}
