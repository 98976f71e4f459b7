"""Records: pieces of a text, maps by name, paths of a tree, and options at their ends."""

import dataclasses

import numpy as np
import pytest

from core.card import fingerprint_of, number_in
from core.records.attention import (
    ENCODER,
    TRANSFORMER_SITES,
    AttentionMap,
    AttentionRecord,
    AttentionSite,
)
from core.records.search import (
    MAX_BEAM_SIZE,
    MAX_OUTPUT_LENGTH,
    MAX_SAMPLES,
    BeamNode,
    BeamTree,
    Budget,
    Decoding,
    Sampling,
    TreeAttention,
)
from core.records.sources import TokenSequence
from support.figures.knockout import head_ablation

# "bit" has two pieces.
PIECES = TokenSequence(
    text="It bit, it did.",
    ids=(10, 11, 12, 13, 10, 14, 15, 3),
    tokens=("▁It", "▁b", "it", ",", "▁it", "▁did", ".", "</s>"),
    offsets=((0, 2), (3, 4), (4, 6), (6, 7), (8, 10), (11, 14), (14, 15), (0, 0)),
)


def attention_map(kind="cross", **changes):
    parts = {
        "site": TRANSFORMER_SITES[kind],
        "weights": np.full((1, 1, 2, 3), 1 / 3, dtype=np.float32),
        "query_tokens": ("<s>", "▁Das"),
        "key_tokens": ("▁The", "▁cat", "</s>"),
    }
    return AttentionMap(**(parts | changes))


def test_pieces_at_a_place_and_of_a_word():
    for start, end, found in (
        (3, 6, (1, 2)),  # every piece that overlaps
        (4, 6, (2,)),  # none that only touches
        (0, 15, (0, 1, 2, 3, 4, 5, 6)),  # no special token
    ):
        assert PIECES.pieces_at(start, end) == found
    # Letters that grow when lowered do not move the word.
    grown = tuple((a + 3 * (b > 0), b + 3 * (b > 0)) for a, b in PIECES.offsets)
    turkish = dataclasses.replace(PIECES, text=f"İİ {PIECES.text}", offsets=grown)
    for word, occurrence, found in (
        ("IT", 0, (0,)),  # case is ignored
        ("it", 1, (4,)),  # a longer word that holds it is skipped
        ("bit", 0, (1, 2)),  # all its pieces
        ("it", 2, ()),  # it does not occur that often
    ):
        assert PIECES.pieces_of(word, occurrence) == found
        assert turkish.pieces_of(word, occurrence) == found
    assert (PIECES.unknown, PIECES.special) == ((False,) * 8, (False,) * 7 + (True,))


def test_a_map_is_found_by_its_name_and_item_or_those_that_are_there_are_named():
    maps = tuple(attention_map(kind) for kind in ("encoder", "decoder", "cross"))
    record = AttentionRecord(PIECES, PIECES, maps)
    assert (record.encoder, record.decoder, record.cross) == maps
    with pytest.raises(KeyError, match=r"cross.*encoder"):
        _ = AttentionRecord(PIECES, None, maps[:1]).cross
    words = AttentionSite("words", "summary", "source")
    first, second = (attention_map(site=words, item=item) for item in (0, 1))
    record = AttentionRecord(PIECES, None, (first, second, maps[0]))
    assert record.of("words", item=1) is second
    assert record.sites == (words, ENCODER)
    with pytest.raises(KeyError, match="item 2"):
        record.of("words", item=2)
    heads = attention_map(weights=np.arange(36, dtype=np.float32).reshape(2, 3, 2, 3))
    assert (heads.n_layers, heads.n_heads) == (2, 3)
    np.testing.assert_array_equal(heads.head(1, 0), [[18, 19, 20], [21, 22, 23]])


NAN = float("nan")
LENGTHS = {
    "max_len": ((1, MAX_OUTPUT_LENGTH), (0, MAX_OUTPUT_LENGTH + 1)),
    "min_len": ((0, MAX_OUTPUT_LENGTH), (-1, MAX_OUTPUT_LENGTH + 1)),
}
ALPHA = ((0.0, 5.0), (-0.1, 5.1, NAN))
PENALTY = (("none", "length", "wu"), ("gnmt",))
RANGES = {
    Decoding: LENGTHS
    | {
        "beam_size": ((1, MAX_BEAM_SIZE), (0, MAX_BEAM_SIZE + 1)),
        "alpha": ALPHA,
        "n_runners_up": ((0,), (-1,)),
        "penalty": PENALTY,
        "penalise": (("final", "pruning"), ("gnmt",)),
    },
    Sampling: LENGTHS
    | {
        "n_samples": ((1, MAX_SAMPLES), (0, MAX_SAMPLES + 1)),
        "temperature": ((0.0, 10.0), (-0.1, 10.1, NAN)),
        "top_k": ((0,), (-1,)),
        "top_p": ((1.0,), (0.0, 1.1, NAN)),
        "min_p": ((0.0, 1.0), (-0.1, 1.1, NAN)),
        "seed": ((0, 2**63 - 1), (-1, 2**63)),
        "alpha": ALPHA,
        "penalty": PENALTY,
    },
}
"""What each option takes and what it refuses, at the ends of its range."""


