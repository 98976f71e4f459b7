"""Order and position drawn: tested on tables and specifications."""

import json

import altair as alt
import numpy as np
import pandas as pd
import pytest

from records import (
    CROSS,
    TRANSFORMER_SITES,
    AttentionMap,
    AttentionRecord,
    Equivariance,
    PositionHeads,
    TokenSequence,
)
from viz.export import figure_svg
from viz.labels import text_width
from viz.look import Look
from viz.maps import NamedMap, map_cells, map_row
from viz.order import (
    equivariance_plot,
    equivariance_table,
    layer_panels,
    layer_table,
    vector_strips,
)
from viz.position_heads import (
    SELECTION_NAME,
    head_scatter,
    offset_lines,
    position_head_table,
)

TOKENS = ("▁the", "▁cat", "▁the", "</s>")
KINDS = ("encoder", "decoder", "cross")
VALUES = np.arange(8.0).reshape(2, 4)
FIGURES = {
    "layers": lambda: layer_panels({"a": VALUES, "b": VALUES}, TOKENS),
    "strips": lambda: vector_strips({"a": VALUES[0], "b": VALUES[1]}),
    "exact": lambda: equivariance_plot(cases()),
    "maps": lambda: map_row([named()], "encoder"),
    "scatter": lambda: head_scatter(position_head_table(found()), KINDS),
    "offsets": lambda: offset_lines(lines(), longest=160, chosen={}),
}


def named(title="one", mask=None):
    weights = np.full((4, 4), 0.25, np.float32)
    return NamedMap(title, weights, TOKENS, TOKENS, mask)


def cases():
    orders = ((0, 1), (1, 0))
    return (
        Equivariance(False, 32, orders, np.array([0.0, 2e-7]), 3.0),
        Equivariance(True, 64, orders, np.array([0.5, 2.0]), 3.0),
    )


def lines():
    return pd.DataFrame({"side": ["source", "target"], "offset": [0, 50], "log_prob": [-1.0, -4.0]})


def sequence(n):
    return TokenSequence("", (3,) * n, ("▁a",) * n, ((0, 0),) * n)


def record():
    maps = []
    for kind, n_layers in (("encoder", 1), ("decoder", 1), ("cross", 1)):
        weights = np.full((n_layers, 2, 2, 2), 0.5, np.float32)
        maps.append(AttentionMap(TRANSFORMER_SITES[kind], weights, ("a", "b"), ("a", "b")))
    return AttentionRecord(sequence(2), sequence(2), tuple(maps))


def found(**changes):
    values = {
        "plain": record(),
        "others": ((sequence(2), sequence(2)),) * 2,
        "shown": (record(),),
        "absent": record(),
        "other_words": {
            "encoder": np.array([[[0.2, 0.9]], [[0.4, 0.7]]]),
            "decoder": np.full((2, 1, 2), np.nan),
            "cross": np.array([[[0.5, 0.1]], [[0.5, 0.1]]]),
        },
        "without_positions": {
            "encoder": np.array([[0.6, 0.1]]),
            "decoder": np.full((1, 2), np.nan),
            "cross": np.array([[0.3, 0.4]]),
        },
        "sharpness": {kind: np.array([[0.5, 0.8]]) for kind in ("encoder", "decoder", "cross")},
        "chance": {"encoder": 0.3, "decoder": float("nan"), "cross": 0.2},
        "seconds": 0.1,
    }
    return PositionHeads(**(values | changes))


def views(figure):
    """Every unit of the specification, layers and concatenations opened."""
    pending = [figure.chart]
    while pending:
        view = pending.pop()
        yield view
        for name in ("layer", "hconcat", "vconcat", "concat"):
            pending += view.get(name, [])


def colour_of(figure, field):
    encodings = (view.get("encoding", {}).get("color", {}) for view in views(figure))
    return next(c for c in encodings if c.get("field") == field)


# All of them


@pytest.mark.parametrize("name", FIGURES)
def test_every_chart_fits_the_schema_of_vega_lite(name):
    alt.Chart.from_dict(FIGURES[name]().chart)


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_can_be_written_as_json(name):
    figure = FIGURES[name]()
    assert json.loads(json.dumps(figure.to_dict()))["datasets"].keys() == figure.tables.keys()


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_can_be_saved(name):
    saved = Look(dark=True)(lambda: figure_svg(FIGURES[name]()))
    assert saved.startswith("<svg")
    assert "mark-" in saved


