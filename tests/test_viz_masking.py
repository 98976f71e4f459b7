"""Drawings of masks and of what a softmax makes of its scores with and without them."""

from __future__ import annotations

import json
import math

import altair as alt
import numpy as np
import pytest

from analysis.masking import head_stages
from viz.export import figure_svg
from viz.look import Look
from viz.masking import (
    MaskPanel,
    forced_figure,
    forced_table,
    masks_figure,
    masks_table,
    outside_figure,
    outside_table,
    ranking_figure,
    ranking_table,
    stages_figure,
    stages_table,
)
from viz.sheet import hatch_lines
from words import english

CAUSAL = np.tril(np.ones((3, 3), bool))
TOKENS = ("<s>", "▁das", "▁das")


@pytest.fixture
def stages():
    scores = np.array([[0.0, math.log(3), 0.0], [1.0, 1.0, 1.0], [0.0, 0.0, math.log(2)]])
    return head_stages(scores, CAUSAL)


def long_stages(n: int = 60):
    scores = np.random.default_rng(0).normal(size=(n, n))
    return head_stages(scores, np.tril(np.ones((n, n), bool))), tuple(f"▁w{i}" for i in range(n))


def of_panel(figure, number: int):
    cells = figure.tables["cells"]
    return cells[cells["panel"] == number]


# -- hatching ------------------------------------------------------------------------------


def test_hatching_crosses_every_forbidden_cell_and_no_other():
    mask = np.array([[1, 0, 1, 0], [1, 1, 0, 0], [0, 1, 1, 1]], bool)
    crossed = np.zeros(mask.shape, int)
    for x, y, x2, y2 in hatch_lines(mask):
        for step in range(int(x2 - x)):
            crossed[int(y) - 1 - step, int(x) + step] += 1
        assert x2 - x == y - y2
    np.testing.assert_array_equal(crossed, ~mask)


def test_touching_cells_share_a_line():
    assert len(hatch_lines(np.tril(np.ones((60, 60), bool)))) <= 119


def test_nothing_is_hatched_where_all_may_be_seen():
    assert hatch_lines(np.ones((3, 4), bool)).shape == (0, 4)


# -- the stages ----------------------------------------------------------------------------


def test_masked_cells_are_absent_above_and_present_below(stages):
    figure = stages_figure(stages, TOKENS, TOKENS)
    counts = figure.tables["cells"].groupby("panel").size()
    assert sorted(counts) == [6] * 4 + [9] * 3


def test_masked_scores_print_minus_infinity(stages):
    texts = stages_figure(stages, TOKENS, TOKENS).tables["texts"]
    assert (texts["text"] == "−∞").sum() == 3


def test_the_mask_is_filled_or_hatched_and_says_so(stages):
    figure = stages_figure(stages, TOKENS, TOKENS)
    said = {english(f"figures-mask-{name}") for name in ("may-look", "may-not-look")}
    assert said <= set(figure.tables["texts"]["text"])
    assert len(figure.tables["hatch"]) > 1


def test_scores_are_coloured_from_as_far_below_zero_as_above(stages):
    limits = stages_figure(stages, TOKENS, TOKENS).tables["limits"]
    pairs = [tuple(part) for _, part in limits.groupby("panel")["value"]]
    assert pairs[0] == pytest.approx((-math.log(3), math.log(3)))
    assert all(pair in ((0, 1), pairs[0]) for pair in pairs)


def test_bars_are_the_moved_shares(stages):
    bars = stages_figure(stages, TOKENS, TOKENS).tables["bars"]
    np.testing.assert_allclose(bars["value"], stages.moved, atol=1e-6)
    assert bars["x2"].sub(bars["x"]).is_monotonic_decreasing


def test_every_matrix_of_numbers_has_a_colour_bar(stages):
    chart = stages_figure(stages, TOKENS, TOKENS).chart
    bars = [
        part["encoding"]["color"]["legend"]
        for layer in chart["layer"]
        if "layer" in layer
        for part in layer["layer"][:1]
    ]
    assert sum(bar is not None for bar in bars) == 6


