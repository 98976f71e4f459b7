"""The records: what they refuse, and what they answer about pieces, paths and hypotheses."""

import dataclasses

import numpy as np
import pytest

from core.attention import ENCODER, TRANSFORMER_SITES, AttentionMap, AttentionRecord, AttentionSite
from core.card import fingerprint_of
from core.changes import AblatedHead, HiddenToken, LiftedMask, MaskedCell, OverriddenRow, Positions
from core.intervention import Intervention, hide
from core.knockout import KnockOut
from core.search import (
    MAX_BEAM_SIZE,
    MAX_OUTPUT_LENGTH,
    MAX_SAMPLES,
    BeamNode,
    BeamTree,
    Decoding,
    Sampling,
    TreeAttention,
)
from core.tokens import TokenSequence


@pytest.fixture
def pieces():
    """'It bit, it did.' with "bit" in two pieces."""
    return TokenSequence(
        text="It bit, it did.",
        ids=(10, 11, 12, 13, 10, 14, 15, 3),
        tokens=("▁It", "▁b", "it", ",", "▁it", "▁did", ".", "</s>"),
        offsets=((0, 2), (3, 4), (4, 6), (6, 7), (8, 10), (11, 14), (14, 15), (0, 0)),
    )


def attention_map(kind="cross", shape=(1, 1, 2, 3), **changes):
    parts = {
        "site": TRANSFORMER_SITES[kind],
        "weights": np.full(shape, 1 / 3, dtype=np.float32),
        "query_tokens": ("<s>", "▁Das"),
        "key_tokens": ("▁The", "▁cat", "</s>"),
    }
    return AttentionMap(**(parts | changes))


def node(id, parent, step, status="kept", score=0.0):
    return BeamNode(id, parent, step, f"t{id}", 20 + id, -0.5, score, score, 0, status)


@pytest.fixture
def tree():
    """Root 0; 1 and 2 below it; 3 and 4 below 1, 5 below 2."""
    nodes = (
        node(0, None, 0),
        node(1, 0, 1, score=-1.0),
        node(2, 0, 1, score=-2.0),
        node(3, 1, 2, "finished", -3.0),
        node(4, 1, 2, "kept", -1.5),
        node(5, 2, 2, "finished", -2.5),
    )
    return BeamTree(nodes, beam_size=2, alpha=0.0, max_len=2, best=5)


# -- pieces --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "end", "found"),
    [
        pytest.param(3, 6, (1, 2), id="every piece that overlaps"),
        pytest.param(4, 6, (2,), id="none that only touches"),
        pytest.param(0, 15, (0, 1, 2, 3, 4, 5, 6), id="no special token"),
    ],
)
def test_pieces_at_a_place_in_the_text(pieces, start, end, found):
    assert pieces.pieces_at(start, end) == found


@pytest.mark.parametrize(
    ("word", "occurrence", "found"),
    [
        pytest.param("IT", 0, (0,), id="case is ignored"),
        pytest.param("it", 1, (4,), id="a longer word that holds it is skipped"),
        pytest.param("bit", 0, (1, 2), id="all its pieces"),
        pytest.param("it", 2, (), id="it does not occur that often"),
    ],
)
def test_pieces_of_a_word(pieces, word, occurrence, found):
    assert pieces.pieces_of(word, occurrence) == found
    # Letters that grow when lowered do not move the word.
    grown = tuple((a + 3 * (b > 0), b + 3 * (b > 0)) for a, b in pieces.offsets)
    turkish = dataclasses.replace(pieces, text=f"İİ {pieces.text}", offsets=grown)
    assert turkish.pieces_of(word, occurrence) == found
    # Pieces are known unless said otherwise, and special without characters.
    assert (pieces.unknown, pieces.special) == ((False,) * 8, (False,) * 7 + (True,))


# -- attention -----------------------------------------------------------------------------


