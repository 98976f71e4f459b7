"""Aggregates of heads, against sums over all paths and another library's maximum flow."""

from dataclasses import replace
from itertools import product

import networkx
import numpy as np
import pytest

from core.aggregate import combine, flow_rows, rollout
from core.attention import CROSS, TRANSFORMER_SITES, AttentionMap, AttentionRecord
from core.tokens import TokenSequence


def attention_map(rng, kind, n_layers, n_rows, n_columns):
    mask = np.tril(np.ones((n_rows, n_columns), bool)) if kind == "decoder" else None
    weights = rng.dirichlet(np.full(n_columns, 0.5), size=(n_layers, 3, n_rows))
    weights = weights + 1e-3
    weights = weights * (1.0 if mask is None else mask)
    weights /= weights.sum(axis=-1, keepdims=True)
    tokens = [
        tuple(f"▁{side}{i}" for i in range(n)) for side, n in (("q", n_rows), ("k", n_columns))
    ]
    return AttentionMap(TRANSFORMER_SITES[kind], weights.astype(np.float32), *tokens, mask=mask)


def random_record(seed=0, n_src=3, n_tgt=2, encoder_layers=3, decoder_layers=2):
    rng = np.random.default_rng(seed)
    sides = [
        TokenSequence("", (0,) * n, ("▁x",) * n, ((0, 1),) * n) for n in (n_src, n_tgt)
    ]  # fmt: skip
    maps = (
        attention_map(rng, "encoder", encoder_layers, n_src, n_src),
        attention_map(rng, "decoder", decoder_layers, n_tgt, n_tgt),
        attention_map(rng, "cross", decoder_layers, n_tgt, n_src),
    )
    return AttentionRecord(*sides, maps)


def edges_below(record, kind):
    """From any place in the layered graph to those one sub-layer below: {node: {node: weight}}.

    Places are (stack, level, position); written out edge by edge, with no matrix in sight.
    """
    graph = {}

    def add(above, below, weight):
        graph.setdefault(above, {})[below] = graph.get(above, {}).get(below, 0.0) + weight

    def self_attention(attention, stack, level, above, below):
        heads = attention.weights[level].astype(float)
        size = heads.shape[-1]
        for i, j in product(range(size), range(size)):
            weight = 0.5 * sum(h[i, j] for h in heads) / len(heads) + (0.5 if i == j else 0.0)
            add((stack, above, i), (stack, below, j), weight)

    if kind != "cross":
        attention = record.of(kind)
        for level in range(attention.n_layers):
            self_attention(attention, kind, level, level + 1, level)
        return graph, (kind, attention.n_layers), (kind, 0)
    for level in range(record.encoder.n_layers):
        self_attention(record.encoder, "encoder", level, level + 1, level)
    memory = record.encoder.n_layers
    for level in range(record.decoder.n_layers):
        self_attention(record.decoder, "decoder", level, level + 0.5, level)
        heads = record.cross.weights[level].astype(float)
        for i in range(heads.shape[1]):
            add(("decoder", level + 1, i), ("decoder", level + 0.5, i), 0.5)
            for k in range(heads.shape[2]):
                weight = 0.5 * sum(h[i, k] for h in heads) / len(heads)
                add(("decoder", level + 1, i), ("encoder", memory, k), weight)
    return graph, ("decoder", record.decoder.n_layers), ("encoder", 0)


def sum_over_paths(graph, node, goal):
    """The products of the weights along every path from `node` to `goal`, added up."""
    if node == goal:
        return 1.0
    return sum(w * sum_over_paths(graph, below, goal) for below, w in graph.get(node, {}).items())


@pytest.fixture
def four_heads() -> AttentionMap:
    weights = np.array(
        [[[[1.0, 0.0]], [[0.5, 0.5]]], [[[0.25, 0.75]], [[0.0, 1.0]]]], dtype=np.float32
    )
    return AttentionMap(CROSS, weights, ("▁q",), ("▁a", "▁b"))


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
def test_heads_of_a_layer_or_of_all_combined_by_hand(four_heads, how, layer, expected):
    np.testing.assert_allclose(combine(four_heads, how, layer).weights, [[[expected]]])
    decoder = random_record().decoder
    assert combine(decoder, how, layer).mask is decoder.mask


@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
def test_rollout_is_the_sum_over_all_paths(kind):
    """That of cross-attention to the source and to the prefix, which share it out."""
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
    np.testing.assert_array_equal(
        flow_rows(record, kind, [row]), flow_rows(record, kind, [row], alone)
    )


def test_sites_go_by_their_sides_and_not_by_their_names():
    record = random_record(seed=8, n_src=4, n_tgt=3)
    renamed = replace(
        record,
        maps=tuple(
            replace(each, site=replace(each.site, name=f"my {each.kind}")) for each in record.maps
        ),
    )
    for kind in record.kinds:
        expected, found = rollout(record, kind), rollout(renamed, f"my {kind}")
        np.testing.assert_array_equal(found.attention.weights, expected.attention.weights)
        np.testing.assert_array_equal(
            flow_rows(renamed, f"my {kind}", [1]), flow_rows(record, kind, [1])
        )