def test_repeated_tokens_keep_their_own_rows(stages):
    cells = of_panel(stages_figure(stages, TOKENS, TOKENS), 0)
    assert cells["query"].nunique() == 3


def test_the_chosen_row_is_framed_in_every_matrix(stages):
    frames = stages_figure(stages, TOKENS, TOKENS, row=1).tables["frames"]
    assert (~frames["axis"] & (frames["fill"] == "")).sum() == 7


def test_a_click_says_which_row_and_drawing(stages):
    figure = stages_figure(stages, TOKENS, TOKENS, click=4)
    assert figure.selection == "cell"
    for name in ("cells", "touch", "bars", "texts"):
        table = figure.tables[name]
        assert set(table["click"]) == {4}
        assert table[["q", "k", "click"]].dtypes.map(lambda kind: kind.itemsize < 8).all()


def test_the_whole_of_a_row_can_be_clicked(stages):
    touch = stages_figure(stages, TOKENS, TOKENS).tables["touch"]
    assert touch.groupby("q").size().tolist() == [7] * 3


def test_a_long_sentence_is_drawn_as_images():
    stages, tokens = long_stages()
    figure = stages_figure(stages, tokens, tokens, row=30)
    assert figure.tables["cells"].empty
    assert len(figure.tables["images"]) == 7
    assert sum(map(len, figure.tables.values())) < 2000


def test_labels_of_a_long_sentence_leave_room_but_keep_the_chosen():
    stages, tokens = long_stages()
    texts = stages_figure(stages, tokens, tokens, row=31).tables["texts"]
    rows = texts[(texts["role"] == "row") & (texts["text"] != "")]
    assert 20 < len(rows) < 80
    assert set(rows.loc[rows["chosen"], "text"]) == {"w31"}


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("n", [1, 3, 60])
def test_vega_draws_the_stages(n, dark):
    stages, tokens = long_stages(n)
    svg = Look(dark=dark)(figure_svg, Look(dark=dark)(stages_figure, stages, tokens, tokens))
    assert english("figures-mask-with") in svg
    assert svg.count("<image") == (7 if n == 60 else 0)


def test_the_table_has_every_cell(stages):
    table = stages_table(stages, TOKENS, TOKENS)
    assert len(table) == 9
    row = table[(table["q"] == 0) & (table["k"] == 1)].iloc[0]
    assert not row["may_look"]
    assert row["score"] == pytest.approx(math.log(3))
    assert (row["weight"], row["weight_without_mask"]) == pytest.approx((0, 3 / 5))


# -- weights beyond a mask -----------------------------------------------------------------

WEIGHTS = np.array([[0.2, 0.5, 0.3], [0.1, 0.2, 0.7], [0.3, 0.3, 0.4]])


def outside(**choices):
    return outside_figure(
        WEIGHTS, CAUSAL, TOKENS, TOKENS, kind="decoder",
        inside_title="weight", outside_title="weight on later positions", **choices,
    )  # fmt: skip


def test_later_cells_have_colours_of_their_own():
    figure = outside()
    inside, later = of_panel(figure, 0), of_panel(figure, 1)
    assert all(k <= q for q, k in zip(inside["q"], inside["k"], strict=True))
    assert all(k > q for q, k in zip(later["q"], later["k"], strict=True))
    assert len(inside) + len(later) == 9


def test_hatched_cells_are_absent():
    figure = outside(hatched=True)
    assert len(figure.tables["cells"]) == 6
    assert len(figure.tables["hatch"]) > 0


def test_shares_beside_the_rows():
    np.testing.assert_allclose(outside().tables["bars"]["value"], [0.8, 0.7, 0], atol=1e-6)


def test_outside_table_marks_what_the_mask_forbids():
    table = outside_table(WEIGHTS, CAUSAL, TOKENS, TOKENS)
    assert table["outside"].sum() == 3
    assert table.loc[table["outside"], "weight"].sum() == pytest.approx(1.5)


def test_vega_draws_weights_beyond_the_mask():
    svg = figure_svg(outside())
    axes = (english(f"figures-matrix-{name}") for name in ("query", "key"))
    for words in ("weight on later positions", *axes):
        assert words in svg