def test_a_map_is_found_by_its_name_and_item_or_those_that_are_there_are_named(pieces):
    maps = tuple(attention_map(kind) for kind in ("encoder", "decoder", "cross"))
    record = AttentionRecord(pieces, pieces, maps)
    assert (record.encoder, record.decoder, record.cross) == maps
    with pytest.raises(KeyError, match=r"cross.*encoder"):
        _ = AttentionRecord(pieces, None, maps[:1]).cross
    words = AttentionSite("words", "summary", "source")
    first, second = (attention_map(site=words, item=item) for item in (0, 1))
    record = AttentionRecord(pieces, None, (first, second, maps[0]))
    assert record.of("words", item=1) is second
    assert record.sites == (words, ENCODER)
    with pytest.raises(KeyError, match="item 2"):
        record.of("words", item=2)
    heads = attention_map(weights=np.arange(36, dtype=np.float32).reshape(2, 3, 2, 3))
    assert (heads.n_layers, heads.n_heads) == (2, 3)
    np.testing.assert_array_equal(heads.head(1, 0), [[18, 19, 20], [21, 22, 23]])


# -- decoding and sampling -----------------------------------------------------------------

NAN = float("nan")
RANGES = {
    Decoding: {
        "beam_size": ((1, MAX_BEAM_SIZE), (0, MAX_BEAM_SIZE + 1)),
        "alpha": ((0.0, 5.0), (-0.1, 5.1, NAN)),
        "n_runners_up": ((0,), (-1,)),
        "penalty": (("none", "length", "wu"), ("gnmt",)),
        "penalise": (("final", "pruning"), ("gnmt",)),
    },
    Sampling: {
        "n_samples": ((1, MAX_SAMPLES), (0, MAX_SAMPLES + 1)),
        "temperature": ((0.0, 10.0), (-0.1, 10.1, NAN)),
        "top_k": ((0,), (-1,)),
        "top_p": ((1.0,), (0.0, 1.1, NAN)),
        "min_p": ((0.0, 1.0), (-0.1, 1.1, NAN)),
        "seed": ((0, 2**63 - 1), (-1, 2**63)),
    },
}
"""What each option takes and what it refuses, at the ends of its range."""
for ranges in RANGES.values():
    ranges["max_len"] = (1, MAX_OUTPUT_LENGTH), (0, MAX_OUTPUT_LENGTH + 1)
    ranges["min_len"] = (0, MAX_OUTPUT_LENGTH), (-1, MAX_OUTPUT_LENGTH + 1)


@pytest.mark.parametrize(
    ("kind", "option"), [(kind, option) for kind, ranges in RANGES.items() for option in ranges]
)
def test_an_option_is_taken_within_its_range_and_named_beyond(kind, option):
    taken, refused = RANGES[kind][option]
    for value in taken:
        assert getattr(kind(**{option: value}), option) == value
    for value in refused:
        with pytest.raises(ValueError, match=f"{option} is {value!r}, expected"):
            kind(**{option: value})


def test_the_defaults_of_decoding_are_those_of_the_readme():
    assert Decoding() == Decoding(5, 0.6, None, 0, "wu", "final", 0)


# -- the tree ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        pytest.param(lambda tree: tree.path(4), [0, 1, 4], id="path"),
        pytest.param(lambda tree: tree.children(1), [3, 4], id="children"),
        pytest.param(lambda tree: tree.at_step(1), [1, 2], id="step"),
        pytest.param(lambda tree: tree.follow((21, 23)), [0, 1, 3], id="ids"),
        pytest.param(lambda tree: tree.follow((22, 23, 24)), [0, 2], id="as far as the tree goes"),
        pytest.param(lambda tree: tree.follow((99,)), [0], id="ids that are not there"),
        pytest.param(lambda tree: tree.follow(()), [0], id="nothing"),
    ],
)
def test_nodes_of_a_tree(tree, asked, found):
    assert [n.id for n in asked(tree)] == found


def test_hypotheses_are_the_finished_ones_best_first_without_the_root(tree):
    assert [(h.node, h.ids) for h in tree.hypotheses()] == [(5, (22, 25)), (3, (21, 23))]


