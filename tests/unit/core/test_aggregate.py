"""Aggregates of heads and masked softmaxes: sums over paths, networkx, and values by hand."""

import math
from collections import Counter, defaultdict
from dataclasses import replace

import networkx
import numpy as np
import pytest

from core.attention_masks import head_stages, mean_share, share_outside
from core.records.attention import CROSS, AttentionMap
from core.weights.aggregate import can_roll, combine, flow_rows, rollout
from core.weights.padding import PaddedRun
from support.maps import random_record


def edges_below(record, kind):
    """The graph of a rollout, {node: {node below: weight}}, with its top and its bottom.

    A node is (stack, level, position).
    """
    graph = defaultdict(Counter)

    def climb(weights, stack, below, above, source):
        """Half of the mean over heads, and half of the residual."""
        for head in weights.astype(float):
            for i, j in np.ndindex(*head.shape):
                graph[stack, above, i][*source, j] += 0.5 * head[i, j] / len(weights)
        for i in range(weights.shape[1]):
            graph[stack, above, i][stack, below, i] += 0.5

    own = "encoder" if kind == "cross" else kind
    for level, weights in enumerate(record.of(own).weights):
        climb(weights, own, level, level + 1, (own, level))
    if kind != "cross":
        return graph, (kind, record.of(kind).n_layers), (kind, 0)
    memory = "encoder", record.encoder.n_layers
    both = zip(record.decoder.weights, record.cross.weights, strict=True)
    for level, (weights, across) in enumerate(both):
        climb(weights, "decoder", level, level + 0.5, ("decoder", level))
        climb(across, "decoder", level + 0.5, level + 1, memory)
    return graph, ("decoder", record.decoder.n_layers), ("encoder", 0)


def sum_over_paths(graph, node, goal):
    """The products of the weights along every path from `node` to `goal`, added up."""
    if node == goal:
        return 1.0
    return sum(w * sum_over_paths(graph, below, goal) for below, w in graph.get(node, {}).items())


@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
def test_rollout_is_the_sum_over_all_paths(kind):
    """Cross-attention shares it out between the source and the prefix."""
    record = random_record(seed=1, n_tgt=3)
    graph, top, bottom = edges_below(record, kind)
    rolled = rollout(record, kind)
    found = [(bottom, rolled.attention.weights[0, 0])]
    if kind == "cross":
        found.append((("decoder", 0), rolled.prefix))
        np.testing.assert_allclose(found[0][1].sum(-1) + rolled.prefix_share, 1.0, atol=1e-6)
    for goal, weights in found:
        for row, column in np.ndindex(weights.shape):
            expected = sum_over_paths(graph, (*top, row), (*goal, column))
            assert weights[row, column] == pytest.approx(expected, abs=1e-6)


def networkx_flow(record, kind, row, columns):
    graph, top, bottom = edges_below(record, kind)
    network = networkx.DiGraph()
    for above, below in graph.items():
        for node, weight in below.items():
            network.add_edge(above, node, capacity=weight)
    for column in columns:
        network.add_edge((*bottom, column), "sink")  # no capacity: no limit
    return networkx.maximum_flow_value(network, (*top, row), "sink")


@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
def test_flow_to_tokens_and_to_words_matches_networkx(kind):
    record = random_record(seed=6, n_src=4, n_tgt=3)
    row = 1  # so that a decoder has a future
    alone = tuple((k,) for k in range(len(record.of(kind).key_tokens)))
    for groups in (alone, ((0, 1), *alone[2:])):
        expected = [networkx_flow(record, kind, row, group) for group in groups]
        found = flow_rows(record, kind, [row], groups)[0]
        np.testing.assert_allclose(found, expected, atol=1e-5)
    ungrouped = flow_rows(record, kind, [row])
    np.testing.assert_array_equal(ungrouped, flow_rows(record, kind, [row], alone))
    # Sites are known by their sides, not by their names.
    maps = (
        replace(each, site=replace(each.site, name=f"my {each.site_id}")) for each in record.maps
    )
    renamed = replace(record, maps=tuple(maps))
    np.testing.assert_array_equal(flow_rows(renamed, f"my {kind}", [row]), ungrouped)
    found = rollout(renamed, f"my {kind}").attention.weights
    np.testing.assert_array_equal(found, rollout(record, kind).attention.weights)