@pytest.mark.parametrize("name", FIGURES)
def test_dark_pages_get_other_colours(name):
    assert FIGURES[name]().chart != Look(dark=True)(FIGURES[name]).chart


@pytest.mark.parametrize("name", FIGURES)
def test_every_table_a_figure_names_is_there(name):
    figure = FIGURES[name]()
    wanted = {view["data"]["name"] for view in views(figure) if "data" in view}
    assert wanted == figure.tables.keys()


@pytest.mark.parametrize("name", ["layers", "strips", "maps"])
def test_every_matrix_has_a_colour_bar(name):
    figure = FIGURES[name]()
    legends = [
        view["encoding"]["color"].get("legend")
        for view in views(figure)
        if isinstance(view.get("mark"), dict) and view["mark"].get("type") == "rect"
    ]
    assert legends
    assert all(legends)


# Layers and strips


def test_layer_table_holds_each_value_in_its_place():
    table = layer_table({"a": VALUES, "b": -VALUES}, TOKENS, "distance")
    line = table[(table["panel"] == 1) & (table["layer"] == 1) & (table["t"] == 2)]
    assert line["value"].item() == -6.0
    assert line["token"].item() == "3 · the"


def test_repeated_words_keep_their_own_rows():
    rows = layer_panels({"a": VALUES}, TOKENS).tables["rows"]
    assert rows["label"].tolist() == ["the₁", "cat", "the₂", "</s>"]


def test_a_small_distance_is_not_called_nothing():
    table = layer_table({"a": np.array([[0.0, 2.3e-6, 0.5]])}, ("a", "b", "c"), "distance")
    assert table["text"].tolist() == ["0.00", "2e-6", "0.50"]


def test_both_panels_share_one_scale():
    figure = layer_panels({"a": VALUES * 0, "b": VALUES}, TOKENS)
    assert colour_of(figure, "value")["scale"]["domain"] == [0.0, 7.0]
    assert figure.chart["resolve"] == {"scale": {"color": "shared"}}


def test_a_cosine_of_one_has_the_palest_colour():
    near = colour_of(layer_panels({"a": VALUES}, TOKENS, measure="cosine"), "value")
    far = colour_of(layer_panels({"a": VALUES}, TOKENS, measure="distance"), "value")
    assert near["scale"]["range"] == far["scale"]["range"][::-1]


def test_another_drawing_of_the_same_shape_keeps_its_own_scale():
    first = layer_panels({"a": VALUES}, TOKENS)
    layer_panels({"a": VALUES * 2}, TOKENS)
    assert colour_of(first, "value")["scale"]["domain"] == [0.0, 7.0]


@pytest.mark.parametrize("panels", [{}, {"a": VALUES, "b": VALUES[:1]}, {"a": VALUES[:, :3]}])
def test_panels_that_do_not_fit_are_refused(panels):
    with pytest.raises(ValueError, match="expected panels"):
        layer_panels(panels, TOKENS)


def test_strips_are_centred_on_zero():
    figure = vector_strips({"a": np.array([1.0, -3.0]), "b": np.array([0.5, 2.0])})
    assert colour_of(figure, "value")["scale"]["domain"] == [-3.0, 3.0]


def test_names_of_strips_are_never_cut():
    name = "without positions, second order"
    figure = vector_strips({name: np.ones(2)})
    limits = [v["mark"]["limit"] for v in views(figure) if v.get("mark", {}).get("type") == "text"]
    assert limits
    assert min(limits) > 1.2 * text_width(name, 12.0)


def test_strips_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match="one length"):
        vector_strips({"a": np.ones(2), "b": np.ones(3)})


# Equivariance


def test_one_rounding_step_is_that_of_the_largest_number():
    table = equivariance_table(cases())
    # Numbers from 2 to 4 are 2^(1 - 23) apart in float32, 2^(1 - 52) in float64.
    assert table["rounding"].unique().tolist() == [2.0**-22, 2.0**-51]


def test_an_exact_zero_can_stand_on_a_logarithmic_axis():
    lines = equivariance_plot(cases()).tables["lines"]
    assert lines["difference"].min() == 0.0
    assert lines["shown"].min() > 0.0