def test_without_a_finished_hypothesis_the_live_ones_of_the_last_step_count(tree):
    unfinished = tuple(
        dataclasses.replace(n, status="pruned" if n.id == 3 else "kept") for n in tree.nodes
    )
    live = dataclasses.replace(tree, nodes=unfinished).hypotheses()
    assert [(h.node, h.finished) for h in live] == [(4, False), (5, False)]


# -- interventions -------------------------------------------------------------------------


CELLS = MaskedCell("cross", None, 1, 2, 3), MaskedCell("cross", 0, 1, 2, 3)
TOKENS = HiddenToken("cross", 0), HiddenToken("cross", 2)
ZERO, UNIFORM = (Intervention(AblatedHead("cross", 0, 1, how)) for how in ("zero", "uniform"))
ROWS = [Intervention(OverriddenRow("cross", 0, 1, 2, row)) for row in ((1.0,), (0.0, 1.0))]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(
            Intervention(*CELLS, CELLS[0], *TOKENS[::-1]),
            Intervention(*CELLS[::-1], *TOKENS, TOKENS[1]),
            id="entries in any order and number",
        ),
        pytest.param(ZERO | UNIFORM, UNIFORM, id="the later of two for a head"),
        pytest.param(UNIFORM | ZERO, ZERO, id="whichever that is"),
        pytest.param(ROWS[0] | ROWS[1], ROWS[1], id="the later of two for a row"),
        pytest.param(
            Intervention(LiftedMask(), Positions("absent")) | hide(1, where="encoder"),
            Intervention(LiftedMask(), HiddenToken("encoder", 1), Positions("absent")),
            id="joining keeps the changes of both",
        ),
        pytest.param(hide(1, where="encoder") | hide(1, where="cross"), hide(1), id="hide"),
        pytest.param(
            Positions("absent", offset=3, seed=4, span=5), Positions("absent"), id="no positions"
        ),
        pytest.param(
            Positions("shifted", offset=3, seed=4), Positions("shifted", offset=3), id="shifted"
        ),
    ],
)
def test_the_same_change_told_in_two_ways(one, other):
    assert one == other
    assert hash(one) == hash(other)


@pytest.mark.parametrize(
    ("positions", "order"),
    [
        (Positions(), [0, 1, 2, 3]),
        (Positions("shifted", offset=3), [3, 4, 5, 6]),
        (Positions("reversed"), [3, 2, 1, 0]),
        (Positions("reversed", span=3), [2, 1, 0, 3]),
        (Positions("permuted", seed=5), np.random.default_rng(5).permutation(4).tolist()),
        (Positions("permuted", seed=6), np.random.default_rng(6).permutation(4).tolist()),
    ],
)
def test_positions_in_the_order_asked_for(positions, order):
    assert positions.order(4).tolist() == order


def test_what_records_sum_up(pieces):
    decoder = np.arange(6, dtype=np.float32).reshape(2, 1, 1, 3)
    attention = TreeAttention(pieces, np.zeros((2, 1, 1, 8)), decoder, np.array([0, 2]))
    np.testing.assert_array_equal(attention.self_attention(1), [[[3, 4]]])  # without the padding
    log_probs = np.array([[-1.0, -2.0], [-0.25, -0.5]], np.float32)
    knocked = KnockOut(
        pieces, pieces, "zero", (("cross", 0, 0), ("cross", 0, 1)), log_probs,
        np.array([-0.5, -0.5], np.float32), (pieces, pieces), pieces, None, (),
        np.zeros((2, 0)), np.zeros(0), 0.1,
    )  # fmt: skip
    np.testing.assert_allclose(knocked.changes, [-2.0, 0.25])
    assert fingerprint_of(b"ab", b"c") != fingerprint_of(b"a", b"bc")
    assert fingerprint_of({"a": 1, "b": 2}) == fingerprint_of({"b": 2, "a": 1})
    assert [bool(each) for each in (Intervention(), Intervention(LiftedMask()), hide(0))] == [
        False, True, True,
    ]  # fmt: skip