@pytest.mark.parametrize(
    ("how", "layer", "expected"),
    [
        ("mean", 0, [0.75, 0.25]),
        ("max", 0, [1.0, 0.5]),
        ("spread", 0, [0.25, 0.25]),
        ("mean", None, [0.4375, 0.5625]),
        ("max", None, [1.0, 1.0]),
    ],
)
def test_heads_of_a_layer_or_of_all_combined_by_hand(how, layer, expected):
    weights = [[[[1.0, 0.0]], [[0.5, 0.5]]], [[[0.25, 0.75]], [[0.0, 1.0]]]]
    attention = AttentionMap(CROSS, np.array(weights, np.float32), ("▁q",), ("▁a", "▁b"))
    np.testing.assert_allclose(combine(attention, how, layer).weights, [[[expected]]])
    decoder = random_record().decoder
    assert combine(decoder, how, layer).mask is decoder.mask


CAUSAL = np.tri(3, dtype=bool)
SCORES = np.array([[0.0, math.log(3), 0.0], [1.0, 1.0, 1.0], [0.0, 0.0, math.log(2)]])


def test_a_causal_mask_by_hand():
    # exp: row 0 has 1, 3, 1 and may see the first; row 1 has e, e, e and may see two.
    stages = head_stages(SCORES, CAUSAL)
    np.testing.assert_allclose(stages.moved, [4 / 5, 1 / 3, 0.0])
    assert stages.mean_moved == pytest.approx((4 / 5 + 1 / 3) / 2)  # of rows with masked keys
    np.testing.assert_allclose(stages.weights, [[1, 0, 0], [0.5, 0.5, 0], [0.25, 0.25, 0.5]])
    np.testing.assert_allclose(stages.free_weights[0], [0.2, 0.6, 0.2])
    np.testing.assert_allclose(stages.terms[0], [1, 0, 0])
    np.testing.assert_allclose(stages.free_terms[0], [1 / 3, 1, 1 / 3])
    assert stages.added[0].tolist() == [0.0, -math.inf, -math.inf]
    free = head_stages(SCORES)
    assert free.mask.all()
    assert free.mean_moved == 0.0
    np.testing.assert_array_equal(free.weights, free.free_weights)


def test_weight_outside_a_mask_and_on_padding():
    weights = np.array([[[0.2, 0.5, 0.3], [0.1, 0.2, 0.7], [0.0, 0.0, 1.0]]] * 2)
    np.testing.assert_allclose(share_outside(weights, CAUSAL), [[0.8, 0.7, 0.0]] * 2)
    np.testing.assert_allclose(mean_share(weights, CAUSAL), [0.75, 0.75])
    assert mean_share(np.ones((1, 1)), np.ones((1, 1), bool)) == 0.0
    record = random_record()
    run = PaddedRun(1, 2, record, np.array([-0.5, -1.0]), None)
    np.testing.assert_allclose(run.on_padding("cross"), record.cross.weights[..., 2])
    np.testing.assert_allclose(run.on_padding("decoder"), np.ones((2, 3, 2)), rtol=1e-6)
    assert run.log_prob == -1.5


@pytest.mark.parametrize("lacking", ["encoder", "decoder"])
def test_rollout_needs_the_self_attention_of_both_sides_of_a_site(lacking):
    record = random_record()
    left = replace(record, maps=tuple(each for each in record.maps if each.site_id != lacking))
    assert all(can_roll(record, kind) for kind in record.site_ids)
    assert {kind: can_roll(left, kind) for kind in left.site_ids} == {
        kind: kind != "cross" for kind in left.site_ids
    }