# -- masks, rankings, log-probabilities ----------------------------------------------------


def panels():
    wide = np.tile([True, True, False], (3, 1))
    return [MaskPanel("one", CAUSAL, TOKENS, TOKENS), MaskPanel("two", wide, TOKENS, TOKENS)]


def test_each_mask_fills_what_may_be_seen():
    figure = masks_figure(panels())
    assert len(of_panel(figure, 0)) == 6
    assert set(of_panel(figure, 1)["k"]) == {0, 1}


def test_masks_do_not_lie_on_each_other():
    figure = masks_figure(panels())
    assert of_panel(figure, 0)["x2"].max() < of_panel(figure, 1)["x"].min()


def test_masks_table_has_every_cell_of_every_mask():
    table = masks_table(panels())
    assert table.groupby("mask")["may_look"].sum().to_dict() == {"one": 6, "two": 6}
    assert len(table) == 18


def test_vega_draws_the_masks():
    svg = figure_svg(masks_figure(panels()))
    assert english("figures-mask-may-not-look") in svg


def test_heads_are_ranked_by_their_share():
    ranked = ranking_table(np.array([[0.1, 0.4], [0.3, 0.2]]))
    assert list(zip(ranked["layer"], ranked["head"], strict=True)) == [
        (1, 2),
        (2, 1),
        (2, 2),
        (1, 1),
    ]
    assert ranked["share"].tolist() == [0.4, 0.3, 0.2, 0.1]


def test_the_chosen_head_stays_in_a_long_ranking():
    shares = np.linspace(1, 0, 32).reshape(4, 8)
    texts = ranking_figure(shares, chosen=(3, 7), most=5).tables["texts"]
    rows = texts[texts["role"] == "row"]
    assert len(rows) == 6
    assert rows.loc[rows["chosen"], "text"].tolist() == ["L4 H8"]


def test_both_sums_stand_above_the_bars():
    figure = forced_figure(
        ("▁Ein", "</s>"), np.array([-1, -0.5]), np.array([-4, -2.25]), ("a", "b")
    )
    texts = set(figure.tables["texts"]["text"])
    assert {"a: sum −1.50", "b: sum −6.25"} <= texts


def test_bars_of_log_probs_are_as_long_as_they_are_low():
    figure = forced_figure(("▁Ein", "</s>"), np.array([-1, -0.5]), np.array([-4, -2]), ("a", "b"))
    frames = figure.tables["frames"]
    bars = frames[(frames["fill"] != "") & (frames["y"] > 40)]
    lengths = (bars["x2"] - bars["x"]).to_numpy()
    np.testing.assert_allclose(lengths / lengths.max(), [0.25, 1, 0.125, 0.5])


def test_a_token_of_no_probability_is_drawn():
    logs = np.array([-np.inf, -1.0])
    figure = forced_figure(("▁Ein", "</s>"), logs, np.array([-2.0, -2.0]), ("a", "b"))
    json.dumps(figure.to_dict(), allow_nan=False)
    assert "−∞" in set(figure.tables["texts"]["text"])


def test_forced_table_has_the_difference():
    table = forced_table(("▁Ein",), np.array([-1.0]), np.array([-3.0]), ("a", "b"))
    assert table["difference"].tolist() == [-2.0]


def test_log_probs_of_other_lengths_are_refused():
    with pytest.raises(ValueError, match="for 1 tokens"):
        forced_table(("▁Ein",), np.zeros(1), np.zeros(2), ("a", "b"))


def test_the_charts_fit_the_schema_of_vega_lite(stages):
    logs, (long, names) = np.array([-1.0, -0.5]), long_stages(40)
    for figure in (
        stages_figure(stages, TOKENS, TOKENS, row=1),
        stages_figure(long, names, names),
        outside(),
        masks_figure(panels()),
        ranking_figure(np.array([[0.1, 0.4]])),
        forced_figure(("▁Ein", "</s>"), logs, logs, ("a", "b")),
    ):
        alt.Chart.from_dict(figure.chart)
