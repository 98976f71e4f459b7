"""Queries and keys as points: places, names, edges and hover."""

import re
from dataclasses import replace

import numpy as np
import pytest

from core.attention import CROSS, DECODER, ENCODER, AttentionMap
from core.query_key import query_key_space
from viz.query_key import space_plot
from words import english


def made(site=ENCODER, tokens=("▁the", "▁dog", "▁the", "</s>"), k=2, weights=None, **more):
    """A map of one head of random vectors, and its space."""
    n, rng = len(tokens), np.random.default_rng(0)
    queries, keys = rng.normal(size=(2, n, 5))
    mask = np.tri(n, dtype=bool) if site.causal else None
    terms = np.exp(queries @ keys.T)
    weights = terms / terms.sum(axis=1, keepdims=True) if weights is None else np.array(weights)
    weights = weights[None, None].astype(np.float32)
    attention = AttentionMap(site, weights, tokens, tokens, mask=mask, **more)
    return query_key_space(queries, keys, k, mask), attention


def points(plot, id):
    return next(each for each in plot.data if each.name == english(id))


def lines(plot):
    return [each for each in plot.data if each.mode == "lines"]


def at(trace):
    return np.stack([trace.x, trace.y, *([trace.z] if "z" in trace else [])], axis=1)


@pytest.mark.parametrize("k", [2, 3])
def test_points_stand_where_they_are_projected_and_lines_lead_to_keys_of_five_percent(k):
    space, attention = made(k=k, weights=[[0.02, 0.9, 0.05, 0.03]] * 4)
    plot = space_plot(space, attention, 0, 0, row=3, column=2)
    np.testing.assert_array_equal(at(points(plot, "figures-query")), space.queries)
    np.testing.assert_array_equal(at(points(plot, "figures-key")), space.keys)
    rings = [each for each in plot.data if (each.marker.symbol or "").endswith("-open")]
    np.testing.assert_array_equal(at(rings[0]), space.queries[[3]])
    np.testing.assert_array_equal(at(rings[1]), space.keys[[2]])
    assert {each.type for each in plot.data} == {"scatter" if k == 2 else "scatter3d"}
    first, second = lines(plot)
    np.testing.assert_array_equal(at(first), [space.queries[3], space.keys[1]])
    np.testing.assert_array_equal(at(second), [space.queries[3], space.keys[2]])
    assert first.line.width > second.line.width
    assert (first.showlegend, second.showlegend) == (True, False)
    assert first.name == english("figures-space-edge", least="5%")


def test_what_is_masked_or_no_number_is_no_line_and_is_not_told():
    tokens, weights = ("▁A", "▁B", "▁C", "▁D"), np.full((4, 4), 0.25)
    weights[3, 1] = np.nan
    plot = space_plot(*made(DECODER, tokens, weights=weights), 0, 0, row=1)
    assert len(lines(plot)) == 2
    told = [re.findall(r"→ (\w)", each[1]) for each in points(plot, "figures-query").customdata]
    assert told == [["A"], ["A", "B"], ["A", "B", "C"], ["A", "C", "D"]]
    last = points(plot, "figures-key").customdata[2:]
    assert [re.findall(r"← (\w)", each[1]) for each in last] == [["C", "D"], ["D"]]


def test_queries_can_be_named_by_what_they_produce():
    of = made(CROSS, ("<s>", "▁der"), output_tokens=("▁der", "▁Hund"))
    plots = (space_plot(*of, 0, 0, row=0, produced=which) for which in (False, True))
    read, produced = (points(plot, "figures-query").text for plot in plots)
    assert (read, produced) == (("&lt;s&gt;", "der"), ("der", "Hund"))


def test_of_very_many_points_only_what_is_chosen_or_joined_is_named():
    n = 160
    weights = np.full((n, n), 0.2 / (n - 2))
    weights[:, [3, 7]] = 0.4
    tokens = tuple(f"▁w{i}" for i in range(n))
    plot = space_plot(*made(tokens=tokens, weights=weights), 0, 0, row=5, column=9)
    named = {text for id in ("query", "key") for text in points(plot, f"figures-{id}").text}
    assert named == {"", "w5", "w3", "w7", "w9"}


def test_distances_can_be_compared_and_a_zoom_outlives_another_row_but_no_other_head():
    (space, attention), deep = made(), made(k=3)
    two = replace(attention, weights=np.concatenate([attention.weights, attention.weights]))
    which = ((0, 0), (0, 1), (1, 1))
    first, second, other = (space_plot(space, two, at, 0, row=row).layout for at, row in which)
    assert first.uirevision == second.uirevision != other.uirevision
    assert (first.yaxis.scaleanchor, first.yaxis.scaleratio) == ("x", 1)
    scene, share = space_plot(*deep, 0, 0, row=0).layout.scene, f"{100 * deep[0].shares[2]:.0f}%"
    assert scene.aspectmode == "data"
    assert scene.zaxis.title.text == english("figures-space-axis", n="3", share=share)
