"""Queries and keys as points: places, names, edges and hover, in both looks and languages."""

import html
import re
from dataclasses import replace

import numpy as np
import pytest
from conftest import SENTENCES

from analysis.query_key import query_key_space
from records import CROSS, DECODER, ENCODER, AttentionMap
from viz.labels import distinct_labels
from viz.look import Look
from viz.query_key import MOST_NAMED, edges, space_plot, space_table
from words import Words, english

LINE = english("figures-space-edge", least="5%")


def made(site=ENCODER, tokens=("▁the", "▁dog", "▁the", "</s>"), k=2, weights=None, seed=0, **more):
    """A map of one head of random vectors, and its space."""
    n, rng = len(tokens), np.random.default_rng(seed)
    queries, keys = rng.normal(size=(2, n, 5))
    mask = np.tri(n, dtype=bool) if site.causal else None
    scores = queries @ keys.T if mask is None else np.where(mask, queries @ keys.T, -np.inf)
    terms = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = terms / terms.sum(axis=1, keepdims=True) if weights is None else np.array(weights)
    attention = AttentionMap(
        site, weights[None, None].astype(np.float32), tokens, tokens, mask=mask, **more
    )
    return query_key_space(queries, keys, k, mask), attention


def points(plot, id):
    return next(each for each in plot.data if each.name == english(id))


def lines(plot):
    return [each for each in plot.data if each.mode == "lines"]


def at(trace):
    return np.stack([trace.x, trace.y, *([trace.z] if "z" in trace else [])], axis=1)


@pytest.mark.parametrize("k", [2, 3])
def test_every_query_and_key_stands_where_the_projection_puts_it(k):
    space, attention = made(k=k)
    plot = space_plot(space, attention, 0, 0, row=1, column=2)
    np.testing.assert_array_equal(at(points(plot, "figures-query")), space.queries)
    np.testing.assert_array_equal(at(points(plot, "figures-key")), space.keys)
    rings = [each for each in plot.data if (each.marker.symbol or "").endswith("-open")]
    np.testing.assert_array_equal(at(rings[0]), space.queries[[1]])
    np.testing.assert_array_equal(at(rings[1]), space.keys[[2]])
    assert {each.type for each in plot.data} == {"scatter" if k == 2 else "scatter3d"}


def test_queries_and_keys_differ_in_colour_and_in_form():
    plot = space_plot(*made(), 0, 0, row=0)
    query, key = points(plot, "figures-query").marker, points(plot, "figures-key").marker
    assert query.color != key.color
    assert query.symbol != key.symbol


@pytest.mark.parametrize("k", [2, 3])
def test_lines_lead_to_the_keys_of_at_least_five_percent_and_grow_with_the_weight(k):
    weights = [[0.02, 0.9, 0.05, 0.03]] * 4
    space, attention = made(k=k, weights=weights)
    drawn = lines(space_plot(space, attention, 0, 0, row=3))
    assert edges(attention, 0, 0, 3) == (1, 2)
    for line, key in zip(drawn, (1, 2), strict=True):
        np.testing.assert_array_equal(at(line), np.stack((space.queries[3], space.keys[key])))
    first, second = (line.line.width for line in drawn)
    assert first / second > 2 or second == 1
    assert first > second
    assert [line.showlegend for line in drawn] == [True, False]
    assert drawn[0].name == LINE


def test_no_weight_of_five_percent_no_line():
    weights = np.full((30, 30), 1 / 30)
    plot = space_plot(*made(tokens=("▁a",) * 30, weights=weights), 0, 0, row=0)
    assert lines(plot) == []


def test_masked_cells_are_no_lines_and_are_not_told():
    # Even where a number stands in them.
    weights = np.full((4, 4), 0.25)
    tokens = ("▁A", "▁B", "▁C", "▁D")
    space, attention = made(DECODER, tokens, weights=weights)
    assert edges(attention, 0, 0, 1) == (0, 1)
    plot = space_plot(space, attention, 0, 0, row=1)
    assert len(lines(plot)) == 2
    first, second, *_ = points(plot, "figures-query").hovertext
    assert re.findall(r"→ (\w)", first) == ["A"]
    assert re.findall(r"→ (\w)", second) == ["A", "B"]
    *_, third, last = points(plot, "figures-key").hovertext
    assert re.findall(r"← (\w)", third) == ["C", "D"]
    assert re.findall(r"← (\w)", last) == ["D"]


def test_a_cell_masked_in_this_head_alone_is_no_line():
    _, attention = made(weights=np.full((4, 4), 0.25))
    masks = np.ones((1, 1, 4, 4), bool)
    masks[0, 0, 2, 1] = False
    attention = replace(attention, head_masks=masks)
    assert edges(attention, 0, 0, 2) == (0, 2, 3)


def test_hover_tells_token_position_and_largest_weights():
    space, attention = made()
    plot = space_plot(space, attention, 0, 0, row=0)
    labels, weights = distinct_labels(attention.key_tokens), attention.head(0, 0)
    order = np.argsort(-weights[2])
    told = points(plot, "figures-query").hovertext[2].split("<br>")
    assert told[0] == f"<b>{english('ribbons-query', place='3', token=labels[2])}</b>"
    assert [html.unescape(line) for line in told[2:]] == [
        f"→ {labels[i]}  {weights[2, i]:.3f}" for i in order
    ]
    received = points(plot, "figures-key").hovertext[1].split("<br>")
    order = np.argsort(-weights[:, 1])
    assert [html.unescape(line) for line in received[2:]] == [
        f"← {labels[i]}  {weights[i, 1]:.3f}" for i in order
    ]


def test_repeated_tokens_keep_their_own_names():
    plot = space_plot(*made(), 0, 0, row=0)
    assert list(points(plot, "figures-query").text)[:3] == ["the₁", "dog", "the₂"]


