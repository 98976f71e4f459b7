"""Drawings of masks and of what a softmax makes of its scores with and without them."""

from __future__ import annotations

import json
import math

import altair as alt
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.special import softmax

from analysis.masking import head_stages, mean_share, share_outside
from viz.export import figure_svg
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

CAUSAL = np.tril(np.ones((3, 3), bool))
SCORES = np.array([[0.0, math.log(3), 0.0], [1.0, 1.0, 1.0], [0.0, 0.0, math.log(2)]])
TOKENS = ("<s>", "▁das", "▁das")


@pytest.fixture
def stages():
    return head_stages(SCORES, CAUSAL)


def long_stages(n: int = 60):
    scores = np.random.default_rng(0).normal(size=(n, n))
    return head_stages(scores, np.tril(np.ones((n, n), bool))), tuple(f"▁w{i}" for i in range(n))


def of_panel(figure, number: int):
    cells = figure.tables["cells"]
    return cells[cells["panel"] == number]


# -- numbers -------------------------------------------------------------------------------


def test_moved_share_by_hand(stages):
    # exp: row 0 has 1, 3, 1 and may see the first; row 1 has e, e, e and may see two.
    np.testing.assert_allclose(stages.moved, [4 / 5, 1 / 3, 0.0])


def test_mean_moved_leaves_out_rows_without_masked_keys(stages):
    assert stages.mean_moved == pytest.approx((4 / 5 + 1 / 3) / 2)


def test_weights_by_hand(stages):
    np.testing.assert_allclose(stages.weights, [[1, 0, 0], [0.5, 0.5, 0], [0.25, 0.25, 0.5]])


def test_terms_are_one_at_the_largest_allowed_score(stages):
    np.testing.assert_allclose(stages.terms[0], [1, 0, 0])
    np.testing.assert_allclose(stages.free_terms[0], [1 / 3, 1, 1 / 3])


def test_the_mask_adds_nothing_or_minus_infinity(stages):
    assert stages.added[0].tolist() == [0.0, -math.inf, -math.inf]


@given(hnp.arrays(float, (4, 4), elements=st.floats(-20, 20)))
@settings(max_examples=30, deadline=None)
def test_stages_equal_scipys_softmax(scores):
    mask = np.tril(np.ones((4, 4), bool))
    stages = head_stages(scores, mask)
    masked = softmax(np.where(mask, scores, -np.inf), axis=1)
    np.testing.assert_allclose(stages.weights, masked, atol=1e-12)
    np.testing.assert_allclose(stages.free_weights, softmax(scores, axis=1), atol=1e-12)


@given(hnp.arrays(float, (4, 4), elements=st.floats(-20, 20)))
@settings(max_examples=30, deadline=None)
def test_what_the_mask_moves_is_what_allowed_keys_gain(scores):
    stages = head_stages(scores, np.tril(np.ones((4, 4), bool)))
    gained = np.where(stages.mask, stages.weights - stages.free_weights, 0).sum(axis=1)
    np.testing.assert_allclose(stages.moved, gained, atol=1e-9)


def test_weights_equal_those_the_model_used(tiny_translator):
    attention = tiny_translator.translate("A dog runs through the snow.").attention.decoder
    for layer in range(attention.n_layers):
        for head in range(attention.n_heads):
            stages = head_stages(attention.scores[layer, head], attention.mask)
            np.testing.assert_allclose(stages.weights, attention.head(layer, head), atol=1e-6)


def test_no_mask_moves_nothing():
    stages = head_stages(SCORES)
    assert stages.mask.all()
    assert stages.mean_moved == 0.0
    np.testing.assert_array_equal(stages.weights, stages.free_weights)


def test_a_row_without_keys_is_refused():
    with pytest.raises(ValueError, match="without any key"):
        head_stages(SCORES, np.zeros((3, 3), bool))


def test_a_mask_of_another_shape_is_refused():
    with pytest.raises(ValueError, match=r"\(2, 3\)"):
        head_stages(SCORES, np.ones((2, 3), bool))


def test_share_outside_of_every_head():
    weights = np.array([[[0.2, 0.5, 0.3], [0.1, 0.2, 0.7], [0.0, 0.0, 1.0]]] * 2)
    np.testing.assert_allclose(share_outside(weights, CAUSAL), [[0.8, 0.7, 0.0]] * 2)
    np.testing.assert_allclose(mean_share(weights, CAUSAL), [0.75, 0.75])


def test_a_single_position_has_no_share():
    assert mean_share(np.ones((1, 1)), np.ones((1, 1), bool)) == 0.0


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
    assert {"may look", "may not look"} <= set(figure.tables["texts"]["text"])
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
    svg = figure_svg(stages_figure(stages, tokens, tokens, dark=dark), dark=dark)
    assert "With the mask" in svg
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
    for words in ("weight on later positions", "query (row)", "key (column)"):
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
    assert "may not look" in svg


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