@pytest.mark.parametrize("kind", RANGES)
def test_an_option_is_taken_within_its_range_and_named_beyond(kind):
    for option, (taken, refused) in RANGES[kind].items():
        for value in taken:
            assert getattr(kind(**{option: value}), option) == value
        for value in refused:
            with pytest.raises(ValueError, match=f"{option} is {value!r}, expected"):
                kind(**{option: value})
    with pytest.raises(ValueError, match="min_len is 9, more than max_len, which is 8"):
        kind(min_len=9, max_len=8)
    every = {option: refused[0] for option, (_, refused) in RANGES[kind].items()}
    with pytest.raises(ValueError, match="min_len") as raised:
        kind(**every)
    assert all(f"{option} is" in str(raised.value) for option in every)


def test_a_budget_takes_0_or_more_or_no_limit_and_names_what_it_refuses():
    assert Budget(0, 0.0) != Budget()
    with pytest.raises(ValueError, match="expansions is -1, expected 0 or more, or None; seconds"):
        Budget(-1, NAN)


def test_the_defaults_of_decoding_are_those_of_the_readme():
    assert Decoding() == Decoding(5, 0.6, None, 0, "wu", "final", 0)


def node(id, parent, step, status="kept", score=0.0):
    return BeamNode(id, parent, step, f"t{id}", 20 + id, -0.5, score, score, 0, status)


NODES = (
    node(0, None, 0),
    node(1, 0, 1, score=-1.0),
    node(2, 0, 1, score=-2.0),
    node(3, 1, 2, "finished", -3.0),
    node(4, 1, 2, "kept", -1.5),
    node(5, 2, 2, "finished", -2.5),
)
TREE = BeamTree(NODES, beam_size=2, alpha=0.0, max_len=2, best=5)


def test_nodes_and_hypotheses_of_a_tree():
    for nodes, ids in (
        (TREE.path(4), [0, 1, 4]),
        (TREE.children(1), [3, 4]),
        (TREE.at_step(1), [1, 2]),
        (TREE.follow((21, 23)), [0, 1, 3]),
        (TREE.follow((22, 23, 24)), [0, 2]),  # as far as the tree goes
        (TREE.follow((99,)), [0]),
        (TREE.follow(()), [0]),
    ):
        assert [n.id for n in nodes] == ids
    # Finished ones, the best first, without the root.
    assert [(h.node, h.ids) for h in TREE.hypotheses()] == [(5, (22, 25)), (3, (21, 23))]
    # Without a finished one the live ones of the last step.
    unfinished = tuple(
        dataclasses.replace(n, status="pruned" if n.id == 3 else "kept") for n in NODES
    )
    live = dataclasses.replace(TREE, nodes=unfinished).hypotheses()
    assert [(h.node, h.finished) for h in live] == [(4, False), (5, False)]


def test_sums_of_records():
    decoder = np.arange(6, dtype=np.float32).reshape(2, 1, 1, 3)
    attention = TreeAttention(PIECES, np.zeros((2, 1, 1, 8)), decoder, np.array([0, 2]))
    np.testing.assert_array_equal(attention.self_attention(1), [[[3, 4]]])  # without the padding
    heads = (("cross", 0, 0), ("cross", 0, 1))
    ablated = head_ablation(heads, [[-0.5, -1.5], [0.25, 0.0]], [-0.5, -0.5], [[1, 0], [1, 0]])
    np.testing.assert_allclose(ablated.changes, [-2.0, 0.25])
    assert fingerprint_of(b"ab", b"c") != fingerprint_of(b"a", b"bc")
    assert fingerprint_of({"a": 1, "b": 2}) == fingerprint_of({"b": 2, "a": 1})


@pytest.mark.parametrize(
    ("value", "number"),
    [(2, 2.0), (0.5, 0.5), (True, None), (10**400, None), (np.inf, None), ("2", None)],
    ids=["int", "float", "bool", "beyond float", "infinite", "text"],
)
def test_only_a_finite_number_of_a_card_is_read(value, number):
    assert number_in({"margin": value}, "margin") == number