def test_queries_can_be_named_by_what_they_produce():
    tokens = ("<s>", "▁der")
    space, attention = made(CROSS, tokens, output_tokens=("▁der", "▁Hund"))
    read, produced = (
        list(points(space_plot(space, attention, 0, 0, row=0, produced=p), "figures-query").text)
        for p in (False, True)
    )
    assert (read, produced) == (["&lt;s&gt;", "der"], ["der", "Hund"])


HOSTILE = ("▁<b>", "▁&lt;", "▁<script>alert(1)</script>", "▁\u202e", "▁%{x}", "")


def test_a_token_is_read_as_typed():
    """In the plane and on hover Plotly decodes entities and reads tags, in space only tags."""
    shown = distinct_labels(HOSTILE)
    flat = points(space_plot(*made(tokens=HOSTILE), 0, 0, row=0), "figures-key")
    for text, told, label in zip(flat.text, flat.hovertext, shown, strict=True):
        assert html.unescape(text) == label
        assert not re.search(r"<(?!/?b>|br>)", told)
        assert html.unescape(told.split("</b>")[0]).endswith(label)
    deep = points(space_plot(*made(tokens=HOSTILE, k=3), 0, 0, row=0), "figures-key")
    assert [text.replace("\u200b", "") for text in deep.text] == shown
    assert not any(re.search(r"</?\w", text) for text in deep.text)
    assert flat.hovertemplate is None, "%{x} would be filled in"


def test_of_very_many_points_only_what_is_chosen_is_named():
    n = 160
    weights = np.full((n, n), 0.2 / (n - 2))
    weights[:, [3, 7]] = 0.4
    tokens = tuple(f"▁w{i}" for i in range(n))
    plot = space_plot(*made(tokens=tokens, weights=weights), 0, 0, row=5, column=9)
    assert 2 * n > MOST_NAMED
    named = {text for id in ("query", "key") for text in points(plot, f"figures-{id}").text}
    assert named == {"", "w5", "w3", "w7", "w9"}
    assert all("w" in text for text in points(plot, "figures-query").hovertext)


@pytest.mark.parametrize("k", [2, 3])
def test_one_token_is_two_points(k):
    space, attention = made(tokens=("▁a",), k=k)
    plot = space_plot(space, attention, 0, 0, row=0, column=0)
    assert len(lines(plot)) == 1
    assert np.isfinite(at(points(plot, "figures-query"))).all()


def test_a_weight_that_is_no_number_is_neither_drawn_nor_told():
    weights = np.full((4, 4), 0.25)
    weights[0, 1] = np.nan
    plot = space_plot(*made(weights=weights), 0, 0, row=0)
    assert len(lines(plot)) == 3
    assert "nan" not in " ".join(points(plot, "figures-query").hovertext)


def test_distances_can_be_compared_along_all_axes():
    flat = space_plot(*made(), 0, 0, row=0).layout
    assert (flat.yaxis.scaleanchor, flat.yaxis.scaleratio) == ("x", 1)
    assert space_plot(*made(k=3), 0, 0, row=0).layout.scene.aspectmode == "data"


def test_the_axes_tell_their_share_of_the_variance():
    space, attention = made(k=3)
    scene = space_plot(space, attention, 0, 0, row=0).layout.scene
    for n, axis in enumerate((scene.xaxis, scene.yaxis, scene.zaxis), start=1):
        share = f"{100 * space.shares[n - 1]:.0f}%"
        assert axis.title.text == english("figures-space-axis", n=str(n), share=share)


def test_a_zoom_outlives_another_row_but_no_other_head():
    space, attention = made()
    weights = np.concatenate([attention.weights, attention.weights])
    two = replace(attention, weights=weights)
    kept = [
        space_plot(space, two, layer, 0, row=row).layout.uirevision
        for layer, row in ((0, 0), (0, 1), (1, 1))
    ]
    assert kept[0] == kept[1] != kept[2]


def test_the_words_are_those_of_the_look():
    space, attention = made()
    light = space_plot(space, attention, 0, 0, row=0)
    look = Look(dark=True, words=Words("ko"))
    dark = look(space_plot, space, attention, 0, 0, row=0)
    assert {"쿼리", "키"} <= {each.name for each in dark.data}
    assert dark.layout.font.color != light.layout.font.color


def test_the_table_holds_every_point_with_the_weights_of_the_row():
    space, attention = made(k=3)
    table = space_table(space, attention, 0, 0, 2)
    assert table["side"].tolist() == ["query"] * 4 + ["key"] * 4
    assert table["position"].tolist() == [1, 2, 3, 4] * 2
    np.testing.assert_array_equal(table[["pc1", "pc2", "pc3"]][4:], space.keys)
    np.testing.assert_array_equal(table["weight"][4:], attention.head(0, 0)[2])
    assert table["weight"][:4].isna().all()


def test_a_head_of_a_model_is_drawn_with_its_own_weights(tiny_translator):
    record = tiny_translator.attend(SENTENCES[0], SENTENCES[1])
    for vectors in tiny_translator.vectors(record):
        attention = record.of(vectors.kind)
        mask = attention.mask_of(1, 2)
        space = query_key_space(vectors.queries[1, 2], vectors.keys[1, 2], 2, mask)
        weights = attention.head(1, 2)
        for row in range(len(weights)):
            drawn = lines(space_plot(space, attention, 1, 2, row=row))
            assert len(drawn) == (weights[row] >= 0.05).sum()
            ends = {tuple(at(line)[1]) for line in drawn}
            assert ends == {tuple(space.keys[k]) for k in np.flatnonzero(weights[row] >= 0.05)}