def test_the_axis_holds_every_dot():
    figure = equivariance_plot(cases())
    x = next(
        view["encoding"]["x"]
        for view in views(figure)
        if view.get("encoding", {}).get("x", {}).get("field") == "shown"
    )
    low, high = x["scale"]["domain"]
    lines = figure.tables["lines"]
    assert low <= lines[["shown", "rounding"]].min().min()
    assert lines["shown"].max() <= high


# Maps


def test_map_cells_are_the_weights():
    weights = np.array([[0.25, 0.75], [1.0, 0.0]], np.float32)
    cells = map_cells([named(), NamedMap("two", weights, ("▁a", "▁b"), ("▁c", "▁d"))])
    line = cells[(cells["map"] == "two") & (cells["q"] == 0) & (cells["k"] == 1)]
    assert line["weight"].item() == 0.75
    assert (line["query"].item(), line["key"].item()) == ("1 · a", "2 · d")


def test_masked_cells_are_absent():
    cells = map_cells([named(mask=np.tri(4, dtype=bool))])
    assert len(cells) == 10
    assert (cells["k"] <= cells["q"]).all()


def test_rows_may_be_named_by_what_they_produce():
    attention = AttentionMap(
        CROSS, np.full((1, 1, 2, 2), 0.5, np.float32), ("<s>", "▁a"), ("▁x", "</s>"), ("▁a", "b")
    )
    assert NamedMap.of("t", attention, 0, 0, produced=True).row_tokens == ("▁a", "b")
    assert NamedMap.of("t", attention, 0, 0).row_tokens == ("<s>", "▁a")


def test_no_maps_are_refused():
    with pytest.raises(ValueError, match="no maps"):
        map_row([], "encoder")


# Heads


def test_heads_are_ranked_by_what_survives_other_words():
    table = position_head_table(found())
    assert table["words"].tolist() == pytest.approx([0.8, 0.5, 0.3, 0.1])
    first = table.iloc[0]
    assert (first["kind"], first["layer"], first["head"]) == ("encoder", 1, 2)


def test_spread_is_over_the_other_sentences():
    table = position_head_table(found())
    assert table.iloc[0]["spread"] == pytest.approx(0.1)


def test_heads_without_a_choice_are_left_out():
    assert set(position_head_table(found())["kind"]) == {"encoder", "cross"}


def test_the_open_head_is_marked_and_drawn_last():
    figure = head_scatter(position_head_table(found()), KINDS, selected=("cross", 0, 1))
    last = figure.tables["dots"].iloc[-1]
    assert (last["kind"], last["layer"], last["head"], last["selected"]) == ("cross", 0, 1, True)
    assert figure.tables["dots"]["selected"].sum() == 1


def test_a_click_reports_the_head():
    figure = head_scatter(position_head_table(found()), KINDS, click=3)
    picked = next(p for p in figure.chart["params"] if p["name"] == SELECTION_NAME)
    assert figure.selection == SELECTION_NAME
    assert set(picked["select"]["fields"]) <= set(figure.tables["dots"].columns)
    assert set(figure.tables["dots"]["click"]) == {3}


def test_every_kind_has_its_own_yardstick():
    levels = head_scatter(position_head_table(found()), KINDS).tables["levels"]
    assert dict(zip(levels["kind"], levels["chance"], strict=True)) == {
        "encoder": 0.3, "cross": 0.2,
    }  # fmt: skip


def test_a_model_of_single_heads_has_no_yardstick():
    nothing = dict.fromkeys(("encoder", "decoder", "cross"), float("nan"))
    assert head_scatter(position_head_table(found(chance=nothing)), KINDS).tables["levels"].empty


def test_no_heads_are_refused():
    with pytest.raises(ValueError, match="no heads"):
        head_scatter(position_head_table(found()).iloc[:0], KINDS)


# Offsets


def test_only_the_chosen_offset_is_marked():
    drawn = offset_lines(lines(), longest=160, chosen={"target": 50}).tables["lines"]
    assert drawn.loc[drawn["chosen"], "side"].tolist() == ["target"]


def test_the_end_of_the_model_is_drawn():
    assert offset_lines(lines(), longest=77, chosen={}).tables["limit"]["offset"].item() == 77
